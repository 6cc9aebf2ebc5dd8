import { readRetryAfter } from '#extract/values/retry-after.ts';

/** The outcome of one attempt on the wire. */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly date: string | null;
    }
  | { readonly kind: 'unreachable' | 'tls_error' | 'timeout' | 'malformed' };

/** The end of a delivery, or the wait for its next attempt. */
export type DeliveryDecision =
  | { readonly end: 'succeeded' | 'gone' | 'exhausted' }
  | { readonly end: 'retry'; readonly waitMs: number };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait after each failed attempt, ms: ten attempts in 75 h 35 min. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

export const MAX_ATTEMPTS = DELAYS.length + 1;

/** Statuses of overloaded receivers. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MIN_PAUSE_MS = MINUTE;
const JITTER = 0.2;

export type AttemptFacts = {
  /** Attempts of this round, this one included, and their limit. */
  readonly attempts: number;
  readonly most: number;
  /** The instant, ms. */
  readonly now: number;
  /** From 0 to 1. */
  readonly random: number;
};

/** Decides whether an attempt ends its delivery, or when it is retried. */
export function decideDelivery(
  outcome: AttemptOutcome,
  { attempts, most, now, random }: AttemptFacts,
): DeliveryDecision {
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300) return { end: 'succeeded' };
  if (outcome.kind === 'answered' && outcome.status === 410) return { end: 'gone' };
  const delay = DELAYS[attempts - 1];
  if (attempts >= most || delay === undefined) return { end: 'exhausted' };
  const usual = Math.round(delay * (1 - JITTER + 2 * JITTER * random));
  if (!isOverloaded(outcome)) return { end: 'retry', waitMs: usual };
  const least = Math.max(usual, MIN_PAUSE_MS);
  const asked = outcome.kind === 'answered' ? askedPause(outcome, now) : 0;
  return { end: 'retry', waitMs: Math.min(Math.max(asked, least), Math.max(2 * delay, HOUR, least)) };
}

function isOverloaded(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'timeout' || (outcome.kind === 'answered' && OVERLOADED.has(outcome.status));
}

/** The wait that a `Retry-After` asks for, by the receiver's own clock where it tells that, ms. */
function askedPause({ retryAfter, date }: Extract<AttemptOutcome, { kind: 'answered' }>, now: number): number {
  const own = Date.parse(date ?? '');
  return readRetryAfter(retryAfter, Number.isNaN(own) ? now : own) ?? 0;
}
