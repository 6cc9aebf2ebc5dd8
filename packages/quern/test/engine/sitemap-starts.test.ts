import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { z } from 'zod';
import type { Visit } from '#access/page.ts';
import { isSitemap } from '#extract/urls/sitemaps.ts';
import { onEveryStore } from '../support/store.ts';
import { checkBooks } from '../support/engine/queue.ts';
import { buildTestPage, SITE, withGate } from './gate.ts';
import { type Answer, hangsAt, inEachMode, serves, buildSite, takenOver } from '../support/engine/crawl-modes.ts';

const Named = z.array(z.looseObject({ url: z.string(), depth: z.number().optional(), source: z.string().optional() }));
const Answered = z.looseObject({
  complete: z.boolean(),
  stop_reason: z.string(),
  pages: Named.optional(),
  urls: Named.optional(),
  skipped: z.record(z.string(), z.number()).optional(),
  sources: z.record(z.string(), z.looseObject({ read: z.number(), errors: z.array(z.unknown()) })),
  usage: z.looseObject({ credits: z.number() }),
});

const page = (...links: readonly string[]): Answer => ({ links });
const encoder = new TextEncoder();
const START = `${SITE}maps/site.xml`;

function buildSitemap(tag: string, entry: string, urls: readonly string[]): string {
  const entries = urls.map((url) => `<${entry}><loc>${new URL(url, SITE).href}</loc></${entry}>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by <urls> -->\n<${tag} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</${tag.split(' ')[0]}>`;
}

const URLSET = buildSitemap('urlset', 'url', ['/one', '/two']);
const rest = serves(
  buildSite({
    '/': page('/linked'),
    '/one': page('/deeper'),
    '/two': page(),
    '/deeper': page(),
    '/linked': page(),
    '/sitemap.xml': { text: buildSitemap('urlset', 'url', ['/elsewhere']) },
    '/elsewhere': page(),
    '/maps/part.xml': { text: buildSitemap('urlset', 'url', ['/one', '/two']) },
  }),
);

/** A site whose start page has the given bytes. */
function startsWith(body: Uint8Array, contentType: string): Visit {
  return async (request, signal) =>
    request.url.href === START
      ? buildTestPage({ url: START, contentType, body: new Uint8Array(body) })
      : rest(request, signal);
}

const FORMS: readonly (readonly [name: string, body: Uint8Array, type: string])[] = [
  ['as XML', encoder.encode(URLSET), 'application/xml'],
  ['as plain text', encoder.encode(URLSET), 'text/plain; charset=utf-8'],
  ['as HTML', encoder.encode(URLSET), 'text/html'],
  ['as application/octet-stream', encoder.encode(URLSET), 'application/octet-stream'],
  ['without a type', encoder.encode(URLSET), ''],
  ['packed', gzipSync(URLSET), 'application/x-gzip'],
  ['compressed, as application/octet-stream', gzipSync(URLSET), 'application/octet-stream'],
  ['as an index', encoder.encode(buildSitemap('sitemapindex', 'sitemap', ['/maps/part.xml'])), 'text/xml'],
  ['in UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(URLSET, 'utf16le')]), 'application/xml'],
];

for (const [name, body, type] of FORMS) {
  const options = { paceSpeed: 100, tierVisits: { http: startsWith(body, type) } };
  inEachMode(
    `a sitemap as the seed, ${name}, is read for its pages and not stored`,
    { kind: 'crawl', modes: ['inline'], options },
    async (crawl) => {
      const all = Answered.parse(await crawl({ url: START }));
      assert.deepEqual(all.pages?.map(({ url, depth }) => [url.replace(SITE, '/'), depth]).toSorted(), [
        ['/deeper', 2],
        ['/one', 1],
        ['/two', 1],
      ]);
      assert.deepEqual([all.complete, all.stop_reason, all.skipped?.['sitemap']], [true, 'exhausted', 1]);
      assert.equal(all.usage.credits, 6);
    },
  );
  inEachMode(
    `the map of a sitemap as the seed, ${name}, lists its pages and not the sitemap`,
    { kind: 'map', modes: ['inline'], options },
    async (map) => {
      const all = Answered.parse(await map({ url: START }));
      assert.deepEqual(
        all.urls?.map(({ url, source }) => [url.replace(SITE, '/'), source]),
        [
          ['/one', 'sitemap'],
          ['/two', 'sitemap'],
        ],
      );
      assert.deepEqual([all.complete, all.stop_reason], [true, 'exhausted']);
    },
  );
}

const plain = { paceSpeed: 100, tierVisits: { http: startsWith(encoder.encode(URLSET), 'text/xml') } };
inEachMode(
  'a crawl from a sitemap without links, or with sitemaps skipped, visits only its pages',
  { kind: 'crawl', options: plain },
  async (crawl) => {
    const only = Answered.parse(await crawl({ url: START, sitemap: 'only' }));
    assert.deepEqual(only.pages?.map(({ url }) => url.replace(SITE, '/')).toSorted(), ['/one', '/two']);
    const skipping = Answered.parse(await crawl({ url: START, sitemap: 'skip', max_depth: 1 }));
    assert.deepEqual(skipping.pages?.map(({ url }) => url.replace(SITE, '/')).toSorted(), ['/one', '/two']);
    const none = Answered.parse(await crawl({ url: START, max_depth: 0 }));
    assert.deepEqual([none.pages, none.stop_reason, none.complete], [[], 'max_depth', false]);
  },
);

onEveryStore('a worker that takes over a crawl from a sitemap reads the sitemap again', async (store) => {
  const { visit, death } = hangsAt('/two', startsWith(encoder.encode(URLSET), 'text/xml'));
  await withGate({ store, paceSpeed: 100, tierVisits: { http: visit } }, async (gate) => {
    const all = Answered.parse(await takenOver(gate, { kind: 'crawl', death }, { url: START, max_pages: 100 }));
    assert.deepEqual(all.pages?.map(({ url }) => url.replace(SITE, '/')).toSorted(), ['/deeper', '/one', '/two']);
    assert.deepEqual([all.complete, all.skipped?.['sitemap']], [true, 1]);
    await checkBooks(gate);
  });
});

test('only a document with a sitemap root element is a sitemap', () => {
  const texts = [
    '',
    'urlset',
    '<html><body><urlset></urlset></body></html>',
    '<rss><channel><item/></channel></rss>',
    '<!-- <urlset> --><feed/>',
    '<urlsets></urlsets>',
    `<?xml version="1.0"?><!-- ${'-'.repeat(100_000)}`,
  ];
  assert.deepEqual(
    texts.filter((text) => isSitemap(encoder.encode(text))),
    [],
  );
  assert.equal(isSitemap(new Uint8Array([0x1f, 0x8b, 1, 2, 3])), false);
  const prefixed = '<!DOCTYPE x><?a b?><!-- c --> <sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"/>';
  assert.equal(isSitemap(encoder.encode(prefixed)), true);
});
