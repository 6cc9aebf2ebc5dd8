import { readRetryAfter } from '#extract/values/retry-after.ts';

/** The conditions of a crawl for the pacing of a host. */
export type PaceRules = {
  /** Asked for by the caller; null lets the host's answers decide. Below 50 only for hosts that the operator opened. */
  readonly delayMs: number | null;
  /** Of the host's robots.txt, 0 for none. */
  readonly crawlDelayMs: number;
};

/** The pace of a host: numbers alone, so that one row holds it and several processes can share it. */
export type PaceState = {
  /** Visits that may be under way at once. */
  readonly limit: number;
  /** Between two starts. */
  readonly gapMs: number;
  /** Good answers since the last change. */
  readonly good: number;
  /** Answers in a row that took far longer than usual. */
  readonly slow: number;
  /** The usual time to the first byte, and from how many answers it is known (up to 10). */
  readonly latencyMs: number;
  readonly known: number;
  /** Times in ms since 1970, 0 for never: the last start, until when the host asked to wait, the last slowing down. */
  readonly startedAt: number;
  readonly heldUntil: number;
  readonly slowedAt: number;
  /** Between two starts because of refusals, whatever gap the caller fixed; 0 once good answers have worn it off. */
  readonly refusedMs: number;
};

/** One visit that ended. */
export type PacedAnswer = {
  readonly now: number;
  readonly startedAt: number;
  /** Null when none came in time. */
  readonly status: number | null;
  /** To the first byte. */
  readonly latencyMs: number;
  /** The header, null for none. */
  readonly retryAfter: string | null;
};

const INITIAL_PACE = { limit: 2, gapMs: 250 };
const FASTEST_PACE = { limit: 8, gapMs: 50 };
/** For hosts that the operator opened and a caller asks to visit without a pause. */
const UNPACED_LIMITS = { first: 8, limit: 64 };
const MAX_GAP_MS = 10_000;
/** Refusals lengthen the usual gap to this at most; what goes beyond is worn off by good answers. */
const MAX_REFUSED_GAP_MS = 2000;
/** The gap after a first refusal, and what a good answer leaves of it. */
const FIRST_REFUSED_MS = 500;
const REFUSED_DECAY = 0.6;
const MIN_GOOD_ANSWERS = 20;
/** As many steps lead from the first gap to the shortest one as from the first limit to the highest. */
const GAP_STEP = (FASTEST_PACE.gapMs / INITIAL_PACE.gapMs) ** (1 / (FASTEST_PACE.limit - INITIAL_PACE.limit));
const MAX_HOLD_MS = 300_000;
/** A jump of the latency: three times the usual and 250 ms more, in three answers in a row. */
const JUMP_FACTOR = 3;
const JUMP_MS = 250;
const MIN_JUMPS = 3;
const MIN_KNOWN_ANSWERS = 10;
const LATENCY_SHARE = 0.1;

/** The pace of an unknown host. */
export function firstPace(rules: PaceRules): PaceState {
  const known = { good: 0, slow: 0, latencyMs: 0, known: 0 };
  const limit = isUnpaced(rules) ? UNPACED_LIMITS.first : INITIAL_PACE.limit;
  return { limit, gapMs: INITIAL_PACE.gapMs, ...known, startedAt: 0, heldUntil: 0, slowedAt: 0, refusedMs: 0 };
}

type PaceMoment = {
  readonly now: number;
  readonly inFlight: number;
  /** The last start of this crawl, where others visit the host too; the last of all unless given. */
  readonly ownStartedAt?: number;
};

/**
 * The ms until the next visit may start, 0 for now; null when one that is under way has to end first. The pause that a crawl
 * asks for counts from its own last start, the pace of the host from the last start of all.
 */
export function waitOf(
  pace: PaceState,
  rules: PaceRules,
  { now, inFlight, ownStartedAt = pace.startedAt }: PaceMoment,
): number | null {
  if (inFlight >= computePlaceLimit(pace, rules)) return null;
  const own = rules.delayMs ?? 0;
  const gapMs = Math.max(Math.min(pace.gapMs, rules.delayMs ?? Infinity), rules.crawlDelayMs, pace.refusedMs);
  // A clock that was set back must not hold a host for longer than any rule would.
  const forOwn = Math.min(ownStartedAt + own - now, own);
  const forGap = Math.min(pace.startedAt + gapMs - now, gapMs);
  const forHold = Math.min(pace.heldUntil - now, MAX_HOLD_MS);
  return Math.max(0, forOwn, forGap, forHold);
}

/** Visits that may be under way at once. */
export function computePlaceLimit(pace: PaceState, rules: PaceRules): number {
  return Math.min(pace.limit, getMaxLimit(rules));
}

/**
 * The pace for a tenant that comes to a host where others are: that their visits took long may be their own doing. What the
 * host itself asked for stays.
 */
export function relaxPace(pace: PaceState): PaceState {
  return {
    ...pace,
    slow: 0,
    limit: Math.max(pace.limit, INITIAL_PACE.limit),
    gapMs: Math.min(pace.gapMs, INITIAL_PACE.gapMs),
  };
}

/** The pace after a visit started. */
export function afterStart(pace: PaceState, now: number): PaceState {
  return { ...pace, startedAt: now };
}

/**
 * The pace after a visit ended: one more at once and a shorter gap after 20 good answers, half of it after a 429, a 503
 * or three answers in a row that took three times as long as usual. Visits that were under way when it was halved do not
 * count. `Retry-After` of a 429 or 503 holds the host, for 5 minutes at most. Each refusal doubles a gap that holds even
 * where the caller fixed a shorter one, and each good answer lessens it.
 */
export function afterAnswer(pace: PaceState, rules: PaceRules, answer: PacedAnswer): PaceState {
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

/** Whether a status means that the host gets too many requests. */
export function isRefusal(status: number | null): boolean {
  return status === 429 || status === 503;
}

/** The time that a `Retry-After` holds a host for, 0 to 5 minutes, ms. */
export function holdMs(header: string | null, now: number): number {
  return Math.min(readRetryAfter(header, now) ?? 0, MAX_HOLD_MS);
}

/** The gap of refusals after any other answer. */
function reduceRefusedMs({ refusedMs }: PaceState, { status }: PacedAnswer): number {
  if (status === null || status >= 500) return refusedMs;
  const left = Math.round(refusedMs * REFUSED_DECAY);
  return left < FASTEST_PACE.gapMs ? 0 : left;
}

/** Whether a host that the operator opened is visited without a pause. */
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

/** The usual latency is a moving average, on which an outlier counts no more than a jump. */
function updateLatency(pace: PaceState, { status, latencyMs }: PacedAnswer): Pick<PaceState, 'latencyMs' | 'known'> {
  if (status === null) return { latencyMs: pace.latencyMs, known: pace.known };
  const share = Math.max(LATENCY_SHARE, 1 / (pace.known + 1));
  const counted =
    pace.known < MIN_KNOWN_ANSWERS ? latencyMs : Math.min(latencyMs, pace.latencyMs * JUMP_FACTOR + JUMP_MS);
  const usual = pace.latencyMs + share * (counted - pace.latencyMs);
  return { latencyMs: Math.round(usual), known: Math.min(pace.known + 1, MIN_KNOWN_ANSWERS) };
}

function slowDown(pace: PaceState, { now, startedAt, retryAfter }: PacedAnswer, refused: boolean): PaceState {
  const asked = refused ? now + holdMs(retryAfter, now) : 0;
  const held = { ...pace, good: 0, slow: 0, heldUntil: Math.max(pace.heldUntil, asked) };
  if (startedAt < pace.slowedAt) return held;
  const limit = Math.max(1, Math.floor(pace.limit / 2));
  const twice = { limit, slowedAt: now, gapMs: Math.min(pace.gapMs * 2, MAX_GAP_MS) };
  if (!refused) return { ...held, ...twice };
  const refusedMs = Math.min(Math.max(pace.refusedMs * 2, FIRST_REFUSED_MS), MAX_GAP_MS);
  return { ...held, ...twice, gapMs: Math.max(pace.gapMs, Math.min(twice.gapMs, MAX_REFUSED_GAP_MS)), refusedMs };
}

function speedUp(pace: PaceState, rules: PaceRules): PaceState {
  const limit = Math.min(isUnpaced(rules) ? pace.limit * 2 : pace.limit + 1, Math.max(getMaxLimit(rules), pace.limit));
  return { ...pace, limit, gapMs: Math.max(FASTEST_PACE.gapMs, Math.round(pace.gapMs * GAP_STEP)), good: 0 };
}
