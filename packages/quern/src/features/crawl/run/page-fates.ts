import { findAttemptFailure } from '#access/failure.ts';
import type { Attempt, Page, Tier } from '#access/page.ts';
import type { ModelOutputs } from '#engine/call/model.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { CreditShortage } from '#engine/credits/tenant-credits.ts';
import type { VisitTiming } from '#engine/politeness/host-pace.ts';
import type { SitePage } from '#extract/urls/site-page.ts';
import { type CrawlOptions, findListedPage, type ListedPage } from '#features/crawl/crawl-options.ts';
import {
  type PageClaim,
  type FailedFate,
  type PageEnd,
  type ResultElement,
  buildHttpFailure,
} from '#features/crawl/crawl-page.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { listNewWarnings } from '#kernel/warnings.ts';

/** Maximum number of visits of a page that its host refuses temporarily, by status. One visit retries a 503 once. */
const MAX_VISITS_BY_STATUS: ReadonlyMap<number, number> = new Map([
  [429, 6],
  [503, 3],
]);
/** Errors that another visit would get again. */
const PERMANENT_CODES: ReadonlySet<ErrorCode> = new Set([
  'not_found',
  'content_too_large',
  'unsupported_content',
  'unusable_response',
]);

const ROBOTS_FATE: FailedFate = {
  kind: 'failed',
  statusCode: null,
  code: 'target_blocked',
  message: 'robots.txt disallows this URL or its redirect target: set respect_robots to false to fetch it anyway',
  isTemporary: false,
};

/** The result of a page without the fields that are the same for all. */
export type PageResult = Pick<PageEnd, 'fate'> &
  Partial<Pick<PageEnd, 'links' | 'skippedLinks' | 'baseUrl' | 'hashRoute'>>;

/** A claimed page and the attempts of its visit. */
type TriedPage = { readonly claim: PageClaim; readonly attempts: readonly Attempt[] };

/** Thrown for a page that robots.txt forbids. The page is skipped and counts as not failed. */
export class ForbiddenByRobots extends Error {}

/** Builds the fate of a page that did not load. */
export function buildFailureFate(
  error: unknown,
  { claim, attempts }: TriedPage,
  { discovers }: CrawlOptions,
): PageEnd['fate'] {
  if (error instanceof ForbiddenByRobots) return { kind: 'skipped', reason: 'robots' };
  if (!(error instanceof ServiceError)) throw error;
  const status = getErrorStatus(attempts.at(-1));
  const isStart = claim.parentUrl === null && discovers;
  // A host that answers is not silent. If the seed fails, the crawl throws the error that a fetch would throw.
  if (status !== null && !isStart) return buildHttpFailure(status);
  const isLasting = PERMANENT_CODES.has(error.code) || findAttemptFailure(error)?.facts.isPermanent === true;
  const { code, message, retryable } = error;
  return { kind: 'failed', statusCode: null, code, message, retryable, isTemporary: !isLasting };
}

/** Defers a failed page that its host refused temporarily, unless it has no visits left. */
export function deferIfRefused(result: PageResult, { claim, attempts }: TriedPage): PageResult {
  const most = MAX_VISITS_BY_STATUS.get(getRefusalStatus(attempts.at(-1)) ?? 0) ?? 0;
  return result.fate.kind === 'failed' && claim.tries + 1 < most ? { fate: { kind: 'deferred' } } : result;
}

/** Adds the element of a failed page if the crawl records all pages. A page that robots.txt forbids fails, too. */
export function recordFailure(result: PageResult, { claim }: TriedPage, options: CrawlOptions): PageResult {
  if (options.recordsAll !== true) return result;
  const fate = result.fate.kind === 'skipped' ? ROBOTS_FATE : result.fate;
  if (fate.kind !== 'failed') return result;
  const { statusCode, code, message } = fate;
  const element: ResultElement = {
    head: {
      url: claim.url,
      ...toIndex(findListedPage(options, claim)),
      ...(statusCode === null ? {} : { status_code: statusCode }),
    },
    members: new TextEncoder().encode(`"error":${JSON.stringify({ code, message })}`),
    tail: { credits: 0, warnings: [] },
  };
  return { fate: { ...fate, element } };
}

/** The status by which a host refused temporarily; null for any other result. */
function getRefusalStatus(last: Attempt | undefined): number | null {
  const isRefused = last?.outcome === 'rate_limited' || last?.outcome === 'http_error';
  return isRefused ? (last.status_code ?? null) : null;
}

/** The status of an answer without content; null for any other result. */
function getErrorStatus(last: Attempt | undefined): number | null {
  return last?.outcome === 'http_error' ? (last.status_code ?? null) : null;
}

type HostAnswer = {
  /** The loaded page, null for none. */
  readonly page: Page | null;
  /** The host's answer to a browser, null if there was none. */
  readonly answer: { readonly status: number; readonly latencyMs: number } | null;
};

/** The timing of the last attempt at a page; null if no request was sent. */
export function toVisitTiming(last: Attempt | undefined, { page, answer }: HostAnswer): VisitTiming {
  if (last === undefined) return null;
  // Failures after the answer, such as a selector that never matched, are not caused by the host.
  if (last.status_code === undefined && answer !== null) return { ...answer, retryAfter: null };
  return {
    status: last.status_code ?? null,
    latencyMs: last.duration_ms,
    retryAfter: page?.headers['retry-after'] ?? null,
  };
}

/** Builds the error for a more expensive tier whose credits cannot be reserved. */
export function buildUnpaidError(
  shortage: CreditShortage,
  { tier, more }: { readonly tier: Tier; readonly more: number },
): ServiceError {
  const need = `the next tier, ${tier}, needs ${more} more credits`;
  if (shortage === 'max_credits')
    return new ServiceError('target_blocked', `${need}, which exceeds max_credits: raise it`);
  if (shortage === 'daily_cap')
    return new ServiceError('daily_credit_cap_exceeded', `${need}, which exceeds the daily cap until 00:00 UTC`);
  return new ServiceError('credits_exhausted', `${need} than are available: add credits or upgrade the plan`);
}

function toIndex(listed: Pick<ListedPage, 'index'> | null): { readonly index?: number } {
  return listed === null ? {} : { index: listed.index };
}

type PageArrival = {
  readonly claim: PageClaim;
  readonly page: Page;
  readonly tier: ServedTier;
  readonly credits: number;
  /** When the page was loaded, ms. */
  readonly at: number;
};

/** The outputs of a page. */
type PageContent = {
  readonly said: SitePage;
  readonly made: ModelOutputs;
  /** The page in the list of the caller; null for a crawl without such a list. */
  readonly listed: Pick<ListedPage, 'index'> | null;
  /** Whether the page was found by links, so that its depth and parent are listed. */
  readonly hasParents: boolean;
};

/** Builds a page of the result of a crawl. */
export function buildElement(
  { claim, page, tier, credits, at }: PageArrival,
  { said: { soft404, warnings }, made, listed, hasParents }: PageContent,
  members: Uint8Array<ArrayBuffer>,
): ResultElement {
  return {
    head: {
      url: claim.url,
      ...toIndex(listed),
      final_url: page.url,
      status_code: page.status,
      fetched_at: toTimestamp(at),
      ...(hasParents ? { depth: claim.depth, parent_url: claim.parentUrl } : {}),
      content_type: page.contentType,
    },
    members,
    tail: {
      ...made.members,
      tier,
      credits,
      ...(soft404 ? { soft_404: true } : {}),
      warnings: [...page.warnings, ...listNewWarnings(page.warnings, [...warnings, ...made.warnings])],
    },
  };
}
