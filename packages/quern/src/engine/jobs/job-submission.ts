import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Db, Row, Queryable, StoreKind, SqlValue } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { readRow } from '#store/rows.ts';
import type { Caller } from '#engine/identity/caller.ts';
import { DAY_MS, assertInputSize, type Plan } from '#engine/identity/plans.ts';
import { summarizeInput, type JobInput, type JobRecord, JobRow, toRecord } from './job-record.ts';

const ADDED = `insert into jobs (id, tenant_id, request_id, kind, long_running, input, summary, max_credits, status, created_at,
    due_at, discovered, total, notify, nth, input_sum)
  select id, tenant_id, request_id, kind, long_running, input, summary, max_credits, 'queued', at, at, 1, 1, told`;
const GIVEN = '$1, $2, $3, $4, $5, $6, cast($7 as bigint), cast($8 as bigint), cast($9 as bigint), cast($10 as bigint)';
const ADD = `with calls (id, tenant_id, request_id, kind, input, summary, max_credits, at, long_running, told) as (values (${GIVEN}))
  ${ADDED}, null, null from calls where true
  on conflict (id) do update set version = jobs.version returning *`;
/**
 * The same within the limits of a plan, in one statement under the lock of the tenant's row, so that two concurrent
 * submissions cannot both take the last slot. Each job stores its number and the running total of input bytes of its
 * tenant, so two index lookups give the number and bytes of the jobs since the id `since`, however many there are.
 */
const ADD_WITHIN: Readonly<Record<StoreKind, string>> = {
  postgres: `with calls (id, tenant_id, request_id, kind, input, summary, max_credits, at, long_running, told, size, most,
    since, most_kept, most_bytes) as (values (${GIVEN}, cast($11 as bigint), cast($12 as bigint), $13,
    cast($14 as bigint), cast($15 as bigint))),
  known as materialized (select tenant_id as tenant,
      (select count(*) from jobs where jobs.tenant_id = asked.tenant_id and status = 'queued' and owner_id is null
        and id not in (select id from calls)) as waiting,
      (select nth from jobs where jobs.tenant_id = asked.tenant_id and nth is not null
        and id not in (select id from calls) order by nth desc limit 1) as last_nth,
      (select input_sum from jobs where jobs.tenant_id = asked.tenant_id and nth is not null
        and id not in (select id from calls) order by nth desc limit 1) as last_sum,
      (select nth from jobs where jobs.tenant_id = asked.tenant_id and id < asked.since and nth is not null
        order by id desc limit 1) as old_nth,
      (select input_sum from jobs where jobs.tenant_id = asked.tenant_id and id < asked.since and nth is not null
        order by id desc limit 1) as old_sum
    from (select tenant_id, min(since) as since from calls group by tenant_id) as asked),
  counted as (select calls.*, waiting, old_nth, old_sum, row_number() over same as place,
      row_number() over same + coalesce(last_nth, 0) as nth, sum(size) over same + coalesce(last_sum, 0) as input_sum
    from calls join known on tenant = tenant_id window same as (partition by tenant_id order by id))
  ${ADDED}, nth, input_sum from counted
  where (most is null or most >= place + waiting) and (most_kept is null or most_kept >= nth - coalesce(old_nth, 0))
    and (most_bytes is null or most_bytes >= input_sum - coalesce(old_sum, 0))
  on conflict (id) do update set version = jobs.version returning *`,
  // For one call at a time. The condition on `due_at` makes SQLite use the index of queued jobs (migration 0039).
  sqlite: `insert into jobs (id, tenant_id, request_id, kind, long_running, input, summary, max_credits, status, created_at,
    due_at, discovered, total, notify, nth, input_sum)
  select $1, $2, $3, $4, $9, $5, $6, $7, 'queued', $8, $8, 1, 1, $10, last_nth + 1, last_sum + $11
  from (select nth as last_nth, input_sum as last_sum from (
      select nth, input_sum from jobs where tenant_id = $2 and nth is not null and id <> $1
      union all select 0, 0 order by nth desc limit 1))
  where ($12 is null or $12 > (select count(*) from jobs
      where tenant_id = $2 and status = 'queued' and due_at >= 0 and owner_id is null and id <> $1))
    and ($14 is null or $14 > last_nth - coalesce((select nth from jobs
      where tenant_id = $2 and id < $13 and nth is not null order by id desc limit 1), 0))
    and ($15 is null or $15 >= $11 + last_sum - coalesce((select input_sum from jobs
      where tenant_id = $2 and id < $13 and nth is not null order by id desc limit 1), 0))
  on conflict (id) do update set version = jobs.version returning *`,
};
const COUNT_QUEUED = `select count(*) as n from jobs
  where tenant_id = $1 and status = 'queued' and due_at >= 0 and owner_id is null`;

const Count = z.object({ n: z.number() });

/** Accepted work of a caller. */
export type Submission<T> = {
  readonly caller: Caller;
  readonly requestId: string;
  /** The id of an operation, and an input that it has accepted. */
  readonly kind: string;
  readonly input: JobInput;
  /** Whether it may take hours, like a crawl or map. */
  readonly isLongRunning: boolean;
  readonly maxCredits: number | null;
  /** Whether a feature is notified of its end. */
  readonly notify: boolean;
  /** Writes rows in the transaction of the job. Its return value is that of the submission. */
  readonly record: (tx: Queryable, job: JobRecord) => Promise<T>;
};

type SubmissionParts = {
  readonly db: Db;
  readonly inTurn: GroupedTransaction;
  readonly clock: Clock;
  readonly sealer: Sealer;
};

/** Queues accepted work. Throws `queue_full`. */
export async function submitJob<T>(parts: SubmissionParts, submission: Submission<T>): Promise<T> {
  const { db, inTurn, clock, sealer } = parts;
  const { caller, requestId, kind, isLongRunning, input, maxCredits, notify, record } = submission;
  const { tenant, plan } = caller;
  const text = JSON.stringify(input);
  const bytes = assertInputSize('input', text, plan);
  const summary = summarizeInput(input, text);
  const content = [sealer.seal(text), summary === null ? null : sealer.seal(JSON.stringify(summary))];
  const id = newId('job', clock.now());
  const submitted = await inTurn(
    { tenant },
    async (tx) => {
      const now = clock.now();
      const flags = [Number(isLongRunning), Number(notify)];
      const values = [id, tenant, requestId, kind, ...content, maxCredits, now, ...flags];
      const row = readRow(JobRow, await addJob(tx, { kind: db.kind, values, bytes, now, plan }));
      return row === null ? null : { answer: await record(tx, toRecord(row, input, now)) };
    },
    { key: id },
  );
  if (submitted === null) throw await createQueueFullError(db, tenant, plan);
  return submitted.answer;
}

type AddRequest = {
  readonly kind: StoreKind;
  readonly values: readonly SqlValue[];
  readonly bytes: number;
  readonly now: number;
  readonly plan: Plan;
};

/** Adds a job. Returns no row if the limits of the plan are reached. */
async function addJob(tx: Queryable, { kind, values, bytes, now, plan }: AddRequest): Promise<readonly Row[]> {
  const { queued_jobs: most, kept_jobs: mostKept, kept_input_bytes: mostBytes, results_kept_days: days } = plan;
  if (most === null && mostKept === null && mostBytes === null) return tx.query(ADD, values);
  const since = newId('job', now - days * DAY_MS);
  return tx.query(ADD_WITHIN[kind], [...values, bytes, most, since, mostKept, mostBytes]);
}

/** Builds `queue_full` with the limit that was reached. */
async function createQueueFullError(db: Db, tenant: string, plan: Plan): Promise<ServiceError> {
  const queued = readRow(Count, await db.query(COUNT_QUEUED, [tenant]))?.n ?? 0;
  if (plan.queued_jobs !== null && queued >= plan.queued_jobs)
    return new ServiceError(
      'queue_full',
      `plan ${plan.name} allows ${plan.queued_jobs} queued jobs; wait for one to start, or cancel one`,
      { retryAfterSeconds: 5 },
    );
  const { name, kept_jobs: jobs, kept_input_bytes: bytes, results_kept_days: days } = plan;
  return new ServiceError(
    'queue_full',
    `plan ${name} allows ${jobs ?? 'any number of'} jobs (kept_jobs) with ${bytes ?? 'any number of'} bytes of inputs (kept_input_bytes) in ${days} days; wait, send shorter inputs, or upgrade`,
    { retryAfterSeconds: 3600 },
  );
}
