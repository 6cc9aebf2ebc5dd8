import { findAttemptFailure } from '#access/failure.ts';
import type { Page, Visit } from '#access/page.ts';
import {
  type FailedFate,
  type FailedPage,
  type FoundUrl,
  buildHttpFailure,
  toFailedPage,
} from '#features/crawl/crawl-page.ts';
import type { Robots } from '#engine/politeness/robots.ts';
import { toUrlParts } from '#extract/urls/url-parts.ts';
import {
  type SitemapEntry,
  createSitemapQueue,
  listCommonFeedUrls,
  listCommonSitemapUrls,
  type SitemapQueue,
} from '#extract/urls/sitemap-reader.ts';
import { readSitemap } from '#extract/urls/sitemaps.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { isTransientStatus } from '#kernel/transient-status.ts';
import type { Frontier } from '#features/crawl/frontier/frontier.ts';
import type { Discovery } from './discovery.ts';
import type { HostPace } from '#engine/politeness/host-pace.ts';
import { isUrlAllowed, type RobotsCache } from '#engine/politeness/robots-cache.ts';

/** Sources of site files: sitemaps at the usual paths, sitemaps listed in robots.txt, and feeds. */
export const FILE_SOURCES = ['sitemap', 'robots', 'feed'] as const;

export type FileSource = (typeof FILE_SOURCES)[number];

/** Counts of the files of one source. */
export type FileCounts = {
  /** URLs in scope that the files list, known before or not. */
  readonly named: number;
  /** Files that were read. */
  readonly read: number;
  /** URLs and files that were skipped: malformed, on another site, not wanted, or beyond a limit. */
  readonly refused: number;
  /** Refused URLs that were passed to the frontier, which counts them as skipped. */
  readonly reportedSkips: number;
  /** Whether a file was truncated, or a limit was reached. */
  readonly isTruncated: boolean;
  /** Files that should exist and could not be read, the first hundred. */
  readonly errors: readonly FailedPage[];
};

/** Counts of all files of a site. */
export type AllFileCounts = Readonly<Record<FileSource, FileCounts>>;

/** Whether every file that could list more URLs was read. A missing file lists none. */
export function hasReadAllFiles(files: AllFileCounts): boolean {
  return Object.values(files).every(
    ({ isTruncated, errors }) => !isTruncated && errors.every(({ code }) => code === 'not_found'),
  );
}

export type SiteFilesParts = {
  /** Requests a file through the egress guard. Throws `ServiceError`. */
  readonly visit: Visit;
  readonly robots: RobotsCache;
  /** Whether any certificate is accepted for robots.txt. */
  readonly insecureTls: boolean;
  readonly respectRobots: boolean;
  readonly paceOf: (host: string) => HostPace;
  readonly readTarget: (url: string) => URL;
  readonly discovery: Discovery;
  readonly sources: readonly FileSource[];
  readonly frontier: Pick<Frontier, 'progress'>;
  readonly clock: Clock;
  /** Adds some of the URLs of a file. Returns whether more are wanted. */
  readonly add: (urls: readonly FoundUrl[], signal: AbortSignal) => Promise<boolean>;
};

const FILE_TIMEOUT_MS = 60_000;
const MAX_ERRORS = 100;
/** Maximum number of refused URLs passed to the frontier; further ones are only counted. */
const MAX_REPORTED_SKIPS = 50_000;
const DAY_MS = 86_400_000;

type FileCounters = {
  named: number;
  read: number;
  refused: number;
  reportedSkips: number;
  isTruncated: boolean;
  errors: FailedPage[];
};
type SiteFile = { readonly url: string; readonly source: FileSource; readonly depth: number };
/** How a file was found: by a reference, or at a usual path. */
type FileReadOptions = { readonly found: 'by reference' | 'by guess'; readonly signal: AbortSignal };

/** Reads the sitemaps and feeds of a site. Each file is read in portions, of which only one is in memory. */
export class SiteFiles {
  readonly #parts: SiteFilesParts;
  readonly #counters: Record<FileSource, FileCounters> = {
    sitemap: createCounters(),
    robots: createCounters(),
    feed: createCounters(),
  };
  #isEnough = false;

  constructor(parts: SiteFilesParts) {
    this.#parts = parts;
  }

  /**
   * Reads the files of a site, given the final URL of its seed. Throws only what `add` throws, or the signal's reason.
   */
  async read(baseUrl: string, signal: AbortSignal): Promise<void> {
    const { discovery, frontier, sources } = this.#parts;
    if (!discovery.isOnDomain(baseUrl)) return;
    // If the seed is a sitemap, no other file is read.
    if ((await frontier.progress()).skipped.sitemap > 0) {
      await this.readAsSitemap(baseUrl, signal);
      return;
    }
    if (sources.length === 0) return;
    const rules = await this.#readRobots(new URL(baseUrl).origin, signal);
    const hasSitemap = await this.#readSitemaps(baseUrl, rules, signal);
    if (sources.includes('feed') && !this.#isEnough) await this.#readFeeds(baseUrl, rules, { hasSitemap, signal });
  }

  /** Reads a sitemap and those that it references. Returns whether they list a URL. Throws like `read`. */
  async readAsSitemap(url: string, signal: AbortSignal): Promise<boolean> {
    const tour = createSitemapQueue();
    tour.add(url, 0);
    return this.#readTour(tour, 'sitemap', { found: 'by reference', signal });
  }

  counts(): AllFileCounts {
    return this.#counters;
  }

  /** Reads the site's robots.txt; null if it cannot be loaded. */
  async #readRobots(origin: string, signal: AbortSignal): Promise<Robots | null> {
    try {
      return await this.#parts.robots.getRules(origin, signal, this.#parts.insecureTls);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      const statusCode = findAttemptFailure(error)?.facts.status ?? null;
      const { code, message } = error;
      this.#counters.robots.errors.push(toFailedPage(`${origin}/robots.txt`, { statusCode, code, message }));
      return null;
    }
  }

  async #readSitemaps(baseUrl: string, rules: Robots | null, signal: AbortSignal): Promise<boolean> {
    const { sources } = this.#parts;
    if (sources.includes('robots')) {
      const tour = createSitemapQueue();
      for (const named of rules?.sitemaps ?? []) {
        const url = URL.parse(named, baseUrl)?.href ?? '';
        if (toUrlParts(url) === null) this.#counters.robots.refused += 1;
        else tour.add(url, 0);
      }
      if (await this.#readTour(tour, 'robots', { found: 'by reference', signal })) return true;
    }
    if (!sources.includes('sitemap') || this.#isEnough) return false;
    const tour = createSitemapQueue();
    for (const url of listCommonSitemapUrls(baseUrl)) if (this.#canGuess(rules, url)) tour.add(url, 0);
    return this.#readTour(tour, 'sitemap', { found: 'by guess', signal });
  }

  async #readFeeds(
    baseUrl: string,
    rules: Robots | null,
    { hasSitemap, signal }: { readonly hasSitemap: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const { discovery } = this.#parts;
    const named = discovery.listFeeds().filter((url) => discovery.isOnDomain(url));
    // A site with a sitemap also links its feeds.
    const urls = named.length > 0 || hasSitemap ? named : listCommonFeedUrls(baseUrl);
    const found = named.length > 0 ? 'by reference' : 'by guess';
    for (const url of urls.filter((one) => this.#canGuess(rules, one))) {
      if (this.#isEnough) return;
      const count = await this.#readFile({ url, source: 'feed', depth: 0 }, null, { found, signal });
      if (found === 'by guess' && count > 0) return;
    }
  }

  /** Reads the files of a tour. Returns whether any of them lists a URL. */
  async #readTour(tour: SitemapQueue, source: FileSource, reading: FileReadOptions): Promise<boolean> {
    let named = 0;
    for (let stop = tour.next(); stop !== null && !this.#isEnough; stop = tour.next()) {
      // One of the usual paths is enough; it references further sitemaps itself.
      if (reading.found === 'by guess' && named > 0 && stop.depth === 0) continue;
      const found = stop.depth === 0 ? reading.found : 'by reference';
      named += await this.#readFile({ ...stop, source }, tour, { ...reading, found });
    }
    this.#counters[source].refused += tour.refused();
    this.#counters[source].isTruncated ||= tour.refused() > 0;
    return named > 0;
  }

  /** Reads one file. Returns how many URLs and files it lists. */
  async #readFile(file: SiteFile, tour: SitemapQueue | null, { found, signal }: FileReadOptions): Promise<number> {
    const counters = this.#counters[file.source];
    // A missing file at a usual path is no error; a temporary failure is one.
    const fail = ({ code, message, statusCode, isTemporary }: FileFailure): number => {
      if ((found === 'by reference' || isTemporary) && counters.errors.length < MAX_ERRORS) {
        counters.errors.push(toFailedPage(file.url, { statusCode, code, message }));
      }
      return 0;
    };
    try {
      const page = await this.#getWithRetry(file.url, signal);
      if (page.status >= 400) return fail(buildHttpFailure(page.status));
      if (!this.#isAllowedHere(page.url, file)) return fail(buildFileFailure('the file is on another site'));
      const { named, refused } = await this.#readEntries(file, tour, { page, signal });
      // A file at a usual path may be any text. It is a sitemap if it lists a URL.
      if (named + (found === 'by reference' ? refused : 0) === 0)
        return fail(buildFileFailure('the file lists no URL'));
      counters.read += 1;
      return named;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      const { code, message } = error;
      return fail({ code, message, statusCode: null, isTemporary: isTemporaryFailure(error) });
    }
  }

  /** Adds the URLs of a file, and adds referenced files to the tour. Returns how many were accepted and refused. */
  async #readEntries(
    file: SiteFile,
    tour: SitemapQueue | null,
    { page, signal }: { readonly page: Page; readonly signal: AbortSignal },
  ): Promise<{ readonly named: number; readonly refused: number }> {
    const { discovery } = this.#parts;
    const counters = this.#counters[file.source];
    const host = getHost(page.url);
    // An index may reference files of its own host.
    const isNear = (url: string): boolean => getHost(url) === host || discovery.isOnDomain(url);
    const admits = (url: string, kind: SitemapEntry['kind']): boolean =>
      kind === 'page' || (tour !== null && isNear(url) && tour.add(url, file.depth + 1));
    const portions = readSitemap([page.body], {
      url: page.url,
      charset: parseCharset(page.contentType),
      signal,
      admits,
    });
    let named = 0;
    for (;;) {
      const step = await portions.next();
      if (step.done === true) {
        counters.refused += step.value.refused;
        counters.isTruncated ||= step.value.truncated;
        return { named, refused: step.value.refused };
      }
      named += step.value.length;
      this.#isEnough = !(await this.#add(step.value, file.source, signal));
      if (this.#isEnough) return { named, refused: 0 };
    }
  }

  /** Adds a portion of URLs. Returns whether more are wanted. */
  async #add(portion: readonly SitemapEntry[], source: FileSource, signal: AbortSignal): Promise<boolean> {
    const { discovery, clock, add } = this.#parts;
    const counters = this.#counters[source];
    const urls: FoundUrl[] = [];
    for (const { url, title, lastmod } of portion.flatMap(listPages)) {
      const admitted = {
        ...discovery.admitFileUrl(url, source),
        title,
        lastmod: normalizeLastmod(lastmod, clock.now()),
      };
      if (admitted.skip === null) counters.named += 1;
      else counters.refused += 1;
      if (admitted.skip !== null && counters.reportedSkips >= MAX_REPORTED_SKIPS) continue;
      if (admitted.skip !== null) counters.reportedSkips += 1;
      urls.push(admitted);
    }
    return urls.length === 0 || add(urls, signal);
  }

  /** Requests a file, and retries once after a temporary failure. */
  async #getWithRetry(url: string, signal: AbortSignal): Promise<Page> {
    try {
      const page = await this.#get(url, signal);
      if (!isTransientStatus(page.status)) return page;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError) || !isTemporaryFailure(error)) throw error;
    }
    return this.#get(url, signal);
  }

  /** Requests a file at the pace of its host, before the pages that wait there. */
  async #get(url: string, signal: AbortSignal): Promise<Page> {
    const { visit, paceOf, readTarget, clock } = this.#parts;
    const target = readTarget(url);
    const pace = paceOf(getHost(target.href));
    return pace.fetchInTurn(signal, async () =>
      visit({ url: target, headers: {}, cookies: [] }, clock.deadline(FILE_TIMEOUT_MS, signal)),
    );
  }

  #canGuess(rules: Robots | null, url: string): boolean {
    const { respectRobots } = this.#parts;
    return !respectRobots || (rules !== null && isUrlAllowed(rules, url));
  }

  /** Whether a file may be read: it is on the domain of the site, or listed in its robots.txt. */
  #isAllowedHere(url: string, { source }: Pick<SiteFile, 'source'>): boolean {
    return source === 'robots' || this.#parts.discovery.isOnDomain(url);
  }
}

type NamedPage = Pick<SitemapEntry, 'url' | 'title' | 'lastmod'>;

/** Lists the page of an entry and its versions in other languages, which have no title or date. */
function listPages({ kind, url, title, lastmod, alternates }: SitemapEntry): readonly NamedPage[] {
  if (kind === 'sitemap') return [];
  const others = alternates.filter((one) => one.url !== url);
  return [{ url, title, lastmod }, ...others.map((one) => ({ url: one.url, title: null, lastmod: null }))];
}

/** Why a file could not be read. */
type FileFailure = Pick<FailedFate, 'code' | 'message' | 'statusCode' | 'isTemporary'>;

function buildFileFailure(message: string): FileFailure {
  return { code: 'unusable_response', message, statusCode: null, isTemporary: false };
}

/** Whether the same request may succeed later. */
function isTemporaryFailure(error: ServiceError): boolean {
  return error.retryable && findAttemptFailure(error)?.facts.isPermanent !== true;
}

function getHost(url: string): string {
  return toUrlParts(url)?.authority ?? '';
}

/** Parses the charset of a `Content-Type`. */
function parseCharset(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null;
}

function createCounters(): FileCounters {
  return { named: 0, read: 0, refused: 0, reportedSkips: 0, isTruncated: false, errors: [] };
}

/**
 * Normalizes a date: a plain date as written, else an ISO timestamp. Null if it is invalid or more than a day ahead.
 */
function normalizeLastmod(text: string | null, now: number): string | null {
  const ms = text === null ? Number.NaN : Date.parse(text);
  if (text === null || Number.isNaN(ms) || ms > now + DAY_MS) return null;
  return /^\d{4}-\d\d(?:-\d\d)?$/.test(text) ? text : new Date(ms).toISOString();
}
