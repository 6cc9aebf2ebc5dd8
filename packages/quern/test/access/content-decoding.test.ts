import assert from 'node:assert/strict';
import test from 'node:test';
import { array, assert as check, asyncProperty, constantFrom, uint8Array } from 'fast-check';
import { decodeContent } from '#access/http/content-decoding.ts';
import { AttemptFailure } from '#access/failure.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import { ServiceError } from '#kernel/errors.ts';
import * as zlib from 'node:zlib';
import { startRawServer, startHttpServer } from '#testkit/servers.ts';
import { captureFailure, createVisitor } from '#testkit/visitor.ts';

const PAGE = `<!doctype html><title>Mill</title>${Array.from({ length: 400 }, (_, n) => `<p>Stone ${n * 7919}</p>`).join('')}`;
const pack = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
} as const;

const text = (page: { readonly body: Uint8Array }) => Buffer.from(page.body).toString();

/** Visits a page that is sent as these bytes under this Content-Encoding. */
async function receive(encoding: string, bytes: Uint8Array, limits = {}) {
  await using site = await startHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding }).end(bytes);
  });
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}`, limits });
  return await visitor.visit(site.origin);
}

test('every requested content coding is decoded, alone and combined', async () => {
  for (const [encoding, compress] of Object.entries(pack)) {
    const bytes = compress(PAGE);
    const page = await receive(encoding, bytes);
    assert.equal(text(page), PAGE, encoding);
    assert.equal(page.wireBytes, bytes.byteLength);
    assert.deepEqual(page.warnings, []);
  }
  assert.equal(text(await receive('deflate', zlib.deflateRawSync(PAGE))), PAGE);
  assert.equal(text(await receive('gzip, br', zlib.brotliCompressSync(zlib.gzipSync(PAGE)))), PAGE);
  const large = PAGE + Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
  for (const [encoding, compress] of Object.entries(pack))
    assert.equal(text(await receive(encoding, compress(large))), large);
});

test('the body owns its bytes, so it can be transferred to a thread', async () => {
  for (const page of [await receive('gzip', zlib.gzipSync('small')), await receive('', Buffer.from('small'))]) {
    assert.equal(page.body.buffer.byteLength, page.body.byteLength);
    assert.equal(structuredClone(page.body, { transfer: [page.body.buffer] }).byteLength, 5);
  }
});

test('decompression bombs of every coding stop at the limit, whatever their size', async () => {
  const zeros = Buffer.alloc(20 * 2 ** 20);
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd'] as const) {
    const error = await captureFailure(() => receive(encoding, pack[encoding](zeros)));
    assert.equal(error.code, 'content_too_large', encoding);
    assert.ok(error.cause instanceof AttemptFailure && error.cause.facts.status === 200);
  }
  const twice = zlib.gzipSync(zlib.gzipSync(zeros));
  assert.equal((await captureFailure(() => receive('gzip, gzip', twice))).code, 'content_too_large');
});

test('a small page that compresses well is not a bomb', async () => {
  const dense = Buffer.alloc(1_000_000, '<p>same</p>');
  assert.equal((await receive('br', zlib.brotliCompressSync(dense))).body.byteLength, 1_000_000);
});

test('the decoded size has its own limit', async () => {
  const page = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('hex');
  const error = await captureFailure(() => receive('gzip', zlib.gzipSync(page), { decodedBytes: 100_000 }));
  assert.equal(error.code, 'content_too_large');
});

test('a body above the wire limit is rejected by its announced and by its actual length', async () => {
  const endless = { wireBytes: 100_000 };
  assert.equal(
    (await captureFailure(() => receive('', Buffer.alloc(100_001, 'a'), endless))).code,
    'content_too_large',
  );
  await using site = await startHttpServer((_, response) => {
    response.writeHead(200);
    const fill = () => void (response.write(Buffer.alloc(16_384)) ? setImmediate(fill) : response.once('drain', fill));
    response.once('close', () => response.removeAllListeners('drain'));
    fill();
  });
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}`, limits: endless });
  assert.equal((await captureFailure(() => visitor.visit(site.origin))).code, 'content_too_large');
});

test('a truncated or corrupt body is decoded as far as possible and flagged', async () => {
  for (const encoding of ['gzip', 'deflate', 'br'] as const) {
    const bytes = pack[encoding](PAGE);
    const page = await receive(encoding, bytes.subarray(0, Math.floor(bytes.byteLength * 0.8)));
    assert.ok(PAGE.startsWith(text(page)) && page.body.byteLength > 0, encoding);
    assert.deepEqual(
      page.warnings.map((warning) => warning.code),
      ['truncated'],
    );
  }
  const wrongSum = zlib.gzipSync(PAGE);
  wrongSum.writeUInt32LE(0, wrongSum.byteLength - 8);
  const page = await receive('gzip', wrongSum);
  assert.equal(text(page), PAGE);
  assert.deepEqual(
    page.warnings.map((warning) => warning.code),
    ['truncated'],
  );
});

test('garbage after the compressed body is ignored', async () => {
  for (const encoding of ['gzip', 'deflate', 'br'] as const) {
    const page = await receive(encoding, Buffer.concat([pack[encoding](PAGE), Buffer.from('garbage')]));
    assert.equal(text(page), PAGE, encoding);
  }
});

test('text of any length after a compressed page does not affect the page', async () => {
  const named = zlib.gzipSync('Rye');
  named[3] = 8;
  const withName = Buffer.concat([named.subarray(0, 10), Buffer.from('rye.html\0'), named.subarray(10)]);
  for (const [packed, whole] of [
    [zlib.gzipSync(PAGE), PAGE],
    [zlib.gzipSync('Rye'), 'Rye'],
    [withName, 'Rye'],
  ] as const) {
    for (const behind of ['\n', '\r\n\r\n', `<!-- made in ${'0.'.repeat(900)}3 s -->`]) {
      const page = await receive('gzip', Buffer.concat([packed, Buffer.from(behind)]));
      assert.deepEqual([text(page), page.warnings], [whole, []]);
    }
  }
});

test('a wrong Content-Encoding on readable text is ignored', async () => {
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'identity, br', 'utf-8', 'none', 'identity', 'gzip, gzip']) {
    const page = await receive(encoding, Buffer.from(PAGE));
    assert.equal(text(page), PAGE, encoding);
    assert.deepEqual(page.warnings, []);
  }
});

test('unreadable bytes with a wrong encoding, and too many codings, are unusable', async () => {
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'compress']) {
    const error = await captureFailure(() => receive(encoding, Buffer.from([1, 2, 3, 4, 0xff, 0, 0xfe, 5])));
    assert.equal(error.code, 'unusable_response', encoding);
  }
  const error = await captureFailure(() => receive('gzip, gzip, gzip, gzip, gzip', zlib.gzipSync(PAGE)));
  assert.equal(error.code, 'unusable_response');
});

test('responses without a body, and unexpected bodies, are empty pages', async () => {
  const heads = [
    '204 No Content',
    '204 No Content\r\nContent-Length: 5',
    '304 Not Modified\r\nContent-Length: 5',
    '200 OK\r\nContent-Length: 0',
  ];
  for (const head of heads) {
    await using site = await startRawServer(`HTTP/1.1 ${head}\r\n\r\n${head.includes('5') ? 'extra' : ''}`, 'stay');
    await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
    const page = await visitor.visit(site.origin);
    assert.equal(page.body.byteLength, 0, head);
    await visitor.visit(site.origin);
  }
  assert.equal((await receive('gzip', Buffer.alloc(0))).body.byteLength, 0);
});

test('the request has the headers of a browser navigation in order, with the values of the caller', async () => {
  await using site = await startHttpServer((request, response) => response.end(JSON.stringify(request.rawHeaders)));
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  const page = await visitor.visit(site.origin, {
    headers: { 'accept-language': 'de', 'X-Mine': '1' },
    cookies: [{ name: 'a', value: 'b' }],
  });
  const raw: unknown = JSON.parse(text(page));
  assert.ok(Array.isArray(raw));
  const names = raw.filter((_, at) => at % 2 === 0);
  assert.deepEqual(names, [
    'host',
    'connection',
    'sec-ch-ua',
    'sec-ch-ua-mobile',
    'sec-ch-ua-platform',
    'Upgrade-Insecure-Requests',
    'User-Agent',
    'Accept',
    'Sec-Fetch-Site',
    'Sec-Fetch-Mode',
    'Sec-Fetch-User',
    'Sec-Fetch-Dest',
    'Accept-Encoding',
    'Accept-Language',
    'X-Mine',
    'Cookie',
    'quern-depth',
  ]);
  assert.equal(raw[raw.indexOf('Accept-Language') + 1], 'de');
});

test('a header value with a line break is rejected before anything is sent', async () => {
  await using site = await startHttpServer((_, response) => response.end());
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  const error = await captureFailure(() => visitor.visit(site.origin, { headers: { 'x-a': 'b\r\nx-evil: 1' } }));
  assert.equal(error.code, 'invalid_request');
  assert.equal(site.connections(), 0);
});

test('proxies in environment variables are not used', async () => {
  await using site = await startHttpServer((_, response) => response.end('direct'));
  await using proxy = await startHttpServer((_, response) => response.end('by proxy'));
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) process.env[name] = proxy.origin;
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  assert.equal(text(await visitor.visit(site.origin)), 'direct');
  assert.equal(proxy.connections(), 0);
});

test('for any bytes and encodings, decoding returns bytes within limits or throws a ServiceError', async () => {
  const labels = array(constantFrom('gzip', 'deflate', 'br', 'zstd', 'identity', 'x'), { maxLength: 4 });
  const limits = { ...DEFAULT_LIMITS, decodedBytes: 10_000, ratioFromBytes: 10_000 };
  await check(
    asyncProperty(uint8Array({ maxLength: 200 }), labels, async (bytes, codings) => {
      const wire = new Uint8Array(bytes);
      try {
        const { body } = await decodeContent(wire, codings.join(', '), limits);
        assert.ok(body.byteLength <= 10_000);
      } catch (error) {
        assert.ok(error instanceof ServiceError, String(error));
      }
    }),
    { numRuns: 300 },
  );
});
