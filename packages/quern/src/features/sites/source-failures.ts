import { TIERS_AFTER } from '#access/tiers/ladder.ts';
import type { Outcome, Tier } from '#access/page.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ServedEndpoint } from './endpoint.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';

/** The failure of one source. */
export type SourceFailure = {
  readonly source: string;
  readonly verdict: Exclude<SiteVerdict, { readonly kind: 'record' | 'more' | 'consent' }> | null;
  readonly error: ServiceError | null;
  /** Whether a browser may get more content. */
  readonly canGrow: boolean;
};

/** Converts a failure to an outcome for escalation; null if no stronger tier can help. */
export function toOutcome({ verdict, error, canGrow }: SourceFailure): Outcome | null {
  if (verdict?.kind === 'rate_limited') return 'rate_limited';
  if (verdict?.kind === 'not_found') return null;
  if (verdict?.kind === 'blocked' || (error !== null && isBlock(error))) return 'blocked';
  if (error?.code === 'timeout') return 'timeout';
  return verdict?.kind === 'unusable' && !verdict.isRefusal && canGrow ? 'thin' : null;
}

/** Lists those of `tiers` that may help after an outcome. */
export function listTiersAfter(outcome: Outcome | null, tiers: readonly Tier[]): readonly Tier[] {
  if (outcome === null) return [];
  const helping = TIERS_AFTER[outcome] ?? [];
  return tiers.filter((tier) => helping.includes(tier));
}

/**
 * Builds the error if no source succeeded: rate-limited if any was, else not found if any reported it, else blocked or
 * timed out if all were, else an unusable response, else the last error. With several sources the message lists the
 * failure of each.
 */
export function createFailureError(
  { about, operation }: ServedEndpoint,
  failures: readonly SourceFailure[],
): ServiceError {
  // A missing browser for one source is ignored if another source got a response.
  const answered = failures.filter(({ error }) => error?.code !== 'backend_unavailable');
  const error = addJobHint(chooseError(about.name, answered.length === 0 ? failures : answered), operation.id);
  if (failures.length < 2) return error;
  const each = failures.map((failure) => `${failure.source}: ${describeFailure(failure)}`);
  const { code, retryable, retryAfterSeconds } = error;
  return new ServiceError(code, `${error.message} (${each.join('; ')})`, {
    cause: error,
    retryable,
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
}

/** Suggests a job, which may take longer. */
function addJobHint(error: ServiceError, id: string): ServiceError {
  if (error.code !== 'timeout') return error;
  const message = `${error.message}, or submit it as a job (POST /v1/jobs with kind "${id}")`;
  return new ServiceError('timeout', message, { cause: error, retryable: error.retryable });
}

function chooseError(site: string, failures: readonly SourceFailure[]): ServiceError {
  const waits = failures.flatMap(({ verdict }) => (verdict?.kind === 'rate_limited' ? [verdict.seconds ?? 60] : []));
  if (waits.length > 0) {
    const seconds = Math.max(1, ...waits);
    return new ServiceError('target_rate_limited', `${site} limits the rate of requests; retry later`, {
      retryAfterSeconds: seconds,
    });
  }
  for (const { verdict } of failures) {
    if (verdict?.kind === 'not_found') return new ServiceError('not_found', `${site}: ${verdict.reason}`);
  }
  if (failures.every(({ error }) => error?.code === 'timeout'))
    return findLastError(failures) ?? createBlockedError(site);
  if (failures.every(({ verdict, error }) => verdict?.kind === 'blocked' || (error !== null && isBlock(error)))) {
    return findLastError(failures) ?? createBlockedError(site);
  }
  for (const { verdict } of failures) {
    if (verdict?.kind !== 'unusable') continue;
    return new ServiceError('unusable_response', `${site} returned no usable record: ${verdict.reason}`);
  }
  return findLastError(failures) ?? createBlockedError(site);
}

/** Describes the failure of one source. */
export function describeFailure({ verdict, error }: SourceFailure): string {
  if (verdict === null) return error?.message ?? 'no response';
  if (verdict.kind === 'rate_limited') return 'the site limits the rate of requests';
  return verdict.kind === 'blocked' ? `blocked, ${verdict.reason}` : verdict.reason;
}

function createBlockedError(site: string): ServiceError {
  return new ServiceError('target_blocked', `${site} blocked every attempt`, { retryable: true });
}

function isBlock({ code }: ServiceError): boolean {
  return code === 'target_blocked' || code === 'free_plan_proxy_required';
}

function findLastError(failures: readonly SourceFailure[]): ServiceError | null {
  return failures.findLast(({ error }) => error !== null)?.error ?? null;
}
