import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { removeSettings } from '#demo/service.ts';
import { BROWSERS, SETTING } from '#support/rendered.ts';

const DEMO_TIMEOUT_MS = 300_000;

test('every step of the demo answers as expected', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../demo/demo.ts')], {
    env: { ...removeSettings(process.env), NO_COLOR: '1', QUERN_CHROMIUM: SETTING ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: DEMO_TIMEOUT_MS,
  });
  const exited = once(child, 'exit');
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exited;
  assert.match(printed, /\nAll steps returned the expected response\.\n$/, complaints);
  const isLeftOut = printed.includes('npm run setup:browser gets one');
  assert.equal(isLeftOut, BROWSERS === null);
  assert.equal(code, 0);
});
