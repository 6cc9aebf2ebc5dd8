import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Db, Statements } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { Caller } from './caller.ts';
import type { News } from './job-news.ts';
import { isTerminal, JobRow, openInput, toRecord } from './job-record.ts';
import type { JobInput, JobRecord, JobStatus } from './job-record.ts';
import type { Plan } from './plans.ts';
import type { Results } from './results.ts';
import type { WebhookDraft, Webhooks } from './webhooks/webhooks.ts';

/** One statement, and the turn of the tenant's row besides, so that two at once cannot both be the last that fits. */
const ADD = `with calls (id, tenant_id, request_id, kind, input, max_credits, at, most, walks, hook) as (values ($1, $2,
    $3, $4, $5, cast($6 as bigint), cast($7 as bigint), cast($8 as bigint), cast($9 as bigint), cast($10 as bigint))),
  placed as (select calls.*, row_number() over (partition by tenant_id order by id) - 1 as before from calls)
  insert into jobs (id, tenant_id, request_id, kind, walks, input, max_credits, status, created_at, due_at,
    discovered, total, webhook)
  select id, tenant_id, request_id, kind, walks, input, max_credits, 'queued', at, at, 1, 1, hook from placed
  where most is null or most > before + (select count(*) from jobs
    where jobs.tenant_id = placed.tenant_id and status = 'queued' and monitor_id is null and jobs.id <> placed.id)
  on conflict (id) do update set version = jobs.version returning *`;
const FIND = 'select * from jobs where tenant_id = $1 and id = $2 and monitor_id is null';
const LIST = `select * from jobs
  where tenant_id = $1 and id < $2 and monitor_id is null and created_at >= $3 and created_at <= $4
    and (cast($5 as text) is null or kind = $5)
    and (cast($6 as text) is null or $6 = case when expires_at <= $7 then 'expired' else status end)
  order by id desc limit $8`;
/** Holds the row, so that it does not change its state between the statements that each know one. */
const LOCK = `update jobs set version = version
  where tenant_id = $1 and id = $2 and monitor_id is null returning id`;
const CANCEL_QUEUED = `update jobs set status = 'cancelled', cancel_requested = 1, finished_at = $3, expires_at = $4,
    stop_reason = 'cancelled', version = version + 1
  where tenant_id = $1 and id = $2 and status = 'queued' returning *`;
const CANCEL_RUNNING = `update jobs set cancel_requested = 1, version = version + 1
  where tenant_id = $1 and id = $2 and status = 'running' returning *`;
const DELETE_ENDED = `update jobs set status = 'expired', input = null, expires_at = $3, version = version + 1
  where tenant_id = $1 and id = $2 and status in ('completed', 'failed', 'cancelled', 'expired')`;
/** What a deleted job made of pages is gone with its result. */
const EXPIRE_ARTIFACTS = 'update artifacts set expires_at = $2 where job_id = $1 and expires_at > $2';

/** Another process may have changed a job, so whoever waits for it looks again after this time. */
const LOOK_AGAIN_MS = 1000;
const DAY_MS = 24 * 3600 * 1000;

export type Submission = {
  readonly caller: Caller;
  readonly requestId: string;
  /** An operation's id, and its input, which that operation has accepted. */
  readonly kind: string;
  readonly input: JobInput;
  /** Whether it goes through a site and may take hours. */
  readonly walks: boolean;
  readonly maxCredits: number | null;
  /** Who is told of its end, null for nobody. */
  readonly webhook: WebhookDraft | null;
  /** Writes what must be there exactly when the job is. */
  readonly record: (tx: Statements, job: JobRecord) => Promise<void>;
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

/** A job, the counter that grows at each change of it, and how far the list of its result and its archive have come. */
export type Found = {
  readonly record: JobRecord;
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
  readonly webhooks: Webhooks;
};

/** Jobs as their tenants see them; another tenant's job is `not_found`. */
export type Jobs = ReturnType<typeof buildJobs>;

export function buildJobs({ db, inTurn, clock, sealer, news, results, webhooks }: JobParts) {
  async function load(tenant: string, id: string): Promise<JobRow> {
    const row = readRow(JobRow, await db.query(FIND, [tenant, id]));
    if (row === null) throw unknownJob(id);
    return row;
  }

  function open(row: JobRow): JobRecord {
    return toRecord(row, openInput(sealer, row), clock.now());
  }

  /** The records of rows, with their webhooks where they have any. */
  async function withWebhooks(rows: readonly JobRow[]): Promise<readonly JobRecord[]> {
    const hooked = rows.filter(({ webhook }) => webhook === 1).map(({ id }) => id);
    const views = await webhooks.webhooksOf(db, hooked);
    return rows.map((row) => {
      const webhook = views.get(row.id);
      return webhook === undefined ? open(row) : { ...open(row), webhook };
    });
  }

  return {
    /** Puts accepted work into the queue; throws `queue_full`. */
    async submit({
      caller,
      requestId,
      kind,
      walks,
      input,
      maxCredits,
      webhook,
      record,
    }: Submission): Promise<JobRecord> {
      const { tenant, plan } = caller;
      const sealed = sealer.seal(JSON.stringify(input));
      const id = newId('job', clock.now());
      const job = await inTurn(
        `tenant ${tenant}`,
        async (tx) => {
          const now = clock.now();
          const flags = [walks ? 1 : 0, webhook === null ? 0 : 1];
          const values = [id, tenant, requestId, kind, sealed, maxCredits, now, plan.queued_jobs, ...flags];
          const row = readRow(JobRow, await tx.query(ADD, values));
          if (row === null) return null;
          const view = webhook === null ? null : await webhooks.saveWebhook(tx, { tenant, id }, webhook);
          const made = { ...toRecord(row, input, now), ...(view === null ? {} : { webhook: view }) };
          await record(tx, made);
          return made;
        },
        { key: id },
      );
      if (job === null) {
        throw new ServiceError(
          'queue_full',
          `plan ${plan.name} allows ${plan.queued_jobs ?? 0} queued jobs: wait for one to begin, or cancel one`,
          { retryAfterSeconds: 5 },
        );
      }
      news.spread('queue');
      return job;
    },

    async find(tenant: string, id: string): Promise<Found> {
      const row = await load(tenant, id);
      const { version, request_id: requestId, segments, archived } = row;
      const [record = open(row)] = await withWebhooks([row]);
      return { record, version, requestId, segments, archived };
    },

    /** The job as soon as it has ended, at the latest after `ms` or when the signal fires. */
    async findEnded(tenant: string, id: string, wait: { readonly ms: number; readonly signal: AbortSignal }) {
      const until = performance.now() + wait.ms;
      for (;;) {
        const found = await this.find(tenant, id);
        const left = until - performance.now();
        if (isTerminal(found.record.status) || left <= 0 || wait.signal.aborted) return found;
        await news.next(id, Math.min(left, LOOK_AGAIN_MS), wait.signal);
      }
    },

    /** Newest first. */
    async list({ tenant, after, from, to, kind, status, limit }: JobFilter): Promise<readonly JobRecord[]> {
      const values = [tenant, after ?? '~', from, to, kind, status, clock.now(), limit];
      return withWebhooks(readRows(JobRow, await db.query(LIST, values)));
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

/** When the result of a job that ends now expires, ms. */
export function keptUntil(plan: Plan, now: number): number {
  return now + plan.results_kept_days * DAY_MS;
}

function unknownJob(id: string): ServiceError {
  return new ServiceError('not_found', `no job ${id}`);
}
