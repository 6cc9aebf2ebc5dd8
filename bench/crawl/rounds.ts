import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../child.ts';
import { type Contender, installContenders, PROGRAMS, WORK } from './contenders.ts';
import { serveWorld } from './nginx.ts';
import { type Line, printLines, printMachine, progress, say } from './printing.ts';
import { type Reading, runProgram } from './program.ts';
import { checkCrawled, type Pacing, type QuernReading, runQuern } from './quern.ts';
import { prepareWorld, type World } from './world.ts';

/** Pages of the world that is crawled at the default pace. */
const POLITE_PAGES = 200;

export type Order = {
  readonly pages: number;
  readonly rounds: number;
  readonly port: number;
  readonly only: readonly Contender[];
  /** For everything that is written on the way. */
  readonly folder: string;
  readonly profile: string | null;
};

type Figures = {
  readonly pages: number;
  readonly rate: number;
  readonly cpu: number;
  readonly peakMb: number;
};

/** Everyone in turn over the same world, round by round; then Quern at the pace that it has without a word about it. */
export async function compareContenders(order: Order): Promise<void> {
  const world = await prepareWorld(order.pages, order.port);
  const readings = await measure(world, order);
  printMachine(`medians of ${order.rounds} rounds, ${world.urls.length} pages`);
  const figures = new Map([...readings].map(([name, list]) => [name, toFigures(list)]));
  printContenders(figures);
  const ours = figures.get('quern');
  if (ours === undefined) return;
  printLines([...toGoals(ours, figures), ...(await measurePolite(order))]);
}

/** One crawl of a world by a new service, held against the truth; sets the exit code when it differs. */
export async function crawlOnce(
  world: World,
  { folder, profile }: Pick<Order, 'folder' | 'profile'>,
  pacing: Pacing = 'none',
): Promise<QuernReading> {
  const data = join(folder, 'quern');
  const reading = await runQuern(world, { folder: data, profile }, pacing);
  rmSync(data, { recursive: true });
  if (!checkCrawled(world, reading.crawled)) process.exitCode = 1;
  return reading;
}

async function measure(world: World, order: Order): Promise<ReadonlyMap<Contender, readonly Reading[]>> {
  const contenders = installContenders(order.only);
  const readings = new Map<Contender, Reading[]>(contenders.map((name) => [name, []]));
  const origin = await serveWorld(world, { folder: join(order.folder, 'nginx'), log: null });
  try {
    for (let round = 1; round <= order.rounds; round += 1) {
      for (const [name, list] of readings) {
        progress(`round ${round} of ${order.rounds}: ${name}`);
        if (name === 'quern') list.push(await crawlOnce(world, order));
        else await runProgram(PROGRAMS[name], world).then((one) => list.push(one), tell);
      }
    }
  } finally {
    await origin.close();
  }
  return new Map([...readings].filter(([, list]) => list.length > 0));
}

/** One that cannot run here, for want of a binary say, is left out. */
function tell(error: unknown): void {
  process.stderr.write(`${String(error)}\n`);
}

async function measurePolite(order: Order): Promise<readonly Line[]> {
  progress('the default pace');
  const world = await prepareWorld(POLITE_PAGES, order.port);
  const origin = await serveWorld(world, { folder: join(order.folder, 'nginx'), log: null });
  try {
    const { pages, seconds } = await crawlOnce(world, { ...order, profile: null }, 'polite');
    return [
      [`pages/s at the default pace, ${pages} pages, the rate is one of manners`, (pages / seconds).toFixed(1), ''],
    ];
  } finally {
    await origin.close();
  }
}

function toFigures(list: readonly Reading[]): Figures {
  return {
    pages: median(list.map(({ pages }) => pages)),
    rate: median(list.map(({ pages, seconds }) => pages / seconds)),
    cpu: median(list.map(({ pages, cpuSeconds }) => (cpuSeconds / pages) * 1000)),
    peakMb: median(list.map(({ peakMb }) => peakMb)),
  };
}

function printContenders(all: ReadonlyMap<Contender, Figures>): void {
  const ours = all.get('quern');
  say('| | pages | pages/s | quern, against it | CPU s a 1,000 pages | peak MiB | what it does |');
  say('|---|---|---|---|---|---|---|');
  for (const [name, { pages, rate, cpu, peakMb }] of all) {
    const ratio = ours === undefined ? '' : (ours.rate / rate).toFixed(3);
    const cells = [name, pages, rate.toFixed(0), ratio, cpu.toFixed(2), peakMb.toFixed(0), WORK[name]];
    say(`| ${cells.join(' | ')} |`);
  }
}

function toGoals(ours: Figures, all: ReadonlyMap<Contender, Figures>): readonly Line[] {
  const against = (name: Contender, goal: string): readonly Line[] => {
    const other = all.get(name);
    return other === undefined ? [] : [[`pages/s, against ${name}`, (ours.rate / other.rate).toFixed(3), goal]];
  };
  return [
    ...against('undici', '≥ 0.14'),
    ...against('spider', ''),
    ...against('crawlee', '≥ 8'),
    ['CPU seconds a 1,000 pages', ours.cpu.toFixed(2), '≤ 4.5'],
    ['most resident memory', `${ours.peakMb.toFixed(0)} MiB`, '≤ 450 MiB'],
  ];
}
