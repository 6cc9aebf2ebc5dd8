import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { computeMedian } from '#bench/processes.ts';
import { installPeers, PEERS_FOLDER } from '#bench/installed-peers.ts';
import { type TableLine, printTable, printMachine, printProgress, printLine } from '#bench/command-line.ts';
import { serveWorld } from './nginx.ts';
import { type CrawlReading, runProgram } from './program.ts';
import { checkOutput, type CrawlChoice, type QuernReading, crawlWithQuern } from './quern.ts';
import { prepareWorld, type World } from './world.ts';

/** Number of pages for the crawl at the default pace. */
const POLITE_PAGES = 200;

export type CrawlOrder = {
  readonly pages: number;
  readonly rounds: number;
  readonly port: number;
  readonly only: readonly Contender[];
  /** Folder for temporary files. */
  readonly folder: string;
  readonly profile: string | null;
};

type ContenderFigures = {
  readonly pages: number;
  readonly rate: number;
  readonly cpu: number;
  readonly peakMb: number;
};

/** Runs all contenders in turn on the same site, round by round; then Quern at its default pace. */
export async function compareContenders(order: CrawlOrder): Promise<void> {
  const world = await prepareWorld(order.pages, order.port);
  const readings = await measureRounds(world, order);
  printMachine(`medians of ${order.rounds} rounds, ${world.urls.length} pages`);
  const figures = new Map([...readings].map(([name, list]) => [name, computeFigures(list)]));
  printContenders(figures);
  const ours = figures.get('quern');
  if (ours === undefined) return;
  printTable([...buildGoalLines(ours, figures), ...(await measurePolite(order))]);
}

/** One crawl by a new service; sets the exit code if the result is not complete. */
export async function crawlOnce(
  world: World,
  { folder, profile }: Pick<CrawlOrder, 'folder' | 'profile'>,
  choice: CrawlChoice = {},
): Promise<QuernReading> {
  const data = join(folder, 'quern');
  const reading = await crawlWithQuern(world, { folder: data, profile }, choice);
  rmSync(data, { recursive: true });
  if (!checkOutput(world, reading.crawled)) process.exitCode = 1;
  return reading;
}

async function measureRounds(
  world: World,
  order: CrawlOrder,
): Promise<ReadonlyMap<Contender, readonly CrawlReading[]>> {
  const contenders = installContenders(order.only);
  const readings = new Map<Contender, CrawlReading[]>(contenders.map((name) => [name, []]));
  const origin = await serveWorld(world, { folder: join(order.folder, 'nginx'), log: null });
  try {
    for (let round = 1; round <= order.rounds; round += 1) {
      for (const [name, list] of readings) {
        printProgress(`round ${round} of ${order.rounds}: ${name}`);
        if (isQuern(name)) list.push(await crawlOnce(world, order, { outputs: QUERN_OUTPUTS[name] }));
        else await runProgram(PROGRAMS[name], world).then((one) => list.push(one), printError);
      }
    }
  } finally {
    await origin.close();
  }
  return new Map([...readings].filter(([, list]) => list.length > 0));
}

/** Reports a contender that cannot run here, for example because a binary is missing; it is skipped. */
function printError(error: unknown): void {
  process.stderr.write(`${String(error)}\n`);
}

async function measurePolite(order: CrawlOrder): Promise<readonly TableLine[]> {
  printProgress('the default pace');
  const world = await prepareWorld(POLITE_PAGES, order.port);
  const origin = await serveWorld(world, { folder: join(order.folder, 'nginx'), log: null });
  try {
    const { pages, seconds } = await crawlOnce(world, { ...order, profile: null }, { pacing: 'polite' });
    return [[`pages/s at the default pace, ${pages} pages, limited by politeness`, (pages / seconds).toFixed(1), '']];
  } finally {
    await origin.close();
  }
}

function computeFigures(list: readonly CrawlReading[]): ContenderFigures {
  return {
    pages: computeMedian(list.map(({ pages }) => pages)),
    rate: computeMedian(list.map(({ pages, seconds }) => pages / seconds)),
    cpu: computeMedian(list.map(({ pages, cpuSeconds }) => (cpuSeconds / pages) * 1000)),
    peakMb: computeMedian(list.map(({ peakMb }) => peakMb)),
  };
}

function printContenders(all: ReadonlyMap<Contender, ContenderFigures>): void {
  const ours = all.get('quern');
  printLine('| | pages | pages/s | quern, against it | CPU s a 1,000 pages | peak MiB | what it does |');
  printLine('|---|---|---|---|---|---|---|');
  for (const [name, { pages, rate, cpu, peakMb }] of all) {
    const ratio = ours === undefined ? '' : (ours.rate / rate).toFixed(3);
    const cells = [name, pages, rate.toFixed(0), ratio, cpu.toFixed(2), peakMb.toFixed(0), DESCRIPTIONS[name]];
    printLine(`| ${cells.join(' | ')} |`);
  }
}

function buildGoalLines(ours: ContenderFigures, all: ReadonlyMap<Contender, ContenderFigures>): readonly TableLine[] {
  const against = (name: Contender, goal: string): readonly TableLine[] => {
    const other = all.get(name);
    return other === undefined ? [] : [[`pages/s, against ${name}`, (ours.rate / other.rate).toFixed(3), goal]];
  };
  const spider = all.get('spider');
  const againstSpider = (name: Contender, what: string, goals: readonly [string, string]): readonly TableLine[] => {
    const smaller = all.get(name);
    if (smaller === undefined) return [];
    const rate: readonly TableLine[] =
      spider === undefined
        ? []
        : [[`pages/s of ${what}, against spider`, (smaller.rate / spider.rate).toFixed(3), goals[0]]];
    return [...rate, [`CPU seconds a 1,000 pages of ${what}`, smaller.cpu.toFixed(2), goals[1]]];
  };
  return [
    ...againstSpider('quern-links', 'links', ['≥ 1.2', '≤ 1.7']),
    ...againstSpider('quern-html', 'raw_html, links', ['≥ 1.0', '≤ 1.9']),
    ...against('undici', '≥ 0.20'),
    ...against('spider', ''),
    ...against('crawlee', '≥ 6.5'),
    ['CPU seconds a 1,000 pages', ours.cpu.toFixed(2), '≤ 3.4'],
    ['peak resident memory', `${ours.peakMb.toFixed(0)} MiB`, '≤ 420 MiB'],
  ];
}

export const CONTENDERS = ['quern', 'quern-links', 'quern-html', 'undici', 'spider', 'crawlee'] as const;

type Contender = (typeof CONTENDERS)[number];

/** The outputs of the crawls with Quern. The smaller outputs correspond to crawlers that select no content. */
const QUERN_OUTPUTS = {
  quern: ['markdown', 'links', 'metadata'],
  'quern-links': ['links'],
  'quern-html': ['raw_html', 'links'],
} as const satisfies Partial<Record<Contender, readonly string[]>>;

function isQuern(name: Contender): name is keyof typeof QUERN_OUTPUTS {
  return name in QUERN_OUTPUTS;
}

/** What each contender does with a page, and what it does not do. */
const DESCRIPTIONS: Readonly<Record<Contender, string>> = {
  quern: 'links, main content selected by trained forests, as Markdown, metadata; durable, charged',
  'quern-links': 'links and metadata; selects no content, writes no Markdown; durable, charged',
  'quern-html': 'HTML, links and metadata; selects no content, writes no Markdown; durable, charged',
  undici: 'the bytes of known URLs; parses nothing, finds no links',
  spider: 'links and HTML, in Rust; selects no content, writes no Markdown, stores nothing',
  crawlee: 'links, `main` as Markdown by turndown, title, description; selects no content, stores nothing',
};

/** Programs of the contenders other than Quern. */
const PROGRAMS: Readonly<Record<Exclude<Contender, keyof typeof QUERN_OUTPUTS>, string>> = {
  undici: join(import.meta.dirname, 'undici-loop.ts'),
  spider: join(PEERS_FOLDER, 'spider.mjs'),
  crawlee: join(PEERS_FOLDER, 'crawlee.mjs'),
};

/** Returns the contenders that can run; installs other crawlers if needed. */
function installContenders(wanted: readonly Contender[]): readonly Contender[] {
  const ours = wanted.filter((name) => isQuern(name) || name === 'undici');
  if (ours.length === wanted.length || installPeers()) return wanted;
  process.stderr.write('npm ci in bench/peers failed: without other crawlers\n');
  return ours;
}
