import assert from 'node:assert/strict';
import type { Visit } from '#access/page.ts';
import { checkSum, Crawled } from '../support/engine/crawl-result.ts';
import { buildTestPage, SITE } from './gate.ts';
import { inEachMode } from '../support/engine/crawl-modes.ts';

const SHELL = `<title>Mill</title><main><p>Welcome to the mill. ${'It stands by the brook. '.repeat(20)}</p></main>`;
const LINKS = `<a href="#/grain">1</a><a href="#!oven">2</a><a href="#section">3</a><a href="#!">4</a><a href="/plain">5</a>
  <a href="https://other.example/#/far">6</a><p id="section">Part</p>`;

/** The page that a browser shows for each route; every other URL of the site shows the first page. */
const ROUTES: Readonly<Record<string, string>> = {
  '#/grain':
    '<title>Grain</title><main><p>Rye and wheat.</p></main><a href="#/grain/rye">1</a><a href="#/private/a">2</a>',
  '#!oven': '<title>Oven</title><main><p>Baked in the morning.</p></main>',
  '#/grain/rye': `<title>Rye</title><link rel=canonical href="${SITE}"><main><p>Rye alone.</p></main>`,
  '#/private/a': '<title>Private</title><main><p>Nobody may see this.</p></main>',
};
const rendered: string[] = [];
const http: Visit = async ({ url }) =>
  /^\/(?:plain)?$/.test(url.pathname)
    ? buildTestPage({ url: url.href, text: url.pathname === '/' ? SHELL + LINKS : '<main><p>A plain page.</p></main>' })
    : buildTestPage({ url: url.href, status: 404, text: 'none' });
const browser: Visit = async (request, signal) => {
  const { href, hash } = request.url;
  rendered.push(href.slice(SITE.length));
  const text = ROUTES[hash];
  return text === undefined ? http(request, signal) : buildTestPage({ url: href, text });
};
const options = { tierVisits: { http, browser } };
const SHOWN = ['', '#!oven', '#/grain', '#/grain/rye', 'plain'];

function listPaths({ pages }: Pick<Crawled, 'pages'>): readonly string[] {
  return pages.map(({ url }) => url.slice(SITE.length)).toSorted();
}

inEachMode('a warning reports a hash route that was not followed', { kind: 'crawl', options }, async (crawl) => {
  const all = Crawled.parse(await crawl({ sitemap: 'skip' }));
  assert.deepEqual(listPaths(all), ['', 'plain']);
  assert.deepEqual(
    all.warnings.map(({ code, message }) => [code, message.includes(`${SITE}#/grain,`)]),
    [['hash_routes', true]],
  );
  checkSum(all);
});

inEachMode(
  'with hash_routes, hash routes are separate pages loaded in a browser',
  { kind: 'crawl', options },
  async (crawl) => {
    const order = { sitemap: 'skip', hash_routes: true, exclude: ['/#/private/**'], output: ['markdown'] };
    const all = Crawled.parse(await crawl(order));
    assert.deepEqual(listPaths(all), SHOWN);
    assert.deepEqual([all.warnings, all.skipped['filter'], Object.keys(all.usage.tiers)], [[], 1, ['browser']]);
    const rye = all.pages.find(({ url }) => url.endsWith('#/grain/rye'));
    assert.match(String(rye?.['markdown']), /Rye alone/);
    assert.equal(rye?.parent_url, `${SITE}#/grain`);
    assert.equal(rye?.final_url, `${SITE}#/grain/rye`);
    checkSum(all);
  },
);

inEachMode(
  'listed URLs with different hash routes are different pages, and with different anchors are not',
  { kind: 'crawl', options },
  async (crawl) => {
    rendered.length = 0;
    const urls = ['', '#/grain', '#!oven', '#section', 'plain', 'plain#part'].map((place) => SITE + place);
    const all = Crawled.parse(await crawl({ url: undefined, urls }));
    assert.deepEqual(listPaths(all), ['', '#!oven', '#/grain', 'plain']);
    // Fragments that no script handles need no browser.
    assert.deepEqual(rendered.toSorted(), ['#!oven', '#/grain']);
    assert.deepEqual(all.warnings, []);
    checkSum(all);
  },
);

inEachMode('a map follows hash routes too', { kind: 'map', options }, async (map) => {
  const order = { sources: ['links'], max_depth: 5 };
  const { urls, warnings } = await map({ ...order, hash_routes: true });
  assert.match(JSON.stringify(urls), /#\/grain".*#!oven".*#\/grain\/rye".*#\/private\/a"/);
  assert.deepEqual(warnings, []);
  assert.match(JSON.stringify((await map(order))['warnings']), /"code":"hash_routes"/);
});

inEachMode(
  'an instance without a browser says that hash routes need one',
  { kind: 'crawl', modes: ['inline'], options: { tierVisits: { http } } },
  async (crawl) => {
    await assert.rejects(crawl({ hash_routes: true }), ({ code }: { code: string }) => code === 'backend_unavailable');
    await assert.rejects(crawl({ url: undefined, urls: [SITE], hash_routes: true }), /hash_routes/);
  },
);
