import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { bindWork } from '#engine/call/bound-operation.ts';
import type { Visit } from '#access/page.ts';
import { declareWork } from '#engine/call/operation.ts';
import { createMemoryBudgets, createMemoryBudget } from '#kernel/memory-budget.ts';
import { MAX_ANSWER_BYTES } from '#kernel/answer-json.ts';
import { onEveryStore } from '../support/store.ts';
import { checkSum, Crawled } from '../support/engine/crawl-result.ts';
import { brings, buildTestPage, SITE, withGate } from './gate.ts';
import { getOperation } from '../support/engine/queue.ts';

const MIB = 1024 * 1024;

/** Pages with different texts of the given MiB each. The text is a comment, which is parsed fast, because slow parsing would delay the open transactions. */
function buildPages(mib: number): Visit {
  return async ({ url }) => {
    const own = url.pathname.slice(1).repeat(50);
    return buildTestPage({
      url: url.href,
      text: `<p>${own}</p><!--${'stone and rye. '.repeat(Math.floor((mib * MIB) / 15))}-->`,
    });
  };
}

const URLS = ['a', 'b', 'c', 'd', 'e'].map((name) => SITE + name);

onEveryStore('a crawl ends when its answer is full, and charges nothing beyond it', async (store) =>
  withGate({ store, tierVisits: { http: buildPages(12) } }, async (gate) => {
    const crawl = getOperation('crawl');
    const { answer, code } = await gate.ask(crawl, { urls: URLS, output: ['raw_html'] });
    assert.equal(code, 'ok');
    const body = Crawled.parse(answer?.body);
    checkSum(body);
    assert.deepEqual([body.complete, body.stop_reason, body.pages.length], [false, 'answer_full', 2]);
    assert.equal(body.stats.pending, 3);
    assert.deepEqual(
      body.warnings.map((warning) => warning.code),
      ['left_out'],
    );
    assert.ok((answer?.serialized?.bytes ?? 0) <= MAX_ANSWER_BYTES);
    assert.deepEqual(await gate.spent(), [4, 0]);
  }),
);

onEveryStore('a crawl ends with the pages it has if other answers use up the memory', async (store) => {
  const memory = { ...createMemoryBudgets(), answers: createMemoryBudget(16 * MIB) };
  const other = memory.answers.createShare('another tenant');
  assert.ok(other.tryGrow(MIB));
  await withGate({ store, tierVisits: { http: buildPages(4) }, memory }, async (gate) => {
    const crawl = getOperation('crawl');
    const body = Crawled.parse((await gate.ask(crawl, { urls: URLS, output: ['raw_html'] })).answer?.body);
    assert.deepEqual([body.stop_reason, body.pages.length], ['answer_full', 3]);
    assert.deepEqual(await gate.spent(), [6, 0]);
  });
});

onEveryStore('an answer reserves memory until it is sent, and a failed call releases its own', async (store) => {
  const memory = createMemoryBudgets();
  await withGate({ store, tierVisits: { http: buildPages(4) }, memory }, async (gate) => {
    const { answer } = await gate.fetch({ output: ['raw_html'] });
    assert.equal(memory.answers.usedBytes(), answer?.serialized?.bytes ?? 0);
    answer?.serialized?.leave();
    assert.equal(memory.answers.usedBytes(), 0);
    assert.equal(memory.pages.usedBytes(), 0);
    const crawl = getOperation('crawl');
    const stopped = await gate.ask(crawl, { urls: URLS, output: ['raw_html'] }, { signal: AbortSignal.abort() });
    assert.equal(stopped.code, 'timeout');
    assert.deepEqual([memory.answers.usedBytes(), memory.pages.usedBytes()], [0, 0]);
  });
});

const vast = bindWork(
  declareWork({
    id: 'vast',
    route: null,
    summary: 'As much as is asked for',
    plan: 'free',
    price: { base: 2, cacheHit: 1, perTier: true },
    errors: [],
    input: z.strictObject({ mib: z.int() }),
    output: z.object({ texts: z.array(z.string()) }),
    example: { mib: 1 },
  }),
  {
    admit: () => ({ timeoutMs: 30_000, tiers: ['http'], cheapest: 2, maxCredits: null }),
    run: async ({ mib }) => ({ tier: 'http', body: { texts: Array.from({ length: mib }, () => 'x'.repeat(MIB)) } }),
  },
);

onEveryStore('an answer above the size limit, or the string limit, is rejected before it is charged', async (store) =>
  withGate({ store, more: [vast] }, async (gate) => {
    for (const mib of [MAX_ANSWER_BYTES / MIB, 600]) {
      assert.equal((await gate.ask(vast.operation, { mib })).code, 'content_too_large');
      assert.deepEqual(await gate.spent(), [0, 0]);
    }
    const { answer } = await gate.ask(vast.operation, { mib: 31 });
    answer?.serialized?.leave();
    assert.deepEqual(await gate.spent(), [2, 0]);
  }),
);

test('outputs that exceed the answer size are omitted with a warning, and free if none remains', async () =>
  // Each character has six characters in JSON.
  withGate({ tierVisits: { http: brings({ text: `<p>rye</p><!--${'\u0001'.repeat(6 * MIB)}-->` }) } }, async (gate) => {
    const { answer } = await gate.fetch({ output: ['raw_html', 'text'] });
    const body = z.looseObject({
      text: z.string(),
      warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    });
    const { text, warnings, raw_html: raw } = body.parse(answer?.body);
    assert.deepEqual([text.trim(), raw, warnings.map(({ code }) => code)], ['rye', undefined, ['left_out']]);
    assert.match(warnings[0]?.message ?? '', /^raw_html: /);
    answer?.serialized?.leave();
    const spent = await gate.spent();
    assert.equal((await gate.fetch({ output: ['raw_html'] })).code, 'content_too_large');
    assert.deepEqual(await gate.spent(), spent);
  }));

test('shares that wait for each other for more memory continue in order', async () => {
  const room = createMemoryBudget(100);
  const { signal } = new AbortController();
  const shares = ['one', 'two', 'three', 'four'].map((owner) => room.createShare(owner));
  for (const share of shares) assert.ok(share.tryGrow(25));
  const ended: number[] = [];
  await Promise.all(
    shares.map(async (share, at) => {
      await share.grow(40, signal);
      ended.push(at);
      share.release();
    }),
  );
  assert.deepEqual(ended, [0, 1, 2, 3]);
  assert.equal(room.usedBytes(), 0);
});

test('one owner gets at most half of the memory, and a cancelled waiter leaves the queue', async () => {
  const room = createMemoryBudget(100);
  const [one, more, other] = [room.createShare('one'), room.createShare('one'), room.createShare('other')];
  assert.ok(one.tryGrow(45));
  assert.equal(more.tryGrow(10), false);
  assert.ok(other.tryGrow(50));
  const controller = new AbortController();
  const waiting = more.grow(10, controller.signal);
  controller.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  one.release();
  assert.ok(more.tryGrow(10));
});
