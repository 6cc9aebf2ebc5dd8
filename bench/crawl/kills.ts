import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { computeMedian } from '#bench/processes.ts';
import { fetchJob, waitForJob } from '#bench/crawl-job.ts';
import { printTable, printMachine, printProgress, printLine } from '#bench/command-line.ts';
import { buildArray } from '#bench/world/prose.ts';
import { serveWorld } from './nginx.ts';
import { computeTimeoutMs } from './program.ts';
import { checkOutput, type CrawlOutput, readOutput, crawlWithQuern, startQuern, submitWorld } from './quern.ts';
import type { CrawlOrder } from './rounds.ts';
import { prepareWorld, type World } from './world.ts';

/** The kills happen within this share of the duration of an undisturbed crawl, not counting restarts. */
const KILLED_SHARE = 0.75;
/** Limit of pages fetched again: pages in flight, in the current commit, and buffered for the next one. */
const MAX_REFETCHED = 3 * 64;

/** One run of the service between two kills. */
type ServiceLife = { readonly startedAt: number; readonly readyMs: number };

type KilledCrawl = {
  readonly crawled: CrawlOutput;
  readonly lives: readonly ServiceLife[];
  readonly asked: readonly PageRequest[];
};

/** Compares an undisturbed crawl with one whose service is killed at random times; the results must be equal. */
export async function measureKills(order: CrawlOrder, kills: number): Promise<void> {
  const world = await prepareWorld(order.pages, order.port);
  printProgress('undisturbed');
  const calm = await crawlUndisturbed(world, order);
  printProgress(`killed ${kills} times`);
  const killed = await crawlWithKills(world, order, { kills, calmSeconds: calm.seconds });
  const made = killed.lives.length - 1;
  printMachine(`${world.urls.length} pages, ${made} kills`);
  if (made < kills) printLine(`the crawl ended after ${made} of ${kills} kills\n`);
  const isWhole = [calm.crawled, killed.crawled].map((crawled) => checkOutput(world, crawled)).every(Boolean);
  const isSame = compareResults(calm.crawled, killed.crawled);
  const most = printDeaths(calm.asked, killed);
  if (!isWhole || !isSame || most > MAX_REFETCHED || made < kills) process.exitCode = 1;
}

async function crawlUndisturbed(world: World, order: CrawlOrder) {
  const log = join(order.folder, 'calm.log');
  const data = join(order.folder, 'calm');
  const origin = await serveWorld(world, { folder: join(order.folder, 'nginx'), log });
  const { crawled, seconds } = await crawlWithQuern(world, { folder: data, profile: null }).finally(origin.close);
  rmSync(data, { recursive: true });
  return { crawled, seconds, asked: readRequests(log) };
}

async function crawlWithKills(
  world: World,
  order: CrawlOrder,
  { kills, calmSeconds }: { readonly kills: number; readonly calmSeconds: number },
): Promise<KilledCrawl> {
  const log = join(order.folder, 'killed.log');
  const place = { folder: join(order.folder, 'killed'), profile: null };
  const origin = await serveWorld(world, { folder: join(order.folder, 'nginx'), log });
  const lives: ServiceLife[] = [];
  const begin = async () => {
    const startedAt = Date.now();
    const service = await startQuern(world, place);
    lives.push({ startedAt, readyMs: service.readyMs });
    return service;
  };
  let service = await begin();
  try {
    const id = await submitWorld(service, world);
    for (const pauseMs of drawPauses(kills, KILLED_SHARE * calmSeconds * 1000)) {
      await wait(pauseMs);
      if ((await fetchJob(service, id, 0)).status === 'completed') break;
      service.signal('SIGKILL');
      await service.ended;
      service = await begin();
    }
    const crawled = await readOutput(service, await waitForJob(service, id, computeTimeoutMs(world)));
    return { crawled, lives, asked: readRequests(log) };
  } finally {
    await service.close();
    await origin.close();
  }
}

/** The pauses in ms between uniformly distributed points in time. */
function drawPauses(count: number, spanMs: number): readonly number[] {
  const instants = buildArray(count, () => Math.random() * spanMs).toSorted((a, b) => a - b);
  return instants.map((instant, at) => instant - (instants[at - 1] ?? 0));
}

/** Prints the differences between two results; returns whether they are equal. */
function compareResults(calm: CrawlOutput, killed: CrawlOutput): boolean {
  const changed = [...calm.pages].filter(([url, hashes]) => {
    const again = killed.pages.get(url);
    return again !== undefined && again.join() !== hashes.join();
  });
  const missing = countMissing(calm, killed);
  const more = countMissing(killed, calm);
  const credits = killed.credits - calm.credits;
  printTable([
    ['pages that only the undisturbed crawl has', String(missing), '0'],
    ['pages that only the killed crawl has', String(more), '0'],
    ['pages whose Markdown differs, by hash', String(changed.length), '0'],
    ['credits more or less', `${credits} of ${calm.credits}`, '0'],
  ]);
  for (const [url] of changed.slice(0, 5)) printLine(`differs: ${url}`);
  return missing + more + changed.length === 0 && credits === 0;
}

function countMissing(one: CrawlOutput, other: CrawlOutput): number {
  return [...one.pages.keys()].filter((url) => !other.pages.has(url)).length;
}

/** Prints the cost of the kills; returns the maximum number of pages fetched again after one kill. */
function printDeaths(calm: readonly PageRequest[], { lives, asked }: KilledCrawl): number {
  const repeats = findRepeats(asked, countPaths(calm));
  const spans = lives
    .map(({ startedAt }, at) => ({ startedAt, endedAt: lives[at + 1]?.startedAt ?? Infinity }))
    .slice(1);
  const within = (
    all: readonly PageRequest[],
    { startedAt, endedAt }: (typeof spans)[number],
  ): readonly PageRequest[] => all.filter(({ begun }) => begun >= startedAt && begun < endedAt);
  const again = spans.map((span) => within(repeats, span).length);
  const waits = spans
    .map((span) => (within(asked, span)[0]?.begun ?? Infinity) - span.startedAt)
    .filter((ms) => ms !== Infinity);
  const ready = lives.slice(1).map(({ readyMs }) => readyMs);
  const most = Math.max(0, ...again);
  printTable([
    ['requests for pages, undisturbed and killed', `${calm.length}, ${asked.length}`, ''],
    ['pages fetched again after a kill: median, most', `${computeMedian(again)}, ${most}`, `≤ ${MAX_REFETCHED}`],
    ['start after a kill to ready: median, most', formatMs(ready), '≤ 2,000 ms'],
    [`start after a kill to the first page: median, most (${waits.length} starts reached it)`, formatMs(waits), ''],
  ]);
  return most;
}

function formatMs(list: readonly number[]): string {
  return `${computeMedian(list).toFixed(0)} ms, ${Math.max(...list).toFixed(0)} ms`;
}

/** A request in the nginx log; `begun` is in ms since 1970. */
type PageRequest = { readonly begun: number; readonly path: string };

/** Files that every run of the service requests again. */
const SITE_FILE_PATHS = /^\/(?:robots\.txt|sitemap[\w-]*\.xml)$/;

/** The page requests in the log of `serveWorld`, in chronological order. */
function readRequests(file: string): readonly PageRequest[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLogLine)
    .filter(({ path }) => !SITE_FILE_PATHS.test(path))
    .toSorted((a, b) => a.begun - b.begun);
}

function parseLogLine(line: string): PageRequest {
  const [endedAt = '', tookSeconds = '', , path = ''] = line.split(' ');
  return { begun: (Number(endedAt) - Number(tookSeconds)) * 1000, path };
}

/** Counts the requests per path. */
function countPaths(all: readonly PageRequest[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of all) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

/** Requests for a path that was requested before, unless `usual` also has several requests for it. */
function findRepeats(all: readonly PageRequest[], usual: ReadonlyMap<string, number>): readonly PageRequest[] {
  const seen = new Set<string>();
  return all.filter(({ path }) => {
    const isRepeat = seen.has(path) && (usual.get(path) ?? 0) <= 1;
    seen.add(path);
    return isRepeat;
  });
}
