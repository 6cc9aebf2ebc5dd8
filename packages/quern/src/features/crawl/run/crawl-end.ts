import type { Tier } from '#access/page.ts';
import { formatTimeoutRemedy } from '#access/tiers/ladder-failure.ts';
import type { Account } from '#engine/credits/billing.ts';
import { createUnpaidPageError } from '#engine/credits/tenant-credits.ts';
import { FinalFailure, LeaseLost } from '#engine/jobs/lease.ts';
import type { FailedPage, VisitedPage } from '#features/crawl/crawl-page.ts';
import type { CrawlProgress } from '#features/crawl/frontier/frontier.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import type { CrawlFinish } from './crawl-loop.ts';

/** Stop reasons that crawls and maps share. */
export const COMMON_STOP_REASONS = [
  'max_depth',
  'timeout',
  'max_credits',
  'credits_exhausted',
  'daily_cap',
  'cancelled',
  'interrupted',
  'robots',
  'blocked',
  'login_required',
] as const;

/** Maximum number of failed pages in a result; all of them are counted. */
export const MAX_LISTED_ERRORS = 1000;

/** Waits for a crawl. Returns how it finished, or `timeout` if its time was up. */
export async function catchTimeout(crawl: Promise<CrawlFinish>, signal: AbortSignal): Promise<CrawlFinish | 'timeout'> {
  return crawl.catch((error: unknown) => {
    if (error instanceof LeaseLost || !isTimeUp(signal)) throw error;
    return 'timeout' as const;
  });
}

/** The facts that decide the error of a crawl without a stored page. */
export type EmptyCrawl = {
  readonly progress: CrawlProgress;
  readonly errors: readonly FailedPage[];
  /** Whether another attempt may succeed; undefined if the error code decides. */
  readonly retryable: boolean | undefined;
  /** Whether the answer lists failed pages as elements, so that it is not empty. */
  readonly recordsAll: boolean;
  /** The tiers that the crawl may use. */
  readonly tiers: readonly Tier[];
  readonly reachedTiers: ReadonlySet<Tier>;
};

/**
 * Throws if no page was stored: the error that a fetch of the seed would throw, or that the credits did not suffice.
 */
export function assertNotEmpty(
  finish: CrawlFinish | 'timeout',
  { progress: { stored, failed, skipped }, errors, retryable, recordsAll, tiers, reachedTiers }: EmptyCrawl,
): void {
  if (stored > 0 || (recordsAll && failed > 0)) return;
  if (finish === 'timeout')
    throw new ServiceError('timeout', `no page was fetched in time; ${formatTimeoutRemedy(tiers, [...reachedTiers])}`);
  if (finish === 'credits_exhausted' || finish === 'daily_cap') throw createUnpaidPageError(finish);
  if (finish === 'answer_full')
    throw new ServiceError(
      'content_too_large',
      'no page fits into the answer: request another output, or run the crawl as a job',
    );
  if (finish === 'blocked') throw findHostError(errors);
  const [first] = errors;
  // If the seed is a sitemap, the failed page is another one.
  if (
    failed !== 1 ||
    skipped.sitemap > 0 ||
    first === undefined ||
    first.status_code !== undefined ||
    !isErrorCode(first.code)
  )
    return;
  const cause = new FinalFailure(first.message);
  throw new ServiceError(first.code, first.message, { cause, ...(retryable === undefined ? {} : { retryable }) });
}

/** Finds the first error of the hosts that did not answer. */
function findHostError(errors: readonly FailedPage[]): ServiceError {
  for (const { code, message, status_code: status } of errors)
    if (status === undefined && isErrorCode(code)) return new ServiceError(code, message);
  return new ServiceError(
    'target_unreachable',
    'no page could be loaded: the target only answers that it is unavailable',
  );
}

function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

type ObservedCall = { readonly operation: string; readonly account: Account };

/** Builds the function that reports the fates of committed pages as an event. */
export function buildCommitObserver(
  { observe }: { readonly observe: ObserveEvent },
  { operation, account }: ObservedCall,
) {
  return (pages: readonly VisitedPage[]): void => {
    const fates: Record<string, number> = {};
    for (const { end } of pages) fates[end.fate.kind] = (fates[end.fate.kind] ?? 0) + 1;
    observe({ type: 'pages', call: account.key, tenant: account.tenant, operation, fates });
  };
}
