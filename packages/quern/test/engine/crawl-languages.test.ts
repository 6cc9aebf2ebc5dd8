import assert from 'node:assert/strict';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { SITE } from './gate.ts';
import { inEachMode, serves, buildSite } from '../support/engine/crawl-modes.ts';

const entry = (path: string, ...others: readonly string[]): string => {
  const links = others.map(
    (one) => `<xhtml:link rel="alternate" hreflang="${one.slice(1, 3)}" href="${SITE}${one.slice(1)}"/>`,
  );
  return `<url><loc>${SITE}${path.slice(1)}</loc>${links.join('')}</url>`;
};

/** A page in three languages: its head lists two, its sitemap one more; one is on another site. */
const LANGUAGES = buildSite({
  '/': {
    links: ['/en/mill'],
    head: '<link rel="stylesheet alternate" href="/dark.css"><link rel=alternate media=print href=/print><link rel=alternate type="application/rss+xml" hreflang=en href=/feed.xml>',
  },
  '/en/mill': {
    links: [],
    head: '<LINK hreflang=de href=/de/muehle REL="Alternate"><link rel="alternate" hreflang="x-default" href="/en/mill"><link rel=alternate hreflang=fr href="https://autre.example/moulin"><link rel=alternate hreflang=nl href="">',
  },
  '/de/muehle': { links: ['/de/mehl'] },
  '/de/mehl': { links: [] },
  '/it/mulino': { links: [] },
  '/print': { links: [] },
  '/sitemap.xml': {
    text: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entry('/en/mill', '/en/mill', '/it/mulino')}</urlset>`,
  },
});
const MODES = { tierVisits: { http: serves(LANGUAGES) } };

inEachMode(
  'a page in other languages is found by the head of a page, within the scope',
  { kind: 'crawl', options: MODES },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip' }));
    assert.deepEqual(listStoredPaths(all), ['/', '/de/mehl', '/de/muehle', '/en/mill']);
    assert.equal(all.pages.find(({ url }) => url === `${SITE}de/muehle`)?.parent_url, `${SITE}en/mill`);
    assert.equal(all.skipped['scope'], 1);
    checkSum(all);
    const flat = Crawled.parse(await crawl({ sitemap: 'skip', max_depth: 1 }));
    assert.deepEqual([listStoredPaths(flat), flat.skipped['depth']], [['/', '/en/mill'], 1]);
    const english = Crawled.parse(await crawl({ sitemap: 'skip', exclude: ['/de/**'] }));
    assert.deepEqual(listStoredPaths(english), ['/', '/en/mill']);
  },
);

inEachMode('a page in other languages is found by a sitemap', { kind: 'crawl', options: MODES }, async (crawl) => {
  const all = Crawled.parse(await crawl({ sitemap: 'only' }));
  assert.deepEqual(listStoredPaths(all), ['/', '/en/mill', '/it/mulino']);
  checkSum(all);
});

inEachMode('a map lists the other languages of a page', { kind: 'map', options: MODES }, async (map) => {
  const { urls } = await map({ max_depth: 5 });
  assert.match(JSON.stringify(urls), /it\/mulino/);
  const linked = JSON.stringify((await map({ max_depth: 5, sources: ['links'] }))['urls']);
  assert.match(linked, /de\/muehle.*de\/mehl/);
});
