import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { computeMedian } from '#bench/processes.ts';
import { readTreeFootprint } from '#bench/crawl/footprint.ts';
import { installPeers } from '#bench/installed-peers.ts';
import { type TableLine, printTable, printMachine, printProgress, printLine } from '#bench/command-line.ts';
import type { RenderOrder } from './render-all.ts';
import { listAddresses, type Site } from './site.ts';

export type RoundsOptions = {
  readonly site: Site;
  readonly binary: string;
  readonly pages: number;
  readonly rounds: number;
  readonly only: readonly Contender[];
  /** Folder for temporary files. */
  readonly folder: string;
};

export type Rates = ReadonlyMap<Contender, number>;

/** Runs all contenders in turn on the same pages, round by round; returns the median of pages per second. */
export async function compareContenders(options: RoundsOptions): Promise<Rates> {
  const { pages, rounds, binary } = options;
  const readings = new Map<Contender, ProgramReading[]>(filterInstalled(options.only).map((name) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, list] of readings) {
      printProgress(`round ${round} of ${rounds}: ${name}`);
      list.push(await renderOnce(name, options));
    }
  }
  printMachine(`${binary}, medians of ${rounds} rounds, ${pages} pages`);
  const rates = new Map([...readings].map(([name, list]) => [name, computeMedian(list.map(computeRate))]));
  printLine('| | right | pages/s | rounds | CPU a page | what it does |\n|---|---|---|---|---|---|');
  for (const [name, list] of readings) {
    const right = list.map((one) => `${one.right}/${one.pages}`).join(', ');
    const each = list.map((one) => computeRate(one).toFixed(2)).join(', ');
    const cells = [right, rates.get(name)?.toFixed(2) ?? '', each, formatCpu(list), PROGRAMS[name].work];
    printLine(`| ${name} | ${cells.join(' | ')} |`);
  }
  printTable(buildGoalLines(readings));
  return rates;
}

/** Without the other crawlers if they cannot be installed. */
function filterInstalled(only: readonly Contender[]): readonly Contender[] {
  const ours = only.filter((name) => !name.startsWith('crawlee'));
  if (ours.length === only.length || installPeers()) return only;
  process.stderr.write('npm ci in bench/peers failed: without the other crawler\n');
  return ours;
}

/** One run; sets the exit code if a page lacks its text. */
async function renderOnce(name: Contender, { site, binary, pages, folder }: RoundsOptions): Promise<ProgramReading> {
  const { file, form } = PROGRAMS[name];
  const order: RenderOrder = {
    addresses: listAddresses(site, pages),
    hosts: site.hosts,
    binary,
    form,
    folder: mkdtempSync(join(folder, 'run-')),
  };
  const reading = await runProgram(file, order);
  if (reading.right !== pages) process.exitCode = 1;
  return reading;
}

/** Pages per second after the first page. */
function computeRate({ pages, seconds }: ProgramReading): number {
  return (pages - 1) / seconds;
}

/** CPU time per page of all processes: the lowest and the highest run. */
function formatCpu(readings: readonly ProgramReading[]): string {
  const each = readings.flatMap(({ pages, cpuSeconds }) => (cpuSeconds === null ? [] : [cpuSeconds / (pages - 1)]));
  if (each.length === 0) return 'unknown';
  return `${Math.min(...each).toFixed(3)}–${Math.max(...each).toFixed(3)} s`;
}

function buildGoalLines(readings: ReadonlyMap<Contender, readonly ProgramReading[]>): readonly TableLine[] {
  const against = (ours: Contender, other: Contender, goal: string): readonly TableLine[] => {
    const theirs = readings.get(other) ?? [];
    const ratios = (readings.get(ours) ?? []).flatMap((one, at) => {
      const their = theirs[at];
      return their === undefined ? [] : [computeRate(one) / computeRate(their)];
    });
    return ratios.length === 0 ? [] : [[`pages/s, ${ours} against ${other}`, computeMedian(ratios).toFixed(2), goal]];
  };
  return [
    ...against('quern', 'crawlee', '≥ 2.5'),
    ...against('quern', 'crawlee-tuned', '≥ 1.4'),
    ...against('quern-job', 'crawlee-tuned', '≥ 3'),
    ...against('bare', 'crawlee', ''),
    ...against('quern', 'bare', ''),
  ];
}

const CRAWLEE_PROGRAM = join(import.meta.dirname, '../peers/crawlee-browser.mjs');
const BARE_PROGRAM = join(import.meta.dirname, 'bare-pages.ts');
const QUERN_PROGRAM = join(import.meta.dirname, 'quern-pages.ts');

export const CONTENDERS = ['quern', 'quern-job', 'crawlee', 'crawlee-tuned', 'bare'] as const;

type Contender = (typeof CONTENDERS)[number];

/** Program, variant and description of each contender. */
const PROGRAMS: Readonly<Record<Contender, { readonly file: string; readonly form: string; readonly work: string }>> = {
  quern: {
    file: QUERN_PROGRAM,
    form: 'page',
    work: 'a context a page; guard, egress proxy, waits until the page is still',
  },
  'quern-job': { file: QUERN_PROGRAM, form: 'job', work: 'the same, a context for 20 pages of one job and host' },
  crawlee: {
    file: CRAWLEE_PROGRAM,
    form: 'default',
    work: 'its defaults: one context, its own concurrency, all that pages load',
  },
  'crawlee-tuned': {
    file: CRAWLEE_PROGRAM,
    form: 'tuned',
    work: 'one context, 4 at once, no sessions, fingerprints, storage, images and fonts',
  },
  bare: {
    file: BARE_PROGRAM,
    form: 'page',
    work: 'the browser by itself: a context a page, its document, no guard, no proxy, no waiting',
  },
};

const BASE_TIMEOUT_MS = 60_000;
/** Allows a quarter of the rate of the slowest contender. */
const TIMEOUT_PER_PAGE_MS = 4_000;

const ProgramResult = z.object({
  /** Pages whose HTML has the text that their script adds. */
  right: z.int(),
  /** Time from the first to the last page, without the start of programs and browsers. */
  seconds: z.number(),
});

type ProgramReading = z.output<typeof ProgramResult> & {
  readonly pages: number;
  /** CPU time of the program and its child processes over the same time; null if the system does not report it. */
  readonly cpuSeconds: number | null;
};

/**
 * Runs a program that renders pages. The program prints a line when ready, starts when it reads a line, prints a line after the
 * first page and `{"right": 17, "seconds": 3.2}` after the last one, and exits when it reads another line. Throws if it exits
 * early or takes far too long.
 */
async function runProgram(file: string, order: RenderOrder): Promise<ProgramReading> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, JSON.stringify(order)], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), BASE_TIMEOUT_MS + order.addresses.length * TIMEOUT_PER_PAGE_MS);
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await readLine(lines, file);
    child.stdin.write('go\n');
    await readLine(lines, file);
    const before = readCpuSeconds(child);
    const done = ProgramResult.parse(JSON.parse(await readLine(lines, file)));
    const after = readCpuSeconds(child);
    const cpuSeconds = before === null || after === null ? null : after - before;
    child.stdin.write('end\n');
    return { pages: order.addresses.length, cpuSeconds, ...done };
  } finally {
    clearTimeout(late);
    child.kill('SIGTERM');
    await ended;
  }
}

function readCpuSeconds({ pid }: ChildProcess): number | null {
  return pid === undefined || !existsSync('/proc/self/stat') ? null : readTreeFootprint(pid).cpuSeconds;
}

async function readLine(lines: AsyncIterator<string>, file: string): Promise<string> {
  const line = await lines.next();
  if (line.done === true) throw new Error(`${file} ended before it had finished`);
  return line.value;
}
