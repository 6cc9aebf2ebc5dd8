import assert from 'node:assert/strict';
import { z } from 'zod';
import { buildFailure } from '#access/failure.ts';
import type { Visit } from '#access/page.ts';
import { buildRobots, buildSite, type Mode, MODES, serves } from '../support/engine/crawl-modes.ts';
import { checkBooks, getOperation, openJobTools, runClaimed } from '../support/engine/queue.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, SITE, withGate } from './gate.ts';
import { test } from 'node:test';

const Batch = z.looseObject({
  complete: z.boolean(),
  stop_reason: z.string(),
  results: z.array(
    z.looseObject({
      url: z.string(),
      index: z.number(),
      text: z.string().optional(),
      json: z.record(z.string(), z.unknown()).optional(),
      credits: z.number(),
      markdown: z.string().optional(),
      status_code: z.number().optional(),
      error: z.object({ code: z.string(), message: z.string() }).optional(),
    }),
  ),
  invalid_urls: z.array(z.looseObject({ index: z.number() })),
  stats: z.looseObject({
    invalid: z.number(),
    duplicates: z.number(),
    fetched: z.number(),
    failed: z.number(),
    pending: z.number(),
  }),
  usage: z.looseObject({ credits: z.number() }),
});

const SAME = { links: [], title: 'Same', says: 'The same text' };
const site = buildSite({
  '/a': SAME,
  '/b': SAME,
  '/moved': { to: '/a' },
  '/robots.txt': buildRobots('User-agent: *', 'Disallow: /private'),
  '/private': { links: [] },
});

function listUrls(...paths: readonly string[]): readonly string[] {
  return paths.map((path) => new URL(path, SITE).href);
}

async function runBatch(gate: Gate, mode: Mode, input: object): Promise<z.output<typeof Batch>> {
  if (mode === 'inline') {
    const { answer, error } = await gate.ask(getOperation('fetch.batch'), { delay_ms: 0, ...input });
    if (answer === null) throw error ?? new Error('no answer');
    return Batch.parse(answer.body);
  }
  const submitted = await gate.ask(getOperation('jobs.submit'), {
    kind: 'fetch.batch',
    input: { delay_ms: 0, ...input },
  });
  if (submitted.answer === null) throw submitted.error ?? new Error('no answer');
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  assert.equal(await runClaimed(gate, claimed), 'ok');
  const { answer } = await openJobTools(gate).result(String(submitted.answer.body['id']), { limit: 1000 });
  return Batch.parse(answer?.body);
}

for (const mode of MODES) {
  const store = mode === 'postgres' ? 'postgres' : 'sqlite';

  test(`${mode}: a batch has one result per URL, and only fetched pages are charged`, async () => {
    await withGate({ store, tierVisits: { http: serves(site) } }, async (gate) => {
      const urls = listUrls('/a', '/b', '/moved', '/lost', '/private', '/a#part');
      const batch = await runBatch(gate, mode, { urls, respect_robots: true });
      const outcomes = batch.results.map(({ url, error, credits }) => [
        url.slice(SITE.length - 1),
        error?.code ?? 'stored',
        credits,
      ]);
      assert.deepEqual(
        outcomes.toSorted(([a], [b]) => String(a).localeCompare(String(b))),
        [
          ['/a', 'stored', 2],
          ['/b', 'stored', 2],
          ['/lost', 'not_found', 0],
          ['/moved', 'stored', 2],
          ['/private', 'target_blocked', 0],
        ],
      );
      assert.deepEqual([batch.complete, batch.stop_reason, batch.usage.credits], [true, 'exhausted', 6]);
      const { duplicates, fetched, failed, pending } = batch.stats;
      assert.deepEqual([duplicates, fetched, failed, pending], [1, 3, 2, 0]);
      assert.deepEqual(await gate.spent(), [6, 0]);
      await checkBooks(gate);
    });
  });
}

onEveryStore('a batch of 10,000 URLs with 9,000 duplicates fetches each page once', async (store) => {
  const asked: string[] = [];
  const pages = serves((path) => (path.startsWith('/p') ? { links: [] } : null), asked);
  await withGate({ store, tierVisits: { http: pages } }, async (gate) => {
    const urls = Array.from({ length: 10_000 }, (_, at) => new URL(`/p${at % 1000}`, SITE).href);
    const batch = await runBatch(gate, store, { urls });
    assert.deepEqual([batch.complete, batch.stats.duplicates, batch.stats.fetched], [true, 9000, 1000]);
    assert.equal(new Set(batch.results.map(({ url }) => url)).size, 1000);
    assert.equal(asked.filter((path) => path.startsWith('/p')).length, 1000);
    assert.deepEqual(await gate.spent(), [2000, 0]);
    await checkBooks(gate);
  });
});

onEveryStore('invalid URLs are refused by index, or listed with ignore_invalid_urls', async (store) => {
  await withGate({ store, tierVisits: { http: serves(site) } }, async (gate) => {
    const urls = [new URL('/a', SITE).href, 'no address', 'ftp://mill.example/'];
    const { code, error } = await gate.ask(getOperation('fetch.batch'), { urls });
    assert.equal(code, 'invalid_request');
    assert.match(String(error?.message), /urls\.1.*urls\.2/s);
    const batch = await runBatch(gate, store, { urls, ignore_invalid_urls: true });
    assert.deepEqual(
      batch.invalid_urls.map(({ index }) => index),
      [1, 2],
    );
    assert.deepEqual([batch.stats.fetched, batch.stats.invalid], [1, 2]);
  });
});

onEveryStore('the URLs of a host that stopped answering end as errors without a visit', async (store) => {
  let visits = 0;
  const dead = async (): Promise<never> => {
    visits += 1;
    throw buildFailure('unreachable', 'no answer');
  };
  await withGate({ store, tierVisits: { http: dead }, paceSpeed: 100 }, async (gate) => {
    const urls = Array.from({ length: 400 }, (_, at) => new URL(`/x${at}`, SITE).href);
    const batch = await runBatch(gate, store, { urls });
    assert.deepEqual([batch.complete, batch.stats.failed, batch.results.length], [true, 400, 400]);
    assert.ok(visits < 400, `${visits} visits`);
    assert.ok(batch.results.some(({ error }) => error?.message.startsWith('not visited')));
    assert.deepEqual(await gate.spent(), [0, 0]);
    await checkBooks(gate);
  });
});

for (const mode of MODES) {
  const store = mode === 'postgres' ? 'postgres' : 'sqlite';

  test(`${mode}: a page of a batch may have its own options, and equal pages have the same URL and options`, async () => {
    const sent: string[] = [];
    const pages = serves(site);
    const http: Visit = async (request, signal) => {
      if (request.url.pathname !== '/robots.txt') sent.push(request.headers['x-shift'] ?? 'none');
      return pages(request, signal);
    };
    await withGate({ store, tierVisits: { http } }, async (gate) => {
      const [url = ''] = listUrls('/a');
      const batch = await runBatch(gate, mode, {
        headers: { 'x-shift': 'early' },
        urls: [
          url,
          { url, headers: { 'X-Shift': 'late' }, output: ['text'] },
          { url: `${url}#top`, output: ['markdown'] },
          { url, output: ['text'], headers: { 'x-shift': 'late' } },
          { url, output: ['json', 'text'], extract: { title: { selector: 'title', type: 'string' } } },
          { url: listUrls('/lost')[0], output: ['text'] },
        ],
      });
      const shown = batch.results.toSorted((a, b) => a.index - b.index);
      assert.deepEqual(
        shown.map(({ index, markdown, text, json, error }) => [
          index,
          markdown !== undefined,
          text !== undefined,
          json ?? error?.code,
        ]),
        [
          [0, true, false, undefined],
          [1, false, true, undefined],
          [4, false, true, { title: 'Same' }],
          [5, false, false, 'not_found'],
        ],
      );
      assert.deepEqual([batch.stats.duplicates, batch.stats.fetched, batch.stats.failed], [2, 3, 1]);
      assert.deepEqual(sent.toSorted(), ['early', 'early', 'early', 'late']);
      assert.deepEqual(await gate.spent(), [6, 0]);
      await checkBooks(gate);
    });
  });
}

test('invalid options of a page are refused with its index, before any request', async () => {
  await withGate({ tierVisits: { http: serves(site) } }, async (gate) => {
    const [url = ''] = listUrls('/a');
    for (const [urls, says] of [
      [[url, { url, wait_ms: -1 }], /^urls\.1\.wait_ms: /],
      [[url, { url, output: ['json'] }], /^urls\.1\.extract: is required for output json$/],
      [[{ url, extract: { title: 'string' } }], /^urls\.0\.extract: add json to output to use it$/],
      [[url, { url, output: ['attributes'] }], /^urls\.1\.attributes: is required for output attributes$/],
      [[{ url, outptu: ['text'] }], /^urls\.0\.outptu: unknown member; the nearest known name is output$/],
      [[{ output: ['text'] }], /^urls\.0\.url: /],
      [[url, 5], /^urls\.1: /],
      [[{ url: 'ftp://mill.example/' }], /^urls\.0\.url: /],
      [[{ url, session: 'mine' }], /^urls\.0\.session: unknown member/],
    ] as const) {
      const { code, error } = await gate.ask(getOperation('fetch.batch'), { urls });
      assert.equal(code, 'invalid_request', JSON.stringify(urls));
      assert.match(String(error?.message), says);
    }
    assert.equal(gate.visits.length, 0);
  });
});

test('secrets in the options of a page are masked in the record of its job', async () => {
  await withGate({ tierVisits: { http: serves(site) } }, async (gate) => {
    const urls = [
      { url: listUrls('/a')[0], headers: { 'x-key': 'secret' }, cookies: [{ name: 'id', value: 'secret' }] },
    ];
    const { answer } = await gate.ask(getOperation('jobs.submit'), { kind: 'fetch.batch', input: { urls } });
    const { input } = await openJobTools(gate).show(String(answer?.body['id']));
    assert.match(JSON.stringify(input), /x-key/);
    assert.doesNotMatch(JSON.stringify(input), /secret/);
  });
});

test('a page that needs a browser gets one, and the others of its batch do not', async () => {
  const used: string[] = [];
  const tier =
    (name: string): Visit =>
    async (request, signal) => {
      if (request.url.pathname !== '/robots.txt') used.push(`${name} ${request.url.pathname}`);
      return serves(site)(request, signal);
    };
  await withGate({ tierVisits: { http: tier('http'), browser: tier('browser') } }, async (gate) => {
    const [a = '', b = ''] = listUrls('/a', '/b');
    const { answer } = await gate.ask(getOperation('fetch.batch'), { delay_ms: 0, urls: [a, { url: b, wait_ms: 1 }] });
    assert.equal(Batch.parse(answer?.body).stats.fetched, 2);
    assert.deepEqual(used.toSorted(), ['browser /b', 'http /a']);
  });
});
