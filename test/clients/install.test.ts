import assert from 'node:assert/strict';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '#support/copy.ts';
import { runToEnd } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';

test('npm install of the folder of the TypeScript client builds it', async () => {
  await inTemporaryFolder(async (folder) => {
    const [client, app] = [join(folder, 'client'), join(folder, 'app')];
    await cp(join(ROOT, 'clients/typescript'), client, {
      recursive: true,
      filter: (file) => !/\W(?:dist|node_modules)$/.test(file),
    });
    await mkdir(app);
    await writeFile(join(app, 'package.json'), '{ "private": true, "type": "module" }\n');
    const settings = { PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` };
    const flags = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
    const installed = await runToEnd('npm', ['install', ...flags, '../client'], { cwd: app, settings });
    assert.equal(installed.code, 0, installed.err);
    await writeFile(join(app, 'use.js'), "import { Quern } from 'quern-client';\nconsole.log(Quern.name);\n");
    const used = await runToEnd(process.execPath, ['use.js'], { cwd: app, settings: {} });
    assert.deepEqual([used.code, used.out.trim()], [0, 'Quern'], used.err);
  });
});
