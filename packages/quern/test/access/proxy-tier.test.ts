import assert from 'node:assert/strict';
import { createServer as createTlsSite } from 'node:https';
import { connect } from 'node:net';
import test from 'node:test';
import { AttemptFailure } from '#access/failure.ts';
import { createHttp } from '#access/http/http.ts';
import { PROXY_LIMITS } from '#access/limits.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { createProxyTier } from '#access/tiers/proxy-tier.ts';
import { createProxyPool } from '#access/proxy/proxy-pool.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { SendOnce, Submission } from '#access/page.ts';
import type { ServiceError } from '#kernel/errors.ts';
import { parseProxies } from '#kernel/proxy-urls.ts';
import { startDns } from '#testkit/dns.ts';
import { openHttpProxy, openHttpsProxy, openSilence, openSocksProxy, socksReply } from '#support/proxies.ts';
import { startTcpServer, startHttpServer, startSocketServer } from '#testkit/servers.ts';
import { AUTHORITY, identity } from '#support/tls.ts';
import { captureFailure, guardWith } from '#testkit/visitor.ts';

type Setup = { readonly allow?: string; readonly dns?: string; readonly connectMs?: number };

type Wishes = {
  readonly submission?: Submission;
  readonly country?: string;
  readonly ms?: number;
  readonly tenant?: string;
};

/** The tier `proxy` over a list of proxies, as the service builds it. */
function openVisitorThrough(list: string, { connectMs = 2_000, ...setup }: Setup = {}) {
  const { guard, refusals } = guardWith(setup);
  const limits = { ...PROXY_LIMITS, connectMs };
  const http = createHttp({ guard, limits, profile: DESKTOP_PROFILE, clock: SYSTEM_CLOCK, authorities: [AUTHORITY] });
  const templates = parseProxies(list);
  if (typeof templates === 'string') throw new Error(templates);
  const clock = SYSTEM_CLOCK;
  const pool = createProxyPool({
    templates,
    setting: 'QUERN_PROXIES_DATACENTER',
    clock,
    random: () => 0,
    isOpened: guard.isAllowed,
    ca: [AUTHORITY],
  });
  const visit = createProxyTier(http, pool);
  return {
    refusals,
    async visit(url: string, more: Wishes = {}) {
      const country = more.country === undefined ? {} : { country: more.country };
      const party = { tenant: more.tenant ?? 'mill', weight: 1 };
      const submission = more.submission === undefined ? {} : { submission: more.submission };
      const request = { url: guard.parseTarget(url), headers: {}, cookies: [], party, ...country, ...submission };
      return (await visit(request, AbortSignal.timeout(more.ms ?? 30_000))).page;
    },
    [Symbol.asyncDispose]: async () => http.close(),
  };
}

const text = (page: { readonly body: Uint8Array }) => Buffer.from(page.body).toString();

function getReason({ cause }: ServiceError): string {
  return cause instanceof AttemptFailure ? `${cause.outcome} ${cause.facts.reason}` : 'none';
}

const KINDS = [
  ['HTTP', openHttpProxy, {}],
  ['HTTP with a password', openHttpProxy, { auth: 'rye:mill%stone' }],
  ['HTTPS with a password', openHttpsProxy, { auth: 'rye:millstone' }],
  ['SOCKS5', openSocksProxy, {}],
  ['SOCKS5 with a password', openSocksProxy, { auth: 'rye:millstone' }],
] as const;

for (const [name, open, setup] of KINDS) {
  test(`a page is loaded through a proxy (${name}) over http and https, from the checked address`, async () => {
    await using dns = await startDns((asked, type) =>
      type === 'A' && asked === 'good.test' ? [{ type: 'A', value: '127.0.0.1' }] : null,
    );
    await using plain = await startHttpServer((request, response) =>
      response.end(JSON.stringify({ from: request.socket.remoteAddress, headers: request.rawHeaders })),
    );
    await using secure = await startTcpServer(
      createTlsSite(identity('good'), (request, response) => response.end(request.socket.remoteAddress)),
    );
    await using proxy = await open(setup);
    const url = proxy.url.replace('%stone', '%25stone');
    await using visitor = openVisitorThrough(url, { dns: dns.server, allow: '127.0.0.1' });
    const page = JSON.parse(text(await visitor.visit(`http://good.test:${plain.port}/`)));
    assert.equal(page.from, '127.0.0.2');
    assert.deepEqual(page.headers.slice(0, 2), ['host', `good.test:${plain.port}`]);
    assert.doesNotMatch(JSON.stringify(page.headers), /proxy|forwarded|via/i);
    assert.equal(text(await visitor.visit(`https://good.test:${secure.port}/`)), '127.0.0.2');
    assert.deepEqual(
      proxy.asked.map(({ authority }) => authority),
      [`127.0.0.1:${plain.port}`, `127.0.0.1:${secure.port}`],
    );
    const credentials = 'auth' in setup ? setup.auth : '';
    assert.ok(proxy.asked.every(({ by }) => by === credentials));
  });
}

test('with resolve=proxy the proxy gets the name, and names of private addresses are refused before', async () => {
  const addresses: Readonly<Record<string, string>> = { 'good.test': '127.0.0.1', 'inside.test': '10.0.0.1' };
  await using dns = await startDns((name, type) =>
    type === 'A' && addresses[name] !== undefined ? [{ type: 'A', value: addresses[name] }] : null,
  );
  await using proxy = await openSocksProxy({ instead: (client) => client.end(socksReply(5)) });
  await using visitor = openVisitorThrough(`${proxy.url}?resolve=proxy`, { dns: dns.server, allow: '127.0.0.1' });
  assert.equal((await captureFailure(() => visitor.visit('http://good.test:8080/'))).code, 'target_unreachable');
  assert.deepEqual(
    proxy.asked.map(({ authority }) => authority),
    ['good.test:8080'],
  );
  assert.equal((await captureFailure(() => visitor.visit('http://inside.test/'))).code, 'target_unreachable');
  assert.equal(proxy.asked.length, 1);
});

test('private targets and missing names give the same error, and never reach a proxy', async () => {
  await using dns = await startDns((name, type) =>
    type === 'A' && name === 'inside.test' ? [{ type: 'A', value: '127.0.0.1' }] : null,
  );
  await using canary = await startHttpServer((_, response) => response.end('inside'));
  await using proxy = await openHttpProxy();
  await using visitor = openVisitorThrough(proxy.url, { dns: dns.server, allow: '127.0.0.3' });
  const messages = [];
  for (const url of [`http://inside.test:${canary.port}/`, 'http://missing.test/', 'http://127.0.0.3:1/']) {
    const error = await captureFailure(() => visitor.visit(url.replace(':1/', `:${canary.port}/`)));
    messages.push(`${error.code} ${error.message}`.replace(/(?:inside|missing)\.test/, 'HOST'));
  }
  const unknown =
    'target_unreachable the target could not be reached: the name HOST was not found, or has no public address';
  assert.deepEqual(messages, [unknown, unknown, 'target_unreachable the target could not be reached']);
  assert.equal(canary.connections(), 0);
  assert.deepEqual(
    proxy.asked.map(({ authority }) => authority),
    [`127.0.0.3:${canary.port}`],
  );
});

test('each hop of a redirect through a proxy is checked', async () => {
  await using canary = await startHttpServer((_, response) => response.end('inside'));
  await using site = await startHttpServer((_, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` }).end(),
  );
  await using proxy = await openHttpProxy();
  await using visitor = openVisitorThrough(proxy.url, { allow: `127.0.0.1:${site.port}` });
  assert.equal((await captureFailure(() => visitor.visit(site.origin))).code, 'target_unreachable');
  assert.equal(canary.connections(), 0);
  assert.equal(visitor.refusals.length, 1);
});

/** A proxy that answers each CONNECT with a line. */
function answering(line: string) {
  return openHttpProxy({ instead: (client) => void client.end(`HTTP/1.1 ${line}\r\n\r\n`) });
}

test('each failure of a proxy is a proxy error with its reason', async () => {
  await using silence = await openSilence();
  await using talks = await startSocketServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
  await using closes = await startSocketServer((socket) => socket.destroy());
  await using chatters = await startSocketServer((socket) => {
    const fill = (): void => {
      if (socket.destroyed) return;
      if (socket.write('x'.repeat(65_536))) setImmediate(fill);
      else socket.once('drain', fill);
    };
    socket.write('HTTP/1.1 200 OK\r\nX: ');
    fill();
  });
  await using old = await startSocketServer((socket) => socket.end(Uint8Array.from([4, 90, 0, 0])));
  await using insists = await startSocketServer((socket) => socket.end(Uint8Array.from([5, 2])));
  await using locked = await openHttpProxy({ auth: 'rye:millstone' });
  await using lockedSocks = await openSocksProxy({ auth: 'rye:millstone' });
  await using forbids = await answering('403 Forbidden');
  await using broken = await answering('500 Oops');
  await using rules = await openSocksProxy({ instead: (client) => void client.end(socksReply(2)) });
  const gone = await openHttpProxy();
  await gone[Symbol.asyncDispose]();
  await using untrusted = await startTcpServer(createTlsSite(identity('selfsigned')));
  const cases = [
    [gone.url, 'proxy_unreachable'],
    [`https://127.0.0.1:${untrusted.port}`, 'proxy_unreachable'],
    [locked.url.replace('millstone', 'wrong'), 'proxy_auth'],
    [`http://127.0.0.1:${locked.port}`, 'proxy_auth'],
    [lockedSocks.url.replace('millstone', 'wrong'), 'proxy_auth'],
    [`socks5://127.0.0.1:${lockedSocks.port}`, 'proxy_auth'],
    [forbids.url, 'proxy_refused'],
    [rules.url, 'proxy_refused'],
    [broken.url, 'proxy_failed'],
    [talks.origin, 'proxy_malformed'],
    [chatters.origin, 'proxy_malformed'],
    [`socks5://127.0.0.1:${old.port}`, 'proxy_malformed'],
    [`socks5://127.0.0.1:${insists.port}`, 'proxy_auth'],
    [closes.origin, 'proxy_closed'],
    [`socks5://127.0.0.1:${closes.port}`, 'proxy_closed'],
    [silence.origin, 'proxy_timeout'],
    [`socks5://127.0.0.1:${silence.port}`, 'proxy_timeout'],
    [`https://127.0.0.1:${silence.port}`, 'proxy_timeout'],
  ] as const;
  await Promise.all(
    cases.map(async ([url, reason]) => {
      await using visitor = openVisitorThrough(url, { allow: '127.0.0.9', connectMs: 1_500 });
      const error = await captureFailure(() => visitor.visit('http://127.0.0.9/'));
      assert.equal(`${error.code} ${getReason(error)}`, `backend_unavailable proxy_error ${reason}`, url);
    }),
  );
});

test('a failed exit is replaced up to two times', async () => {
  await using site = await startHttpServer((_, response) => response.end('here'));
  await using good = await openHttpProxy();
  await using closes = await startSocketServer((socket) => socket.destroy());
  const dead = closes.origin;
  const allow = { allow: `127.0.0.1:${site.port}` };
  await using third = openVisitorThrough(`${dead},${dead},${good.url}`, allow);
  assert.equal(text(await third.visit(site.origin)), 'here');
  await using fourth = openVisitorThrough(`${dead},${dead},${dead},${good.url}`, allow);
  assert.equal(getReason(await captureFailure(() => fourth.visit(site.origin))), 'proxy_error proxy_closed');
  assert.equal(closes.connections(), 5);
});

/** Addresses of hosts of different sites; no test connects to them. */
const SITES = ['http://192.0.32.8/', 'http://93.184.216.34/', 'http://8.8.4.4/', 'http://1.0.0.1/'] as const;

for (const [what, answer] of [
  ['refuses with 403', 'HTTP/1.1 403 Forbidden\r\n\r\n'],
  ['refuses with 405', 'HTTP/1.1 405 Not Allowed\r\n\r\n'],
  ['answers 503, like Squid for an unreachable target', 'HTTP/1.1 503 Unavailable\r\n\r\n'],
  ['closes', ''],
  ['keeps waiting', null],
] as const) {
  test(`a proxy that ${what} is held only for the tenant with that failure at three sites`, async () => {
    await using proxy = await openHttpProxy({
      instead: (client) => (answer === null ? undefined : void client.end(answer)),
    });
    await using visitor = openVisitorThrough(proxy.url, { connectMs: 200 });
    for (let n = 0; n < 4; n += 1) await captureFailure(async () => visitor.visit(SITES[0]));
    assert.equal(proxy.asked.length, 4, 'one site tells nothing of the proxy');
    await captureFailure(async () => visitor.visit(SITES[1]));
    await captureFailure(async () => visitor.visit(SITES[2]));
    assert.match(
      (await captureFailure(async () => visitor.visit(SITES[3]))).message,
      /^the proxies of .* are failing$/,
    );
    assert.equal(proxy.asked.length, 6);
    const other = await captureFailure(async () => visitor.visit(SITES[0], { tenant: 'inn' }));
    assert.equal(other.message, 'the proxy did not connect');
    assert.equal(proxy.asked.length, 7);
  });
}

test('ports other than 80 and 443 are refused before the proxy, unless the operator allowed the target', async () => {
  await using proxy = await openHttpProxy();
  await using site = await startHttpServer((request, response) => {
    response.writeHead(request.url === '/away' ? 302 : 200, { location: 'http://93.184.216.34:8081/' }).end('here');
  });
  await using visitor = openVisitorThrough(proxy.url, { allow: `127.0.0.1:${site.port}` });
  for (const url of ['http://93.184.216.34:8081/', 'https://93.184.216.34:8443/', 'http://93.184.216.34:443/x']) {
    const error = await captureFailure(async () => visitor.visit(url, { ms: 1_000 }));
    const isRefused = !url.includes(':443');
    assert.equal(error.message.includes('cannot be fetched through a proxy (only 80 and 443)'), isRefused, url);
    assert.equal(error.code === 'invalid_request' && !error.retryable, isRefused, url);
  }
  const away = await captureFailure(async () => visitor.visit(`${site.origin}/away`));
  assert.deepEqual([away.code, away.retryable], ['target_unreachable', false]);
  assert.match(away.message, /port 8081 cannot be fetched through a proxy/);
  assert.equal(text(await visitor.visit(site.origin)), 'here');
  assert.deepEqual(
    proxy.asked.map(({ authority }) => authority),
    ['93.184.216.34:443', `127.0.0.1:${site.port}`, `127.0.0.1:${site.port}`],
  );
});

test('a proxy with exits by session gets a new session for another exit', async () => {
  await using site = await startHttpServer((_, response) => response.end('here'));
  let calls = 0;
  await using proxy = await openHttpProxy({
    instead: (client, authority) => {
      calls += 1;
      if (calls < 3) return void client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      const target = connect(Number(authority.split(':')[1]), '127.0.0.1');
      return void target.pipe(client).pipe(target);
    },
  });
  const templates = parseProxies(`http://u-{session}:p@127.0.0.1:${proxy.port}`);
  if (typeof templates === 'string') throw new Error(templates);
  const { guard } = guardWith({ allow: '127.0.0.1' });
  const http = createHttp({
    guard,
    limits: PROXY_LIMITS,
    profile: DESKTOP_PROFILE,
    clock: SYSTEM_CLOCK,
    authorities: [],
  });
  const pool = createProxyPool({
    templates,
    setting: 'X',
    clock: SYSTEM_CLOCK,
    random: Math.random,
    isOpened: guard.isAllowed,
  });
  const request = { url: new URL(site.origin), headers: {}, cookies: [] };
  const { page } = await createProxyTier(http, pool)(request, AbortSignal.timeout(30_000));
  assert.equal(text(page), 'here');
  assert.equal(new Set(proxy.asked.map(({ by }) => by)).size, 3);
  assert.match(proxy.asked[0]?.by ?? '', /^u-[a-z0-9]{10}:p$/);
  await http.close();
});

test('a connection that breaks is retried through one other exit, and is then a failure of the target', async () => {
  await using breaks = await startSocketServer((socket) => socket.destroy());
  await using cuts = await startSocketServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'),
  );
  await using one = await openHttpProxy();
  await using two = await openHttpProxy();
  await using three = await openHttpProxy();
  const list = [one, two, three].map(({ url }) => url).join();
  for (const [target, code] of [
    [breaks, 'target_unreachable'],
    [cuts, 'unusable_response'],
  ] as const) {
    await using visitor = openVisitorThrough(list, { allow: '127.0.0.1' });
    assert.equal((await captureFailure(() => visitor.visit(target.origin))).code, code);
  }
  assert.deepEqual(
    [one, two, three].map(({ asked }) => new Set(asked.map(({ authority }) => authority)).size),
    [2, 2, 0],
  );
});

test('a proxy that replaces the certificate is rejected', async () => {
  await using meddler = await startTcpServer(
    createTlsSite(identity('selfsigned'), (_, response) => response.end('forged')),
  );
  await using proxy = await openHttpProxy({
    instead: (client) => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      const forged = connect(meddler.port, '127.0.0.1');
      forged.on('error', () => client.destroy());
      forged.pipe(client).pipe(forged);
    },
  });
  await using visitor = openVisitorThrough(proxy.url, { allow: '127.0.0.1' });
  const error = await captureFailure(() => visitor.visit('https://127.0.0.1:8443/'));
  assert.match(getReason(error), /^tls_error /);
});

test('connections through different exits are never shared', async () => {
  await using site = await startHttpServer((request, response) => response.end(request.socket.remoteAddress));
  await using one = await openHttpProxy({ exit: '127.0.0.2' });
  await using two = await openHttpProxy({ exit: '127.0.0.4' });
  const { guard } = guardWith({ allow: '127.0.0.1' });
  const http = createHttp({
    guard,
    limits: PROXY_LIMITS,
    profile: DESKTOP_PROFILE,
    clock: SYSTEM_CLOCK,
    authorities: [],
  });
  const seen = [];
  for (const { url } of [one, two, one]) {
    const templates = parseProxies(url);
    if (typeof templates === 'string') throw new Error(templates);
    const clock = SYSTEM_CLOCK;
    const lease = createProxyPool({ templates, setting: url, clock, random: () => 0, isOpened: guard.isAllowed }).take(
      '127.0.0.1',
      {
        tenant: 'mill',
        country: null,
        excludedKeys: [],
      },
    );
    if (lease === null) throw new Error('no exit');
    const request = { url: new URL(site.origin), headers: {}, cookies: [] };
    seen.push(text((await http.visitThrough(lease.upstream)(request, AbortSignal.timeout(30_000))).page));
  }
  assert.deepEqual(seen, ['127.0.0.2', '127.0.0.4', '127.0.0.2']);
  await http.close();
});

test('a request that is sent once goes through one proxy, and to the next only if it was not sent', async () => {
  let got = 0;
  await using site = await startSocketServer((socket) => {
    got += 1;
    socket.destroy();
  });
  await using good = await openHttpProxy({});
  await using other = await openHttpProxy({});
  const closed = await openHttpProxy({});
  await closed[Symbol.asyncDispose]();
  const list = [closed.url, good.url, other.url].join(',');
  await using visitor = openVisitorThrough(list, { allow: '127.0.0.1' });
  let sends = 0;
  const once: SendOnce = { isSent: () => sends > 0, beforeSend: async () => void (sends += 1) };
  const submission = { method: 'POST', body: 'rye', contentType: 'text/plain', once } as const;
  await captureFailure(async () => visitor.visit(`${site.origin}/`, { submission }));
  assert.deepEqual([got, sends], [1, 1]);
});
