import assert from 'node:assert/strict';
import { createServer as createTlsSite } from 'node:https';
import test from 'node:test';
import type { ErrorCode } from '#kernel/errors.ts';
import { startDns } from '#testkit/dns.ts';
import { startRawServer, startTcpServer, startHttpServer } from '#testkit/servers.ts';
import { AUTHORITY, identity } from '../support/tls.ts';
import { captureFailure, createVisitor } from '#testkit/visitor.ts';

const text = (page: { readonly body: Uint8Array }) => Buffer.from(page.body).toString();

/** What a visit ends with when the first page redirects to `location`. */
async function failureAfter(location: string): Promise<ErrorCode> {
  await using site = await startHttpServer((_, response) => response.writeHead(302, { location }).end());
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  const error = await captureFailure(() => visitor.visit(site.origin));
  const host = URL.parse(location)?.host ?? '';
  if (error.code === 'target_unreachable') assert.ok(error.message.includes(host), `${error.message}: ${host}`);
  return error.code;
}

test('a redirect to a metadata or private address is unreachable, and is reported', async () => {
  await using site = await startHttpServer((_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
  );
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  assert.equal(
    (await captureFailure(() => visitor.visit(site.origin))).message,
    'the target could not be reached: this service does not connect to 169.254.169.254',
  );
  assert.deepEqual(visitor.refusals, [
    { host: '169.254.169.254', reason: '169.254.169.254 is an address that can never be fetched' },
  ]);
  for (const location of [
    'http://127.0.0.1:1/',
    'http://localhost/',
    'http://user:pass@example.com/',
    'http://missing.test/',
  ]) {
    assert.equal(await failureAfter(location), 'target_unreachable', location);
  }
});

test('a redirect to another scheme is unusable', async () => {
  for (const location of ['file:///etc/passwd', 'data:text/html,x', 'javascript:alert(1)', 'ftp://example.com/']) {
    assert.equal(await failureAfter(location), 'unusable_response', location);
  }
});

test('loops and chains end after ten redirects', async () => {
  await using site = await startHttpServer((request, response) => {
    const [, kind, n] = (request.url ?? '').split('/');
    const next =
      kind === 'chain' ? `/chain/${Number(n) + 1}` : kind === 'pair' ? `/pair/${n === 'a' ? 'b' : 'a'}` : '/self/x';
    if (kind === 'chain' && n === '10') return response.end('arrived');
    return response.writeHead(302, { location: next }).end();
  });
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  for (const path of ['/self/x', '/pair/a', '/chain/-1']) {
    assert.equal((await captureFailure(() => visitor.visit(site.origin + path))).code, 'unusable_response', path);
  }
  const page = await visitor.visit(`${site.origin}/chain/0#part`);
  assert.equal(page.url, `${site.origin}/chain/10#part`);
});

test('a redirect with a missing, endless or invalid Location is unusable', async () => {
  await using silent = await startHttpServer((_, response) => response.writeHead(302).end());
  await using endless = await startRawServer(
    `HTTP/1.1 302 Found\r\nLocation: /${'a'.repeat(65_536)}\r\nContent-Length: 0\r\n\r\n`,
  );
  await using long = await startHttpServer((_, response) =>
    response.writeHead(302, { location: `/${'a'.repeat(10_000)}` }).end(),
  );
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  for (const { origin } of [silent, endless, long]) {
    assert.equal((await captureFailure(() => visitor.visit(origin))).code, 'unusable_response');
  }
  assert.equal(await failureAfter('http://[::1'), 'unusable_response');
});

test('a Location of UTF-8 bytes is followed, and a relative one to a private host is not', async () => {
  await using site = await startHttpServer((request, response) => {
    if (request.url !== '/') return response.end(request.url);
    return response.writeHead(302, { location: Buffer.from('/größe').toString('latin1') }).end();
  });
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  assert.equal(text(await visitor.visit(site.origin)), '/gr%C3%B6%C3%9Fe');
  assert.equal(await failureAfter('//10.0.0.1/'), 'target_unreachable');
});

test('the body of a redirect is not read beyond its limit', async () => {
  await using site = await startHttpServer((request, response) => {
    if (request.url !== '/') return response.end('arrived');
    response.writeHead(302, { location: '/next' });
    const fill = () => void (response.write(Buffer.alloc(65_536)) ? setImmediate(fill) : response.once('drain', fill));
    response.once('close', () => response.removeAllListeners('drain'));
    return fill();
  });
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  const page = await visitor.visit(site.origin);
  assert.equal(text(page), 'arrived');
  assert.ok(page.wireBytes < 1_000_000);
});

test('a redirect that the request does not follow ends it, and its target is not requested', async () => {
  const asked: string[] = [];
  await using site = await startHttpServer((request, response) => {
    asked.push(request.url ?? '');
    const next = request.url === '/' ? '/near' : '/far';
    response.writeHead(302, { location: next }).end('moved');
  });
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  const page = await visitor.visit(`${site.origin}/`, { follows: async ({ pathname }) => pathname === '/near' });
  assert.deepEqual([page.url, page.status, text(page)], [`${site.origin}/far`, 302, '']);
  assert.deepEqual(asked, ['/', '/near']);
});

test('a redirect from https to http is followed and flagged, and sends no credentials', async () => {
  await using plain = await startHttpServer((request, response) => response.end(JSON.stringify(request.headers)));
  await using secure = await startTcpServer(
    createTlsSite(identity('good'), (_, response) => {
      response.writeHead(302, { location: plain.origin, 'set-cookie': 'id=1; Secure' }).end();
    }),
  );
  await using visitor = createVisitor({ allow: '127.0.0.1', authorities: [AUTHORITY] });
  const url = `https://127.0.0.1:${secure.port}/`;
  const page = await visitor.visit(url, {
    headers: { authorization: 'Bearer x' },
    cookies: [{ name: 'session', value: 'y' }],
  });
  assert.deepEqual(
    page.warnings.map((warning) => warning.code),
    ['tls_downgrade'],
  );
  assert.doesNotMatch(text(page), /authorization|session|id=1/);
});

test('headers and cookies of the caller stay at their own origin', async () => {
  await using other = await startHttpServer((request, response) => response.end(JSON.stringify(request.headers)));
  await using home = await startHttpServer((request, response) => {
    if (request.url === '/here') response.end(JSON.stringify(request.headers));
    else
      response.writeHead(302, { location: request.url === '/same' ? '/here' : `${other.origin}${request.url}` }).end();
  });
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  const sent = {
    headers: { Authorization: 'Bearer secret-a', 'X-Api-Key': 'secret-b', 'accept-language': 'fr' },
    cookies: [{ name: 'session', value: 'secret-c' }],
  };
  const kept = text(await visitor.visit(`${home.origin}/same`, sent));
  for (const secret of ['secret-a', 'secret-b', 'session=secret-c', '"accept-language":"fr"'])
    assert.ok(kept.includes(secret), secret);
  const dropped = text(await visitor.visit(`${home.origin}/away`, sent));
  assert.doesNotMatch(dropped, /secret|"fr"/);
});

test('cookies set during redirects are sent to their own host within the visit only', async () => {
  await using dns = await startDns((name, type) =>
    type === 'A' && name.endsWith('.test') ? [{ type: 'A', value: '127.0.0.1' }] : null,
  );
  await using site = await startHttpServer((request, response) => {
    const { port } = site;
    const cookies = [
      'id=7; Path=/; HttpOnly',
      'wide=1; Domain=shop.test; Path=/',
      'alien=1; Domain=evil.test',
      'deep=1; Path=/deep',
      'top=1; Domain=test',
      'gone=; Max-Age=0',
      'bare=; Path=/',
    ];
    if (request.url === '/start') response.writeHead(302, { location: '/seen', 'set-cookie': cookies }).end();
    else if (request.url === '/out')
      response.writeHead(302, { location: `http://b.shop.test:${port}/seen`, 'set-cookie': cookies }).end();
    else response.end(request.headers.cookie);
  });
  await using visitor = createVisitor({ dns: dns.server, allow: `127.0.0.1:${site.port}` });
  const origin = `http://a.shop.test:${site.port}`;
  assert.equal(text(await visitor.visit(`${origin}/start`)), 'id=7; wide=1; bare=');
  assert.equal(text(await visitor.visit(`${origin}/out`)), 'wide=1');
  assert.equal(text(await visitor.visit(`${origin}/seen`)), '');
});

test('a redirect with a duplicate Location is followed', async () => {
  await using site = await startHttpServer((request, response) => {
    if (request.url === '/') response.writeHead(302, ['location', '/a', 'location', '/a']).end();
    else response.end(request.url);
  });
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  assert.equal(text(await visitor.visit(site.origin)), '/a');
});

test('a redirect to a port of another protocol is unreachable', async () => {
  for (const port of [6379, 25, 3306])
    assert.equal(await failureAfter(`http://127.0.0.1:${port}/`), 'target_unreachable');
});
