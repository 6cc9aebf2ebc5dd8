import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError, statusOf, toErrorBody } from '#kernel/errors.ts';
import type { Db, Statements } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import type { Sealer } from '#kernel/sealing.ts';
import { changeInBatches } from '#store/batches.ts';
import { PROCESS_DEAD_MS } from '#engine/credits/processes.ts';
import { JobUsage } from '#engine/jobs/job-record.ts';

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

const KEPT_MS = 24 * 3600 * 1000;
/** A repeat looks this often whether the first call has its answer. */
const LOOK_MS = 50;

const Row = z.object({ request_hash: z.string(), answer: z.string().nullable() });

const Kept = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
  usage: JobUsage.nullable(),
  deprecated: z.array(z.string()),
});

/** An answer as it is given again. */
export type Kept = z.output<typeof Kept>;

/** A call under an idempotency key. */
export type Keyed = {
  readonly tenant: string;
  readonly key: string;
  /** Operation and input; another one under the same key is a conflict. */
  readonly operation: string;
  readonly raw: unknown;
  readonly requestId: string;
};

export type IdempotentAnswers = ReturnType<typeof buildIdempotentAnswers>;

/** The first answer of each tenant and idempotency key, for 24 hours; sealed, because answers may hold anything. */
export function buildIdempotentAnswers(parts: {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
  /** The id of this process among those that beat; a call of a dead one may be begun again. */
  readonly processId: string;
}) {
  const { db, clock, sealer, processId } = parts;

  /**
   * Keeps the answer, the first one of a call, in the transaction of what it tells of; false when the key is another
   * call's, because this one was taken for dead.
   */
  async function keep(tx: Statements, { tenant, key, requestId }: Keyed, answer: Kept): Promise<boolean> {
    return (await tx.query(KEEP, [tenant, key, requestId, sealer.seal(JSON.stringify(answer))])).length > 0;
  }

  return {
    keep,
    drop,

    /** The same as `keep`; a call that was taken for dead meanwhile has no effect, for its key is another's now. */
    async demandKept(tx: Statements, keyed: Keyed, answer: Kept): Promise<void> {
      if (await keep(tx, keyed, answer)) return;
      const message = 'another request with this Idempotency-Key has taken the place of this one';
      throw new ServiceError('idempotency_conflict', message, { retryable: true, retryAfterSeconds: 1 });
    },

    /**
     * Keeps the answer of a call that was refused for what it says. Any other failure hangs on credits, plans, rows or
     * time, and has had no effect: it frees its key, and the same call may go well later.
     */
    async keepFailure(tx: Statements, keyed: Keyed, failure: ServiceError): Promise<void> {
      const { status } = failure;
      if (status !== statusOf('invalid_request')) {
        await drop(tx, keyed);
        return;
      }
      const body = { ...toErrorBody(failure, keyed.requestId) };
      await keep(tx, keyed, { status, headers: {}, body, usage: null, deprecated: [] });
    },

    /**
     * Null when the call is the first and must run; the kept answer when there is one. Waits for a first call that
     * still runs, at most until the signal fires; then, and for another body, throws `idempotency_conflict`.
     */
    async begin(keyed: Keyed, signal: AbortSignal): Promise<Kept | null> {
      const { tenant, key, requestId } = keyed;
      const hash = hashOf(keyed);
      for (;;) {
        const now = clock.now();
        const times = [now + KEPT_MS, now, now - PROCESS_DEAD_MS];
        const begun = await db.query(BEGIN, [tenant, key, hash, requestId, processId, ...times]);
        if (begun.length > 0) return null;
        const row = readRow(Row, await db.query(FIND, [tenant, key]));
        if (row !== null && row.request_hash !== hash) {
          throw new ServiceError(
            'idempotency_conflict',
            'Idempotency-Key: was used with another request: take a new one',
          );
        }
        if (row?.answer !== undefined && row.answer !== null) return Kept.parse(JSON.parse(sealer.open(row.answer)));
        if (signal.aborted) {
          throw new ServiceError('idempotency_conflict', 'the first request with this Idempotency-Key still runs', {
            retryable: true,
            retryAfterSeconds: 5,
          });
        }
        await clock.sleep(LOOK_MS, signal).catch(() => null);
      }
    },

    /** Frees the keys of calls that a process with this id began before and cannot have ended. */
    async abandon(): Promise<void> {
      await db.query(ABANDON, [processId]);
    },

    /** Makes room: the key stays taken, so that nothing is done or charged twice, and its answer is an error. */
    async giveUp({ tenant, key, requestId }: Pick<Keyed, 'tenant' | 'key' | 'requestId'>): Promise<void> {
      const failure = new ServiceError(
        'idempotency_conflict',
        'the request with this Idempotency-Key was done, and its answer is not kept any more, for want of room (QUERN_MAX_DISK)',
      );
      const body = { ...toErrorBody(failure, requestId) };
      const answer: Kept = { status: failure.status, headers: {}, body, usage: null, deprecated: [] };
      await db.query(GIVE_UP, [tenant, key, requestId, sealer.seal(JSON.stringify(answer))]);
    },

    /** Deletes answers that are old enough. */
    async forget(signal?: AbortSignal): Promise<void> {
      await changeInBatches(db, { sql: FORGET, values: [clock.now()] }, signal);
    },
  };
}

/** Frees the key of a call whose answer is not kept. */
async function drop(tx: Statements, { tenant, key, requestId }: Keyed): Promise<void> {
  await tx.query(DROP, [tenant, key, requestId]);
}

function hashOf({ operation, raw }: Keyed): string {
  return createHash('sha256')
    .update(JSON.stringify([operation, raw]))
    .digest('hex');
}
