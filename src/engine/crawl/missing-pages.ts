import type { Visit } from '#access/page.ts';
import { toAddress } from '#extract/site/address.ts';
import type { ContentPrint } from '#extract/site/content-print.ts';
import { keyHash } from '#extract/site/key-hash.ts';
import type { SitePage, SitePageRequest } from '#extract/site/site-page.ts';
import { missingUrl } from '#extract/site/soft-404.ts';
import type { Discovery } from './discovery.ts';
import { toPageRequest } from './order.ts';
import type { CrawlOrder } from './order.ts';
import { visitInTurn } from './paces.ts';
import type { Pace } from './paces.ts';

/** Pages of a host that come before it is asked, so that a small site gets no request that nobody wanted. */
const PAGES_BEFORE = 50;
const MOST_HOSTS = 10_000;
const PROBE_MS = 30_000;

export type MissingPagesParts = {
  readonly order: CrawlOrder;
  readonly discovery: Discovery;
  /** Makes the address that is asked for this crawl's own. */
  readonly salt: string;
  /** Gets a page through the guard; throws `ServiceError`. */
  readonly visit: Visit;
  readonly paceOf: (host: string) => Pace;
  readonly readTarget: (url: string) => URL;
  readonly mayVisit: (url: string, signal: AbortSignal) => Promise<boolean>;
  readonly read: (request: SitePageRequest, signal: AbortSignal) => Promise<SitePage>;
};

/** What hosts show for addresses that cannot exist, known to this process. */
export type MissingPages = ReturnType<typeof buildMissingPages>;

/**
 * Builds what asks each host with many pages once for an address that cannot exist, beside the visits and at their pace.
 * Where that brings no page, for whatever reason, nothing is known and the crawl goes on as it would without.
 */
export function buildMissingPages(parts: MissingPagesParts) {
  const { order, discovery, salt, visit, paceOf, readTarget, mayVisit, read } = parts;
  const token = keyHash('missing', salt)
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase();
  const hosts = new Map<string, Known>();

  async function learn(known: Known, url: string, signal: AbortSignal): Promise<void> {
    try {
      known.print = await ask(url, AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]));
    } catch {
      // What a host shows for what is missing is worth knowing and nothing more.
    }
  }

  async function ask(url: string, signal: AbortSignal): Promise<ContentPrint | null> {
    const host = toAddress(url)?.authority ?? '';
    if (!discovery.mayVisit(url) || !(await mayVisit(url, signal))) return null;
    const page = await visitInTurn(paceOf(host), signal, async () =>
      visit(
        {
          url: readTarget(url),
          headers: order.page.headers,
          cookies: order.page.cookies,
          follows: async ({ href }) => discovery.mayVisit(href) && mayVisit(href, signal),
        },
        signal,
      ),
    );
    if (page.status >= 300) return null;
    return (await read({ ...toPageRequest(order, page), ...UNFOLLOWED }, signal)).print;
  }

  return {
    /** Counts a page that came; answers what its host shows for what is missing, null where that is not known. */
    meet(url: string, signal: AbortSignal): ContentPrint | null {
      const host = toAddress(url)?.authority ?? '';
      const known = hosts.get(host) ?? { pages: 0, print: null };
      if (known.pages > 0 || hosts.size < MOST_HOSTS) hosts.set(host, known);
      known.pages += 1;
      if (known.pages === PAGES_BEFORE) void learn(known, missingUrl(url, token), signal);
      return known.print;
    },
  };
}

/** Of the page only its print is wanted. */
const UNFOLLOWED = { rules: null, depth: 0, missing: null, wantsTitles: false, keeps: false } as const;

type Known = { pages: number; print: ContentPrint | null };
