import type { Page, Visit } from '#access/page.ts';
import { ALLOW_ALL } from '#access/robots.ts';
import type { Robots } from '#access/robots.ts';
import { toAddress } from '#extract/site/address.ts';
import type { SitemapEntry } from '#extract/site/sitemap-reader.ts';
import { buildSitemapTour, feedPlaces, sitemapPlaces } from '#extract/site/sitemap-tour.ts';
import type { SitemapTour } from '#extract/site/sitemap-tour.ts';
import { readSitemap } from '#extract/site/sitemaps.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Discovery } from './discovery.ts';
import type { Found, Trouble } from './frontier.ts';
import { visitInTurn } from './paces.ts';
import type { Pace } from './paces.ts';
import { allows } from './robots-gate.ts';
import type { RobotsGate } from './robots-gate.ts';
import { toFailed, toTrouble } from './trouble.ts';

/** Where a site names its pages: sitemaps at the usual places, those of its robots.txt, and feeds. */
export const FILE_SOURCES = ['sitemap', 'robots', 'feed'] as const;

export type FileSource = (typeof FILE_SOURCES)[number];

/** What the files of one source came to. */
export type FileCounts = {
  /** Files that were read. */
  readonly read: number;
  /** Addresses and files that were left out: malformed, elsewhere, not wanted, beyond a bound. */
  readonly refused: number;
  /** Addresses of those that the frontier counts as skipped. */
  readonly leftOut: number;
  /** Whether a file broke off, or a bound was met. */
  readonly cutShort: boolean;
  /** Files that should be there and could not be read, the first hundred. */
  readonly errors: readonly Trouble[];
};

export type SiteFilesParts = {
  /** Gets a file through the guard; throws `ServiceError`. */
  readonly visit: Visit;
  readonly robots: RobotsGate;
  readonly respectRobots: boolean;
  readonly paceOf: (host: string) => Pace;
  readonly readTarget: (url: string) => URL;
  readonly discovery: Discovery;
  readonly sources: ReadonlySet<FileSource>;
  readonly clock: Clock;
  /** Takes a portion of addresses; whether more are wanted. */
  readonly add: (found: readonly Found[], signal: AbortSignal) => Promise<boolean>;
};

const FILE_MS = 60_000;
const MOST_ERRORS = 100;
/** Addresses that were left out and are remembered; of more only the number is known. */
const MOST_LEFT_OUT = 50_000;
const DAY_MS = 86_400_000;

type Draft = { read: number; refused: number; leftOut: number; cutShort: boolean; errors: Trouble[] };
type File = { readonly url: string; readonly source: FileSource; readonly depth: number };

export type SiteFiles = ReturnType<typeof buildSiteFiles>;

/** Builds the reading of the files in which a site names its pages; it reads each portion as it comes, and holds no other. */
export function buildSiteFiles(parts: SiteFilesParts) {
  const { visit, robots, respectRobots, paceOf, readTarget, discovery, sources, clock, add } = parts;
  const counts: Record<FileSource, Draft> = { sitemap: newDraft(), robots: newDraft(), feed: newDraft() };
  let isEnough = false;

  function wantsMore(): boolean {
    return !isEnough;
  }

  /** The addresses of a file, and the files that it names; how many were taken and how many were not. */
  async function read(file: File, tour: SitemapTour | null, { page, signal }: Arrived): Promise<Named> {
    const draft = counts[file.source];
    const admits = (url: string, kind: SitemapEntry['kind']): boolean =>
      kind === 'page' || (tour !== null && discovery.mayHold(url) && tour.add(url, file.depth + 1));
    const portions = readSitemap([page.body], { url: page.url, signal, admits });
    let named = 0;
    for (;;) {
      const step = await portions.next();
      if (step.done === true) {
        draft.refused += step.value.refused;
        draft.cutShort ||= step.value.truncated;
        return { named, refused: step.value.refused };
      }
      named += step.value.length;
      isEnough = !(await take(step.value, file.source, signal));
      if (isEnough) return { named, refused: 0 };
    }
  }

  async function take(portion: readonly SitemapEntry[], source: FileSource, signal: AbortSignal): Promise<boolean> {
    const found: Found[] = [];
    for (const { kind, url, title, lastmod } of portion) {
      if (kind === 'sitemap') continue;
      const one = { ...discovery.named(url, source), title, lastmod: toLastmod(lastmod, clock.now()) };
      const draft = counts[source];
      if (one.skip !== null) draft.refused += 1;
      if (one.skip !== null && draft.leftOut >= MOST_LEFT_OUT) continue;
      if (one.skip !== null) draft.leftOut += 1;
      found.push(one);
    }
    return found.length === 0 || add(found, signal);
  }

  /** Visits a file at the pace of its host, before the pages that wait there. */
  async function get(url: string, signal: AbortSignal): Promise<Page> {
    const target = readTarget(url);
    const pace = paceOf(toAddress(target.href)?.authority ?? target.host);
    return visitInTurn(pace, signal, async () =>
      visit({ url: target, headers: {}, cookies: [] }, AbortSignal.any([signal, AbortSignal.timeout(FILE_MS)])),
    );
  }

  /** Reads one file; how many addresses and files it named. `guessed`: nobody said that there is one. */
  async function readFile(file: File, tour: SitemapTour | null, { how, signal }: Reading): Promise<number> {
    const draft = counts[file.source];
    const fail = (code: string, message: string, statusCode: number | null): number => {
      if (how === 'named' && draft.errors.length < MOST_ERRORS) {
        draft.errors.push(toTrouble(file.url, { statusCode, code, message }));
      }
      return 0;
    };
    try {
      const page = await get(file.url, signal);
      if (page.status >= 400) {
        const { code, message, statusCode } = toFailed(page.status);
        return fail(code, message, statusCode);
      }
      if (!discovery.mayHold(page.url)) return fail('unusable_response', 'the file lies on another site', null);
      const { named, refused } = await read(file, tour, { page, signal });
      // What nobody said to be a sitemap may be any text, and is one when it names an address.
      if (named + (how === 'named' ? refused : 0) === 0)
        return fail('unusable_response', 'the file names no address', null);
      draft.read += 1;
      return named;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      return fail(error.code, error.message, null);
    }
  }

  /** Reads files until there are none left; whether any named an address. */
  async function readTour(tour: SitemapTour, source: FileSource, reading: Reading): Promise<boolean> {
    let named = 0;
    for (let stop = tour.next(); stop !== null && wantsMore(); stop = tour.next()) {
      // Of the usual places one is enough, and it leads to its own.
      if (reading.how === 'guessed' && named > 0 && stop.depth === 0) continue;
      const how = stop.depth === 0 ? reading.how : 'named';
      named += await readFile({ ...stop, source }, tour, { ...reading, how });
    }
    counts[source].refused += tour.refused();
    counts[source].cutShort ||= tour.refused() > 0;
    return named > 0;
  }

  async function readSitemaps(anchor: string, rules: Robots, signal: AbortSignal): Promise<boolean> {
    if (sources.has('robots')) {
      const tour = buildSitemapTour();
      for (const said of rules.sitemaps) {
        const url = URL.parse(said, anchor)?.href ?? '';
        if (!discovery.mayHold(url)) counts.robots.refused += 1;
        else tour.add(url, 0);
      }
      if (await readTour(tour, 'robots', { how: 'named', signal })) return true;
    }
    if (!sources.has('sitemap') || isEnough) return false;
    const tour = buildSitemapTour();
    for (const url of sitemapPlaces(anchor)) if (mayGuess(rules, url)) tour.add(url, 0);
    return readTour(tour, 'sitemap', { how: 'guessed', signal });
  }

  function mayGuess(rules: Robots, url: string): boolean {
    return !respectRobots || allows(rules, url);
  }

  async function readFeeds(anchor: string, rules: Robots, { hasSitemap, signal }: Feeding): Promise<void> {
    const said = discovery.feeds().filter((url) => discovery.mayHold(url));
    // A site that names its pages elsewhere names its feeds too.
    const places = said.length > 0 || hasSitemap ? said : feedPlaces(anchor);
    const how = said.length > 0 ? 'named' : 'guessed';
    for (const url of places.filter((one) => mayGuess(rules, one))) {
      if (isEnough) return;
      const named = await readFile({ url, source: 'feed', depth: 0 }, null, { how, signal });
      if (how === 'guessed' && named > 0) return;
    }
  }

  return {
    /** Reads what there is of a site; `anchor` is where its seed ended. Throws only what `add` throws, and the signal's reason. */
    feed: async (anchor: string, signal: AbortSignal): Promise<void> => {
      if (!discovery.mayHold(anchor)) return;
      const rules = await robots.of(new URL(anchor).origin, signal).catch(() => ALLOW_ALL);
      const hasSitemap = await readSitemaps(anchor, rules, signal);
      if (sources.has('feed') && !isEnough) await readFeeds(anchor, rules, { hasSitemap, signal });
    },
    counts: (): Readonly<Record<FileSource, FileCounts>> => counts,
  };
}

type Named = { readonly named: number; readonly refused: number };
type Arrived = { readonly page: Page; readonly signal: AbortSignal };
type Reading = { readonly how: 'named' | 'guessed'; readonly signal: AbortSignal };
type Feeding = { readonly hasSitemap: boolean; readonly signal: AbortSignal };

function newDraft(): Draft {
  return { read: 0, refused: 0, leftOut: 0, cutShort: false, errors: [] };
}

/** A day as the site writes it, or an instant; null for what is no time, or lies ahead by more than the time zones. */
function toLastmod(said: string | null, now: number): string | null {
  const ms = said === null ? Number.NaN : Date.parse(said);
  if (said === null || Number.isNaN(ms) || ms > now + DAY_MS) return null;
  return /^\d{4}-\d\d(?:-\d\d)?$/.test(said) ? said : new Date(ms).toISOString();
}
