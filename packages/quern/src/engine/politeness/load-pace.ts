import { performance } from 'node:perf_hooks';
import type { ActiveTenants } from '#kernel/active-tenants.ts';
import type { Clock } from '#kernel/clock.ts';

/** Above this share of busy time, calls wait too long for the event loop. */
const BUSY_SHARE = 0.7;
/** Time between two visits of a tenant while the event loop is busy. */
const GAP_MS = 40;
/** How often the load is measured. */
const SAMPLE_MS = 250;

type LoadPaceParts = {
  readonly active: ActiveTenants;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Returns the share of time, 0 to 1, that the event loop was busy since the last call. */
  readonly readUtilization: () => number;
};

/**
 * Spaces out the crawl visits of a tenant while the event loop is busy and other tenants have work. Without it, crawls
 * of one tenant at a fast host would delay every call of the others. A tenant that is alone never waits.
 */
export class LoadPace {
  readonly #parts: LoadPaceParts;
  /** When the next visit of a tenant may start, for tenants that must wait. */
  readonly #nextAt = new Map<string, number>();
  #sampledAt = -Infinity;
  #isBusy = false;

  constructor(parts: LoadPaceParts) {
    this.#parts = parts;
  }

  /** Computes the ms until a crawl of the tenant may start its next visit; 0 for now. */
  computeWaitMs(tenant: string): number {
    return Math.max(0, (this.#nextAt.get(tenant) ?? 0) - this.#parts.clock.monotonic());
  }

  /** Counts a visit that starts. */
  recordStart(tenant: string): void {
    const { active, clock } = this.#parts;
    const now = clock.monotonic();
    this.#sample(now);
    for (const [one, next] of this.#nextAt) if (next <= now) this.#nextAt.delete(one);
    if (this.#isBusy && !active.isAlone(tenant)) this.#nextAt.set(tenant, now + GAP_MS);
  }

  #sample(now: number): void {
    if (now - this.#sampledAt < SAMPLE_MS) return;
    this.#sampledAt = now;
    this.#isBusy = this.#parts.readUtilization() > BUSY_SHARE;
  }
}

/** Creates a function that returns the share of time, 0 to 1, that the event loop was busy since its previous call. */
export function createUtilizationReader(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
