/** What became of one attempt on the wire. */
export type Outcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly date: string | null;
    }
  | { readonly kind: 'unreachable' | 'tls_error' | 'timeout' | 'malformed' };

/** What follows from it. */
export type Verdict =
  | { readonly end: 'succeeded' | 'gone' | 'exhausted' }
  /** So many ms from now. */
  | { readonly end: 'retry'; readonly waitMs: number };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait after each failed attempt, ms: ten attempts in 75 h 35 min. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

export const MOST_ATTEMPTS = DELAYS.length + 1;

/** Receivers that say so have too much to do. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const LEAST_PAUSE_MS = MINUTE;
const JITTER = 0.2;

export type Tried = {
  /** Attempts of this round, this one included, and how many there may be. */
  readonly tried: number;
  readonly most: number;
  /** The instant, ms. */
  readonly now: number;
  /** From 0 to 1. */
  readonly random: number;
};

/** Decides by the outcome of an attempt what becomes of its delivery. */
export function judgeAttempt(outcome: Outcome, { tried, most, now, random }: Tried): Verdict {
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300) return { end: 'succeeded' };
  if (outcome.kind === 'answered' && outcome.status === 410) return { end: 'gone' };
  const delay = DELAYS[tried - 1];
  if (tried >= most || delay === undefined) return { end: 'exhausted' };
  const usual = Math.round(delay * (1 - JITTER + 2 * JITTER * random));
  if (!isOverloaded(outcome)) return { end: 'retry', waitMs: usual };
  const least = Math.max(usual, LEAST_PAUSE_MS);
  const asked = outcome.kind === 'answered' ? askedPause(outcome, now) : 0;
  return { end: 'retry', waitMs: Math.min(Math.max(asked, least), Math.max(2 * delay, HOUR, least)) };
}

function isOverloaded(outcome: Outcome): boolean {
  return outcome.kind === 'timeout' || (outcome.kind === 'answered' && OVERLOADED.has(outcome.status));
}

/** `Retry-After` (RFC 9110 section 10.2.3) in seconds or as a date, by the receiver's own clock where it tells that; ms. */
function askedPause({ retryAfter, date }: Extract<Outcome, { kind: 'answered' }>, now: number): number {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  const own = Date.parse(date ?? '');
  const pause = Date.parse(text) - (Number.isNaN(own) ? now : own);
  return Number.isNaN(pause) ? 0 : pause;
}
