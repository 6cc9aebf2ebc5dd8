import { ServiceError } from '#kernel/errors.ts';
import { isPassingStatus } from '#kernel/passing-status.ts';
import { attemptFailureOf, SELECTOR_UNMATCHED, DNS_TIMEOUT } from '#access/failure.ts';
import type { Outcome, Tier } from '#access/page.ts';
import type { TierResult } from './attempt.ts';

/** The outcomes by which a target turns a visit away. */
export const BLOCKS: ReadonlySet<Outcome> = new Set(['challenge', 'blocked', 'rate_limited']);
/** The outcomes by which a tier of ours breaks. */
export const FAULT_OUTCOMES: ReadonlySet<Outcome> = new Set(['proxy_error', 'render_failed']);

/** Pages that are an answer when nothing better comes. */
export const THIN_OUTCOMES: ReadonlySet<Outcome> = new Set(['thin', 'js_required']);

/** The setting that gives an instance a tier. */
const TIER_SETTINGS: Readonly<Record<Tier, string>> = {
  http: '',
  browser: 'QUERN_CHROMIUM',
  proxy: 'QUERN_PROXIES_DATACENTER',
  proxy_browser: 'QUERN_PROXIES_RESIDENTIAL',
};

/** The facts of an escalation without a page. */
export type EscalationFacts = {
  /** The tiers that plan and request allow. */
  readonly tiers: readonly Tier[];
  readonly results: readonly TierResult[];
  /** The tiers of `tiers` that this instance lacks. */
  readonly missing: readonly Tier[];
  /** The tiers of `tiers` that break at the moment. */
  readonly failing: readonly Tier[];
  /** Why tiers could not serve the request at all. */
  readonly unable: readonly ServiceError[];
  /** Whether this instance has a tier that was not started. */
  readonly hasMore: boolean;
  readonly proxiesInPlan: boolean;
};

/** The caller's error of an escalation without a page. */
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
  if (results.some((end) => BLOCKS.has(end.outcome))) return toBlockedFailure(facts);
  if (results.every((end) => end.outcome === 'timeout')) return toTimeoutFailure(facts);
  const status = last.page?.status;
  // An unusable answer tells more of the target than what a browser met afterwards.
  const telling = results.find(({ outcome }) => outcome === 'unusable') ?? last;
  if (telling.error !== null) return telling.error;
  const retryable = status !== undefined && isPassingStatus(status);
  return new ServiceError('target_unreachable', `the target answered ${status} without content`, { retryable });
}

/** A clause about the tiers that could not be used: empty, or beginning with a semicolon. */
export function formatMissingTiers({ missing, failing }: Pick<EscalationFacts, 'missing' | 'failing'>): string {
  const lacking = missing.map((tier) => (tier === 'http' ? tier : `${tier} (set ${TIER_SETTINGS[tier]})`));
  return [
    lacking.length === 0 ? '' : `; this instance has no tier ${lacking.join(', ')}`,
    failing.length === 0 ? '' : `; tier ${failing.join(', ')} fails at the moment`,
  ].join('');
}

/**
 * The remedy that every timeout of a call names. The hint of proxy stealth is for calls that may use the strongest tier
 * among others and did not reach it; so it is never given to basic, stealth or a plan without proxies.
 */
export function timeoutRemedy(tiers: readonly Tier[], reached: readonly Tier[]): string {
  const mayClimb = tiers.length > 1 && tiers.includes('proxy_browser');
  const hint = mayClimb && !reached.includes('proxy_browser');
  return hint ? 'use proxy stealth or a larger timeout_ms' : 'use a larger timeout_ms';
}

function toTimeoutFailure(facts: EscalationFacts): ServiceError {
  const { tiers, results } = facts;
  const unresolved = results.find(({ error }) => attemptFailureOf(error)?.facts.reason === DNS_TIMEOUT)?.error;
  // No tier helps a name that is not resolved.
  const remedy = timeoutRemedy(
    unresolved === undefined ? tiers : [],
    results.map(({ tier }) => tier),
  );
  const isUnmatched = results.some(({ error }) => attemptFailureOf(error)?.facts.reason === SELECTOR_UNMATCHED);
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
