import { setTimeout as sleep } from 'node:timers/promises';
import { afterAnswer, afterStart, firstPace, waitOf } from '#access/pacing.ts';
import type { Pace as Numbers } from '#access/pacing.ts';
import type { Clock } from '#kernel/clock.ts';

const MOST_HOSTS = 10_000;
/** How often those who wait for a turn look again. */
const TURN_MS = 25;

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
  /** Visits that could start soon. */
  readonly appetite: () => number;
  /** Waits for the next turn before all visits that ask `waitMs`, and counts it as `begin` does. */
  readonly turn: (signal: AbortSignal) => Promise<(heard: Heard) => void>;
  /** Counts a visit; call what it answers when the visit has ended. */
  readonly begin: () => (heard: Heard) => void;
  /** What the robots.txt of the host asks for. */
  readonly setCrawlDelay: (ms: number) => void;
};

/** The pace of each host, shared by all crawls of this process. */
export type Paces = ReturnType<typeof buildPaces>;

export function buildPaces({ clock }: { readonly clock: Clock }) {
  const hosts = new Map<string, { numbers: Numbers; inFlight: number; ahead: number }>();

  function stateOf(host: string, delayMs: number | null) {
    const known = hosts.get(host);
    if (known !== undefined) return known;
    for (const [one, { inFlight, ahead }] of hosts) {
      if (hosts.size < MOST_HOSTS) break;
      if (inFlight + ahead === 0) hosts.delete(one);
    }
    const state = { numbers: firstPace({ delayMs, crawlDelayMs: 0 }), inFlight: 0, ahead: 0 };
    hosts.set(host, state);
    return state;
  }

  return {
    /** The pace of one crawl at one host; `delayMs` is the gap that its caller fixed, null for none. */
    of(host: string, delayMs: number | null): Pace {
      let crawlDelayMs = 0;
      const rules = () => ({ delayMs, crawlDelayMs });
      const wait = (): number | null => {
        const { numbers, inFlight } = stateOf(host, delayMs);
        return waitOf(numbers, rules(), { now: clock.now(), inFlight });
      };
      function begin(): (heard: Heard) => void {
        const state = stateOf(host, delayMs);
        const startedAt = clock.now();
        state.numbers = afterStart(state.numbers, startedAt);
        state.inFlight += 1;
        return (heard) => {
          state.inFlight -= 1;
          if (heard !== null) {
            state.numbers = afterAnswer(state.numbers, rules(), { ...heard, now: clock.now(), startedAt });
          }
        };
      }
      return {
        waitMs() {
          const waitMs = wait();
          return waitMs === 0 && stateOf(host, delayMs).ahead > 0 ? TURN_MS : waitMs;
        },
        appetite: () => stateOf(host, delayMs).numbers.limit,
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
        setCrawlDelay(ms) {
          crawlDelayMs = ms;
        },
      };
    },
  };
}
