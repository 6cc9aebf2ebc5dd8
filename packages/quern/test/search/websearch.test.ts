import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Visit } from '#access/page.ts';
import { CAPTCHA_PAGE, renderResultPage, SOFT_BLOCK_PAGE, renderWmlPage } from '#demo/sites/websearch.ts';
import { DEFAULT_SEARCH_SETTINGS, type SearchSettings } from '#features/search/settings.ts';
import { createEndpointClient } from '#llm/endpoint-client.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';
import { createMonitorCalls, pass, runAll } from '../support/engine/monitoring.ts';
import { type Gate, type GateOptions, buildTestPage, withGate } from '../engine/gate.ts';
import { createNoSearch } from '#compose/search-settings.ts';

const ORIGIN = 'https://mill.example';
const SETTLED = { origins: { web: ORIGIN }, credentials: {}, tiers: null, constants: {}, cacheSeconds: null };

const Result = z.strictObject({
  position: z.int(),
  position_overall: z.int(),
  title: z.string(),
  description: z.string(),
  url: z.string(),
  url_shown: z.string(),
});
const Body = z.strictObject({
  request_id: z.string(),
  provider: z.literal('websearch'),
  query_context: z.record(z.string(), z.unknown()),
  meta_data: z.strictObject({ page: z.int(), url: z.string() }),
  organic_results: z.array(Result),
  paid_results: z.array(Result),
  usage: z.looseObject({ credits: z.int() }),
});

/** The responses of the engine by query. */
const engine: Visit = async ({ url }) => {
  const words = url.searchParams.get('q') ?? '';
  const page = Number(url.searchParams.get('start') ?? 0) / 10 + 1;
  if (words === 'captcha') return buildTestPage({ url: `${ORIGIN}/sorry/index`, status: 429, text: CAPTCHA_PAGE });
  if (words === 'shell') return buildTestPage({ url: url.href, text: SOFT_BLOCK_PAGE });
  if (words === 'bad links') return buildTestPage({ url: url.href, text: BAD_LINKS });
  if (url.pathname === '/wml/search') return buildTestPage({ url: url.href, text: renderWmlPage(words, page) });
  return buildTestPage({ url: url.href, text: renderResultPage(words, page) });
};

const heading = (href: string): string => `<div class="g"><a href="${href}"><h3>Mill</h3></a></div>`;
const BAD_LINKS = `<div id="rso">${[
  'javascript:alert(1)',
  'http://127.0.0.1/x',
  'http://10.1.2.3/',
  'https://good.example/',
]
  .map(heading)
  .join('')}</div>`;

async function withEngine(options: GateOptions, work: (gate: Gate) => Promise<void>): Promise<void> {
  await withGate({ tierVisits: { browser: engine }, sites: { websearch: SETTLED }, ...options }, work);
}

async function search(gate: Gate, asked: Readonly<Record<string, unknown>>): Promise<z.output<typeof Body>> {
  const { answer, error } = await gate.ask(getOperation('websearch.search'), asked);
  if (answer === null) throw error ?? new Error('no answer');
  return Body.parse(answer.body);
}

/** The error code of a search, and its credits. */
async function searchForFailure(gate: Gate, asked: Readonly<Record<string, unknown>>) {
  const { code, error } = await gate.ask(getOperation('websearch.search'), asked);
  return { code, message: error?.message ?? '', spent: await gate.spent() };
}

/** Settings with one API whose mapping includes ads. */
function withApi(url: string, websearch: readonly string[]): GateOptions['search'] {
  const fields = { title: 'title', url: 'url', description: 'snippet' };
  const api = {
    url,
    headers: {},
    query: { q: '{search}', page: '{page}' },
    body: null,
    results: 'organic',
    paid: 'ads',
    fields,
    pageSize: 10,
    maxPages: 10,
  };
  const settings: SearchSettings = {
    ...DEFAULT_SEARCH_SETTINGS,
    backends: new Map([['serp', { driver: 'json', api, websearch: 'by default' }]]),
    websearch,
  };
  const wire = createEndpointClient({ connectMs: 2000, answerMs: 5000, answerBytes: 1_000_000 });
  return () => ({ ...createNoSearch(), settings, wire });
}

test('positions continue over several pages, per list and overall, and each page is charged', async () => {
  await withEngine({}, async (gate) => {
    const body = await search(gate, { search: 'rye', geo: 'Germany', locale: 'de', domain: 'de', page: 2, pages: 2 });
    assert.deepEqual(body.query_context, { search: 'rye', geo: 'DE', locale: 'de', domain: 'de', page: 2 });
    assert.deepEqual(body.meta_data, { page: 2, url: `${ORIGIN}/search?q=rye&hl=de&gl=de&start=10&pws=0&nfpr=1` });
    assert.deepEqual(
      body.paid_results.map(({ position, position_overall: overall, url }) => [position, overall, url]),
      [
        [1, 1, 'https://sails.example/offer'],
        [2, 12, 'https://sails.example/offer'],
      ],
    );
    assert.deepEqual(
      [0, 9, 10, 19].map((at) => body.organic_results[at]),
      [11, 20, 21, 30].map((number, at) => ({
        position: [1, 10, 11, 20][at],
        position_overall: [2, 11, 13, 22][at],
        title: `rye: page ${number}`,
        description: `What mill ${number} says about rye.`,
        url: `https://mill-${number}.example/rye`,
        url_shown: `mill-${number}.example › …`,
      })),
    );
    assert.equal(body.usage.credits, 20);
  });
});

test('pages beyond the last are neither returned nor charged', async () => {
  await withEngine({}, async (gate) => {
    const body = await search(gate, { search: 'rye', page: 3, pages: 10 });
    assert.deepEqual([body.organic_results.length, body.usage.credits], [10, 10]);
    const none = await search(gate, { search: 'nothing' });
    assert.deepEqual([none.organic_results, none.paid_results, none.usage.credits], [[], [], 10]);
  });
});

test('parameter aliases are accepted, and a precise place is passed to the engine', async () => {
  await withEngine({}, async (gate) => {
    const given = { q: 'rye', location: 'California,United States', hl: 'es', tld: 'com.mx', start: 1, num_pages: 1 };
    const { query_context: context, meta_data: meta } = await search(gate, given);
    assert.deepEqual(context, {
      search: 'rye',
      geo: 'California,United States',
      locale: 'es',
      domain: 'com.mx',
      page: 1,
    });
    const asked = new URL(meta.url).searchParams;
    assert.deepEqual(
      [asked.get('gl'), asked.get('hl'), asked.get('uule')],
      ['us', 'es', `w+CAIQICIY${Buffer.from('California,United States').toString('base64')}`],
    );
  });
});

test('a long query, a language name and a domain with host are accepted, with a warning about truncation', async () => {
  await withEngine({}, async (gate) => {
    const given = { search: 'rye '.repeat(1000), locale: 'spanish', domain: 'google.com.mx' };
    const { answer } = await gate.ask(getOperation('websearch.search'), given);
    const body = Adjusted.parse(answer?.body);
    assert.deepEqual([body.query_context.locale, body.query_context.domain], ['es', 'com.mx']);
    const asked = new URL(body.meta_data.url).searchParams;
    assert.deepEqual([asked.get('q')?.length, asked.get('hl')], [1999, 'es']);
    assert.deepEqual(
      body.warnings.map(({ code }) => code),
      ['input_adjusted'],
    );
    assert.match(body.warnings[0]?.message ?? '', /^search: has 3999 characters; .* the first 1999$/);
    const unknown = await gate.ask(getOperation('websearch.search'), { search: 'rye', locale: 'klingon' });
    assert.match(Adjusted.parse(unknown.answer?.body).warnings[0]?.message ?? '', /^locale: klingon is not a known/);
  });
});

const Adjusted = z.looseObject({
  query_context: z.looseObject({ locale: z.string(), domain: z.string() }),
  meta_data: z.looseObject({ url: z.string() }),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});

test('invalid searches are rejected before any request', async () => {
  await withEngine({}, async (gate) => {
    const refused: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
      [{}, /search/],
      [{ search: ' ' }, /search/],
      [{ search: 'rye', page: 0 }, /page: must be a whole number from 1 to 100/],
      [{ search: 'rye', page: -1 }, /page/],
      [{ search: 'rye', page: 101 }, /page/],
      [{ search: 'rye', pages: 11 }, /pages: must be a whole number from 1 to 10/],
      [{ search: 'rye', q: 'oats' }, /q: is an alias of search, and the two differ/],
      [{ search: 'rye', geo: 'DE', country: 'FR' }, /alias of geo/],
      [{ search: 'rye', geo: 'Atlantis' }, /geo: is not a known country/],
      [{ search: 'rye', geo: 'D' }, /geo/],
      [{ search: 'rye', geo: 'D'.repeat(65) }, /geo/],
      [{ search: 'rye', locale: 'd' }, /locale/],
      [{ search: 'rye', domain: 'xx' }, /domain: is no domain of the engine/],
      [{ search: 'rye', sites: 'x' }, /sites/],
    ];
    for (const [given, says] of refused) {
      const { code, message } = await searchForFailure(gate, given);
      assert.equal(code, 'invalid_request', JSON.stringify(given));
      assert.match(message, says);
    }
    assert.equal(gate.visits.length, 0);
  });
});

test('a captcha or an empty shell gives no result and no charge', async () => {
  const other = withApi('http://127.0.0.1:1/', ['page']);
  await withEngine({ search: other }, async (gate) => {
    for (const words of ['captcha', 'shell']) {
      const { code, message, spent } = await searchForFailure(gate, { search: words });
      assert.deepEqual([code, spent], ['target_blocked', [0, 0]], message);
    }
    assert.ok(gate.visits.every(({ url }) => url.origin === ORIGIN));
  });
});

test('without a browser the mobile page is used, and without both the error names the settings', async () => {
  await withEngine({ tierVisits: { http: engine } }, async (gate) => {
    const body = await search(gate, { search: 'rye' });
    assert.deepEqual([body.organic_results.length, body.paid_results.length], [10, 0]);
    assert.match(body.meta_data.url, /\/wml\/search\?/);
    const { code, message } = await searchForFailure(gate, { search: 'captcha' });
    assert.equal(code, 'target_blocked');
    assert.match(
      message,
      /no tier browser \(set QUERN_CHROMIUM\).*list an API that returns the results of this engine/,
    );
  });
});

test('results with forbidden URLs are dropped', async () => {
  await withEngine({}, async (gate) => {
    const { organic_results: results } = await search(gate, { search: 'bad links' });
    assert.deepEqual(
      results.map(({ url, position }) => [url, position]),
      [['https://good.example/', 1]],
    );
  });
});

test('a configured API is used first, and the engine page if it fails', async () => {
  const ANSWER = {
    organic: [{ title: 'Rye', url: 'https://rye.example/a/b', snippet: 'Dark' }],
    ads: [{ title: 'Sails', url: 'https://sails.example/', snippet: '' }],
  };
  let status = 200;
  await using api = await startHttpServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER));
  });
  await withEngine({ search: withApi(api.origin, ['serp', 'page']) }, async (gate) => {
    const body = await search(gate, { search: 'rye' });
    assert.deepEqual(
      [...body.paid_results, ...body.organic_results].map((one) => [one.position_overall, one.url, one.url_shown]),
      [
        [1, 'https://sails.example/', 'sails.example'],
        [2, 'https://rye.example/a/b', 'rye.example › a › b'],
      ],
    );
    assert.match(body.meta_data.url, /^https:\/\/mill\.example\/search\?q=rye/);
    assert.equal(gate.visits.length, 0);
    status = 500;
    assert.equal((await search(gate, { search: 'rye' })).organic_results.length, 10);
    const { code, message } = await searchForFailure(gate, { search: 'captcha' });
    assert.deepEqual(
      [code, message.startsWith('serp: returned status 500; page: ')],
      ['target_blocked', true],
      message,
    );
  });
});

test('it can run as a job, and is not available in the free plan', async () => {
  await withEngine({}, async (gate) => {
    const input = { q: 'rye', pages: 2 };
    const { answer } = await gate.ask(getOperation('jobs.submit'), { kind: 'websearch.search', input });
    const [claimed] = await gate.queue.leases.claim('w', 1);
    assert.ok(claimed !== undefined);
    assert.equal(await runClaimed(gate, claimed), 'ok');
    const { answer: kept } = await openJobTools(gate).result(String(answer?.body['id']));
    assert.equal(Body.parse(kept?.body).organic_results.length, 20);
  });
  await withEngine({ plan: 'free' }, async (gate) => {
    assert.equal((await searchForFailure(gate, { search: 'rye' })).code, 'plan_upgrade_required');
  });
});

test('a monitor reports a new result', async () => {
  let found = 'rye';
  const changing: Visit = async (request, signal) => {
    const url = new URL(request.url);
    url.searchParams.set('q', found);
    return engine({ ...request, url }, signal);
  };
  await withEngine({ tierVisits: { browser: changing } }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const watch = { fields: ['organic_results'], array_fields: { organic_results: { key: 'url' } } };
    const target = { operation: 'websearch.search', input: { search: 'rye' } };
    const { answer, error } = await monitors.ask('create', { target, watch, cron: '0 * * * *' });
    assert.equal(error, null);
    const id = String(answer?.body['id']);
    assert.deepEqual(await runAll(gate), ['ok']);
    found = 'oats';
    assert.deepEqual(await pass(gate, 65 * 60_000), ['ok']);
    const [change] = await monitors.changes(id);
    assert.match(JSON.stringify(change), /mill-1\.example\/oats/);
  });
});
