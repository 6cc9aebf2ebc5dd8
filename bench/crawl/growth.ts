import { join } from 'node:path';
import { median } from '../child.ts';
import { serveWorld } from './nginx.ts';
import { printLines, printMachine, progress, say } from './printing.ts';
import type { QuernReading } from './quern.ts';
import { crawlOnce, type Order } from './rounds.ts';
import { prepareWorld, type World } from './world.ts';

/** How many times as large the larger world is. */
const TIMES = 10;
const QUARTERS = [0, 1, 2, 3] as const;

type Size = { readonly world: World; readonly readings: QuernReading[] };

/** A world and one of a tenth of its pages, in turn, round by round: does a page cost more where there are more? */
export async function measureGrowth(order: Order): Promise<void> {
  const large: Size = { world: await prepareWorld(order.pages, order.port), readings: [] };
  const small: Size = { world: await prepareWorld(Math.round(order.pages / TIMES), order.port), readings: [] };
  for (let round = 1; round <= order.rounds; round += 1) {
    for (const { world, readings } of [small, large]) {
      progress(`round ${round} of ${order.rounds}: ${world.urls.length} pages`);
      const origin = await serveWorld(world, { folder: join(order.folder, 'nginx'), log: null });
      try {
        readings.push(await crawlOnce(world, order));
      } finally {
        await origin.close();
      }
    }
  }
  printMachine(`medians of ${order.rounds} rounds`);
  say('| pages | pages/s | CPU s a 1,000 pages | peak MiB | MiB by quarters of the time | store ÷ raw HTML |');
  say('|---|---|---|---|---|---|');
  for (const size of [small, large]) printSize(size);
  const ratio = rateOf(large) / rateOf(small);
  const peak = median(large.readings.map(({ peakMb }) => peakMb));
  printLines([
    ['pages/s, the larger against the smaller', ratio.toFixed(2), '≥ 0.85'],
    ['most resident memory over the larger', `${peak.toFixed(0)} MiB`, '≤ 450 MiB'],
    ['store ÷ raw HTML of the larger', storeShareOf(large).toFixed(3), '≤ 0.35'],
  ]);
}

function printSize(size: Size): void {
  const { world, readings } = size;
  const cpu = median(readings.map(({ pages, cpuSeconds }) => (cpuSeconds / pages) * 1000));
  const peak = median(readings.map(({ peakMb }) => peakMb));
  const quarters = QUARTERS.map((at) => median(readings.map(({ rssMb }) => quarterOf(rssMb, at))).toFixed(0));
  const cells = [
    world.urls.length,
    rateOf(size).toFixed(0),
    cpu.toFixed(2),
    peak.toFixed(0),
    quarters.join(', '),
    storeShareOf(size).toFixed(3),
  ];
  say(`| ${cells.join(' | ')} |`);
}

function quarterOf(samples: readonly number[], at: number): number {
  const part = samples.slice(Math.floor((samples.length * at) / 4), Math.floor((samples.length * (at + 1)) / 4));
  return part.reduce((sum, one) => sum + one, 0) / part.length;
}

function rateOf({ readings }: Size): number {
  return median(readings.map(({ pages, seconds }) => pages / seconds));
}

function storeShareOf({ world, readings }: Size): number {
  return median(readings.map(({ storeBytes }) => storeBytes / world.bytes));
}
