import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlans } from '#engine/identity/plans.ts';
import { call, callerWith, getErrorCode, KEY, OPERATIONS, sendRaw, startService } from './service.ts';

/** Sends a raw GET for the usage with these header lines. */
function withHeaders(...lines: readonly string[]): string {
  return ['GET /v1/usage HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n');
}

/** Calls with an unknown key, as from an address behind a proxy. */
async function tryKey(url: string, from: string): Promise<number> {
  return (await call(`${url}/v1/usage`, { key: 'qk_bad', headers: { 'x-forwarded-for': from } })).status;
}

test("responses have the service's own request id; the client's id is only logged, sanitised", async () => {
  await using service = await startService();
  const ids = ['req_chosen', 'a'.repeat(10_000), 'smile \u00f0\u009f\u0098\u0080 end', 'tab\there'];
  for (const id of ids) {
    const { head, body } = await sendRaw(
      service.port,
      Buffer.from(withHeaders(`Authorization: Bearer ${KEY}`, `X-Request-Id: ${id}`), 'latin1'),
    );
    assert.match(body.request_id ?? '', /^req_[0-9a-z]{26}$/);
    assert.ok(head.toLowerCase().includes(`x-request-id: ${body.request_id}`));
  }
  assert.deepEqual(
    service.lines.map((line) => line['client_request_id']),
    ['req_chosen', 'a'.repeat(128), 'smile ???? end', 'tab?here'],
  );
});

test('a missing or empty header or another scheme is missing_api_key', async () => {
  await using service = await startService();
  const missing = [
    [],
    ['Authorization:'],
    ['Authorization: Basic dXNlcjpwYXNz'],
    ['Authorization: Bearer'],
    ['Authorization: Bearer  '],
    [`Authorization: ${KEY}`],
    [`X-Api-Key: ${KEY}`],
  ];
  for (const lines of missing) {
    const reply = await sendRaw(service.port, withHeaders(...lines));
    assert.equal(reply.status, 401, lines.join());
    assert.equal(getErrorCode(reply), 'missing_api_key', lines.join());
    assert.match(reply.head, /www-authenticate: Bearer/i);
  }
  const inQuery = await call(`${service.url}/v1/requests?api_key=${KEY}&authorization=${KEY}`, { key: null });
  assert.equal(getErrorCode(inQuery), 'missing_api_key');
});

test('an unknown key, two headers or a list of keys is invalid_api_key', async () => {
  await using service = await startService();
  const invalid = [
    ['Authorization: Bearer qk_unknown'],
    [`Authorization: Bearer ${KEY},b`],
    [`Authorization: Bearer ${KEY} ${KEY}`],
    [`Authorization: Bearer ${KEY}`, `Authorization: Bearer ${KEY}`],
    [`Authorization: Bearer ${KEY}`, 'authorization: Basic dXNlcjpwYXNz'],
    [`Authorization: Bearer ${KEY}\u00e4`],
    [`Authorization: Bearer ${'k'.repeat(4096)}`],
  ];
  for (const lines of invalid) {
    const reply = await sendRaw(service.port, Buffer.from(withHeaders(...lines), 'latin1'));
    assert.equal(reply.status, 401, lines.join());
    assert.equal(getErrorCode(reply), 'invalid_api_key', lines.join());
  }
});

test('the scheme is case-insensitive and may be followed by several spaces', async () => {
  await using service = await startService();
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
    const reply = await sendRaw(service.port, withHeaders(`Authorization: ${scheme} ${KEY}`));
    assert.equal(reply.status, 200, scheme);
  }
});

test('the key is checked before the body is read', async () => {
  await using service = await startService();
  const head = 'POST /v1/fetch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';
  const reply = await sendRaw(service.port, head);
  assert.equal(getErrorCode(reply), 'missing_api_key');
});

test('a wrong metrics token of any length or prefix gets the same 404', async () => {
  await using service = await startService({ metricsToken: 'metrics-token' });
  const bodies = new Set<string>();
  for (const key of ['m', 'metrics-toke', 'metrics-token2', 'xetrics-token', 'x'.repeat(500)]) {
    const reply = await call(`${service.url}/metrics`, { key, headers: { 'x-forwarded-for': '192.0.2.1' } });
    assert.equal(reply.status, 404);
    bodies.add(JSON.stringify(reply.body.error));
  }
  assert.equal(bodies.size, 1);
});

test('the response to an unexpected error contains only the request id', async () => {
  await using service = await startService({
    perform: async () => {
      throw new Error('SQLITE_BUSY: select * from keys at /srv/app/store.ts:12', { cause: new Error('inner') });
    },
  });
  const reply = await call(`${service.url}/v1/usage`);
  assert.equal(reply.status, 500);
  assert.equal(getErrorCode(reply), 'internal_error');
  assert.doesNotMatch(reply.text, /SQLITE|select|\.ts|stack|at |fastify|node/i);
  const logged = service.lines.find(({ level }) => level === 50);
  assert.equal(logged?.['request_id'], reply.body.request_id);
  assert.match(JSON.stringify(logged), /SQLITE_BUSY.*store\.ts/);
});

test('a thrown value that is not an Error gets the same response', async () => {
  await using service = await startService({
    findCaller: async () => {
      const thrown: unknown = { secret: 'detail' };
      throw thrown;
    },
  });
  const reply = await call(`${service.url}/v1/usage`);
  assert.equal(reply.status, 500);
  assert.equal(getErrorCode(reply), 'internal_error');
  assert.doesNotMatch(reply.text, /detail/);
});

test('an address that tries many bad keys is limited, while valid keys from it still work', async () => {
  await using service = await startService();
  const statuses = [];
  for (let count = 0; count < 32; count += 1) {
    statuses.push((await call(`${service.url}/v1/usage`, { key: `qk_bad${count}` })).status);
  }
  assert.deepEqual(statuses, [...Array.from({ length: 30 }, () => 401), 429, 429]);
  const stopped = await call(`${service.url}/v1/usage`, { key: 'qk_bad' });
  assert.equal(getErrorCode(stopped), 'rate_limited');
  assert.match(stopped.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/);
  assert.equal((await call(`${service.url}/v1/usage`)).status, 200);
  assert.equal((await call(`${service.url}/v1/usage`, { key: null })).status, 401);
});

test('X-Forwarded-For is used only from a trusted proxy', async () => {
  await using service = await startService({ trustProxy: ['127.0.0.0/8'] });
  await using direct = await startService();
  for (let count = 0; count < 31; count += 1) {
    await tryKey(service.url, `2001:db8:1:1::${count}`);
    await tryKey(direct.url, `192.0.2.${count}`);
  }
  assert.equal(await tryKey(service.url, '2001:db8:1:1:ffff::1'), 429);
  assert.equal(await tryKey(service.url, '2001:db8:1:2::1'), 401);
  assert.equal(await tryKey(direct.url, '192.0.2.200'), 429);
});

test('all operation routes and /mcp require a key', async () => {
  await using service = await startService();
  const routes = [...OPERATIONS.map(({ route }) => route ?? ''), 'POST /mcp'];
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    const reply = await call(`${service.url}${path.replaceAll(/\{\w+\}/g, 'x')}`, { method, key: null });
    assert.equal(reply.status, 401, route);
    assert.equal(getErrorCode(reply), 'missing_api_key', route);
  }
  assert.deepEqual(service.performed, []);
});

test('operations receive tenant, key and plan of the caller', async () => {
  const caller = callerWith(loadPlans(null).starter, 'key_7');
  await using service = await startService({ findCaller: async () => caller });
  await call(`${service.url}/v1/usage`);
  assert.deepEqual(service.asks[0]?.caller, caller);
});
