import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError, getErrorStatus, toErrorBody } from '#kernel/errors.ts';
import type { Db, Queryable } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import type { Sealer } from '#kernel/sealer.ts';
import { changeInBatches } from '#store/batches.ts';
import { PROCESS_DEAD_MS } from '#engine/credits/processes.ts';
import { JobUsage } from '#engine/jobs/job-record.ts';
import { SpentFailure } from '#engine/jobs/lease.ts';

const BEGIN = `insert into idempotent_answers (tenant_id, key, request_hash, request_id, process_id, kept_until)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (tenant_id, key) do update set request_hash = $3, request_id = $4, process_id = $5, kept_until = $6,
    answer = null
  where idempotent_answers.kept_until <= $7
    or (idempotent_answers.answer is null and not exists (
      select 1 from processes where processes.id = idempotent_answers.process_id and processes.seen_at >= $8))
  returning key`;
const FIND = 'select * from idempotent_answers where tenant_id = $1 and key = $2';
const KEEP = `update idempotent_answers set answer = coalesce(answer, $4), bytes = length(coalesce(answer, $4))
  where tenant_id = $1 and key = $2 and request_id = $3 returning key`;
const DROP = `delete from idempotent_answers
  where tenant_id = $1 and key = $2 and request_id = $3 and answer is null`;
const GIVE_UP =
  'update idempotent_answers set answer = $4, bytes = 0 where tenant_id = $1 and key = $2 and request_id = $3';
const ABANDON = 'delete from idempotent_answers where process_id = $1 and answer is null';
const FORGET = `delete from idempotent_answers where (tenant_id, key) in (
  select tenant_id, key from idempotent_answers where kept_until <= $1 limit $2) returning key`;

const RETENTION_MS = 24 * 3600 * 1000;
/** Poll interval of a repeated call that waits for the first one. */
const POLL_MS = 50;

const Row = z.object({ request_hash: z.string(), answer: z.string().nullable() });

const StoredAnswer = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
  usage: JobUsage.nullable(),
  deprecated: z.array(z.string()),
});

/** A stored response, as it is replayed. */
export type KeptAnswer = z.output<typeof StoredAnswer>;

/** A call with an idempotency key. */
export type KeyedCall = {
  readonly tenant: string;
  readonly key: string;
  /** Operation and input. A different one with the same key is a conflict. */
  readonly operation: string;
  readonly raw: unknown;
  readonly requestId: string;
};

type IdempotentAnswersParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
  /** The id of this process. A call of a dead process may be started again. */
  readonly processId: string;
};

/**
 * Stores the first response for each idempotency key of a tenant for 24 hours, encrypted because responses may contain
 * secrets.
 */
export class IdempotentAnswers {
  readonly #parts: IdempotentAnswersParts;

  constructor(parts: IdempotentAnswersParts) {
    this.#parts = parts;
  }

  /**
   * Returns null if the call is the first and must run, else the stored response. Waits for a first call that still
   * runs until the signal aborts. Throws `idempotency_conflict` then, and for a different request.
   */
  async begin(keyed: KeyedCall, signal: AbortSignal): Promise<KeptAnswer | null> {
    const { clock, sealer } = this.#parts;
    const hash = hashCall(keyed);
    for (;;) {
      if (await this.#take(keyed, hash)) return null;
      const row = await this.#find(keyed);
      if (row !== null && row.request_hash !== hash) throw createConflictError();
      if (row?.answer !== undefined && row.answer !== null)
        return StoredAnswer.parse(JSON.parse(sealer.open(row.answer)));
      if (signal.aborted) throw createRunningError();
      await clock.sleep(POLL_MS, signal).catch(() => null);
    }
  }

  /**
   * Stores the response of a call in the transaction of its effect. Returns false if another call took over the key
   * because this process was considered dead.
   */
  async store(tx: Queryable, { tenant, key, requestId }: KeyedCall, answer: KeptAnswer): Promise<boolean> {
    return (await tx.query(KEEP, [tenant, key, requestId, this.#seal(answer)])).length > 0;
  }

  /** Like `store`, but throws if another call has the key, so that this call has no effect. */
  async storeOrThrow(tx: Queryable, keyed: KeyedCall, answer: KeptAnswer): Promise<void> {
    if (await this.store(tx, keyed, answer)) return;
    const message = 'another request with this Idempotency-Key has replaced this one';
    throw new ServiceError('idempotency_conflict', message, { retryable: true, retryAfterSeconds: 1 });
  }

  /**
   * Stores the error of a call with an invalid input, and of one after a request that must not be sent again. Any other
   * failure had no effect and may succeed later, so its key is released.
   */
  async storeFailure(tx: Queryable, keyed: KeyedCall, failure: ServiceError): Promise<void> {
    const isInvalid = failure.status === getErrorStatus('invalid_request');
    const isFinal = isInvalid || failure.cause instanceof SpentFailure;
    await (isFinal ? this.store(tx, keyed, toStoredFailure(failure, keyed.requestId)) : this.release(tx, keyed));
  }

  /** Releases the key of a call whose response is not stored. */
  async release(tx: Queryable, { tenant, key, requestId }: KeyedCall): Promise<void> {
    await tx.query(DROP, [tenant, key, requestId]);
  }

  /** Releases the keys of an earlier process with the same id, whose calls were interrupted. */
  async releaseOwn(): Promise<void> {
    await this.#parts.db.query(ABANDON, [this.#parts.processId]);
  }

  /**
   * Replaces a stored response with an error to free disk space. The key stays taken, so that nothing is charged twice.
   */
  async dropAnswer({ tenant, key, requestId }: Pick<KeyedCall, 'tenant' | 'key' | 'requestId'>): Promise<void> {
    const failure = new ServiceError(
      'idempotency_conflict',
      'the request with this Idempotency-Key was completed, but its response was deleted to free disk space (QUERN_MAX_DISK)',
    );
    await this.#parts.db.query(GIVE_UP, [tenant, key, requestId, this.#seal(toStoredFailure(failure, requestId))]);
  }

  /** Deletes expired responses. */
  async deleteExpired(signal?: AbortSignal): Promise<void> {
    const { db, clock } = this.#parts;
    await changeInBatches(db, { sql: FORGET, values: [clock.now()] }, signal);
  }

  /** Claims a key; false if another call has it. */
  async #take({ tenant, key, requestId }: KeyedCall, hash: string): Promise<boolean> {
    const { db, clock, processId } = this.#parts;
    const now = clock.now();
    const times = [now + RETENTION_MS, now, now - PROCESS_DEAD_MS];
    return (await db.query(BEGIN, [tenant, key, hash, requestId, processId, ...times])).length > 0;
  }

  async #find({ tenant, key }: KeyedCall): Promise<z.output<typeof Row> | null> {
    return readRow(Row, await this.#parts.db.query(FIND, [tenant, key]));
  }

  #seal(answer: KeptAnswer): string {
    return this.#parts.sealer.seal(JSON.stringify(answer));
  }
}

function toStoredFailure(failure: ServiceError, requestId: string): KeptAnswer {
  const body = { ...toErrorBody(failure, requestId) };
  return { status: failure.status, headers: {}, body, usage: null, deprecated: [] };
}

function createConflictError(): ServiceError {
  return new ServiceError('idempotency_conflict', 'Idempotency-Key: was used with another request; use a new one');
}

function createRunningError(): ServiceError {
  return new ServiceError('idempotency_conflict', 'the first request with this Idempotency-Key is still running', {
    retryable: true,
    retryAfterSeconds: 5,
  });
}

function hashCall({ operation, raw }: KeyedCall): string {
  return createHash('sha256')
    .update(JSON.stringify([operation, raw]))
    .digest('hex');
}
