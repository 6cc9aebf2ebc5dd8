import assert from 'node:assert/strict';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsSite } from 'node:https';
import { createServer as createTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import test from 'node:test';
import { attemptFailureOf } from '#access/failure.ts';
import { openDns } from '#testkit/dns.ts';
import { openRaw, openServer, openTalker } from '#testkit/servers.ts';
import { AUTHORITY, identity } from '../support/tls.ts';
import { failureOf, openVisitor } from '#testkit/visitor.ts';

const text = (page: { readonly body: Uint8Array }) => Buffer.from(page.body).toString();
const head = (lines: string) => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`;

/** The code that a visit of a raw answer ends with, or `ok`. */
async function codeOf(bytes: string | Buffer, then: 'end' | 'stay' = 'end', limits = {}): Promise<string> {
  await using site = await openRaw(bytes, then);
  await using visitor = openVisitor({ allow: `127.0.0.1:${site.port}`, limits });
  return await visitor.visit(site.origin).then(
    () => 'ok',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
}

test('row 100: headers that come byte by byte end at the first-byte limit', async () => {
  await using site = await openTalker((socket) => {
    const timer = setInterval(() => socket.write('H'), 30);
    socket.once('close', () => clearInterval(timer));
  });
  await using slow = await openTalker((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-A: ');
    const timer = setInterval(() => socket.write('a'), 30);
    socket.once('close', () => clearInterval(timer));
  });
  await using visitor = openVisitor({ allow: '127.0.0.1', limits: { firstByteMs: 150 } });
  assert.equal((await failureOf(() => visitor.visit(slow.origin))).code, 'timeout');
  assert.match((await failureOf(() => visitor.visit(site.origin))).code, /timeout|unusable_response/);
});

test('row 100: a silent target and a body that never ends stop with the signal', async () => {
  await using silent = await openTalker(() => {});
  await using dripping = await openRaw(head('Content-Length: 100'), 'stay');
  await using visitor = openVisitor({ allow: '127.0.0.1' });
  const failures = await Promise.all(
    [silent, dripping].map((site) => failureOf(() => visitor.visit(site.origin, { ms: 150 }))),
  );
  assert.deepEqual(
    failures.map((error) => error.code),
    ['timeout', 'timeout'],
  );
});

test('row 100: headers beyond 16 KiB, by size or by number, are unusable', async () => {
  assert.equal(await codeOf(head(`X-Long: ${'a'.repeat(17_000)}`)), 'unusable_response');
  const many = Array.from({ length: 10_000 }, (_, n) => `X-${n}: a`).join('\r\n');
  assert.equal(await codeOf(head(many)), 'unusable_response');
});

test('row 100: a few interim answers are skipped, a flood of them is unusable', async () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  assert.equal(await codeOf(hint.repeat(3) + head('Content-Length: 2') + 'ok'), 'ok');
  assert.equal(await codeOf(hint.repeat(100) + head('Content-Length: 2') + 'ok'), 'unusable_response');
  await using endless = await openTalker((socket) => {
    const timer = setInterval(() => socket.write(hint), 1);
    socket.once('close', () => clearInterval(timer));
  });
  await using visitor = openVisitor({ allow: '127.0.0.1' });
  assert.equal((await failureOf(() => visitor.visit(endless.origin))).code, 'unusable_response');
});

test('row 101: lengths that lie or contradict each other are unusable', async () => {
  const lies = [
    'Content-Length: 100',
    'Content-Length: -1',
    'Content-Length: +5',
    'Content-Length: 5\r\nContent-Length: 6',
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked',
    'Content-Length: 5x',
  ];
  for (const lie of lies) assert.equal(await codeOf(`${head(lie)}hello`), 'unusable_response', lie);
});

test('row 101: lengths that contradict each other are told from what a browser may forgive', async () => {
  const answers: Readonly<Record<string, string>> = {
    [head('Content-Length: 5\r\nContent-Length: 6')]: 'lengths',
    [head('Content-Length: 5\r\nContent-Length: 5')]: 'lengths',
    [head('Content-Length: 5\r\nTransfer-Encoding: chunked')]: 'lengths',
    [head('Transfer-Encoding: chunked\r\nContent-Length: 5')]: 'lengths',
    [head('Content-Length: -1')]: 'lengths',
    [head('Content-Length: 100')]: 'protocol',
    [head('Content-Length: 5').replaceAll('\r\n', '\n')]: 'protocol',
  };
  await using visitor = openVisitor({ allow: '127.0.0.1' });
  for (const [answer, reason] of Object.entries(answers)) {
    await using site = await openRaw(`${answer}hello`);
    assert.equal(attemptFailureOf(await failureOf(() => visitor.visit(site.origin)))?.facts.reason, reason, answer);
  }
});

test('row 101: what follows a short body is never the next answer', async () => {
  const smuggled = `${head('Content-Length: 5')}hello${head('Content-Length: 4')}evil`;
  await using site = await openRaw(smuggled, 'stay');
  await using visitor = openVisitor({ allow: `127.0.0.1:${site.port}` });
  for (const path of ['/1', '/2', '/3']) assert.equal(text(await visitor.visit(site.origin + path)), 'hello');
  assert.equal(site.connections(), 3);
});

test('bytes that are no HTTP are unusable, a closed connection is unreachable', async () => {
  assert.equal(await codeOf('SSH-2.0-OpenSSH_9.2\r\n', 'stay'), 'unusable_response');
  assert.equal(await codeOf(''), 'target_unreachable');
  assert.equal(
    await codeOf('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'stay'),
    'unusable_response',
  );
});

test('a kept connection that the target closed is replaced without a failure', async () => {
  let requests = 0;
  await using site = await openTalker((socket) => {
    requests += 1;
    if (requests === 2) socket.destroy();
    else socket.write(`${head('Content-Length: 2')}ok`);
  });
  await using visitor = openVisitor({ allow: `127.0.0.1:${site.port}` });
  await visitor.visit(site.origin);
  assert.equal(text(await visitor.visit(site.origin)), 'ok');
  assert.equal(requests, 3);
});

test('row 124: a certificate that is expired, for another name or of no authority is refused', async () => {
  const hits: string[] = [];
  const serve = (name: 'good' | 'expired' | 'selfsigned') =>
    openServer(createTlsSite(identity(name), (_, response) => response.end(String(hits.push(name)))));
  await using dns = await openDns((name, type) =>
    type === 'A' && name.endsWith('.test') ? [{ type: 'A', value: '127.0.0.1' }] : null,
  );
  await using good = await serve('good');
  await using expired = await serve('expired');
  await using selfsigned = await serve('selfsigned');
  await using visitor = openVisitor({ allow: '127.0.0.1', dns: dns.server, authorities: [AUTHORITY] });
  assert.equal((await visitor.visit(`https://good.test:${good.port}/`)).status, 200);
  assert.equal((await visitor.visit(`https://127.0.0.1:${good.port}/`)).status, 200);
  for (const url of [
    `https://good.test:${expired.port}/`,
    `https://other.test:${good.port}/`,
    `https://good.test:${selfsigned.port}/`,
  ]) {
    const error = await failureOf(() => visitor.visit(url));
    assert.deepEqual([error.code, error.retryable], ['target_unreachable', false], url);
    assert.match(error.message, /TLS/);
  }
  assert.deepEqual(hits, ['good', 'good']);
});

test('row 124: old protocol versions, broken handshakes and certificate requests without an answer are refused', async () => {
  const old = createTls({
    ...identity('good'),
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  const asking = createTlsSite({
    ...identity('good'),
    requestCert: true,
    rejectUnauthorized: true,
    maxVersion: 'TLSv1.2',
  });
  await using oldSite = await openServer(old);
  await using askingSite = await openServer(asking);
  await using plain = await openRaw(`${head('Content-Length: 2')}ok`);
  await using silent = await openTalker(() => {});
  await using visitor = openVisitor({ allow: '127.0.0.1', authorities: [AUTHORITY] });
  for (const site of [oldSite, askingSite, plain]) {
    const { code, retryable } = await failureOf(() => visitor.visit(`https://127.0.0.1:${site.port}/`));
    assert.deepEqual([code, retryable], ['target_unreachable', false]);
  }
  await using hurried = openVisitor({ allow: '127.0.0.1', limits: { connectMs: 300 } });
  assert.equal((await failureOf(() => hurried.visit(`https://127.0.0.1:${silent.port}/`))).code, 'timeout');
});

test('HTTP/2 is spoken where the target offers it, with the same limits', async () => {
  const server = createSecureServer({ ...identity('good'), allowHTTP1: true }, (request, response) => {
    if (request.url === '/headers') response.setHeader('x-long', 'a'.repeat(17_000));
    response.end(request.httpVersion);
  });
  await using site = await openServer(server);
  await using visitor = openVisitor({ allow: '127.0.0.1', authorities: [AUTHORITY] });
  const origin = `https://127.0.0.1:${site.port}`;
  const pages = await Promise.all(['/1', '/2', '/3'].map((path) => visitor.visit(origin + path)));
  assert.deepEqual(pages.map(text), ['2.0', '2.0', '2.0']);
  assert.equal((await failureOf(() => visitor.visit(`${origin}/headers`))).code, 'unusable_response');
  assert.equal(text(await visitor.visit(origin)), '2.0');
});

/** One HTTP/2 frame (RFC 9113 section 4.1). */
function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const prefix = Buffer.alloc(9);
  prefix.writeUIntBE(payload.byteLength, 0, 3);
  prefix[3] = type;
  prefix[4] = flags;
  prefix.writeUInt32BE(stream, 5);
  return Buffer.concat([prefix, payload]);
}

const HEADERS = 1;
const PRIORITY = 2;
const RST_STREAM = 3;
const SETTINGS = 4;
const PUSH_PROMISE = 5;
const WINDOW_UPDATE = 8;
const CONTINUATION = 9;
const END_HEADERS = 4;
const STATUS_200 = Buffer.from([0x88]);

/** A literal field that the decoder must index, then many references to it: few bytes, a large list. */
function hpackBomb(): Buffer {
  const value = Buffer.alloc(3_900, 'a');
  const literal = Buffer.concat([Buffer.from([0x40, 1]), Buffer.from('x'), Buffer.from([0x7f, 0xbd, 0x1d]), value]);
  return Buffer.concat([STATUS_200, literal, Buffer.alloc(8_000, 0xbe)]);
}

const ABUSES: Readonly<Record<string, (socket: TLSSocket) => void>> = {
  'a flood of CONTINUATION frames': (socket) => {
    socket.write(frame(HEADERS, 0, 1, STATUS_200));
    const field = Buffer.concat([
      Buffer.from([0x00, 1]),
      Buffer.from('x'),
      Buffer.from([0x7f, 0x81, 0x07]),
      Buffer.alloc(1_024, 'a'),
    ]);
    socket.write(Buffer.concat(Array.from({ length: 2_000 }, () => frame(CONTINUATION, 0, 1, field))));
  },
  'an HPACK bomb': (socket) => socket.write(frame(HEADERS, END_HEADERS, 1, hpackBomb())),
  'a window beyond 2³¹': (socket) => socket.write(frame(WINDOW_UPDATE, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff]))),
  'pushed streams that were never allowed': (socket) =>
    socket.write(frame(PUSH_PROMISE, END_HEADERS, 1, Buffer.from([0, 0, 0, 2, 0x82, 0x84, 0x87]))),
  'a reset of the stream': (socket) => socket.write(frame(RST_STREAM, 0, 1, Buffer.from([0, 0, 0, 2]))),
  'a flood of SETTINGS': (socket) => {
    const batch = Buffer.concat(Array.from({ length: 5_000 }, () => frame(SETTINGS, 0, 0)));
    const timer = setInterval(() => socket.write(batch), 1);
    socket.pause();
    socket.once('close', () => clearInterval(timer));
  },
  'priorities without end': (socket) => {
    const batch = Buffer.concat(
      Array.from({ length: 1_000 }, () => frame(PRIORITY, 0, 1, Buffer.from([0, 0, 0, 3, 1]))),
    );
    const timer = setInterval(() => socket.write(batch), 5);
    socket.once('close', () => clearInterval(timer));
  },
};

for (const [title, abuse] of Object.entries(ABUSES)) {
  test(`row 125: ${title} ends the exchange and leaves the next one whole`, async () => {
    const server = createTls({ ...identity('good'), ALPNProtocols: ['h2'] }, (socket) => {
      socket.on('error', () => socket.destroy());
      socket.write(frame(SETTINGS, 0, 0));
      let begun = false;
      socket.on('data', (data: Buffer) => {
        if (begun || (!data.includes('GET') && data.byteLength < 60)) return;
        begun = true;
        abuse(socket);
      });
    });
    await using hostile = await openServer(server);
    await using next = await openRaw(`${head('Content-Length: 2')}ok`);
    await using visitor = openVisitor({ allow: '127.0.0.1', authorities: [AUTHORITY], limits: { firstByteMs: 1_000 } });
    const error = await failureOf(() => visitor.visit(`https://127.0.0.1:${hostile.port}/`, { ms: 3_000 }));
    assert.match(error.code, /^(unusable_response|target_unreachable|timeout)$/);
    assert.equal(text(await visitor.visit(next.origin)), 'ok');
  });
}
