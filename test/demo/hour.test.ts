import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { removeSettings } from '#demo/service.ts';

const HOUR_TIMEOUT_MS = 900_000;

test('every step of the first hour of all users succeeds, and its folder is removed', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../demo/demo.ts'), '--hour'], {
    env: { ...removeSettings(process.env), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HOUR_TIMEOUT_MS,
  });
  const exited = once(child, 'exit');
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exited;
  assert.match(printed, /\nAll \d+ steps went well, in \d+ s\.\n$/, printed.slice(-8000) + complaints);
  assert.equal(code, 0);
  for (const person of ['terminal user', 'agent (stdio)', 'agent (HTTP)', 'client developer', 'operator'])
    assert.ok(printed.includes(`\n${person}  `), person);
  assert.match(printed, /\nMCP over stdio: the list has \d+ tokens, the largest answer \d+, /);
  const folder = /\/\S*quern-hour-\w+/.exec(printed)?.[0];
  assert.ok(folder !== undefined);
  assert.equal(existsSync(folder), false);
});
