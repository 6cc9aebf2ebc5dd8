import type { Attempt, Tier } from '#access/page.ts';
import { formatTimeoutRemedy } from '#access/tiers/ladder-failure.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import { toBackendUnavailable } from '#store/store-failure.ts';
import type { Caller } from '#engine/identity/caller.ts';
import { type Lease, JobStopped } from '#engine/jobs/lease.ts';
import type { Operation, Reply } from './operation.ts';
import type { Usage } from '#engine/credits/prices.ts';

/** One call of an operation, as a transport or the worker passes it on. */
export type CallRequest = {
  readonly caller: Caller;
  readonly requestId: string;
  /** Aborts when the caller disconnects or a job must stop. Then the work stops and nothing is charged. */
  readonly signal: AbortSignal;
  /** The Idempotency-Key of the caller; null if none was sent. */
  readonly idempotencyKey: string | null;
  /** The Last-Event-ID of an event stream; null if the caller has not seen any event. */
  readonly lastEventId: number | null;
  /** The lease of the job that runs; null for an inline call. */
  readonly lease: Lease | null;
  /** Whether large fields of the body may be serialized already (`JsonBytes`), which saves time on the event loop. */
  readonly takesJsonBytes?: boolean;
};

/** The complete response of a call. Its body has `request_id` and, if work was done, `usage`. */
export type Answer = Omit<Reply, 'body'> & {
  /** Empty for a 204 response and for a stream. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Null if no work was done. */
  readonly usage: Usage | null;
  /** Credits remaining this month; null if unlimited. */
  readonly remaining: number | null;
  /** Deprecated parameters that the caller used. */
  readonly deprecated: readonly string[];
  /** The serialized body of inline work. The transport calls `leave` after sending it. */
  readonly serialized?: SerializedBody;
};

/** A response body as JSON: text, or UTF-8 pieces if it is large. `leave` releases the memory reserved for it. */
export type SerializedBody = {
  readonly json: string | readonly Uint8Array[];
  /** Length in UTF-8. */
  readonly bytes: number;
  readonly leave: () => void;
};

/** Runs an operation for any transport or the worker, with all checks and charges. Throws `ServiceError`. */
export type PerformOperation = (operation: Operation, raw: unknown, call: CallRequest) => Promise<Answer>;

/** The tiers that a call may use and the attempts it made, for the message of a timeout. */
export type WorkFacts = { readonly tiers: readonly Tier[]; readonly attempts: readonly Attempt[] };

/** Converts anything thrown into the error for the caller. `facts` returns null if the work had not started. */
export function toServiceError(
  error: unknown,
  call: CallRequest,
  facts: () => WorkFacts | null = () => null,
): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreUnavailable) return toBackendUnavailable(error);
  if (call.signal.aborted || error instanceof JobStopped) {
    return new ServiceError('timeout', 'the caller disconnected before the response was ready', { cause: error });
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new ServiceError('timeout', describeTimeout(facts()), { cause: error });
  }
  return new ServiceError('internal_error', 'unexpected error; report the request id to the operator', {
    cause: error,
  });
}

function describeTimeout(facts: WorkFacts | null): string {
  const { tiers, attempts } = facts ?? { tiers: [], attempts: [] };
  const isFetched = attempts.at(-1)?.status_code !== undefined;
  const what = isFetched ? 'the page was fetched, but reading it took too long' : 'the time of the call is up';
  return `${what}; ${formatTimeoutRemedy(
    tiers,
    attempts.map(({ tier }) => tier),
  )}`;
}
