import type { Attempt, Tier } from '#access/page.ts';
import { timeoutRemedy } from '#access/tiers/ladder-failure.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import { toBackendUnavailable } from '#store/store-failure.ts';
import type { Caller } from '#engine/identity/caller.ts';
import { type Lease, Stopped } from '#engine/jobs/lease.ts';
import type { Operation, Reply } from './operation.ts';
import type { Usage } from '#engine/credits/prices.ts';

/** One call as a transport, or the worker, hands it over. */
export type Ask = {
  readonly caller: Caller;
  readonly requestId: string;
  /** Fires when the caller has disconnected or a job must stop: work stops and nothing is charged. */
  readonly signal: AbortSignal;
  /** The caller's key for calls that must have effect once, null for none. */
  readonly idempotencyKey: string | null;
  /** The id of the last event of a stream that the caller has seen, null for none. */
  readonly lastEventId: number | null;
  /** The lease of the job whose work this is, null for a call that waits for its answer. */
  readonly lease: Lease | null;
  /** Whether large members of the body may come serialized (`JsonBytes`), which costs the event loop less. */
  readonly takesJsonBytes?: boolean;
};

/** Complete: a body has `request_id` and, where work was done, `usage`. */
export type Answer = Omit<Reply, 'body'> & {
  /** Empty for a 204 and for a stream. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Null where no work was done. */
  readonly usage: Usage | null;
  /** Credits left this month, null when unlimited. */
  readonly remaining: number | null;
  /** Deprecated members that the caller used. */
  readonly deprecated: readonly string[];
  /** The body of inline work as it is sent; the transport calls `leave` afterwards. */
  readonly written?: Written;
};

/** The body of an answer as JSON, a large one as pieces in UTF-8 already, and a function that releases its share of memory. */
export type Written = {
  readonly json: string | readonly Uint8Array[];
  /** Length of the JSON in UTF-8. */
  readonly bytes: number;
  readonly leave: () => void;
};

/** The one gate that HTTP, CLI, MCP and the worker call; throws `ServiceError`. */
export type Perform = (operation: Operation, raw: unknown, call: Ask) => Promise<Answer>;

/** The facts of work that ran out of time: the tiers that it may use, and its attempts. */
export type WorkFacts = { readonly tiers: readonly Tier[]; readonly attempts: readonly Attempt[] };

/** The error that a caller gets for anything thrown; `facts` gives those of work, and null where it had not begun. */
export function toServiceError(error: unknown, call: Ask, facts: () => WorkFacts | null = () => null): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreUnavailable) return toBackendUnavailable(error);
  if (call.signal.aborted || error instanceof Stopped) {
    return new ServiceError('timeout', 'the caller went away before the answer was there', { cause: error });
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new ServiceError('timeout', describeTimeout(facts()), { cause: error });
  }
  return new ServiceError('internal_error', 'an unexpected error: quote the request id to the operator', {
    cause: error,
  });
}

function describeTimeout(facts: WorkFacts | null): string {
  const { tiers, attempts } = facts ?? { tiers: [], attempts: [] };
  const isFetched = attempts.at(-1)?.status_code !== undefined;
  const what = isFetched ? 'the page was fetched, but reading it took too long' : 'the time of the call is up';
  return `${what}; ${timeoutRemedy(
    tiers,
    attempts.map(({ tier }) => tier),
  )}`;
}
