import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Firecrawl, FirecrawlAppV1 } from '@mendable/firecrawl-js';
import { KEY, serveQuern } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { startHttpServer } from '#testkit/servers.ts';

const PRODUCTS: Readonly<Record<string, string>> = {
  '/shop/':
    '<title>Shop</title><h1>Shop</h1><a href="/shop/rye">Rye</a> <a href="/shop/oats">Oats</a> <a href="/o">O</a>',
  '/shop/rye': toProduct('Rye flour', '"sku": "R1"'),
  '/shop/oats': toProduct('Oats', '"brand": {"@type": "Brand", "name": "Mill"}'),
};

function toProduct(name: string, more: string): string {
  return `<title>${name}</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "${name}", ${more}}</script><h1>${name}</h1><ul><li>${name} bag</li><li>flour</li></ul>`;
}

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    sku: { type: ['string', 'null'] },
    brand: { type: ['string', 'null'] },
  },
};

type Work = (shop: { readonly origin: string; readonly apiUrl: string }) => Promise<void>;

async function withShop(work: Work): Promise<void> {
  await using site = await startHttpServer(({ url = '' }, response) => {
    const page = PRODUCTS[url];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page);
  });
  await inTemporaryFolder(async (folder) => {
    await using service = await serveQuern(folder, { QUERN_ALLOW_TARGETS: new URL(site.origin).host });
    await work({ origin: site.origin, apiUrl: `${service.origin}/firecrawl` });
  });
}

suite('extract of Firecrawl', { concurrency: 2 }, () => {
  test('one URL is its object, several are merged in their order, and /* stands for the pages below', async () => {
    await withShop(async ({ origin, apiUrl }) => {
      const client = new Firecrawl({ apiUrl, apiKey: KEY });
      const extract = async (...paths: readonly string[]) =>
        client.extract({ urls: paths.map((path) => origin + path), schema, pollInterval: 1, timeout: 60 });
      const one = await extract('/shop/rye');
      assert.equal(one.status, 'completed');
      assert.deepEqual(one.data, { name: 'Rye flour', sku: 'R1', brand: null });
      assert.ok(Date.parse(one.expiresAt ?? '') > Date.now());
      const both = await extract('/shop/oats', '/shop/rye');
      assert.deepEqual(both.data, { name: 'Oats', sku: 'R1', brand: 'Mill' });
      assert.deepEqual(both.sources?.['sku'], [`${origin}/shop/rye`]);
      assert.deepEqual((await extract('/shop/*')).data, { name: 'Shop', sku: 'R1', brand: 'Mill' });
      const v1 = await new FirecrawlAppV1({ apiUrl, apiKey: KEY }).extract([`${origin}/shop/rye`], { schema });
      assert.deepEqual(v1.success && v1.data, { name: 'Rye flour', sku: 'R1', brand: null });
    });
  });

  test('an extract without a page fails, and what cannot be honoured is refused', async () => {
    await withShop(async ({ origin, apiUrl }) => {
      const client = new Firecrawl({ apiUrl, apiKey: KEY });
      const urls = [`${origin}/none`];
      const failed = await client.extract({ urls, schema, pollInterval: 1, timeout: 60 });
      assert.deepEqual([failed.status, failed.error], ['failed', 'the target answered 404']);
      await assert.rejects(client.startExtract({ urls, prompt: 'the name' }), /schema: extract needs a JSON Schema/);
      await assert.rejects(client.startExtract({ urls, schema, enableWebSearch: true }), /enableWebSearch: not served/);
      await assert.rejects(client.startExtract({ urls: [...urls, `${origin}/*`], schema }), /must end with/);
      const started = await client.startExtract({ urls, schema, prompt: 'the name' });
      assert.match(started.warning ?? '', /^prompt: not used/);
    });
  });
});
