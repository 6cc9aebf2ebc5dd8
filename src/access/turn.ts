import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { leftOf } from './budget.ts';
import { AttemptFailure } from './failure.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judge.ts';
import type { Attempt, Page, PageRequest, Tier, Visit } from './page.ts';

/** What one tier's turn came to: a judged page, or the error of an attempt without one. */
export type End = Judgement & { readonly tier: Tier; readonly page: Page | null; readonly error: ServiceError | null };

export type Turn = {
  readonly tier: Tier;
  readonly visit: Visit;
  readonly request: PageRequest;
  readonly sliceMs: number;
};

/** What a turn needs of the climb that it is part of. */
export type TurnParts = {
  /** Wall clock of the whole call from `startedAt` (its receipt), ms. */
  readonly timeoutMs: number;
  readonly startedAt: number;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Ends the climb with its reason: the caller is gone. */
  readonly signal: AbortSignal;
  /** A second judgement by who knows the site, which holds; absent where nobody does. */
  readonly judgeOfSite?: (page: Page, judged: Judgement) => Promise<Judgement>;
  /** Empty; filled attempt by attempt, so that it is there after a failure too. */
  readonly attempts: Attempt[];
};

/** The tiers all of whose pages have gone through a browser. */
const RENDERS: ReadonlySet<Tier> = new Set(['browser', 'proxy_browser']);
const LONGEST_RETRY_AFTER_MS = 5_000;
/** The part of what is left that a wait may take. */
const RETRY_AFTER_SHARE = 0.2;
/** A second attempt that would have less time than this is not made. */
const LEAST_RETRY_MS = 500;

/**
 * One tier's turn: an attempt, and a second one where the target asks for a short wait or something failed by itself. A
 * second one without a page does not replace what the first one told.
 */
export async function takeTurn(parts: TurnParts, turn: Turn): Promise<End> {
  const { clock, signal } = parts;
  const until = clock.now() + turn.sliceMs;
  const first = await attempt(parts, turn);
  const waitMs = retryDelay(first, parts);
  const leftMs = until - clock.now() - (waitMs ?? 0);
  if (waitMs === null || leftMs < LEAST_RETRY_MS) return first;
  await delay(waitMs, null, { signal }).catch(() => signal.throwIfAborted());
  const second = await attempt(parts, { ...turn, sliceMs: leftMs });
  return second.page === null ? first : second;
}

/** Whether a page of a tier has gone through a browser. */
export function isRendered(page: Page, tier: Tier): boolean {
  return RENDERS.has(tier) || page.rendered === true;
}

/** The times of a climb at this moment. */
export function timesOf({ timeoutMs, startedAt, clock }: TurnParts) {
  return { timeoutMs, elapsedMs: clock.now() - startedAt };
}

/**
 * Throws the reason of a signal that has fired, unless it is that the time is up: on a busy machine that may come before an
 * attempt that ended in time is heard of, and whether there is time for another is asked anyway.
 */
export function goOn(signal: AbortSignal): void {
  const isTimeUp = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  if (!isTimeUp) signal.throwIfAborted();
}

async function attempt(parts: TurnParts, { tier, visit, request, sliceMs }: Turn): Promise<End> {
  const { clock, signal, attempts } = parts;
  signal.throwIfAborted();
  const began = clock.now();
  const slice = new AbortController();
  const stop = () => slice.abort();
  const timer = setTimeout(stop, sliceMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const page = await visit({ ...request, leftMs: () => sliceMs - (clock.now() - began) }, slice.signal);
    const judged = judge(page, { requested: request.url, rendered: isRendered(page, tier) });
    const judgement = parts.judgeOfSite === undefined ? judged : await parts.judgeOfSite(page, judged);
    const { outcome, reason } = judgement;
    const known = { status_code: page.status, ...(reason === undefined ? {} : { reason }) };
    attempts.push({ tier, outcome, ...known, duration_ms: since(clock, began), bytes: page.wireBytes });
    return { ...judgement, tier, page, error: null };
  } catch (error) {
    if (!(error instanceof ServiceError) || !(error.cause instanceof AttemptFailure)) {
      signal.throwIfAborted();
      throw error;
    }
    goOn(signal);
    const { outcome, facts } = error.cause;
    const { reason, status, bytes = 0 } = facts;
    const known = {
      ...(status === undefined ? {} : { status_code: status }),
      ...(reason === undefined ? {} : { reason }),
    };
    attempts.push({ tier, outcome, ...known, duration_ms: since(clock, began), bytes });
    return { outcome, visible: 0, mayGrow: false, tier, page: null, error };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** How long to wait before the same tier is tried once more, ms, or null for not at all. */
function retryDelay({ outcome, page }: End, parts: TurnParts): number | null {
  if (page === null) return null;
  if (outcome === 'render_failed') return 0;
  if (outcome === 'http_error' && page.status >= 500) return 500 + parts.random() * 1_000;
  if (outcome !== 'rate_limited') return null;
  const waitMs = retryAfterMs(page.headers);
  const bearableMs = Math.min(LONGEST_RETRY_AFTER_MS, RETRY_AFTER_SHARE * leftOf(timesOf(parts)));
  return waitMs <= bearableMs ? waitMs : null;
}

/** What a `Retry-After` asks for, in seconds or as a date on the target's own clock; Infinity when it does not say. */
function retryAfterMs(headers: Page['headers']): number {
  const asked = headers['retry-after'] ?? '';
  if (/^\d{1,4}$/.test(asked)) return Number(asked) * 1_000;
  const waitMs = Date.parse(asked) - Date.parse(headers['date'] ?? '');
  return Number.isNaN(waitMs) ? Infinity : Math.max(0, waitMs);
}

function since(clock: Clock, began: number): number {
  return Math.round(clock.now() - began);
}
