import { attemptFailureOf } from '#access/failure.ts';
import type { Attempt, Page, Tier } from '#access/page.ts';
import type { ModelOutputs } from '#engine/call/model-outputs.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { Shortage } from '#engine/credits/tenant-credits.ts';
import type { VisitTiming } from '#engine/politeness/host-paces.ts';
import type { SitePage } from '#extract/urls/site-page.ts';
import type { CrawlOptions } from '#features/crawl/crawl-options.ts';
import { type PageClaim, type PageEnd, type ResultElement, buildHttpFailure } from '#features/crawl/crawl-page.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { withoutRepeats } from '#kernel/warnings.ts';

/** Visits of a page whose host refuses it for now, by status; a 503 is asked for twice in one visit. */
const MAX_VISITS_BY_STATUS: ReadonlyMap<number, number> = new Map([
  [429, 6],
  [503, 3],
]);
/** Failures that another visit would meet again. */
const PERMANENT_CODES: ReadonlySet<ErrorCode> = new Set([
  'not_found',
  'content_too_large',
  'unsupported_content',
  'unusable_response',
]);

/** The end of a page without what all ends share. */
export type PageResult = Pick<PageEnd, 'fate'> &
  Partial<Pick<PageEnd, 'links' | 'skippedLinks' | 'baseUrl' | 'hashRoute'>>;

/** A claimed page and the attempts of its visit. */
type TriedPage = { readonly claim: PageClaim; readonly attempts: readonly Attempt[] };

/** A page that robots.txt forbids: it is skipped, and has not failed. */
export class ForbiddenByRobots extends Error {}

/** The fate of a page that did not come. */
export function buildFailureFate(
  error: unknown,
  { claim, attempts }: TriedPage,
  { discovers }: CrawlOptions,
): PageEnd['fate'] {
  if (error instanceof ForbiddenByRobots) return { kind: 'skipped', reason: 'robots' };
  if (!(error instanceof ServiceError)) throw error;
  const status = getErrorStatus(attempts.at(-1));
  const isStart = claim.parentUrl === null && discovers;
  // What answers is not silent; of a start that fails the crawl ends as a fetch of it would.
  if (status !== null && !isStart) return buildHttpFailure(status);
  const isLasting = PERMANENT_CODES.has(error.code) || attemptFailureOf(error)?.facts.isPermanent === true;
  const { code, message, retryable } = error;
  return { kind: 'failed', statusCode: null, code, message, retryable, isTemporary: !isLasting };
}

/** A failed page whose host refused it for now waits again, as long as it has visits left. */
export function deferIfRefused(result: PageResult, { claim, attempts }: TriedPage): PageResult {
  const most = MAX_VISITS_BY_STATUS.get(getRefusalStatus(attempts.at(-1)) ?? 0) ?? 0;
  return result.fate.kind === 'failed' && claim.tries + 1 < most ? { fate: { kind: 'deferred' } } : result;
}

/** The status by which a host refused for now; null for any other end. */
function getRefusalStatus(last: Attempt | undefined): number | null {
  const isRefused = last?.outcome === 'rate_limited' || last?.outcome === 'http_error';
  return isRefused ? (last.status_code ?? null) : null;
}

/** The status of an answer without content; null for any other end. */
function getErrorStatus(last: Attempt | undefined): number | null {
  return last?.outcome === 'http_error' ? (last.status_code ?? null) : null;
}

type HostAnswer = {
  /** The page that came, null for none. */
  readonly page: Page | null;
  /** What the host answered a browser, null where it did not. */
  readonly answer: { readonly status: number; readonly latencyMs: number } | null;
};

/** What the host of a page learns from the last attempt at it; null where it was not asked. */
export function toVisitTiming(last: Attempt | undefined, { page, answer }: HostAnswer): VisitTiming {
  if (last === undefined) return null;
  // What became of the page after the answer, such as a selector that never matched, says nothing of the host.
  if (last.status_code === undefined && answer !== null) return { ...answer, retryAfter: null };
  return {
    status: last.status_code ?? null,
    latencyMs: last.duration_ms,
    retryAfter: page?.headers['retry-after'] ?? null,
  };
}

/** The error of a costlier tier that is not paid for. */
export function buildUnpaidError(
  shortage: Shortage,
  { tier, more }: { readonly tier: Tier; readonly more: number },
): ServiceError {
  const need = `the next step, tier ${tier}, needs ${more} credits more`;
  if (shortage === 'max_credits')
    return new ServiceError('target_blocked', `${need}, and max_credits leaves fewer: raise it`);
  if (shortage === 'daily_cap')
    return new ServiceError('daily_credit_cap_exceeded', `${need}, and the daily cap leaves fewer until 00:00 UTC`);
  return new ServiceError('credits_exhausted', `${need} than are left: a top-up or a higher plan lifts this`);
}

type PageArrival = {
  readonly claim: PageClaim;
  readonly page: Page;
  readonly tier: ServedTier;
  readonly credits: number;
  /** When the page came, ms. */
  readonly at: number;
};

/** A page as the result of a crawl lists it. */
export function buildElement(
  { claim, page, tier, credits, at }: PageArrival,
  { said: { soft404, warnings }, made }: { readonly said: SitePage; readonly made: ModelOutputs },
  members: Uint8Array<ArrayBuffer>,
): ResultElement {
  return {
    head: {
      url: claim.url,
      final_url: page.url,
      status_code: page.status,
      fetched_at: toTimestamp(at),
      depth: claim.depth,
      parent_url: claim.parentUrl,
      content_type: page.contentType,
    },
    members,
    tail: {
      ...made.members,
      tier,
      credits,
      ...(soft404 ? { soft_404: true } : {}),
      warnings: [...page.warnings, ...withoutRepeats(page.warnings, [...warnings, ...made.warnings])],
    },
  };
}
