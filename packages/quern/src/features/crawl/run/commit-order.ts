import type { Clock } from '#kernel/clock.ts';

/** An earlier page of a host, or the reading of the site's files, keeps a later page from being stored for this long. */
const HOLD_MS = 2000;
/** Where visits are slow, it does so for as long as this many visits of the later page take. */
const HOLD_VISITS = 3;

type Started = { readonly host: string; readonly at: number };

/**
 * The order in which pages that ended are stored: that of their claims at each host, as long as none takes much longer than
 * the others. So the first of several equal pages is stored whichever answers first, and links are found in the same order.
 */
export class CommitOrder {
  readonly #clock: Clock;
  /** Visits under way by their numbers, which grow. */
  readonly #started = new Map<number, Started>();
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
  toEnded(number: number): EndedVisit {
    const now = this.#clock.monotonic();
    const { host, at } = this.#started.get(number) ?? { host: '', at: now };
    return { host, number, holdMs: Math.max(HOLD_MS, HOLD_VISITS * (now - at)) };
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
  free<T extends EndedVisit>(ended: readonly T[]): readonly T[] {
    return inOrder(ended.filter((page) => this.#waitsOf(page).length === 0));
  }

  /** Ms until an earlier page or the files keep one of these no longer, if none ends before. */
  untilFree(ended: readonly EndedVisit[]): number {
    return Math.min(...ended.flatMap((page) => this.#waitsOf(page)));
  }

  /** How long each earlier visit, and the reading of the files, may still keep an ended page, ms. */
  #waitsOf({ host, number, holdMs }: EndedVisit): readonly number[] {
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
export function inOrder<T extends EndedVisit>(ended: readonly T[]): readonly T[] {
  return ended.toSorted((a, b) => a.number - b.number);
}
