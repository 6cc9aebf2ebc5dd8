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
  readonly load: () => Promise<CompatInterface>;
};

async function loadFirecrawl(): Promise<CompatInterface> {
  return (await import('./firecrawl.ts')).FIRECRAWL;
}

/** The interfaces of other services that Quern serves. */
export const COMPAT_MOUNTS: readonly CompatMount[] = [
  {
    name: 'firecrawl',
    prefix: '/firecrawl',
    paths: ['/v2/*', '/v1/*'],
    title: 'Firecrawl v2 and v1',
    load: loadFirecrawl,
  },
  {
    // For clients that drop the path of their base address. Quern's own operations keep their addresses.
    name: 'firecrawl-root',
    prefix: '',
    paths: [
      '/v2/*',
      '/v1/scrape',
      '/v1/search',
      '/v1/batch/scrape',
      '/v1/batch/scrape/*',
      '/v1/extract',
      '/v1/extract/*',
    ],
    title: 'Firecrawl at the root',
    load: loadFirecrawl,
  },
  {
    name: 'tavily',
    prefix: '/tavily',
    paths: ['/*'],
    title: 'Tavily',
    load: async () => (await import('./tavily.ts')).TAVILY,
  },
  {
    name: 'openwebui',
    prefix: '/openwebui',
    paths: ['/*'],
    title: 'External loader and search of Open WebUI',
    load: async () => (await import('./openwebui.ts')).OPEN_WEBUI,
  },
  {
    name: 'searxng',
    prefix: '/searxng',
    paths: ['/*'],
    title: 'SearXNG (JSON)',
    load: async () => (await import('./searxng.ts')).SEARXNG,
  },
  {
    name: 'reader',
    prefix: '/r',
    paths: ['/*'],
    title: 'Reader by prefix',
    load: async () => (await import('./reader.ts')).READER,
  },
  {
    name: 'crawl4ai',
    prefix: '/crawl4ai',
    paths: ['/*'],
    title: 'Crawl4AI',
    load: async () => (await import('./crawl4ai.ts')).CRAWL4AI,
  },
];
