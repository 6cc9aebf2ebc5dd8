import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { findBrowsers } from '#access/browser/binaries.ts';

const NONE = { shell: [], full: [] };

/** A home folder with programs at the given paths, and the browsers found in it. */
function findIn(paths: readonly string[], platform: NodeJS.Platform = 'linux', setting?: string) {
  const home = mkdtempSync(join(tmpdir(), 'quern-home-'));
  try {
    for (const path of paths) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), '');
      chmodSync(join(home, path), 0o755);
    }
    const found = findBrowsers(setting?.replace('~', home), { platform, home }, NONE);
    const short = (path: string | undefined): string | undefined => path?.replace(`${home}/`, '');
    return found === null ? null : [short(found.shell.path), short(found.full.path)];
  } finally {
    rmSync(home, { recursive: true });
  }
}

const CACHE = '.cache/ms-playwright';
const SHELL = 'chrome-headless-shell-linux64/chrome-headless-shell';

test('the newest downloads are found, one for each kind of browser', () => {
  const shells = ['1193', '987', '1200'].map((one) => `${CACHE}/chromium_headless_shell-${one}/${SHELL}`);
  const full = `${CACHE}/chromium-1200/chrome-linux64/chrome`;
  assert.deepEqual(findIn([...shells, full]), [shells[2], full]);
});

test('a single browser is used for both kinds', () => {
  const path =
    'Library/Caches/ms-playwright/chromium_headless_shell-1/chrome-headless-shell-mac-arm64/chrome-headless-shell';
  assert.deepEqual(findIn([path], 'darwin'), [path, path]);
});

test('only the program in the setting is used', () => {
  assert.deepEqual(findIn(['bin/browser', `${CACHE}/chromium-1/chrome-linux/chrome`], 'linux', '~/bin/browser'), [
    'bin/browser',
    'bin/browser',
  ]);
});

test('a missing program is a configuration error', () => {
  assert.throws(() => findIn([], 'linux', '~/none'), /^Error: QUERN_CHROMIUM .*none: is not an executable program$/);
});

test('no browsers are available if none is found or they are switched off', () => {
  assert.equal(findIn([]), null);
  assert.equal(findIn([`${CACHE}/chromium-1/chrome-linux/chrome`], 'linux', 'off'), null);
});
