import { buildFailure } from '#access/failure.ts';
import type { Page } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';
import type { WorkOwner } from '#kernel/fair-queue.ts';
import type { HostLease, HostLeases } from './host-leases.ts';
import {
  recordAnswer,
  recordStart,
  buildFirstPace,
  isUnpaced,
  type PaceRules,
  type PaceState,
  computePlaceLimit,
  relaxPace,
  computeWaitMs,
} from './pace-state.ts';
import type { LoadPace } from './load-pace.ts';

const MAX_HOSTS = 10_000;
/** Poll interval of a visit that waits for its turn. */
const TURN_POLL_MS = 25;
/**
 * Poll interval of a visit that waits for the lease of its host, and how long before a visit the lease is requested.
 */
const LEASE_POLL_MS = 100;
const LEASE_AHEAD_MS = 500;
/** Poll interval of a visit that waits for a slot of another crawl. */
const PLACE_POLL_MS = 100;
/** Poll interval of a visit that waits for a slot of its own crawl, which asks again when it is free. */
const OWN_PLACE_POLL_MS = 1000;
/** A crawl that does not ask again within this time after it wanted to no longer counts as waiting. */
const WANT_GRACE_MS = 250;
/** Pages prepared for each visit that may be in progress. */
const QUEUED_PER_VISIT = 2;

/** Status and latency of a visit, for the pace of its host; null if no request was sent. */
export type VisitTiming = {
  /** Null if the request timed out. */
  readonly status: number | null;
  readonly latencyMs: number;
  readonly retryAfter: string | null;
} | null;

type HostState = {
  numbers: PaceState;
  /** The last known start in another process. */
  foreignStart: number;
  readonly turns: HostTurns;
  readonly lease: HostLease | null;
};

/** A visit in progress. */
export type HostVisit = {
  /** Releases the slot after the host has responded. */
  readonly releasePlace: () => void;
  /** Takes the slot again for another attempt. */
  readonly takePlace: () => void;
  readonly end: (heard: VisitTiming) => void;
};

type HostPacesParts = {
  readonly clock: Clock;
  /** Null if no other process visits hosts. */
  readonly leases: HostLeases | null;
  readonly load: LoadPace;
};

/** The pace of each host, shared by all crawls of this process and of other processes on its store. */
export class HostPaces {
  readonly #parts: HostPacesParts;
  readonly #hosts = new Map<string, HostState>();

  constructor(parts: HostPacesParts) {
    this.#parts = parts;
  }

  /** Returns the pace of one crawl at one host. `delayMs` is the gap fixed by the caller; null for none. */
  open(host: string, { delayMs, party }: CrawlPace): HostPace {
    return new HostPace(() => this.#stateOf(host, delayMs), { ...this.#parts, delayMs, party });
  }

  #stateOf(host: string, delayMs: number | null): HostState {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    this.#makeRoom();
    const learn = (numbers: PaceState): void => {
      state.numbers = numbers;
      state.foreignStart = numbers.startedAt;
    };
    const lease = this.#parts.leases?.open(host, { pace: () => state.numbers, learn }) ?? null;
    const numbers = buildFirstPace({ delayMs, crawlDelayMs: 0 });
    const state: HostState = { numbers, foreignStart: 0, turns: new HostTurns(), lease };
    this.#hosts.set(host, state);
    return state;
  }

  /** Drops the oldest hosts without visits if there are too many. */
  #makeRoom(): void {
    for (const [host, { turns, lease }] of this.#hosts) {
      if (this.#hosts.size < MAX_HOSTS) return;
      if (turns.isFree() && lease?.isIdle() !== false) this.#hosts.delete(host);
    }
  }
}

/** The crawl that a pace belongs to. */
export type CrawlPace = { readonly delayMs: number | null; readonly party: WorkOwner };

type HostPaceOptions = CrawlPace & Pick<HostPacesParts, 'clock' | 'load'>;

/** The pace of one crawl at one host. */
export class HostPace {
  readonly #stateOf: () => HostState;
  readonly #delayMs: number | null;
  readonly #party: WorkOwner;
  readonly #clock: Clock;
  readonly #load: LoadPace;
  #crawlDelayMs = 0;
  #startedAt = 0;
  #inFlight = 0;

  /** `stateOf` returns the state of the host, which may have been dropped and created again. */
  constructor(stateOf: () => HostState, { delayMs, party, clock, load }: HostPaceOptions) {
    this.#stateOf = stateOf;
    this.#delayMs = delayMs;
    this.#party = party;
    this.#clock = clock;
    this.#load = load;
  }

  /** Computes the ms until the next visit may start, 0 for now; null if a visit in progress must end first. */
  computeWaitMs(): number | null {
    const waitMs = this.#wait();
    return waitMs === 0 && this.#visitorAt(this.#stateOf()).waitingFiles > 0 ? TURN_POLL_MS : waitMs;
  }

  /** Counts the visits that could start within `withinMs`, at most two for each that may be in progress. */
  countStartable(withinMs: number): number {
    const state = this.#stateOf();
    const { numbers } = state;
    const now = this.#clock.now();
    const leftMs = withinMs - this.#gapAt(state, now);
    if (leftMs < 0) return 0;
    const gapMs = computeWaitMs(recordStart(numbers, now), this.#rules(), { now, inFlight: 0 }) ?? 0;
    return Math.min(numbers.limit * QUEUED_PER_VISIT, 1 + Math.floor(leftMs / Math.max(1, gapMs)));
  }

  /** Waits for the next turn with priority over pages, and counts the visit like `begin`. */
  async waitForTurn(signal: AbortSignal): Promise<(heard: VisitTiming) => void> {
    const visitor = this.#visitorAt(this.#stateOf());
    visitor.waitingFiles += 1;
    try {
      for (let waitMs = this.#wait(); waitMs !== 0; waitMs = this.#wait()) {
        await this.#clock.sleep(waitMs ?? TURN_POLL_MS, signal);
      }
      signal.throwIfAborted();
      return this.begin().end;
    } finally {
      visitor.waitingFiles -= 1;
    }
  }

  /** Fetches a file such as a sitemap in its turn, with priority over pages. Its timing counts for the pace. */
  async fetchInTurn(signal: AbortSignal, visit: () => Promise<Page>): Promise<Page> {
    const ended = await this.waitForTurn(signal);
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

  /** Counts a visit. */
  begin(): HostVisit {
    const state = this.#stateOf();
    const visitor = this.#visitorAt(state);
    const startedAt = this.#clock.now();
    state.numbers = recordStart(state.numbers, startedAt);
    this.#startedAt = startedAt;
    state.turns.begin(visitor);
    this.#load.recordStart(this.#party.tenant);
    this.#inFlight += 1;
    const leased = this.#leaseOf(state)?.begin();
    let hasPlace = true;
    const take = (takes: boolean): void => {
      if (hasPlace === takes) return;
      hasPlace = takes;
      visitor.inFlight += takes ? 1 : -1;
      this.#inFlight += takes ? 1 : -1;
    };
    return {
      releasePlace: () => take(false),
      takePlace: () => take(true),
      end: (heard) => {
        take(false);
        if (heard !== null) {
          state.numbers = recordAnswer(state.numbers, this.#rules(), { ...heard, now: this.#clock.now(), startedAt });
        }
        leased?.();
      },
    };
  }

  /** Slows the host down for a refusal before its visit has ended. */
  recordRefusal(heard: NonNullable<VisitTiming>): void {
    const state = this.#stateOf();
    const now = this.#clock.now();
    state.numbers = recordAnswer(state.numbers, this.#rules(), { ...heard, now, startedAt: now - heard.latencyMs });
  }

  /**
   * Waits until a visit in progress may start another request, and counts it. Throws `timeout` when the signal aborts.
   */
  async waitForRetry(signal: AbortSignal): Promise<void> {
    const state = this.#stateOf();
    const visitor = this.#visitorAt(state);
    const left = (): number => {
      const now = this.#clock.now();
      const waitMs = this.#gapAt(state, now);
      state.turns.want(visitor, { now, dueAt: now, withinMs: waitMs + WANT_GRACE_MS });
      return waitMs;
    };
    for (let waitMs = left(); waitMs > 0; waitMs = left()) {
      await this.#clock.sleep(waitMs, signal).catch((error: unknown) => {
        throw buildFailure('timeout', 'the target asked to wait for longer than the time limit', {
          reason: 'paced',
          cause: error,
        });
      });
    }
    this.#startedAt = this.#clock.now();
    state.numbers = recordStart(state.numbers, this.#startedAt);
  }

  /** Sets the crawl delay from the robots.txt of the host. */
  setCrawlDelay(ms: number): void {
    this.#crawlDelayMs = ms;
  }

  #rules(): PaceRules {
    return { delayMs: this.#delayMs, crawlDelayMs: this.#crawlDelayMs };
  }

  /** A host that is visited without delay has no pace to share. */
  #leaseOf({ lease }: HostState): HostLease | null {
    return isUnpaced(this.#rules()) ? null : lease;
  }

  /** Returns the tenant of the crawl among the visitors of the host. */
  #visitorAt(state: HostState): Visitor {
    const { visitor, isNew } = state.turns.join(this.#party, this.#clock.now());
    if (isNew) state.numbers = relaxPace(state.numbers);
    return visitor;
  }

  /** Computes the ms until a visit may start, without regard to slots. */
  #gapAt(state: HostState, now: number): number {
    return computeWaitMs(state.numbers, this.#rules(), { now, inFlight: 0, ownStartedAt: this.#lastStart(state) }) ?? 0;
  }

  /**
   * The start from which the delay of the crawl counts. It includes other processes, which visit for the same crawl.
   */
  #lastStart({ numbers, foreignStart, turns }: HostState): number {
    return turns.isShared() ? this.#startedAt : Math.max(this.#startedAt, foreignStart, numbers.startedAt);
  }

  /** Computes the ms until its turn; null if a visit of its own crawl must end first. */
  #turnAt(state: HostState): number | null {
    const { turns, numbers } = state;
    const visitor = this.#visitorAt(state);
    const now = this.#clock.now();
    const limit = computePlaceLimit(numbers, this.#rules());
    if (!turns.hasPlace(visitor, limit, now)) {
      const isOwn = turns.inFlight() === this.#inFlight;
      turns.want(visitor, { now, dueAt: now, withinMs: isOwn ? OWN_PLACE_POLL_MS : PLACE_POLL_MS + WANT_GRACE_MS });
      return isOwn ? null : PLACE_POLL_MS;
    }
    const waitMs = this.#gapAt(state, now);
    const dueAt = this.#lastStart(state) + (this.#delayMs ?? 0);
    turns.want(visitor, { now, dueAt, withinMs: waitMs + WANT_GRACE_MS });
    return waitMs === 0 && turns.mustYield(visitor, limit, now) ? TURN_POLL_MS : waitMs;
  }

  #wait(): number | null {
    const state = this.#stateOf();
    const turnMs = this.#turnAt(state);
    if (turnMs === null) return null;
    const waitMs = Math.max(turnMs, this.#load.computeWaitMs(this.#party.tenant));
    if (waitMs > LEASE_AHEAD_MS) return waitMs;
    return this.#leaseOf(state)?.isHeld() === false ? Math.max(waitMs, LEASE_POLL_MS) : waitMs;
  }
}

/** A tenant without requests for this time is dropped. */
const MAX_IDLE_MS = 60_000;

/** A tenant that visits a host or waits for it. */
type Visitor = {
  readonly tenant: string;
  weight: number;
  inFlight: number;
  /** Files that wait with priority over its pages. */
  waitingFiles: number;
  /** The number of its starts divided by its weight. When it joins, it starts with the lowest number of the others. */
  starts: number;
  /** It wants to start a visit between `dueAt`, given by its own delay, and `wantsUntil`. */
  dueAt: number;
  wantsUntil: number;
};

type WantedStart = { readonly now: number; readonly dueAt: number; readonly withinMs: number };

/** The tenants at one host. Slots and starts are shared fairly between them; a single tenant gets all. */
class HostTurns {
  readonly #visitors = new Map<string, Visitor>();

  /** Returns the visitor of a tenant, and whether it has just joined others. */
  join({ tenant, weight }: WorkOwner, now: number): { readonly visitor: Visitor; readonly isNew: boolean } {
    const known = this.#visitors.get(tenant);
    if (known !== undefined) {
      known.weight = weight;
      return { visitor: known, isNew: false };
    }
    for (const [name, one] of this.#visitors) if (isIdle(one, now - MAX_IDLE_MS)) this.#visitors.delete(name);
    const visitor = { tenant, weight, inFlight: 0, waitingFiles: 0, starts: 0, dueAt: 0, wantsUntil: 0 };
    const isNew = this.#visitors.size > 0;
    this.#visitors.set(tenant, visitor);
    return { visitor, isNew };
  }

  /** Whether no tenant has a visit in progress or waits. */
  isFree(): boolean {
    return this.#visitors.values().every(({ inFlight, waitingFiles }) => inFlight + waitingFiles === 0);
  }

  isShared(): boolean {
    return this.#visitors.size > 1;
  }

  inFlight(): number {
    return this.#visitors.values().reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  /**
   * Records that a tenant wants to start a visit. One that was idle continues with the lowest number of starts of the
   * others.
   */
  want(visitor: Visitor, { now, dueAt, withinMs }: WantedStart): void {
    if (isIdle(visitor, now)) {
      const others = this.#wanting(visitor, now).map(({ starts }) => starts);
      if (others.length > 0) visitor.starts = Math.max(visitor.starts, Math.min(...others));
    }
    visitor.dueAt = dueAt;
    visitor.wantsUntil = now + withinMs;
  }

  /**
   * Whether a tenant may take one more of `limit` slots. Each waiting tenant has a share, and if one holds all slots,
   * another may have one in addition.
   */
  hasPlace(visitor: Visitor, limit: number, now: number): boolean {
    const taken = this.inFlight();
    if (taken < limit) return visitor.inFlight < this.#partOf(visitor, limit, now);
    if (visitor.inFlight > 0 || taken > limit) return false;
    return this.#visitors.values().some((other) => other !== visitor && other.inFlight >= limit);
  }

  /** Whether another tenant that could start a visit now has had fewer starts. */
  mustYield(visitor: Visitor, limit: number, now: number): boolean {
    return this.#wanting(visitor, now).some(
      (other) => other.starts < visitor.starts && other.inFlight < this.#partOf(other, limit, now),
    );
  }

  begin(visitor: Visitor): void {
    visitor.inFlight += 1;
    visitor.starts += 1 / visitor.weight;
  }

  #partOf(visitor: Visitor, limit: number, now: number): number {
    const others = this.#wanting(visitor, now);
    if (others.length === 0) return limit;
    const weights = others.reduce((sum, { weight }) => sum + weight, visitor.weight);
    return Math.max(1, Math.floor((limit * visitor.weight) / weights));
  }

  #wanting(besides: Visitor, now: number): readonly Visitor[] {
    return [...this.#visitors.values()].filter((one) => one !== besides && one.wantsUntil > now && one.dueAt <= now);
  }
}

function isIdle({ inFlight, waitingFiles, wantsUntil }: Visitor, now: number): boolean {
  return inFlight + waitingFiles === 0 && wantsUntil < now;
}
