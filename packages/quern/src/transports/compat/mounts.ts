import { createLazy } from '#kernel/lazy.ts';
import type { CompatInterface } from './interface.ts';

/** An interface, the addresses at which it is served, and the module that is loaded at its first request. */
export type CompatMount = {
  readonly name: string;
  /** The prefix of its routes; `''` for the root. */
  readonly prefix: string;
  /** The paths to serve below the prefix; `*` at the end stands for any further path. */
  readonly paths: readonly `/${string}`[];
  /** The name of the interface, for people. */
  readonly title: string;
  /** Whether old clients send the key as `api_key` in the body. */
  readonly hasKeyInBody?: boolean;
  readonly load: () => Promise<CompatInterface>;
};

const loadFirecrawl = createLazy(async () => (await import('./firecrawl.ts')).FIRECRAWL);
const loadTavily = createLazy(async () => (await import('./tavily.ts')).TAVILY);
const loadOpenWebUi = createLazy(async () => (await import('./openwebui.ts')).OPEN_WEBUI);
const loadSearxng = createLazy(async () => (await import('./searxng.ts')).SEARXNG);
const loadReader = createLazy(async () => (await import('./reader.ts')).READER);
const loadCrawl4ai = createLazy(async () => (await import('./crawl4ai.ts')).CRAWL4AI);

/** The paths of Firecrawl v1 that are free at the root: Quern's own operations keep their addresses. */
const V1_AT_ROOT = [
  '/v1/scrape',
  '/v1/search',
  '/v1/batch/scrape',
  '/v1/batch/scrape/*',
  '/v1/extract',
  '/v1/extract/*',
] as const;

const OPEN_WEBUI_TITLE = 'External loader and search of Open WebUI';

/** The interfaces of other services that Quern serves. That at the root is for clients that drop the path of their address. */
export const COMPAT_MOUNTS: readonly CompatMount[] = [
  {
    name: 'firecrawl',
    prefix: '/firecrawl',
    paths: ['/v2/*', '/v1/*'],
    title: 'Firecrawl v2 and v1',
    load: loadFirecrawl,
  },
  {
    name: 'firecrawl-root',
    prefix: '',
    paths: ['/v2/*', ...V1_AT_ROOT],
    title: 'Firecrawl at the root',
    load: loadFirecrawl,
  },
  { name: 'tavily', prefix: '/tavily', paths: ['/*'], title: 'Tavily', hasKeyInBody: true, load: loadTavily },
  { name: 'openwebui', prefix: '/openwebui', paths: ['/*'], title: OPEN_WEBUI_TITLE, load: loadOpenWebUi },
  { name: 'searxng', prefix: '/searxng', paths: ['/*'], title: 'SearXNG (JSON)', load: loadSearxng },
  { name: 'reader', prefix: '/r', paths: ['/*'], title: 'Reader by prefix', load: loadReader },
  { name: 'crawl4ai', prefix: '/crawl4ai', paths: ['/*'], title: 'Crawl4AI', load: loadCrawl4ai },
];
