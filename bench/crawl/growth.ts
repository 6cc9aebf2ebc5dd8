import { join } from 'node:path';
import { computeMedian } from '#bench/processes.ts';
import { serveWorld } from './nginx.ts';
import { printTable, printMachine, printProgress, printLine } from '#bench/command-line.ts';
import type { QuernReading } from './quern.ts';
import { crawlOnce, type CrawlOrder } from './rounds.ts';
import { prepareWorld, type World } from './world.ts';

/** Size of the larger site relative to the smaller one. */
const SIZE_RATIO = 10;
const QUARTERS = [0, 1, 2, 3] as const;

type SizeReadings = { readonly world: World; readonly readings: QuernReading[] };

/** Measures whether a page costs more on a larger site: crawls a site and one with a tenth of its pages in turn. */
export async function measureGrowth(order: CrawlOrder): Promise<void> {
  const large: SizeReadings = { world: await prepareWorld(order.pages, order.port), readings: [] };
  const small: SizeReadings = {
    world: await prepareWorld(Math.round(order.pages / SIZE_RATIO), order.port),
    readings: [],
  };
  for (let round = 1; round <= order.rounds; round += 1) {
    for (const { world, readings } of [small, large]) {
      printProgress(`round ${round} of ${order.rounds}: ${world.urls.length} pages`);
      const origin = await serveWorld(world, { folder: join(order.folder, 'nginx'), log: null });
      try {
        readings.push(await crawlOnce(world, order));
      } finally {
        await origin.close();
      }
    }
  }
  printMachine(`medians of ${order.rounds} rounds`);
  printLine('| pages | pages/s | CPU s a 1,000 pages | peak MiB | MiB by quarters of the time | store ÷ raw HTML |');
  printLine('|---|---|---|---|---|---|');
  for (const size of [small, large]) printSize(size);
  const ratio = computeRate(large) / computeRate(small);
  const peak = computeMedian(large.readings.map(({ peakMb }) => peakMb));
  printTable([
    ['pages/s, the larger against the smaller', ratio.toFixed(2), '≥ 0.85'],
    ['peak resident memory over the larger', `${peak.toFixed(0)} MiB`, '≤ 450 MiB'],
    ['store ÷ raw HTML of the larger', computeStoreShare(large).toFixed(3), '≤ 0.35'],
  ]);
}

function printSize(size: SizeReadings): void {
  const { world, readings } = size;
  const cpu = computeMedian(readings.map(({ pages, cpuSeconds }) => (cpuSeconds / pages) * 1000));
  const peak = computeMedian(readings.map(({ peakMb }) => peakMb));
  const quarters = QUARTERS.map((at) =>
    computeMedian(readings.map(({ rssMb }) => computeQuarterMean(rssMb, at))).toFixed(0),
  );
  const cells = [
    world.urls.length,
    computeRate(size).toFixed(0),
    cpu.toFixed(2),
    peak.toFixed(0),
    quarters.join(', '),
    computeStoreShare(size).toFixed(3),
  ];
  printLine(`| ${cells.join(' | ')} |`);
}

function computeQuarterMean(samples: readonly number[], at: number): number {
  const part = samples.slice(Math.floor((samples.length * at) / 4), Math.floor((samples.length * (at + 1)) / 4));
  return part.reduce((sum, one) => sum + one, 0) / part.length;
}

function computeRate({ readings }: SizeReadings): number {
  return computeMedian(readings.map(({ pages, seconds }) => pages / seconds));
}

function computeStoreShare({ world, readings }: SizeReadings): number {
  return computeMedian(readings.map(({ storeBytes }) => storeBytes / world.bytes));
}
