import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { textAt } from '#support/members.ts';
import { serveQuern } from '#support/quern.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { LISTING_PAGES, PRODUCTS, SHOP_URLS, shopLinks } from '#support/shop.ts';
import { inTemporaryFolder } from '#support/store.ts';

/** The credits of the call, and one for each started hundred URLs. */
const PRICE = 1 + Math.ceil(SHOP_URLS / 100);

const Mapped = z.looseObject({
  total: z.number(),
  urls: z.array(z.looseObject({ url: z.string() })),
  next_cursor: z.string().nullable(),
  usage: z.looseObject({ credits: z.number() }),
});

test('a map survives kill -9, finds all 1000 products behind pagination, and is charged once', async () => {
  const middle = Promise.withResolvers<void>();
  await using shop = await startHttpServer(({ url = '/' }, response) => {
    if (url === `/all?page=${LISTING_PAGES / 2}`) middle.resolve();
    const links = shopLinks(url);
    response.writeHead(links === null ? 404 : 200, { 'content-type': 'text/html' });
    response.end(`<h1>${url}</h1>${(links ?? []).map((link) => `<p><a href="${link}">to</a>`).join('')}`);
  });
  await inTemporaryFolder(async (folder) => {
    const settings = { QUERN_ALLOW_TARGETS: new URL(shop.origin).host };
    const first = await serveQuern(folder, settings);
    const order = { url: shop.origin, max_urls: 2000, max_depth: 2, delay_ms: 0 };
    const { status, body } = await first.call('/v1/map', order);
    assert.equal(status, 202);
    await middle.promise;
    first.signal('SIGKILL');
    await first.ended;
    await using second = await serveQuern(folder, settings);
    const path = `/v1/jobs/${textAt(body, 'id')}`;
    const job = await second.call(`${path}?wait_ms=30000`);
    assert.equal(textAt(job.body, 'status'), 'completed');
    const urls = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const more = cursor === '' ? '' : `&cursor=${cursor}`;
      const part = Mapped.parse((await second.call(`${path}/result?limit=1000${more}`)).body);
      for (const { url } of part.urls) urls.add(url);
      assert.deepEqual([part.total, part.usage.credits], [SHOP_URLS, PRICE]);
      cursor = part.next_cursor;
    }
    assert.equal(urls.size, SHOP_URLS);
    assert.equal([...urls].filter((url) => url.includes('/product-')).length, PRODUCTS);
    const usage = await second.call('/v1/usage');
    assert.deepEqual([usage.body['credits_used'], usage.body['credits_reserved']], [PRICE, 0]);
  });
});
