import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { removeSettings } from '#demo/service.ts';
import { startSite } from '#demo/site.ts';

const COMMAND_MS = 300_000;
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'quern-pack-'));
const packages = join(folder, 'lib/node_modules');
const installed = join(packages, 'quern');

/** Packs with npm and places the packages as npm would, with dependencies one folder up. */
before(async () => {
  const env = removeSettings(process.env);
  const args = ['pack', '--workspaces', '--offline', '--loglevel=error', '--pack-destination', folder];
  await run('npm', args, { cwd: root, env });
  mkdirSync(join(packages, '@quern'), { recursive: true });
  const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  assert.equal(tarballs.length, 4);
  for (const tarball of tarballs) {
    await run('tar', ['-xzf', join(folder, tarball), '-C', folder], { cwd: folder, env });
    const name = /^quern-([a-z]+)-/.exec(tarball)?.[1];
    renameSync(join(folder, 'package'), name === undefined ? installed : join(packages, '@quern', name));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

type Where = { readonly cwd: string; readonly env: NodeJS.ProcessEnv };

async function run(command: string, args: readonly string[], where: Where): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { ...where, timeout: COMMAND_MS });
  return stdout;
}

test('the packages contain compiled code and no sources', () => {
  for (const file of ['bin/quern.mjs', 'dist/main.js', 'dist/store/migrations', 'README.md', 'LICENSE', 'CHANGELOG.md'])
    assert.ok(existsSync(join(installed, file)), file);
  for (const home of [
    installed,
    ...readdirSync(join(packages, '@quern')).map((name) => join(packages, '@quern', name)),
  ])
    for (const file of ['src', 'test']) assert.ok(!existsSync(join(home, file)), `${home} has ${file}`);
});

test('the installed package fetches a page of the demo site as Markdown', async () => {
  const site = await startSite({ port: 0 });
  try {
    const settings = { QUERN_DATA_DIR: join(folder, 'data'), QUERN_ALLOW_TARGETS: new URL(site.origin).host };
    const markdown = await run(
      process.execPath,
      [
        join(installed, 'bin/quern.mjs'),
        'fetch',
        `${site.origin}/articles/the-wheel-turns-again`,
        '--output',
        'markdown',
      ],
      { cwd: folder, env: { ...removeSettings(process.env), ...settings } },
    );
    assert.match(markdown, /^## What was done$/m);
    assert.match(markdown, /\*\*€186,400\*\*/);
  } finally {
    await site.close();
  }
});
