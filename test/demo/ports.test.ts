import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { startListening } from '#demo/listen.ts';
import { ROOT } from '#support/copy.ts';
import { runToEnd } from '#support/quern.ts';

const DEMO = [join(ROOT, 'demo/demo.ts'), '--keep'];

test('the demo reports the setting for a port that is in use or invalid', async () => {
  const taken = await startListening(createServer(), 0);
  const { port } = new URL(taken.origin);
  for (const [settings, says] of [
    [{ DEMO_SITE_PORT: port }, `demo: port ${port} is in use: set DEMO_SITE_PORT to another`],
    [{ DEMO_SITE_PORT: '0', DEMO_PORT: port }, `demo: port ${port} is in use: set DEMO_PORT to another`],
    [{ DEMO_SITE_PORT: 'x' }, 'demo: DEMO_SITE_PORT: must be a port number from 0 to 65535'],
    [{ DEMO_PORT: '70000' }, 'demo: DEMO_PORT: must be a port number from 0 to 65535'],
  ] as const) {
    const { code, err } = await runToEnd(process.execPath, DEMO, { cwd: ROOT, settings });
    assert.equal(code, 1, err);
    assert.ok(err.includes(says), err);
  }
  await taken.close();
});
