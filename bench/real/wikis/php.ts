import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { listen } from '#demo/listen.ts';
import { unpackPackages } from './debian.ts';

const START_MS = 60_000;
const TRY_MS = 200;
const WORKERS = '4';

/** The command that runs PHP with these extensions, those that are missing unpacked from Debian; null where it cannot be had. */
export function findPhp(extensions: readonly string[], cache: string): readonly string[] | null {
  const { status, stdout } = spawnSync('php', ['-r', 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'], TEXT);
  if (status !== 0) return null;
  const known = new Set(spawnSync('php', ['-m'], TEXT).stdout.toLowerCase().split('\n'));
  const php = ['php', '-d', 'display_errors=0', '-d', 'memory_limit=512M'];
  for (const extension of extensions.filter((one) => !known.has(one))) {
    const root = unpackPackages([`php${stdout}-${extension}`], cache);
    if (root === null) return null;
    const { stdout: file } = spawnSync('find', [root, '-name', `${extension}.so`], TEXT);
    php.push('-d', `extension=${file.trim()}`);
  }
  return php;
}

const TEXT = { encoding: 'utf8' } as const;

/** Serves a folder by PHP's own server, and answers when it does. */
export async function servePhp(php: readonly string[], folder: string) {
  const free = await listen(createServer(), 0);
  await free.close();
  const { host } = new URL(free.origin);
  const [program = '', ...flags] = php;
  // Its workers are processes that outlive the first, so that the whole group is ended.
  const child = spawn(program, [...flags, '-S', host, '-t', folder], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, PHP_CLI_SERVER_WORKERS: WORKERS },
  });
  const ended = once(child, 'close');
  const until = performance.now() + START_MS;
  while (performance.now() < until && !(await answers(free.origin))) await wait(TRY_MS);
  return {
    origin: free.origin,
    async close() {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
    },
  };
}

async function answers(origin: string): Promise<boolean> {
  const answer = await fetch(origin, { redirect: 'manual', signal: AbortSignal.timeout(START_MS) }).catch(() => null);
  return answer !== null;
}
