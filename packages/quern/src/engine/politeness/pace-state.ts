import { parseRetryAfterMs } from '#extract/values/retry-after.ts';

/** The rules of a crawl for the pace of a host. */
export type PaceRules = {
  /**
   * The delay set by the caller; null adapts to the responses of the host. Below 50 only for hosts exempted by the
   * operator.
   */
  readonly delayMs: number | null;
  /** The crawl delay of the host's robots.txt; 0 for none. */
  readonly crawlDelayMs: number;
};

/** The pace of a host as plain numbers, so that it can be stored in a row and shared by processes. */
export type PaceState = {
  /** The most concurrent visits. */
  readonly limit: number;
  /** Time between two starts. */
  readonly gapMs: number;
  /** Good responses since the last change. */
  readonly good: number;
  /** Consecutive responses that took much longer than usual. */
  readonly slow: number;
  /** The usual time to first byte, and from how many responses it was computed (up to 10). */
  readonly latencyMs: number;
  readonly known: number;
  /** Times in ms since 1970, 0 for never: the last start, until when the host asked to wait, and the last slowdown. */
  readonly startedAt: number;
  readonly heldUntil: number;
  readonly slowedAt: number;
  /**
   * The minimum time between two starts after refusals, regardless of the caller's delay; 0 after enough good
   * responses.
   */
  readonly refusedMs: number;
};

/** A visit that ended. */
export type PacedAnswer = {
  readonly now: number;
  readonly startedAt: number;
  /** Null if the request timed out. */
  readonly status: number | null;
  /** Time to first byte. */
  readonly latencyMs: number;
  /** The Retry-After header; null if there is none. */
  readonly retryAfter: string | null;
};

const INITIAL_PACE = { limit: 2, gapMs: 250 };
const FASTEST_PACE = { limit: 8, gapMs: 50 };
/** For hosts exempted by the operator, if the caller asks for no delay. */
const UNPACED_LIMITS = { first: 8, limit: 64 };
const MAX_GAP_MS = 10_000;
/** Refusals increase the usual gap to at most this. The rest goes into `refusedMs`, which good responses reduce. */
const MAX_REFUSED_GAP_MS = 2000;
/** The gap after a first refusal, and the factor by which a good response reduces it. */
const FIRST_REFUSED_MS = 500;
const REFUSED_DECAY = 0.6;
const MIN_GOOD_ANSWERS = 20;
/** Chosen so that gap and limit reach their fastest values after the same number of steps. */
const GAP_STEP = (FASTEST_PACE.gapMs / INITIAL_PACE.gapMs) ** (1 / (FASTEST_PACE.limit - INITIAL_PACE.limit));
const MAX_HOLD_MS = 300_000;
/** A latency jump: three times the usual plus 250 ms, in three consecutive responses. */
const JUMP_FACTOR = 3;
const JUMP_MS = 250;
const MIN_JUMPS = 3;
const MIN_KNOWN_ANSWERS = 10;
const LATENCY_SHARE = 0.1;

/** Builds the initial pace of a host. */
export function buildFirstPace(rules: PaceRules): PaceState {
  const known = { good: 0, slow: 0, latencyMs: 0, known: 0 };
  const limit = isUnpaced(rules) ? UNPACED_LIMITS.first : INITIAL_PACE.limit;
  return { limit, gapMs: INITIAL_PACE.gapMs, ...known, startedAt: 0, heldUntil: 0, slowedAt: 0, refusedMs: 0 };
}

type PaceMoment = {
  readonly now: number;
  readonly inFlight: number;
  /** The last start of this crawl, if others visit the host too. Default: the last start of all. */
  readonly ownStartedAt?: number;
};

/**
 * Computes the ms until the next visit may start, 0 for now; null if a visit in progress must end first. The delay of a
 * crawl counts from its own last start, the gap of the host from the last start of all.
 */
export function computeWaitMs(
  pace: PaceState,
  rules: PaceRules,
  { now, inFlight, ownStartedAt = pace.startedAt }: PaceMoment,
): number | null {
  if (inFlight >= computePlaceLimit(pace, rules)) return null;
  const own = rules.delayMs ?? 0;
  const gapMs = Math.max(Math.min(pace.gapMs, rules.delayMs ?? Infinity), rules.crawlDelayMs, pace.refusedMs);
  // Limited, so that a clock that was set back cannot block a host for longer than the rules.
  const forOwn = Math.min(ownStartedAt + own - now, own);
  const forGap = Math.min(pace.startedAt + gapMs - now, gapMs);
  const forHold = Math.min(pace.heldUntil - now, MAX_HOLD_MS);
  return Math.max(0, forOwn, forGap, forHold);
}

/** The most concurrent visits. */
export function computePlaceLimit(pace: PaceState, rules: PaceRules): number {
  return Math.min(pace.limit, getMaxLimit(rules));
}

/**
 * Relaxes the pace when a new tenant joins a host, because slow visits may have been caused by the others. What the
 * host itself asked for is kept.
 */
export function relaxPace(pace: PaceState): PaceState {
  return {
    ...pace,
    slow: 0,
    limit: Math.max(pace.limit, INITIAL_PACE.limit),
    gapMs: Math.min(pace.gapMs, INITIAL_PACE.gapMs),
  };
}

/** Updates the pace after the start of a visit. */
export function recordStart(pace: PaceState, now: number): PaceState {
  return { ...pace, startedAt: now };
}

/**
 * Updates the pace after a visit. After 20 good responses it allows one more concurrent visit and a shorter gap. It is
 * halved after a 429, a 503 or three consecutive responses that took three times as long as usual; visits that were
 * already in progress then are ignored. `Retry-After` of a 429 or 503 blocks the host for up to 5 minutes. Each refusal
 * doubles a minimum gap that applies even if the caller fixed a shorter one, and each good response reduces it.
 */
export function recordAnswer(pace: PaceState, rules: PaceRules, answer: PacedAnswer): PaceState {
  const refused = isRefusal(answer.status);
  const slow = !refused && isSlow(pace, answer) ? pace.slow + 1 : 0;
  const seen = {
    ...pace,
    slow,
    ...(refused ? {} : { ...updateLatency(pace, answer), refusedMs: reduceRefusedMs(pace, answer) }),
  };
  if (refused || slow >= MIN_JUMPS) return slowDown(seen, answer, refused);
  const good = slow === 0 && answer.status !== null && answer.status < 500;
  if (!good) return { ...seen, good: 0 };
  return seen.good + 1 < MIN_GOOD_ANSWERS ? { ...seen, good: seen.good + 1 } : speedUp(seen, rules);
}

/** Whether a status means that the host receives too many requests. */
export function isRefusal(status: number | null): boolean {
  return status === 429 || status === 503;
}

/** Computes how long a `Retry-After` blocks a host, 0 to 5 minutes, in ms. */
export function computeHoldMs(header: string | null, now: number): number {
  return Math.min(parseRetryAfterMs(header, now) ?? 0, MAX_HOLD_MS);
}

/** Reduces the refusal gap after a good response. */
function reduceRefusedMs({ refusedMs }: PaceState, { status }: PacedAnswer): number {
  if (status === null || status >= 500) return refusedMs;
  const left = Math.round(refusedMs * REFUSED_DECAY);
  return left < FASTEST_PACE.gapMs ? 0 : left;
}

/** Whether a host exempted by the operator is visited without delay. */
export function isUnpaced({ delayMs }: Pick<PaceRules, 'delayMs'>): boolean {
  return delayMs !== null && delayMs < FASTEST_PACE.gapMs;
}

function getMaxLimit(rules: PaceRules): number {
  return isUnpaced(rules) ? UNPACED_LIMITS.limit : FASTEST_PACE.limit;
}

function isSlow(pace: PaceState, { status, latencyMs }: PacedAnswer): boolean {
  if (status === null) return true;
  return (
    pace.known >= MIN_KNOWN_ANSWERS && latencyMs > pace.latencyMs * JUMP_FACTOR && latencyMs > pace.latencyMs + JUMP_MS
  );
}

/** Updates the usual latency, a moving average in which outliers are limited to a jump. */
function updateLatency(pace: PaceState, { status, latencyMs }: PacedAnswer): Pick<PaceState, 'latencyMs' | 'known'> {
  if (status === null) return { latencyMs: pace.latencyMs, known: pace.known };
  const share = Math.max(LATENCY_SHARE, 1 / (pace.known + 1));
  const counted =
    pace.known < MIN_KNOWN_ANSWERS ? latencyMs : Math.min(latencyMs, pace.latencyMs * JUMP_FACTOR + JUMP_MS);
  const usual = pace.latencyMs + share * (counted - pace.latencyMs);
  return { latencyMs: Math.round(usual), known: Math.min(pace.known + 1, MIN_KNOWN_ANSWERS) };
}

function slowDown(pace: PaceState, { now, startedAt, retryAfter }: PacedAnswer, refused: boolean): PaceState {
  const requestedUntil = refused ? now + computeHoldMs(retryAfter, now) : 0;
  const slowed = { ...pace, good: 0, slow: 0, heldUntil: Math.max(pace.heldUntil, requestedUntil) };
  if (startedAt < pace.slowedAt) return slowed;
  const limit = Math.max(1, Math.floor(pace.limit / 2));
  const twice = { limit, slowedAt: now, gapMs: Math.min(pace.gapMs * 2, MAX_GAP_MS) };
  if (!refused) return { ...slowed, ...twice };
  const refusedMs = Math.min(Math.max(pace.refusedMs * 2, FIRST_REFUSED_MS), MAX_GAP_MS);
  return { ...slowed, ...twice, gapMs: Math.max(pace.gapMs, Math.min(twice.gapMs, MAX_REFUSED_GAP_MS)), refusedMs };
}

function speedUp(pace: PaceState, rules: PaceRules): PaceState {
  const limit = Math.min(isUnpaced(rules) ? pace.limit * 2 : pace.limit + 1, Math.max(getMaxLimit(rules), pace.limit));
  return { ...pace, limit, gapMs: Math.max(FASTEST_PACE.gapMs, Math.round(pace.gapMs * GAP_STEP)), good: 0 };
}
