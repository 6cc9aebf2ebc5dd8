import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { parseXml } from '#extract/converters/xml.ts';
import { readSitemap, MAX_SITEMAP_BYTES, MAX_SITEMAP_ENTRIES } from '#extract/urls/sitemaps.ts';
import {
  createSitemapReader,
  type SitemapEntry,
  createSitemapQueue,
  listCommonFeedUrls,
  listCommonSitemapUrls,
} from '#extract/urls/sitemap-reader.ts';

const HERE = 'https://example.org/maps/sitemap.xml';
const OPTIONS = { url: HERE, admits: (url: string) => url.startsWith('https://example.org/') };

type Read = { readonly entries: readonly SitemapEntry[]; readonly refused: number; readonly truncated: boolean };

async function read(chunks: Iterable<Uint8Array>, signal = new AbortController().signal): Promise<Read> {
  const reading = readSitemap(chunks, { ...OPTIONS, signal });
  const entries: SitemapEntry[] = [];
  for (;;) {
    const step = await reading.next();
    if (step.done === true) return { entries, refused: step.value.refused, truncated: step.value.truncated };
    entries.push(...step.value);
  }
}

function readText(text: string): Promise<Read> {
  return read([new TextEncoder().encode(text)]);
}

function declaring(encoding: string): string {
  return `<?xml version="1.0" encoding="${encoding}"?><urlset><url><loc>https://example.org/caf\u00e9</loc></url></urlset>`;
}

function toLatin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

test('a sitemap is decoded by byte order mark, Content-Type or XML declaration', async () => {
  const cases: readonly (readonly [Uint8Array, string | null])[] = [
    [toLatin1(declaring('ISO-8859-1')), null],
    [toLatin1(declaring('windows-1252')), 'unheard-of'],
    [toLatin1(declaring('UTF-8')), 'iso-8859-1'],
    [Buffer.from(declaring('ISO-8859-1')), 'utf-8'],
    [Buffer.from(`\ufeff${declaring('ISO-8859-1')}`), 'iso-8859-1'],
    [Buffer.from(declaring('UTF-16')), null],
  ];
  for (const [bytes, charset] of cases) {
    const reading = readSitemap([bytes], { ...OPTIONS, charset, signal: new AbortController().signal });
    const { value } = await reading.next();
    assert.deepEqual(Array.isArray(value) ? value.map(({ url }) => url) : value, ['https://example.org/caf%C3%A9']);
  }
});

async function listUrls(text: string): Promise<readonly string[]> {
  return (await readText(text)).entries.map(({ url }) => url);
}

function urlset(...urls: readonly string[]): string {
  const rows = urls.map((url) => `<url>${url}</url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${rows}</urlset>`;
}

const NONE = { title: null, lastmod: null, alternates: [] };

test('a sitemap yields its pages with their data as written', async () => {
  const { entries, refused, truncated } = await readText(
    urlset(
      '<loc> https://example.org/a?b=1&amp;c=2 </loc><lastmod>2099-13-45</lastmod><priority>0.5</priority>',
      '<loc><![CDATA[https://example.org/b?x=1&y=2]]></loc>',
      '<loc>/relative#part</loc>',
    ),
  );
  assert.deepEqual(entries, [
    { ...NONE, kind: 'page', url: 'https://example.org/a?b=1&c=2', lastmod: '2099-13-45' },
    { ...NONE, kind: 'page', url: 'https://example.org/b?x=1&y=2' },
    { ...NONE, kind: 'page', url: 'https://example.org/relative' },
  ]);
  assert.deepEqual({ refused, truncated }, { refused: 0, truncated: false });
});

test('image, video and news entries are not pages', async () => {
  const text = `<urlset xmlns:image="i" xmlns:news="n"><url><image:image><image:loc>https://example.org/1.jpg</image:loc></image:image>
    <news:news><news:title>T</news:title></news:news><loc>https://example.org/a</loc></url></urlset>`;
  assert.deepEqual((await readText(text)).entries, [{ ...NONE, kind: 'page', url: 'https://example.org/a' }]);
});

test('the language versions of a page are read', async () => {
  const text =
    urlset(`<loc>https://example.org/en</loc><xhtml:link rel="alternate" hreflang="de" href="https://example.org/de?a=1&amp;b=2"/>
    <xhtml:link rel='alternate' hreflang='fr' href='https://example.org/fr'></xhtml:link>`);
  assert.deepEqual((await readText(text)).entries[0]?.alternates, [
    { hreflang: 'de', url: 'https://example.org/de?a=1&b=2' },
    { hreflang: 'fr', url: 'https://example.org/fr' },
  ]);
});

test('a sitemap index yields its sitemaps', async () => {
  const text =
    '<sitemapindex><sitemap><loc>https://example.org/1.xml.gz</loc><lastmod>2026-11-21</lastmod></sitemap></sitemapindex>';
  assert.deepEqual((await readText(text)).entries, [
    { ...NONE, kind: 'sitemap', url: 'https://example.org/1.xml.gz', lastmod: '2026-11-21' },
  ]);
});

test('prefixed elements are read by their local names', async () => {
  assert.deepEqual(await listUrls('<s:urlset><s:url><s:loc>https://example.org/a</s:loc></s:url></s:urlset>'), [
    'https://example.org/a',
  ]);
});

test('RSS, RDF and Atom feeds are read as sitemaps', async () => {
  const rss = `<rss><channel><title>Site</title><link>https://example.org/</link><item><title>A &amp; B</title>
    <link>https://example.org/a</link><pubDate>Sat, 21 Nov 2026 10:00:00 GMT</pubDate></item>
    <item><guid isPermaLink="true">https://example.org/b</guid></item></channel></rss>`;
  assert.deepEqual((await readText(rss)).entries, [
    { ...NONE, kind: 'page', url: 'https://example.org/a', lastmod: 'Sat, 21 Nov 2026 10:00:00 GMT', title: 'A & B' },
    { ...NONE, kind: 'page', url: 'https://example.org/b' },
  ]);
  const rdf =
    '<rdf:RDF><channel/><item><link>https://example.org/a</link><dc:date>2026-11-21</dc:date></item></rdf:RDF>';
  assert.deepEqual((await readText(rdf)).entries, [
    { ...NONE, kind: 'page', url: 'https://example.org/a', lastmod: '2026-11-21' },
  ]);
  const atom = `<feed><link href="https://example.org/"/><entry><title>T</title><link rel="edit" href="/edit"/>
    <published>2026-01-01</published><updated>2026-11-21</updated><link href="/a"/>
    <source><link href="/other"/></source></entry></feed>`;
  assert.deepEqual((await readText(atom)).entries, [
    { ...NONE, kind: 'page', url: 'https://example.org/a', lastmod: '2026-11-21', title: 'T' },
  ]);
});

test('a text with one URL per line is a sitemap', async () => {
  const { entries, refused } = await readText(
    '\ufeff\nhttps://example.org/a\r\n\r\n https://example.org/b\nhttps://example.org/c',
  );
  assert.deepEqual(
    entries.map(({ url }) => url),
    ['https://example.org/a', 'https://example.org/b', 'https://example.org/c'],
  );
  assert.equal(refused, 0);
});

test('an HTML page has no sitemap entries', async () => {
  const html = '<!doctype html><html><body><url><loc>https://example.org/a</loc></url><a href="/b">b</a></body></html>';
  assert.deepEqual(await readText(html), { entries: [], refused: 0, truncated: false });
  assert.deepEqual(await readText(''), { entries: [], refused: 0, truncated: false });
  assert.deepEqual(await read([]), { entries: [], refused: 0, truncated: false });
});

test('URLs of other hosts and schemes are rejected and counted', async () => {
  const urls = ['file:///etc/passwd', 'https://example.com/', 'javascript:alert(1)', 'http://[', ''].map(
    (url) => `<loc>${url}</loc>`,
  );
  const { entries, refused } = await readText(
    urlset(...urls, '<loc>https://example.org/a</loc>', '<lastmod>2026</lastmod>'),
  );
  assert.equal(entries.length, 1);
  assert.equal(refused, 6);
});

test('a broken entry does not affect the others', async () => {
  const long = 'a'.repeat(20_000);
  assert.deepEqual(
    await listUrls(
      `<urlset><!-- <url><loc>https://example.org/no</loc></url> ${long} --><url ${long}><loc>https://example.org/a</loc>
      <url><loc>https://example.org/b?x=1&y=2</loc><x></url><url><loc>https://example.org/${long}</loc></url>
      <url><loc>https://example.org/c</loc></url><url><loc>https://example.org/d`,
    ),
    ['https://example.org/b?x=1&y=2', 'https://example.org/c'],
  );
});

test('declared entities are not expanded', async () => {
  const bomb = '<!DOCTYPE u [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>';
  assert.deepEqual(await listUrls(`${bomb}<urlset><url><loc>https://example.org/&b;</loc></url></urlset>`), [
    'https://example.org/&b;',
  ]);
});

test('gzip is detected by content', async () => {
  const packed = gzipSync(urlset('<loc>https://example.org/a</loc>'));
  assert.equal((await read([packed])).entries.length, 1);
  const bytes = Array.from(packed, (byte) => Uint8Array.of(byte));
  assert.equal((await read([packed.subarray(0, 2), ...bytes.slice(2)])).entries.length, 1);
});

test('an incomplete gzip file yields the entries before its end', async () => {
  const rows = Array.from({ length: 5000 }, (_, at) => `<loc>https://example.org/${at}</loc>`);
  const packed = gzipSync(urlset(...rows));
  const { entries, truncated } = await read([packed.subarray(0, packed.length - 200)]);
  assert.ok(entries.length > 100 && entries.length < 5000);
  assert.equal(truncated, true);
});

test('UTF-16 with a byte order mark is read', async () => {
  const text = `\ufeff${urlset('<loc>https://example.org/\u00e9</loc>')}`;
  const { entries } = await read([new Uint8Array(Buffer.from(text, 'utf16le'))]);
  assert.equal(entries[0]?.url, 'https://example.org/%C3%A9');
});

test('entries beyond the limit are dropped', async () => {
  const rows = Array.from({ length: MAX_SITEMAP_ENTRIES + 1 }, (_, at) => `<loc>https://example.org/${at}</loc>`);
  const { entries, truncated } = await readText(urlset(...rows));
  assert.equal(entries.length, MAX_SITEMAP_ENTRIES);
  assert.equal(truncated, true);
  assert.equal((await readText(urlset(...rows.slice(1)))).truncated, false);
});

test('bytes beyond the limit are not decompressed', async () => {
  const entry = '<url><loc>https://example.org/a</loc></url>';
  const text = `<urlset>${entry}${' '.repeat(MAX_SITEMAP_BYTES)}${entry}</urlset>`;
  const { entries, truncated } = await read([gzipSync(text, { level: 1 })]);
  assert.equal(entries.length, 1);
  assert.equal(truncated, true);
});

test('an aborted signal ends the reading with its reason', async () => {
  const late = new Error('too late');
  const aborted = AbortSignal.abort(late);
  await assert.rejects(read([new TextEncoder().encode(urlset())], aborted), late);
  const controller = new AbortController();
  const reading = readSitemap(endless(), { ...OPTIONS, signal: controller.signal });
  await reading.next();
  controller.abort(late);
  await assert.rejects(async () => {
    for (;;) await reading.next();
  }, late);
});

function* endless(): Generator<Uint8Array> {
  yield new TextEncoder().encode('<urlset>');
  for (;;) yield new TextEncoder().encode('<url><loc>https://example.org/a</loc></url>');
}

test('a sitemap yields the same entries in any chunks', () => {
  const text = `<?xml version="1.0"?><!-- a > b --><urlset><url><loc>https://example.org/a&amp;b</loc></url>
    <url><loc><![CDATA[https://example.org/c]]d]]></loc><xhtml:link hreflang="de" href="/de"/></url></urlset>`;
  const whole = listEntries([text]);
  assert.equal(whole.length, 2);
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 40 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      assert.deepEqual(listEntries(places.slice(1).map((end, at) => text.slice(places[at], end))), whole);
    }),
  );
  assert.deepEqual(listEntries(text.split('')), whole);
});

function listEntries(pieces: readonly string[]): readonly SitemapEntry[] {
  const reader = createSitemapReader(OPTIONS);
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

test('no text makes the sitemap reader throw', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '<url>',
    '</url>',
    '<loc>',
    'a',
    '&',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '"',
    '=',
    '<urlset>',
    '/',
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => assert.ok(listEntries(pieces).length <= pieces.length)));
});

test('a hostile start tag is scanned in linear time', () => {
  const names = `${'a'.repeat(200_000)} ${'b"'.repeat(200_000)} ${' '.repeat(200_000)}`;
  assert.equal(parseXml(`<feed ${names}/>`)?.name, 'feed');
});

test('the queue returns each sitemap once, even if an index lists itself', () => {
  const tour = createSitemapQueue();
  assert.equal(tour.add('https://example.org/index.xml', 0), true);
  assert.equal(tour.add('https://example.org/index.xml#again', 1), false);
  assert.equal(tour.add('file:///etc/passwd', 1), false);
  assert.equal(tour.add('nowhere', 1), false);
  assert.deepEqual(tour.next(), { url: 'https://example.org/index.xml', depth: 0 });
  assert.equal(tour.next(), null);
  assert.equal(tour.add('https://example.org/a.xml', 1), true);
  assert.deepEqual(tour.next(), { url: 'https://example.org/a.xml', depth: 1 });
  assert.equal(tour.refused(), 0);
});

test('the queue stops at three nested indexes and 500 files', () => {
  const tour = createSitemapQueue();
  assert.equal(tour.add('https://example.org/deep', 3), true);
  assert.equal(tour.add('https://example.org/deeper', 4), false);
  const taken = Array.from({ length: 600 }, (_, at) => tour.add(`https://example.org/${at}`, 1)).filter(Boolean);
  assert.equal(taken.length, 499);
  assert.equal(tour.refused(), 102);
});

test('common sitemap and feed URLs are on the host of the site', () => {
  assert.equal(listCommonSitemapUrls('https://example.org:81/docs/a?b')[0], 'https://example.org:81/sitemap.xml');
  assert.equal(listCommonFeedUrls('https://example.org/docs/')[0], 'https://example.org/feed');
});
