import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsSite } from 'node:https';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { SendOnce, Submission } from '#access/page.ts';
import { startHttpServer, startSocketServer, startTcpServer } from '#testkit/servers.ts';
import { captureFailure, createVisitor } from '#testkit/visitor.ts';
import { identity } from '../support/tls.ts';

const ROUTES: Readonly<Record<string, number>> = {
  '/moved': 301,
  '/found': 302,
  '/see': 303,
  '/again': 307,
  '/ever': 308,
};

/** A site that records each request, and redirects the paths of `ROUTES` to `to`. */
async function startRecordingSite(to = '/query') {
  const seen: string[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const { 'content-type': type = '', 'content-length': length = 'no length', 'x-key': key = '' } = headers;
    seen.push([method, url, type, length, await text(request), key].join(' ').trim());
    const status = ROUTES[url];
    response.writeHead(status ?? 200, status === undefined ? { 'content-type': 'text/plain' } : { location: to });
    response.end('ground');
  }
  const site = await startHttpServer((request, response) => void answer(request, response));
  return { seen, ...site, [Symbol.asyncDispose]: async () => site[Symbol.asyncDispose]() };
}

function submit(method: Submission['method'], once: SendOnce | null = null): Submission {
  return { method, body: '{"a":1}', contentType: 'application/json', once };
}

/** Counts how often a request is about to be sent. */
function countSends() {
  let sends = 0;
  const once: SendOnce = { isSent: () => sends > 0, beforeSend: async () => void (sends += 1) };
  return { once, count: () => sends };
}

const BODY = 'application/json 7 {"a":1}';

for (const once of [null, countSends().once]) {
  test(`redirects change the method as in the Fetch standard (${once === null ? 'repeatable' : 'sent once'})`, async () => {
    await using site = await startRecordingSite();
    await using visitor = createVisitor({ allow: new URL(site.origin).host });
    for (const method of ['POST', 'PUT'] as const) {
      for (const path of Object.keys(ROUTES)) {
        const page = await visitor.visit(`${site.origin}${path}`, { submission: submit(method, once) });
        assert.equal(Buffer.from(page.body).toString(), 'ground');
      }
    }
    const [get, post, put] = ['GET /query  no length', `POST /query ${BODY}`, `PUT /query ${BODY}`];
    assert.deepEqual(
      site.seen.filter((line) => line.includes('/query')),
      [get, get, get, post, post, put, put, get, put, put],
    );
  });
}

test('a redirect to another origin keeps method and body, and drops the headers of the caller', async () => {
  await using other = await startRecordingSite();
  await using site = await startRecordingSite(`${other.origin}/query`);
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  await visitor.visit(`${site.origin}/again`, { headers: { 'x-key': 'secret' }, submission: submit('POST') });
  assert.deepEqual(site.seen, [`POST /again ${BODY} secret`]);
  assert.deepEqual(other.seen, [`POST /query ${BODY}`]);
});

test('methods without a body send no content type, and a length of 0', async () => {
  await using site = await startRecordingSite();
  await using visitor = createVisitor({ allow: new URL(site.origin).host });
  for (const once of [null, countSends().once]) {
    const submission = { method: 'DELETE', body: null, contentType: null, once } as const;
    await visitor.visit(`${site.origin}/query`, { submission });
    await visitor.visit(`${site.origin}/query`, { submission: { ...submission, method: 'POST' } });
  }
  const lines = site.seen.map((line) => line.replace('DELETE /query  no length', 'DELETE /query  0'));
  assert.deepEqual(lines, ['DELETE /query  0', 'POST /query  0', 'DELETE /query  0', 'POST /query  0']);
});

test('a request that is sent once is not repeated after the connection breaks or the response is malformed', async () => {
  for (const reply of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nrye']) {
    let heads = 0;
    await using site = await startSocketServer((socket) => {
      heads += 1;
      socket.end(reply);
    });
    await using visitor = createVisitor({ allow: '127.0.0.1' });
    const sends = countSends();
    const failure = await captureFailure(async () =>
      visitor.visit(`${site.origin}/`, { submission: submit('POST', sends.once) }),
    );
    assert.match(failure.code, /^(?:target_unreachable|unusable_response)$/);
    assert.equal(heads, 1);
    assert.equal(sends.count(), 1);
    // A request that may be repeated is.
    await captureFailure(async () => visitor.visit(`${site.origin}/`, { submission: submit('POST') }));
    assert.equal(heads, 3);
  }
});

test('a request counts as sent only after the connection is made', async () => {
  await using site = await startRecordingSite();
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  const sends = countSends();
  const closed = await startHttpServer(() => undefined);
  await closed[Symbol.asyncDispose]();
  await captureFailure(async () => visitor.visit(`${closed.origin}/`, { submission: submit('POST', sends.once) }));
  assert.equal(sends.once.isSent(), false);
  const refusing: SendOnce = {
    isSent: () => false,
    async beforeSend() {
      throw new Error('not now');
    },
  };
  await captureFailure(async () => visitor.visit(`${site.origin}/`, { submission: submit('POST', refusing) }));
  assert.deepEqual(site.seen, []);
});

test('certificates are accepted unchecked only if requested, over connections of their own', async () => {
  const tls = identity('selfsigned');
  let secured = 0;
  const sites = [
    createTlsSite(tls, (_, response) => response.end('ground')),
    createSecureServer(tls, (_, response) => response.end('ground')),
  ];
  for (const server of sites) {
    server.on('secureConnection', () => (secured += 1));
    await using listening = await startTcpServer(server);
    await using visitor = createVisitor({ allow: '127.0.0.1' });
    const url = `https://127.0.0.1:${listening.port}/`;
    const refuses = async (): Promise<void> => {
      const failure = await captureFailure(async () => visitor.visit(url));
      assert.match(failure.message, /certificate/);
    };
    await refuses();
    for (const submission of [undefined, submit('POST'), submit('POST', countSends().once)]) {
      if (submission?.once !== undefined && submission.once !== null && server === sites[1]) continue;
      const page = await visitor.visit(url, { insecureTls: true, ...(submission === undefined ? {} : { submission }) });
      assert.equal(Buffer.from(page.body).toString(), 'ground');
    }
    await refuses();
  }
  assert.ok(secured > 0);
});
