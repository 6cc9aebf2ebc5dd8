import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from '../child.ts';
import { showJob, untilEnded } from '../crawl-job.ts';
import { times } from '../world/random.ts';
import { serveWorld } from './nginx.ts';
import { printLines, printMachine, progress, say } from './printing.ts';
import { mostMsOf } from './program.ts';
import { checkCrawled, type Crawled, readCrawled, runQuern, startQuern, submitWorld } from './quern.ts';
import { type Asked, countPaths, findRepeats, readAsked } from './request-lines.ts';
import type { Order } from './rounds.ts';
import { prepareWorld, type World } from './world.ts';

/** The kills come within this share of the time that a crawl takes which nobody disturbs; starts do not count. */
const KILLED_SHARE = 0.75;
/** Pages under way, of a commit, and gathered for the next one. */
const MAX_LOST = 3 * 64;

/** From its start to its end. */
type Life = { readonly startedAt: number; readonly readyMs: number };

type Survived = { readonly crawled: Crawled; readonly lives: readonly Life[]; readonly asked: readonly Asked[] };

/** The same crawl undisturbed and with the service killed again and again at random instants: the results must be one. */
export async function measureKills(order: Order, kills: number): Promise<void> {
  const world = await prepareWorld(order.pages, order.port);
  progress('undisturbed');
  const calm = await crawlCalmly(world, order);
  progress(`killed ${kills} times`);
  const killed = await crawlKilled(world, order, { kills, calmSeconds: calm.seconds });
  const made = killed.lives.length - 1;
  printMachine(`${world.urls.length} pages, ${made} kills`);
  if (made < kills) say(`the crawl ended after ${made} of ${kills} kills\n`);
  const isWhole = [calm.crawled, killed.crawled].map((crawled) => checkCrawled(world, crawled)).every(Boolean);
  const isSame = compareResults(calm.crawled, killed.crawled);
  const most = printDeaths(calm.asked, killed);
  if (!isWhole || !isSame || most > MAX_LOST || made < kills) process.exitCode = 1;
}

async function crawlCalmly(world: World, order: Order) {
  const log = join(order.folder, 'calm.log');
  const data = join(order.folder, 'calm');
  const origin = await serveWorld(world, { folder: join(order.folder, 'nginx'), log });
  const { crawled, seconds } = await runQuern(world, { folder: data, profile: null }).finally(origin.close);
  rmSync(data, { recursive: true });
  return { crawled, seconds, asked: readAsked(log) };
}

async function crawlKilled(
  world: World,
  order: Order,
  { kills, calmSeconds }: { readonly kills: number; readonly calmSeconds: number },
): Promise<Survived> {
  const log = join(order.folder, 'killed.log');
  const place = { folder: join(order.folder, 'killed'), profile: null };
  const origin = await serveWorld(world, { folder: join(order.folder, 'nginx'), log });
  const lives: Life[] = [];
  const begin = async () => {
    const startedAt = Date.now();
    const service = await startQuern(world, place);
    lives.push({ startedAt, readyMs: service.readyMs });
    return service;
  };
  let service = await begin();
  try {
    const id = await submitWorld(service, world, 'none');
    for (const pauseMs of drawPauses(kills, KILLED_SHARE * calmSeconds * 1000)) {
      await wait(pauseMs);
      if ((await showJob(service, id, 0)).status === 'completed') break;
      service.signal('SIGKILL');
      await service.ended;
      service = await begin();
    }
    const crawled = await readCrawled(service, await untilEnded(service, id, mostMsOf(world)));
    return { crawled, lives, asked: readAsked(log) };
  } finally {
    await service.close();
    await origin.close();
  }
}

/** Between so many instants, all equally likely, of a span; ms. */
function drawPauses(count: number, spanMs: number): readonly number[] {
  const instants = times(count, () => Math.random() * spanMs).toSorted((a, b) => a - b);
  return instants.map((instant, at) => instant - (instants[at - 1] ?? 0));
}

/** Prints what differs between two results; whether nothing does. */
function compareResults(calm: Crawled, killed: Crawled): boolean {
  const changed = [...calm.pages].filter(([url, hashes]) => {
    const again = killed.pages.get(url);
    return again !== undefined && again.join() !== hashes.join();
  });
  const missing = countMissing(calm, killed);
  const more = countMissing(killed, calm);
  const credits = killed.credits - calm.credits;
  printLines([
    ['pages that the kills lost', String(missing), '0'],
    ['pages that only the kills brought', String(more), '0'],
    ['pages whose Markdown differs, by hash', String(changed.length), '0'],
    ['credits more or less', `${credits} of ${calm.credits}`, '0'],
  ]);
  for (const [url] of changed.slice(0, 5)) say(`differs: ${url}`);
  return missing + more + changed.length === 0 && credits === 0;
}

function countMissing(one: Crawled, other: Crawled): number {
  return [...one.pages.keys()].filter((url) => !other.pages.has(url)).length;
}

/** Prints what the kills cost; answers the most pages that one of them had fetched again. */
function printDeaths(calm: readonly Asked[], { lives, asked }: Survived): number {
  const repeats = findRepeats(asked, countPaths(calm));
  const spans = lives
    .map(({ startedAt }, at) => ({ startedAt, endedAt: lives[at + 1]?.startedAt ?? Infinity }))
    .slice(1);
  const within = (all: readonly Asked[], { startedAt, endedAt }: (typeof spans)[number]): readonly Asked[] =>
    all.filter(({ begun }) => begun >= startedAt && begun < endedAt);
  const again = spans.map((span) => within(repeats, span).length);
  const waits = spans
    .map((span) => (within(asked, span)[0]?.begun ?? Infinity) - span.startedAt)
    .filter((ms) => ms !== Infinity);
  const ready = lives.slice(1).map(({ readyMs }) => readyMs);
  const most = Math.max(0, ...again);
  printLines([
    ['requests for pages, undisturbed and killed', `${calm.length}, ${asked.length}`, ''],
    ['pages fetched again after a kill: median, most', `${median(again)}, ${most}`, `≤ ${MAX_LOST}`],
    ['start after a kill to ready: median, most', toMs(ready), '≤ 2,000 ms'],
    [`start after a kill to the first page: median, most (${waits.length} lives came to it)`, toMs(waits), ''],
  ]);
  return most;
}

function toMs(list: readonly number[]): string {
  return `${median(list).toFixed(0)} ms, ${Math.max(...list).toFixed(0)} ms`;
}
