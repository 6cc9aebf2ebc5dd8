import assert from 'node:assert/strict';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsSite } from 'node:https';
import { createServer as createTls, type TLSSocket } from 'node:tls';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { findAttemptFailure } from '#access/failure.ts';
import { startDns } from '#testkit/dns.ts';
import { startRawServer, startTcpServer, startHttpServer, startSocketServer } from '#testkit/servers.ts';
import { AUTHORITY, identity } from '#support/tls.ts';
import { captureFailure, createVisitor } from '#testkit/visitor.ts';

const text = (page: { readonly body: Uint8Array }) => Buffer.from(page.body).toString();
const head = (lines: string) => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`;

/** The code that a visit of a raw answer ends with, or `ok`. */
async function fetchForCode(bytes: string | Buffer, then: 'end' | 'stay' = 'end', limits = {}): Promise<string> {
  await using site = await startRawServer(bytes, then);
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}`, limits });
  return await visitor.visit(site.origin).then(
    () => 'ok',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
}

test('headers sent byte by byte end at the first-byte limit', async () => {
  await using site = await startSocketServer((socket) => {
    const timer = setInterval(() => socket.write('H'), 30);
    socket.once('close', () => clearInterval(timer));
  });
  await using slow = await startSocketServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-A: ');
    const timer = setInterval(() => socket.write('a'), 30);
    socket.once('close', () => clearInterval(timer));
  });
  await using visitor = createVisitor({ allow: '127.0.0.1', limits: { firstByteMs: 150 } });
  assert.equal((await captureFailure(() => visitor.visit(slow.origin))).code, 'timeout');
  assert.match((await captureFailure(() => visitor.visit(site.origin))).code, /timeout|unusable_response/);
});

test('a silent target and an endless body stop with the signal', async () => {
  await using silent = await startSocketServer(() => {});
  await using dripping = await startRawServer(head('Content-Length: 100'), 'stay');
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  const failures = await Promise.all(
    [silent, dripping].map((site) => captureFailure(() => visitor.visit(site.origin, { ms: 150 }))),
  );
  assert.deepEqual(
    failures.map((error) => error.code),
    ['timeout', 'timeout'],
  );
});

test('headers above 256 KiB, by size or by number, are unusable', async () => {
  assert.equal(await fetchForCode(head(`X-Long: ${'a'.repeat(300_000)}`)), 'unusable_response');
  const many = Array.from({ length: 40_000 }, (_, n) => `X-${n}: a`).join('\r\n');
  assert.equal(await fetchForCode(head(many)), 'unusable_response');
});

test('a few interim responses are skipped, and a flood of them is unusable', async () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  assert.equal(await fetchForCode(hint.repeat(3) + head('Content-Length: 2') + 'ok'), 'ok');
  assert.equal(await fetchForCode(hint.repeat(100) + head('Content-Length: 2') + 'ok'), 'unusable_response');
  await using endless = await startSocketServer((socket) => {
    const timer = setInterval(() => socket.write(hint), 1);
    socket.once('close', () => clearInterval(timer));
  });
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  assert.equal((await captureFailure(() => visitor.visit(endless.origin))).code, 'unusable_response');
});

const HELLO = '<p>hello</p>';
const LENGTH = `Content-Length: ${HELLO.length}`;
const IN_CHUNKS = `c\r\n${HELLO}\r\n0\r\n\r\n`;

/** Answers that curl or Chromium, mostly both, read as HELLO. */
const READ: Readonly<Record<string, string>> = {
  'chunks with a length': `${head(`${LENGTH}\r\nTransfer-Encoding: chunked`)}${IN_CHUNKS}`,
  'chunks with a different length': `${head('Transfer-Encoding: chunked\r\nContent-Length: 3')}${IN_CHUNKS}`,
  'two equal lengths': `${head(`${LENGTH}\r\n${LENGTH}`)}${HELLO}`,
  'equal lengths in one field': `${head(`${LENGTH}, ${HELLO.length}`)}${HELLO}`,
  'identity with a length': `${head(`Transfer-Encoding: identity\r\n${LENGTH}`)}${HELLO}`,
  'identity alone': `${head('Transfer-Encoding: identity')}${HELLO}`,
  'a length that is not a number': `${head('Content-Length: 12x')}${HELLO}`,
  'a length with a sign': `${head('Content-Length: -1')}${HELLO}`,
  'a head of 200 KB in one field': `${head(`X-Long: ${'a'.repeat(200_000)}\r\n${LENGTH}`)}${HELLO}`,
  'a head of 10,000 fields': `${head(`${'X-Many: a\r\n'.repeat(10_000)}${LENGTH}`)}${HELLO}`,
  'a space before a colon': `${head(`X-Name : x\r\n${LENGTH}`)}${HELLO}`,
  'a tab before the colon of the length': `${head(`Content-Length\t: ${HELLO.length}`)}${HELLO}`,
  'a folded field': `${head(`X-Name: a\r\n b\r\n\tc\r\n${LENGTH}`)}${HELLO}`,
  'bare line feeds': `${head(LENGTH).replaceAll('\r\n', '\n')}${HELLO}`,
  'bare line feeds with chunks': `${head('Transfer-Encoding: chunked')}${IN_CHUNKS}`.replaceAll('\r\n', '\n'),
  'both line ends': `HTTP/1.1 200 OK\nX-A: b\r\n${LENGTH}\n\r\n${HELLO}`,
  'HTTP/1.0 without a length': `HTTP/1.0 200 OK\r\n\r\n${HELLO}`,
  'HTTP/1.0 with bare line feeds': `HTTP/1.0 200 OK\n\n${HELLO}`,
  'no reason phrase': `HTTP/1.1 200\r\n${LENGTH}\r\n\r\n${HELLO}`,
  'no reason phrase and a bare line feed': `HTTP/1.1 200\n${LENGTH}\n\n${HELLO}`,
  'a version in lower case': `http/1.1 200 OK\r\n${LENGTH}\r\n\r\n${HELLO}`,
  'two spaces before the status': `HTTP/1.1  200 OK\r\n${LENGTH}\r\n\r\n${HELLO}`,
  'a version without a minor number': `HTTP/1 200 OK\r\n${LENGTH}\r\n\r\n${HELLO}`,
  'a blank line before the answer': `\r\n${head(LENGTH)}${HELLO}`,
  'a line without a colon': `${head(`nonsense\r\n${LENGTH}`)}${HELLO}`,
  'a field without a name': `${head(`: x\r\n${LENGTH}`)}${HELLO}`,
  'a name with a space': `${head(`X Name: x\r\n${LENGTH}`)}${HELLO}`,
  'a control character in a value': `${head(`X-Name: a\u0001b\r\n${LENGTH}`)}${HELLO}`,
  'a chunk size with blanks': `${head('Transfer-Encoding: chunked')}c  \r\n${HELLO}\r\n0\r\n\r\n`,
  'an interim answer': `HTTP/1.1 100 Continue\r\n\r\n${head(LENGTH)}${HELLO}`,
};

test('heads that browsers and curl accept are accepted, each over a connection that is not reused', async () => {
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  for (const [what, answer] of Object.entries(READ)) {
    await using site = await startRawServer(answer);
    assert.equal(text(await visitor.visit(site.origin)), HELLO, what);
  }
});

test('a malformed response is parsed the same way however it is split', async () => {
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  const answer = `HTTP/1.1 200\nX-A : b\nTransfer-Encoding: chunked\nContent-Length: 3\n\n${IN_CHUNKS}`;
  await using site = await startSocketServer((socket) => {
    const bytes = Array.from(answer);
    const timer = setInterval(() => {
      const byte = bytes.shift();
      if (byte !== undefined) return void socket.write(byte);
      clearInterval(timer);
      return void socket.end();
    }, 1);
    socket.once('close', () => clearInterval(timer));
  });
  assert.equal(text(await visitor.visit(site.origin)), HELLO);
});

test('data after a malformed response is never used as the next response', async () => {
  const smuggled = `${head(`X-Name : x\r\n${LENGTH}`)}${HELLO}${head('Content-Length: 4')}evil`;
  await using site = await startRawServer(smuggled, 'stay');
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  for (const path of ['/1', '/2']) assert.equal(text(await visitor.visit(site.origin + path)), HELLO);
  assert.equal(site.connections(), 4);
});

test('the fields of a malformed response arrive like those of any other', async () => {
  const cookies =
    'Set-Cookie : a=1\r\nSet-Cookie: b=2\r\nX-Folded: one\r\n two\r\nContent-Type : text/plain; charset=utf-8';
  await using site = await startSocketServer((socket, asked) =>
    socket.end(
      asked.startsWith('GET /next')
        ? `${head('Content-Length: 200').replace('200\r\n\r\n', `${asked.length}\r\n\r\n`)}${asked}`
        : head(`${cookies}\r\nLocation : /next`).replace('200 OK', '302 Found'),
    ),
  );
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  const page = await visitor.visit(site.origin);
  assert.equal(new URL(page.url).pathname, '/next');
  assert.match(text(page), /cookie: a=1; b=2/i);
});

test('a response that even browsers reject is unusable, and is not retried', async () => {
  const answers: Readonly<Record<string, string>> = {
    [`${head('Content-Length: 5\r\nContent-Length: 6')}hello`]: 'lengths',
    [`${head('Content-Length: 5, 6')}hello`]: 'lengths',
    [`${head('X-Name: a\0b')}hello`]: 'protocol',
    [`${head('Transfer-Encoding: chunked')}hello\r\n`]: 'protocol',
    [`${head('Content-Length: 5\r\nTransfer-Encoding: chunked')}hello\r\n`]: 'protocol',
    'ICY 200 OK\r\n\r\nhello': 'protocol',
    'HTTP/1.1 2000 OK\r\n\r\nhello': 'protocol',
  };
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  for (const [answer, reason] of Object.entries(answers)) {
    await using site = await startRawServer(answer);
    const error = await captureFailure(() => visitor.visit(site.origin));
    assert.equal(findAttemptFailure(error)?.facts.reason, reason, answer);
    assert.deepEqual([error.code, error.retryable], ['unusable_response', false], answer);
  }
  for (const cut of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
    await using site = await startRawServer(`${head(cut)}5\r\nhello`);
    const error = await captureFailure(() => visitor.visit(site.origin));
    assert.deepEqual([error.code, error.retryable], ['unusable_response', true], cut);
  }
});

test('the received part of a page that stalls or breaks off is included in the failure', async () => {
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  const begun = `${head('Content-Type: text/html\r\nContent-Length: 100')}${HELLO}`;
  const chunked = `${head('Content-Type: text/html\r\nTransfer-Encoding: chunked')}c\r\n${HELLO}\r\n`;
  for (const then of ['stay', 'end'] as const) {
    for (const answer of [begun, chunked, begun.replaceAll('\r\n', '\n')]) {
      await using site = await startRawServer(answer, then);
      const failure = findAttemptFailure(await captureFailure(() => visitor.visit(site.origin, { ms: 400 })));
      assert.equal(failure?.outcome, then === 'stay' ? 'timeout' : 'unusable');
      const { partial } = failure.facts;
      assert.ok(partial !== undefined);
      assert.deepEqual([text(partial), partial.warnings.map(({ code }) => code)], [HELLO, ['truncated']]);
    }
  }
  for (const nothing of [
    head('Content-Length: 100'),
    `${head('Location: /\r\nContent-Length: 9').replace('200', '302')}a`,
  ]) {
    await using site = await startRawServer(nothing, 'stay');
    const failure = findAttemptFailure(await captureFailure(() => visitor.visit(site.origin, { ms: 150 })));
    assert.equal(failure?.facts.partial, undefined);
  }
});

test('data after a short body is never used as the next response', async () => {
  const smuggled = `${head('Content-Length: 5')}hello${head('Content-Length: 4')}evil`;
  await using site = await startRawServer(smuggled, 'stay');
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  for (const path of ['/1', '/2', '/3']) assert.equal(text(await visitor.visit(site.origin + path)), 'hello');
  assert.equal(site.connections(), 3);
});

test('bytes that are not HTTP are unusable, and a closed connection is unreachable', async () => {
  assert.equal(await fetchForCode('SSH-2.0-OpenSSH_9.2\r\n', 'stay'), 'unusable_response');
  assert.equal(await fetchForCode(''), 'target_unreachable');
  assert.equal(
    await fetchForCode('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'stay'),
    'unusable_response',
  );
});

test('a kept-alive connection closed by the target is replaced without a failure', async () => {
  let requests = 0;
  await using site = await startSocketServer((socket) => {
    requests += 1;
    if (requests === 2) socket.destroy();
    else socket.write(`${head('Content-Length: 2')}ok`);
  });
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  await visitor.visit(site.origin);
  assert.equal(text(await visitor.visit(site.origin)), 'ok');
  assert.equal(requests, 3);
});

test('a certificate that is expired, for another name or from an unknown authority is rejected', async () => {
  const hits: string[] = [];
  const serve = (name: 'good' | 'expired' | 'selfsigned') =>
    startTcpServer(createTlsSite(identity(name), (_, response) => response.end(String(hits.push(name)))));
  await using dns = await startDns((name, type) =>
    type === 'A' && name.endsWith('.test') ? [{ type: 'A', value: '127.0.0.1' }] : null,
  );
  await using good = await serve('good');
  await using expired = await serve('expired');
  await using selfsigned = await serve('selfsigned');
  await using visitor = createVisitor({ allow: '127.0.0.1', dns: dns.server, authorities: [AUTHORITY] });
  assert.equal((await visitor.visit(`https://good.test:${good.port}/`)).status, 200);
  assert.equal((await visitor.visit(`https://127.0.0.1:${good.port}/`)).status, 200);
  for (const url of [
    `https://good.test:${expired.port}/`,
    `https://other.test:${good.port}/`,
    `https://good.test:${selfsigned.port}/`,
  ]) {
    const error = await captureFailure(() => visitor.visit(url));
    assert.deepEqual([error.code, error.retryable], ['target_unreachable', false], url);
    assert.match(error.message, /TLS/);
  }
  assert.deepEqual(hits, ['good', 'good']);
});

test('old TLS versions, broken handshakes and unanswered certificate requests are rejected', async () => {
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
  await using oldSite = await startTcpServer(old);
  await using askingSite = await startTcpServer(asking);
  await using plain = await startRawServer(`${head('Content-Length: 2')}ok`);
  await using silent = await startSocketServer(() => {});
  await using visitor = createVisitor({ allow: '127.0.0.1', authorities: [AUTHORITY] });
  for (const site of [oldSite, askingSite, plain]) {
    const { code, retryable } = await captureFailure(() => visitor.visit(`https://127.0.0.1:${site.port}/`));
    assert.deepEqual([code, retryable], ['target_unreachable', false]);
  }
  await using hurried = createVisitor({ allow: '127.0.0.1', limits: { connectMs: 300 } });
  assert.equal((await captureFailure(() => hurried.visit(`https://127.0.0.1:${silent.port}/`))).code, 'timeout');
});

test('HTTP/2 is used if the target offers it, with the same limits', async () => {
  const server = createSecureServer({ ...identity('good'), allowHTTP1: true }, (request, response) => {
    if (request.url === '/headers') response.setHeader('x-long', 'a'.repeat(60_000));
    if (request.url === '/flood') for (let n = 0; n < 40; n += 1) response.setHeader(`x-${n}`, 'a'.repeat(8_000));
    response.end(request.httpVersion);
  });
  await using site = await startTcpServer(server);
  await using visitor = createVisitor({ allow: '127.0.0.1', authorities: [AUTHORITY] });
  const origin = `https://127.0.0.1:${site.port}`;
  const pages = await Promise.all(['/1', '/2', '/3'].map((path) => visitor.visit(origin + path)));
  assert.deepEqual(pages.map(text), ['2.0', '2.0', '2.0']);
  assert.equal((await visitor.visit(`${origin}/headers`)).status, 200);
  assert.equal((await captureFailure(() => visitor.visit(`${origin}/flood`))).code, 'unusable_response');
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
  'endless PRIORITY frames': (socket) => {
    const batch = Buffer.concat(
      Array.from({ length: 1_000 }, () => frame(PRIORITY, 0, 1, Buffer.from([0, 0, 0, 3, 1]))),
    );
    const timer = setInterval(() => socket.write(batch), 5);
    socket.once('close', () => clearInterval(timer));
  },
};

for (const [title, abuse] of Object.entries(ABUSES)) {
  test(`${title} ends the exchange and does not affect the next one`, async () => {
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
    await using hostile = await startTcpServer(server);
    await using next = await startRawServer(`${head('Content-Length: 2')}ok`);
    await using visitor = createVisitor({
      allow: '127.0.0.1',
      authorities: [AUTHORITY],
      limits: { firstByteMs: 1_000 },
    });
    const error = await captureFailure(() => visitor.visit(`https://127.0.0.1:${hostile.port}/`, { ms: 3_000 }));
    assert.match(error.code, /^(unusable_response|target_unreachable|timeout)$/);
    assert.equal(text(await visitor.visit(next.origin)), 'ok');
  });
}

test('unanswered requests of one tenant do not delay those of another at the same origin', async () => {
  const asked: string[] = [];
  await using site = await startHttpServer(({ url = '' }, response) => {
    asked.push(url);
    if (!url.startsWith('/never')) response.end('<p>rye');
  });
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  const mill = { party: { tenant: 'mill', weight: 4 }, ms: 4000 };
  const held = Array.from({ length: 50 }, async (_, at) =>
    visitor.visit(`${site.origin}/never/${at}`, mill).catch(() => 'late'),
  );
  while (asked.length < 32) await setImmediate();
  for (const path of ['/first', '/second']) {
    const page = await visitor.visit(site.origin + path, { party: { tenant: 'other', weight: 1 } });
    assert.equal(text(page), '<p>rye');
  }
  // The 33rd slot is for a tenant without one.
  assert.equal(asked.filter((path) => path.startsWith('/never')).length, 32);
  assert.deepEqual(new Set(await Promise.all(held)), new Set(['late']));
});
