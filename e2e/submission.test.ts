import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsSite } from 'node:https';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { STORE_KINDS } from '#store/db.ts';
import { until, withFleet } from '#support/fleet.ts';
import { at, textAt } from '#support/members.ts';
import { runQuern, serveQuern } from '#support/quern.ts';
import { BROWSERS, browserTest } from '#support/rendered.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { identity } from '#support/tls.ts';
import { startHttpServer, startTcpServer } from '#testkit/servers.ts';

const STORY = `<h1>Rye</h1><p>${'Rye is milled on Mondays. '.repeat(20)}</p>`;

/** A site that answers with what it got, and keeps requests for `/held` open. */
async function openEchoSite() {
  const seen: string[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const got = `${method} ${url} ${headers['content-type'] ?? ''} ${await text(request)}`.trim();
    seen.push(got);
    if (url !== '/held') response.writeHead(200, { 'content-type': 'text/plain' }).end(got);
  }
  const site = await startHttpServer((request, response) => void answer(request, response));
  return { seen, ...site, [Symbol.asyncDispose]: async () => site[Symbol.asyncDispose]() };
}

suite('requests with other methods than GET', { concurrency: 2 }, () => {
  test('a POST is sent by a call, a job and the command line', async () => {
    await inTemporaryFolder(async (folder) => {
      await using site = await openEchoSite();
      const settings = { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}` };
      await using service = await serveQuern(folder, settings);
      const url = `${site.origin}/query`;
      const input = { url, method: 'POST', body: { json: { grain: 'rye' } }, output: ['text'] };
      const sent = 'POST /query application/json {"grain":"rye"}\n';
      const { body } = await service.call('/v1/fetch', input);
      assert.equal(at(body, 'text'), sent);
      const job = await service.call('/v1/jobs', { kind: 'fetch', input });
      const { body: record } = await service.call(`/v1/jobs/${textAt(job.body, 'id')}?wait_ms=20000`);
      assert.deepEqual([record['status'], at(record, 'progress.completed')], ['completed', 1]);
      const { body: result } = await service.call(`/v1/jobs/${textAt(job.body, 'id')}/result`);
      assert.equal(at(result, 'text'), sent);
      const form = ['--method', 'PUT', '--body', '{"form":{"grain":"rye"}}', '--output', 'text'];
      const command = await runQuern(join(folder), ['fetch', url, ...form], {
        ...settings,
        QUERN_URL: service.origin,
        QUERN_API_KEY: `qk_${'a'.repeat(32)}`,
      });
      assert.equal(command.out.trim(), 'PUT /query application/x-www-form-urlencoded grain=rye', command.err);
      assert.equal(site.seen.length, 3);
    });
  });

  for (const kind of STORE_KINDS) {
    test(`${kind}: after kill -9 during a POST, its job fails with the reason and the POST is not sent again`, async () => {
      await using site = await openEchoSite();
      await withFleet({ kind, time: 'rehearsed' }, async (fleet) => {
        const settings = { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}` };
        const first = await fleet.serve('first', settings);
        const input = { url: `${site.origin}/held`, method: 'POST', timeout_ms: 100_000 };
        const id = textAt((await first.call('/v1/jobs', { kind: 'fetch', input })).body, 'id');
        await until('the POST has arrived', async () => site.seen.length === 1);
        first.signal('SIGKILL');
        await first.ended;
        const second = await fleet.serve('second', settings);
        // On PostgreSQL the lease of the killed process must expire first.
        fleet.time.run(kind === 'sqlite' ? 1 : 10);
        await until('the job has failed', async () => {
          const { body } = await second.call(`/v1/jobs/${id}?wait_ms=1000`);
          return body['status'] === 'failed';
        });
        const { body } = await second.call(`/v1/jobs/${id}`);
        assert.match(textAt(body, 'error.message'), /may have reached the target.*never retried automatically/);
        assert.deepEqual(site.seen, ['POST /held']);
      });
    });
  }
});

/** A TLS site with a certificate that nobody has signed. */
async function openSelfSigned() {
  return startTcpServer(
    createTlsSite(identity('selfsigned'), (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(STORY),
    ),
  );
}

test('insecure_tls needs the setting of the operator', async () => {
  await inTemporaryFolder(async (folder) => {
    await using site = await openSelfSigned();
    await using service = await serveQuern(folder, { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}` });
    const { status, body } = await service.call('/v1/fetch', {
      url: `https://127.0.0.1:${site.port}/`,
      insecure_tls: true,
    });
    assert.deepEqual([status, at(body, 'error.code')], [400, 'invalid_request']);
    assert.match(textAt(body, 'error.message'), /^insecure_tls: .*QUERN_ALLOW_INSECURE_TLS=on/);
    const urls = [`https://127.0.0.1:${site.port}/`];
    for (const [path, input, says] of [
      ['crawl', { urls, fetch: { insecure_tls: true } }, /^fetch\.insecure_tls: .*QUERN_ALLOW_INSECURE_TLS=on/],
      ['fetch/batch', { urls, insecure_tls: true }, /^insecure_tls: .*QUERN_ALLOW_INSECURE_TLS=on/],
    ] as const) {
      const refused = await service.call(`/v1/${path}`, input);
      assert.equal(refused.status, 400);
      assert.match(textAt(refused.body, 'error.message'), says);
    }
  });
});

browserTest(
  'with insecure_tls a self-signed page is fetched by HTTP and by Chromium, without it by neither',
  async () => {
    await inTemporaryFolder(async (folder) => {
      await using site = await openSelfSigned();
      await using service = await serveQuern(folder, {
        QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`,
        QUERN_ALLOW_INSECURE_TLS: 'on',
        QUERN_CHROMIUM: BROWSERS?.shell.path ?? '',
      });
      const url = `https://127.0.0.1:${site.port}/`;
      const fetchWith = async (input: object) => service.call('/v1/fetch', { url, output: ['text'], ...input });
      for (const more of [{}, { method: 'POST' }, { wait_for_selector: 'h1' }, { respect_robots: true }]) {
        // In turn, so that a connection or a copy of the one would be used by the other.
        for (const insecure of [true, false]) {
          const { status, body } = await fetchWith({ ...more, ...(insecure ? { insecure_tls: true } : {}) });
          const says = JSON.stringify([more, body]);
          assert.equal(status, insecure ? 200 : 502, says);
          assert.match(
            String(at(body, insecure ? 'text' : 'error.message')),
            insecure ? /Rye is milled/ : /certificate/,
            says,
          );
        }
      }
      await fetchWith({ insecure_tls: true });
      assert.equal((await fetchWith({ max_age_ms: 60_000 })).status, 502);
      assert.equal(at((await fetchWith({ max_age_ms: 60_000, insecure_tls: true })).body, 'cache.hit'), true);
    });
  },
);

browserTest(
  'with insecure_tls a crawl and a batch read a self-signed site, its robots.txt and its sitemap, without it none',
  async () => {
    await inTemporaryFolder(async (folder) => {
      const seen: string[] = [];
      await using site = await startTcpServer(
        createTlsSite(identity('selfsigned'), ({ url = '/', headers }, response) => {
          seen.push(url);
          if (url === '/robots.txt') return response.end(`Sitemap: https://${headers.host}/map.xml\n`);
          if (url === '/map.xml')
            return response.end(`<urlset><url><loc>https://${headers.host}/oats</loc></url></urlset>`);
          return response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${url}</h1>${STORY}`);
        }),
      );
      await using service = await serveQuern(folder, {
        QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`,
        QUERN_ALLOW_INSECURE_TLS: 'on',
        QUERN_CHROMIUM: BROWSERS?.shell.path ?? '',
      });
      const url = `https://127.0.0.1:${site.port}/`;
      for (const more of [{}, { wait_for_selector: 'h1' }]) {
        const crawl = { url, delay_ms: 0, fetch: { ...more, insecure_tls: true } };
        const crawled = await service.call('/v1/crawl', crawl);
        assert.equal(at(crawled.body, 'stats.fetched'), 2, JSON.stringify(crawled.body));
        assert.ok(seen.includes('/robots.txt') && seen.includes('/map.xml'));
        const batch = { urls: [url], respect_robots: true, output: ['text'], ...more };
        const fetched = await service.call('/v1/fetch/batch', { ...batch, insecure_tls: true });
        assert.match(textAt(fetched.body, 'results.0.text'), /Rye is milled/);
        const verified = await service.call('/v1/fetch/batch', batch);
        assert.match(textAt(verified.body, 'results.0.error.message'), /certificate/);
        assert.equal((await service.call('/v1/crawl', { ...crawl, fetch: more })).status, 502);
      }
    });
  },
);
