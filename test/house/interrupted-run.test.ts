import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { toResolverOption } from '#support/copy.ts';
import { ROOT } from './house.ts';
import { listProcesses } from '#access/browser/processes.ts';
import { until } from '#support/fleet.ts';

const RUN = join(import.meta.dirname, '../run.ts');
/** Starts a process in its own process group, like a browser, and waits forever. */
const STAYS = `import { test } from 'node:test';
import { spawn } from 'node:child_process';
test('stays', async () => {
  const started = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
  console.log('started ' + started.pid);
  await new Promise(() => setInterval(() => undefined, 1000));
});`;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`a run that gets ${signal} ends the processes of its tests and exits with code 130`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quern-interrupted-'));
    try {
      writeFileSync(join(folder, 'stays.test.mjs'), STAYS);
      const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
      const args = [toResolverOption(ROOT), RUN, 'quick', join(folder, 'stays.test.mjs')];
      const running = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
      const ended = once(running, 'close');
      let group = 0;
      for await (const line of createInterface({ input: running.stdout })) {
        const said = /started (\d+)/.exec(line)?.[1];
        if (said === undefined) continue;
        group = Number(said);
        running.kill(signal);
      }
      assert.deepEqual(await ended, [130, null]);
      assert.notEqual(group, 0);
      await until('nothing is left of it', async () => (listProcesses(group) ?? []).length === 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
