import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, removeSettings } from '#demo/service.ts';
import { startSite } from '#demo/site.ts';

// Packs the packages, installs them into an empty folder, and runs the first steps of a user.
const KEY = `qk_${'try'.repeat(10)}42`;
const COMMAND_MS = 300_000;
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'quern-package-'));
const data = mkdtempSync(join(tmpdir(), 'quern-package-data-'));

function run(command: string, args: readonly string[], cwd: string): string {
  const started = performance.now();
  const env = { ...removeSettings(process.env), QUERN_DATA_DIR: data };
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: COMMAND_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error !== undefined) throw error;
  assert.equal(status, 0, `${command} ${args.join(' ')}`);
  printLine(`${command} ${args[0]}: ${Math.round(performance.now() - started)} ms`);
  return stdout;
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  run('npm', ['pack', '--workspaces', '--loglevel=error', '--pack-destination', folder], root);
  const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs.map((file) => `./${file}`)],
    folder,
  );
  assert.match(run('npx', ['quern', '--version'], folder), /^\d+\.\d+\.\d+/);
  const site = await startSite({ port: 0 });
  const service = await startService({
    dataDir: data,
    settings: {
      QUERN_BOOTSTRAP_KEY: KEY,
      QUERN_ALLOW_TARGETS: new URL(site.origin).host,
      QUERN_CHROMIUM: 'off',
    },
    program: join(folder, 'node_modules/quern/bin/quern.mjs'),
  });
  const answer = await fetch(`${service.origin}/v1/fetch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${site.origin}/articles/a-year-at-the-mill` }),
    signal: AbortSignal.timeout(COMMAND_MS),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.match(text, /A year at the mill/i);
  printLine(`the installed service answered a fetch, ready ${Math.round(service.readyMs)} ms after its start`);
  assert.equal(await service.close(), 0, service.err());
  await site.close();
} finally {
  for (const made of [folder, data]) rmSync(made, { recursive: true, force: true });
}
