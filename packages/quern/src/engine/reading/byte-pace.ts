import type { ActiveTenants } from '#kernel/active-tenants.ts';
import type { Clock } from '#kernel/clock.ts';

/**
 * Bytes of large pages that a tenant may have read in a second while others have work. Each mebibyte takes some ten
 * milliseconds of the event loop, which nothing else can share: it is received, kept, handed to a thread and answered.
 */
const BYTES_PER_SECOND = 4 * 1024 * 1024;

/** How long the place of a large page is held beyond its reading, so that its tenant keeps to a pace. */
export class BytePace {
  readonly #active: ActiveTenants;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** When the bytes of each tenant so far have had their time. */
  readonly #until = new Map<string, number>();

  constructor(active: ActiveTenants, clock: Pick<Clock, 'monotonic'>) {
    this.#active = active;
    this.#clock = clock;
  }

  /** Ms until a page of so many bytes gives back its place; 0 for the only tenant that has work. */
  holdFor(tenant: string, bytes: number): number {
    const now = this.#clock.monotonic();
    for (const [one, until] of this.#until) if (until <= now) this.#until.delete(one);
    if (this.#active.isAlone(tenant)) return 0;
    const until = (this.#until.get(tenant) ?? now) + (bytes / BYTES_PER_SECOND) * 1000;
    this.#until.set(tenant, until);
    return until - now;
  }
}
