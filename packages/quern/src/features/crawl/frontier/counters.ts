import { z } from 'zod';
import { SKIP_REASONS, type SkipReason } from '#extract/urls/link-admission.ts';
import type { FailedFate, FoundUrl, PageClaim, PageEnd } from '#features/crawl/crawl-page.ts';
import { updateDebts } from '#features/crawl/dedupe/barren-patterns.ts';
import { SERVED_TIERS } from '#engine/credits/prices.ts';
import { MAX_TRIES_IN_TURN } from './claim-statements.ts';
import type { CrawlProgress } from './frontier.ts';
import { type LimitedUrl, buildPatternMatcher, type FilterPatterns } from './url-patterns.ts';

/** After this many failed visits in a row a host is given up. Site sections that refuse robots are mostly smaller. */
const MAX_SILENT_VISITS = 25;
/** After this many login forms in a row a crawl with a login ends. */
const MAX_LOGIN_PAGES = 5;
const MAX_SILENT_HOSTS = 1000;
const SILENT_CODES: ReadonlySet<FailedFate['code']> = new Set([
  'target_blocked',
  'free_plan_proxy_required',
  'target_unreachable',
  'timeout',
]);
/** Statuses that a proxy or CDN sends if the origin is down. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527]);

/** A page that has just ended, for clients that follow the crawl. */
export const LatestPage = z.object({
  url: z.string(),
  state: z.enum(['stored', 'failed', 'skipped']),
  status_code: z.number().nullable(),
  title: z.string().nullable(),
  bytes: z.number().nullable(),
  code: z.string().nullable().describe('Why it failed or was skipped'),
});
type LatestPage = z.output<typeof LatestPage>;

/** Number of latest pages, and the maximum length of their titles and URLs. */
const MAX_LATEST_PAGES = 12;
const MAX_SHOWN_CHARS = 300;

/** The counters in the column `crawls.counters`, as JSON. */
const StoredCounters = z.object({
  discovered: z.number(),
  failed: z.number(),
  /** Crawls started by an older version may lack the count of a newer reason. */
  skipped: z
    .partialRecord(z.enum(SKIP_REASONS), z.number())
    .transform((counts) => mapReasons((reason) => counts[reason] ?? 0)),
  credits: z.number(),
  /** Missing in crawls started before models were supported. */
  modelOutputs: z.number().default(0),
  baseUrl: z.string().nullable(),
  tiers: z.partialRecord(z.enum(SERVED_TIERS), z.number()),
  /** Consecutive visits that failed because of the host, by host. */
  silent: z.record(z.string(), z.number()),
  duplicates: z.object({ followed: z.number(), unfollowed: z.number() }).default({ followed: 0, unfollowed: 0 }),
  passed: z.object({ followed: z.number(), unfollowed: z.number() }).default({ followed: 0, unfollowed: 0 }),
  overPattern: z.object({ links: z.number(), pattern: z.string().nullable() }).default({ links: 0, pattern: null }),
  /** Missing in crawls started by an older version. */
  matched: z
    .object({ include: z.array(z.number()).readonly(), exclude: z.array(z.number()).readonly() })
    .default({ include: [], exclude: [] }),
  /** Debts of URL patterns; see `PatternDebts`. */
  debts: z.record(z.string(), z.number()).default({}),
  /** Pages that were skipped as barren, and the first of them. */
  barren: z.object({ pages: z.number(), url: z.string().nullable() }).default({ pages: 0, url: null }),
  /** The first link to a hash route that was not followed. */
  hashRoute: z.string().nullable().default(null),
  /** The pages that ended last, newest first. */
  latest: z.array(LatestPage).default([]),
  /** Whether there are pages that several dead members had claimed; they are visited alone. */
  hasSuspects: z.boolean().default(false),
  /** Whether there are pages that were refused too often and now come last. */
  hasLate: z.boolean().default(false),
  /** Failed pages that may load at another time or with other options. */
  failedForNow: z.number().default(0),
  /** Login forms shown since the last stored page, in a crawl with a login. */
  loginsInRow: z.number().default(0),
});

/** The counters of a crawl. The numbers of stored and active pages are separate columns. */
export type Counters = Readonly<z.output<typeof StoredCounters>>;

export const INITIAL_COUNTERS: Counters = {
  discovered: 0,
  failed: 0,
  skipped: countReasons([]),
  credits: 0,
  modelOutputs: 0,
  baseUrl: null,
  tiers: {},
  silent: {},
  duplicates: { followed: 0, unfollowed: 0 },
  passed: { followed: 0, unfollowed: 0 },
  overPattern: { links: 0, pattern: null },
  matched: { include: [], exclude: [] },
  debts: {},
  barren: { pages: 0, url: null },
  hashRoute: null,
  latest: [],
  hasSuspects: false,
  hasLate: false,
  failedForNow: 0,
  loginsInRow: 0,
};

export function parseCounters(text: string): Counters {
  return StoredCounters.parse(JSON.parse(text));
}

/** A URL that is new, or that was known as too deep and now is not. */
export type AddedUrl = LimitedUrl<
  Pick<FoundUrl, 'url' | 'skip'> & {
    readonly wasTooDeep: boolean;
    /** Sequence number of the page that links to it. */
    readonly parent: number | null;
  }
>;

/** Returns the counters updated for ended pages and new URLs. */
export type CounterUpdate = (counters: Counters, ends: readonly PageEnd[], added: readonly AddedUrl[]) => Counters;

export function buildCounterUpdate({ patterns }: { readonly patterns: FilterPatterns }): CounterUpdate {
  const matchPatterns = buildPatternMatcher(patterns);
  return (before, ends, added) => ({
    ...updateCounters(before, ends, added),
    matched: matchPatterns(before.matched, { ends, added }),
  });
}

/** Returns the counters after some pages ended and some URLs were added. */
function updateCounters(counters: Counters, ends: readonly PageEnd[], added: readonly AddedUrl[]): Counters {
  const stored = ends.map(({ fate }) => fate).filter((fate) => fate.kind === 'stored');
  const skipped = [
    ...ends.map(({ fate }) => (fate.kind === 'skipped' ? fate.reason : null)),
    ...added.map(({ skip }) => skip),
  ].filter((reason) => reason !== null);
  const more = countReasons(skipped);
  const leftOut = mapReasons((reason) => ends.reduce((sum, end) => sum + (end.skippedLinks[reason] ?? 0), 0));
  const unnamed = SKIP_REASONS.reduce((sum, reason) => sum + leftOut[reason], 0);
  const raised = added.filter(({ wasTooDeep }) => wasTooDeep).length;
  const tiers = { ...counters.tiers };
  for (const { tier } of stored) tiers[tier] = (tiers[tier] ?? 0) + 1;
  const brought = new Set(added.filter(({ skip }) => skip === null).map(({ parent }) => parent));
  const barren = ends.filter(({ claim }) => claim.isBarren);
  const overPattern = added.map((one) => one.overPattern).filter((pattern) => pattern !== undefined);
  return {
    ...counters,
    discovered: counters.discovered + added.length + unnamed - raised,
    failed: counters.failed + ends.filter(({ fate }) => fate.kind === 'failed').length,
    failedForNow: counters.failedForNow + ends.filter(({ fate }) => fate.kind === 'failed' && fate.isTemporary).length,
    hasLate: counters.hasLate || ends.some(({ claim, fate }) => fate.kind === 'deferred' && isLastInTurn(claim)),
    skipped: mapReasons(
      (reason) => counters.skipped[reason] + more[reason] + leftOut[reason] - (reason === 'depth' ? raised : 0),
    ),
    credits: counters.credits + stored.reduce((sum, { credits }) => sum + credits, 0),
    modelOutputs: counters.modelOutputs + stored.reduce((sum, { modelOutputs }) => sum + modelOutputs, 0),
    baseUrl: ends.find(({ baseUrl }) => baseUrl !== null)?.baseUrl ?? counters.baseUrl,
    tiers,
    silent: countSilentVisits(counters.silent, ends),
    debts: updateDebts(counters.debts, ends, ({ claim }) => brought.has(claim.seq)),
    barren: {
      pages: counters.barren.pages + barren.length,
      url: counters.barren.url ?? barren[0]?.claim.url.slice(0, MAX_SHOWN_CHARS) ?? null,
    },
    hashRoute:
      counters.hashRoute ??
      ends.find(({ hashRoute }) => hashRoute !== null)?.hashRoute?.slice(0, MAX_SHOWN_CHARS) ??
      null,
    loginsInRow: countLoginPages(counters.loginsInRow, ends),
    latest: [...ends.flatMap(toLatestPages).slice(-MAX_LATEST_PAGES).toReversed(), ...counters.latest].slice(
      0,
      MAX_LATEST_PAGES,
    ),
    overPattern: {
      links: counters.overPattern.links + overPattern.length,
      pattern: counters.overPattern.pattern ?? overPattern[0] ?? null,
    },
  };
}

/** Whether a host is no longer visited because too many visits in a row were blocked, refused or unanswered. */
export function isHostGivenUp({ silent }: Counters, host: string): boolean {
  return (silent[host] ?? 0) >= MAX_SILENT_VISITS;
}

/** The fate of a page of a host that is no longer visited. */
export const SILENT_FATE: FailedFate = {
  kind: 'failed',
  statusCode: null,
  code: 'target_unreachable',
  message: `not visited, because ${MAX_SILENT_VISITS} visits of its host in a row were blocked, refused or not answered`,
  isTemporary: true,
};

/** Whether so many login forms in a row were shown that the login must have expired. */
export function isLoggedOut({ loginsInRow }: Counters): boolean {
  return loginsInRow >= MAX_LOGIN_PAGES;
}

/** Combines the counters with the separate columns. */
export function toProgress(
  { duplicates, passed, ...counters }: Counters,
  { stored, active, isFull = false }: { readonly stored: number; readonly active: number; readonly isFull?: boolean },
): CrawlProgress {
  const ended = SKIP_REASONS.reduce((sum, reason) => sum + counters.skipped[reason], stored + counters.failed);
  return {
    ...counters,
    stored,
    active,
    pending: counters.discovered - ended,
    unfollowedDuplicates: duplicates.unfollowed,
    unfollowedUnmatched: passed.unfollowed,
    isFull,
  };
}

function toLatestPages({ claim, fate }: PageEnd): readonly LatestPage[] {
  if (fate.kind === 'deferred') return [];
  const page = { url: claim.url.slice(0, MAX_SHOWN_CHARS), state: fate.kind, title: null, bytes: null };
  if (fate.kind === 'failed') return [{ ...page, status_code: fate.statusCode, code: fate.code }];
  if (fate.kind === 'skipped') return [{ ...page, status_code: null, code: fate.reason }];
  const { element, title } = fate;
  const status = element?.head['status_code'];
  return [
    {
      ...page,
      status_code: typeof status === 'number' ? status : null,
      title: title?.slice(0, MAX_SHOWN_CHARS) ?? null,
      bytes: element?.members.byteLength ?? null,
      code: null,
    },
  ];
}

function countSilentVisits(before: Counters['silent'], ends: readonly PageEnd[]): Counters['silent'] {
  const silent = new Map(Object.entries(before));
  for (const { claim, fate } of ends) {
    if (claim.unvisitedFate !== undefined) continue;
    if (fate.kind === 'deferred' || (fate.kind === 'failed' && isHostFailure(fate)))
      silent.set(claim.host, (silent.get(claim.host) ?? 0) + 1);
    // Pages forbidden by robots.txt and barren pages were not requested.
    else if (!claim.isBarren && (fate.kind !== 'skipped' || fate.reason !== 'robots')) silent.delete(claim.host);
  }
  return Object.fromEntries([...silent].slice(-MAX_SILENT_HOSTS));
}

function countLoginPages(before: number, ends: readonly PageEnd[]): number {
  let count = before;
  for (const { fate } of ends) {
    // Visits started before the login expired may still succeed.
    if (fate.kind === 'stored' && count < MAX_LOGIN_PAGES) count = 0;
    if (fate.kind === 'skipped' && fate.reason === 'login') count += 1;
  }
  return count;
}

/** Whether the host or a gateway caused a failure, and not the page. */
function isHostFailure({ statusCode, code }: FailedFate): boolean {
  return statusCode === null ? SILENT_CODES.has(code) : GATEWAY_STATUSES.has(statusCode);
}

/** Whether a page that is refused once more has to wait for all others. */
function isLastInTurn({ tries }: PageClaim): boolean {
  return tries + 1 >= MAX_TRIES_IN_TURN;
}

function countReasons(reasons: readonly SkipReason[]): Record<SkipReason, number> {
  return mapReasons((reason) => reasons.filter((one) => one === reason).length);
}

function mapReasons(count: (reason: SkipReason) => number): Record<SkipReason, number> {
  return {
    robots: count('robots'),
    noindex: count('noindex'),
    filter: count('filter'),
    scope: count('scope'),
    depth: count('depth'),
    limit: count('limit'),
    duplicate: count('duplicate'),
    redirect: count('redirect'),
    media: count('media'),
    invalid: count('invalid'),
    action: count('action'),
    login: count('login'),
    sitemap: count('sitemap'),
  };
}
