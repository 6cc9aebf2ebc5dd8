import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PageCosts, MAX_IN_FLIGHT, ParserQueue } from '#engine/reading/parser-queue.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ignore } from '../support/store.ts';
import type { CostlyTask, Peak } from './costly.worker.ts';

const MILL = { tenant: 'mill', weight: 1 };

/** Reads one page of the given cost, then as many as the tenant has slots; returns the maximum number of concurrent ones in the thread. */
async function countAtOnce(first: CostlyTask, isAlone: boolean): Promise<number> {
  const queue = new ParserQueue<CostlyTask & { kind: 'page'; request: { body: Uint8Array<ArrayBuffer> } }, Peak>({
    module: new URL('costly.worker.ts', import.meta.url),
    budgetMs: 60_000,
    costs: new PageCosts(SYSTEM_CLOCK),
    isAlone: () => isAlone,
    heapMb: 64,
    maxInFlight: MAX_IN_FLIGHT,
    onRest: ignore,
    clock: SYSTEM_CLOCK,
  });
  const { signal } = new AbortController();
  const read = async (task: CostlyTask): Promise<number> => {
    const work = { kind: 'page' as const, request: { body: new Uint8Array(1) }, ...task };
    return (await queue.read(work, { party: MILL, signal }))?.peak ?? 0;
  };
  try {
    await read(first);
    const peaks = await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, async () => read({ costMs: 1 })));
    return peaks[0] ?? 0;
  } finally {
    await queue.close();
  }
}

suite('pages of one tenant in a parser thread', { concurrency: true }, () => {
  test('a tenant with costly pages has one page at a time while others are active', async () => {
    assert.equal(await countAtOnce({ costMs: 300 }, false), 1);
  });

  test('the only active tenant has as many pages as fit', async () => {
    assert.equal(await countAtOnce({ costMs: 300 }, true), MAX_IN_FLIGHT - 1);
  });
});
