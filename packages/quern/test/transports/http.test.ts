import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as send } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { PerformOperation } from '#engine/call/ask.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import { toLabelledSamples, type Metric, toUnlabelledSamples } from '#kernel/metric.ts';
import {
  call,
  callerWith,
  getErrorCode,
  KEY,
  OPERATIONS,
  PLAIN,
  planWithRate,
  sendRaw,
  startService,
} from './service.ts';

const PAGE = JSON.stringify({ url: 'https://example.com/' });

test('responses contain request id and credits in headers and body', async () => {
  await using service = await startService();
  const { status, headers, body } = await call(`${service.url}/v1/fetch`, { body: PAGE });
  assert.equal(status, 200);
  assert.deepEqual(body.usage, { credits: 2, base: 2, surcharge: 0, tier: 'http' });
  assert.equal(headers.get('x-request-id'), body.request_id);
  assert.equal(headers.get('x-credits-used'), '2');
  assert.equal(headers.get('x-credits-base'), '2');
  assert.equal(headers.get('x-credits-surcharge'), '0');
  assert.equal(headers.get('x-credits-remaining'), '98');
  assert.equal(headers.get('x-access-tier'), 'http');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('deprecation'), null);
  assert.equal(headers.get('ratelimit'), null);
});

test('using a deprecated parameter sets the Deprecation header', async () => {
  await using service = await startService();
  const { headers } = await call(`${service.url}/v1/fetch`, {
    body: JSON.stringify({ url: 'https://example.com/', use_proxy: true }),
  });
  assert.equal(headers.get('deprecation'), 'true');
});

test('a failure costs nothing and reports the remaining credits', async () => {
  await using service = await startService({
    perform: async () => {
      throw new ServiceError('target_blocked', 'every attempt was blocked');
    },
  });
  const reply = await call(`${service.url}/v1/fetch`, { body: PAGE });
  assert.equal(reply.status, 502);
  assert.equal(getErrorCode(reply), 'target_blocked');
  assert.deepEqual(reply.body.diagnostics, { outcome: 'failed', retryable: false, blocked: true });
  assert.equal(reply.headers.get('x-credits-used'), '0');
  assert.equal(reply.headers.get('x-credits-remaining'), '77');
  assert.equal(reply.headers.get('x-access-tier'), null);
});

test('failing to read the balance does not replace the original error', async () => {
  await using service = await startService({
    remaining: async () => {
      throw new Error('the store is away');
    },
  });
  const reply = await call(`${service.url}/v1/fetch`, { body: '{}' });
  assert.equal(getErrorCode(reply), 'invalid_request');
  assert.equal(reply.headers.get('x-credits-remaining'), null);
});

test('every retryable 429 and 503 has Retry-After', async () => {
  const failures = [
    new ServiceError('concurrency_limit_exceeded', 'too many at once'),
    new ServiceError('daily_credit_cap_exceeded', 'spent', { retryAfterSeconds: 4711 }),
    new ServiceError('backend_unavailable', 'no browser'),
    new ServiceError('backend_unavailable', 'no browser, and none is awaited', { retryable: false }),
  ];
  const perform: PerformOperation = async () => {
    throw failures.shift() ?? new Error('one call too many');
  };
  await using service = await startService({ perform });
  const waits = [];
  for (let count = 0; count < 4; count += 1) {
    const { headers } = await call(`${service.url}/v1/fetch`, { body: PAGE });
    waits.push(headers.get('retry-after'));
  }
  assert.deepEqual(waits, ['2', '4711', '2', null]);
});

test('a key above its request rate is rejected before any work, and responses report the rate', async () => {
  await using service = await startService({ findCaller: async () => callerWith(planWithRate(2)) });
  const replies = [];
  for (let count = 0; count < 3; count += 1) replies.push(await call(`${service.url}/v1/usage`));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 429],
  );
  assert.deepEqual(
    replies.map(({ headers }) => headers.get('ratelimit')?.replace(/t=\d+/, 't=')),
    ['"default";r=1;t=', '"default";r=0;t=', '"default";r=0;t='],
  );
  assert.equal(replies[0]?.headers.get('ratelimit-policy'), '"default";q=2;w=60');
  assert.match(replies[2]?.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/);
  assert.equal(replies[2] && getErrorCode(replies[2]), 'rate_limited');
  assert.deepEqual(service.performed, ['usage', 'usage']);
});

test('the request rates of keys are independent', async () => {
  await using service = await startService({ findCaller: async (key) => callerWith(planWithRate(1), key) });
  const statuses = [];
  for (const key of ['a', 'b', 'a']) statuses.push((await call(`${service.url}/v1/usage`, { key })).status);
  assert.deepEqual(statuses, [200, 200, 429]);
});

test('the request rate is checked before the body is read', async () => {
  await using service = await startService({ findCaller: async () => callerWith(planWithRate(1)) });
  await call(`${service.url}/v1/usage`);
  const reply = await call(`${service.url}/v1/fetch`, { body: '{broken' });
  assert.equal(getErrorCode(reply), 'rate_limited');
});

test('an unknown path is 404, a wrong method 405 with Allow', async () => {
  await using service = await startService();
  const unknown = await call(`${service.url}/v1/nothing?secret=1`);
  assert.equal(unknown.status, 404);
  assert.equal(getErrorCode(unknown), 'not_found');
  const wrong = await call(`${service.url}/v1/fetch`);
  assert.equal(wrong.status, 405);
  assert.equal(getErrorCode(wrong), 'method_not_allowed');
  assert.equal(wrong.headers.get('allow'), 'POST, OPTIONS');
  const deleted = await call(`${service.url}/v1/requests/req_1`, { method: 'DELETE' });
  assert.equal(deleted.status, 405);
  assert.equal(deleted.headers.get('allow'), 'GET, HEAD, OPTIONS');
  const odd = await call(`${service.url}/v1/usage`, { method: 'PROPFIND' });
  assert.equal(odd.status, 405);
});

test('OPTIONS lists the methods, HEAD responds like GET without a body', async () => {
  await using service = await startService();
  const options = await call(`${service.url}/v1/usage`, { method: 'OPTIONS', key: null });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS');
  const head = await call(`${service.url}/v1/usage`, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(head.text, '');
  assert.equal((await call(`${service.url}/v1/usage`, { method: 'HEAD', key: null })).status, 401);
});

test('HEAD is not permitted for priced work', async () => {
  const operations = OPERATIONS.map((operation) => ({ ...operation, route: 'GET /v1/thing' }) as const);
  const work = operations.filter(({ kind }) => kind === 'work');
  await using service = await startService({ operations: work });
  const head = await call(`${service.url}/v1/thing?url=https://example.com/`, { method: 'HEAD' });
  assert.equal(head.status, 405);
  assert.equal(head.headers.get('allow'), 'GET, OPTIONS');
  assert.equal((await call(`${service.url}/v1/thing?url=https://example.com/`)).status, 200);
});

test('a path that cannot be decoded is an invalid request', async () => {
  await using service = await startService();
  const reply = await sendRaw(service.port, 'GET /v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.equal(reply.status, 400);
  assert.equal(getErrorCode(reply), 'invalid_request');
  const long = await call(`${service.url}/v1/requests/${'a'.repeat(600)}`);
  assert.equal(getErrorCode(long), 'invalid_request');
  assert.equal(service.lines.filter(({ status }) => status === 400).length, 2);
});

test('decoded path parameters become part of the input', async () => {
  await using service = await startService();
  const { body } = await call(`${service.url}/v1/requests/req%201`);
  assert.deepEqual(body.input, { request_id: 'req 1' });
  const twice = await call(`${service.url}/v1/requests/req_1?request_id=req_2`);
  assert.equal(getErrorCode(twice), 'invalid_request');
});

test('responses of at least 1 KiB are compressed if the client accepts it', async () => {
  const text = 'a long page '.repeat(500);
  const perform: PerformOperation = async (operation) => ({
    ...PLAIN,
    body: { markdown: operation.id === 'fetch' ? text : 'short' },
    usage: null,
    remaining: null,
    deprecated: [],
  });
  await using service = await startService({ perform });
  async function read(path: string, encoding: string): Promise<{ encoding: string | undefined; bytes: Buffer }> {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'accept-encoding': encoding };
    const request = send(`${service.url}${path}`, { method: path === '/v1/usage' ? 'GET' : 'POST', headers });
    request.end(path === '/v1/usage' ? undefined : PAGE);
    const [response] = await once(request, 'response');
    return { encoding: response.headers['content-encoding'], bytes: Buffer.concat(await response.toArray()) };
  }
  const gzip = await read('/v1/fetch', 'gzip');
  assert.equal(gzip.encoding, 'gzip');
  assert.match(gunzipSync(gzip.bytes).toString(), /a long page/);
  const brotli = await read('/v1/fetch', 'gzip, br');
  assert.equal(brotli.encoding, 'br');
  assert.match(brotliDecompressSync(brotli.bytes).toString(), /a long page/);
  assert.equal((await read('/v1/fetch', '')).encoding, undefined);
  assert.equal((await read('/v1/usage', 'gzip')).encoding, undefined);
});

test('pages of other origins may call only when their origin is configured', async () => {
  await using closed = await startService();
  const refused = await call(`${closed.url}/v1/usage`, { headers: { origin: 'https://app.example' } });
  assert.equal(refused.headers.get('access-control-allow-origin'), null);
  await using open = await startService({ corsOrigins: ['https://app.example'] });
  const allowed = await call(`${open.url}/v1/usage`, { headers: { origin: 'https://app.example' } });
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example');
  assert.match(allowed.headers.get('access-control-expose-headers') ?? '', /X-Credits-Used/);
  const foreign = await call(`${open.url}/v1/usage`, { headers: { origin: 'https://other.example' } });
  assert.equal(foreign.headers.get('access-control-allow-origin'), null);
  const preflight = await call(`${open.url}/v1/fetch`, {
    method: 'OPTIONS',
    key: null,
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
  const bare = await call(`${open.url}/v1/fetch`, { method: 'OPTIONS', key: null });
  assert.equal(bare.status, 204);
});

const LOGGED = ['method', 'route', 'operation', 'tenant', 'status', 'code', 'credits', 'client_request_id'];

test('each request is one log line without query values, bodies or keys', async () => {
  await using service = await startService();
  await call(`${service.url}/v1/requests?id=query-canary`, { headers: { 'x-request-id': 'mine-1' } });
  await call(`${service.url}/v1/fetch`, { body: JSON.stringify({ url: 'https://body-canary.example/' }) });
  await call(`${service.url}/path-canary`, { key: null });
  await call(`${service.url}/v1/usage`, { key: 'qk_key-canary' });
  const { lines } = service;
  assert.deepEqual(
    lines.map((line) => LOGGED.map((name) => line[name])),
    [
      ['GET', '/v1/requests', 'requests', 'ten_1', 200, null, 0, 'mine-1'],
      ['POST', '/v1/fetch', 'fetch', 'ten_1', 200, null, 2, undefined],
      ['GET', null, null, null, 404, 'not_found', 0, undefined],
      ['GET', '/v1/usage', 'usage', null, 401, 'invalid_api_key', 0, undefined],
    ],
  );
  assert.doesNotMatch(JSON.stringify(lines), /canary|qk_/);
});

test('work is aborted when its client disconnects', async () => {
  const left = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const perform: PerformOperation = async (_operation, _raw, { signal }) => {
    begun.resolve();
    await once(signal, 'abort');
    left.resolve();
    throw new Error('the caller is gone');
  };
  await using service = await startService({ perform });
  const client = new AbortController();
  const asked = fetch(`${service.url}/v1/fetch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: PAGE,
    signal: client.signal,
  });
  await begun.promise;
  client.abort();
  await assert.rejects(asked);
  await left.promise;
  assert.equal(service.lines[0]?.['status'], 499);
  assert.equal(service.lines.filter(({ level }) => level === 50).length, 0);
});

test('a draining service finishes running requests and rejects new ones', async () => {
  const { perform, begun, finish } = holdWork();
  await using service = await startService({ perform });
  const running = call(`${service.url}/v1/fetch`, { body: PAGE });
  await begun.promise;
  service.drain();
  const refused = await call(`${service.url}/v1/usage`);
  assert.equal(refused.status, 503);
  assert.equal(getErrorCode(refused), 'backend_unavailable');
  assert.equal(refused.headers.get('connection'), 'close');
  assert.equal((await call(`${service.url}/readyz`, { key: null })).status, 503);
  assert.equal((await call(`${service.url}/healthz`, { key: null })).status, 200);
  finish.resolve();
  assert.equal((await running).status, 200);
});

test('closing waits for running requests and closes idle connections', async () => {
  const { perform, begun, finish } = holdWork();
  await using service = await startService({ perform });
  await call(`${service.url}/healthz`);
  const running = call(`${service.url}/v1/fetch`, { body: PAGE });
  await begun.promise;
  service.drain();
  const closed = service.close();
  finish.resolve();
  const { status, headers } = await running;
  assert.equal(status, 200);
  assert.equal(headers.get('connection'), 'close');
  await closed;
  await assert.rejects(call(`${service.url}/healthz`));
});

test('log and metrics contain the duration of requests', async () => {
  const { perform, begun, finish } = holdWork();
  await using service = await startService({ perform });
  const running = call(`${service.url}/v1/fetch`, { body: PAGE });
  await begun.promise;
  await sleep(60);
  finish.resolve();
  await running;
  const { text } = await call(`${service.url}/metrics`, { key: null });
  assert.match(text, /quern_request_duration_seconds_bucket\{le="0.05",operation="fetch"\} 0\n/);
  const took = Number(service.lines.find((line) => line['route'] === '/v1/fetch')?.['duration_ms']);
  assert.ok(took >= 50, `the log says ${took} ms`);
});

test('readiness names every obstacle', async () => {
  const obstacles = ['the store does not answer', 'migrations are running'];
  await using service = await startService({ findObstacles: async () => obstacles });
  const reply = await call(`${service.url}/readyz`, { key: null });
  assert.equal(reply.status, 503);
  assert.equal(getErrorCode(reply), 'backend_unavailable');
  assert.equal(reply.body.error?.message, obstacles.join('; '));
  obstacles.length = 0;
  assert.equal((await call(`${service.url}/readyz`, { key: null })).status, 200);
});

test('metrics are readable from loopback and with the token', async () => {
  await using service = await startService({ metricsToken: 'metrics-token', trustProxy: ['127.0.0.1'] });
  await call(`${service.url}/v1/fetch`, { body: PAGE });
  const { status, text } = await call(`${service.url}/metrics`, { key: null });
  assert.equal(status, 200);
  assert.match(text, /quern_requests_total\{operation="fetch",status="200",code="none"\} 1/);
  assert.match(text, /quern_request_duration_seconds_bucket\{le="0.005",operation="fetch"\}/);
  assert.match(text, /quern_requests_in_flight 1/);
  assert.match(text, /process_resident_memory_bytes \d+/);
  const headers = { 'x-forwarded-for': '127.0.0.1' };
  const throughProxy = await call(`${service.url}/metrics`, { key: null, headers });
  assert.equal(throughProxy.status, 404);
  assert.equal(getErrorCode(throughProxy), 'not_found');
  assert.equal((await call(`${service.url}/metrics`, { key: 'metrics-tokem', headers })).status, 404);
  assert.equal((await call(`${service.url}/metrics`, { key: 'metrics-token', headers })).status, 200);
});

test('a host name that resolves to loopback cannot read metrics', async () => {
  await using service = await startService({ metricsToken: 'metrics-token' });
  const statusFor = async (host: string, more = '') =>
    (await sendRaw(service.port, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`)).status;
  for (const host of ['localhost', 'LocalHost:7700', '127.0.0.1', '127.0.0.1:7700', '[::1]:7700', '10.0.0.7:80'])
    assert.equal(await statusFor(host), 200, host);
  const names = [
    'evil.example',
    'evil.example:7700',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'localhost@evil.example',
  ];
  for (const host of names) assert.equal(await statusFor(host), 404, host);
  assert.equal(await statusFor('quern', 'Authorization: Bearer metrics-token\r\n'), 200);
});

test('while the store is unavailable, only its metrics are missing', async () => {
  let isAway = false;
  const levels = [toUnlabelledSamples(5), toLabelledSamples(new Map([['one', 6]]))].map((values, at): Metric => ({
    name: `waiting_${at}`,
    help: 'What waits',
    kind: 'level',
    labels: at === 0 ? [] : ['what'],
    async read() {
      if (isAway) throw new StoreUnavailable('no connection');
      return values;
    },
  }));
  await using service = await startService({ readings: levels });
  const read = async () => call(`${service.url}/metrics`, { key: null });
  assert.match((await read()).text, /^waiting_0 5\n(.*\n)*waiting_1\{what="one"\} 6\n/m);
  isAway = true;
  const { status, text } = await read();
  assert.equal(status, 200);
  assert.match(text, /quern_requests_in_flight 1/);
  assert.doesNotMatch(text, /^waiting/m);
  isAway = false;
  assert.match((await read()).text, /^waiting_0 5\n/m);
});

test('an unknown Expect header and CONNECT get regular responses', async () => {
  await using service = await startService();
  const expecting = await sendRaw(
    service.port,
    `GET /v1/usage HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nExpect: magic\r\n\r\n`,
  );
  assert.equal(expecting.status, 200);
  const tunnel = await sendRaw(service.port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.equal(tunnel.status, 400);
  assert.equal(getErrorCode(tunnel), 'invalid_request');
});

/** An operation that reports its start and waits until it is released. */
function holdWork() {
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const perform: PerformOperation = async () => {
    begun.resolve();
    await finish.promise;
    return { ...PLAIN, body: { done: true }, usage: null, remaining: null, deprecated: [] };
  };
  return { perform, begun, finish };
}

test('work that shares a route is found by its exact path, with the method and path errors of a route of its own', async () => {
  const work = OPERATIONS.find(({ kind }) => kind === 'work');
  assert.ok(work !== undefined);
  const paths = ['/v1/shared/one', '/v1/shared/two/three'] as const;
  const operations = paths.map((path, at) => ({ ...work, id: `shared.${at}`, route: `GET ${path}` }) as const);
  await using service = await startService({ operations });
  for (const path of paths) {
    const url = service.url + path;
    assert.equal((await call(`${url}?url=https://example.com/`)).status, 200);
    const wrong = await call(url, { method: 'DELETE' });
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers.get('allow'), 'GET, OPTIONS');
    assert.equal((await call(url, { method: 'OPTIONS' })).status, 204);
    assert.equal((await call(`${url}/more`)).status, 404);
    assert.match((await call(`${url}?*=x`)).body.error?.message ?? '', /\*: unknown member/);
  }
  for (const path of ['/v1/*', '/v1/', '/v1/shared', '/openapi/none.json'])
    assert.equal((await call(service.url + path)).status, 404);
});
