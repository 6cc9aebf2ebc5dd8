import { attemptFailureOf } from '#access/failure.ts';
import type { Page, Visit } from '#access/page.ts';
import {
  type FailedFate,
  type FailedPage,
  type FoundUrl,
  buildHttpFailure,
  toFailedPage,
} from '#features/crawl/crawl-page.ts';
import type { Robots } from '#engine/politeness/robots.ts';
import { toUrlParts } from '#extract/urls/address.ts';
import type { SitemapEntry } from '#extract/urls/sitemap-reader.ts';
import { buildSitemapTour, feedPlaces, sitemapPlaces, type SitemapTour } from '#extract/urls/sitemap-tour.ts';
import { readSitemap } from '#extract/urls/sitemaps.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { isPassingStatus } from '#kernel/passing-status.ts';
import type { Frontier } from '#features/crawl/frontier/frontier.ts';
import type { Discovery } from './discovery.ts';
import type { HostPace } from '#engine/politeness/host-paces.ts';
import { allows, type RobotsGate } from '#engine/politeness/robots-cache.ts';

/** Where a site names its pages: sitemaps at the usual paths, those of its robots.txt, and feeds. */
export const FILE_SOURCES = ['sitemap', 'robots', 'feed'] as const;

export type FileSource = (typeof FILE_SOURCES)[number];

/** The counts of the files of one source. */
export type FileCounts = {
  /** URLs of the crawl that they named, known before or not. */
  readonly named: number;
  /** Files that were read. */
  readonly read: number;
  /** URLs and files that were left out: malformed, on another site, not wanted, beyond a limit. */
  readonly refused: number;
  /** Those of the refused URLs that the frontier counts as skipped. */
  readonly reportedSkips: number;
  /** Whether a file broke off, or a limit was reached. */
  readonly isTruncated: boolean;
  /** Files that should exist and could not be read, the first hundred. */
  readonly errors: readonly FailedPage[];
};

/** The counts of all files of a site. */
export type AllFileCounts = Readonly<Record<FileSource, FileCounts>>;

/** Whether no file that could name more URLs was left out; one that is not there names none. */
export function hasReadAllFiles(files: AllFileCounts): boolean {
  return Object.values(files).every(
    ({ isTruncated, errors }) => !isTruncated && errors.every(({ code }) => code === 'not_found'),
  );
}

export type SiteFilesParts = {
  /** Gets a file through the guard; throws `ServiceError`. */
  readonly visit: Visit;
  readonly robots: RobotsGate;
  readonly respectRobots: boolean;
  readonly paceOf: (host: string) => HostPace;
  readonly readTarget: (url: string) => URL;
  readonly discovery: Discovery;
  readonly sources: readonly FileSource[];
  readonly frontier: Pick<Frontier, 'progress'>;
  readonly clock: Clock;
  /** Adds some of the URLs of a file; returns whether more are wanted. */
  readonly add: (found: readonly FoundUrl[], signal: AbortSignal) => Promise<boolean>;
};

const FILE_TIMEOUT_MS = 60_000;
const MAX_ERRORS = 100;
/** Refused URLs that are passed to the frontier; beyond that only their number is known. */
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
/** How files were found: by a reference, or at a path where they usually are. */
type FileReadOptions = { readonly found: 'by reference' | 'by guess'; readonly signal: AbortSignal };

/** The files in which a site names its pages; each is read in portions, and only one portion is in memory. */
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

  /** Reads the files of a site by the final URL of its seed. Throws only what `add` throws, and the signal's reason. */
  async read(baseUrl: string, signal: AbortSignal): Promise<void> {
    const { discovery, frontier, sources } = this.#parts;
    if (!discovery.isOnDomain(baseUrl)) return;
    // A start that is a sitemap is the only file that is read.
    if ((await frontier.progress()).skipped.sitemap > 0) {
      const tour = buildSitemapTour();
      tour.add(baseUrl, 0);
      await this.#readTour(tour, 'sitemap', { found: 'by reference', signal });
      return;
    }
    if (sources.length === 0) return;
    const rules = await this.#readRobots(new URL(baseUrl).origin, signal);
    const hasSitemap = await this.#readSitemaps(baseUrl, rules, signal);
    if (sources.includes('feed') && !this.#isEnough) await this.#readFeeds(baseUrl, rules, { hasSitemap, signal });
  }

  counts(): AllFileCounts {
    return this.#counters;
  }

  /** The rules of the site's robots.txt; null where it cannot be had. */
  async #readRobots(origin: string, signal: AbortSignal): Promise<Robots | null> {
    try {
      return await this.#parts.robots.of(origin, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      const statusCode = attemptFailureOf(error)?.facts.status ?? null;
      const { code, message } = error;
      this.#counters.robots.errors.push(toFailedPage(`${origin}/robots.txt`, { statusCode, code, message }));
      return null;
    }
  }

  async #readSitemaps(baseUrl: string, rules: Robots | null, signal: AbortSignal): Promise<boolean> {
    const { sources } = this.#parts;
    if (sources.includes('robots')) {
      const tour = buildSitemapTour();
      for (const named of rules?.sitemaps ?? []) {
        const url = URL.parse(named, baseUrl)?.href ?? '';
        if (toUrlParts(url) === null) this.#counters.robots.refused += 1;
        else tour.add(url, 0);
      }
      if (await this.#readTour(tour, 'robots', { found: 'by reference', signal })) return true;
    }
    if (!sources.includes('sitemap') || this.#isEnough) return false;
    const tour = buildSitemapTour();
    for (const url of sitemapPlaces(baseUrl)) if (this.#canGuess(rules, url)) tour.add(url, 0);
    return this.#readTour(tour, 'sitemap', { found: 'by guess', signal });
  }

  async #readFeeds(
    baseUrl: string,
    rules: Robots | null,
    { hasSitemap, signal }: { readonly hasSitemap: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const { discovery } = this.#parts;
    const named = discovery.listFeeds().filter((url) => discovery.isOnDomain(url));
    // A site that names its pages elsewhere names its feeds too.
    const urls = named.length > 0 || hasSitemap ? named : feedPlaces(baseUrl);
    const found = named.length > 0 ? 'by reference' : 'by guess';
    for (const url of urls.filter((one) => this.#canGuess(rules, one))) {
      if (this.#isEnough) return;
      const count = await this.#readFile({ url, source: 'feed', depth: 0 }, null, { found, signal });
      if (found === 'by guess' && count > 0) return;
    }
  }

  /** Reads files until there are none left; returns whether any named a URL. */
  async #readTour(tour: SitemapTour, source: FileSource, reading: FileReadOptions): Promise<boolean> {
    let named = 0;
    for (let stop = tour.next(); stop !== null && !this.#isEnough; stop = tour.next()) {
      // Of the usual paths one is enough, and it names further sitemaps itself.
      if (reading.found === 'by guess' && named > 0 && stop.depth === 0) continue;
      const found = stop.depth === 0 ? reading.found : 'by reference';
      named += await this.#readFile({ ...stop, source }, tour, { ...reading, found });
    }
    this.#counters[source].refused += tour.refused();
    this.#counters[source].isTruncated ||= tour.refused() > 0;
    return named > 0;
  }

  /** Reads one file; returns how many URLs and files it named. */
  async #readFile(file: SiteFile, tour: SitemapTour | null, { found, signal }: FileReadOptions): Promise<number> {
    const counters = this.#counters[file.source];
    // At a usual place there may be no file at all, unless the site says that it cannot answer now.
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
      // A guessed file may be any text; it is a sitemap if it names a URL.
      if (named + (found === 'by reference' ? refused : 0) === 0)
        return fail(buildFileFailure('the file names no URL'));
      counters.read += 1;
      return named;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      const { code, message } = error;
      return fail({ code, message, statusCode: null, isTemporary: isTemporaryFailure(error) });
    }
  }

  /** Adds the URLs of a file, and the files that it names to the tour; returns how many were taken and refused. */
  async #readEntries(
    file: SiteFile,
    tour: SitemapTour | null,
    { page, signal }: { readonly page: Page; readonly signal: AbortSignal },
  ): Promise<{ readonly named: number; readonly refused: number }> {
    const { discovery } = this.#parts;
    const counters = this.#counters[file.source];
    const host = getHost(page.url);
    // An index speaks for the files of its own host.
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

  /** Adds a portion of URLs; returns whether more are wanted. */
  async #add(portion: readonly SitemapEntry[], source: FileSource, signal: AbortSignal): Promise<boolean> {
    const { discovery, clock, add } = this.#parts;
    const counters = this.#counters[source];
    const found: FoundUrl[] = [];
    for (const { url, title, lastmod } of portion.flatMap(listPages)) {
      const one = { ...discovery.admitFileUrl(url, source), title, lastmod: normalizeLastmod(lastmod, clock.now()) };
      if (one.skip === null) counters.named += 1;
      else counters.refused += 1;
      if (one.skip !== null && counters.reportedSkips >= MAX_REPORTED_SKIPS) continue;
      if (one.skip !== null) counters.reportedSkips += 1;
      found.push(one);
    }
    return found.length === 0 || add(found, signal);
  }

  /** Gets a file, once more where it fails for now. */
  async #getWithRetry(url: string, signal: AbortSignal): Promise<Page> {
    try {
      const page = await this.#get(url, signal);
      if (!isPassingStatus(page.status)) return page;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError) || !isTemporaryFailure(error)) throw error;
    }
    return this.#get(url, signal);
  }

  /** Visits a file at the pace of its host, before the pages that wait there. */
  async #get(url: string, signal: AbortSignal): Promise<Page> {
    const { visit, paceOf, readTarget, clock } = this.#parts;
    const target = readTarget(url);
    const pace = paceOf(getHost(target.href));
    return pace.visit(signal, async () =>
      visit({ url: target, headers: {}, cookies: [] }, clock.deadline(FILE_TIMEOUT_MS, signal)),
    );
  }

  #canGuess(rules: Robots | null, url: string): boolean {
    const { respectRobots } = this.#parts;
    return !respectRobots || (rules !== null && allows(rules, url));
  }

  /** Whether a file may be read: on the domain of the site, or where its robots.txt says that its sitemaps are. */
  #isAllowedHere(url: string, { source }: Pick<SiteFile, 'source'>): boolean {
    return source === 'robots' || this.#parts.discovery.isOnDomain(url);
  }
}

type NamedPage = Pick<SitemapEntry, 'url' | 'title' | 'lastmod'>;

/** The page that an entry names, and the same page in other languages, of which the entry tells no more. */
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

/** Whether the same request may succeed another time. */
function isTemporaryFailure(error: ServiceError): boolean {
  return error.retryable && attemptFailureOf(error)?.facts.isPermanent !== true;
}

function getHost(url: string): string {
  return toUrlParts(url)?.authority ?? '';
}

/** The charset that a `Content-Type` names. */
function parseCharset(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null;
}

function createCounters(): FileCounters {
  return { named: 0, read: 0, refused: 0, reportedSkips: 0, isTruncated: false, errors: [] };
}

/** The date as the site writes it, or an instant; null if it is invalid or more than a day ahead. */
function normalizeLastmod(said: string | null, now: number): string | null {
  const ms = said === null ? Number.NaN : Date.parse(said);
  if (said === null || Number.isNaN(ms) || ms > now + DAY_MS) return null;
  return /^\d{4}-\d\d(?:-\d\d)?$/.test(said) ? said : new Date(ms).toISOString();
}
