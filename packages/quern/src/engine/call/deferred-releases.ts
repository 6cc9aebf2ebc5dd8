import { StoreUnavailable } from '#store/db.ts';
import { LeaseLost } from '#engine/jobs/lease.ts';

/** The most releases that wait for the store; further ones drop the oldest, which is freed when this process has ended. */
const MAX_WAITING = 10_000;

/**
 * Ends of failed calls, which free their credits and keys. While the store is unavailable they wait here, since no other
 * process frees them as long as this one lives.
 */
export class DeferredReleases {
  readonly #waiting = new Set<() => Promise<void>>();

  /** Runs work that ends a call, now or, when the store is unavailable, at a later `retry`. */
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

  /** Runs the waiting work again; throws `StoreUnavailable` while the store is still unavailable. */
  async retry(): Promise<void> {
    for (const work of this.#waiting) {
      try {
        await work();
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        this.#waiting.delete(work);
        // Another worker has the job and has freed its reservation.
        if (!(error instanceof LeaseLost)) throw error;
      }
      this.#waiting.delete(work);
    }
  }
}
