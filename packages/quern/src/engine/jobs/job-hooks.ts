import { InvariantError } from '#extract/invariant-error.ts';
import type { ServiceError } from '#kernel/errors.ts';
import type { Queryable } from '#store/db.ts';
import type { Usage } from '#engine/credits/prices.ts';
import type { JobInput, JobRow } from './job-record.ts';

/**
 * A failed attempt: its error, the number of visits, and its charge if there is one. `failedAt` (ms) is set if it is
 * written later.
 */
export type JobFailure = {
  readonly failure: ServiceError;
  readonly attempts: number;
  readonly usage?: Usage;
  readonly failedAt?: number;
};

/** The feature that owns a job, such as monitors. The tenant sees the job there, and it has no result of its own. */
export type JobOwner = {
  readonly maxAttempts: number;
  /** Whether a failure ends the job without another attempt. */
  readonly isFinal: (failure: ServiceError) => boolean;
  /** Takes the response body of the job. The returned function writes the outcome in the transaction of the charge. */
  readonly prepare: (row: JobRow, body: JobInput) => Promise<(tx: Queryable, usage: Usage) => Promise<void>>;
  readonly fail: (tx: Queryable, row: JobRow, failed: JobFailure) => Promise<void>;
  readonly cancel: (tx: Queryable, row: JobRow) => Promise<void>;
};

/** Functions of a feature that are called when jobs end. */
export type JobHooks = {
  /** For jobs that have an owner. */
  readonly owner?: JobOwner;
  /** For jobs submitted with `notify`, in the transaction that completes or fails them. */
  readonly end?: (tx: Queryable, jobId: string, status: 'completed' | 'failed') => Promise<void>;
  /** After the transaction, for every kind of end. */
  readonly afterEnd?: (row: JobRow) => void;
};

/** Merges the hooks of all features. `hooks` is a function because features are created after the jobs. */
export function mergeHooks(hooks: () => readonly JobHooks[]) {
  return {
    /** Finds the owner of a job; null if the tenant submitted it. */
    ownerOf(row: JobRow): JobOwner | null {
      if (row.owner_id === null) return null;
      for (const { owner } of hooks()) if (owner !== undefined) return owner;
      throw new InvariantError(`no feature owns ${row.id}`);
    },

    async end(tx: Queryable, row: JobRow, status: 'completed' | 'failed'): Promise<void> {
      if (row.notify === 1) for (const hook of hooks()) await hook.end?.(tx, row.id, status);
    },

    afterEnd(row: JobRow): void {
      for (const hook of hooks()) hook.afterEnd?.(row);
    },
  };
}

export type MergedHooks = ReturnType<typeof mergeHooks>;
