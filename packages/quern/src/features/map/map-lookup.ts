import type { FoundUrl } from '#features/crawl/crawl-page.ts';
import type { Frontier } from '#features/crawl/frontier/frontier.ts';
import type { OpenCrawl } from '#features/crawl/run/open-crawl.ts';
import type { SiteFiles } from '#features/crawl/run/site-files.ts';
import { toUrlParts } from '#extract/urls/url-parts.ts';

/** Lists pages of an origin (`https://example.com`) that the tenant has fetched, at most `most`. */
export type ListKnownPages = (
  request: { readonly tenant: string; readonly origin: string; readonly most: number },
  signal: AbortSignal,
) => Promise<readonly KnownPage[]>;

/** A page that the tenant has fetched. Its title may be empty. */
type KnownPage = { readonly url: string; readonly title: string };

/** Known pages of one origin in a map. */
const MAX_KNOWN_PAGES = 10_000;
const URLS_AT_ONCE = 1000;
/** A path that a sitemap usually has. A sitemap at any other path is recognized when it is visited. */
const SITEMAP_PATH = /sitemap|\.(?:xml|txt)(?:\.gz)?$/i;

export type MapLookupParts = {
  readonly url: string;
  readonly crawl: Pick<OpenCrawl, 'discovery' | 'frontier' | 'minPageCredits'>;
  readonly files: Pick<SiteFiles, 'read' | 'readAsSitemap'> | null;
  /** Whether the start may be visited. */
  readonly mayVisit: (signal: AbortSignal) => Promise<boolean>;
  readonly known: KnownUrls | null;
};

/**
 * Adds the URLs of a site that are found without a visit of a page: those of its files, and the known pages. Returns
 * whether there is any apart from the start.
 */
export async function lookUpUrls(parts: MapLookupParts, signal: AbortSignal): Promise<boolean> {
  const { url, crawl, files, mayVisit, known } = parts;
  const { discovery, frontier } = crawl;
  if (!(await mayVisit(signal)) || !discovery.setBase(url, url)) return false;
  const path = toUrlParts(url)?.path ?? '';
  if (SITEMAP_PATH.test(path) && path !== '/robots.txt' && (await files?.readAsSitemap(url, signal)) === true) {
    await skipStart(crawl, url);
    return true;
  }
  await files?.read(url, signal);
  await known?.add(url, signal);
  const { stored, pending } = await frontier.progress();
  const hasFound = stored + pending > 1;
  if (hasFound && path === '/robots.txt') await skipStart(crawl, url);
  return hasFound;
}

/** Removes a start from the list that is a file of the site and no page. */
async function skipStart({ frontier, minPageCredits }: MapLookupParts['crawl'], url: string): Promise<void> {
  const { claims } = await frontier.claim({ maxPages: 1, maxAtHost: () => 1 });
  const ends = claims.map((claim) => ({
    claim,
    reservedCredits: minPageCredits,
    links: [],
    skippedLinks: {},
    baseUrl: url,
    hashRoute: null,
    fate: { kind: 'skipped', reason: 'sitemap' } as const,
  }));
  if (ends.length > 0) await frontier.commit(ends);
}

/** The pages of a site that the tenant has fetched before. */
export type KnownUrls = {
  readonly add: (url: string, signal: AbortSignal) => Promise<void>;
  /** Pages that were listed, and those of them that the options of the map exclude. */
  readonly counts: () => { readonly read: number; readonly refused: number };
};

/** Creates the reader of the pages that a tenant has fetched from the host of a URL, with or without `www.`. */
export function createKnownUrls({
  list,
  tenant,
  crawl: { discovery, frontier },
  mostUrls,
}: {
  readonly list: ListKnownPages;
  readonly tenant: string;
  readonly crawl: { readonly discovery: OpenCrawl['discovery']; readonly frontier: Pick<Frontier, 'add'> };
  /** Number of URLs at which the map ends. */
  readonly mostUrls: number;
}): KnownUrls {
  let read = 0;
  let refused = 0;

  return {
    async add(url, signal) {
      const found: FoundUrl[] = [];
      for (const origin of listOrigins(url)) {
        const most = Math.min(MAX_KNOWN_PAGES, mostUrls);
        for (const page of await list({ tenant, origin, most }, signal)) {
          const title = page.title === '' ? null : page.title;
          found.push({ ...discovery.admitFileUrl(page.url, 'known'), title, isParked: true });
        }
      }
      read = found.length;
      const admitted = found.filter(({ skip }) => skip === null);
      refused = read - admitted.length;
      for (let at = 0; at < admitted.length; at += URLS_AT_ONCE) {
        const { stored, pending } = await frontier.add(admitted.slice(at, at + URLS_AT_ONCE));
        if (stored + pending >= mostUrls) return;
      }
    },
    counts: () => ({ read, refused }),
  };
}

/** The origins of one site: http and https, with and without `www.`. */
function listOrigins(url: string): readonly string[] {
  const { protocol, host } = new URL(url);
  const bare = host.replace(/^www\./, '');
  const schemes = new Set([protocol, 'https:', 'http:']);
  const hosts = new Set([host, bare, `www.${bare}`]);
  return [...schemes].flatMap((scheme) => [...hosts].map((one) => `${scheme}//${one}`));
}
