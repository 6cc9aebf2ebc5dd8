import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { suite, test } from 'node:test';
import { removeSettings } from '#demo/service.ts';
import { ROOT } from '../support/copy.ts';
import { runToEnd } from '../support/quern.ts';
import { inTemporaryFolder } from '../support/store.ts';

suite('npm', { concurrency: true }, () => {
  test('npx quern answers in a checkout', async () => {
    await inTemporaryFolder(async (folder) => {
      const { code, out } = await runToEnd('npx', ['--offline', 'quern', '--version'], {
        cwd: ROOT,
        settings: { QUERN_DATA_DIR: folder },
      });
      assert.equal(code, 0);
      assert.match(out, /^\d+\.\d+\.\d+\n$/);
    });
  });

  test('npm start starts the service, and a signal to npm leaves no orphan', async () => {
    await inTemporaryFolder(async (folder) => {
      const child = spawn('npm', ['start', '--silent'], {
        cwd: ROOT,
        env: { ...removeSettings(process.env), QUERN_PORT: '0', QUERN_DATA_DIR: folder, QUERN_CHROMIUM: 'off' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const exited = once(child, 'exit');
      let origin = '';
      for await (const line of createInterface({ input: child.stdout })) {
        origin = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? '';
        if (origin !== '') break;
      }
      assert.equal((await fetch(`${origin}/healthz`)).status, 200);
      child.kill('SIGTERM');
      await exited;
      await assert.rejects(fetch(`${origin}/healthz`));
    });
  });
});
