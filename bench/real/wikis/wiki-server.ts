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

/** The command that runs PHP with these extensions, those that are missing unpacked from Debian; null where it cannot be had. */
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

/** Serves a folder by PHP's own server, and answers when it does. */
export async function startPhpServer(php: readonly string[], folder: string) {
  const free = await startListening(createServer(), 0);
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
  /** The name of the article that a source makes, and the title that its page has outside of its content, if any. */
  readonly nameOf: (source: Source) => string;
  readonly titled: boolean;
  /** The name of the article at an address; null for any other page. */
  readonly nameAt: (url: URL) => string | null;
  /** The element that holds the text of an article, and those inside it that are none of it. */
  readonly content: string;
  readonly without: readonly string[];
};

const CALL_TIMEOUT_MS = 60_000;

/** A wiki whose words are those of its own element of content, and whose structure is that of the sources. */
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
/** A link may lead to a folder of links. */
const MAX_ROUNDS = 4;

/** Downloads Debian packages and unpacks them below a folder once; answers their root, null where they cannot be had. */
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

/** Copies a folder of unpacked packages, with what its links to other folders of the system mean. */
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
