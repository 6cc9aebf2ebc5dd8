import { parseRetryAfterMs } from '#extract/values/retry-after.ts';

/** The outcome of one attempt. */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly date: string | null;
    }
  | { readonly kind: 'unreachable' | 'tls_error' | 'timeout' | 'malformed' };

/** How a delivery ends, or how long it waits for its next attempt. */
export type DeliveryDecision =
  | { readonly end: 'succeeded' | 'gone' | 'exhausted' }
  | { readonly end: 'retry'; readonly waitMs: number };

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait after each failed attempt: ten attempts in 75 h 35 min. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/** Statuses of an overloaded receiver. */
const OVERLOADED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MIN_PAUSE_MS = MINUTE_MS;
const JITTER = 0.2;

export type AttemptFacts = {
  /** Attempts of this round including this one, and their limit. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Current time, ms. */
  readonly now: number;
  /** Returns a random number from 0 to 1. */
  readonly random: number;
};

/** Decides whether an attempt ends its delivery, or when it is retried. */
export function decideDelivery(
  outcome: AttemptOutcome,
  { attempts, maxAttempts, now, random }: AttemptFacts,
): DeliveryDecision {
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300) return { end: 'succeeded' };
  if (outcome.kind === 'answered' && outcome.status === 410) return { end: 'gone' };
  const delay = DELAYS_MS[attempts - 1];
  if (attempts >= maxAttempts || delay === undefined) return { end: 'exhausted' };
  const usual = Math.round(delay * (1 - JITTER + 2 * JITTER * random));
  if (!isOverloaded(outcome)) return { end: 'retry', waitMs: usual };
  const least = Math.max(usual, MIN_PAUSE_MS);
  const requestedMs = outcome.kind === 'answered' ? readRequestedDelay(outcome, now) : 0;
  return { end: 'retry', waitMs: Math.min(Math.max(requestedMs, least), Math.max(2 * delay, HOUR_MS, least)) };
}

function isOverloaded(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'timeout' || (outcome.kind === 'answered' && OVERLOADED_STATUSES.has(outcome.status));
}

/** Reads the wait requested by `Retry-After`, ms. A date is relative to the receiver's clock if the answer has it. */
function readRequestedDelay({ retryAfter, date }: Extract<AttemptOutcome, { kind: 'answered' }>, now: number): number {
  const own = Date.parse(date ?? '');
  return parseRetryAfterMs(retryAfter, Number.isNaN(own) ? now : own) ?? 0;
}
