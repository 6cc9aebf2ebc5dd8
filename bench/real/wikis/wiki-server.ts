import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readReference } from '#bench/docs/reference.ts';
import { printProgress } from '#bench/command-line.ts';
import { hasStamp, runCommand, writeStamp } from '#bench/real/build.ts';
import type { ServedSite } from '#bench/real/comparison.ts';
import { buildMarkdownTruth } from '#bench/real/scores.ts';
import type { Source } from '#bench/real/sources.ts';
import { startListening } from '#demo/listen.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 200;
const WORKERS = '4';

/** The command to run PHP with these extensions; missing ones are unpacked from Debian packages. Null if that is not possible. */
export function findPhp(extensions: readonly string[], cache: string): readonly string[] | null {
  const { status, stdout } = spawnSync('php', ['-r', 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'], TEXT_OUTPUT);
  if (status !== 0) return null;
  const known = new Set(spawnSync('php', ['-m'], TEXT_OUTPUT).stdout.toLowerCase().split('\n'));
  const php = ['php', '-d', 'display_errors=0', '-d', 'memory_limit=512M'];
  for (const extension of extensions.filter((one) => !known.has(one))) {
    const root = unpackPackages([`php${stdout}-${extension}`], cache);
    if (root === null) return null;
    const { stdout: file } = spawnSync('find', [root, '-name', `${extension}.so`], TEXT_OUTPUT);
    php.push('-d', `extension=${file.trim()}`);
  }
  return php;
}

const TEXT_OUTPUT = { encoding: 'utf8' } as const;

/** Starts PHP's built-in server on a folder and waits until it responds. */
export async function startPhpServer(php: readonly string[], folder: string) {
  const free = await startListening(createServer(), 0);
  await free.close();
  const { host } = new URL(free.origin);
  const [program = '', ...flags] = php;
  // Its worker processes outlive the first one, so the whole process group is killed.
  const child = spawn(program, [...flags, '-S', host, '-t', folder], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, PHP_CLI_SERVER_WORKERS: WORKERS },
  });
  const ended = once(child, 'close');
  const until = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < until && !(await isServing(free.origin))) await wait(POLL_INTERVAL_MS);
  return {
    origin: free.origin,
    async close() {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
    },
  };
}

async function isServing(origin: string): Promise<boolean> {
  const answer = await fetch(origin, { redirect: 'manual', signal: AbortSignal.timeout(START_TIMEOUT_MS) }).catch(
    () => null,
  );
  return answer !== null;
}

type WikiOptions = {
  readonly served: { readonly origin: string; readonly close: () => Promise<void> };
  /** The path of the page that lists all articles. */
  readonly start: string;
  /** Article name of a source, and whether the page shows it as a title outside of the content. */
  readonly nameOf: (source: Source) => string;
  readonly titled: boolean;
  /** Article name of a URL; null for other pages. */
  readonly nameAt: (url: URL) => string | null;
  /** Selector of the article content, and of excluded elements inside it. */
  readonly content: string;
  readonly without: readonly string[];
};

const CALL_TIMEOUT_MS = 60_000;

/** A wiki site. The expected text is that of its content element, the expected structure that of the sources. */
export function buildWikiSite(sources: readonly Source[], wiki: WikiOptions): ServedSite {
  const { served, start, nameOf, titled, nameAt, content, without } = wiki;
  const known = new Map(sources.map((source) => [nameOf(source), source]));
  return {
    url: `${served.origin}${start}`,
    sources,
    sourceAt: (url) => known.get(nameAt(new URL(url)) ?? '') ?? null,
    async truthOf(source, url) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
      const reference = readReference(await answer.text(), { content, without });
      if (reference === null) return null;
      const truth = buildMarkdownTruth(titled ? { ...source, title: nameOf(source) } : source, url);
      return { ...truth, text: titled ? `${nameOf(source)}\n${reference.text}` : reference.text };
    },
    close: served.close,
  };
}

const DOWNLOAD_TIMEOUT_MS = 300_000;
/** Link resolution rounds, because linked folders may contain links. */
const MAX_ROUNDS = 4;

/** Downloads and unpacks Debian packages, unless cached; returns their root folder, or null on failure. */
export function unpackPackages(packages: readonly string[], cache: string): string | null {
  const folder = join(cache, 'debian', packages[0] ?? '');
  const root = join(folder, 'root');
  if (hasStamp(folder, 'unpacked', packages.join())) return root;
  printProgress(`downloading ${packages.join(' ')}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!runCommand(['apt-get', 'download', ...packages], folder, DOWNLOAD_TIMEOUT_MS)) return null;
  const files = readdirSync(folder).filter((file) => file.endsWith('.deb'));
  if (!files.every((file) => runCommand(['dpkg', '-x', file, 'root'], folder, DOWNLOAD_TIMEOUT_MS))) return null;
  writeStamp(folder, 'unpacked', packages.join());
  return root;
}

/** Copies a folder of unpacked packages, and resolves links to system folders. */
export function copyPackageFolder(root: string, path: string, target: string): void {
  rmSync(target, { recursive: true, force: true });
  cpSync(join(root, path), target, { recursive: true, verbatimSymlinks: true });
  for (let round = 0; round < MAX_ROUNDS; round++) {
    for (const file of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
      const at = join(target, file);
      if (!lstatSync(at).isSymbolicLink()) continue;
      const meant = readlinkSync(at);
      if (!meant.startsWith('/')) continue;
      rmSync(at);
      const own = join(root, meant);
      if (existsSync(own)) cpSync(own, at, { recursive: true, verbatimSymlinks: true });
    }
  }
}
