import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { leftOf, sliceOf } from './budget.ts';
import { AttemptFailure } from './failure.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judge.ts';
import type { Attempt, Outcome, Page, PageRequest, Tier, Visit } from './page.ts';
import { TIERS } from './page.ts';
import { warningsOf } from './remarks.ts';

export type Rungs = Readonly<Partial<Record<Tier, Visit>>>;

export type ClimbOptions = {
  /** The tiers that plan and request allow, cheapest first. */
  readonly tiers: readonly Tier[];
  /** The tiers that this instance has. */
  readonly rungs: Rungs;
  readonly request: PageRequest;
  /** Wall clock of the whole call from `startedAt` (its receipt), ms. */
  readonly timeoutMs: number;
  readonly startedAt: number;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Ends the climb with its reason: the caller is gone. */
  readonly signal: AbortSignal;
  /** Whether the caller's plan includes proxy tiers. */
  readonly proxiesInPlan: boolean;
  /** Asked before a tier beyond the cheapest starts; what it throws ends the climb. */
  readonly before: (tier: Tier) => Promise<void>;
  /** Empty; filled attempt by attempt, so that it is there after a failure too. */
  readonly attempts: Attempt[];
};

type End = Judgement & { readonly tier: Tier; readonly page: Page | null; readonly error: ServiceError | null };

/** The tiers that may help after an outcome; what is not listed ends the climb. */
const NEXT: Readonly<Partial<Record<Outcome, readonly Tier[]>>> = {
  challenge: ['browser', 'proxy_browser'],
  blocked: ['browser', 'proxy', 'proxy_browser'],
  rate_limited: ['proxy', 'proxy_browser'],
  timeout: ['browser', 'proxy', 'proxy_browser'],
};
const BLOCKS: ReadonlySet<Outcome> = new Set(['challenge', 'blocked', 'rate_limited']);
/** The settings that give an instance a tier. */
const SETTINGS: Readonly<Partial<Record<Tier, string>>> = {
  proxy: 'QUERN_PROXIES_DATACENTER',
  proxy_browser: 'QUERN_PROXIES_RESIDENTIAL',
};
const LONGEST_RETRY_AFTER_MS = 5_000;
/** A second attempt that would have less time than this is not made. */
const LEAST_RETRY_MS = 500;

/**
 * Walks the tiers from the cheapest until one brings a page that is worth having. Throws `target_blocked` or
 * `free_plan_proxy_required`, `timeout` when every attempt timed out, `backend_unavailable` when this instance has none
 * of the tiers, or what the last attempt came to.
 */
export async function climb(options: ClimbOptions): Promise<{ readonly page: Page; readonly tier: Tier }> {
  const { tiers, rungs, before } = options;
  const ends: End[] = [];
  let ahead = tiers.filter((tier) => rungs[tier] !== undefined);
  while (ahead[0] !== undefined) {
    options.signal.throwIfAborted();
    const [tier, ...later] = ahead;
    const slice = sliceOf(tier, { ...timesOf(options), later, isFirst: ends.length === 0 });
    ahead = later;
    const visit = rungs[tier];
    if (slice === null || visit === undefined) continue;
    if (tier !== tiers[0]) await before(tier);
    const end = await tryTier(options, { tier, visit, sliceMs: slice });
    ends.push(end);
    if (end.page !== null && isAnswer(end)) {
      return {
        tier,
        page: {
          ...end.page,
          warnings: [...end.page.warnings, ...warningsOf(end.outcome, end.page, options.request.url)],
        },
      };
    }
    ahead = later.filter((one) => helps(end, one));
  }
  throw defeat(options, ends);
}

type Turn = { readonly tier: Tier; readonly visit: Visit; readonly sliceMs: number };

/**
 * One tier's turn: an attempt, and a second one where the target asks for a short wait or failed by itself. A second
 * one without a page does not replace what the first one told.
 */
async function tryTier(options: ClimbOptions, turn: Turn): Promise<End> {
  const until = options.clock.now() + turn.sliceMs;
  const first = await attempt(options, turn);
  const waitMs = retryDelay(first, options);
  const leftMs = until - options.clock.now() - (waitMs ?? 0);
  if (waitMs === null || leftMs < LEAST_RETRY_MS) return first;
  await delay(waitMs, null, { signal: options.signal }).catch(() => options.signal.throwIfAborted());
  const second = await attempt(options, { ...turn, sliceMs: leftMs });
  return second.page === null ? first : second;
}

async function attempt(options: ClimbOptions, { tier, visit, sliceMs }: Turn): Promise<End> {
  const { request, clock, signal, attempts } = options;
  const began = clock.now();
  const slice = new AbortController();
  const stop = () => slice.abort();
  const timer = setTimeout(stop, sliceMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const page = await visit(request, slice.signal);
    const judgement = judge(page, request.url);
    const facts = { tier, ...judgement, status_code: page.status };
    attempts.push({ ...facts, duration_ms: since(clock, began), bytes: page.wireBytes });
    return { tier, ...judgement, page, error: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError) || !(error.cause instanceof AttemptFailure)) throw error;
    const { outcome, facts } = error.cause;
    const { reason, status, bytes = 0 } = facts;
    const known = {
      ...(status === undefined ? {} : { status_code: status }),
      ...(reason === undefined ? {} : { reason }),
    };
    attempts.push({ tier, outcome, ...known, duration_ms: since(clock, began), bytes });
    return { tier, outcome, page: null, error };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** How long to wait before the same tier is tried once more, ms, or null for not at all. */
function retryDelay({ outcome, page }: End, options: ClimbOptions): number | null {
  if (page === null) return null;
  if (outcome === 'http_error' && page.status >= 500) return 500 + options.random() * 1_000;
  if (outcome !== 'rate_limited') return null;
  const seconds = page.headers['retry-after'] ?? '';
  const waitMs = /^\d{1,4}$/.test(seconds) ? Number(seconds) * 1_000 : Infinity;
  return waitMs <= Math.min(LONGEST_RETRY_AFTER_MS, 0.2 * leftOf(timesOf(options))) ? waitMs : null;
}

/** Whether a judged page is what the caller asked for, errors of the target's own included. */
function isAnswer({ outcome, page }: End): boolean {
  if (page === null || BLOCKS.has(outcome)) return false;
  return outcome !== 'http_error' || page.body.byteLength > 0;
}

/** A block by a named vendor is not tried from a datacenter address. */
function helps({ outcome, reason }: End, tier: Tier): boolean {
  if (outcome === 'blocked' && reason !== undefined && tier === 'proxy') return false;
  return NEXT[outcome]?.includes(tier) ?? false;
}

function defeat(options: ClimbOptions, ends: readonly End[]): ServiceError {
  const { tiers, rungs } = options;
  const started = new Set(ends.map((end) => end.tier));
  const missing = tiers.filter((tier) => rungs[tier] === undefined);
  const named = missing.map((tier) => (SETTINGS[tier] === undefined ? tier : `${tier} (set ${SETTINGS[tier]})`));
  const lacking = missing.length === 0 ? '' : `; this instance has no tier ${named.join(', ')}`;
  const last = ends.at(-1);
  if (last === undefined) {
    return new ServiceError('backend_unavailable', `the request needs a proxy tier${lacking}`);
  }
  if (last.outcome === 'proxy_error' && last.error !== null) return last.error;
  if (ends.some((end) => BLOCKS.has(end.outcome))) return blocked(options, { started, lacking });
  if (ends.every((end) => end.outcome === 'timeout')) {
    const hint = tiers.length > 1 && tiers.includes('proxy_browser') && !started.has('proxy_browser');
    const remedy = hint ? 'use proxy stealth or a larger timeout_ms' : 'use a larger timeout_ms';
    return new ServiceError('timeout', `every access attempt timed out; ${remedy}${hint ? lacking : ''}`);
  }
  const status = last.page?.status;
  return last.error ?? new ServiceError('target_unreachable', `the target answered ${status} without content`);
}

type Defeat = { readonly started: ReadonlySet<Tier>; readonly lacking: string };

function blocked({ rungs, proxiesInPlan }: ClimbOptions, { started, lacking }: Defeat): ServiceError {
  if (!proxiesInPlan) {
    return new ServiceError(
      'free_plan_proxy_required',
      'the target blocks direct access; a proxy tier of a paid plan may get the page',
    );
  }
  const inReach = TIERS.some((tier) => rungs[tier] !== undefined && !started.has(tier));
  const remedy = inReach ? '; another proxy value or a larger timeout_ms reaches tiers that were not tried' : lacking;
  return new ServiceError('target_blocked', `the target blocked access${remedy}`, { retryable: inReach });
}

function timesOf({ timeoutMs, startedAt, clock }: ClimbOptions) {
  return { timeoutMs, elapsedMs: clock.now() - startedAt };
}

function since(clock: Clock, began: number): number {
  return Math.round(clock.now() - began);
}
