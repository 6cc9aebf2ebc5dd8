import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';

/** Each query uses an index of only queued or only running jobs. */
const COUNTS = {
  queued: `select kind, tenant_id, count(*) as n
    from (select kind, tenant_id from jobs where status = 'queued' limit $1) as waiting group by kind, tenant_id`,
  running: `select kind, tenant_id, count(*) as n
    from (select kind, tenant_id from jobs where status = 'running' limit $1) as begun group by kind, tenant_id`,
} as const;
/** Jobs of suspended tenants are excluded, because they wait for the operator. */
const OLDEST = `select id, tenant_id, kind, due_at from jobs where status = 'queued'
  and not exists (select 1 from tenants where tenants.id = jobs.tenant_id and suspended_at is not null)
  order by due_at limit 1`;
const RUNNING = `select id, tenant_id, kind, worker_id, attempt, started_at from jobs
  where status = 'running' order by started_at, id limit $1`;

/** Queued jobs that wait for the store, by the part that failed. */
const WAITING = `select part, count(*) as n, min(since) as since
  from (select waiting_for as part, waiting_since as since from jobs
    where status = 'queued' and waiting_since is not null limit $1) as waiting group by part`;

/** The most jobs counted per state. Counting more would delay other calls on an embedded store. */
const MAX_COUNTED = 50_000;
/** How long a snapshot is reused. */
const MAX_AGE_MS = 2000;

const CountRow = z.object({ kind: z.string(), tenant_id: z.string(), n: z.number() });
const OldestRow = z.object({ id: z.string(), tenant_id: z.string(), kind: z.string(), due_at: z.number() });
const WaitingRow = z.object({ part: z.string(), n: z.number(), since: z.number() });
const RunningRow = z.object({
  id: z.string(),
  tenant_id: z.string(),
  kind: z.string(),
  worker_id: z.string().nullable(),
  attempt: z.number(),
  started_at: z.number().nullable(),
});

/** Numbers of queued and running jobs of a kind or tenant. */
export type QueueDepth = { readonly queued: number; readonly running: number };

/** The queue at one moment. */
export type QueueSnapshot = {
  readonly queued: number;
  readonly running: number;
  /** Whether there are more jobs than were counted. */
  readonly isCut: boolean;
  readonly byKind: ReadonlyMap<string, QueueDepth>;
  readonly byTenant: ReadonlyMap<string, QueueDepth>;
  /** The job that has been due longest, and for how long; null if none is due. */
  readonly oldest: {
    readonly id: string;
    readonly tenant: string;
    readonly kind: string;
    readonly lateMs: number;
  } | null;
};

/** A running job. `started_at` is its first start, ms. */
export type RunningJob = z.output<typeof RunningRow>;

/** Queued jobs that wait for a part of the store, and the longest wait. */
export type StoreWait = { readonly part: string; readonly jobs: number; readonly longestMs: number };

type QueueStateParts = { readonly db: Db; readonly clock: Clock };

/** The queue of all tenants, for the operator. */
export class QueueState {
  readonly #parts: QueueStateParts;
  #last: { readonly at: number; readonly reading: Promise<QueueSnapshot> } | null = null;

  constructor(parts: QueueStateParts) {
    this.#parts = parts;
  }

  /** Reads the queue; the result may be two seconds old. */
  async read(): Promise<QueueSnapshot> {
    const now = this.#parts.clock.monotonic();
    if (this.#last === null || now - this.#last.at >= MAX_AGE_MS) {
      const reading = this.#read();
      this.#last = { at: now, reading };
      reading.catch(() => {
        this.#last = null;
      });
    }
    return this.#last.reading;
  }

  /** Lists running jobs, oldest first. */
  async listRunning(limit: number): Promise<readonly RunningJob[]> {
    return readRows(RunningRow, await this.#parts.db.query(RUNNING, [limit]));
  }

  /** Lists how many queued jobs wait for each part of the store. */
  async listStoreWaits(): Promise<readonly StoreWait[]> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const rows = readRows(WaitingRow, await db.query(WAITING, [MAX_COUNTED]));
    return rows.map(({ part, n: jobs, since }) => ({ part, jobs, longestMs: Math.max(0, now - since) }));
  }

  async #read(): Promise<QueueSnapshot> {
    const { db, clock } = this.#parts;
    const queued = readRows(CountRow, await db.query(COUNTS.queued, [MAX_COUNTED]));
    const running = readRows(CountRow, await db.query(COUNTS.running, [MAX_COUNTED]));
    const first = readRow(OldestRow, await db.query(OLDEST));
    const lateMs = first === null ? -1 : clock.now() - first.due_at;
    const [waiting, begun] = [sumCounts(queued), sumCounts(running)];
    return {
      queued: waiting,
      running: begun,
      isCut: waiting >= MAX_COUNTED || begun >= MAX_COUNTED,
      byKind: mergeCounts(queued, running, ({ kind }) => kind),
      byTenant: mergeCounts(queued, running, ({ tenant_id: tenant }) => tenant),
      oldest: first === null || lateMs < 0 ? null : { id: first.id, tenant: first.tenant_id, kind: first.kind, lateMs },
    };
  }
}

type KindCount = z.output<typeof CountRow>;

function sumCounts(rows: readonly KindCount[]): number {
  return rows.reduce((all, { n }) => all + n, 0);
}

function mergeCounts(
  queued: readonly KindCount[],
  running: readonly KindCount[],
  nameOf: (row: KindCount) => string,
): ReadonlyMap<string, QueueDepth> {
  const joined = new Map<string, QueueDepth>();
  const add = (row: KindCount, more: QueueDepth): void => {
    const before = joined.get(nameOf(row)) ?? { queued: 0, running: 0 };
    joined.set(nameOf(row), { queued: before.queued + more.queued, running: before.running + more.running });
  };
  for (const row of queued) add(row, { queued: row.n, running: 0 });
  for (const row of running) add(row, { queued: 0, running: row.n });
  return joined;
}
