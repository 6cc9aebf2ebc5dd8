import { ServiceError } from '#kernel/errors.ts';
import { SERVICE_PARTY } from '#kernel/turns.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { BreakerCall, Breakers } from './circuit-breaker.ts';
import { leftOf, sliceOf } from './time-budget.ts';
import { BLOCKS, FAULTS, missingTiersClause, THIN_OUTCOMES, toEscalationFailure } from './ladder-failure.ts';
import { attemptFailureOf, FRAMEWORK, PROTOCOL, TierUnable, UNRESOLVED } from '#access/failure.ts';
import type { TenantHosts } from './host-memory.ts';
import { type Outcome, type Page, type PageRequest, type Tier, TIERS, type TierVisit } from '#access/page.ts';
import { classify } from '#access/classify/classifier.ts';
import { thinWarnings, warningsOf } from './page-warnings.ts';
import {
  attemptTier,
  throwUnlessTimeUp,
  type TierAttemptParts,
  type TierResult,
  type TierTask,
  timesOf,
} from './attempt.ts';

export type TierVisits = Readonly<Partial<Record<Tier, TierVisit>>>;

export type EscalationOptions = TierAttemptParts & {
  /** The tiers that plan and request allow, cheapest first. */
  readonly tiers: readonly Tier[];
  /** The tiers that this instance has. */
  readonly tierVisits: TierVisits;
  readonly breakers: Breakers;
  readonly memory: TenantHosts;
  readonly request: PageRequest;
  /** Whether the caller's plan includes proxy tiers. */
  readonly proxiesInPlan: boolean;
  /** Whether a page that lacks its scripts already holds all that was asked for; null where only its text tells. */
  readonly suffices: ((page: Page) => Promise<boolean>) | null;
  /** Called before a tier beyond the cheapest starts; an error ends the escalation. */
  readonly beforeTier?: (tier: Tier) => Promise<void>;
  /** Wraps each attempt, second attempts included. */
  readonly aroundAttempt?: (attempt: TierVisit) => TierVisit;
};

export type Escalated = { readonly page: Page; readonly tier: Tier };

/** The tiers that may help after an outcome; an outcome that is not listed ends the escalation. */
export const TIERS_AFTER: Readonly<Partial<Record<Outcome, readonly Tier[]>>> = {
  thin: ['browser'],
  js_required: ['browser'],
  challenge: ['browser', 'proxy_browser'],
  blocked: ['browser', 'proxy', 'proxy_browser'],
  rate_limited: ['proxy', 'proxy_browser'],
  timeout: ['browser', 'proxy', 'proxy_browser'],
  unusable: ['browser'],
};

/**
 * Walks the tiers from the cheapest, or from where the host is known to begin, until one brings a page that is worth
 * having. A thin page is kept as the best so far, and served when the tiers after it fail. Throws `target_blocked` or
 * `free_plan_proxy_required`, `timeout` when every attempt timed out, `backend_unavailable` when this instance has none
 * of the tiers or the last one broke, or the error of the last attempt.
 */
export async function escalate(options: EscalationOptions): Promise<Escalated> {
  const { tiers, tierVisits, breakers, signal, proxiesInPlan } = options;
  const start = startOf(options);
  const progress: Progress = {
    start,
    ends: [],
    missing: tiers.filter((tier) => tierVisits[tier] === undefined),
    failing: [],
    unable: [],
  };
  let ahead = start.tiers;
  while (ahead[0] !== undefined) {
    throwUnlessTimeUp(signal);
    const [tier, ...later] = ahead;
    ahead = later;
    const task = taskOf(options, { tier, later, progress });
    if (task === null) continue;
    if (!breakers.admits(breakerCall(options, tier))) {
      progress.failing.push(tier);
      continue;
    }
    const end = await guarded(options, task, progress);
    if (end === 'unable') continue;
    if (end === null) break;
    progress.ends.push(end);
    // A browser that is blocked may need a tier that its page without scripts did not.
    const stronger = start.tiers.slice(start.tiers.indexOf(tier) + 1);
    ahead = stronger.filter((one) => helps(progress, one));
    const answer = await answerOf(options, end, { progress, isLast: ahead.length === 0 });
    if (answer !== null) return answer;
  }
  const best = bestOf(progress);
  if (best !== null) return served(options, best, thinWarnings(best, unusedOf(progress)));
  const partial = partialOf(options, progress);
  if (partial !== null) return served(options, partial, []);
  const started = new Set(progress.ends.map((end) => end.tier));
  const hasMore = TIERS.some((tier) => tierVisits[tier] !== undefined && !started.has(tier));
  learn(options, progress, null);
  throw toEscalationFailure({ ...progress, tiers, hasMore, proxiesInPlan });
}

/** Of an instance: whether a browser that it lacks is on its way. */
export type BrowserState = 'is awaited' | 'as it is';

/**
 * Refuses a request for which this instance has no tier at all: `backend_unavailable`, retryable only while such a
 * tier waits for a browser.
 */
export function demandTier(tiers: readonly Tier[], tierVisits: TierVisits, browser: BrowserState): void {
  if (tiers.some((tier) => tierVisits[tier] !== undefined)) return;
  const message = `no tier that the request may use is available${missingTiersClause({ missing: tiers, failing: [] })}`;
  const retryable = browser === 'is awaited' && tiers.some((tier) => tier === 'browser' || tier === 'proxy_browser');
  throw new ServiceError('backend_unavailable', message, { retryable });
}

/** A result with a page. */
type Arrived = TierResult & { readonly page: Page };

type Start = {
  /** The tiers to walk, cheapest first. */
  readonly tiers: readonly Tier[];
  /** The block that the cheaper tiers are known to meet at the host; null for none. */
  readonly outcome: Outcome | null;
  /** Whether there are challenge cookies that a browser earned at the host. */
  readonly isCleared: boolean;
};

/** An escalation so far. */
type Progress = {
  readonly start: Start;
  readonly ends: TierResult[];
  /** Allowed tiers that this instance lacks. */
  readonly missing: readonly Tier[];
  /** Allowed tiers that were passed over because they break at the moment. */
  readonly failing: Tier[];
  /** The errors of tiers that cannot serve the request at all. */
  readonly unable: ServiceError[];
};

function startOf({ tiers, tierVisits, memory, request }: EscalationOptions): Start {
  const available = tiers.filter((tier) => tierVisits[tier] !== undefined);
  const known = memory.startFor(request.url);
  const at = known === null ? -1 : available.indexOf(known.tier);
  const isCleared = available[0] === 'http' && memory.challengeCookies.find(request) !== null;
  return known === null || at <= 0 || isCleared
    ? { tiers: available, outcome: null, isCleared }
    : { tiers: available.slice(at), outcome: known.outcome, isCleared };
}

type NextTier = { readonly tier: Tier; readonly later: readonly Tier[]; readonly progress: Progress };

/** The task of a tier, or null when it is too late for it. */
function taskOf(options: EscalationOptions, { tier, later, progress }: NextTier): TierTask | null {
  const visit = options.tierVisits[tier];
  const waitMs = options.request.browser?.waitMs ?? 0;
  const times = timesOf(options);
  const sliceMs = sliceOf(tier, { ...times, later, isFirst: progress.ends.length === 0, waitMs });
  if (visit === undefined || sliceMs === null) return null;
  const last = lastOfTarget(progress);
  const after = last?.outcome ?? progress.start.outcome;
  const request: PageRequest = {
    ...options.request,
    isLast: sliceMs >= Math.floor(leftOf(times)),
    ...(after === null ? {} : { after }),
    ...challengeCookiesFor(tier, options),
    ...(last !== null && last.page !== null && THIN_OUTCOMES.has(last.outcome) ? { arrived: last.page } : {}),
  };
  return { tier, visit: options.aroundAttempt?.(visit) ?? visit, request, sliceMs };
}

/** Both tiers use this machine's own address, so that cookies that the browser earns are good for a visit without one. */
function challengeCookiesFor(
  tier: Tier,
  { memory: { challengeCookies }, request }: EscalationOptions,
): Partial<PageRequest> {
  if (tier === 'browser') return { keepChallengeCookies: (earned) => challengeCookies.keep(request, earned) };
  const earned = tier === 'http' ? challengeCookies.find(request) : null;
  return earned === null ? {} : { challengeCookies: earned };
}

/** The last result that tells of the target; a fault of ours does not. */
function lastOfTarget({ ends }: Progress): TierResult | null {
  return ends.findLast((end) => !FAULTS.has(end.outcome)) ?? null;
}

/**
 * Attempts a tier when its price can be paid; null when it cannot and there is a page already, `unable` when the tier
 * cannot serve such a request.
 */
async function guarded(
  options: EscalationOptions,
  task: TierTask,
  progress: Progress,
): Promise<TierResult | 'unable' | null> {
  let end: TierResult | null = null;
  try {
    if (!(await isPaidFor(options, task.tier, progress))) return null;
    end = await attemptTier(options, task);
    if (task.request.challengeCookies !== undefined && BLOCKS.has(end.outcome))
      options.memory.challengeCookies.refuse(options.request);
    return end;
  } catch (error) {
    if (!(error instanceof ServiceError) || !(error.cause instanceof TierUnable)) throw error;
    progress.unable.push(error);
    return 'unable';
  } finally {
    const reason = end?.reason ?? attemptFailureOf(end?.error)?.facts.reason;
    options.breakers.report(breakerCall(options, task.tier), end?.outcome ?? null, reason);
  }
}

function breakerCall({ request }: EscalationOptions, tier: Tier): BreakerCall {
  return { tier, tenant: (request.party ?? SERVICE_PARTY).tenant, host: request.url.host };
}

async function isPaidFor(
  { tiers, beforeTier, signal }: EscalationOptions,
  tier: Tier,
  progress: Progress,
): Promise<boolean> {
  try {
    if (tier !== tiers[0]) await beforeTier?.(tier);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (bestOf(progress) === null || !(error instanceof ServiceError)) throw error;
    return false;
  }
}

/** Whether a tier may do better than those before it. A block by a named vendor is not tried from a datacenter address. */
function helps(progress: Progress, tier: Tier): boolean {
  const last = lastOfTarget(progress);
  const outcome = last?.outcome ?? progress.start.outcome;
  if (outcome === null || TIERS_AFTER[outcome]?.includes(tier) !== true) return false;
  if (THIN_OUTCOMES.has(outcome)) return last?.mayGrow === true;
  if (outcome === 'unusable') return attemptFailureOf(last?.error)?.facts.reason === PROTOCOL;
  if (outcome === 'timeout')
    return bestOf(progress) === null && attemptFailureOf(last?.error)?.facts.reason !== UNRESOLVED;
  return !(outcome === 'blocked' && tier === 'proxy' && last?.reason !== undefined);
}

/** The page as it is served, or null where the next tier has to be asked or has to fail first. */
async function answerOf(
  options: EscalationOptions,
  end: TierResult,
  { progress, isLast }: { readonly progress: Progress; readonly isLast: boolean },
): Promise<Escalated | null> {
  if (!isArrived(end) || BLOCKS.has(end.outcome) || FAULTS.has(end.outcome)) return null;
  if (end.outcome === 'http_error' && end.page.status >= 500 && end.page.body.byteLength === 0) return null;
  if (!THIN_OUTCOMES.has(end.outcome)) {
    learn(options, progress, end.tier);
    return served(options, end, []);
  }
  if ((await options.suffices?.(end.page)) === true) return { page: end.page, tier: end.tier };
  // What its framework has cleared away may be on the page of a cheaper tier.
  if (end.reason === FRAMEWORK) return null;
  return isLast ? served(options, end, thinWarnings(end, unusedOf(progress))) : null;
}

function isArrived(end: TierResult): end is Arrived {
  return end.page !== null;
}

/** The thin page with the most text. */
function bestOf({ ends }: Progress): Arrived | null {
  const pages = ends.filter(isArrived).filter(({ outcome }) => THIN_OUTCOMES.has(outcome));
  return pages.toSorted((one, other) => other.visible - one.visible)[0] ?? null;
}

/** The longest part of a page that broke off, unless the target turned a visit away. */
function partialOf({ request }: EscalationOptions, { ends }: Progress): Arrived | null {
  if (ends.some(({ outcome }) => BLOCKS.has(outcome))) return null;
  const parts = ends.flatMap(({ partial, tier }) => {
    if (partial === undefined) return [];
    const classification = classify(partial, { requested: request.url, rendered: false });
    return BLOCKS.has(classification.outcome) ? [] : [{ ...classification, tier, page: partial, error: null }];
  });
  return parts.toSorted((one, other) => other.page.body.byteLength - one.page.body.byteLength)[0] ?? null;
}

/** The tiers that would have been tried, and whether later ones than those that brought a page failed. */
function unusedOf(progress: Progress) {
  const lacking = (tiers: readonly Tier[]): readonly Tier[] => tiers.filter((tier) => helps(progress, tier));
  const missing = lacking(progress.missing);
  const failing = [...new Set(progress.failing)];
  return { missing, failing, last: progress.ends.at(-1) ?? null };
}

function served({ request }: EscalationOptions, { page, tier, outcome }: Arrived, more: readonly Warning[]): Escalated {
  const warnings = [...page.warnings, ...warningsOf(outcome, page, request.url), ...more];
  return { tier, page: { ...page, warnings } };
}

/** Remembers the tier that an escalation from the cheapest had to reach; forgets a record that did not hold. */
function learn({ memory, request }: EscalationOptions, { start, ends }: Progress, tier: Tier | null): void {
  const { url } = request;
  const block = ends.findLast(({ outcome }) => BLOCKS.has(outcome));
  const strongest = tier ?? ends.at(-1)?.tier;
  if (start.outcome !== null || strongest === undefined) {
    if (tier === null) memory.forget(url);
    return;
  }
  // A visit with earned cookies tells nothing of visits without.
  if (ends[0]?.tier !== 'http' || (start.isCleared && strongest === 'http')) return;
  if (strongest === 'http') memory.forget(url);
  else if (block !== undefined)
    memory.remember(url, { tier: strongest, served: tier !== null, outcome: block.outcome });
}
