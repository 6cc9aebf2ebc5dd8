import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { CAPTCHA_PAGE, SOFT_BLOCK_PAGE } from '#demo/sites/websearch-pages.ts';
import { openSite } from '#testkit/servers.ts';
import { FORMATS, type LabFormat, type LabName } from './formats.ts';

/** How a backend of the lab behaves. */
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
const LARGE = 30 * 1024 * 1024;
/** Addresses that nobody may be led to. */
const BAD_LINKS = [
  'javascript:alert(1)',
  'http://127.0.0.1/admin',
  'http://169.254.169.254/latest',
  'ftp://mill.example/',
];

export type LabBackend = {
  readonly name: LabName;
  readonly origin: string;
  /** The requests that came, in order. */
  readonly asked: readonly string[];
  readonly behave: (how: LabBehaviour) => void;
  /** How many connections it has had. */
  readonly connections: () => number;
};

export type SearchLab = {
  readonly backends: Readonly<Record<LabName, LabBackend>>;
  /** What `QUERN_ALLOW_TARGETS` must hold. */
  readonly allow: string;
  readonly close: () => Promise<void>;
};

/** Opens a backend of each format on loopback, each at an origin of its own; all answer until told otherwise. */
export async function openSearchLab(): Promise<SearchLab> {
  const opened = {
    duckduckgo: await openBackend('duckduckgo'),
    bing: await openBackend('bing'),
    brave: await openBackend('brave'),
    mojeek: await openBackend('mojeek'),
    'google-news': await openBackend('google-news'),
    'bing-news': await openBackend('bing-news'),
    searxng: await openBackend('searxng'),
    json: await openBackend('json'),
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

async function openBackend(name: LabName) {
  const asked: string[] = [];
  let behaviour: LabBehaviour = 'answers';
  const site = await openSite((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', site.origin);
    const form = new URLSearchParams(await text(request));
    const search = form.get('q') ?? url.searchParams.get('q') ?? '';
    asked.push(`${request.method ?? ''} ${url.pathname}${url.search}${form.size === 0 ? '' : ` ${String(form)}`}`);
    if (behaviour === 'is dead') response.destroy();
    else if (behaviour === 'is slow')
      setTimeout(() => send(response, toReply('answers', name, { search, page: pageOf(url, form) })), SLOW_MS);
    else if (behaviour !== 'hangs') send(response, toReply(behaviour, name, { search, page: pageOf(url, form) }));
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

function send(response: ServerResponse, { status, headers, body }: LabReply): void {
  response.writeHead(status, headers).end(body);
}

function toReply(
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
      return typed(Buffer.concat([Buffer.from(results), Buffer.alloc(LARGE, ' ')]));
    case 'answers another type':
      return typed('<!doctype html><title>Welcome</title><p>Nothing that was asked for.</p>', 'text/html');
    case 'links nowhere good':
      return typed(withBadLinks(results, search));
    default:
      return typed(results);
  }
}

/** The first results with other addresses, also where they stand in that of a redirector. */
function withBadLinks(body: string, search: string): string {
  let changed = body;
  for (const [at, bad] of BAD_LINKS.entries()) {
    const good = linkOf(search, at + 1);
    changed = changed.replaceAll(good, bad).replaceAll(encodeURIComponent(good), encodeURIComponent(bad));
  }
  return changed;
}

function linkOf(search: string, number: number): string {
  return `https://mill-${number}.example/${encodeURIComponent(search)}`;
}

/** The page that was asked for, in whichever way the backend counts. */
function pageOf(url: URL, form: URLSearchParams): number {
  const number = (name: string): number => Number(form.get(name) ?? url.searchParams.get(name) ?? Number.NaN);
  const pageno = number('pageno');
  if (!Number.isNaN(pageno)) return pageno;
  const offset = number('offset');
  if (!Number.isNaN(offset)) return offset < 10 && url.pathname === '/search' ? offset + 1 : offset / 10 + 1;
  const first = [number('first'), number('s')].find((value) => !Number.isNaN(value));
  return first === undefined ? 1 : Math.floor(Math.max(0, first - 1) / 10) + 1;
}
