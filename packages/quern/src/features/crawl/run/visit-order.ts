import type { PageClaim } from '#features/crawl/crawl-page.ts';
import type { Clock } from '#kernel/clock.ts';

/** A host is slow if a visit takes longer than this. */
const SLOW_MS = 1000;
/** Share of the slots that is reserved for quick hosts. */
const QUICK_HOST_SHARE = 1 / 4;

type ActiveVisit = { readonly host: string; readonly since: number };

/**
 * Slots for `max` concurrent visits of a crawl. If a crawl visits several hosts, some slots are reserved for quick
 * hosts; slow and unknown hosts share the others.
 */
export class VisitSlots {
  readonly #max: number;
  readonly #clock: Clock;
  readonly #maxOthers: number;
  readonly #taken = new Set<ActiveVisit>();
  readonly #hosts = new Set<string>();
  /** Hosts whose last visit was quick, and that have no slow visit running. */
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

  /** Removes hosts with a slow running visit from the quick ones. */
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

  /** Takes a slot. Returns the function that frees it. */
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

/** Claimed pages that wait for their visit, by host. The host that started a visit last comes last. */
export class ReadyPages {
  readonly #hosts = new Map<string, PageClaim[]>();

  add(claims: readonly PageClaim[]): void {
    for (const claim of claims) {
      const waiting = this.#hosts.get(claim.host);
      if (waiting === undefined) this.#hosts.set(claim.host, [claim]);
      else waiting.push(claim);
    }
  }

  /** Number of waiting pages at the matching hosts. */
  count(matches: (host: string) => boolean = () => true): number {
    let count = 0;
    for (const [host, claims] of this.#hosts) if (matches(host)) count += claims.length;
    return count;
  }

  countAt(host: string): number {
    return this.#hosts.get(host)?.length ?? 0;
  }

  /** Lists the hosts in turn. After `take`, a host with more pages moves to the end. */
  listHosts(): Iterable<string> {
    return this.#hosts.keys();
  }

  /** Takes the next page of a host, and moves the host to the end. */
  take(host: string): PageClaim | null {
    const waiting = this.#hosts.get(host) ?? [];
    const claim = waiting.shift() ?? null;
    this.#hosts.delete(host);
    if (waiting.length > 0) this.#hosts.set(host, waiting);
    return claim;
  }
}

/** An ended page waits at least this long for earlier pages of its host, and for the site's files. */
const MIN_HOLD_MS = 2000;
/** If visits are slow, it waits for this many times the duration of its own visit. */
const HOLD_VISITS = 3;

type StartedVisit = { readonly host: string; readonly at: number };

/**
 * Determines the order in which ended pages are stored: at each host the order of their claims, unless a visit takes
 * much longer than the others. So the first of several equal pages is stored whichever answers first, and links are
 * found in a stable order.
 */
export class CommitOrder {
  readonly #clock: Clock;
  /** Running visits by their numbers, which increase. */
  readonly #started = new Map<number, StartedVisit>();
  #last = 0;
  #filesSince: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Registers the start of a visit. Returns its number. */
  begin(host: string): number {
    this.#last += 1;
    this.#started.set(this.#last, { host, at: this.#clock.monotonic() });
    return this.#last;
  }

  /** Describes a visit that ends now. */
  describeEnded(number: number): EndedVisit {
    const now = this.#clock.monotonic();
    const { host, at } = this.#started.get(number) ?? { host: '', at: now };
    return { host, number, holdMs: Math.max(MIN_HOLD_MS, HOLD_VISITS * (now - at)) };
  }

  end(number: number): void {
    this.#started.delete(number);
  }

  /** Registers that the site's files are being read: their pages have the same depth as the links of the seed. */
  beginFiles(): void {
    this.#filesSince = this.#clock.monotonic();
  }

  endFiles(): void {
    this.#filesSince = null;
  }

  /** Lists the ended pages that need not wait for an earlier one, in order. */
  listCommittable<T extends EndedVisit>(ended: readonly T[]): readonly T[] {
    return sortByStart(ended.filter((page) => this.#listWaits(page).length === 0));
  }

  /** Ms until the first of these pages need not wait any longer, if no earlier visit ends before. */
  msUntilCommittable(ended: readonly EndedVisit[]): number {
    return Math.min(...ended.flatMap((page) => this.#listWaits(page)));
  }

  /** How long an ended page still waits for each earlier visit and for the files, ms. */
  #listWaits({ host, number, holdMs }: EndedVisit): readonly number[] {
    const now = this.#clock.monotonic();
    const since = this.#filesSince === null ? [] : [this.#filesSince];
    for (const [other, started] of this.#started) {
      // The map is sorted by number.
      if (other >= number) break;
      if (started.host === host) since.push(started.at);
    }
    return since.map((at) => at + holdMs - now).filter((ms) => ms > 0);
  }
}

/** A visit that ended. `holdMs` is how long it waits for an earlier visit, counted from the start of that visit. */
export type EndedVisit = { readonly host: string; readonly number: number; readonly holdMs: number };

/** Sorts visits by their start. */
export function sortByStart<T extends EndedVisit>(ended: readonly T[]): readonly T[] {
  return ended.toSorted((a, b) => a.number - b.number);
}
