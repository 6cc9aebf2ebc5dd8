import type { Tier } from '#access/page.ts';
import { timeoutRemedy } from '#access/tiers/ladder-failure.ts';
import type { Account } from '#engine/credits/billing.ts';
import { toUnpaidPage } from '#engine/credits/unpaid-page.ts';
import { FinalFailure, LeaseLost } from '#engine/jobs/lease.ts';
import type { FailedPage, VisitedPage } from '#features/crawl/crawl-page.ts';
import type { CrawlProgress } from '#features/crawl/frontier/frontier.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import type { Observe } from '#kernel/events.ts';
import type { CrawlFinish } from './crawl-loop.ts';

/** Why a crawl or a map ended, in addition to the limits of its own. */
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

/** Failed pages that a result lists; all of them are counted. */
export const MAX_LISTED_ERRORS = 1000;

/** The finish of a crawl, or `timeout` when its time was up. */
export async function catchTimeout(crawl: Promise<CrawlFinish>, signal: AbortSignal): Promise<CrawlFinish | 'timeout'> {
  return crawl.catch((error: unknown) => {
    if (error instanceof LeaseLost || !isTimeUp(signal)) throw error;
    return 'timeout' as const;
  });
}

/** What a crawl without a stored page is judged by. */
export type EmptyCrawl = {
  readonly progress: CrawlProgress;
  readonly errors: readonly FailedPage[];
  /** Whether another try may get a page; undefined where the code of the error decides. */
  readonly retryable: boolean | undefined;
  /** The tiers that the crawl may use, and those beyond the cheapest that it started. */
  readonly tiers: readonly Tier[];
  readonly reachedTiers: ReadonlySet<Tier>;
};

/** Throws for a crawl without a stored page what a fetch of its seed would throw, or that it was not paid for. */
export function assertNotEmpty(
  finish: CrawlFinish | 'timeout',
  { progress: { stored, failed, skipped }, errors, retryable, tiers, reachedTiers }: EmptyCrawl,
): void {
  if (stored > 0) return;
  if (finish === 'timeout')
    throw new ServiceError('timeout', `no page was fetched in time; ${timeoutRemedy(tiers, [...reachedTiers])}`);
  if (finish === 'credits_exhausted' || finish === 'daily_cap') throw toUnpaidPage(finish);
  if (finish === 'answer_full')
    throw new ServiceError(
      'content_too_large',
      'not one page fits into an answer now: ask for other output, or run the crawl as a job',
    );
  if (finish === 'blocked') throw findHostError(errors);
  const [first] = errors;
  // Of a start that is a sitemap, a page that it names has failed.
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

/** The first error of the hosts that never answered. */
function findHostError(errors: readonly FailedPage[]): ServiceError {
  for (const { code, message, status_code: status } of errors)
    if (status === undefined && isErrorCode(code)) return new ServiceError(code, message);
  return new ServiceError('target_unreachable', 'no page came: the target only answers that it is unavailable');
}

function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

type ObservedCall = { readonly operation: string; readonly account: Account };

/** Notes the fates of committed pages. */
export function buildCommitObserver({ observe }: { readonly observe: Observe }, { operation, account }: ObservedCall) {
  return (pages: readonly VisitedPage[]): void => {
    const fates: Record<string, number> = {};
    for (const { end } of pages) fates[end.fate.kind] = (fates[end.fate.kind] ?? 0) + 1;
    observe({ type: 'pages', call: account.key, tenant: account.tenant, operation, fates });
  };
}
