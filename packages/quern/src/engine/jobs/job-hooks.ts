import { InvariantError } from '#extract/invariant-error.ts';
import type { ServiceError } from '#kernel/errors.ts';
import type { Statements } from '#store/db.ts';
import type { Usage } from '#engine/credits/prices.ts';
import type { JobInput, JobRow } from './job-record.ts';

/** The failure of an attempt, the number of visits that it made, and its charge where it has one; `failedAt`, ms, where it is written later. */
export type JobFailure = {
  readonly failure: ServiceError;
  readonly attempts: number;
  readonly usage?: Usage;
  readonly failedAt?: number;
};

/** The feature whose work a job carries out: its tenant sees the job there, and it leaves no result of its own. */
export type JobOwner = {
  readonly mostAttempts: number;
  /** Whether a failure ends the job, so that it is not tried again. */
  readonly isFinal: (failure: ServiceError) => boolean;
  /** Reads the answer of the job; the returned function writes the outcome, in the transaction of the charge. */
  readonly prepare: (row: JobRow, body: JobInput) => Promise<(tx: Statements, usage: Usage) => Promise<void>>;
  readonly fail: (tx: Statements, row: JobRow, failed: JobFailure) => Promise<void>;
  readonly cancel: (tx: Statements, row: JobRow) => Promise<void>;
};

/** The functions of a feature that are called when jobs end. */
export type JobHooks = {
  /** Of jobs that have an owner. */
  readonly owner?: JobOwner;
  /** Of jobs that were submitted with `notify`, in the transaction that completes or fails them. */
  readonly end?: (tx: Statements, jobId: string, status: 'completed' | 'failed') => Promise<void>;
  /** After the transaction of an end, whichever it was. */
  readonly afterEnd?: (row: JobRow) => void;
};

/** The hooks of all features as one; features are made after the jobs, so `hooks` is called when a job ends. */
export function mergeHooks(hooks: () => readonly JobHooks[]) {
  return {
    /** Null for a job of its tenant. */
    ownerOf(row: JobRow): JobOwner | null {
      if (row.owner_id === null) return null;
      for (const { owner } of hooks()) if (owner !== undefined) return owner;
      throw new InvariantError(`no feature owns ${row.id}`);
    },

    async end(tx: Statements, row: JobRow, status: 'completed' | 'failed'): Promise<void> {
      if (row.notify === 1) for (const hook of hooks()) await hook.end?.(tx, row.id, status);
    },

    afterEnd(row: JobRow): void {
      for (const hook of hooks()) hook.afterEnd?.(row);
    },
  };
}

export type MergedHooks = ReturnType<typeof mergeHooks>;
