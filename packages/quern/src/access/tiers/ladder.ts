import { classify } from '#access/classify/classifier.ts';
import { isEmptyPage } from '#access/classify/error-page.ts';
import { findAttemptFailure, FRAMEWORK_FAILED, PROTOCOL_ERROR, TierUnsupported, DNS_TIMEOUT } from '#access/failure.ts';
import {
  type Classification,
  isSpent,
  type Outcome,
  type Page,
  type PageRequest,
  type Tier,
  TIERS,
  type TierVisit,
} from '#access/page.ts';
import { ServiceError } from '#kernel/errors.ts';
import { SERVICE_OWNER } from '#kernel/fair-queue.ts';
import type { Warning } from '#kernel/warnings.ts';
import {
  attemptTier,
  throwUnlessTimeUp,
  type TierAttemptContext,
  type TierResult,
  type TierTask,
  computeTimes,
} from './attempt.ts';
import type { BreakerCall, Breakers } from './circuit-breaker.ts';
import type { TenantHosts } from './host-memory.ts';
import {
  BLOCK_OUTCOMES,
  FAULT_OUTCOMES,
  formatMissingTiers,
  THIN_OUTCOMES,
  toEscalationFailure,
} from './ladder-failure.ts';
import { computeLeftMs, computeSliceMs } from './time-budget.ts';

export type TierVisits = Readonly<Partial<Record<Tier, TierVisit>>>;

export type EscalationOptions = TierAttemptContext & {
  /** The tiers that plan and request allow, cheapest first. */
  readonly tiers: readonly Tier[];
  /** The visits of the tiers that this instance has. */
  readonly tierVisits: TierVisits;
  readonly breakers: Breakers;
  readonly memory: TenantHosts;
  readonly request: PageRequest;
  /** Whether the caller's plan includes proxy tiers. */
  readonly proxiesInPlan: boolean;
  /** Whether a page without its scripts already contains everything that was requested; null if only its text decides. */
  readonly isSufficient: ((page: Page) => Promise<boolean>) | null;
  /** Called before each tier except the cheapest; an error ends the escalation. */
  readonly beforeTier?: (tier: Tier) => Promise<void>;
  /** Wraps each attempt, including retries. */
  readonly wrapAttempt?: (attempt: TierVisit) => TierVisit;
};

export type EscalationResult = Pick<Classification, 'verdict'> & { readonly page: Page; readonly tier: Tier };

/** Tiers that may help after an outcome; other outcomes end the escalation. */
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
 * Tries the tiers from the cheapest one, or from the tier that the host is known to need, until one gets a good page. A thin page
 * is kept and returned if the following tiers fail. Throws `target_blocked` or `free_plan_proxy_required`; `timeout` if every
 * attempt timed out; `backend_unavailable` if this instance has none of the tiers or the last one failed; or the error of the
 * last attempt.
 */
export async function escalate(options: EscalationOptions): Promise<EscalationResult> {
  const { tiers, tierVisits, breakers, signal, proxiesInPlan } = options;
  const start = chooseStart(options);
  const progress: EscalationProgress = {
    start,
    results: [],
    missing: tiers.filter((tier) => tierVisits[tier] === undefined),
    failing: [],
    unable: [],
  };
  let ahead = start.tiers;
  while (ahead[0] !== undefined) {
    throwUnlessTimeUp(signal);
    const [tier, ...later] = ahead;
    ahead = later;
    const task = buildTask(options, { tier, later, progress });
    if (task === null) continue;
    if (!breakers.admits(buildBreakerCall(options, tier))) {
      progress.failing.push(tier);
      continue;
    }
    const end = await runTier(options, task, progress);
    if (end === 'unable') continue;
    if (end === null) break;
    progress.results.push(end);
    // A blocked browser may need a tier that the page without scripts did not need.
    const stronger = start.tiers.slice(start.tiers.indexOf(tier) + 1);
    ahead = isSpent(options.request) ? [] : stronger.filter((candidate) => canHelp(progress, candidate));
    const answer = await chooseAnswer(options, end, { progress, isLast: ahead.length === 0 });
    if (answer !== null) return answer;
  }
  const best = findBestPage(progress);
  if (best !== null) return toEscalationResult(options, best, listThinWarnings(best, listUnusedTiers(progress)));
  const partial = findPartialPage(options, progress);
  if (partial !== null) return toEscalationResult(options, partial, []);
  const started = new Set(progress.results.map((end) => end.tier));
  const hasMore = TIERS.some((tier) => tierVisits[tier] !== undefined && !started.has(tier));
  updateMemory(options, progress, null);
  throw toEscalationFailure({ ...progress, tiers, hasMore, proxiesInPlan });
}

/** Whether a missing browser is being installed (`is awaited`). */
export type BrowserState = 'is awaited' | 'as it is';

/**
 * Throws `backend_unavailable` if this instance has none of the tiers; it is retryable only while a browser for one of them is
 * being installed.
 */
export function assertTierAvailable(tiers: readonly Tier[], tierVisits: TierVisits, browser: BrowserState): void {
  if (tiers.some((tier) => tierVisits[tier] !== undefined)) return;
  const message = `no tier that the request may use is available${formatMissingTiers({ missing: tiers, failing: [] })}`;
  const retryable = browser === 'is awaited' && tiers.some((tier) => tier === 'browser' || tier === 'proxy_browser');
  throw new ServiceError('backend_unavailable', message, { retryable });
}

/** A result with a page. */
type PageResult = TierResult & { readonly page: Page };

type LadderStart = {
  /** The tiers to try, cheapest first. */
  readonly tiers: readonly Tier[];
  /** The block outcome that is known for the skipped cheaper tiers; null if none were skipped. */
  readonly outcome: Outcome | null;
  /** Whether there are challenge cookies for the host. */
  readonly isCleared: boolean;
};

/** The progress of an escalation. */
type EscalationProgress = {
  readonly start: LadderStart;
  readonly results: TierResult[];
  /** Allowed tiers that this instance does not have. */
  readonly missing: readonly Tier[];
  /** Allowed tiers that were skipped because their circuit breaker is open. */
  readonly failing: Tier[];
  /** Errors of tiers that cannot serve this kind of request. */
  readonly unable: ServiceError[];
};

function chooseStart({ tiers, tierVisits, memory, request }: EscalationOptions): LadderStart {
  const available = tiers.filter((tier) => tierVisits[tier] !== undefined);
  const known = memory.findStart(request.url);
  const at = known === null ? -1 : available.indexOf(known.tier);
  const isCleared = available[0] === 'http' && memory.challengeCookies.find(request) !== null;
  return known === null || at <= 0 || isCleared
    ? { tiers: available, outcome: null, isCleared }
    : { tiers: available.slice(at), outcome: known.outcome, isCleared };
}

type NextTier = { readonly tier: Tier; readonly later: readonly Tier[]; readonly progress: EscalationProgress };

/** The task of a tier; null if there is not enough time for it. */
function buildTask(options: EscalationOptions, { tier, later, progress }: NextTier): TierTask | null {
  const visit = options.tierVisits[tier];
  const waitMs = options.request.browser?.waitMs ?? 0;
  const times = computeTimes(options);
  // No tier follows one that has sent a request that is sent once.
  const following = (options.request.submission?.once ?? null) === null ? later : [];
  const isFirst = progress.results.length === 0;
  const sliceMs = computeSliceMs(tier, { ...times, later: following, isFirst, waitMs });
  if (visit === undefined || sliceMs === null) return null;
  const last = findLastTargetResult(progress);
  const after = last?.outcome ?? progress.start.outcome;
  const request: PageRequest = {
    ...options.request,
    isLastTier: sliceMs >= Math.floor(computeLeftMs(times)),
    ...(after === null ? {} : { previousOutcome: after }),
    ...challengeCookiesFor(tier, options),
    ...(last !== null && last.page !== null && THIN_OUTCOMES.has(last.outcome) ? { arrived: last.page } : {}),
  };
  return { tier, visit: options.wrapAttempt?.(visit) ?? visit, request, sliceMs };
}

/** Tiers `browser` and `http` use the same IP address, so cookies that the browser obtains are valid for visits without it. */
function challengeCookiesFor(
  tier: Tier,
  { memory: { challengeCookies }, request }: EscalationOptions,
): Partial<PageRequest> {
  if (tier === 'browser') return { storeChallengeCookies: (earned) => challengeCookies.store(request, earned) };
  const earned = tier === 'http' ? challengeCookies.find(request) : null;
  return earned === null ? {} : { challengeCookies: earned };
}

/** The last result that was caused by the target and not by a fault of this instance. */
function findLastTargetResult({ results }: EscalationProgress): TierResult | null {
  return results.findLast((end) => !FAULT_OUTCOMES.has(end.outcome)) ?? null;
}

/**
 * Runs a tier if its credits can be reserved. Returns null if they cannot and there is a thin page already, `unable` if the tier
 * cannot serve this kind of request.
 */
async function runTier(
  options: EscalationOptions,
  task: TierTask,
  progress: EscalationProgress,
): Promise<TierResult | 'unable' | null> {
  let end: TierResult | null = null;
  try {
    if (!(await payForTier(options, task.tier, progress))) return null;
    end = await attemptTier(options, task);
    if (task.request.challengeCookies !== undefined && BLOCK_OUTCOMES.has(end.outcome))
      options.memory.challengeCookies.refuse(options.request);
    return end;
  } catch (error) {
    if (!(error instanceof ServiceError) || !(error.cause instanceof TierUnsupported)) throw error;
    progress.unable.push(error);
    return 'unable';
  } finally {
    const reason = end?.reason ?? findAttemptFailure(end?.error)?.facts.reason;
    options.breakers.report(buildBreakerCall(options, task.tier), end?.outcome ?? null, reason);
  }
}

function buildBreakerCall({ request }: EscalationOptions, tier: Tier): BreakerCall {
  return { tier, tenant: (request.party ?? SERVICE_OWNER).tenant, host: request.url.host };
}

async function payForTier(
  { tiers, beforeTier, signal }: EscalationOptions,
  tier: Tier,
  progress: EscalationProgress,
): Promise<boolean> {
  try {
    if (tier !== tiers[0]) await beforeTier?.(tier);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (findBestPage(progress) === null || !(error instanceof ServiceError)) throw error;
    return false;
  }
}

/** Whether a tier may do better than the previous ones. Blocks by a known vendor are not retried from a datacenter address. */
function canHelp(progress: EscalationProgress, tier: Tier): boolean {
  const last = findLastTargetResult(progress);
  const outcome = last?.outcome ?? progress.start.outcome;
  if (outcome === null || TIERS_AFTER[outcome]?.includes(tier) !== true) return false;
  if (THIN_OUTCOMES.has(outcome)) return last?.mayImprove === true;
  if (outcome === 'unusable') return findAttemptFailure(last?.error)?.facts.reason === PROTOCOL_ERROR;
  if (outcome === 'timeout')
    return findBestPage(progress) === null && findAttemptFailure(last?.error)?.facts.reason !== DNS_TIMEOUT;
  return !(outcome === 'blocked' && tier === 'proxy' && last?.reason !== undefined);
}

/** The page to return; null if the next tier must be tried first. */
async function chooseAnswer(
  options: EscalationOptions,
  end: TierResult,
  { progress, isLast }: { readonly progress: EscalationProgress; readonly isLast: boolean },
): Promise<EscalationResult | null> {
  if (!hasPage(end) || BLOCK_OUTCOMES.has(end.outcome) || FAULT_OUTCOMES.has(end.outcome)) return null;
  if (end.outcome === 'http_error' && end.page.status >= 500 && end.page.body.byteLength === 0) return null;
  if (!THIN_OUTCOMES.has(end.outcome)) {
    updateMemory(options, progress, end.tier);
    return toEscalationResult(options, end, []);
  }
  if ((await options.isSufficient?.(end.page)) === true) return { page: end.page, tier: end.tier };
  // The page of a cheaper tier may have content that the failed framework removed.
  if (end.reason === FRAMEWORK_FAILED) return null;
  return isLast ? toEscalationResult(options, end, listThinWarnings(end, listUnusedTiers(progress))) : null;
}

function hasPage(end: TierResult): end is PageResult {
  return end.page !== null;
}

/** The thin page with the most text. */
function findBestPage({ results }: EscalationProgress): PageResult | null {
  const pages = results.filter(hasPage).filter(({ outcome }) => THIN_OUTCOMES.has(outcome));
  return pages.toSorted((one, other) => other.visibleChars - one.visibleChars)[0] ?? null;
}

/** The longest part of a page that broke off; null if the target blocked a visit. */
function findPartialPage({ request }: EscalationOptions, { results }: EscalationProgress): PageResult | null {
  if (results.some(({ outcome }) => BLOCK_OUTCOMES.has(outcome))) return null;
  const parts = results.flatMap(({ partial, tier }) => {
    if (partial === undefined) return [];
    const classification = classify(partial, { requested: request.url, rendered: false });
    return BLOCK_OUTCOMES.has(classification.outcome) ? [] : [{ ...classification, tier, page: partial, error: null }];
  });
  return parts.toSorted((one, other) => other.page.body.byteLength - one.page.body.byteLength)[0] ?? null;
}

/** Tiers that would have been tried, and the last result. */
function listUnusedTiers(progress: EscalationProgress) {
  const lacking = (tiers: readonly Tier[]): readonly Tier[] => tiers.filter((tier) => canHelp(progress, tier));
  const missing = lacking(progress.missing);
  const failing = [...new Set(progress.failing)];
  return { missing, failing, last: progress.results.at(-1) ?? null };
}

function toEscalationResult(
  { request }: EscalationOptions,
  { page, tier, outcome, verdict }: PageResult,
  more: readonly Warning[],
): EscalationResult {
  const warnings = [...page.warnings, ...listPageWarnings(outcome, page, request.url), ...more];
  return { tier, page: { ...page, warnings }, verdict };
}

/** Records the tier that an escalation from the cheapest tier needed; deletes a record that was wrong. */
function updateMemory(
  { memory, request }: EscalationOptions,
  { start, results }: EscalationProgress,
  tier: Tier | null,
): void {
  const { url } = request;
  const block = results.findLast(({ outcome }) => BLOCK_OUTCOMES.has(outcome));
  const strongest = tier ?? results.at(-1)?.tier;
  if (start.outcome !== null || strongest === undefined) {
    if (tier === null) memory.forget(url);
    return;
  }
  // Success with challenge cookies says nothing about visits without them.
  if (results[0]?.tier !== 'http' || (start.isCleared && strongest === 'http')) return;
  if (strongest === 'http') memory.forget(url);
  else if (block !== undefined)
    memory.remember(url, { tier: strongest, served: tier !== null, outcome: block.outcome });
}

/** The warnings of a page that may not be the requested one. */
function listPageWarnings(outcome: Outcome, page: Page, requested: URL): readonly Warning[] {
  const warning = findOutcomeWarning(outcome, page);
  const home = isSentHome(requested, new URL(page.url)) ? [SENT_HOME_WARNING] : [];
  return warning === null ? home : [warning, ...home];
}

/** Why there is no better page than a thin one. */
type UnusedTiers = {
  /** Tiers that would have been tried if this instance had them. */
  readonly missing: readonly Tier[];
  /** Tiers that were skipped because their circuit breaker is open. */
  readonly failing: readonly Tier[];
  /** The last attempt. */
  readonly last: TierResult | null;
};

/** The warnings of a page with almost no text, with the reasons why there is no better one. */
function listThinWarnings(end: TierResult, { missing, failing, last }: UnusedTiers): readonly Warning[] {
  const warnings: Warning[] = [{ code: 'thin_content', message: formatThinMessage(end) }];
  if (missing.length + failing.length > 0) {
    const message = `another tier might have returned more${formatMissingTiers({ missing, failing })}`;
    warnings.push({ code: 'tier_unavailable', message });
  }
  if (last !== end || (end.mayImprove && end.tier === 'http' && missing.length + failing.length === 0)) {
    const message = `a stronger tier returned no more text; this is the result of tier ${end.tier}`;
    warnings.push({ code: 'partial_ladder', message });
  }
  return warnings;
}

function formatThinMessage({ reason }: TierResult): string {
  if (reason === 'loading') return 'the page was still loading when it was captured';
  if (reason === FRAMEWORK_FAILED) return 'the page has almost no text, because its own scripts failed';
  return `the page has almost no text${reason === undefined ? '' : `; it may be a block page (${reason})`}`;
}

const SENT_HOME_WARNING: Warning = { code: 'redirected_home', message: 'the page redirects to a home page' };

function findOutcomeWarning(outcome: Outcome, page: Page): Warning | null {
  if (outcome === 'auth_required') return { code: 'auth_required', message: 'the target asks for a login' };
  if (outcome === 'geo_or_legal')
    return { code: 'geo_or_legal', message: 'the target refuses for legal reasons or by country' };
  if (outcome === 'not_found' || outcome === 'http_error') {
    return { code: 'target_error', message: `the target answered ${page.status}` };
  }
  if (isEmptyPage(page))
    return { code: 'target_error', message: `the target answered ${page.status} with an empty body` };
  return null;
}

/** Whether a deep link was redirected to `/` or the home page of a language, with less than 30 % of its path left. */
function isSentHome(requested: URL, final: URL): boolean {
  if (final.href === requested.href || !/^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?$/i.test(final.pathname)) return false;
  const path = requested.pathname;
  const remaining = path.startsWith(final.pathname) ? final.pathname.length : 1;
  return path.length > 1 && remaining < 0.3 * path.length;
}
