import type { Clock } from '#kernel/clock.ts';

/** Tenants whose costs are known; the one that read least lately is forgotten first. */
const MAX_TENANTS = 1000;

/** Time in which a cost counts half. A count of pages would be worn off by a few light ones. */
const HALF_LIFE_MS = 30_000;

/** How much of a parser thread the costliest late page of each tenant took, ms of CPU: one of 30 s ago counts half. */
export class PageCosts {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #known = new Map<string, { readonly ms: number; readonly at: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Null for a tenant of which nothing is known. */
  of(tenant: string): number | null {
    const known = this.#known.get(tenant);
    return known === undefined ? null : known.ms * 0.5 ** ((this.#clock.monotonic() - known.at) / HALF_LIFE_MS);
  }

  note(tenant: string, ms: number): void {
    const before = this.of(tenant) ?? 0;
    this.#known.delete(tenant);
    this.#known.set(tenant, { ms: Math.max(ms, before), at: this.#clock.monotonic() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_TENANTS && oldest !== undefined) this.#known.delete(oldest);
  }
}
