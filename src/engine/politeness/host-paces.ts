import { failed } from '#access/failure.ts';
import type { Page } from '#access/page.ts';
import { afterAnswer, afterStart, firstPace, isUnpaced, waitOf } from './host-pacing.ts';
import type { PaceRules, PaceState } from './host-pacing.ts';
import type { Clock } from '#kernel/clock.ts';
import type { HostLease, HostLeases } from './host-leases.ts';

const MOST_HOSTS = 10_000;
/** Poll interval of a visit that waits for its turn. */
const TURN_MS = 25;
/** Poll interval of a visit that waits for the lease of its host, and how long before the visit the lease is requested. */
const LEASE_LOOK_MS = 100;
const LEASE_AHEAD_MS = 500;
/** Waiting pages for each visit that may be under way. */
const AHEAD = 2;

/** Status and latency of a visit, for the pace of its host; null where nothing was sent. */
export type VisitTiming = {
  /** Null when no answer came in time. */
  readonly status: number | null;
  readonly latencyMs: number;
  readonly retryAfter: string | null;
} | null;

type HostState = { numbers: PaceState; inFlight: number; ahead: number; readonly lease: HostLease | null };

type HostPacesParts = {
  readonly clock: Clock;
  /** Null where no other process visits. */
  readonly leases: HostLeases | null;
};

/** The pace of each host, shared by all crawls of this process, and by those of others that share its store. */
export class HostPaces {
  readonly #parts: HostPacesParts;
  readonly #hosts = new Map<string, HostState>();

  constructor(parts: HostPacesParts) {
    this.#parts = parts;
  }

  /** The pace of one crawl at one host; `delayMs` is the gap that its caller fixed, null for none. */
  of(host: string, delayMs: number | null): HostPace {
    return new HostPace(() => this.#stateOf(host, delayMs), { delayMs, clock: this.#parts.clock });
  }

  #stateOf(host: string, delayMs: number | null): HostState {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    this.#makeRoom();
    const learn = (numbers: PaceState): void => void (state.numbers = numbers);
    const lease = this.#parts.leases?.of(host, { pace: () => state.numbers, learn }) ?? null;
    const state: HostState = { numbers: firstPace({ delayMs, crawlDelayMs: 0 }), inFlight: 0, ahead: 0, lease };
    this.#hosts.set(host, state);
    return state;
  }

  /** Forgets hosts that are not visited now, the oldest first, where too many are known. */
  #makeRoom(): void {
    for (const [host, { inFlight, ahead, lease }] of this.#hosts) {
      if (this.#hosts.size < MOST_HOSTS) return;
      if (inFlight + ahead === 0 && lease?.isIdle() !== false) this.#hosts.delete(host);
    }
  }
}

type HostPaceOptions = { readonly delayMs: number | null; readonly clock: Clock };

/** The pace of one crawl at one host. */
export class HostPace {
  readonly #stateOf: () => HostState;
  readonly #delayMs: number | null;
  readonly #clock: Clock;
  #crawlDelayMs = 0;

  /** `stateOf` gives the state of the host, which may have been forgotten since the last time. */
  constructor(stateOf: () => HostState, { delayMs, clock }: HostPaceOptions) {
    this.#stateOf = stateOf;
    this.#delayMs = delayMs;
    this.#clock = clock;
  }

  /** Ms until the next visit may start, 0 for now; null when one that is under way has to end first. */
  waitMs(): number | null {
    const waitMs = this.#wait();
    return waitMs === 0 && this.#stateOf().ahead > 0 ? TURN_MS : waitMs;
  }

  /** Visits that could start within `withinMs` if those under way ended, at most two for each that may be under way. */
  demand(withinMs: number): number {
    const { numbers } = this.#stateOf();
    const now = this.#clock.now();
    const leftMs = withinMs - (waitOf(numbers, this.#rules(), { now, inFlight: 0 }) ?? 0);
    if (leftMs < 0) return 0;
    const gapMs = waitOf(afterStart(numbers, now), this.#rules(), { now, inFlight: 0 }) ?? 0;
    return Math.min(numbers.limit * AHEAD, 1 + Math.floor(leftMs / Math.max(1, gapMs)));
  }

  /** Waits for the next turn before all visits that ask `waitMs`, and counts it as `begin` does. */
  async turn(signal: AbortSignal): Promise<(heard: VisitTiming) => void> {
    const state = this.#stateOf();
    state.ahead += 1;
    try {
      for (let waitMs = this.#wait(); waitMs !== 0; waitMs = this.#wait()) {
        await this.#clock.sleep(waitMs ?? TURN_MS, signal);
      }
      signal.throwIfAborted();
      return this.begin();
    } finally {
      state.ahead -= 1;
    }
  }

  /** Gets a file that is no page of a crawl, in its turn and before the waiting pages; its timing counts for the pace. */
  async visit(signal: AbortSignal, visit: () => Promise<Page>): Promise<Page> {
    const ended = await this.turn(signal);
    const started = this.#clock.monotonic();
    let page: Page | null = null;
    try {
      page = await visit();
      return page;
    } finally {
      const latencyMs = Math.round(this.#clock.monotonic() - started);
      ended({ status: page?.status ?? null, latencyMs, retryAfter: page?.headers['retry-after'] ?? null });
    }
  }

  /** Counts a visit; the returned function ends it. */
  begin(): (heard: VisitTiming) => void {
    const state = this.#stateOf();
    const startedAt = this.#clock.now();
    state.numbers = afterStart(state.numbers, startedAt);
    state.inFlight += 1;
    const leased = this.#leaseOf(state)?.begin();
    return (heard) => {
      state.inFlight -= 1;
      if (heard !== null) {
        state.numbers = afterAnswer(state.numbers, this.#rules(), { ...heard, now: this.#clock.now(), startedAt });
      }
      leased?.();
    };
  }

  /** Takes a refusal into account before its visit has ended. */
  learn(heard: NonNullable<VisitTiming>): void {
    const state = this.#stateOf();
    const now = this.#clock.now();
    state.numbers = afterAnswer(state.numbers, this.#rules(), { ...heard, now, startedAt: now - heard.latencyMs });
  }

  /** Waits as a further start of a visit under way has to, and counts it; throws `timeout` with the signal. */
  async again(signal: AbortSignal): Promise<void> {
    const state = this.#stateOf();
    const left = (): number => waitOf(state.numbers, this.#rules(), { now: this.#clock.now(), inFlight: 0 }) ?? 0;
    for (let waitMs = left(); waitMs > 0; waitMs = left()) {
      await this.#clock.sleep(waitMs, signal).catch((error: unknown) => {
        throw failed('timeout', 'the target asked to wait for too long', { reason: 'paced', cause: error });
      });
    }
    state.numbers = afterStart(state.numbers, this.#clock.now());
  }

  /** Sets the crawl delay of the host's robots.txt. */
  setCrawlDelay(ms: number): void {
    this.#crawlDelayMs = ms;
  }

  #rules(): PaceRules {
    return { delayMs: this.#delayMs, crawlDelayMs: this.#crawlDelayMs };
  }

  /** A host that is visited without a pause has no pace to share. */
  #leaseOf({ lease }: HostState): HostLease | null {
    return isUnpaced(this.#rules()) ? null : lease;
  }

  #wait(): number | null {
    const state = this.#stateOf();
    const waitMs = waitOf(state.numbers, this.#rules(), { now: this.#clock.now(), inFlight: state.inFlight });
    if (waitMs === null || waitMs > LEASE_AHEAD_MS) return waitMs;
    return this.#leaseOf(state)?.isHeld() === false ? Math.max(waitMs, LEASE_LOOK_MS) : waitMs;
  }
}
