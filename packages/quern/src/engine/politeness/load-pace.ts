import { performance } from 'node:perf_hooks';
import type { ActiveTenants } from '#kernel/active-tenants.ts';
import type { Clock } from '#kernel/clock.ts';

/** Above this share of busy time, calls wait long for the event loop. */
const BUSY_SHARE = 0.7;
/** The time between two visits for a tenant while the event loop is busy, ms. */
const GAP_MS = 40;
/** How often the load is measured, ms. */
const SAMPLE_MS = 250;

type LoadPaceParts = {
  readonly active: ActiveTenants;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The share of time, 0 to 1, that the event loop was busy since the last call. */
  readonly readUtilization: () => number;
};

/**
 * Spaces the visits of crawls of one tenant while the event loop is busy and other tenants have work. Without it the crawls
 * of one tenant at a fast host delay every call of the others. A tenant that has the service for itself never waits.
 */
export class LoadPace {
  readonly #parts: LoadPaceParts;
  /** When the next visit of a tenant may start, for tenants that have to wait. */
  readonly #nextAt = new Map<string, number>();
  #sampledAt = -Infinity;
  #isBusy = false;

  constructor(parts: LoadPaceParts) {
    this.#parts = parts;
  }

  /** Ms until a crawl of the tenant may start its next visit; 0 for now. */
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

/** Reads the share of time, 0 to 1, that the event loop of this thread was busy since the call before. */
export function openUtilization(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
