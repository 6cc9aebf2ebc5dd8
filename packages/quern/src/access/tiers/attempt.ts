import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { parseRetryAfterMs } from '#extract/values/retry-after.ts';
import { startSliceTimer, computeLeftMs } from './time-budget.ts';
import { AttemptFailure, FRAMEWORK_FAILED } from '#access/failure.ts';
import {
  type Attempt,
  type Classification,
  isSpent,
  type Page,
  type PageRequest,
  RENDERING_TIERS,
  type Tier,
  type TierVisit,
} from '#access/page.ts';

/** The result of one tier: a classified page, or the error of an attempt without one. */
export type TierResult = Classification & {
  readonly tier: Tier;
  readonly page: Page | null;
  readonly error: ServiceError | null;
  /** The received part of a page that broke off. */
  readonly partial?: Page;
};

export type TierTask = {
  readonly tier: Tier;
  readonly visit: TierVisit;
  readonly request: PageRequest;
  readonly sliceMs: number;
};

/** What each attempt of an escalation needs. */
export type TierAttemptContext = {
  /** Time limit of the whole call, counted from `startedAt`, ms. */
  readonly timeoutMs: number;
  readonly startedAt: number;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Ends the escalation with its reason, for example because the caller is gone. */
  readonly signal: AbortSignal;
  /** Reclassifies a page for a site endpoint; absent for other pages. */
  readonly classifyBySite?: (page: Page, first: Classification) => Promise<Classification>;
  /** Initially empty; filled after each attempt, so that it is available after a failure too. */
  readonly attempts: Attempt[];
  /** Called with each attempt when it has ended. */
  readonly onAttempt?: (attempt: Attempt) => void;
};

const MAX_RETRY_AFTER_MS = 5_000;
/** Maximum share of the remaining time for a `Retry-After` wait. */
const RETRY_AFTER_SHARE = 0.2;
/** Minimum remaining time for a second attempt. */
const MIN_RETRY_MS = 500;

/**
 * Runs one attempt of a tier, and a second one if the target asks for a short wait or had a temporary failure. If the second one
 * gets no page, the result of the first one is returned.
 */
export async function attemptTier(parts: TierAttemptContext, task: TierTask): Promise<TierResult> {
  const { clock, signal } = parts;
  const until = clock.monotonic() + task.sliceMs;
  const first = await runAttempt(parts, task);
  const waitMs = computeRetryDelayMs(first, parts);
  const leftMs = until - clock.monotonic() - (waitMs ?? 0);
  if (waitMs === null || leftMs < MIN_RETRY_MS || isSpent(task.request)) return first;
  await clock.sleep(waitMs, signal).catch(() => signal.throwIfAborted());
  const second = await runAttempt(parts, { ...task, sliceMs: leftMs });
  return second.page === null ? first : second;
}

/** Whether a browser rendered the page. */
export function isRendered(page: Page, tier: Tier): boolean {
  return RENDERING_TIERS.has(tier) || page.rendered === true;
}

/** Time limit and elapsed time of an escalation, ms. */
export function computeTimes({ timeoutMs, startedAt, clock }: TierAttemptContext) {
  return { timeoutMs, elapsedMs: clock.monotonic() - startedAt };
}

/**
 * Throws the reason of a fired signal, except a timeout: on a busy machine the timeout may fire before the result of an attempt
 * that ended in time is processed. The time for further attempts is checked separately.
 */
export function throwUnlessTimeUp(signal: AbortSignal): void {
  const isTimeUp = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  if (!isTimeUp) signal.throwIfAborted();
}

async function runAttempt(parts: TierAttemptContext, { tier, visit, request, sliceMs }: TierTask): Promise<TierResult> {
  const { clock, signal } = parts;
  signal.throwIfAborted();
  const began = clock.monotonic();
  const slice = new AbortController();
  const stop = () => slice.abort();
  const timer = startSliceTimer(clock, sliceMs, stop);
  const { getLeftMs, runUntimed } = timer;
  signal.addEventListener('abort', stop, { once: true });
  try {
    const arrived = await visit({ ...request, leftMs: getLeftMs, runUntimed }, slice.signal);
    const { page } = arrived;
    const classification = (await parts.classifyBySite?.(page, arrived.classification)) ?? arrived.classification;
    const { outcome, reason } = classification;
    const known = { status_code: page.status, ...(reason === undefined ? {} : { reason }) };
    recordAttempt(parts, {
      tier,
      outcome,
      ...known,
      duration_ms: computeElapsedMs(clock, began),
      bytes: page.wireBytes,
    });
    return { ...classification, tier, page, error: null };
  } catch (error) {
    if (!(error instanceof ServiceError) || !(error.cause instanceof AttemptFailure)) {
      signal.throwIfAborted();
      throw error;
    }
    throwUnlessTimeUp(signal);
    const { outcome, facts } = error.cause;
    const { reason, status, bytes = 0 } = facts;
    const known = {
      ...(status === undefined ? {} : { status_code: status }),
      ...(reason === undefined ? {} : { reason }),
    };
    recordAttempt(parts, { tier, outcome, ...known, duration_ms: computeElapsedMs(clock, began), bytes });
    const partial = facts.partial === undefined ? {} : { partial: facts.partial };
    return { outcome, visibleChars: 0, mayImprove: false, tier, page: null, error, ...partial };
  } finally {
    timer.close();
    signal.removeEventListener('abort', stop);
  }
}

function recordAttempt({ attempts, onAttempt }: TierAttemptContext, ended: Attempt): void {
  attempts.push(ended);
  onAttempt?.(ended);
}

/** How long to wait before the same tier is retried, ms; null for no retry. */
function computeRetryDelayMs({ outcome, reason, page }: TierResult, parts: TierAttemptContext): number | null {
  if (page === null) return null;
  if (outcome === 'render_failed' || reason === FRAMEWORK_FAILED) return 0;
  if (outcome === 'http_error' && page.status >= 500) return 500 + parts.random() * 1_000;
  if (outcome !== 'rate_limited') return null;
  const { headers } = page;
  // A date is relative to the target's own clock.
  const waitMs = parseRetryAfterMs(headers['retry-after'], Date.parse(headers['date'] ?? '')) ?? Infinity;
  const bearableMs = Math.min(MAX_RETRY_AFTER_MS, RETRY_AFTER_SHARE * computeLeftMs(computeTimes(parts)));
  return waitMs <= bearableMs ? waitMs : null;
}

function computeElapsedMs(clock: Clock, began: number): number {
  return Math.round(clock.monotonic() - began);
}
