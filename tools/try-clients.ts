import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startService, removeSettings } from '#demo/service.ts';
import { startSite } from '#demo/site.ts';

// Runs the examples of the TypeScript client's page, from its package, in each runtime that npm has a binary of.
const KEY = `qk_${'try'.repeat(10)}42`;
const COMMAND_MS = 300_000;
const client = join(import.meta.dirname, '../clients/typescript');
const folder = mkdtempSync(join(tmpdir(), 'quern-runtimes-'));
const system = `${process.platform}-${process.arch}`;

/** The package with the binary for this machine, the binary in it, and the words before a script. */
const RUNTIMES = [
  { name: 'Node', install: null, binary: process.execPath, args: [] },
  {
    name: 'Deno',
    install: `@deno/${system}${process.platform === 'linux' ? '-glibc' : ''}`,
    binary: 'deno',
    args: ['run', '--allow-net', '--allow-env', '--node-modules-dir=manual', '--no-prompt', '--quiet'],
  },
  { name: 'Bun', install: `@oven/bun-${system.replace('arm64', 'aarch64')}`, binary: 'bin/bun', args: ['run'] },
] as const;

type Settings = Readonly<Record<string, string>>;
type CommandResult = { readonly status: number | null; readonly out: string };

/** Runs a command while this process serves the site of the examples. */
async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  settings: Settings = {},
): Promise<CommandResult> {
  const own = { ...settings, HOME: folder, DENO_DIR: join(folder, 'deno'), NO_COLOR: '1' };
  const child = spawn(command, args, {
    cwd,
    env: { ...removeSettings(process.env), ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_MS,
  });
  const ended = Promise.withResolvers<number | null>();
  child.once('close', ended.resolve);
  child.once('error', ended.reject);
  const [status, out, err] = await Promise.all([ended.promise, text(child.stdout), text(child.stderr)]);
  return { status, out: out + err };
}

/** Runs a command that must end well. */
async function assertOutput(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { status, out } = await run(command, args, cwd);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${out}`);
}

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

/** Installs a runtime beside the client; null where npm has none for this machine. */
async function installRuntime(name: string): Promise<string | null> {
  const home = join(folder, 'runtimes');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
  const { status } = await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', name], home);
  const installed = join(home, 'node_modules', name);
  return status === 0 && existsSync(installed) ? installed : null;
}

let failed = 0;
const site = await startSite({ port: 0 });
try {
  await assertOutput('npm', ['pack', '--loglevel=error', '--pack-destination', folder], client);
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
  const work = join(folder, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'package.json'), '{ "private": true, "type": "module" }\n');
  await assertOutput(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', join(folder, tarball)],
    work,
  );
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  const service = await startService({
    dataDir: join(folder, 'data'),
    settings: { QUERN_BOOTSTRAP_KEY: KEY, QUERN_ALLOW_TARGETS: new URL(site.origin).host, QUERN_CHROMIUM: 'off' },
  });
  for (const { name, install, binary, args } of RUNTIMES) {
    const home = install === null ? '' : await installRuntime(install);
    if (home === null) {
      printLine(`${name}: npm has no ${install} for this machine`);
      continue;
    }
    const program = home === '' ? binary : join(home, binary);
    printLine(`${name} ${(await run(program, ['--version'], work)).out.split('\n')[0] ?? ''}`);
    for (const [at, { title, code }] of listSamples(site.origin).entries()) {
      writeFileSync(join(work, `sample-${at}.js`), code);
      const began = performance.now();
      const settings = { QUERN_URL: service.origin, QUERN_API_KEY: KEY };
      const { status, out } = await run(program, [...args, `sample-${at}.js`], work, settings);
      const ms = Math.round(performance.now() - began);
      printLine(`  ${status === 0 ? 'fine  ' : 'FAILED'}  ${title}, ${ms} ms${status === 0 ? '' : `\n${out}`}`);
      if (status !== 0) failed++;
    }
  }
  await service.close();
} finally {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
