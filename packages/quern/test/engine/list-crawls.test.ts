import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Visit } from '#access/page.ts';
import { listHealth } from '#features/sites/health.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';
import { crawled, listed, MILL, readMill, says } from '../support/engine/mill-site.ts';
import { onEveryStore } from '../support/store.ts';
import type { StoreKind } from '#store/db.ts';
import { type Gate, type GateOptions, isLate, withGate } from './gate.ts';

const Listed = z.looseObject({
  sacks: z.array(z.object({ n: z.int() })),
  total: z.int().nullable(),
  pages_fetched: z.int(),
  truncated: z.boolean(),
  exhausted: z.boolean(),
  stop_reason: z.string(),
  partial: z.boolean(),
  warnings: z.array(z.object({ message: z.string() })).optional(),
  usage: z.looseObject({ credits: z.int() }),
});

/** Credits of one page of the site. */
const EACH = 15;
const TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

async function withMill(
  given: Partial<GateOptions> & { readonly store: StoreKind; readonly http?: Visit },
  work: (gate: Gate) => Promise<void>,
): Promise<void> {
  const { http = says({}), ...options } = given;
  const sites = { endpoints: MILL, listCrawls: [crawled], readSource: readMill };
  await withGate({ tierVisits: { http }, ...sites, ...options }, async (gate) => {
    await work(gate);
    await checkBooks(gate);
  });
}

async function submit(gate: Gate, input: object = { search: 'rye' }, more: object = {}): Promise<string> {
  const asked = { kind: crawled.operation.id, input, ...more };
  const { answer, error } = await gate.ask(getOperation('jobs.submit'), asked);
  if (answer === null) throw error ?? new Error('no answer');
  return String(answer.body['id']);
}

async function run(gate: Gate, worker = 'w'): Promise<string> {
  const [claimed] = await gate.queue.leases.claim(worker, 1);
  assert.ok(claimed !== undefined, 'a job waits');
  return runClaimed(gate, claimed);
}

async function readResult(gate: Gate, id: string) {
  const { answer, error } = await openJobTools(gate).result(id, { limit: 1000 });
  assert.equal(error, null);
  return Listed.parse(answer?.body);
}

const listNumbers = ({ sacks }: z.output<typeof Listed>) => sacks.map(({ n }) => n);

/** A site whose pages from this token on contain no list. */
const fromToken =
  (token: string, other: Visit): Visit =>
  async (request, signal) =>
    request.url.searchParams.get('after') === token ? other(request, signal) : says({})(request, signal);

onEveryStore('a whole list is returned, each element once, and each page of the site is charged', async (store) => {
  await withMill({ store }, async (gate) => {
    const { answer } = await gate.ask(crawled.operation, { q: 'rye' });
    assert.equal(answer?.status, 202);
    assert.equal(await run(gate), 'ok');
    const result = await readResult(gate, String(answer.body['id']));
    assert.deepEqual(listNumbers(result), TEN);
    assert.deepEqual([result.pages_fetched, result.exhausted, result.truncated], [4, true, false]);
    assert.deepEqual([result.stop_reason, result.total, result.usage.credits], ['exhausted', 10, 4 * EACH]);
    assert.deepEqual(await gate.spent(), [4 * EACH, 0]);
  });
});

onEveryStore('an element repeated by a changing list is returned once', async (store) => {
  await withMill({ store }, async (gate) => {
    const id = await submit(gate, { search: 'moving' });
    assert.equal(await run(gate), 'ok');
    assert.deepEqual(listNumbers(await readResult(gate, id)), TEN);
  });
});

onEveryStore('a list ends at the requested number of results', async (store) => {
  await withMill({ store }, async (gate) => {
    const id = await submit(gate, { search: 'rye', max_results: 5 });
    assert.equal(await run(gate), 'ok');
    const result = await readResult(gate, id);
    assert.deepEqual(listNumbers(result), [1, 2, 3, 4, 5]);
    assert.deepEqual([result.pages_fetched, result.truncated, result.stop_reason], [2, true, 'max_results']);
    assert.deepEqual(await gate.spent(), [2 * EACH, 0]);
  });
});

onEveryStore('no page is lost or repeated if a worker dies', async (store) => {
  for (const token of [null, '3', '6', '9']) {
    const death = Promise.withResolvers<void>();
    const came = Promise.withResolvers<void>();
    let lives = 0;
    const http: Visit = async (request, signal) => {
      if (request.url.searchParams.get('after') === token && lives++ === 0) {
        came.resolve();
        await death.promise;
      }
      return says({})(request, signal);
    };
    await withMill({ store, http }, async (gate) => {
      const id = await submit(gate);
      const zombie = run(gate, 'dead');
      await came.promise;
      gate.clock.pass(31_000);
      await gate.queue.leases.recover(null, async () => gate.plan);
      gate.clock.pass(1000);
      assert.equal(await run(gate, 'next'), 'ok');
      death.resolve();
      assert.equal(await zombie, 'lost');
      assert.deepEqual(listNumbers(await readResult(gate, id)), TEN, `token ${token}`);
      assert.deepEqual(await gate.spent(), [4 * EACH, 0]);
    });
  }
});

onEveryStore('a page that fails finally ends a list with the earlier results and the reason', async (store) => {
  const http = fromToken('6', says({}, { status: 404 }));
  await withMill({ store, http }, async (gate) => {
    const id = await submit(gate);
    assert.equal(await run(gate), 'ok');
    const result = await readResult(gate, id);
    assert.deepEqual(listNumbers(result), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual([result.stop_reason, result.partial, result.truncated], ['failed', true, true]);
    assert.match(result.warnings?.[0]?.message ?? '', /page 3 of the list failed: .*404/);
    assert.deepEqual(await gate.spent(), [2 * EACH, 0]);
  });
});

onEveryStore('a temporarily failing page is retried, without reading earlier pages again', async (store) => {
  let lives = 0;
  const late: Visit = async (request, signal) => (lives++ === 0 ? isLate : says({}))(request, signal);
  await withMill({ store, http: fromToken('6', late) }, async (gate) => {
    const id = await submit(gate);
    assert.equal(await run(gate), 'timeout');
    gate.clock.pass(60_000);
    assert.equal(await run(gate), 'ok');
    assert.deepEqual(listNumbers(await readResult(gate, id)), TEN);
    assert.deepEqual(
      gate.visits.map(({ url }) => url.searchParams.get('after')),
      [null, '3', '6', '6', '9'],
    );
    assert.deepEqual(await gate.spent(), [4 * EACH, 0]);
  });
});

onEveryStore('a list fails, free, if its first page fails', async (store) => {
  await withMill({ store, http: says({}, { status: 404 }) }, async (gate) => {
    const id = await submit(gate);
    assert.equal(await run(gate), 'not_found');
    const { status, error } = await openJobTools(gate).show(id);
    assert.deepEqual([status, error?.code], ['failed', 'not_found']);
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});

onEveryStore('the pages of a list count for the health of the endpoint like single calls', async (store) => {
  const strange = says({}, { status: 418 });
  const table: readonly (readonly [http: Visit, rows: readonly (readonly [number, number, string | null])[]])[] = [
    [says({}), [[4, 0, null]]],
    [strange, [[0, 1, 'unusable_response']]],
    [fromToken('6', strange), [[2, 1, 'unusable_response']]],
    [says({}, { status: 404 }), []],
  ];
  for (const [http, rows] of table)
    await withMill({ store, http }, async (gate) => {
      await submit(gate);
      await run(gate);
      await gate.siteHealth.close();
      assert.deepEqual(
        (await listHealth(gate.db)).map((row) => [row.served, row.failed_in_row, row.last_failure]),
        rows,
      );
    });
});

onEveryStore('a list ends with the paid pages at max_credits or when the balance is used up', async (store) => {
  await withMill({ store }, async (gate) => {
    const id = await submit(gate, { search: 'rye' }, { max_credits: 2 * EACH + 10 });
    assert.equal(await run(gate), 'ok');
    const result = await readResult(gate, id);
    assert.deepEqual([listNumbers(result).length, result.stop_reason], [6, 'max_credits']);
    assert.deepEqual(await gate.spent(), [2 * EACH, 0]);
  });
  await withMill({ store, limits: { credits_per_month: 3 * EACH + 1 } }, async (gate) => {
    const id = await submit(gate);
    assert.equal(await run(gate), 'ok');
    const result = await readResult(gate, id);
    assert.deepEqual([listNumbers(result).length, result.stop_reason], [9, 'credits_exhausted']);
    assert.deepEqual(await gate.spent(), [3 * EACH, 0]);
  });
});

test('a list crawl accepts the parameters of its list, except cursor and limit', async () => {
  assert.ok(listed.operation.input instanceof z.ZodObject && crawled.operation.input instanceof z.ZodObject);
  const { cursor: _, ...known } = listed.operation.input.shape;
  const names = Object.keys(known).filter((name) => name !== 'limit' && name !== 'per_page');
  assert.deepEqual(new Set(Object.keys(crawled.operation.input.shape)), new Set([...names, 'max_results']));
  assert.deepEqual([crawled.operation.id, crawled.operation.route], ['mill.listed.crawl', 'GET /v1/mill/listed/crawl']);
  await withMill({ store: 'sqlite' }, async (gate) => {
    const table: readonly (readonly [object, RegExp])[] = [
      [{}, /search: is missing/],
      [{ search: 'rye', max_results: 0 }, /max_results/],
      [{ search: 'rye', max_results: 1001 }, /max_results/],
      [{ search: 'rye', cursor: 'x' }, /cursor/],
      [{ search: 'rye', limit: 3 }, /limit/],
      [{ search: 'rye', q: 'oats' }, /search|q/],
      [{ search: 'rye', nonsense: 1 }, /nonsense: unknown member/],
    ];
    for (const [input, why] of table) {
      const { code, error } = await gate.ask(crawled.operation, input);
      assert.equal(code, 'invalid_request', JSON.stringify(input));
      assert.match(error?.message ?? '', why);
    }
  });
});
