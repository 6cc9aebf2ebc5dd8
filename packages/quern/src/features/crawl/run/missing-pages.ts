import type { Visit } from '#access/page.ts';
import { toUrlParts } from '#extract/urls/url-parts.ts';
import type { ContentFingerprint } from '#extract/urls/content-fingerprint.ts';
import { hashKey } from '#extract/urls/canonical-key.ts';
import type { SitePage, SitePageRequest } from '#extract/urls/site-page.ts';
import { buildProbeUrl } from '#extract/urls/soft-404.ts';
import type { Discovery } from './discovery.ts';
import { type CrawlOptions, buildSitePageRequest } from '#features/crawl/crawl-options.ts';
import type { HostPace } from '#engine/politeness/host-pace.ts';
import type { Clock } from '#kernel/clock.ts';

/** A host is probed after this many pages, so that a small site gets no extra request. */
const MIN_PAGES_BEFORE_PROBE = 50;
const MAX_PROBED_HOSTS = 10_000;
const PROBE_TIMEOUT_MS = 30_000;

export type MissingPageProbeParts = {
  readonly options: CrawlOptions;
  readonly discovery: Discovery;
  /** Makes the probed URLs of each crawl different. */
  readonly salt: string;
  /** Requests a page through the egress guard. Throws `ServiceError`. */
  readonly visit: Visit;
  readonly paceOf: (host: string) => HostPace;
  readonly readTarget: (url: string) => URL;
  readonly mayVisit: (url: URL, signal: AbortSignal) => Promise<boolean>;
  readonly read: (request: SitePageRequest, signal: AbortSignal) => Promise<SitePage>;
  readonly clock: Clock;
};

/** Knows which page each host shows for URLs that do not exist. */
export type MissingPageProbe = ReturnType<typeof createMissingPageProbe>;

/**
 * Creates the probe that requests a URL that cannot exist from each host with many pages, once, at the pace of the
 * host. If the probe fails, the crawl continues without its result.
 */
export function createMissingPageProbe(parts: MissingPageProbeParts) {
  const { options, discovery, salt, visit, paceOf, readTarget, mayVisit, read, clock } = parts;
  const token = hashKey('missing', salt)
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase();
  const hosts = new Map<string, ProbedHost>();

  async function probe(known: ProbedHost, url: string, signal: AbortSignal): Promise<void> {
    try {
      known.print = await fetchPrint(url, clock.deadline(PROBE_TIMEOUT_MS, signal));
    } catch {
      // Without the result of the probe, missing pages are just not recognised.
    }
  }

  async function fetchPrint(url: string, signal: AbortSignal): Promise<ContentFingerprint | null> {
    const host = toUrlParts(url)?.authority ?? '';
    if (!discovery.isAdmitted(url) || !(await mayVisit(new URL(url), signal))) return null;
    const page = await paceOf(host).fetchInTurn(signal, async () =>
      visit(
        {
          url: readTarget(url),
          headers: options.page.headers,
          cookies: options.page.cookies,
          follows: async (to) => discovery.isAdmitted(to.href) && mayVisit(to, signal),
        },
        signal,
      ),
    );
    if (page.status >= 300) return null;
    return (
      await read(
        { ...buildSitePageRequest(options.page, options.changes !== undefined, page), ...PROBE_OPTIONS },
        signal,
      )
    ).print;
  }

  return {
    /** Counts a page of a host. Returns the fingerprint of that host's missing pages, null while it is unknown. */
    countPage(url: string, signal: AbortSignal): ContentFingerprint | null {
      const host = toUrlParts(url)?.authority ?? '';
      const known = hosts.get(host) ?? { pages: 0, print: null };
      if (known.pages > 0 || hosts.size < MAX_PROBED_HOSTS) hosts.set(host, known);
      known.pages += 1;
      if (known.pages === MIN_PAGES_BEFORE_PROBE) void probe(known, buildProbeUrl(url, token), signal);
      return known.print;
    },
  };
}

/** Only the fingerprint of a probed page is needed. */
const PROBE_OPTIONS = {
  rules: null,
  depth: 0,
  missing: null,
  wantsTitles: false,
  keeps: false,
  obeysTags: false,
  hasLogin: false,
} as const;

type ProbedHost = { pages: number; print: ContentFingerprint | null };
