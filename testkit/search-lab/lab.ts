import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { CAPTCHA_PAGE, type MockResult, listMockResults, SOFT_BLOCK_PAGE } from '#demo/sites/websearch.ts';
import { startHttpServer } from '#testkit/servers.ts';

/** How a mock backend behaves. */
export type LabBehaviour =
  | 'answers'
  | 'finds nothing'
  | 'wants a captcha'
  | 'asks for consent'
  | 'sends a shell'
  | 'limits'
  | 'refuses'
  | 'breaks'
  | 'is slow'
  | 'hangs'
  | 'is dead'
  | 'answers 30 MB'
  | 'answers another type'
  | 'links nowhere good';

const SLOW_MS = 1_500;
const LARGE_BODY = 30 * 1024 * 1024;
/** URLs that must never be in results. */
const BAD_LINKS = [
  'javascript:alert(1)',
  'http://127.0.0.1/admin',
  'http://169.254.169.254/latest',
  'ftp://mill.example/',
];

export type LabBackend = {
  readonly name: LabName;
  readonly origin: string;
  /** All requests so far, in order. */
  readonly asked: readonly string[];
  readonly behave: (how: LabBehaviour) => void;
  /** Number of connections so far. */
  readonly connections: () => number;
};

export type SearchLab = {
  readonly backends: Readonly<Record<LabName, LabBackend>>;
  /** Value of `QUERN_ALLOW_TARGETS`. */
  readonly allow: string;
  readonly close: () => Promise<void>;
};

/** Starts a mock backend of each format on loopback; all respond normally at first. */
export async function startSearchLab(): Promise<SearchLab> {
  const opened = {
    duckduckgo: await startBackend('duckduckgo'),
    bing: await startBackend('bing'),
    brave: await startBackend('brave'),
    mojeek: await startBackend('mojeek'),
    'google-news': await startBackend('google-news'),
    'bing-news': await startBackend('bing-news'),
    searxng: await startBackend('searxng'),
    json: await startBackend('json'),
  };
  return {
    backends: opened,
    allow: Object.values(opened)
      .map(({ origin }) => new URL(origin).host)
      .join(','),
    async close() {
      await Promise.all(Object.values(opened).map(async (one) => one.close()));
    },
  };
}

async function startBackend(name: LabName) {
  const asked: string[] = [];
  let behaviour: LabBehaviour = 'answers';
  const site = await startHttpServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', site.origin);
    const form = new URLSearchParams(await text(request));
    const search = form.get('q') ?? url.searchParams.get('q') ?? '';
    asked.push(`${request.method ?? ''} ${url.pathname}${url.search}${form.size === 0 ? '' : ` ${String(form)}`}`);
    if (behaviour === 'is dead') response.destroy();
    else if (behaviour === 'is slow')
      setTimeout(
        () => sendReply(response, buildReply('answers', name, { search, page: parsePage(url, form) })),
        SLOW_MS,
      );
    else if (behaviour !== 'hangs')
      sendReply(response, buildReply(behaviour, name, { search, page: parsePage(url, form) }));
  }

  return {
    name,
    origin: site.origin,
    asked,
    connections: site.connections,
    behave(how: LabBehaviour): void {
      behaviour = how;
    },
    close: async () => site[Symbol.asyncDispose](),
  };
}

type LabReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

function sendReply(response: ServerResponse, { status, headers, body }: LabReply): void {
  response.writeHead(status, headers).end(body);
}

function buildReply(
  behaviour: LabBehaviour,
  name: LabName,
  { search, page }: { readonly search: string; readonly page: number },
): LabReply {
  const format: LabFormat = FORMATS[name];
  const typed = (body: string | Buffer, contentType: string = format.contentType): LabReply => ({
    status: 200,
    headers: { 'content-type': contentType },
    body,
  });
  const page429: LabReply = { status: 429, headers: { 'retry-after': '400', 'content-type': 'text/html' }, body: '' };
  const results = format.results(search, page);
  switch (behaviour) {
    case 'finds nothing':
      return typed(format.none);
    case 'wants a captcha':
      return { ...typed(CAPTCHA_PAGE, 'text/html'), status: name === 'duckduckgo' ? 202 : 200 };
    case 'asks for consent':
      return typed(
        '<!doctype html><title>Before you continue</title><form action="/save"><button>Accept all</button></form>',
        'text/html',
      );
    case 'sends a shell':
      return typed(SOFT_BLOCK_PAGE, 'text/html');
    case 'limits':
      return page429;
    case 'refuses':
      return { ...page429, status: 403 };
    case 'breaks':
      return { ...page429, status: 500 };
    case 'answers 30 MB':
      return typed(Buffer.concat([Buffer.from(results), Buffer.alloc(LARGE_BODY, ' ')]));
    case 'answers another type':
      return typed('<!doctype html><title>Welcome</title><p>Nothing that was asked for.</p>', 'text/html');
    case 'links nowhere good':
      return typed(addBadLinks(results, search));
    default:
      return typed(results);
  }
}

/** Replaces the URLs of the first results, also inside redirector links. */
function addBadLinks(body: string, search: string): string {
  let changed = body;
  for (const [at, bad] of BAD_LINKS.entries()) {
    const good = buildLink(search, at + 1);
    changed = changed.replaceAll(good, bad).replaceAll(encodeURIComponent(good), encodeURIComponent(bad));
  }
  return changed;
}

function buildLink(search: string, number: number): string {
  return `https://mill-${number}.example/${encodeURIComponent(search)}`;
}

/** Parses the page number, in the format of the backend. */
function parsePage(url: URL, form: URLSearchParams): number {
  const number = (name: string): number => Number(form.get(name) ?? url.searchParams.get(name) ?? Number.NaN);
  const pageno = number('pageno');
  if (!Number.isNaN(pageno)) return pageno;
  const offset = number('offset');
  if (!Number.isNaN(offset)) return offset < 10 && url.pathname === '/search' ? offset + 1 : offset / 10 + 1;
  const first = [number('first'), number('s')].find((value) => !Number.isNaN(value));
  return first === undefined ? 1 : Math.floor(Math.max(0, first - 1) / 10) + 1;
}

/** Result pages of each backend in its own format. */
type LabFormat = {
  readonly contentType: string;
  readonly results: (search: string, page: number) => string;
  /** The response for no results. */
  readonly none: string;
};

const HTML = 'text/html; charset=utf-8';
const XML = 'text/xml; charset=utf-8';
const JSON_TYPE = 'application/json';

const buildResults = (make: (result: MockResult, at: number) => string) => (search: string, page: number) =>
  listMockResults(search, page).map(make).join('');
const page = (body: string): string => `<!doctype html><title>Results</title><body>${body}</body>`;
const feed = (items: string): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>${items}</channel></rss>`;
const json = (toBody: (results: readonly MockResult[]) => unknown) => (search: string, number: number) =>
  JSON.stringify(toBody(listMockResults(search, number)));

const items = buildResults(
  ({ title, url, description }, at) =>
    `<item><title>${title}</title><link>${url}</link><description>${description}</description><pubDate>Mon, 0${(at % 9) + 1} Nov 2026 08:00:00 GMT</pubDate></item>`,
);

export const FORMATS = {
  duckduckgo: {
    contentType: HTML,
    results: (search, number) =>
      page(
        buildResults(
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
        buildResults(
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
        `<ul class="results-standard">${buildResults(
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
