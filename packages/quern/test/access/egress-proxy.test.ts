import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createServer as createTlsSite } from 'node:https';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { EGRESS_LIMITS, type EgressCredentials, type EgressLimits } from '#access/egress/credentials.ts';
import { type EgressProxy, startEgressProxy } from '#access/egress/egress-proxy.ts';
import { type ExitLease, createProxyPool } from '#access/proxy/proxy-pool.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { parseProxies } from '#kernel/proxy-urls.ts';
import { startDns } from '#testkit/dns.ts';
import { openHttpProxy, openHttpsProxy, openSilence, openSocksProxy } from '../support/proxies.ts';
import { startTcpServer, startHttpServer, startSocketServer } from '#testkit/servers.ts';
import { AUTHORITY, identity } from '../support/tls.ts';
import { guardWith } from '#testkit/visitor.ts';

type Setup = Parameters<typeof guardWith>[0] & {
  readonly limits?: Partial<EgressLimits>;
  readonly lease?: ExitLease | null;
};

/** The proxy as browsers use it, with an egress guard that allows the given targets. */
async function openEgress({ limits = {}, lease = null, ...setup }: Setup = {}) {
  const { guard, refusals } = guardWith(setup);
  const egress = await startEgressProxy({ guard, limits: { ...EGRESS_LIMITS, ...limits }, clock: SYSTEM_CLOCK, lease });
  return { ...egress, refusals, [Symbol.asyncDispose]: egress.close };
}

function buildHeader({ username, password }: Pick<EgressCredentials, 'username' | 'password'>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

type Sent = {
  readonly pass?: Pick<EgressCredentials, 'username' | 'password'> | null;
  readonly method?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  /** A kept-alive connection; otherwise one for this request. */
  readonly agent?: Agent;
};

/** An absolute-form request, as a browser makes it for http. */
async function get(egress: EgressProxy, url: string, { pass = egress.credentials, ...sent }: Sent = {}) {
  const { method = 'GET', headers = [], body = '', agent = false } = sent;
  const asked = request({
    host: '127.0.0.1',
    port: egress.endpoint.port,
    agent,
    method,
    path: url,
    headers: [
      'Host',
      new URL(url).host,
      ...(pass === null ? [] : ['Proxy-Authorization', buildHeader(pass)]),
      'Proxy-Connection',
      'keep-alive',
      ...(body === '' ? [] : ['Content-Length', String(body.length)]),
      ...headers,
    ],
  });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode, headers: answer.headers, raw: answer.rawHeaders, body: await readText(answer) };
}

/** A tunnel, as a browser makes it for https and WebSockets. */
async function tunnel(egress: EgressProxy, authority: string, pass: Sent['pass'] = egress.credentials) {
  const asked = request({
    host: '127.0.0.1',
    port: egress.endpoint.port,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...(pass === null ? {} : { 'proxy-authorization': buildHeader(pass) }) },
  });
  asked.end();
  const opened = Promise.withResolvers<{ readonly answer: IncomingMessage; readonly socket: Socket }>();
  asked.once('connect', (answer, socket) => opened.resolve({ answer, socket }));
  asked.once('error', opened.reject);
  const { answer, socket } = await opened.promise;
  socket.on('error', () => socket.destroy());
  return { status: answer.statusCode, headers: answer.headers, socket };
}

test('requests and responses pass unchanged, without traces of the proxy', async () => {
  await using site = await startHttpServer(async (asked, response) => {
    const body = `${asked.method} ${asked.url} ${await readText(asked)}`;
    const seen = Buffer.from(JSON.stringify(asked.rawHeaders)).toString('base64');
    const kept = ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Seen', seen];
    const dropped = ['Connection', 'X-Hop', 'X-Hop', '1', 'Keep-Alive', 'timeout=9', 'quern-egress', 'forged'];
    response.writeHead(203, 'Sounds Right', [...kept, ...dropped]).end(body);
  });
  await using egress = await openEgress({ allow: `127.0.0.1:${site.port}` });
  const own = ['X-Odd-CASE', '1', 'Connection', 'X-Mine', 'X-Mine', '2', 'Upgrade', 'websocket', 'TE', 'trailers'];
  const answer = await get(egress, `${site.origin}/a?b=1`, { method: 'POST', headers: own, body: 'rye' });
  assert.equal(answer.status, 203);
  assert.equal(answer.body, 'POST /a?b=1 rye');
  assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2']);
  for (const name of ['x-hop', 'via', 'quern-egress']) assert.equal(answer.headers[name], undefined);
  const seen = JSON.parse(Buffer.from(answer.headers['x-seen'], 'base64').toString());
  const host = `127.0.0.1:${site.port}`;
  const kept = ['Host', host, 'Content-Length', '3', 'X-Odd-CASE', '1', 'Connection', 'keep-alive'];
  assert.deepEqual(seen, kept);
});

test('requests and tunnels without a pass get 407, and no target is contacted', async () => {
  await using site = await startHttpServer((_, response) => response.end('here'));
  await using egress = await openEgress({ allow: `127.0.0.1:${site.port}` });
  const other = egress.issueCredentials(null);
  const wrong = [
    null,
    { username: 'x', password: 'y' },
    { ...egress.credentials, password: other.password },
    { ...egress.credentials, password: '' },
  ];
  for (const pass of wrong) {
    const answer = await get(egress, site.origin, { pass });
    assert.equal(answer.status, 407);
    assert.match(answer.headers['proxy-authenticate'], /^Basic /);
    assert.equal((await tunnel(egress, `127.0.0.1:${site.port}`, pass)).status, 407);
  }
  assert.equal(site.connections(), 0);
  assert.equal((await get(egress, site.origin, { pass: other })).body, 'here');
});

test('private targets, names of private addresses, missing names and closed ports get the same 403', async () => {
  await using canary = await startHttpServer((_, response) => response.end('inside'));
  const gone = await startHttpServer((_, response) => response.end());
  await gone[Symbol.asyncDispose]();
  await using dns = await startDns((name, type) =>
    type === 'A' && name === 'inside.test' ? [{ type: 'A', value: '127.0.0.1' }] : null,
  );
  await using egress = await openEgress({ dns: dns.server, allow: `127.0.0.1:${gone.port}` });
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', 'inside.test', 'missing.test'];
  const places = [
    ...hosts.map((host) => `${host}:${canary.port}`),
    '169.254.169.254:80',
    'metadata.google.internal:80',
    '10.0.0.1:80',
    '93.184.216.34:6379',
    `127.0.0.1:${gone.port}`,
  ];
  const answers = new Set<string>();
  for (const place of places) {
    const { status, raw, body } = await get(egress, `http://${place}/`);
    answers.add(JSON.stringify([status, raw, body]));
    const opened = await tunnel(egress, place);
    assert.equal(opened.status, 403, place);
    assert.equal(opened.headers['quern-egress'], 'unreachable');
    assert.equal(egress.credentials.failureOf(new URL(`http://${place}/`))?.code, 'target_unreachable', place);
  }
  assert.deepEqual([...answers], ['[403,["quern-egress","unreachable","content-length","0","Connection","close"],""]']);
  assert.equal(canary.connections(), 0);
  assert.ok(egress.refusals.some(({ reason }) => reason === '169.254.169.254 is an address that can never be fetched'));
});

test('each connection is checked again, and made to the checked address', async () => {
  await using dns = await startDns((_, type, n) =>
    type === 'A' ? [{ type: 'A', value: n % 2 === 1 ? '127.0.0.2' : '127.0.0.1' }] : [],
  );
  await using canary = await startHttpServer((_, response) => response.end('inside'));
  await using site = await startHttpServer((_, response) => response.end('checked'), {
    host: '127.0.0.2',
    port: canary.port,
  });
  await using egress = await openEgress({ dns: dns.server, allow: `127.0.0.2:${site.port}` });
  const seen = [];
  for (let n = 0; n < 4; n += 1) seen.push((await get(egress, `http://rebind.test:${site.port}/`)).status);
  assert.deepEqual(seen, [200, 403, 200, 403]);
  assert.equal((await tunnel(egress, `rebind.test:${site.port}`)).status, 200);
  assert.equal(canary.connections(), 0);
});

test('keep-alive connections to the target belong to one host and pass, and end with the browser’s', async () => {
  await using site = await startHttpServer((asked, response) => response.end(asked.url));
  await using other = await startHttpServer((_, response) => response.end('other'));
  await using egress = await openEgress({ allow: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const path of ['/a', '/b', '/c']) {
    assert.equal((await get(egress, `${site.origin}${path}`, { agent })).body, path);
  }
  assert.equal(site.connections(), 1);
  const bytes = egress.credentials.bytes();
  assert.equal((await get(egress, `${site.origin}/d`, { agent, pass: egress.issueCredentials(null) })).body, '/d');
  assert.equal(egress.credentials.bytes(), bytes);
  assert.equal(site.connections(), 2);
  assert.equal((await get(egress, other.origin, { agent })).body, 'other');
  assert.equal((await get(egress, `${site.origin}/e`, { agent })).body, '/e');
  assert.equal(site.connections(), 3);
  agent.destroy();
  while (site.sockets().length + other.sockets().length > 0) await delay(10);
});

test('a request over a kept-alive connection is checked again, and never sent to an outdated address', async () => {
  await using dns = await startDns((_, type, n) =>
    type === 'A' ? [{ type: 'A', value: n <= 2 ? '127.0.0.2' : '127.0.0.1' }] : [],
  );
  await using canary = await startHttpServer((_, response) => response.end('inside'));
  await using site = await startHttpServer((_, response) => response.end('checked'), {
    host: '127.0.0.2',
    port: canary.port,
  });
  await using egress = await openEgress({ dns: dns.server, allow: `127.0.0.2:${site.port}` });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen = [];
  for (let n = 0; n < 3; n += 1) {
    seen.push((await get(egress, `http://rebind.test:${site.port}/`, { agent })).status);
  }
  agent.destroy();
  assert.deepEqual(seen, [200, 200, 403]);
  assert.equal(site.connections(), 1);
  assert.equal(canary.connections(), 0);
});

test('only requests for http and tunnels to a host and port are accepted', async () => {
  await using egress = await openEgress();
  for (const place of ['example.com', 'user@example.com:443', 'example.com:443/x', ':443', '[::1:443']) {
    assert.equal((await tunnel(egress, place)).status, 400, place);
  }
  for (const url of ['https://example.com/', 'ftp://example.com/', 'file:///etc/passwd']) {
    assert.equal((await get(egress, url)).status, 400, url);
  }
  const own = await get(egress, 'http://user:pass@example.com/');
  assert.equal(own.status, 403);
});

test('a tunnel carries TLS with the certificate of the target, and supports half-closed connections', async () => {
  await using secure = await startTcpServer(createTlsSite(identity('good'), (_, response) => response.end('secure')));
  const echo = createTcpServer({ allowHalfOpen: true }, (socket) => {
    void readAll(socket).then((said) => socket.end(`after the end: ${said}`));
  });
  await using late = await startTcpServer(echo);
  await using egress = await openEgress({ allow: '127.0.0.1' });
  const { socket } = await tunnel(egress, `127.0.0.1:${secure.port}`);
  const inner = connectTls({ socket, servername: 'good.test', ca: AUTHORITY });
  inner.write('GET / HTTP/1.1\r\nHost: good.test\r\nConnection: close\r\n\r\n');
  assert.match(await readText(inner), /secure$/);
  const half = await tunnel(egress, `127.0.0.1:${late.port}`);
  half.socket.end('rye');
  assert.equal(await readAll(half.socket), 'after the end: rye');
  assert.ok(egress.credentials.bytes() > 0);
});

/** Reads to the end, and keeps the other direction open. */
async function readAll(socket: Socket): Promise<string> {
  let all = '';
  socket.on('data', (chunk) => (all += String(chunk)));
  await once(socket, 'end');
  return all;
}

test('an idle tunnel, or one whose reader stalls, is closed', async () => {
  await using silence = await openSilence();
  await using flood = await startSocketServer((socket) => {
    const fill = (): void => {
      if (socket.destroyed) return;
      if (socket.write(Buffer.alloc(65_536))) setImmediate(fill);
      else socket.once('drain', fill);
    };
    fill();
  });
  await using egress = await openEgress({ allow: '127.0.0.1', limits: { idleMs: 200 } });
  const idle = await tunnel(egress, `127.0.0.1:${silence.port}`);
  idle.socket.resume();
  await once(idle.socket, 'close');
  const slow = await tunnel(egress, `127.0.0.1:${flood.port}`);
  slow.socket.write('go');
  slow.socket.pause();
  const before = egress.credentials.bytes();
  const [flooding] = flood.sockets();
  await new Promise((resolve) => flooding?.once('close', resolve));
  assert.ok(egress.credentials.bytes() - before < 64 * 2 ** 20);
  slow.socket.destroy();
});

test('connections and bytes of each pass are limited separately', async () => {
  await using silence = await openSilence();
  await using big = await startHttpServer((_, response) => response.end(Buffer.alloc(300_000)));
  await using egress = await openEgress({ allow: '127.0.0.1', limits: { sockets: 2, bytes: 200_000 } });
  const other = egress.issueCredentials(null);
  const place = `127.0.0.1:${silence.port}`;
  const first = await tunnel(egress, place);
  await tunnel(egress, place);
  const third = await tunnel(egress, place);
  assert.deepEqual([third.status, third.headers['quern-egress']], [503, 'full']);
  assert.equal((await tunnel(egress, place, other)).status, 200);
  first.socket.destroy();
  await once(first.socket, 'close');
  await assert.rejects(
    (async () => {
      for (;;) await get(egress, big.origin);
    })(),
  );
  assert.equal((await get(egress, big.origin)).status, 407);
  assert.equal((await tunnel(egress, place, other)).status, 200);
});

test('a page that keeps requesting private addresses loses its pass, which limits the log', async () => {
  await using egress = await openEgress({ limits: { failures: 3 } });
  for (let n = 0; n < 3; n += 1) assert.equal((await get(egress, `http://10.0.0.${n}/`)).status, 403);
  await assert.rejects(get(egress, 'http://10.0.0.9/'));
  assert.equal((await get(egress, 'http://10.0.0.10/')).status, 407);
  assert.equal(egress.refusals.length, 4);
});

test('revoking a pass ends its connections at once, including those being opened', async () => {
  await using silence = await openSilence();
  await using egress = await openEgress({ allow: '127.0.0.1' });
  const pass = egress.issueCredentials(null);
  const { socket } = await tunnel(egress, `127.0.0.1:${silence.port}`, pass);
  socket.resume();
  pass.revoke();
  await once(socket, 'close');
  assert.equal((await tunnel(egress, `127.0.0.1:${silence.port}`, pass)).status, 407);
});

test('invalid responses, dropped connections and protocol switches affect only their own request', async () => {
  const nonsense = [
    'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'SSH-2.0-x\r\n',
    '',
  ];
  await using egress = await openEgress({ allow: '127.0.0.1' });
  for (const bytes of nonsense) {
    await using odd = await startSocketServer((socket) => socket.end(bytes));
    await assert.rejects(get(egress, odd.origin), bytes);
  }
  await using site = await startHttpServer((_, response) => response.end('here'));
  assert.equal((await get(egress, site.origin)).body, 'here');
});

test('deviations that browsers tolerate are passed on, but conflicting lengths are not', async () => {
  const said = 'HTTP/1.1 200 OK\r\nX-Odd: 1\r\n 2\r\nContent-Length: 4\r\n';
  await using egress = await openEgress({ allow: '127.0.0.1' });
  for (const forgiven of [said, said.replaceAll('\r\n', '\n')]) {
    await using odd = await startSocketServer((socket) => socket.end(`${forgiven}\r\nrye.`));
    assert.equal((await get(egress, odd.origin)).body, 'rye.', forgiven);
  }
  const inChunks = '4\r\nrye.\r\n0\r\n\r\n';
  const bodies = [
    ['Transfer-Encoding: chunked', inChunks],
    ['Transfer-Encoding: chunked, identity', inChunks],
    ['Transfer-Encoding: identity', 'rye.'],
    ['Content-Length: 4', 'rye.'],
    ['X-Odd : 1', 'rye.'],
  ] as const;
  for (const [field, body] of bodies) {
    await using odd = await startSocketServer((socket) => socket.end(`${said}${field}\r\n\r\n${body}`));
    assert.equal((await get(egress, odd.origin)).body, 'rye.', field.slice(0, 40));
    // The target received only two requests, one for each parser, on separate connections.
    assert.ok(odd.connections() <= 2, field);
  }
  await using odd = await startSocketServer((socket) => socket.end(`${said}Content-Length: 5\r\n\r\nrye.`));
  await assert.rejects(get(egress, odd.origin));
});

test('an endless response head is cut off', async () => {
  await using egress = await openEgress({ limits: { headMs: 300 } });
  const socket = connect(egress.endpoint.port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write('GET http://example.com/ HTTP/1.1\r\nX: ');
  socket.resume();
  await once(socket, 'close');
});

test('a connection timeout of a target is distinguished from a refused connection', async () => {
  await using egress = await openEgress({
    resolve: async () => new Promise(() => {}),
    limits: { connectMs: 100 },
  });
  const answer = await get(egress, 'http://slow.test/');
  assert.deepEqual([answer.status, answer.headers['quern-egress']], [504, 'timeout']);
  assert.equal(egress.credentials.failureOf(new URL('http://slow.test/'))?.code, 'timeout');
});

for (const [name, open] of [
  ['HTTP', openHttpProxy],
  ['HTTPS', openHttpsProxy],
  ['SOCKS5', openSocksProxy],
] as const) {
  test(`with an operator proxy (${name}), all requests use its exit, and private targets never reach it`, async () => {
    await using site = await startHttpServer((asked, response) => response.end(asked.socket.remoteAddress));
    await using proxy = await open({ auth: 'rye:millstone' });
    await using egress = await openEgress({ allow: `127.0.0.1:${site.port}`, lease: buildLease(proxy.url) });
    assert.equal((await get(egress, site.origin)).body, '127.0.0.2');
    const { socket } = await tunnel(egress, `127.0.0.1:${site.port}`);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.match(await readText(socket), /127\.0\.0\.2/);
    assert.equal((await get(egress, 'http://10.0.0.1/')).status, 403);
    assert.equal((await get(egress, 'http://missing.test/')).status, 403);
    assert.deepEqual(
      proxy.asked.map(({ authority }) => authority),
      [`127.0.0.1:${site.port}`, `127.0.0.1:${site.port}`],
    );
  });
}

test('a failed operator proxy is distinguished from a failed target, and each pass has its own route', async () => {
  await using site = await startHttpServer((asked, response) => response.end(asked.socket.remoteAddress));
  await using proxy = await openHttpProxy({ auth: 'rye:millstone' });
  await using egress = await openEgress({ allow: `127.0.0.1:${site.port}` });
  const bad = egress.issueCredentials(buildLease(proxy.url.replace('millstone', 'wrong')));
  const good = egress.issueCredentials(buildLease(proxy.url));
  const failed = await get(egress, site.origin, { pass: bad });
  assert.deepEqual([failed.status, failed.headers['quern-egress']], [502, 'proxy_error']);
  assert.equal(bad.failureOf(new URL(site.origin))?.code, 'backend_unavailable');
  assert.equal((await get(egress, site.origin, { pass: good })).body, '127.0.0.2');
  assert.equal((await get(egress, site.origin)).body, '127.0.0.1');
  assert.equal(good.failureOf(new URL(site.origin)), null);
});

function buildLease(list: string): ExitLease {
  const templates = parseProxies(list);
  if (typeof templates === 'string') throw new Error(templates);
  const clock = SYSTEM_CLOCK;
  const pool = createProxyPool({
    templates,
    setting: list,
    clock,
    random: () => 0,
    isOpened: () => true,
    ca: [AUTHORITY],
  });
  const lease = pool.take('shop.test', { tenant: 'mill', country: null, excludedKeys: [] });
  if (lease === null) throw new Error('no exit');
  return lease;
}
