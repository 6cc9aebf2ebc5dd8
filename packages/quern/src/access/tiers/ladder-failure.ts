import { ServiceError } from '#kernel/errors.ts';
import { isTransientStatus } from '#kernel/transient-status.ts';
import { findAttemptFailure, SELECTOR_UNMATCHED, DNS_TIMEOUT } from '#access/failure.ts';
import type { Outcome, Tier } from '#access/page.ts';
import type { TierResult } from './attempt.ts';

/** Outcomes in which the target blocked the visit. */
export const BLOCK_OUTCOMES: ReadonlySet<Outcome> = new Set(['challenge', 'blocked', 'rate_limited']);
/** Outcomes in which a tier of this instance failed. */
export const FAULT_OUTCOMES: ReadonlySet<Outcome> = new Set(['proxy_error', 'render_failed']);

/** Outcomes of pages that are returned if no tier gets a better one. */
export const THIN_OUTCOMES: ReadonlySet<Outcome> = new Set(['thin', 'js_required']);

/** The setting that enables a tier. */
const TIER_SETTINGS: Readonly<Record<Tier, string>> = {
  http: '',
  browser: 'QUERN_CHROMIUM',
  proxy: 'QUERN_PROXIES_DATACENTER',
  proxy_browser: 'QUERN_PROXIES_RESIDENTIAL',
};

/** The details of an escalation without a page. */
export type EscalationFacts = {
  /** Tiers that plan and request allow. */
  readonly tiers: readonly Tier[];
  readonly results: readonly TierResult[];
  /** Allowed tiers that this instance does not have. */
  readonly missing: readonly Tier[];
  /** Allowed tiers whose circuit breaker is open. */
  readonly failing: readonly Tier[];
  /** Errors of tiers that cannot serve this kind of request. */
  readonly unable: readonly ServiceError[];
  /** Whether this instance has a tier that was not tried. */
  readonly hasMore: boolean;
  readonly proxiesInPlan: boolean;
};

/** Builds the error for the caller of an escalation without a page. */
export function toEscalationFailure(facts: EscalationFacts): ServiceError {
  const { results, unable } = facts;
  const last = results.at(-1);
  const inability = unable.at(-1);
  if (last === undefined && inability !== undefined) {
    return new ServiceError(inability.code, `${inability.message}${formatMissingTiers(facts)}`, {
      cause: inability,
      retryable: inability.retryable || facts.failing.length > 0,
    });
  }
  if (last === undefined) {
    return new ServiceError(
      'backend_unavailable',
      `no tier that the request may use is available${formatMissingTiers(facts)}`,
      { retryable: facts.failing.length > 0 },
    );
  }
  if (FAULT_OUTCOMES.has(last.outcome)) {
    return last.error ?? new ServiceError('backend_unavailable', 'the browser could not show the page');
  }
  if (results.some((end) => BLOCK_OUTCOMES.has(end.outcome))) return toBlockedFailure(facts);
  if (results.every((end) => end.outcome === 'timeout')) return toTimeoutFailure(facts);
  const status = last.page?.status;
  // An unusable response says more about the target than a later failure of the browser.
  const telling = results.find(({ outcome }) => outcome === 'unusable') ?? last;
  if (telling.error !== null) return telling.error;
  const retryable = status !== undefined && isTransientStatus(status);
  return new ServiceError('target_unreachable', `the target answered ${status} without content`, { retryable });
}

/** A clause about tiers that could not be used; empty, or starts with a semicolon. */
export function formatMissingTiers({ missing, failing }: Pick<EscalationFacts, 'missing' | 'failing'>): string {
  const lacking = missing.map((tier) => (tier === 'http' ? tier : `${tier} (set ${TIER_SETTINGS[tier]})`));
  return [
    lacking.length === 0 ? '' : `; this instance has no tier ${lacking.join(', ')}`,
    failing.length === 0 ? '' : `; tier ${failing.join(', ')} is currently failing`,
  ].join('');
}

/**
 * The remedy in the message of a timeout. It suggests proxy stealth only to calls that may use the strongest tier among
 * others but did not reach it, so never for proxy basic, proxy stealth or a plan without proxies.
 */
export function formatTimeoutRemedy(tiers: readonly Tier[], reached: readonly Tier[]): string {
  const mayClimb = tiers.length > 1 && tiers.includes('proxy_browser');
  const hint = mayClimb && !reached.includes('proxy_browser');
  return hint ? 'use proxy stealth or a larger timeout_ms' : 'use a larger timeout_ms';
}

function toTimeoutFailure(facts: EscalationFacts): ServiceError {
  const { tiers, results } = facts;
  const unresolved = results.find(({ error }) => findAttemptFailure(error)?.facts.reason === DNS_TIMEOUT)?.error;
  // No tier can fix a DNS timeout.
  const remedy = formatTimeoutRemedy(
    unresolved === undefined ? tiers : [],
    results.map(({ tier }) => tier),
  );
  const isUnmatched = results.some(({ error }) => findAttemptFailure(error)?.facts.reason === SELECTOR_UNMATCHED);
  const known = isUnmatched ? 'nothing matched wait_for_selector in time' : unresolved?.message;
  const what = known ?? 'every access attempt timed out';
  return new ServiceError(
    'timeout',
    `${what}; ${remedy}${remedy.includes('stealth') ? formatMissingTiers(facts) : ''}`,
  );
}

function toBlockedFailure(facts: EscalationFacts): ServiceError {
  if (!facts.proxiesInPlan) {
    return new ServiceError(
      'free_plan_proxy_required',
      'the target blocks direct access; a proxy tier of a paid plan may get the page',
    );
  }
  const { hasMore, failing, unable } = facts;
  const inability = unable.at(-1);
  if (inability !== undefined) {
    return new ServiceError('target_blocked', `the target blocked access; ${inability.message}`, {
      retryable: hasMore,
    });
  }
  const remedy =
    hasMore && failing.length === 0
      ? '; another proxy value or a larger timeout_ms reaches tiers that were not tried'
      : formatMissingTiers(facts);
  return new ServiceError('target_blocked', `the target blocked access${remedy}`, { retryable: hasMore });
}
