import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findBrowsers } from '#access/browser/binaries.ts';
import { runCommand } from '#access/browser/command.ts';
import { getBrowsers, waysOf } from '#access/browser/setup.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { isSettingUp, lockSetup } from '#store/serve-lock.ts';
import { inTemporaryFolder } from '../../support/store.ts';

const NONE = { shell: [], full: [] };
const CACHE = '.cache/ms-playwright';
const FULL = `${CACHE}/chromium-1/chrome-linux64/chrome`;
const SHELL = `${CACHE}/chromium_headless_shell-1/chrome-headless-shell-linux64/chrome-headless-shell`;

const GOOD = 'echo Chromium 140.0.1.2';
const BROKEN = 'echo "$0: error while loading shared libraries: libnss3.so" >&2; exit 127';

function writeProgram(path: string, script: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** A script that puts programs of that kind where downloads are kept. */
function brings(script: string, ...paths: readonly string[]): string {
  const lines = paths.map(
    (path) =>
      `mkdir -p "$(dirname "$HOME/${path}")"; printf '#!/bin/sh\\n%s\\n' '${script}' > "$HOME/${path}"; chmod +x "$HOME/${path}"`,
  );
  return lines.join('\n');
}

type Setting = {
  readonly npx: string;
  readonly apt?: string;
  readonly isRoot?: boolean;
  readonly wanted?: 'any' | 'both';
  /** What is there before. */
  readonly there?: Readonly<Record<string, string>>;
};

/** What a setup on a machine with these programs runs, says and finds; each program writes down how it is called. */
async function setUp({ npx, apt = 'exit 1', isRoot = true, wanted = 'both', there = {} }: Setting) {
  return inTemporaryFolder(async (home) => {
    writeProgram(join(home, 'bin/npx'), `echo "npx $3 $4" >> "$HOME/calls"; echo loading; ${npx}`);
    writeProgram(join(home, 'bin/apt-get'), `echo "apt-get $1 $DEBIAN_FRONTEND" >> "$HOME/calls"; ${apt}`);
    for (const [path, script] of Object.entries(there)) writeProgram(join(home, path), script);
    const said: string[] = [];
    const found = await getBrowsers(
      {
        find: () => findBrowsers(undefined, { platform: 'linux', home }, NONE),
        wanted,
        ways: waysOf({ isRoot }),
        clock: SYSTEM_CLOCK,
        environment: { HOME: home, PATH: `${join(home, 'bin')}:/usr/bin:/bin` },
        say: (line) => said.push(line.replaceAll(`${home}/`, '')),
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

const NPX = 'npx install chromium';
const APT = ['apt-get update noninteractive', 'apt-get install noninteractive'];

test('browsers that are there and start are left as they are', async () => {
  const { calls, said, found } = await setUp({ npx: '', there: { [FULL]: GOOD, [SHELL]: GOOD } });
  assert.deepEqual([calls, said, found], [[], [], [SHELL, FULL]]);
  assert.deepEqual((await setUp({ npx: '', wanted: 'any', there: { [FULL]: GOOD } })).calls, []);
});

test('what is missing is downloaded into the cache of the user, and what is run for it is said', async () => {
  const { calls, said, found } = await setUp({ npx: brings(GOOD, FULL, SHELL), there: { [FULL]: GOOD } });
  assert.deepEqual(calls, [NPX]);
  assert.deepEqual(found, [SHELL, FULL]);
  assert.match(said[0] ?? '', /^runs npx --yes playwright-core@[\d.]+ install chromium chromium-headless-shell$/);
  assert.equal(said[1], 'loading');
});

test('where nothing can be downloaded, root installs packages', async () => {
  const { calls, said, found } = await setUp({ npx: 'exit 7', apt: brings(GOOD, FULL, SHELL) });
  assert.deepEqual(calls, [NPX, ...APT]);
  assert.deepEqual(found, [SHELL, FULL]);
  assert.ok(said.includes('npx: ended with status 7'), said.join('\n'));
});

test('a download that lacks its libraries is no browser: packages bring them', async () => {
  const { calls, said, found } = await setUp({
    npx: brings(BROKEN.replaceAll("'", ''), FULL, SHELL),
    apt: brings(GOOD, FULL, SHELL),
  });
  assert.deepEqual(calls, [NPX, ...APT]);
  assert.deepEqual(found, [SHELL, FULL]);
  assert.match(said.join('\n'), /chrome does not start: .*libnss3\.so/);
});

test('who is not root installs nothing, and nothing that starts is no browser', async () => {
  const { calls, said, found } = await setUp({ npx: 'exit 1', isRoot: false });
  assert.deepEqual([calls, found], [[NPX], null]);
  assert.equal(said.at(-1), 'packages cannot be installed: that needs root');
  assert.equal((await setUp({ npx: brings(BROKEN, FULL), isRoot: false })).found, null);
});

test('a list of packages that cannot be read is not installed from', async () => {
  const { calls, found } = await setUp({ npx: 'exit 1', apt: 'exit 100' });
  assert.deepEqual([calls, found], [[NPX, APT[0]], null]);
});

test('a program that is not there says so, and one that is ended takes along what it started', async () => {
  const said: string[] = [];
  const hearing = { environment: { PATH: '/usr/bin:/bin' }, say: (line: string) => said.push(line) };
  const signal = AbortSignal.timeout(60_000);
  assert.equal(await runCommand(['quern-no-such-program'], { ...hearing, signal }), 'there is no such program');
  const stop = new AbortController();
  const script = 'sleep 300 & echo "$!"; echo "$$"; wait';
  said.length = 0;
  const running = runCommand(['/bin/sh', '-c', script], { ...hearing, signal: stop.signal });
  while (said.length < 2) await delay(10);
  stop.abort();
  assert.match((await running) ?? '', /^was ended by SIG(?:TERM|KILL)$/);
  for (const pid of said) while (isAlive(Number(pid))) await delay(20);
});

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

test('one process of a data folder gets browsers at a time, and others can tell', async () => {
  await inTemporaryFolder(async (folder) => {
    assert.equal(isSettingUp(folder), false);
    const lock = lockSetup(folder);
    assert.notEqual(lock, null);
    assert.equal(lockSetup(folder), null);
    assert.equal(isSettingUp(folder), true);
    lock?.release();
    assert.equal(isSettingUp(folder), false);
    lockSetup(folder)?.release();
  });
});
