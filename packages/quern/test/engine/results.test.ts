import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { z } from 'zod';
import { JobStopped } from '#engine/jobs/lease.ts';
import { declareWork } from '#engine/call/operation.ts';
import {
  begin,
  getBody,
  closed,
  commit,
  complete,
  buildEntries,
  Entry,
  Page,
  readAll,
  readLines,
  fetchResult,
  usePlaces,
} from '../support/engine/listing.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';

const places = usePlaces();

places.onEvery('the pages of 10,000 elements give the whole list in order, with any limit', async (gate) => {
  const id = await complete(gate, { pages: 10_000, chars: 300 });
  const whole = await readLines(gate, id);
  assert.deepEqual(
    whole.map(({ n }) => n),
    Array.from({ length: 10_000 }, (_, at) => at),
  );
  for (const more of [{}, { limit: 1000 }, { limit: 777 }]) assert.deepEqual(await readAll(gate, id, more), whole);
  await checkBooks(gate);
});

places.onEvery('a short result is complete in the record and under /result', async (gate) => {
  const id = await complete(gate, { pages: 3 });
  const { result } = await openJobTools(gate).show(id);
  assert.deepEqual(Object.keys(result ?? {}), ['request_id', 'url', 'pages', 'complete', 'usage', 'next_cursor']);
  assert.equal(result?.['next_cursor'], null);
  assert.deepEqual(await fetchResult(gate, id), result);
  assert.equal(Page.parse(result).pages.length, 3);
});

places.onEvery('the record of a long result has its first elements and a cursor for the rest', async (gate) => {
  const id = await complete(gate, { pages: 2000, chars: 400 });
  const { result } = await openJobTools(gate).show(id);
  const first = Page.parse(result);
  const text = JSON.stringify(result);
  assert.ok(text.length <= 257 * 1024 && text.length > 250 * 1024, String(text.length));
  assert.deepEqual(await fetchResult(gate, id), result);
  const rest = await readAll(gate, id, { cursor: first.next_cursor });
  assert.deepEqual([...first.pages, ...rest], await readLines(gate, id));
});

places.onEvery('an element larger than a page has a page of its own, and is not in the record', async (gate) => {
  const id = await complete(gate, { pages: 3, chars: 1_500_000 });
  const { result } = await openJobTools(gate).show(id);
  assert.deepEqual(Page.parse(result).pages, []);
  const first = Page.parse(await fetchResult(gate, id));
  assert.equal(first.pages.length, 1);
  assert.equal(Page.parse(await fetchResult(gate, id, { limit: 1000 })).pages.length, 2);
  assert.deepEqual(
    await readAll(gate, id, { cursor: String(Page.parse(result).next_cursor) }),
    await readAll(gate, id),
  );
});

places.onEvery('invalid parameters of a list are rejected by name', async (gate) => {
  const id = await complete(gate, { pages: 1 });
  const single = await complete(gate, {}, 'closed');
  const said = async (job: string, more: object) => (await openJobTools(gate).result(job, more)).error?.message ?? 'ok';
  assert.match(await said(single, { format: 'jsonl' }), /^format: the result of closed has no list/);
  assert.match(await said(single, { limit: 3 }), /^limit: the result of closed has no list/);
  assert.match(await said(id, { format: 'jsonl', limit: 3 }), /^limit: cannot be used with format jsonl/);
  assert.match(await said(id, { limit: 0 }), /^limit: /);
  assert.match(await said(id, { format: 'xml' }), /^format: /);
  assert.equal(await said(id, { limit: 1000 }), 'ok');
});

places.onEvery('a cursor works only for its job and tenant', async (gate) => {
  const jobs = openJobTools(gate);
  const id = await complete(gate, { pages: 5 });
  const cursor = Page.parse(await fetchResult(gate, id, { limit: 2 })).next_cursor ?? '';
  const other = await complete(gate, { pages: 5 });
  const bytes = Buffer.from(cursor, 'base64url');
  const forged = Buffer.concat([bytes.subarray(0, -1), Buffer.from('4')]).toString('base64url');
  for (const one of [forged, 'Zm9yZ2Vk', `${cursor}A`]) {
    assert.match((await jobs.result(id, { cursor: one })).error?.message ?? '', /^cursor: /);
  }
  assert.match((await jobs.result(other, { cursor })).error?.message ?? '', /^cursor: /);
  const stranger = await gate.tenants.create('other', 'starter');
  const asked = await gate.ask(getOperation('jobs.result'), { id, cursor }, { as: stranger });
  assert.equal(asked.code, 'not_found');
  assert.equal(Page.parse(await fetchResult(gate, id, { cursor })).pages[0]?.n, 2);
});

places.onEvery('a closed output schema gets neither cursor nor usage, inline or as a job', async (gate) => {
  const inline = getBody(await gate.ask(closed.operation, {}));
  assert.deepEqual(Object.keys(inline), ['request_id', 'event']);
  const claimed = await begin(gate, {}, 'closed');
  const partial = await fetchResult(gate, claimed.row.id, { partial: true });
  assert.deepEqual(partial, { request_id: claimed.row.request_id });
  await runClaimed(gate, claimed);
  assert.deepEqual(Object.keys(await fetchResult(gate, claimed.row.id)), ['request_id', 'event']);
  assert.deepEqual(Object.keys((await openJobTools(gate).show(claimed.row.id)).result ?? {}), ['request_id', 'event']);
});

places.onEvery(
  'a partial result contains committed elements, and its last cursor continues with later ones',
  async (gate) => {
    const entries = buildEntries(100);
    const claimed = await begin(gate, { pages: 0 });
    const { id } = claimed.row;
    const jobs = openJobTools(gate);
    const empty = await fetchResult(gate, id, { partial: true });
    assert.deepEqual([empty['request_id'], empty['pages'], empty['usage']], [claimed.row.request_id, [], null]);
    await commit(gate, claimed, entries.slice(0, 64));
    const some = Page.parse(await fetchResult(gate, id, { partial: true }));
    assert.deepEqual(some.pages, entries.slice(0, 64));
    assert.equal((await jobs.result(id)).code, 'job_not_finished');
    assert.equal((await jobs.result(id, { format: 'jsonl' })).code, 'job_not_finished');
    const none = Page.parse(await fetchResult(gate, id, { partial: true, cursor: some.next_cursor }));
    assert.deepEqual(none.pages, []);
    await commit(gate, claimed, entries.slice(64));
    const later = Page.parse(await fetchResult(gate, id, { partial: true, cursor: none.next_cursor }));
    assert.deepEqual(later.pages, entries.slice(64));
    assert.deepEqual(await readLines(gate, id, { partial: true }), entries);
    await runClaimed(gate, claimed);
    assert.deepEqual(await readLines(gate, id), entries);
    assert.deepEqual(Page.parse(await fetchResult(gate, id, { cursor: some.next_cursor })).pages, entries.slice(64));
  },
);

places.onEvery('a cancelled or failed job keeps its elements under ?partial until it expires', async (gate) => {
  const jobs = openJobTools(gate);
  const entries = buildEntries(10);
  const claimed = await begin(gate);
  const { id } = claimed.row;
  await commit(gate, claimed, entries);
  await jobs.cancel(id);
  const stop = AbortSignal.abort(new JobStopped('cancelled'));
  await runClaimed(gate, claimed, stop);
  assert.equal((await jobs.result(id)).code, 'job_cancelled');
  const part = Page.parse(await fetchResult(gate, id, { partial: true }));
  assert.deepEqual([part.pages, part.next_cursor], [entries, null]);
  assert.deepEqual(await readLines(gate, id, { partial: true }), entries);
  gate.clock.pass(7 * 24 * 3600 * 1000);
  for (const more of [{}, { partial: true }, { partial: true, format: 'jsonl' }]) {
    assert.equal((await jobs.result(id, more)).code, 'result_expired');
  }
});

places.onEvery('segments of concurrent workers are numbered without gaps, and each stays together', async (gate) => {
  const batches = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 24 });
  await fc.assert(
    fc.asyncProperty(batches, fc.integer({ min: 1, max: 9 }), async (sizes, limit) => {
      const claimed = await begin(gate);
      const lists = sizes.map((size, at) => buildEntries(size, 20, at * 100));
      await Promise.all(lists.map(async (list) => commit(gate, claimed, list)));
      const partial = await readLines(gate, claimed.row.id, { partial: true });
      await runClaimed(gate, claimed);
      const whole = await readLines(gate, claimed.row.id);
      assert.deepEqual(partial, whole);
      assert.equal(whole.length, lists.flat().length);
      for (const list of lists) {
        const at = whole.findIndex(({ n }) => n === list[0]?.n);
        assert.deepEqual(whole.slice(at, at + list.length), list);
      }
      assert.deepEqual(await readAll(gate, claimed.row.id, { limit }), whole);
      const rows = await gate.db.query('select seq from result_segments where job_id = $1 order by seq', [
        claimed.row.id,
      ]);
      assert.deepEqual(
        rows.map(({ seq }) => seq),
        Array.from({ length: sizes.length + 1 }, (_, at) => at),
      );
    }),
    { numRuns: 6 },
  );
});

test('the name of a list that is not an array of the output does not compile', () => {
  const rest = {
    id: 'x',
    route: 'POST /v1/x',
    summary: '',
    plan: 'free',
    errors: [],
    input: z.strictObject({}),
    example: {},
    price: { base: 2, cacheHit: 1, perTier: true },
  } as const;
  const output = z.object({ pages: z.array(Entry).optional(), url: z.string() });
  assert.equal(declareWork({ ...rest, output, list: 'pages' }).list, 'pages');
  // @ts-expect-error: no such member
  assert.equal(declareWork({ ...rest, output, list: 'page' }).list, 'page');
  // @ts-expect-error: a member that is no array
  assert.equal(declareWork({ ...rest, output, list: 'url' }).list, 'url');
});
