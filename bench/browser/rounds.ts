import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../child.ts';
import { installPeers } from '../installed-peers.ts';
import { type Line, printLines, printMachine, progress, say } from '../crawl/printing.ts';
import { type Contender, PROGRAMS } from './contenders.ts';
import type { Order } from './order.ts';
import { type Reading, runProgram } from './program.ts';
import { listAddresses, type Site } from './site.ts';

export type RoundsOptions = {
  readonly site: Site;
  readonly binary: string;
  readonly pages: number;
  readonly rounds: number;
  readonly only: readonly Contender[];
  /** For everything that is written on the way. */
  readonly folder: string;
};

export type Rates = ReadonlyMap<Contender, number>;

/** Everyone in turn over the same pages, round by round; answers pages a second, medians. */
export async function compareContenders(options: RoundsOptions): Promise<Rates> {
  const { pages, rounds, binary } = options;
  const readings = new Map<Contender, Reading[]>(installed(options.only).map((name) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, list] of readings) {
      progress(`round ${round} of ${rounds}: ${name}`);
      list.push(await renderOnce(name, options));
    }
  }
  printMachine(`${binary}, medians of ${rounds} rounds, ${pages} pages`);
  const rates = new Map([...readings].map(([name, list]) => [name, median(list.map(toRate))]));
  say('| | right | pages/s | rounds | CPU a page | what it does |\n|---|---|---|---|---|---|');
  for (const [name, list] of readings) {
    const right = list.map((one) => `${one.right}/${one.pages}`).join(', ');
    const each = list.map((one) => toRate(one).toFixed(2)).join(', ');
    const cells = [right, rates.get(name)?.toFixed(2) ?? '', each, describeCpu(list), PROGRAMS[name].work];
    say(`| ${name} | ${cells.join(' | ')} |`);
  }
  printLines(toGoals(readings));
  return rates;
}

/** Without the peers where they cannot be installed. */
function installed(only: readonly Contender[]): readonly Contender[] {
  const ours = only.filter((name) => !name.startsWith('crawlee'));
  if (ours.length === only.length || installPeers()) return only;
  process.stderr.write('npm ci in bench/peers failed: without the other crawler\n');
  return ours;
}

/** One run; sets the exit code when a page lacks its text. */
async function renderOnce(name: Contender, { site, binary, pages, folder }: RoundsOptions): Promise<Reading> {
  const { file, form } = PROGRAMS[name];
  const order: Order = {
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

/** The first page starts the clock. */
function toRate({ pages, seconds }: Reading): number {
  return (pages - 1) / seconds;
}

/** Of all processes; the lowest and the highest run. */
function describeCpu(readings: readonly Reading[]): string {
  const each = readings.flatMap(({ pages, cpuSeconds }) => (cpuSeconds === null ? [] : [cpuSeconds / (pages - 1)]));
  if (each.length === 0) return 'unknown';
  return `${Math.min(...each).toFixed(3)}–${Math.max(...each).toFixed(3)} s`;
}

function toGoals(readings: ReadonlyMap<Contender, readonly Reading[]>): readonly Line[] {
  const against = (ours: Contender, other: Contender, goal: string): readonly Line[] => {
    const theirs = readings.get(other) ?? [];
    const ratios = (readings.get(ours) ?? []).flatMap((one, at) => {
      const their = theirs[at];
      return their === undefined ? [] : [toRate(one) / toRate(their)];
    });
    return ratios.length === 0 ? [] : [[`pages/s, ${ours} against ${other}`, median(ratios).toFixed(2), goal]];
  };
  return [
    ...against('quern', 'crawlee', '≥ 2.5'),
    ...against('quern', 'crawlee-tuned', '≥ 1.4'),
    ...against('quern-job', 'crawlee-tuned', '≥ 3'),
    ...against('bare', 'crawlee', ''),
    ...against('quern', 'bare', ''),
  ];
}
