import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { TIMEOUTS } from '#transports/http/server-parts.ts';
import { call, getErrorCode, KEY, OPERATIONS, type Reply, sendRaw, type Service, startService } from './service.ts';

const LIMIT = 10 * 1024 * 1024;

/** Sends a body to the work operation. */
async function post(service: Service, body: string | Uint8Array<ArrayBuffer>, headers = {}): Promise<Reply> {
  return call(`${service.url}/v1/fetch`, { body, headers });
}

/** Sends each body and asserts that it is refused as `invalid_request` with a message that matches. */
async function refuses(service: Service, bodies: readonly (readonly [string, RegExp])[]): Promise<void> {
  for (const [body, message] of bodies) {
    const reply = await post(service, body);
    assert.equal(reply.status, 400, body.slice(0, 200));
    assert.equal(getErrorCode(reply), 'invalid_request');
    assert.match(reply.body.error?.message ?? '', message, body.slice(0, 200));
  }
}

function withTimeout(value: string): string {
  return `{"url":"https://example.com/","timeout_ms":${value}}`;
}

function withMember(member: string): string {
  return `{"url":"https://example.com/",${member}}`;
}

function withField(name: string): string {
  return withMember(`"extract":{"fields":{${JSON.stringify(name)}:"string"}}`);
}

test('requests from the service to itself are rejected', async () => {
  await using service = await startService();
  for (const path of ['/v1/usage', '/healthz']) {
    const reply = await call(`${service.url}${path}`, { headers: { 'X-Quern-Depth': '1' } });
    assert.equal(reply.status, 400);
    assert.equal(getErrorCode(reply), 'invalid_request');
  }
  assert.equal((await call(`${service.url}/v1/usage`, { headers: { 'X-Quern-Depth': '0' } })).status, 200);
});

test('a body beyond the limit is refused by its length, before it is read', async () => {
  await using service = await startService();
  const head = `POST /v1/fetch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;
  const reply = await sendRaw(service.port, `${head}Content-Length: ${LIMIT + 1}\r\n\r\n`);
  assert.equal(reply.status, 413);
  assert.equal(getErrorCode(reply), 'payload_too_large');
  assert.equal(reply.closed, true);
});

test('an endless chunked body is refused at the limit', async () => {
  await using service = await startService();
  const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
  const head = `POST /v1/fetch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;
  const reply = await sendRaw(service.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(11)}`);
  assert.equal(reply.status, 413);
  assert.equal(getErrorCode(reply), 'payload_too_large');
  assert.equal(reply.closed, true);
});

test('a compressed body and any type but JSON are refused', async () => {
  await using service = await startService();
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(1024 * 1024)));
  const others = [
    await post(service, bomb, { 'content-encoding': 'gzip' }),
    await post(service, 'url=https://example.com/', { 'content-type': 'application/x-www-form-urlencoded' }),
    await post(service, '{}', { 'content-type': 'text/plain' }),
    await post(service, '{}', { 'content-type': 'application/json-patch+json' }),
    await post(service, '{}', { 'content-type': 'application/json; charset=utf-16' }),
    await post(service, '{}', { 'content-type': 'nonsense' }),
  ];
  for (const reply of others) {
    assert.equal(reply.status, 415);
    assert.equal(getErrorCode(reply), 'unsupported_media_type');
  }
  const plain = JSON.stringify({ url: 'https://example.com/' });
  assert.equal((await post(service, plain, { 'content-encoding': 'identity' })).status, 200);
  assert.equal((await post(service, plain, { 'content-type': 'Application/JSON; charset="UTF-8"' })).status, 200);
});

test('numbers that are not exact integers are refused', async () => {
  await using service = await startService();
  await refuses(service, [
    [withTimeout('NaN'), /not valid JSON/],
    [withTimeout('Infinity'), /not valid JSON/],
    [withTimeout('1e400'), /timeout_ms: the number is out of range/],
    [withTimeout('-0'), /timeout_ms: negative zero/],
    [withTimeout('9007199254740993'), /timeout_ms/],
    [withTimeout('1500.5'), /timeout_ms/],
    [withTimeout('"5000"'), /timeout_ms/],
    [withTimeout('true'), /timeout_ms/],
  ]);
  assert.equal((await post(service, withTimeout('5000.0'))).status, 200);
  assert.equal((await post(service, withTimeout('5e3'))).status, 200);
});

test('names that every object inherits, empty names and floods of names are refused', async () => {
  await using service = await startService();
  await refuses(service, [
    [withMember('"__proto__":{"polluted":true}'), /__proto__/],
    [withField('__proto__'), /extract\.fields: __proto__/],
    [withField('constructor'), /constructor/],
    [withField('toString'), /toString/],
    [withField(''), /empty name/],
    [withMember(`"${'k'.repeat(1024 * 1024)}":1`), /^k{100}….*unknown member/],
    [`{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join(',')}}`, /more than 50000 values/],
    [`{${Array.from({ length: 40_000 }, (_, at) => `"k${at}":1`).join(',')}}`, /unknown member/],
  ]);
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
});

test('deep nesting is refused without recursion', async () => {
  await using service = await startService();
  const deep = (levels: number): string =>
    withMember(`"extract":{"fields":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`);
  assert.equal((await post(service, deep(62))).status, 200);
  await refuses(service, [
    [deep(63), /nested deeper than 64 levels/],
    ['['.repeat(1024 * 1024), /nested deeper than 64 levels/],
    [withMember('"url":"https://example.com/b"'), /duplicate member/],
  ]);
});

test('unknown members are named with the nearest known one, and the error has no extra members', async () => {
  await using service = await startService();
  await refuses(service, [
    [withMember('"ouput":["markdown"]'), /ouput: unknown member; the nearest known name is output/],
    [withMember('"extract":{"feilds":{}}'), /extract\.feilds: unknown member; the nearest known name is fields/],
  ]);
});

test('a missing member is reported by name', async () => {
  await using service = await startService();
  await refuses(service, [['{}', /^url: is missing$/]]);
});

test('requests cannot set a proxy of their own', async () => {
  await using service = await startService();
  await refuses(service, [
    [withMember('"proxy":"http://127.0.0.1:3128"'), /^proxy: /],
    [withMember('"proxy_url":"http://127.0.0.1:3128"'), /^proxy_url: unknown member/],
    [withMember('"proxy":{"server":"127.0.0.1:3128"}'), /^proxy/],
  ]);
});

test('a query is read strictly and never becomes an object', async () => {
  await using service = await startService();
  const refused = [
    'id=1&id=2',
    'id[]=1',
    'id[a]=1',
    'id=%00',
    'id=%FF',
    'id=%zz',
    'id=',
    'id',
    '=1',
    'limit=5.0',
    'limit=0x5',
    'limit=+5',
    'limit=9007199254740993',
    'fresh=1',
    'fresh=TRUE',
    'ratio=1e999',
    'operation=fetch,drawl',
    'filter=%7B%22status%22%3A%22200%22%7D',
    '__proto__=1',
    'constructor=1',
    'lmit=5',
  ];
  for (const query of refused) {
    const reply = await call(`${service.url}/v1/requests?${query}`);
    assert.equal(reply.status, 400, query);
    assert.equal(getErrorCode(reply), 'invalid_request');
  }
  const read = await call(
    `${service.url}/v1/requests?id=a+b%20c%2B&limit=5&fresh=true&ratio=-1.5&operation=fetch&operation=crawl&tag=a,b` +
      `&filter=%7B%22status%22%3A200%7D`,
  );
  assert.deepEqual(read.body.input, {
    id: 'a b c+',
    limit: 5,
    fresh: true,
    ratio: -1.5,
    operation: ['fetch', 'crawl'],
    tag: ['a,b'],
    filter: { status: 200 },
  });
  const raw = await sendRaw(
    service.port,
    Buffer.from(`GET /v1/requests?id=ä HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`, 'latin1'),
  );
  assert.equal(getErrorCode(raw), 'invalid_request');
});

test('a query of 1 MiB is refused', async () => {
  await using service = await startService();
  const reply = await sendRaw(
    service.port,
    `GET /v1/requests?id=${'a'.repeat(1024 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  );
  assert.equal(reply.status, 431);
  assert.equal(getErrorCode(reply), 'invalid_request');
});

test('a request head of 128 KB is accepted, enough for 8,000 characters of any script in a query', async () => {
  await using service = await startService();
  for (const text of ['𓀀'.repeat(8000), '風'.repeat(8000)]) {
    const reply = await sendRaw(
      service.port,
      `GET /v1/requests?tag=${encodeURIComponent(text)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`,
    );
    assert.equal(reply.status, 200);
  }
});

const get = (target: string, rest = ''): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${rest}\r\n`;

test('a request rejected by the parser has details if all errors of the operation have them', async () => {
  await using service = await startService({
    operations: OPERATIONS.map((one) => (one.id === 'requests' ? { ...one, errorDetails: true } : one)),
  });
  const long = 'a'.repeat(1024 * 1024);
  const details = async (...requests: readonly string[]) => {
    const socket = connect(service.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => void (text += chunk.toString()));
    const ended = once(socket, 'end');
    for (const [at, request] of requests.entries()) {
      socket.write(request);
      if (at < requests.length - 1) await once(socket, 'data');
    }
    await ended;
    socket.destroy();
    return text.split('\r\n\r\n').findLast((part) => part.includes('request_id')) ?? '';
  };
  const listed = /"message":"(.*)","details":\["\1"\]/;
  assert.match(await details(get(`/v1/requests?id=${long}`)), listed);
  assert.match(await details(get('/v1/requests', `X-Long: ${long}\r\n`)), listed);
  assert.match(await details(get('/v1/requests', 'no header\r\n')), listed);
  assert.match(await details(get('/v1/usage'), get(`/v1/requests?id=${long}`)), listed);
  for (const other of [
    [get(`/v1/usage?id=${long}`)],
    [get('/v1/requests'), get(`/v1/usage?id=${long}`)],
    ['a\r\n\r\n'],
  ])
    assert.doesNotMatch(await details(...other), /details/);
});

test('words are matched exactly and null is not absence', async () => {
  await using service = await startService();
  await refuses(service, [
    [withMember('"proxy":"Stealth"'), /proxy/],
    [withMember('"proxy":"stealth "'), /proxy/],
    [withMember('"proxy":null'), /proxy/],
    [withMember('"output":null'), /output/],
    [withMember('"output":["Markdown"]'), /output/],
  ]);
});

test('a body that is missing, empty, broken or not UTF-8 is an invalid request', async () => {
  await using service = await startService();
  await refuses(service, [
    ['', /empty/],
    ['{"url":', /not valid JSON/],
    ["{'url':1}", /not valid JSON \(character 1\)/],
    ['null', /body/],
    ['[]', /body/],
    ['"text"', /body/],
  ]);
  const missing = await call(`${service.url}/v1/fetch`, { method: 'POST' });
  assert.equal(getErrorCode(missing), 'invalid_request');
  assert.match(missing.body.error?.message ?? '', /body: is empty/);
  const invalid = await post(service, new Uint8Array([0x22, 0xff, 0x22]));
  assert.match(invalid.body.error?.message ?? '', /not valid UTF-8/);
  const marked = new Uint8Array(Buffer.from('\ufeff{"url":"https://example.com/"}'));
  assert.equal((await post(service, marked)).status, 200);
  const withQuery = await call(`${service.url}/v1/fetch?url=x`, { body: '{}' });
  assert.equal(getErrorCode(withQuery), 'invalid_request');
});

test('ambiguous requests (request smuggling) end the connection', async () => {
  await using service = await startService();
  const auth = `Host: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;
  const many = Array.from({ length: 100 }, (_, at) => `X-H${at}: 1\r\n`).join('');
  const smuggled = [
    `POST /v1/fetch HTTP/1.1\r\n${auth}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /v1/fetch HTTP/1.1\r\n${auth}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    `POST /v1/fetch HTTP/1.1\r\n${auth}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    `POST /v1/fetch HTTP/1.1\r\n${auth}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    `GET /v1/usage HTTP/1.1\r\n${auth}X-A: 1\rX-B: 2\r\n\r\n`,
    `GET /v1/usage HTTP/1.1\nHost: x\n\n`,
    `GET /v1/usage HTTP/1.1\r\n${auth}X-Long: ${'a'.repeat(129 * 1024)}\r\n\r\n`,
    `GET /v1/usage HTTP/1.1\r\n${auth}${many}\r\n`,
    `GET /v1/usage HTTP/1.1\r\n${auth}Host: y\r\n\r\n`,
    `GET /v1/usage HTTP/1.1\r\n\r\n`,
    `FOO /v1/usage HTTP/1.1\r\nHost: x\r\n\r\n`,
    `\u0000\u0001\u0002 nonsense\r\n\r\n`,
  ];
  for (const request of smuggled) {
    const reply = await sendRaw(service.port, request);
    const shown = request.slice(0, 160);
    assert.ok(reply.status === 400 || reply.status === 431, `${reply.status} for ${shown}`);
    assert.equal(getErrorCode(reply), 'invalid_request', shown);
    assert.match(reply.head, /connection: close/i, shown);
    assert.match(reply.head, /x-request-id: req_/i, shown);
    assert.equal(reply.closed, true, shown);
  }
  assert.deepEqual(service.performed, []);
});

test('a head or body that arrives too slowly is aborted, while other requests are served', async () => {
  const timeouts = { ...TIMEOUTS, headers: 800, request: 1500, check: 100 };
  await using service = await startService({ timeouts });
  const idle = Array.from({ length: 200 }, () => connect(service.port, '127.0.0.1').on('error', () => {}));
  for (const socket of idle) socket.write('GET /healthz HTTP/1.1\r\nHost:');
  const slowHead = sendRaw(service.port, 'GET /v1/usage HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  const slowBody = sendRaw(
    service.port,
    `POST /v1/fetch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{`,
  );
  assert.equal((await call(`${service.url}/healthz`, { key: null })).status, 200);
  for (const reply of await Promise.all([slowHead, slowBody])) {
    assert.equal(reply.status, 408);
    assert.equal(getErrorCode(reply), 'invalid_request');
    assert.equal(reply.closed, true);
  }
  for (const socket of idle) socket.destroy();
});

test('lone surrogates are rejected everywhere', async () => {
  await using service = await startService();
  await refuses(service, [
    [String.raw`{"url":"https://example.com/\ud800"}`, /^url: contains a lone surrogate/],
    [
      String.raw`{"url":"https://example.com/","extract":{"fields":{"a":{"b":["\udc00x"]}}}}`,
      /^extract\.fields\.a\.b\.0: contains a lone surrogate/,
    ],
    [String.raw`{"url":"https://example.com/","\ud800":1}`, /the name of a member contains a lone surrogate/],
  ]);
  assert.equal((await post(service, String.raw`{"url":"https://example.com/\ud83d\ude00"}`)).status, 200);
});

test('an overlong id and a broken escape in the path have their own error messages', async () => {
  await using service = await startService();
  for (const [id, message] of [
    ['x'.repeat(10 * 1024), /^a part of the path is longer than 512 characters$/],
    ['%zz', /percent escapes/],
  ] as const) {
    const reply = await call(`${service.url}/v1/requests/${id}`);
    assert.equal(reply.status, 400);
    assert.match(reply.body.error?.message ?? '', message);
  }
});
