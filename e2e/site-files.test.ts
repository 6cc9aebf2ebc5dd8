import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { listAt, textAt } from '#support/members.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { openWorld, type World } from '#support/world.ts';

let world: World;
let origin = '';
let other = '';
const closing = new AsyncDisposableStack();

function sitemap(...urls: readonly string[]): string {
  return `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
}

function answer(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.writeHead(200, { 'content-type': type }).end(body);
}

before(async () => {
  const elsewhere = await startHttpServer((_request, response) => {
    answer(response, 'application/xml', sitemap(`${origin}/far`, `${other}/own`));
  });
  closing.use(elsewhere);
  // The same machine with another name is another host.
  other = elsewhere.origin.replace('127.0.0.1', 'localhost');
  const site = await startHttpServer(({ url = '/' }, response) => {
    if (url === '/robots.txt')
      return answer(response, 'text/plain', `Sitemap: ${other}/all.xml\nSitemap: http://127.0.0.2:1/refused.xml`);
    if (url === '/plain.xml') return answer(response, 'text/plain', sitemap(`${origin}/far`));
    if (url === '/packed.xml.gz')
      return answer(response, 'application/octet-stream', gzipSync(sitemap(`${origin}/far`)));
    return answer(response, 'text/html', `<h1>Page ${url}</h1><p>It is about ${url} and says so at some length.`);
  });
  closing.use(site);
  origin = site.origin;
  world = await openWorld({ QUERN_ALLOW_TARGETS: [origin, other].map((one) => new URL(one).host).join(',') });
});
after(async () => {
  await world.close();
  await closing.disposeAsync();
});

function listPaths(body: Readonly<Record<string, unknown>>, list: string): readonly string[] {
  return listAt(body, list).map((one) => textAt(one, 'url').replace(origin, ''));
}

suite('sitemap files', () => {
  for (const path of ['/plain.xml', '/packed.xml.gz']) {
    test(`a crawl and a map from a sitemap at ${path} have its pages`, async () => {
      const crawled = await world.call('/v1/crawl', { url: origin + path, delay_ms: 0 });
      assert.deepEqual([crawled.status, listPaths(crawled.body, 'pages')], [200, ['/far']]);
      assert.equal(crawled.headers.get('x-credits-used'), '2');
      const mapped = await world.call('/v1/map', { url: origin + path, delay_ms: 0 });
      assert.deepEqual([mapped.status, listPaths(mapped.body, 'urls')], [200, ['/far']]);
    });
  }

  test('a sitemap on another host is read, and a refused one is reported', async () => {
    const { status, body } = await world.call('/v1/crawl', { url: `${origin}/`, delay_ms: 0 });
    assert.deepEqual([status, listPaths(body, 'pages').toSorted()], [200, ['/', '/far']]);
    assert.equal(body['complete'], false);
    const [error, ...others] = listAt(body, 'sources.robots.errors');
    assert.deepEqual([textAt(error, 'url'), others], ['http://127.0.0.2:1/refused.xml', []]);
  });
});
