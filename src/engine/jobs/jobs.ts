import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Db, Row, Statements, StoreKind, Value } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { News } from './job-notifications.ts';
import { isTerminal, JobRow, openInput, toRecord } from './job-record.ts';
import type { JobInput, JobRecord, JobStatus } from './job-record.ts';
import { FIRST_PAGE, readInPieces } from '#store/list-pieces.ts';
import { DAY_MS, demandSmall, keptUntil } from '#engine/identity/plans.ts';
import type { Plan } from '#engine/identity/plans.ts';
import type { Results } from '#engine/results/results.ts';
import { summaryOf } from './input-summary.ts';

/** Characters that a sealed input without a summary has at most. */
const LONGEST_LISTED = 16_384;

const ADDED = `insert into jobs (id, tenant_id, request_id, kind, long_running, input, summary, max_credits, status, created_at,
    due_at, discovered, total, notify, nth, input_sum)
  select id, tenant_id, request_id, kind, long_running, input, summary, max_credits, 'queued', at, at, 1, 1, told`;
const GIVEN = '$1, $2, $3, $4, $5, $6, cast($7 as bigint), cast($8 as bigint), cast($9 as bigint), cast($10 as bigint)';
const ADD = `with calls (id, tenant_id, request_id, kind, input, summary, max_credits, at, long_running, told) as (values (${GIVEN}))
  ${ADDED}, null, null from calls where true
  on conflict (id) do update set version = jobs.version returning *`;
/**
 * The same within the limits of a plan: one statement, and the turn of the tenant's row besides, so that two at once cannot
 * both be the last that fits. Such jobs of a tenant are numbered, and their inputs summed up, from job to job: so two looks
 * into an index tell what was submitted since the id `since`, however many jobs there are.
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
  // Of one call at a time, and so without what serves many at once; by `due_at` SQLite finds the index of what is queued.
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
const FIND = 'select * from jobs where tenant_id = $1 and id = $2 and owner_id is null';
/** Of a long input its summary; one that an earlier version stored without is left out. */
const LISTED = [
  ...Object.keys(JobRow.shape).filter((name) => name !== 'input'),
  'case when summary is null then 0 else 1 end as is_summary',
  `case when summary is not null then summary when length(input) <= ${LONGEST_LISTED} then input end as input`,
].join(', ');
const LIST = `select ${LISTED} from jobs
  where tenant_id = $1 and id < $2 and id >= $3 and owner_id is null and created_at >= $4 and created_at <= $5
    and (cast($6 as text) is null or kind = $6)
    and (cast($7 as text) is null or $7 = case when expires_at <= $8 then 'expired' else status end)`;
const NEWEST = 'order by id desc limit $9';
/**
 * Few jobs are under way however many have ended, and those of either state have an index of their own. An id and a tenant
 * that are not compared as they stand keep SQLite from the index of all jobs of the tenant.
 */
const UNDER_WAY = `select ${LISTED} from jobs
  where tenant_id || '' = $1 and id || '' < $2 and owner_id is null and created_at >= $3 and created_at <= $4
    and (cast($5 as text) is null or kind = $5)`;
const LISTS_UNDER_WAY: Readonly<Partial<Record<JobStatus, string>>> = {
  queued: `${UNDER_WAY} and status = 'queued' and due_at >= 0 order by id || '' desc limit $6`,
  running: `${UNDER_WAY} and status = 'running' order by id || '' desc limit $6`,
};
const EDGE = 'select id from jobs where tenant_id = $1 and id < $2 order by id desc limit 1 offset $3';
/** Holds the row, so that it does not change its state between the statements that each know one. */
const LOCK = `update jobs set version = version
  where tenant_id = $1 and id = $2 and owner_id is null returning id`;
const CANCEL_QUEUED = `update jobs set status = 'cancelled', cancel_requested = 1, finished_at = $3, expires_at = $4,
    stop_reason = 'cancelled', version = version + 1
  where tenant_id = $1 and id = $2 and status = 'queued' returning *`;
const CANCEL_RUNNING = `update jobs set cancel_requested = 1, version = version + 1
  where tenant_id = $1 and id = $2 and status = 'running' returning *`;
const DELETE_ENDED = `update jobs set status = 'expired', input = null, summary = null, expires_at = $3, version = version + 1
  where tenant_id = $1 and id = $2 and status in ('completed', 'failed', 'cancelled', 'expired')`;
/** What a deleted job made of pages is gone with its result. */
const EXPIRE_ARTIFACTS = 'update artifacts set expires_at = $2 where job_id = $1 and expires_at > $2';

/** Another process may have changed a job, so whoever waits for it looks again after this time. */
const LOOK_AGAIN_MS = 1000;

const ListedRow = JobRow.extend({ is_summary: z.number() });
const Count = z.object({ n: z.number() });

export type Submission<T> = {
  readonly caller: Caller;
  readonly requestId: string;
  /** An operation's id, and its input, which that operation has accepted. */
  readonly kind: string;
  readonly input: JobInput;
  /** Whether it goes through a site and may take hours. */
  readonly isLongRunning: boolean;
  readonly maxCredits: number | null;
  /** Whether a feature acts on its end. */
  readonly notify: boolean;
  /** Writes what must be there exactly when the job is, and answers what the submission does. */
  readonly record: (tx: Statements, job: JobRecord) => Promise<T>;
};

export type JobFilter = {
  readonly tenant: string;
  /** The id of the last job of the page before, null for the first page. */
  readonly after: string | null;
  /** Instants of submission in ms, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly kind: string | null;
  readonly status: JobStatus | null;
  readonly limit: number;
};

/** A job, and whether a feature acts on its end. */
export type ListedJob = { readonly record: JobRecord; readonly notify: boolean };

/** A job, the counter that grows at each change of it, and how far the list of its result and its archive have come. */
export type Found = ListedJob & {
  readonly version: number;
  /** Of its submission. */
  readonly requestId: string;
  readonly segments: number;
  readonly archived: number;
};

/** What a cancellation met: a job that will stop, one that never began, or one that had ended and is now deleted. */
export type Cancelled = { readonly was: 'running' | 'queued'; readonly record: JobRecord } | { readonly was: 'ended' };

export type JobParts = {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly news: News;
  readonly results: Results;
};

/** Jobs as their tenants see them; another tenant's job is `not_found`. */
export type Jobs = ReturnType<typeof buildJobs>;

export function buildJobs({ db, inTurn, clock, sealer, news, results }: JobParts) {
  async function load(tenant: string, id: string): Promise<JobRow> {
    const row = readRow(JobRow, await db.query(FIND, [tenant, id]));
    if (row === null) throw unknownJob(id);
    return row;
  }

  function open(row: JobRow): JobRecord {
    return toRecord(row, openInput(sealer, row), clock.now());
  }

  function toListed(row: z.output<typeof ListedRow>): ListedJob {
    const record = open(row);
    const isCut = row.is_summary === 1 && record.input !== null;
    return { record: { ...record, ...(isCut ? { summarized: true } : {}) }, notify: row.notify === 1 };
  }

  /** Which of the limits of a plan a submission that found no place has met. */
  async function refusalOf(tenant: string, plan: Plan): Promise<ServiceError> {
    const queued = readRow(Count, await db.query(COUNT_QUEUED, [tenant]))?.n ?? 0;
    if (plan.queued_jobs !== null && queued >= plan.queued_jobs)
      return new ServiceError(
        'queue_full',
        `plan ${plan.name} allows ${plan.queued_jobs} queued jobs: wait for one to begin, or cancel one`,
        { retryAfterSeconds: 5 },
      );
    const { name, kept_jobs: jobs, kept_input_bytes: bytes, results_kept_days: days } = plan;
    return new ServiceError(
      'queue_full',
      `plan ${name} allows ${jobs ?? 'any number of'} jobs (kept_jobs) with ${bytes ?? 'any number of'} bytes of inputs (kept_input_bytes) in ${days} days: wait, make the inputs shorter, or upgrade`,
      { retryAfterSeconds: 3600 },
    );
  }

  return {
    /** Puts accepted work into the queue; throws `queue_full`. */
    async submit<T>(submission: Submission<T>): Promise<T> {
      const { caller, requestId, kind, isLongRunning, input, maxCredits, notify, record } = submission;
      const { tenant, plan } = caller;
      const text = JSON.stringify(input);
      const bytes = demandSmall('input', text, plan);
      const summary = summaryOf(input, text);
      const content = [sealer.seal(text), summary === null ? null : sealer.seal(JSON.stringify(summary))];
      const id = newId('job', clock.now());
      const submitted = await inTurn(
        { tenant },
        async (tx) => {
          const now = clock.now();
          const flags = [Number(isLongRunning), Number(notify)];
          const values = [id, tenant, requestId, kind, ...content, maxCredits, now, ...flags];
          const row = readRow(JobRow, await add(tx, { kind: db.kind, values, bytes, now, plan }));
          return row === null ? null : { answer: await record(tx, toRecord(row, input, now)) };
        },
        { key: id },
      );
      if (submitted === null) throw await refusalOf(tenant, plan);
      news.spread('queue');
      return submitted.answer;
    },

    async find(tenant: string, id: string): Promise<Found> {
      const row = await load(tenant, id);
      const { version, request_id: requestId, segments, archived, notify } = row;
      return { record: open(row), notify: notify === 1, version, requestId, segments, archived };
    },

    /** The job as soon as it has ended, at the latest after `ms` or when the signal fires. */
    async findEnded(tenant: string, id: string, wait: { readonly ms: number; readonly signal: AbortSignal }) {
      const until = clock.monotonic() + wait.ms;
      for (;;) {
        const found = await this.find(tenant, id);
        const left = until - clock.monotonic();
        if (isTerminal(found.record.status) || left <= 0 || wait.signal.aborted) return found;
        await news.next(id, Math.min(left, LOOK_AGAIN_MS), wait.signal);
      }
    },

    /** Newest first. */
    async list({ tenant, after, from, to, kind, status, limit }: JobFilter): Promise<readonly ListedJob[]> {
      const now = clock.now();
      const underWay = status === null ? undefined : LISTS_UNDER_WAY[status];
      if (underWay !== undefined) {
        const values = [tenant, after ?? FIRST_PAGE, from, to, kind, limit];
        return readRows(ListedRow, await db.query(underWay, values)).map(toListed);
      }
      const rows = await readInPieces(db, {
        edge: EDGE,
        values: [tenant],
        limit,
        after,
        async read({ below, from: least, most }) {
          const values = [tenant, below, least, from, to, kind, status, now, most];
          return readRows(ListedRow, await db.query(`${LIST} ${NEWEST}`, values));
        },
      });
      return rows.map(toListed);
    },

    /** Ends a queued job, asks a running one to stop, deletes what an ended one left. */
    async cancel({ tenant, plan }: Caller, id: string): Promise<Cancelled> {
      const now = clock.now();
      const cancelled = await db.transaction(async (tx): Promise<Cancelled | null> => {
        if ((await tx.query(LOCK, [tenant, id])).length === 0) return null;
        const queued = readRow(JobRow, await tx.query(CANCEL_QUEUED, [tenant, id, now, keptUntil(plan, now)]));
        if (queued !== null) return { was: 'queued', record: open(queued) };
        const running = readRow(JobRow, await tx.query(CANCEL_RUNNING, [tenant, id]));
        if (running !== null) return { was: 'running', record: open(running) };
        await tx.query(DELETE_ENDED, [tenant, id, now]);
        await tx.query(EXPIRE_ARTIFACTS, [id, now]);
        return { was: 'ended' };
      });
      if (cancelled === null) throw unknownJob(id);
      // Nobody sees the result any more, and a crash in the middle leaves the rest to the janitor.
      if (cancelled.was === 'ended') await results.drop(id);
      news.spread(id);
      news.spread('cancelled');
      return cancelled;
    },
  };
}

type Adding = {
  readonly kind: StoreKind;
  readonly values: readonly Value[];
  readonly bytes: number;
  readonly now: number;
  readonly plan: Plan;
};

/** Adds a job whose input has so many bytes; no row where the limits of the plan leave it no room. */
async function add(tx: Statements, { kind, values, bytes, now, plan }: Adding): Promise<readonly Row[]> {
  const { queued_jobs: most, kept_jobs: mostKept, kept_input_bytes: mostBytes, results_kept_days: days } = plan;
  if (most === null && mostKept === null && mostBytes === null) return tx.query(ADD, values);
  const since = newId('job', now - days * DAY_MS);
  return tx.query(ADD_WITHIN[kind], [...values, bytes, most, since, mostKept, mostBytes]);
}

function unknownJob(id: string): ServiceError {
  return new ServiceError('not_found', `no job ${id}`);
}
