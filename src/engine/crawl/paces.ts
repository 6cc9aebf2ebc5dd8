import { setTimeout as sleep } from 'node:timers/promises';
import { failed } from '#access/failure.ts';
import type { Rungs } from '#access/ladder.ts';
import type { Page, Visit } from '#access/page.ts';
import { afterAnswer, afterStart, firstPace, isRefusal, isUnpaced, waitOf } from '#access/pacing.ts';
import type { Pace as Numbers } from '#access/pacing.ts';
import type { Clock } from '#kernel/clock.ts';
import type { HostLease, HostLeases } from './host-leases.ts';

const MOST_HOSTS = 10_000;
/** How often those who wait for a turn look again. */
const TURN_MS = 25;
/** How often those who wait for the lease of a host look again; it is asked for so long before it is needed. */
const LEASE_LOOK_MS = 100;
const LEASE_AHEAD_MS = 500;
/** Pages that wait for their visit, for each that may be under way. */
const AHEAD = 2;

/** How the visit of a page went, for the pace of its host; null where nothing was sent. */
export type Heard = {
  /** Null when no answer came in time. */
  readonly status: number | null;
  readonly latencyMs: number;
  readonly retryAfter: string | null;
} | null;

/** How fast a crawl may ask one host. */
export type Pace = {
  /** Ms until the next visit may start, 0 for now; null when one that is under way has to end first. */
  readonly waitMs: () => number | null;
  /** Visits that could start within so many ms if those under way ended, at most two for each that may be under way. */
  readonly appetite: (withinMs: number) => number;
  /** Waits for the next turn before all visits that ask `waitMs`, and counts it as `begin` does. */
  readonly turn: (signal: AbortSignal) => Promise<(heard: Heard) => void>;
  /** Counts a visit; call what it answers when the visit has ended. */
  readonly begin: () => (heard: Heard) => void;
  /** What was heard in the middle of a visit. */
  readonly hear: (heard: NonNullable<Heard>) => void;
  /** Waits as a further start of a visit under way has to, and counts it; throws `timeout` with the signal. */
  readonly again: (signal: AbortSignal) => Promise<void>;
  /** What the robots.txt of the host asks for. */
  readonly setCrawlDelay: (ms: number) => void;
};

type State = { numbers: Numbers; inFlight: number; ahead: number; readonly lease: HostLease | null };

/** The pace of each host, shared by all crawls of this process, and by those of others that share its store. */
export type Paces = ReturnType<typeof buildPaces>;

export function buildPaces(parts: {
  readonly clock: Clock;
  /** Null where no other process visits. */
  readonly leases: HostLeases | null;
}) {
  const { clock, leases } = parts;
  const hosts = new Map<string, State>();

  function stateOf(host: string, delayMs: number | null): State {
    const known = hosts.get(host);
    if (known !== undefined) return known;
    for (const [one, { inFlight, ahead, lease }] of hosts) {
      if (hosts.size < MOST_HOSTS) break;
      if (inFlight + ahead === 0 && lease?.isIdle() !== false) hosts.delete(one);
    }
    const learn = (numbers: Numbers): void => void (state.numbers = numbers);
    const lease = leases?.of(host, { pace: () => state.numbers, learn }) ?? null;
    const state: State = { numbers: firstPace({ delayMs, crawlDelayMs: 0 }), inFlight: 0, ahead: 0, lease };
    hosts.set(host, state);
    return state;
  }

  return {
    /** The pace of one crawl at one host; `delayMs` is the gap that its caller fixed, null for none. */
    of(host: string, delayMs: number | null): Pace {
      let crawlDelayMs = 0;
      const rules = () => ({ delayMs, crawlDelayMs });
      // Who visits without a pause has nothing to share.
      const leaseOf = ({ lease }: State): HostLease | null => (isUnpaced(rules()) ? null : lease);
      const wait = (): number | null => {
        const state = stateOf(host, delayMs);
        const waitMs = waitOf(state.numbers, rules(), { now: clock.now(), inFlight: state.inFlight });
        if (waitMs === null || waitMs > LEASE_AHEAD_MS) return waitMs;
        return leaseOf(state)?.isHeld() === false ? Math.max(waitMs, LEASE_LOOK_MS) : waitMs;
      };
      function begin(): (heard: Heard) => void {
        const state = stateOf(host, delayMs);
        const startedAt = clock.now();
        state.numbers = afterStart(state.numbers, startedAt);
        state.inFlight += 1;
        const leased = leaseOf(state)?.begin();
        return (heard) => {
          state.inFlight -= 1;
          if (heard !== null) {
            state.numbers = afterAnswer(state.numbers, rules(), { ...heard, now: clock.now(), startedAt });
          }
          leased?.();
        };
      }
      return {
        waitMs() {
          const waitMs = wait();
          return waitMs === 0 && stateOf(host, delayMs).ahead > 0 ? TURN_MS : waitMs;
        },
        appetite(withinMs) {
          const { numbers } = stateOf(host, delayMs);
          const now = clock.now();
          const leftMs = withinMs - (waitOf(numbers, rules(), { now, inFlight: 0 }) ?? 0);
          if (leftMs < 0) return 0;
          const gapMs = waitOf(afterStart(numbers, now), rules(), { now, inFlight: 0 }) ?? 0;
          return Math.min(numbers.limit * AHEAD, 1 + Math.floor(leftMs / Math.max(1, gapMs)));
        },
        async turn(signal) {
          const state = stateOf(host, delayMs);
          state.ahead += 1;
          try {
            for (let waitMs = wait(); waitMs !== 0; waitMs = wait()) await sleep(waitMs ?? TURN_MS, null, { signal });
            signal.throwIfAborted();
            return begin();
          } finally {
            state.ahead -= 1;
          }
        },
        begin,
        hear(heard) {
          const state = stateOf(host, delayMs);
          const now = clock.now();
          state.numbers = afterAnswer(state.numbers, rules(), { ...heard, now, startedAt: now - heard.latencyMs });
        },
        async again(signal) {
          const state = stateOf(host, delayMs);
          const left = (): number => waitOf(state.numbers, rules(), { now: clock.now(), inFlight: 0 }) ?? 0;
          for (let waitMs = left(); waitMs > 0; waitMs = left()) {
            await sleep(waitMs, null, { signal }).catch((error: unknown) => {
              throw failed('timeout', 'the target asked to wait for too long', { reason: 'paced', cause: error });
            });
          }
          state.numbers = afterStart(state.numbers, clock.now());
        },
        setCrawlDelay(ms) {
          crawlDelayMs = ms;
        },
      };
    },
  };
}

/** Gets what is no page of a crawl when it is its turn, before the pages that wait, and tells the pace how that went. */
export async function visitInTurn(pace: Pace, signal: AbortSignal, visit: () => Promise<Page>): Promise<Page> {
  const ended = await pace.turn(signal);
  const started = performance.now();
  let page: Page | null = null;
  try {
    page = await visit();
    return page;
  } finally {
    const latencyMs = Math.round(performance.now() - started);
    ended({ status: page?.status ?? null, latencyMs, retryAfter: page?.headers['retry-after'] ?? null });
  }
}

/**
 * The tiers as one visit climbs them: a host that refuses is left alone at once, not only when the visit has ended, and
 * a second attempt starts no sooner than another visit would.
 */
export function withPace(rungs: Rungs, pace: Pace): Rungs {
  let attempts = 0;
  const paced =
    (visit: Visit): Visit =>
    async (request, signal) => {
      attempts += 1;
      if (attempts > 1) await pace.again(signal);
      const started = performance.now();
      const page = await visit(request, signal);
      const { status, headers } = page;
      const latencyMs = Math.round(performance.now() - started);
      if (isRefusal(status)) pace.hear({ status, latencyMs, retryAfter: headers['retry-after'] ?? null });
      return page;
    };
  return Object.fromEntries(Object.entries(rungs).map(([tier, visit]) => [tier, paced(visit)]));
}
