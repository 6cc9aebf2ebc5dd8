import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../support/members.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { openWorldApart } from '../support/world.ts';

test('a crawl reports a redirect to another site, and does not request that site', async () => {
  const strangers: string[] = [];
  await using elsewhere = await startHttpServer(({ url = '/' }, response) => {
    strangers.push(url);
    response.end('elsewhere');
  });
  const asked: string[] = [];
  await using site = await startHttpServer(({ url = '/' }, response) => {
    asked.push(url);
    if (url === '/robots.txt') return response.end('User-agent: *\nDisallow: /wall');
    if (url === '/out') return response.writeHead(302, { location: `${elsewhere.origin}/landing` }).end();
    if (url === '/round') return response.writeHead(301, { location: '/out' }).end();
    if (url === '/barred') return response.writeHead(301, { location: '/wall' }).end();
    response.setHeader('content-type', 'text/html');
    const links = url === '/' ? ['/out', '/round', '/barred', '/home'] : [];
    return response.end(`<h1>On ${url}</h1>${links.map((link) => `<a href="${link}">to</a>`).join(' ')}`);
  });
  const world = await openWorldApart({
    QUERN_ALLOW_TARGETS: `${new URL(site.origin).host},${new URL(elsewhere.origin).host}`,
  });
  try {
    const { status, body } = await world.service.call('/v1/crawl', { url: site.origin, sitemap: 'skip', delay_ms: 0 });
    assert.equal(status, 200);
    assert.deepEqual([at(body, 'stats.fetched'), at(body, 'stats.discovered'), at(body, 'usage.credits')], [2, 5, 4]);
    assert.deepEqual([at(body, 'skipped.redirect'), at(body, 'skipped.robots')], [2, 1]);
    assert.deepEqual(strangers, []);
    assert.ok(!asked.includes('/wall'));
    const left = await world.service.call('/v1/crawl', { url: `${site.origin}/out`, sitemap: 'skip', delay_ms: 0 });
    assert.deepEqual([at(left.body, 'stats.fetched'), at(left.body, 'warnings')], [1, []]);
  } finally {
    await world.close();
  }
});
