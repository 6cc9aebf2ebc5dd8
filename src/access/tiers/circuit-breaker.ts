import type { Clock } from '#kernel/clock.ts';
import type { Outcome, Tier } from '#access/page.ts';

/** Whether a tier may be used: by how its last calls went, and after a pause by a few trials. */
export type Breaker =
  | { readonly phase: 'closed'; /** The last calls, true for a fault of ours. */ readonly recent: readonly boolean[] }
  | { readonly phase: 'open'; readonly until: number; readonly pauseMs: number }
  | { readonly phase: 'trying'; readonly pauseMs: number; readonly begun: number; readonly passed: number };

/** How a call went: the tier worked, it broke, or the call does not tell. */
export type TierCallResult = 'worked' | 'fault' | 'untold';

const WINDOW = 100;
const LEAST_CALLS = 50;
const FAULTY_SHARE = 0.8;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const TRIALS = 5;

export const CLOSED: Breaker = { phase: 'closed', recent: [] };

/** Whether a call may start now, and the breaker after that. */
export function admitCall(breaker: Breaker, now: number): { readonly breaker: Breaker; readonly admitted: boolean } {
  if (breaker.phase === 'closed') return { breaker, admitted: true };
  const { pauseMs } = breaker;
  if (breaker.phase === 'open') {
    if (now < breaker.until) return { breaker, admitted: false };
    return { breaker: { phase: 'trying', pauseMs, begun: 1, passed: 0 }, admitted: true };
  }
  if (breaker.begun >= TRIALS) return { breaker, admitted: false };
  return { breaker: { ...breaker, begun: breaker.begun + 1 }, admitted: true };
}

/** The breaker after a call that was admitted. */
export function afterCall(breaker: Breaker, result: TierCallResult, now: number): Breaker {
  if (breaker.phase === 'open') return breaker;
  if (breaker.phase === 'trying') return afterTrial(breaker, result, now);
  if (result === 'untold') return breaker;
  const recent = [...breaker.recent.slice(1 - WINDOW), result === 'fault'];
  const faults = recent.filter(Boolean).length;
  if (recent.length < LEAST_CALLS || faults < FAULTY_SHARE * recent.length) return { phase: 'closed', recent };
  return { phase: 'open', until: now + FIRST_PAUSE_MS, pauseMs: FIRST_PAUSE_MS };
}

function afterTrial(breaker: Breaker & { readonly phase: 'trying' }, result: TierCallResult, now: number): Breaker {
  if (result === 'untold') return { ...breaker, begun: Math.max(0, breaker.begun - 1) };
  if (result === 'fault') {
    const pauseMs = Math.min(2 * breaker.pauseMs, LONGEST_PAUSE_MS);
    return { phase: 'open', until: now + pauseMs, pauseMs };
  }
  return breaker.passed + 1 < TRIALS ? { ...breaker, passed: breaker.passed + 1 } : CLOSED;
}

/** The result of an outcome for the tier: a block or an error of the target is not its fault, a timeout tells nothing. */
export function toCallResult(outcome: Outcome | null): TierCallResult {
  if (outcome === null || outcome === 'timeout') return 'untold';
  return outcome === 'proxy_error' || outcome === 'render_failed' ? 'fault' : 'worked';
}

/** The breakers of all tiers of one process. */
export type Breakers = ReturnType<typeof buildBreakers>;

export function buildBreakers({ clock }: { readonly clock: Clock }) {
  const states = new Map<Tier, Breaker>();
  return {
    /** Whether the tier may be used now; one that is used has to be reported. */
    admits(tier: Tier): boolean {
      const { breaker, admitted } = admitCall(states.get(tier) ?? CLOSED, clock.monotonic());
      states.set(tier, breaker);
      return admitted;
    },
    /** Tiers that take a rest after too many faults of ours. */
    resting(): readonly Tier[] {
      const now = clock.monotonic();
      return [...states].flatMap(([tier, state]) => (state.phase === 'open' && now < state.until ? [tier] : []));
    },
    /** Tells how an admitted call went; null for one that was given up. */
    report(tier: Tier, outcome: Outcome | null): void {
      states.set(tier, afterCall(states.get(tier) ?? CLOSED, toCallResult(outcome), clock.monotonic()));
    },
  };
}
