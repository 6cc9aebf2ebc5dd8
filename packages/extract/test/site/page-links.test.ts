import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createResolver, createTargetFinder } from '#extract/view/resolve-reference.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { type PageLinks, readPageLinks } from '#extract/urls/page-links.ts';

const URL_OF_PAGE = 'https://example.org/news/today.html?x=1#top';

function read(source: string, xRobotsTag = '', followsRoutes = false): PageLinks {
  const tree = parseHtml(source);
  const resolve = createResolver(tree, URL_OF_PAGE);
  const targetOf = createTargetFinder(tree, resolve);
  return readPageLinks(tree, { url: URL_OF_PAGE, resolve, targetOf, followsRoutes, xRobotsTag });
}

function listUrls(source: string): readonly string[] {
  return read(source).links.map(({ url }) => url);
}

test('links, areas, frames and a meta refresh are read in order, each URL once without fragment', () => {
  const source = `<meta http-equiv=refresh content="5; url='/later'"><a href=a#x>1</a><a href="/a">2</a><a href=a>3</a>
    <map><area href="//cdn.example.org/m"></map><iframe src="frame.html"></iframe><a>none</a><a href="">empty</a>`;
  assert.deepEqual(listUrls(source), [
    'https://example.org/later',
    'https://example.org/news/a',
    'https://example.org/a',
    'https://cdn.example.org/m',
    'https://example.org/news/frame.html',
  ]);
  assert.deepEqual(listUrls('<frameset><frame src="/left"></frameset>'), ['https://example.org/left']);
});

test('links to the page itself and its anchors are skipped', () => {
  assert.deepEqual(listUrls('<a href="#part">p</a><a href="today.html?x=1#part">p</a><a href="?x=2">q</a>'), [
    'https://example.org/news/today.html?x=2',
  ]);
});

const named = (...hrefs: readonly string[]) => hrefs.map((href) => `<link rel=alternate hreflang=de href="${href}">`);

test('language versions are links; one at the same path only if the page lists itself too', () => {
  const of = (...hrefs: readonly string[]) =>
    listUrls(`${named(...hrefs).join('')}<a href=/a>a</a>`).map((url) => url.slice(19));
  assert.deepEqual(of('/de/heute', 'today.html?lang=de'), ['/a', '/de/heute']);
  assert.deepEqual(of('today.html?x=1', 'today.html?lang=de'), ['/a', '/news/today.html?lang=de']);
  const canonical = '<link rel=canonical href=/today><link rel=alternate hreflang=de href="/today?lang=de">';
  assert.deepEqual(listUrls(canonical), []);
  assert.deepEqual(
    listUrls(`${canonical}${named('/today').join('')}`).map((url) => url.slice(19)),
    ['/today?lang=de', '/today'],
  );
});

test('hash routes are links if they are followed, anchors never are', () => {
  const source = `<a href="#/list">1</a><a href="/app#!/item/2">2</a><a href="#section">3</a><a href="#!">4</a><a href="#/">5</a>
    <a href="/app#part">6</a><a href="/app">7</a><a href="#/list">8</a><a href="https://other.example/#!room">9</a>`;
  const other = ['https://example.org/app#!/item/2', 'https://example.org/app', 'https://other.example/#!room'];
  const here = 'https://example.org/news/today.html?x=1#/list';
  assert.deepEqual(
    read(source, '', true).links.map(({ url }) => url),
    [here, ...other],
  );
  const { links, routes } = read(source);
  assert.deepEqual(
    links.map(({ url }) => url),
    ['https://example.org/app', 'https://other.example/'],
  );
  assert.deepEqual(routes, [here, other[0], other[2]]);
});

test('links resolve against the base element, unless it is not an http URL', () => {
  assert.deepEqual(listUrls('<base href="/archive/"><a href=a>a</a>'), ['https://example.org/archive/a']);
  assert.deepEqual(listUrls('<base href="http://169.254.169.254/x/"><a href=a>a</a>'), ['http://169.254.169.254/x/a']);
  assert.deepEqual(listUrls('<base href="javascript:alert(1)"><a href=a>a</a>'), ['https://example.org/news/a']);
});

test('malformed references are counted once each', () => {
  const source = `<a href="mailto:a@example.org">m</a><a href="javascript:void(0)">j</a><a href="http://[">b</a>
    <a href="/${'a'.repeat(9000)}">l</a><a href="data:text/html,x">d</a><a href="/ok">o</a><a href="http://[">again</a>`;
  const { links, invalid } = read(source);
  assert.equal(invalid, 2);
  assert.deepEqual(
    links.map(({ url }) => url),
    ['https://example.org/ok'],
  );
});

test('a link is nofollow if every link to its URL is', () => {
  const { links } = read('<a rel="nofollow ugc" href=a>a</a><a rel=NoFollow href=b>b</a><a href=b>b</a>');
  assert.deepEqual(
    links.map(({ nofollow }) => nofollow),
    [true, false],
  );
});

test('next and prev relations are read from links and from the head', () => {
  const { links } = read('<link rel=next href="?p=3"><a href="?p=1" rel="prev nofollow">1</a><a href="?p=3">3</a>');
  assert.deepEqual(links, [
    { url: 'https://example.org/news/today.html?p=3', rel: 'next', nofollow: false },
    { url: 'https://example.org/news/today.html?p=1', rel: 'prev', nofollow: true },
  ]);
});

test('language versions, canonical URL and feeds are read separately', () => {
  const { links, canonical, alternates, feeds } =
    read(`<link rel="canonical" href="/news/today"><link rel=canonical href=/b>
    <link rel="alternate" hreflang="fr" href="/fr/news/today"><link rel=alternate hreflang=x-default href="/">
    <link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" type="application/atom+xml; a=b" href="/atom">
    <link rel="alternate" type="application/json+oembed" href="/oembed"><link rel=stylesheet href=/a.css>`);
  assert.deepEqual(
    links.map(({ url }) => url),
    ['https://example.org/fr/news/today', 'https://example.org/'],
  );
  assert.equal(canonical, 'https://example.org/news/today');
  assert.deepEqual(alternates, [
    { hreflang: 'fr', url: 'https://example.org/fr/news/today' },
    { hreflang: 'x-default', url: 'https://example.org/' },
  ]);
  assert.deepEqual(feeds, ['https://example.org/feed', 'https://example.org/atom']);
});

const REFRESHES: readonly (readonly [content: string, target: string | null])[] = [
  ['0;url=/a', 'https://example.org/a'],
  ['0; URL = "/a" b', 'https://example.org/a'],
  ["3,url='/a", 'https://example.org/a'],
  ['0 /a', 'https://example.org/a'],
  ['.5;/a', 'https://example.org/a'],
  ['30', null],
  ['0;url=', null],
  ['0;url=javascript:alert(1)', null],
];

for (const [content, target] of REFRESHES)
  test(`a meta refresh of ${content} has the target ${target ?? 'null'}`, () =>
    assert.equal(read(`<meta http-equiv="Refresh" content="${content.replaceAll('"', '&quot;')}">`).refresh, target));

const TAGS: readonly (readonly [said: string, source: string, header: string, noindex: boolean, nofollow: boolean])[] =
  [
    ['nothing', '', '', false, false],
    ['index in a meta element', '<meta name=robots content="index, follow">', '', false, false],
    ['noindex in a meta element', '<meta name="ROBOTS" content="NOINDEX,follow">', '', true, false],
    ['none in a meta element', '<meta name=robots content="none">', '', true, true],
    ['noindex to us', '<meta name=quern content="noindex">', '', true, false],
    ['noindex to others', '<meta name=googlebot content="noindex, nofollow">', '', false, false],
    ['nofollow in the header', '', 'nofollow', false, true],
    ['noindex to us in the header', '', 'otherbot: nofollow, Quern: noindex', true, false],
    ['noindex to others in the header', '', 'otherbot: noindex, nofollow', false, false],
    ['a date in the header', '', 'unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow', false, true],
    ['different things in both', '<meta name=robots content=nofollow>', 'max-snippet: 20, noindex', true, true],
  ];

for (const [said, source, header, noindex, nofollow] of TAGS)
  test(`the robots directives of ${said} are read`, () => {
    const tags = read(source, header);
    assert.deepEqual([tags.noindex, tags.nofollow], [noindex, nofollow]);
  });

test('links inside a template are skipped', () => {
  assert.deepEqual(listUrls('<template><a href="/{{slug}}">x</a></template><a href=/b>b</a>'), [
    'https://example.org/b',
  ]);
});

test('links beyond the limit are only counted', () => {
  const source = Array.from({ length: 300_000 }, (_, at) => `<a href=${at}>`).join('');
  const { links, unread } = read(source);
  assert.equal(links.length, 50_000);
  assert.equal(unread, 250_000);
});

test('a long base URL with many short references stays within the limit', () => {
  const base = `<base href="/${'b'.repeat(8000)}/">`;
  const { links, unread } = read(base + Array.from({ length: 10_000 }, (_, at) => `<a href=${at}>`).join(''));
  assert.ok(links.length * 8000 <= 20_100_000);
  assert.equal(links.length + unread, 10_000);
});
