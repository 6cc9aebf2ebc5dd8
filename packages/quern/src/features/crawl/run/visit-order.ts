import type { PageClaim } from '#features/crawl/crawl-page.ts';
import type { Clock } from '#kernel/clock.ts';

/** A host is slow when a visit of it takes longer, ms. */
const SLOW_MS = 1000;
/** The share of all slots that is left to quick hosts. */
const QUICK_HOST_SHARE = 1 / 4;

type ActiveVisit = { readonly host: string; readonly since: number };

/**
 * Slots for `most` visits of a crawl at once. As soon as a crawl visits several hosts, slow ones and those not yet known
 * leave some slots to the quick ones.
 */
export class VisitSlots {
  readonly #max: number;
  readonly #clock: Clock;
  readonly #maxOthers: number;
  readonly #taken = new Set<ActiveVisit>();
  readonly #hosts = new Set<string>();
  /** Hosts whose last visit was quick, and that have no slow visit under way. */
  readonly #quick = new Set<string>();

  constructor(most: number, clock: Clock) {
    this.#max = most;
    this.#clock = clock;
    this.#maxOthers = most - Math.ceil(most * QUICK_HOST_SHARE);
  }

  count(): number {
    return this.#taken.size;
  }

  isQuick(host: string): boolean {
    return this.#quick.has(host);
  }

  hasQuickHosts(): boolean {
    return this.#quick.size > 0;
  }

  /** Finds the hosts that have become slow. */
  updateSlowHosts(): void {
    const now = this.#clock.monotonic();
    for (const { host, since } of this.#taken) if (now - since > SLOW_MS) this.#quick.delete(host);
  }

  canBegin(host: string): boolean {
    this.#hosts.add(host);
    if (this.#taken.size >= this.#max) return false;
    if (this.#taken.size < this.#maxOthers || this.#hosts.size === 1 || this.#quick.has(host)) return true;
    return [...this.#taken].filter((one) => !this.#quick.has(one.host)).length < this.#maxOthers;
  }

  /** Takes a slot; returns the function that frees it. */
  begin(host: string): () => void {
    const visit = { host, since: this.#clock.monotonic() };
    this.#taken.add(visit);
    return () => {
      this.#taken.delete(visit);
      if (this.#clock.monotonic() - visit.since > SLOW_MS) this.#quick.delete(host);
      else this.#quick.add(host);
    };
  }
}

/** Claimed pages that wait for their visit, by host; the host that began a visit last is the last in order. */
export class ReadyPages {
  readonly #hosts = new Map<string, PageClaim[]>();

  add(claims: readonly PageClaim[]): void {
    for (const claim of claims) {
      const waiting = this.#hosts.get(claim.host);
      if (waiting === undefined) this.#hosts.set(claim.host, [claim]);
      else waiting.push(claim);
    }
  }

  /** Number of pages at the hosts that match. */
  count(matches: (host: string) => boolean = () => true): number {
    let count = 0;
    for (const [host, claims] of this.#hosts) if (matches(host)) count += claims.length;
    return count;
  }

  countAt(host: string): number {
    return this.#hosts.get(host)?.length ?? 0;
  }

  /** The hosts in their turns; a host that has further pages after `take` comes again at the end. */
  listHosts(): Iterable<string> {
    return this.#hosts.keys();
  }

  /** Takes the next page of a host, and puts the host behind the others. */
  take(host: string): PageClaim | null {
    const waiting = this.#hosts.get(host) ?? [];
    const claim = waiting.shift() ?? null;
    this.#hosts.delete(host);
    if (waiting.length > 0) this.#hosts.set(host, waiting);
    return claim;
  }
}

/** An earlier page of a host, or the reading of the site's files, keeps a later page from being stored for this long. */
const MIN_HOLD_MS = 2000;
/** Where visits are slow, it does so for as long as this many visits of the later page take. */
const HOLD_VISITS = 3;

type StartedVisit = { readonly host: string; readonly at: number };

/**
 * The order in which pages that ended are stored: that of their claims at each host, as long as none takes much longer than
 * the others. So the first of several equal pages is stored whichever answers first, and links are found in the same order.
 */
export class CommitOrder {
  readonly #clock: Clock;
  /** Visits under way by their numbers, which grow. */
  readonly #started = new Map<number, StartedVisit>();
  #last = 0;
  #filesSince: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins a visit; returns its number. */
  begin(host: string): number {
    this.#last += 1;
    this.#started.set(this.#last, { host, at: this.#clock.monotonic() });
    return this.#last;
  }

  /** A visit that ends now. */
  describeEnded(number: number): EndedVisit {
    const now = this.#clock.monotonic();
    const { host, at } = this.#started.get(number) ?? { host: '', at: now };
    return { host, number, holdMs: Math.max(MIN_HOLD_MS, HOLD_VISITS * (now - at)) };
  }

  end(number: number): void {
    this.#started.delete(number);
  }

  /** Begins the reading of the site's files, whose pages are as near as those of the start. */
  beginFiles(): void {
    this.#filesSince = this.#clock.monotonic();
  }

  endFiles(): void {
    this.#filesSince = null;
  }

  /** Those of the ended pages that wait for no earlier one, in order. */
  listCommittable<T extends EndedVisit>(ended: readonly T[]): readonly T[] {
    return sortByStart(ended.filter((page) => this.#listWaits(page).length === 0));
  }

  /** Ms until an earlier page or the files keep one of these no longer, if none ends before. */
  msUntilCommittable(ended: readonly EndedVisit[]): number {
    return Math.min(...ended.flatMap((page) => this.#listWaits(page)));
  }

  /** How long each earlier visit, and the reading of the files, may still keep an ended page, ms. */
  #listWaits({ host, number, holdMs }: EndedVisit): readonly number[] {
    const now = this.#clock.monotonic();
    const since = this.#filesSince === null ? [] : [this.#filesSince];
    for (const [other, started] of this.#started) {
      // Visits stand in the order of their numbers.
      if (other >= number) break;
      if (started.host === host) since.push(started.at);
    }
    return since.map((at) => at + holdMs - now).filter((ms) => ms > 0);
  }
}

/** A visit that ended: its host and number, and how long it waits for each earlier one after that began. */
export type EndedVisit = { readonly host: string; readonly number: number; readonly holdMs: number };

/** Visits in the order in which they began. */
export function sortByStart<T extends EndedVisit>(ended: readonly T[]): readonly T[] {
  return ended.toSorted((a, b) => a.number - b.number);
}
