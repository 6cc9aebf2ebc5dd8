import type { Page, Visit } from '#access/page.ts';
import { toFailedFate, toFailedPage } from '#features/crawl/crawl-page.ts';
import type { FoundUrl, FailedPage } from '#features/crawl/crawl-page.ts';
import { ALLOW_ALL } from '#engine/politeness/robots.ts';
import type { Robots } from '#engine/politeness/robots.ts';
import { toUrlParts } from '#extract/urls/address.ts';
import type { SitemapEntry } from '#extract/urls/sitemap-reader.ts';
import { buildSitemapTour, feedPlaces, sitemapPlaces } from '#extract/urls/sitemap-tour.ts';
import type { SitemapTour } from '#extract/urls/sitemap-tour.ts';
import { readSitemap } from '#extract/urls/sitemaps.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Discovery } from './discovery.ts';
import type { HostPace } from '#engine/politeness/host-paces.ts';
import { allows } from '#engine/politeness/robots-cache.ts';
import type { RobotsGate } from '#engine/politeness/robots-cache.ts';

/** Where a site names its pages: sitemaps at the usual paths, those of its robots.txt, and feeds. */
export const FILE_SOURCES = ['sitemap', 'robots', 'feed'] as const;

export type FileSource = (typeof FILE_SOURCES)[number];

/** The counts of the files of one source. */
export type FileCounts = {
  /** Files that were read. */
  readonly read: number;
  /** URLs and files that were left out: malformed, on another site, not wanted, beyond a limit. */
  readonly refused: number;
  /** Those of the refused URLs that the frontier counts as skipped. */
  readonly leftOut: number;
  /** Whether a file broke off, or a limit was reached. */
  readonly cutShort: boolean;
  /** Files that should exist and could not be read, the first hundred. */
  readonly errors: readonly FailedPage[];
};

export type SiteFilesParts = {
  /** Gets a file through the guard; throws `ServiceError`. */
  readonly visit: Visit;
  readonly robots: RobotsGate;
  readonly respectRobots: boolean;
  readonly paceOf: (host: string) => HostPace;
  readonly readTarget: (url: string) => URL;
  readonly discovery: Discovery;
  readonly sources: readonly FileSource[];
  readonly clock: Clock;
  /** Adds some of the URLs of a file; returns whether more are wanted. */
  readonly add: (found: readonly FoundUrl[], signal: AbortSignal) => Promise<boolean>;
};

const FILE_MS = 60_000;
const MOST_ERRORS = 100;
/** Refused URLs that are passed to the frontier; beyond that only their number is known. */
const MOST_LEFT_OUT = 50_000;
const DAY_MS = 86_400_000;

type FileCounters = { read: number; refused: number; leftOut: number; cutShort: boolean; errors: FailedPage[] };
type File = { readonly url: string; readonly source: FileSource; readonly depth: number };
/** How files were found: by a reference, or at a path where they usually are. */
type FileReading = { readonly found: 'by reference' | 'by guess'; readonly signal: AbortSignal };

/** The files in which a site names its pages; each is read in portions, and only one portion is in memory. */
export class SiteFiles {
  readonly #parts: SiteFilesParts;
  readonly #counters: Record<FileSource, FileCounters> = {
    sitemap: newCounters(),
    robots: newCounters(),
    feed: newCounters(),
  };
  #isEnough = false;

  constructor(parts: SiteFilesParts) {
    this.#parts = parts;
  }

  /** Reads the files of a site by the final URL of its seed. Throws only what `add` throws, and the signal's reason. */
  async read(baseUrl: string, signal: AbortSignal): Promise<void> {
    const { discovery, robots, sources } = this.#parts;
    if (!discovery.mayHold(baseUrl)) return;
    const rules = await robots.of(new URL(baseUrl).origin, signal).catch(() => ALLOW_ALL);
    const hasSitemap = await this.#readSitemaps(baseUrl, rules, signal);
    if (sources.includes('feed') && !this.#isEnough) await this.#readFeeds(baseUrl, rules, { hasSitemap, signal });
  }

  counts(): Readonly<Record<FileSource, FileCounts>> {
    return this.#counters;
  }

  async #readSitemaps(baseUrl: string, rules: Robots, signal: AbortSignal): Promise<boolean> {
    const { sources, discovery } = this.#parts;
    if (sources.includes('robots')) {
      const tour = buildSitemapTour();
      for (const named of rules.sitemaps) {
        const url = URL.parse(named, baseUrl)?.href ?? '';
        if (!discovery.mayHold(url)) this.#counters.robots.refused += 1;
        else tour.add(url, 0);
      }
      if (await this.#readTour(tour, 'robots', { found: 'by reference', signal })) return true;
    }
    if (!sources.includes('sitemap') || this.#isEnough) return false;
    const tour = buildSitemapTour();
    for (const url of sitemapPlaces(baseUrl)) if (this.#mayGuess(rules, url)) tour.add(url, 0);
    return this.#readTour(tour, 'sitemap', { found: 'by guess', signal });
  }

  async #readFeeds(
    baseUrl: string,
    rules: Robots,
    { hasSitemap, signal }: { readonly hasSitemap: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const { discovery } = this.#parts;
    const named = discovery.feeds().filter((url) => discovery.mayHold(url));
    // A site that names its pages elsewhere names its feeds too.
    const urls = named.length > 0 || hasSitemap ? named : feedPlaces(baseUrl);
    const found = named.length > 0 ? 'by reference' : 'by guess';
    for (const url of urls.filter((one) => this.#mayGuess(rules, one))) {
      if (this.#isEnough) return;
      const count = await this.#readFile({ url, source: 'feed', depth: 0 }, null, { found, signal });
      if (found === 'by guess' && count > 0) return;
    }
  }

  /** Reads files until there are none left; returns whether any named a URL. */
  async #readTour(tour: SitemapTour, source: FileSource, reading: FileReading): Promise<boolean> {
    let named = 0;
    for (let stop = tour.next(); stop !== null && !this.#isEnough; stop = tour.next()) {
      // Of the usual paths one is enough, and it names further sitemaps itself.
      if (reading.found === 'by guess' && named > 0 && stop.depth === 0) continue;
      const found = stop.depth === 0 ? reading.found : 'by reference';
      named += await this.#readFile({ ...stop, source }, tour, { ...reading, found });
    }
    this.#counters[source].refused += tour.refused();
    this.#counters[source].cutShort ||= tour.refused() > 0;
    return named > 0;
  }

  /** Reads one file; returns how many URLs and files it named. */
  async #readFile(file: File, tour: SitemapTour | null, { found, signal }: FileReading): Promise<number> {
    const { discovery } = this.#parts;
    const counters = this.#counters[file.source];
    const fail = (code: string, message: string, statusCode: number | null): number => {
      if (found === 'by reference' && counters.errors.length < MOST_ERRORS) {
        counters.errors.push(toFailedPage(file.url, { statusCode, code, message }));
      }
      return 0;
    };
    try {
      const page = await this.#get(file.url, signal);
      if (page.status >= 400) {
        const { code, message, statusCode } = toFailedFate(page.status);
        return fail(code, message, statusCode);
      }
      if (!discovery.mayHold(page.url)) return fail('unusable_response', 'the file is on another site', null);
      const { named, refused } = await this.#readEntries(file, tour, { page, signal });
      // A guessed file may be any text; it is a sitemap if it names a URL.
      if (named + (found === 'by reference' ? refused : 0) === 0)
        return fail('unusable_response', 'the file names no URL', null);
      counters.read += 1;
      return named;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      return fail(error.code, error.message, null);
    }
  }

  /** Adds the URLs of a file, and the files that it names to the tour; returns how many were taken and refused. */
  async #readEntries(
    file: File,
    tour: SitemapTour | null,
    { page, signal }: { readonly page: Page; readonly signal: AbortSignal },
  ): Promise<{ readonly named: number; readonly refused: number }> {
    const { discovery } = this.#parts;
    const counters = this.#counters[file.source];
    const admits = (url: string, kind: SitemapEntry['kind']): boolean =>
      kind === 'page' || (tour !== null && discovery.mayHold(url) && tour.add(url, file.depth + 1));
    const portions = readSitemap([page.body], { url: page.url, charset: charsetIn(page.contentType), signal, admits });
    let named = 0;
    for (;;) {
      const step = await portions.next();
      if (step.done === true) {
        counters.refused += step.value.refused;
        counters.cutShort ||= step.value.truncated;
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
    for (const { url, title, lastmod } of portion.flatMap(pagesIn)) {
      const one = { ...discovery.named(url, source), title, lastmod: toLastmod(lastmod, clock.now()) };
      if (one.skip !== null) counters.refused += 1;
      if (one.skip !== null && counters.leftOut >= MOST_LEFT_OUT) continue;
      if (one.skip !== null) counters.leftOut += 1;
      found.push(one);
    }
    return found.length === 0 || add(found, signal);
  }

  /** Visits a file at the pace of its host, before the pages that wait there. */
  async #get(url: string, signal: AbortSignal): Promise<Page> {
    const { visit, paceOf, readTarget, clock } = this.#parts;
    const target = readTarget(url);
    const pace = paceOf(toUrlParts(target.href)?.authority ?? target.host);
    return pace.visit(signal, async () =>
      visit({ url: target, headers: {}, cookies: [] }, clock.deadline(FILE_MS, signal)),
    );
  }

  #mayGuess(rules: Robots, url: string): boolean {
    const { respectRobots } = this.#parts;
    return !respectRobots || allows(rules, url);
  }
}

type NamedPage = Pick<SitemapEntry, 'url' | 'title' | 'lastmod'>;

/** The page that an entry names, and the same page in other languages, of which the entry tells no more. */
function pagesIn({ kind, url, title, lastmod, alternates }: SitemapEntry): readonly NamedPage[] {
  if (kind === 'sitemap') return [];
  const others = alternates.filter((one) => one.url !== url);
  return [{ url, title, lastmod }, ...others.map((one) => ({ url: one.url, title: null, lastmod: null }))];
}

/** The charset that a `Content-Type` names. */
function charsetIn(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null;
}

function newCounters(): FileCounters {
  return { read: 0, refused: 0, leftOut: 0, cutShort: false, errors: [] };
}

/** The date as the site writes it, or an instant; null if it is invalid or more than a day ahead. */
function toLastmod(said: string | null, now: number): string | null {
  const ms = said === null ? Number.NaN : Date.parse(said);
  if (said === null || Number.isNaN(ms) || ms > now + DAY_MS) return null;
  return /^\d{4}-\d\d(?:-\d\d)?$/.test(said) ? said : new Date(ms).toISOString();
}
