import assert from 'node:assert/strict';
import { createSecureServer } from 'node:http2';
import test from 'node:test';
import type { ReceivedResponse, SentRequest, ExchangeRecorder } from '#access/exchange-recorder.ts';
import { startRawServer, startTcpServer, startHttpServer } from '#testkit/servers.ts';
import { AUTHORITY, identity } from '#support/tls.ts';
import { captureFailure, createVisitor } from '#testkit/visitor.ts';

/** A recorder and its received exchanges, in the order of the responses. */
function openWitness() {
  const seen: { readonly sent: SentRequest; readonly received: ReceivedResponse }[] = [];
  let asked = 0;
  const recorder: ExchangeRecorder = (sent) => {
    asked += 1;
    return (received) => seen.push({ sent, received });
  };
  return { recorder, seen, asked: () => asked };
}

function decodeBody({ body }: ReceivedResponse): string {
  return Buffer.concat(body).toString();
}

/** The bytes of a raw response that a recorder received, and the end of it. */
async function recordCut(bytes: string, then: 'end' | 'stay', limits = {}) {
  await using site = await startRawServer(bytes, then);
  await using visitor = createVisitor({ allow: '127.0.0.1', limits });
  const { recorder, seen } = openWitness();
  await visitor.visit(site.origin, { recorder, ms: 400 }).catch(() => null);
  return seen.map(({ received }) => [received.cut, decodeBody(received)]);
}

test('a recorder receives every exchange of a visit as transferred, including redirects', async () => {
  const bytes =
    'HTTP/1.1 200 All Is Well\r\nX-Twice: a\r\nx-twice: b\r\nX-Odd: caf\u00e9\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nrye\r\n0\r\n\r\n';
  await using end = await startRawServer(Buffer.from(bytes, 'latin1'));
  await using site = await startHttpServer((_, response) =>
    response.writeHead(302, { location: `${end.origin}/end` }).end('elsewhere'),
  );
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  const { recorder, seen } = openWitness();
  await visitor.visit(`${site.origin}/start#part`, { headers: { 'X-Own': 'mine' }, recorder });
  assert.deepEqual(
    seen.map(({ sent, received }) => [sent.url.origin, sent.url.pathname, received.status, received.cut, received.ip]),
    [
      [site.origin, '/start', 302, null, '127.0.0.1'],
      [end.origin, '/end', 200, null, '127.0.0.1'],
    ],
  );
  const [first, last] = seen;
  assert.ok(first !== undefined && last !== undefined);
  assert.deepEqual([decodeBody(first.received), decodeBody(last.received)], ['elsewhere', 'rye']);
  assert.deepEqual(
    [first, last].map(({ sent }) => sent.headers.includes('X-Own')),
    [true, false],
  );
  const { protocol, reason, headers } = last.received;
  assert.deepEqual([protocol, reason], ['http/1.1', 'All Is Well']);
  assert.deepEqual(headers.slice(0, 6), ['X-Twice', 'a', 'x-twice', 'b', 'X-Odd', 'caf\u00e9']);
});

test('a recorder of HTTP/2 receives the fields without pseudo headers, and repeated ones separately', async () => {
  const server = createSecureServer(identity('good'), (_, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.end('rye');
  });
  await using site = await startTcpServer(server);
  await using visitor = createVisitor({ allow: '127.0.0.1', authorities: [AUTHORITY] });
  const { recorder, seen } = openWitness();
  await visitor.visit(`https://127.0.0.1:${site.port}/`, { recorder });
  const [one] = seen;
  assert.deepEqual([one?.received.protocol, one?.received.status, one?.received.ip], ['h2', 200, '127.0.0.1']);
  const fields = one?.received.headers ?? [];
  assert.equal(fields.filter((name) => name === 'set-cookie').length, 2);
  assert.ok(!fields.includes(':status'));
});

test('a recorder receives the reason and the length of an incomplete body', async () => {
  const long = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n';
  assert.deepEqual(await recordCut(`${long}rye`, 'end'), [['disconnect', 'rye']]);
  assert.deepEqual(await recordCut(`${long}rye`, 'stay'), [['time', 'rye']]);
  assert.deepEqual(await recordCut(`${long}rye`, 'stay', { wireBytes: 50 }), [['length', '']]);
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwheat\r\n';
  assert.deepEqual(await recordCut(chunked, 'stay', { wireBytes: 4 }), [['length', 'wheat']]);
});

test('a recorder receives no response if none arrived', async () => {
  await using site = await startRawServer('', 'end');
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  const { recorder, seen, asked } = openWitness();
  await captureFailure(async () => visitor.visit(site.origin, { recorder }));
  assert.deepEqual([asked(), seen.length], [1, 0]);
});
