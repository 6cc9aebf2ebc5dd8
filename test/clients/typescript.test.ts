import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Quern, QuernConnectionError, QuernError, verifyWebhook, WebhookError } from '#clients/typescript/src/index.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { KEY } from '#support/quern.ts';
import { type RecordedResponse, listResponseProblems } from './answers.ts';
import { startClientWorld, type ClientWorld } from './world.ts';

const ARTICLE = '/articles/the-wheel-turns-again';
const BUSY = { status: 503, retryAfter: 1, code: 'backend_unavailable', retryable: true };

const folder = await mkdtemp(join(tmpdir(), 'quern-client-'));
let world: ClientWorld;
let quern: Quern;

before(async () => {
  world = await startClientWorld(folder);
  quern = new Quern({ baseUrl: `${world.front.origin}/`, apiKey: KEY, fetch: listen });
});
after(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Responses of the service to the client under test. */
const answered: RecordedResponse[] = [];

async function listen(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.headers.get('content-type')?.startsWith('application/json') === true) {
    const body: unknown = await response.clone().json();
    const { pathname: path } = new URL(url);
    // Responses that the front created are not from the service.
    const isFronts = isJsonObject(body) && body['request_id'] === 'req_front';
    if (!isFronts) answered.push({ method: init.method ?? 'GET', path, status: response.status, body });
  }
  return response;
}

/** The calls since a point in time. */
function since(from: number) {
  return world.front.passed.slice(from);
}

test('a fetched page has typed members, and fields are extracted', async () => {
  const page = await quern.fetch({ url: world.site + ARTICLE });
  assert.match(page.markdown ?? '', /^## What was done$/m);
  assert.equal(page.usage.credits, 2);
  const { json } = await quern.fetch({
    url: `${world.site}/shop/whole-rye-flour`,
    output: ['json'],
    extract: { fields: { name: 'string', price: 'money' } },
  });
  assert.deepEqual(json?.['price'], { amount: 4.9, currency: 'EUR' });
});

test('an API error is thrown with its code, status and request id', async () => {
  const nobody = new Quern({ baseUrl: world.front.origin, apiKey: 'qk_wrong' });
  await assert.rejects(nobody.getUsage(), (error) => {
    assert.ok(error instanceof QuernError);
    const { status, code, retryable, requestId } = error;
    assert.deepEqual({ status, code, retryable }, { status: 401, code: 'invalid_api_key', retryable: false });
    assert.match(requestId ?? '', /^req_/);
    return true;
  });
});

test('a call that becomes a job is awaited', async () => {
  const from = world.front.passed.length;
  const page = await quern.fetch({ url: world.site + ARTICLE, timeout_ms: 300_000 });
  assert.match(page.markdown ?? '', /^## What was done$/m);
  assert.ok(since(from).some(({ path }) => path.startsWith('/v1/jobs/')));
});

for (const fault of [BUSY, { ...BUSY, status: 429, code: 'concurrency_limit_exceeded' }])
  test(`a ${fault.status} is retried after its Retry-After time, with the same idempotency key`, async () => {
    const from = world.front.passed.length;
    world.front.plan(fault, fault);
    await quern.fetch({ url: world.site + ARTICLE });
    const calls = since(from);
    assert.equal(calls.length, 3);
    assert.equal(new Set(calls.map(({ key }) => key)).size, 1);
    assert.ok((calls[0]?.key ?? '').length > 20);
    const [first, second] = calls;
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 900);
  });

test('an error that is not retryable or has a long Retry-After is thrown immediately', async () => {
  const from = world.front.passed.length;
  world.front.plan({ status: 502, retryAfter: null, code: 'target_blocked', retryable: false });
  await assert.rejects(quern.fetch({ url: world.site }), { code: 'target_blocked' });
  world.front.plan({ status: 429, retryAfter: 7200, code: 'daily_credit_cap_exceeded', retryable: true });
  await assert.rejects(quern.fetch({ url: world.site }), { code: 'daily_credit_cap_exceeded', retryAfter: 7200 });
  assert.equal(since(from).length, 2);
});

test('a call whose response was lost is repeated, gets that response, and is charged once', async () => {
  const { credits_used: used } = await quern.getUsage();
  const from = world.front.passed.length;
  world.front.plan('lost', 'answer lost');
  const page = await quern.fetch({ url: `${world.site}/articles/bridge-closed-on-sunday` });
  assert.equal(page.status_code, 200);
  assert.deepEqual(
    since(from).map(({ replayed }) => replayed),
    [null, false, true],
  );
  assert.equal((await quern.getUsage()).credits_used, used + 2);
});

test('a call that is not idempotent is not repeated after its response is lost', async () => {
  world.front.plan('lost');
  await assert.rejects(quern.cancelJob({ id: 'job_0' }), QuernConnectionError);
});

test('a signal aborts a call, a wait between two attempts, and the iteration of a run', async () => {
  await assert.rejects(
    quern.fetch({ url: world.site }, { signal: AbortSignal.abort('enough') }),
    (error) => error === 'enough',
  );
  const waiting = new AbortController();
  world.front.plan({ ...BUSY, retryAfter: 50 });
  const call = quern.fetch({ url: world.site }, { signal: waiting.signal });
  setTimeout(() => waiting.abort('no more'), 300);
  await assert.rejects(call, (error) => error === 'no more');
  const leaving = new AbortController();
  const run = quern.crawl({ url: world.site, max_pages: 10 }, { signal: leaving.signal });
  await assert.rejects(
    async () => {
      for await (const page of run) if (page.url !== '') leaving.abort('left');
    },
    (error) => error === 'left',
  );
  await run.cancel();
  assert.equal((await quern.waitFor(await run.job())).status, 'cancelled');
});

test('a crawl returns its pages while it runs, each once, even if the service is killed meanwhile', async () => {
  const seen: string[] = [];
  const told: number[] = [];
  const run = quern.crawl(
    { url: world.site, max_pages: 10, delay_ms: 400 },
    { onProgress: ({ completed }) => told.push(completed) },
  );
  for await (const { url, markdown } of run) {
    assert.equal(typeof markdown, 'string');
    seen.push(url);
    if (seen.length === 2) await world.restart();
  }
  assert.equal(seen.length, 10);
  assert.equal(new Set(seen).size, 10);
  assert.ok(
    told.some((count) => count > 0 && count < 10),
    `progress was told as ${told.join()}`,
  );
  assert.equal(run.progress?.completed, 10);
  const whole = await run;
  assert.deepEqual(
    whole.pages.map(({ url }) => url),
    seen,
  );
  assert.equal(whole.usage.credits, 20);
});

test('a crawl that ends between a status check and a page read returns each page once', async () => {
  const base = { baseUrl: world.front.origin, apiKey: KEY };
  const other = new Quern(base);
  const ended = Promise.withResolvers<void>();
  const late = new Quern({
    ...base,
    async fetch(url, init) {
      if (url.includes('/result')) await ended.promise;
      return fetch(url, init);
    },
  });
  const run = late.crawl({ url: world.site, max_pages: 4, delay_ms: 400 });
  const waiting = other.waitFor(await run.job()).then(() => ended.resolve());
  const seen: string[] = [];
  for await (const { url } of run) seen.push(url);
  await waiting;
  assert.deepEqual([seen.length, new Set(seen).size], [4, 4]);
});

test('another client resumes a run at the cursor of the first', async () => {
  const first = quern.crawl({ url: world.site, max_pages: 8 });
  const seen: string[] = [];
  for await (const { url } of first) {
    seen.push(url);
    if (first.cursor !== null) break;
  }
  const { id } = await first.job();
  const other = new Quern({ baseUrl: world.front.origin, apiKey: KEY });
  for await (const { url } of other.resumeCrawl(id, { cursor: first.cursor })) seen.push(url);
  assert.equal(seen.length, 8);
  assert.equal(new Set(seen).size, 8);
});

test('a map can be awaited as a whole, and a result can be read line by line', async () => {
  const run = quern.map({ url: `${world.site}/shop`, max_urls: 5, sources: ['links'], max_depth: 1 });
  const { urls, usage } = await run;
  assert.equal(urls.length, 5);
  assert.ok(usage.credits > 0);
  const lines: unknown[] = [];
  for await (const line of quern.resultLines(await run.job())) lines.push(line);
  assert.deepEqual(lines, urls);
});

test('a failed job throws an error with its code', async () => {
  const gone = await startHttpServer(() => {});
  await gone[Symbol.asyncDispose]();
  const run = quern.crawl({ url: gone.origin, max_pages: 2 });
  await assert.rejects(async () => run, { code: 'target_unreachable', jobId: (await run.job()).id });
});

test('lists are read page by page, and a job can be followed to its end', async () => {
  const { id } = await quern.submitJob({ kind: 'fetch', input: { url: world.site + ARTICLE } });
  const types: string[] = [];
  for await (const { type, job } of quern.followJob({ id })) {
    assert.equal(job.id, id);
    types.push(type);
  }
  assert.equal(types.at(-1), 'end');
  const { data, next_cursor: cursor } = await quern.listJobs({ limit: 2 });
  assert.equal(data.length, 2);
  assert.notEqual(cursor, null);
  const ids: string[] = [];
  for await (const job of quern.listJobs({ limit: 2 })) ids.push(job.id);
  assert.ok(ids.length > 2);
  assert.equal(new Set(ids).size, ids.length);
});

test('a monitor can be created, changed and deleted', async () => {
  const monitor = await quern.createMonitor({ url: `${world.site}/shop/whole-rye-flour`, extract: { price: 'money' } });
  assert.equal(monitor.active, true);
  assert.equal((await quern.updateMonitor({ id: monitor.id, active: false })).active, false);
  await quern.deleteMonitor({ id: monitor.id });
  await assert.rejects(quern.getMonitor({ id: monitor.id }), { code: 'not_found' });
});

test('a webhook delivery is verified, and an altered, foreign or old one is rejected', async () => {
  const job = await quern.submitJob({
    kind: 'fetch',
    input: { url: world.site + ARTICLE },
    webhook: `${world.receiver}/hook`,
  });
  const secret = job.webhook?.secret ?? '';
  const delivery = await world.delivery();
  const event = await verifyWebhook(delivery, { secret });
  assert.equal(event.type, 'job.completed');
  if (event.type === 'job.completed') assert.equal(event.data.id, job.id);
  await verifyWebhook({ ...delivery, headers: new Headers(delivery.headers) }, { secret: ['whsec_b3RoZXI=', secret] });
  const altered = { ...delivery, body: delivery.body.replace('fetch', 'fetsh') };
  await assert.rejects(verifyWebhook(altered, { secret }), WebhookError);
  await assert.rejects(verifyWebhook(delivery, { secret: 'whsec_b3RoZXI=' }), WebhookError);
  await assert.rejects(verifyWebhook(delivery, { secret, now: Date.now() + 301_000 }), WebhookError);
  await assert.rejects(verifyWebhook({ ...delivery, headers: {} }, { secret }), WebhookError);
});

test('all responses of the service match the OpenAPI document', () => {
  const problems = listResponseProblems(answered);
  assert.deepEqual(
    Object.entries(problems).filter(([, found]) => found.length > 0),
    [],
  );
  assert.ok(Object.keys(problems).length >= 10, Object.keys(problems).join());
});
