import assert from 'node:assert/strict';
import { createServer as createTlsServer } from 'node:https';
import { writeFile } from 'node:fs/promises';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { EGRESS_LIMITS } from '#access/egress/credentials.ts';
import { startEgressProxy } from '#access/egress/egress-proxy.ts';
import { createHttp, addImpersonation } from '#access/http/http.ts';
import { createImpersonation } from '#access/http/impersonation.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import { classifyVisits } from '#access/classify/classifier.ts';
import type { PageRequest, SendOnce, TierVisit, Visit } from '#access/page.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { startTcpServer, startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { AUTHORITY, identity } from '#support/tls.ts';
import { captureFailure, guardWith } from '#testkit/visitor.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

const TEXT = `<title>Mill</title><p>${'Rye is milled on Mondays. '.repeat(20)}</p>`;

/** Whether the first cipher suite of a ClientHello is one of the values that only browsers send (RFC 8701). */
function isBrowsers(hello: Buffer): boolean {
  const suite = hello.readUInt16BE(46 + (hello[43] ?? 0));
  return (suite & 0x0f0f) === 0x0a0a && suite >> 8 === (suite & 0xff);
}

/** A TLS site that drops connections whose handshake is not that of a browser. */
async function openPicky() {
  const secure = await startTcpServer(
    createTlsServer(identity('good'), ({ url = '/', method, headers }, response) => {
      const type = { 'content-type': 'text/html' };
      if (url === '/moved') response.writeHead(302, { location: '/after', 'set-cookie': 'way=1; Path=/' }).end();
      else if (url === '/twice') response.writeHead(302, ['location', '/after?a, b', 'location', '/after?a, b']).end();
      else if (url.startsWith('/after'))
        response
          .writeHead(200, type)
          .end(`${TEXT}${headers.cookie} ${headers['user-agent']} ${method} ${headers['content-length']}`);
      else if (url === '/inside') response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end();
      else if (url === '/endless') response.writeHead(200, type).write(TEXT.repeat(1_000));
      else if (url === '/heads') response.writeHead(200, { ...type, 'x-long': 'x'.repeat(400_000) }).end(TEXT);
      else response.writeHead(200, { ...type, 'content-encoding': 'gzip' }).end(gzipSync(TEXT));
    }),
  );
  const hellos: string[] = [];
  const door = await startTcpServer(
    createTcpServer((socket) =>
      socket.once('data', (hello: Buffer) => {
        hellos.push(isBrowsers(hello) ? 'browser' : 'other');
        if (!isBrowsers(hello)) return void socket.resetAndDestroy();
        return pass(socket, hello, secure.port);
      }),
    ),
  );
  return {
    hellos,
    port: door.port,
    async close(): Promise<void> {
      await door[Symbol.asyncDispose]();
      await secure[Symbol.asyncDispose]();
    },
  };
}

function pass(socket: Socket, hello: Buffer, port: number): void {
  const onward = connect(port, '127.0.0.1');
  onward.write(hello);
  socket.pipe(onward).pipe(socket);
  onward.on('error', () => socket.destroy());
}

async function openAlike() {
  const site = await openPicky();
  const { guard } = guardWith({
    allow: `127.0.0.1:${site.port}`,
    resolve: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }], ttlMs: 0 }),
  });
  const egress = await startEgressProxy({ guard, limits: EGRESS_LIMITS, clock: SYSTEM_CLOCK });
  const limits = { ...DEFAULT_LIMITS, wireBytes: 100_000 };
  const http = createHttp({
    guard,
    limits,
    profile: DESKTOP_PROFILE,
    clock: SYSTEM_CLOCK,
    authorities: [AUTHORITY],
    impersonation: createImpersonation(egress, SYSTEM_CLOCK),
  });
  return {
    ...site,
    async visit(path: string, more: Pick<PageRequest, 'submission' | 'insecureTls'> = {}) {
      const request = { url: new URL(path, `https://good.test:${site.port}`), headers: {}, cookies: [], ...more };
      return (await http.tier(request, AbortSignal.timeout(20_000))).page;
    },
    async close(): Promise<void> {
      await http.close();
      await egress.close();
      await site.close();
    },
  };
}

let alike: Awaited<ReturnType<typeof openAlike>>;
let elsewhere: Awaited<ReturnType<typeof startHttpServer>>;
before(async () => {
  elsewhere = await startHttpServer((_, response) => response.end());
  alike = await openAlike();
});
after(async () => {
  await alike.close();
  await elsewhere[Symbol.asyncDispose]();
});

/** A possible environment of this machine: another proxy, and the CA of the test. */
async function inEnvironment(work: () => Promise<void>): Promise<void> {
  const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'SSL_CERT_FILE'];
  const known = names.map((name) => [name, process.env[name]] as const);
  await inTemporaryFolder(async (folder) => {
    await writeFile(join(folder, 'ca.pem'), AUTHORITY);
    for (const name of names) process.env[name] = elsewhere.origin;
    process.env['SSL_CERT_FILE'] = join(folder, 'ca.pem');
    try {
      await work();
    } finally {
      for (const [name, value] of known)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  });
}

test('a request that is sent once is sent with impersonation after a handshake failed, and not again after that', async () => {
  await inEnvironment(async () => {
    let sends = 0;
    const once: SendOnce = { isSent: () => sends > 0, beforeSend: async () => void (sends += 1) };
    const submission = { method: 'POST', body: 'rye', contentType: 'text/plain', once } as const;
    const page = await alike.visit('/after', { submission });
    assert.match(Buffer.from(page.body).toString(), / POST 3$/);
    assert.equal(sends, 1);
    const count = alike.hellos.length;
    await assert.rejects(alike.visit('/after', { submission }));
    assert.equal(alike.hellos.length, count + 1);
  });
});

test('with impersonation too, an unknown certificate is accepted only with insecure TLS', async () => {
  for (const insecureTls of [true, false]) {
    const seen = alike.visit('/', { insecureTls }).then(({ status }) => status);
    if (insecureTls) assert.equal(await seen, 200);
    else await assert.rejects(seen);
  }
});

test('a site that drops connections without a browser handshake is retried with impersonation', async () => {
  await inEnvironment(async () => {
    const page = await alike.visit('/');
    assert.deepEqual([page.status, Buffer.from(page.body).toString()], [200, TEXT]);
    assert.deepEqual([alike.hellos[0], alike.hellos.at(-1)], ['other', 'browser']);
    const moved = Buffer.from((await alike.visit('/moved')).body).toString();
    assert.match(moved, /way=1 Mozilla\/5\.0 .* Chrome\/149/);
    assert.equal(new URL((await alike.visit('/twice')).url).search, '?a,%20b');
    assert.deepEqual(elsewhere.connections(), 0);
  });
});

test('if the impersonated retry exceeds a limit or is refused, the first result remains', async () => {
  await inEnvironment(async () => {
    for (const path of ['/endless', '/heads', '/inside']) {
      const { code, message } = await captureFailure(async () => alike.visit(path));
      assert.equal(code, 'target_unreachable', path);
      assert.match(message, /^the target could not be reached: the connection was (?:reset|closed before an answer)$/);
    }
    assert.deepEqual(elsewhere.connections(), 0);
  });
});

function answers(status: number, body: string): TierVisit {
  const visit: Visit = async ({ url }) => ({
    url: url.href,
    status,
    headers: {},
    contentType: 'text/html',
    body: new Uint8Array(Buffer.from(body)),
    wireBytes: body.length,
    warnings: [],
  });
  return classifyVisits(visit, { rendered: false });
}

test('only a dropped connection and an empty refusal over TLS are retried', async () => {
  const captcha = '<iframe src="https://geo.captcha-delivery.com/captcha/"></iframe>';
  for (const [scheme, status, body, expected] of [
    ['https', 403, '<p>no', 200],
    ['http', 403, '<p>no', 403],
    ['https', 403, captcha, 403],
    ['https', 404, '<p>no', 404],
    ['https', 429, '<p>no', 429],
  ] as const) {
    const visit = addImpersonation(answers(status, body), answers(200, TEXT));
    const request = { url: new URL(`${scheme}://shop.test/`), headers: {}, cookies: [] };
    const { page } = await visit(request, AbortSignal.timeout(30_000));
    assert.equal(page.status, expected, `${scheme} ${status} ${body}`);
  }
});
