import { findAttemptFailure } from '#access/failure.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { findUrlHost, type JobEvent } from '#kernel/events.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { JobInput, JobRow } from './job-record.ts';
import { type ClaimedJob, type Lease, LeaseLost, JobStopped } from './lease.ts';

/** Builds the fields of an event that identify the job and attempt. */
export function buildEventBase({ id, tenant_id: tenant, kind: operation, owner_id: owner, attempt }: JobRow) {
  return { type: 'job', id, tenant, operation, owner, attempt } as const;
}

/** Observes one attempt of a job and builds the event of its end. */
export class AttemptObserver {
  readonly #clock: Clock;
  readonly #claimed: ClaimedJob;
  readonly #begunAt: number;
  readonly #waitedMs: number;
  #host: string | null = null;
  /** Whether the job has ended with a failed attempt; null if the attempt did not fail. */
  #hasEnded: boolean | null = null;

  constructor(claimed: ClaimedJob, clock: Clock) {
    this.#clock = clock;
    this.#claimed = claimed;
    this.#begunAt = clock.monotonic();
    this.#waitedMs = Math.max(0, clock.now() - claimed.row.due_at);
  }

  /** Wraps a lease to learn how a failed attempt ends. */
  wrapLease(lease: Lease): Lease {
    return {
      ...lease,
      endAttempt: async (tx, failed) => {
        this.#hasEnded = await lease.endAttempt(tx, failed);
        return this.#hasEnded;
      },
    };
  }

  /** Reads the host from the input of the job. */
  readHost(input: JobInput): void {
    const { url, urls } = input;
    this.#host = findUrlHost(url) ?? findUrlHost(Array.isArray(urls) ? urls[0] : null);
  }

  /**
   * Builds the event of an attempt that ended with `error` (null for success). `reason` is the reason of its abort
   * signal.
   */
  toEvent(error: unknown, reason: unknown): JobEvent {
    const { row } = this.#claimed;
    const away = findStoreFailure(error);
    return {
      ...buildEventBase(row),
      outcome: this.#outcomeOf(error, reason),
      code: away !== null ? 'backend_unavailable' : error instanceof ServiceError ? error.code : null,
      reason: away?.part ?? (error instanceof ServiceError ? (findAttemptFailure(error)?.facts.reason ?? null) : null),
      detail: away?.message ?? null,
      host: this.#host,
      durationMs: Math.round(this.#clock.monotonic() - this.#begunAt),
      waitedMs: this.#waitedMs,
    };
  }

  #outcomeOf(error: unknown, reason: unknown): JobEvent['outcome'] {
    if (error === null) return 'completed';
    if (error instanceof LeaseLost) return 'lost';
    if (this.#hasEnded !== true) return 'again';
    return reason instanceof JobStopped && reason.reason === 'cancelled' ? 'cancelled' : 'failed';
  }
}

/** Finds the store failure that ended an attempt; null for any other end. */
function findStoreFailure(error: unknown): StoreUnavailable | null {
  if (error instanceof StoreUnavailable) return error;
  return error instanceof ServiceError && error.cause instanceof StoreUnavailable ? error.cause : null;
}
