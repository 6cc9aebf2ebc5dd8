import type { Clock } from '#kernel/clock.ts';

/** How long an earlier page of a host, or the reading of the site's files, keeps later pages from being stored. */
const HOLD_MS = 2000;

type Started = { readonly host: string; readonly at: number };

/**
 * The order in which pages that ended are stored: that of their claims at each host, as long as none keeps the others for
 * long. So the first of several equal pages is stored whichever answers first, and links are found in the same order.
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
    if (this.#untilOver(this.#filesSince) > 0) return [];
    const first = new Map<string, number>();
    // Visits stand in the order of their numbers.
    for (const [number, { host, at }] of this.#started)
      if (!first.has(host) && this.#untilOver(at) > 0) first.set(host, number);
    return inOrder(ended.filter(({ host, number }) => number < (first.get(host) ?? Infinity)));
  }

  /** Ms until the next page keeps others no longer, if none ends before. */
  untilFree(): number {
    const starts = [this.#filesSince, ...[...this.#started.values()].map(({ at }) => at)];
    return Math.min(...starts.map((at) => this.#untilOver(at)).filter((ms) => ms > 0));
  }

  #untilOver(since: number | null): number {
    return since === null ? 0 : Math.max(0, since + HOLD_MS - this.#clock.monotonic());
  }
}

/** A visit that ended: its host and number. */
export type EndedVisit = { readonly host: string; readonly number: number };

/** Visits in the order in which they began. */
export function inOrder<T extends EndedVisit>(ended: readonly T[]): readonly T[] {
  return ended.toSorted((a, b) => a.number - b.number);
}
