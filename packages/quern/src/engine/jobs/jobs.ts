import { z } from 'zod';
import type { Caller } from '#engine/identity/caller.ts';
import { computeExpiry } from '#engine/identity/plans.ts';
import type { Results } from '#engine/results/results.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Db, Queryable } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { AFTER_ALL_IDS, listInPieces } from '#store/batches.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { Notifications } from './job-notifications.ts';
import { isTerminal, type JobRecord, JobRow, type JobStatus, openInput, toRecord } from './job-record.ts';
import { type Submission, submitJob } from './job-submission.ts';

const FIND = 'select * from jobs where tenant_id = $1 and id = $2 and owner_id is null';
/** Locks the row, so that the state of the job cannot change between the following statements. */
const LOCK = `update jobs set version = version
  where tenant_id = $1 and id = $2 and owner_id is null returning id`;
const CANCEL_QUEUED = `update jobs set status = 'cancelled', cancel_requested = 1, finished_at = $3, expires_at = $4,
    stop_reason = 'cancelled', version = version + 1
  where tenant_id = $1 and id = $2 and status = 'queued' returning *`;
const CANCEL_RUNNING = `update jobs set cancel_requested = 1, version = version + 1
  where tenant_id = $1 and id = $2 and status = 'running' returning *`;
const DELETE_ENDED = `update jobs set status = 'expired', input = null, summary = null, expires_at = $3, version = version + 1
  where tenant_id = $1 and id = $2 and status in ('completed', 'failed', 'cancelled', 'expired')`;
/** Files of a deleted job expire with its result. */
const EXPIRE_ARTIFACTS = 'update artifacts set expires_at = $2 where job_id = $1 and expires_at > $2';

/** Poll interval of a call that waits for a job that another process may change. */
const POLL_MS = 1000;

/** A job, and whether a feature is notified of its end. */
export type ListedJob = { readonly record: JobRecord; readonly notify: boolean };

/**
 * A job with its version, which grows with each change, and the numbers of segments of its result and pieces of its
 * archive.
 */
export type FoundJob = ListedJob & {
  readonly version: number;
  /** The id of the request that submitted it. */
  readonly requestId: string;
  readonly segments: number;
  readonly archived: number;
};

/**
 * The state of a job when it was cancelled: running (it will stop), queued (it never started), or ended (it is now
 * deleted).
 */
export type Cancellation =
  | { readonly was: 'running' | 'queued'; readonly record: JobRecord }
  | { readonly was: 'ended' };

export type JobParts = {
  readonly db: Db;
  readonly inTurn: GroupedTransaction;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly notifications: Notifications;
  readonly results: Results;
};

/** Jobs as their tenants use them. A job of another tenant is `not_found`. */
export class Jobs {
  readonly #parts: JobParts;

  constructor(parts: JobParts) {
    this.#parts = parts;
  }

  /** Queues accepted work. Throws `queue_full`. */
  async submit<T>(submission: Submission<T>): Promise<T> {
    const answer = await submitJob(this.#parts, submission);
    this.#parts.notifications.notify('queue');
    return answer;
  }

  async read(tenant: string, id: string): Promise<FoundJob> {
    const row = readRow(JobRow, await this.#parts.db.query(FIND, [tenant, id]));
    if (row === null) throw createNotFoundError(id);
    const { version, request_id: requestId, segments, archived, notify } = row;
    return { record: this.#open(row), notify: notify === 1, version, requestId, segments, archived };
  }

  /** Waits until the job has ended, but at most `ms` or until the signal aborts, and returns it. */
  async waitForEnd(tenant: string, id: string, wait: { readonly ms: number; readonly signal: AbortSignal }) {
    const { clock, notifications } = this.#parts;
    const until = clock.monotonic() + wait.ms;
    for (;;) {
      const job = await this.read(tenant, id);
      const left = until - clock.monotonic();
      if (isTerminal(job.record.status) || left <= 0 || wait.signal.aborted) return job;
      await notifications.next(id, Math.min(left, POLL_MS), wait.signal);
    }
  }

  /** Lists the newest first. */
  async list(filter: JobFilter): Promise<readonly ListedJob[]> {
    const { db, clock } = this.#parts;
    return (await listJobRows(db, filter, clock.now())).map((row) => this.#toListed(row));
  }

  /** Cancels a queued job, asks a running one to stop, or deletes the result of an ended one. */
  async cancel(caller: Caller, id: string): Promise<Cancellation> {
    const { db, results, notifications } = this.#parts;
    const cancelled = await db.transaction(async (tx) => this.#cancelIn(tx, caller, id));
    if (cancelled === null) throw createNotFoundError(id);
    // The result is already inaccessible; after a crash, upkeep deletes the rest.
    if (cancelled.was === 'ended') await results.drop(id);
    notifications.notify(id);
    notifications.notify('cancelled');
    return cancelled;
  }

  async #cancelIn(tx: Queryable, { tenant, plan }: Caller, id: string): Promise<Cancellation | null> {
    const now = this.#parts.clock.now();
    if ((await tx.query(LOCK, [tenant, id])).length === 0) return null;
    const queued = readRow(JobRow, await tx.query(CANCEL_QUEUED, [tenant, id, now, computeExpiry(plan, now)]));
    if (queued !== null) return { was: 'queued', record: this.#open(queued) };
    const running = readRow(JobRow, await tx.query(CANCEL_RUNNING, [tenant, id]));
    if (running !== null) return { was: 'running', record: this.#open(running) };
    await tx.query(DELETE_ENDED, [tenant, id, now]);
    await tx.query(EXPIRE_ARTIFACTS, [id, now]);
    return { was: 'ended' };
  }

  #toListed(row: ListedRow): ListedJob {
    const record = this.#open(row);
    const isCut = row.is_summary === 1 && record.input !== null;
    return { record: { ...record, ...(isCut ? { summarized: true } : {}) }, notify: row.notify === 1 };
  }

  #open(row: JobRow): JobRecord {
    return toRecord(row, openInput(this.#parts.sealer, row), this.#parts.clock.now());
  }
}

function createNotFoundError(id: string): ServiceError {
  return new ServiceError('not_found', `no job ${id}`);
}

/** The longest encrypted input without a summary. */
const MAX_LISTED_CHARS = 16_384;

/** A long input is replaced by its summary, or omitted if an earlier version stored it without one. */
const LISTED = [
  ...Object.keys(JobRow.shape).filter((name) => name !== 'input'),
  'case when summary is null then 0 else 1 end as is_summary',
  `case when summary is not null then summary when length(input) <= ${MAX_LISTED_CHARS} then input end as input`,
].join(', ');
const LIST = `select ${LISTED} from jobs
  where tenant_id = $1 and id < $2 and id >= $3 and owner_id is null and created_at >= $4 and created_at <= $5
    and (cast($6 as text) is null or kind = $6)
    and (cast($7 as text) is null or $7 = case when expires_at <= $8 then 'expired' else status end)`;
const NEWEST = 'order by id desc limit $9';
/**
 * Few jobs are queued or running, and each of these states has its own index. The concatenations keep SQLite from
 * choosing the index of all jobs of the tenant instead.
 */
const UNDER_WAY = `select ${LISTED} from jobs
  where tenant_id || '' = $1 and id || '' < $2 and owner_id is null and created_at >= $3 and created_at <= $4
    and (cast($5 as text) is null or kind = $5)`;
const LISTS_UNDER_WAY: Readonly<Partial<Record<JobStatus, string>>> = {
  queued: `${UNDER_WAY} and status = 'queued' and due_at >= 0 order by id || '' desc limit $6`,
  running: `${UNDER_WAY} and status = 'running' order by id || '' desc limit $6`,
};
const EDGE = 'select id from jobs where tenant_id = $1 and id < $2 order by id desc limit 1 offset $3';

const ListedRow = JobRow.extend({ is_summary: z.number() });

type ListedRow = z.output<typeof ListedRow>;

type JobFilter = {
  readonly tenant: string;
  /** The id of the last job of the previous page; null for the first page. */
  readonly after: string | null;
  /** Time of submission, ms, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly kind: string | null;
  readonly status: JobStatus | null;
  readonly limit: number;
};

/** Lists rows of a tenant's jobs at the time `now`, newest first. */
async function listJobRows(db: Db, filter: JobFilter, now: number): Promise<readonly ListedRow[]> {
  const { tenant, after, from, to, kind, status, limit } = filter;
  const underWay = status === null ? undefined : LISTS_UNDER_WAY[status];
  if (underWay !== undefined) {
    const values = [tenant, after ?? AFTER_ALL_IDS, from, to, kind, limit];
    return readRows(ListedRow, await db.query(underWay, values));
  }
  return listInPieces(db, {
    edge: EDGE,
    values: [tenant],
    limit,
    after,
    async read({ below, from: least, most }) {
      const values = [tenant, below, least, from, to, kind, status, now, most];
      return readRows(ListedRow, await db.query(`${LIST} ${NEWEST}`, values));
    },
  });
}
