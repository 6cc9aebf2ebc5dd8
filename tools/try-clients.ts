import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '#demo/service.ts';
import { startSite } from '#demo/site.ts';
import { assertCommand, BUN, DENO, installRuntime, NODE, runCommand } from './runtimes.ts';

// Runs the examples of the TypeScript client's page, from its package, in each runtime that npm can install.
const KEY = `qk_${'try'.repeat(10)}42`;
const client = join(import.meta.dirname, '../clients/typescript');
const folder = mkdtempSync(join(tmpdir(), 'quern-runtimes-'));

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The examples of the page, by their headings. */
function listSamples(site: string) {
  return readFileSync(join(client, 'README.md'), 'utf8')
    .split(/^## /m)
    .flatMap((part) => {
      const code = /^```js\n([^]*?)^```$/m.exec(part)?.[1];
      return code === undefined
        ? []
        : [{ title: part.split('\n')[0] ?? '', code: code.replaceAll('https://example.com/', `${site}/`) }];
    });
}

/** Installs the Python client with pip, from its folder and from a wheel, each into an environment of its own. */
async function tryPython(): Promise<void> {
  const place = { cwd: folder, home: folder };
  const source = join(folder, 'python');
  // pip builds within the folder that it installs.
  cpSync(join(client, '../python'), source, { recursive: true });
  await assertCommand('python3', ['-m', 'venv', 'builder'], place);
  const builder = join(folder, 'builder/bin/pip');
  await assertCommand(builder, ['wheel', '--quiet', '--no-deps', '--wheel-dir', 'wheels', source], place);
  const wheel = join(folder, 'wheels', readdirSync(join(folder, 'wheels'))[0] ?? '');
  for (const [name, from] of [
    ['folder', source],
    ['wheel', wheel],
  ] as const) {
    await assertCommand('python3', ['-m', 'venv', name], place);
    await assertCommand(join(folder, name, 'bin/pip'), ['install', '--quiet', from], place);
    await assertCommand(join(folder, name, 'bin/python'), ['-c', 'from quern import Quern'], place);
    printLine(`python: installed from a ${name}`);
  }
}

let failed = 0;
const site = await startSite({ port: 0 });
try {
  await assertCommand('npm', ['pack', '--loglevel=error', '--pack-destination', folder], { cwd: client, home: folder });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
  const work = join(folder, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'package.json'), '{ "private": true, "type": "module" }\n');
  await assertCommand(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', join(folder, tarball)],
    { cwd: work, home: folder },
  );
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  const service = await startService({
    dataDir: join(folder, 'data'),
    settings: { QUERN_BOOTSTRAP_KEY: KEY, QUERN_ALLOW_TARGETS: new URL(site.origin).host, QUERN_CHROMIUM: 'off' },
  });
  const place = { cwd: work, home: folder };
  for (const runtime of [NODE, DENO, BUN]) {
    const { name, install, args } = runtime;
    const program = await installRuntime(runtime, folder);
    if (program === null) {
      printLine(`${name}: npm has no ${install} for this machine`);
      continue;
    }
    printLine(`${name} ${(await runCommand(program, ['--version'], place)).out.split('\n')[0] ?? ''}`);
    for (const [at, { title, code }] of listSamples(site.origin).entries()) {
      writeFileSync(join(work, `sample-${at}.js`), code);
      const began = performance.now();
      const settings = { QUERN_URL: service.origin, QUERN_API_KEY: KEY };
      const { status, out } = await runCommand(program, [...args, `sample-${at}.js`], { ...place, settings });
      const ms = Math.round(performance.now() - began);
      printLine(`  ${status === 0 ? 'fine  ' : 'FAILED'}  ${title}, ${ms} ms${status === 0 ? '' : `\n${out}`}`);
      if (status !== 0) failed++;
    }
  }
  await service.close();
  await tryPython();
} finally {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
