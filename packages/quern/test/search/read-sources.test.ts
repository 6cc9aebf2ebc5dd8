import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { readSources } from '#features/search/answers/read-sources.ts';
import type { FusedResult } from '#features/search/backend/fusion.ts';
import { readPage } from '#extract/read-page.ts';
import { ServiceError } from '#kernel/errors.ts';
import { driveClock } from '#support/clock.ts';
import { buildTestPage } from '../engine/gate.ts';

const TEXT = '<p>Rye is ground slowly between two stones, and the flour keeps for a year when it is dry.</p>';

function resultAt(place: number): FusedResult {
  const url = `https://mill.example/${place}`;
  const unknown = { publishedAt: null, language: null, imageUrl: null, text: null };
  return { title: '', description: '', url, engines: [], ...unknown };
}

const getIndex = (url: string): number => Number(new URL(url).pathname.slice(1));

/** Reads the given number of results. Some never respond and some fail, by index. Returns when all due timers have run. */
async function readWith(
  count: number,
  { silent, failing = [] }: { readonly silent: readonly number[]; readonly failing?: readonly number[] },
) {
  const clock = driveClock();
  const began = clock.monotonic();
  const ended: string[] = [];
  const call = new AbortController();
  const reading = readSources(
    Array.from({ length: count }, (_, place) => resultAt(place)),
    {
      async visit(url, signal) {
        const place = Number(url.pathname.slice(1));
        if (failing.includes(place)) throw new ServiceError('target_blocked', 'was blocked');
        if (silent.includes(place)) {
          await once(signal, 'abort');
          ended.push(url.pathname);
          throw new ServiceError('timeout', 'the time was up');
        }
        return { page: buildTestPage({ url: url.href, text: TEXT }) };
      },
      read: async (request) => readPage(request),
      readTarget: (url) => new URL(url),
      timeoutMs: 8_000,
      signal: call.signal,
      clock,
    },
  );
  const end = new AbortController();
  const over = reading.finally(() => end.abort());
  while (!end.signal.aborted && clock.monotonic() - began < 60_000) await clock.advance(500);
  const { sources, skipped: leftOut } = await over;
  return {
    tookMs: clock.monotonic() - began,
    read: sources.map(({ url }) => getIndex(url)),
    leftOut: leftOut.map(({ url, reason }) => `${getIndex(url)} ${reason}`),
    ended,
  };
}

test('a hanging source is replaced by the next, and reading ends when there are enough', async () => {
  const { tookMs, read, leftOut, ended } = await readWith(12, { silent: [1], failing: [3] });
  assert.deepEqual(read, [0, 2, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(leftOut, ['1 was slower than other sources', '3 was blocked']);
  assert.ok(tookMs <= 3_000, String(tookMs));
  assert.deepEqual(ended, ['/1']);
});

test('a hanging source without replacement times out, and the answer continues without it', async () => {
  const { tookMs, read, leftOut, ended } = await readWith(4, { silent: [0, 2] });
  assert.deepEqual(read, [1, 3]);
  assert.deepEqual(leftOut, ['0 did not respond within 8000 ms', '2 did not respond within 8000 ms']);
  assert.ok(tookMs >= 8_000 && tookMs <= 9_000, String(tookMs));
  assert.deepEqual(ended.toSorted(), ['/0', '/2']);
});

test('reading ends after the time limit if all sources hang', async () => {
  const { tookMs, read, leftOut } = await readWith(20, { silent: Array.from({ length: 20 }, (_, place) => place) });
  assert.deepEqual([read, leftOut.length], [[], 16]);
  assert.ok(tookMs <= 11_000, String(tookMs));
});
