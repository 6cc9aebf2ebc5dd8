import { type MadeResult, madeResults } from '#demo/sites/websearch-pages.ts';

/** A page of results of each backend in its own format, for what was asked. */
export type LabFormat = {
  readonly contentType: string;
  readonly results: (search: string, page: number) => string;
  /** The engine's own word for nothing found. */
  readonly none: string;
};

const HTML = 'text/html; charset=utf-8';
const XML = 'text/xml; charset=utf-8';
const JSON_TYPE = 'application/json';

const listOf = (make: (result: MadeResult, at: number) => string) => (search: string, page: number) =>
  madeResults(search, page).map(make).join('');
const page = (body: string): string => `<!doctype html><title>Results</title><body>${body}</body>`;
const feed = (items: string): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>${items}</channel></rss>`;
const json = (toBody: (results: readonly MadeResult[]) => unknown) => (search: string, number: number) =>
  JSON.stringify(toBody(madeResults(search, number)));

const items = listOf(
  ({ title, url, description }, at) =>
    `<item><title>${title}</title><link>${url}</link><description>${description}</description><pubDate>Mon, 0${(at % 9) + 1} Nov 2026 08:00:00 GMT</pubDate></item>`,
);

export const FORMATS = {
  duckduckgo: {
    contentType: HTML,
    results: (search, number) =>
      page(
        listOf(
          ({ title, url, description }) =>
            `<div class="result results_links web-result"><h2><a class="result__a" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=1">${title}</a></h2><a class="result__url">${new URL(url).host}</a><a class="result__snippet">${description}</a></div>`,
        )(search, number) +
          `<div class="nav-link"><form action="/html/" method="post"><input name="q" value="${search}"><input name="s" value="10"><input name="vqd" value="4-1"></form></div>`,
      ),
    none: page('<div class="no-results">No results.</div>'),
  },
  bing: { contentType: XML, results: (search, number) => feed(items(search, number)), none: feed('') },
  brave: {
    contentType: HTML,
    results: (search, number) =>
      page(
        listOf(
          ({ title, url, description }) =>
            `<div class="snippet" data-type="web"><a href="${url}"><div class="title">${title}</div><cite>${new URL(url).host}</cite></a><div class="snippet-description">${description}</div></div>`,
        )(search, number),
      ),
    none: page('<div id="no-results">Nothing</div>'),
  },
  mojeek: {
    contentType: HTML,
    results: (search, number) =>
      page(
        `<ul class="results-standard">${listOf(
          ({ title, url, description }) =>
            `<li><a class="ob" href="${url}"><p class="i">${new URL(url).host}</p></a><h2><a class="title" href="${url}">${title}</a></h2><p class="s">${description}</p></li>`,
        )(search, number)}</ul>`,
      ),
    none: page('<main>No pages found matching: x</main>'),
  },
  'google-news': { contentType: XML, results: (search, number) => feed(items(search, number)), none: feed('') },
  'bing-news': { contentType: XML, results: (search, number) => feed(items(search, number)), none: feed('') },
  searxng: {
    contentType: JSON_TYPE,
    results: json((results) => ({
      results: results.map(({ title, url, description }) => ({
        title,
        url,
        content: description,
        category: 'general',
      })),
      unresponsive_engines: [],
    })),
    none: '{"results":[],"unresponsive_engines":[]}',
  },
  json: {
    contentType: JSON_TYPE,
    results: json((results) => ({
      web: { results: results.map(({ title, url, description }) => ({ title, url, snippet: description })) },
      ads: [{ title: 'Sails & Sons', url: 'https://sails.example/offer', snippet: 'Sails made to measure.' }],
    })),
    none: '{"web":{"results":[]},"ads":[]}',
  },
} as const satisfies Readonly<Record<string, LabFormat>>;

export type LabName = keyof typeof FORMATS;
