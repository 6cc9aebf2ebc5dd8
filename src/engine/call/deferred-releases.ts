import { StoreUnavailable } from '#store/db.ts';
import { LeaseLost } from '#engine/jobs/job-leases.ts';

/** Ends of calls that wait for the store at most; of more, the oldest are freed when this process is gone. */
const MOST = 10_000;

export type Arrears = ReturnType<typeof buildArrears>;

/**
 * What a failed call owes the store: the credits that it set aside, the key that it holds. While the store is away it is
 * remembered here, for as long as this process lives nobody else would free it.
 */
export function buildArrears() {
  const owed = new Set<() => Promise<void>>();

  return {
    /** Runs work that ends a call, now or, when the store cannot serve, at a later `pay`. */
    async owe(work: () => Promise<void>): Promise<void> {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        owed.add(work);
        const [oldest] = owed;
        if (owed.size > MOST && oldest !== undefined) owed.delete(oldest);
      }
    },

    /** Tries again what is owed; throws `StoreUnavailable` while the store is still away. */
    async pay(): Promise<void> {
      for (const work of owed) {
        try {
          await work();
        } catch (error) {
          if (error instanceof StoreUnavailable) throw error;
          owed.delete(work);
          // Another worker has the job and has freed what this one held.
          if (!(error instanceof LeaseLost)) throw error;
        }
        owed.delete(work);
      }
    },
  };
}
