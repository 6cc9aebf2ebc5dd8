import { BROWSER_ERROR_PAGE, HELD_FOR_TENANT, SELECTOR_UNMATCHED } from '#access/failure.ts';
import { type Outcome, type Tier, TIERS } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';

/**
 * The result of a call of a tier: it worked, this machine failed, or unknown. `source` is the tenant or host of the call; a
 * breaker opens only if calls of several sources fail.
 */
export type TierCall = { readonly source: string; readonly result: TierCallResult };

export type TierCallResult = 'worked' | 'fault' | 'unknown';

/** A call with a known result. */
type CallRecord = { readonly source: string; readonly isFault: boolean };

/** The state of a circuit breaker: closed with its recent calls, open until a time, or half-open with a few trials. */
export type Breaker =
  | { readonly phase: 'closed'; readonly recent: readonly CallRecord[] }
  | { readonly phase: 'open'; readonly until: number; readonly pauseMs: number }
  | {
      readonly phase: 'trying';
      readonly pauseMs: number;
      /** The sources of the running trials. */
      readonly begun: readonly string[];
      readonly passed: number;
      /** The first source whose trial failed; a failure of another source opens the breaker again. */
      readonly broke: string | null;
    };

const MAX_WINDOW_CALLS = 100;
const MIN_CALLS = 50;
const MIN_FAULT_SHARE = 0.8;
/** Minimum calls of sources other than the one with the most faults; they must fail as well. */
const MIN_OTHERS = 3;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
const MAX_TRIALS = 5;
/** Concurrent trials of one source, so that slow ones do not use all trials. */
const MAX_TRIALS_AT_ONCE = 2;
/** Maximum number of breakers of single tenants. */
const MAX_TENANT_BREAKERS = 500;

export const CLOSED_BREAKER: Breaker = { phase: 'closed', recent: [] };

/** Whether a call of a source may start now, and the next state of the breaker. */
export function admitCall(
  breaker: Breaker,
  source: string,
  now: number,
): { readonly breaker: Breaker; readonly admitted: boolean } {
  if (breaker.phase === 'closed') return { breaker, admitted: true };
  const { pauseMs } = breaker;
  if (breaker.phase === 'open') {
    if (now < breaker.until) return { breaker, admitted: false };
    return { breaker: { phase: 'trying', pauseMs, begun: [source], passed: 0, broke: null }, admitted: true };
  }
  const { begun, passed } = breaker;
  const own = begun.filter((one) => one === source).length;
  if (begun.length + passed >= MAX_TRIALS || own >= MAX_TRIALS_AT_ONCE) return { breaker, admitted: false };
  return { breaker: { ...breaker, begun: [...begun, source] }, admitted: true };
}

/** The next state of the breaker after an admitted call. */
export function recordCall(breaker: Breaker, { source, result }: TierCall, now: number): Breaker {
  if (breaker.phase === 'open') return breaker;
  if (breaker.phase === 'trying') return recordTrial(breaker, { source, result }, now);
  if (result === 'unknown') return breaker;
  const recent = [...breaker.recent.slice(1 - MAX_WINDOW_CALLS), { source, isFault: result === 'fault' }];
  if (!hasTooManyFaults(recent)) return { phase: 'closed', recent };
  return { phase: 'open', until: now + FIRST_PAUSE_MS, pauseMs: FIRST_PAUSE_MS };
}

function recordTrial(
  breaker: Breaker & { readonly phase: 'trying' },
  { source, result }: TierCall,
  now: number,
): Breaker {
  const { broke, passed } = breaker;
  const at = breaker.begun.indexOf(source);
  const trying = { ...breaker, begun: breaker.begun.filter((_, index) => index !== at) };
  if (result === 'unknown') return trying;
  if (result === 'worked') return passed + 1 < MAX_TRIALS ? { ...trying, passed: passed + 1 } : CLOSED_BREAKER;
  // A single source could make its calls fail on purpose.
  if (broke === null || broke === source) return { ...trying, broke: source };
  const pauseMs = Math.min(2 * breaker.pauseMs, MAX_PAUSE_MS);
  return { phase: 'open', until: now + pauseMs, pauseMs };
}

/** Whether 80 % of many calls failed, and also 80 % without the source that has the most faults. */
function hasTooManyFaults(recent: readonly CallRecord[]): boolean {
  const faults = recent.filter(({ isFault }) => isFault).length;
  if (recent.length < MIN_CALLS || faults < MIN_FAULT_SHARE * recent.length) return false;
  const bySource = Map.groupBy(recent, ({ source }) => source);
  const shares = [...bySource.values()].map((calls) => ({
    calls: calls.length,
    faults: calls.filter(({ isFault }) => isFault).length,
  }));
  const [, ...others] = shares.toSorted((one, other) => other.faults - one.faults);
  const calls = others.reduce((sum, one) => sum + one.calls, 0);
  // Each source has the same weight, independent of its number of calls.
  const share = others.reduce((sum, one) => sum + one.faults / one.calls, 0) / others.length;
  return calls >= MIN_OTHERS && share >= MIN_FAULT_SHARE;
}

/** The result of a call by its outcome; null for an aborted call. Only failures caused by this machine are faults of the tier. */
export function toCallResult(outcome: Outcome | null, reason?: string): TierCallResult {
  const author = outcome === null ? 'unclear' : findAuthor(outcome, reason);
  if (author === 'machine') return 'fault';
  return author === 'target' ? 'worked' : 'unknown';
}

/** A call of a tier: its tenant and the target host. */
export type BreakerCall = { readonly tier: Tier; readonly tenant: string; readonly host: string };

/** The breakers of all tiers of one process. */
export type Breakers = ReturnType<typeof createBreakers>;

/**
 * Creates the breakers: for each tier a shared one, which opens if calls of several tenants fail, and one for each tenant with
 * faults, which opens for this tenant if its calls to several hosts fail.
 */
export function createBreakers({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }) {
  const shared = new Map<Tier, Breaker>();
  const own = new Map<string, Breaker>();

  function admitOwn({ tier, tenant, host }: BreakerCall): boolean {
    const key = buildKey(tier, tenant);
    const known = own.get(key);
    if (known === undefined) return true;
    const { breaker, admitted } = admitCall(known, host, clock.monotonic());
    own.set(key, breaker);
    return admitted;
  }

  function admitShared({ tier, tenant }: BreakerCall): boolean {
    const { breaker, admitted } = admitCall(shared.get(tier) ?? CLOSED_BREAKER, tenant, clock.monotonic());
    shared.set(tier, breaker);
    return admitted;
  }

  function reportOwn({ tier, tenant, host }: BreakerCall, result: TierCallResult): void {
    const key = buildKey(tier, tenant);
    const known = own.get(key);
    // Keep no state for tenants without faults.
    if (known === undefined && result !== 'fault') return;
    const next = recordCall(known ?? CLOSED_BREAKER, { source: host, result: result }, clock.monotonic());
    const isWell = next.phase === 'closed' && !next.recent.some(({ isFault }) => isFault);
    own.delete(key);
    if (!isWell) own.set(key, next);
    const [oldest] = own.keys();
    if (own.size > MAX_TENANT_BREAKERS && oldest !== undefined) own.delete(oldest);
  }

  return {
    /** Whether the tier may be used now. If so, the call must be reported. */
    admits(call: BreakerCall): boolean {
      if (!admitOwn(call)) return false;
      if (admitShared(call)) return true;
      reportOwn(call, 'unknown');
      return false;
    },
    /** Tiers whose breaker is open, for all tenants or for one. */
    resting(): readonly Tier[] {
      const now = clock.monotonic();
      const isResting = (breaker: Breaker | undefined): boolean => breaker?.phase === 'open' && now < breaker.until;
      return TIERS.filter(
        (tier) =>
          isResting(shared.get(tier)) ||
          own.entries().some(([key, one]) => key.startsWith(`${tier} `) && isResting(one)),
      );
    },
    /** Records the outcome of an admitted call; null for an aborted one. */
    report(call: BreakerCall, outcome: Outcome | null, reason?: string): void {
      const result = toCallResult(outcome, reason);
      reportOwn(call, result);
      const { tier, tenant } = call;
      shared.set(
        tier,
        recordCall(shared.get(tier) ?? CLOSED_BREAKER, { source: tenant, result: result }, clock.monotonic()),
      );
    },
  };
}

function buildKey(tier: Tier, tenant: string): string {
  return `${tier} ${tenant}`;
}

/**
 * Who caused an outcome: the caller by the request, the target by its response, or this machine including its proxies. `unclear`
 * means that more than one of them may have caused it.
 */
export type OutcomeAuthor = 'caller' | 'target' | 'machine' | 'unclear';

type Authorship = {
  readonly author: OutcomeAuthor;
  /** Reasons of the outcome that have a different author. */
  readonly except?: Readonly<Record<string, OutcomeAuthor>>;
};

/** The author of each outcome. Only outcomes caused by this machine count against a shared tier. */
const OUTCOME_AUTHORS: Readonly<Record<Outcome, Authorship>> = {
  ok: { author: 'target' },
  thin: { author: 'target' },
  js_required: { author: 'target' },
  challenge: { author: 'target' },
  blocked: { author: 'target' },
  rate_limited: { author: 'target' },
  auth_required: { author: 'target' },
  geo_or_legal: { author: 'target' },
  not_found: { author: 'target' },
  http_error: { author: 'target' },
  unreachable: { author: 'target' },
  tls_error: { author: 'target' },
  too_large: { author: 'target' },
  unusable: { author: 'target' },
  // A short time limit, a slow target and a slow machine look the same.
  timeout: { author: 'unclear', except: { [SELECTOR_UNMATCHED]: 'caller' } },
  // Most proxies also report these faults for targets that they cannot or may not reach.
  proxy_error: {
    author: 'machine',
    except: {
      exit_unreached: 'target',
      proxy_refused: 'unclear',
      proxy_timeout: 'unclear',
      proxy_closed: 'unclear',
      proxy_failed: 'unclear',
      [HELD_FOR_TENANT]: 'unclear',
    },
  },
  render_failed: { author: 'machine', except: { [BROWSER_ERROR_PAGE]: 'target' } },
};

/** Who caused an outcome; `reason` is that of the attempt, if it has one. */
export function findAuthor(outcome: Outcome, reason?: string): OutcomeAuthor {
  const { author, except = {} } = OUTCOME_AUTHORS[outcome];
  return reason !== undefined && Object.hasOwn(except, reason) ? (except[reason] ?? author) : author;
}
