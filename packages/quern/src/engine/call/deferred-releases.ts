import { StoreUnavailable } from '#store/db.ts';
import { LeaseLost } from '#engine/jobs/lease.ts';

/**
 * The most releases kept for later. If there are more, the oldest is dropped; other processes release it after this one
 * has ended.
 */
const MAX_WAITING = 10_000;

/**
 * Releases of credits and idempotency keys of failed calls. They wait here while the store is unavailable, because no
 * other process releases them while this one is alive.
 */
export class DeferredReleases {
  readonly #waiting = new Set<() => Promise<void>>();

  /** Runs the release of a call now, or at a later `retry` if the store is unavailable. */
  async run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      this.#waiting.add(work);
      const [oldest] = this.#waiting;
      if (this.#waiting.size > MAX_WAITING && oldest !== undefined) this.#waiting.delete(oldest);
    }
  }

  /** Runs the waiting releases. Throws `StoreUnavailable` if the store is still unavailable. */
  async retry(): Promise<void> {
    for (const work of this.#waiting) {
      try {
        await work();
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        this.#waiting.delete(work);
        // Another worker has taken the job and released its reservation.
        if (!(error instanceof LeaseLost)) throw error;
      }
      this.#waiting.delete(work);
    }
  }
}
