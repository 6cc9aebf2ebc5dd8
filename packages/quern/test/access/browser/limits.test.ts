import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Binary } from '#access/browser/binaries.ts';
import { listBrowserLimits } from '#access/browser/limits.ts';
import { inTemporaryFolder } from '../../support/store.ts';

const SHELL: Binary = { kind: 'shell', path: '/usr/lib/chromium/chromium-headless-shell' };
const FULL: Binary = { kind: 'full', path: '/usr/lib/chromium/chromium' };
/** A program that does not exist. */
const NO_FONT_LIST = '/nowhere/fc-list';

/** What is missing beside these browsers, on a machine without fontconfig. */
async function listFor(shell: Binary, full: Binary, isChosen = false) {
  return listBrowserLimits({ shell, full }, { isChosen, fontList: NO_FONT_LIST });
}

test('one browser lacks the other one, unless the operator chose it', async () => {
  assert.deepEqual(await listFor(SHELL, FULL), []);
  assert.deepEqual(await listFor(FULL, FULL), ['light browser']);
  assert.deepEqual(await listFor(SHELL, SHELL), ['full browser']);
  assert.deepEqual(await listFor(FULL, FULL, true), []);
});

test('fonts are missing if fontconfig lists none for a language, and not if it fails', async () => {
  await inTemporaryFolder(async (folder) => {
    const fontList = join(folder, 'fc-list');
    const list = async (script: string) => {
      writeFileSync(fontList, `#!/bin/sh\n${script}\n`);
      chmodSync(fontList, 0o755);
      return listBrowserLimits({ shell: SHELL, full: FULL }, { isChosen: false, fontList });
    };
    assert.deepEqual(await list('echo "Noto Sans CJK"'), []);
    assert.deepEqual(await list('[ "$1" = :lang=ko ] || echo "Noto Sans CJK"'), ['CJK fonts']);
    assert.deepEqual(await list('exit 1'), []);
  });
});
