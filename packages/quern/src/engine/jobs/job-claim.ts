import { z } from 'zod';
import type { Queryable, StoreKind } from '#store/db.ts';
import { IN_SELECT } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import { JobRow } from './job-record.ts';
import { resolvePlan, type Plans } from '#engine/identity/plans.ts';

/** The jobs that a claim may take: all, or only short ones (no crawls and maps). */
export type JobChoice = 'all' | 'short';

const LONG_RUNNING = "status = 'queued' and long_running = 1";

const CONDITIONS: Readonly<Record<JobChoice, string>> = {
  all: "status = 'queued'",
  short: "status = 'queued' and long_running = 0",
};

/**
 * Builds the query for tenants with queued jobs after tenant `$1`: how many jobs are due (at most `$3` each), how many
 * run, and the plan. Every step is one index lookup, however many jobs wait.
 */
function buildTurnsSql(chosen: string): string {
  return `with recursive turns (tenant_id, place) as (
    select (select min(tenant_id) from jobs where ${chosen} and tenant_id > $1), 1
    union all
    select (select min(tenant_id) from jobs where ${chosen} and tenant_id > turns.tenant_id), place + 1
      from turns where tenant_id is not null and place < $4)
  select tenant_id, (select count(*) from (select id from jobs
      where ${chosen} and jobs.tenant_id = turns.tenant_id and due_at <= $2 limit $3) as due_jobs) as due,
    (select count(*) from jobs where status = 'running' and jobs.tenant_id = turns.tenant_id) as running,
    (select plan from tenants where id = turns.tenant_id) as plan,
    (select suspended_at from tenants where id = turns.tenant_id) as suspended_at
    from turns where tenant_id is not null order by place`;
}

/**
 * One claim at a time, so that two claims cannot use the same free slot of a plan. The embedded store has a single
 * writer anyway.
 */
const LOCK: Readonly<Record<StoreKind, string | null>> = {
  sqlite: null,
  postgres: "select pg_advisory_xact_lock(hashtext('quern jobs'))",
};

/**
 * Selects the jobs of each tenant of `$5`, a JSON array of `[tenant, limit]`. They are selected in a CTE, because
 * inside the condition they could be selected and locked again for each row. SQLite does not use the index for each row
 * of a list, so it gets one tenant at a time; PostgreSQL skips rows that another writer is claiming.
 */
const PICK: Readonly<Record<StoreKind, (chosen: string) => string>> = {
  sqlite: (chosen) => `select id from jobs where ${chosen} and tenant_id = json_extract($5, '$[0][0]') and due_at <= $1
    order by due_at, id limit json_extract($5, '$[0][1]')`,
  postgres: (chosen) => `select job.id from jsonb_array_elements(cast($5 as jsonb)) as wanted cross join lateral (
    select id from jobs where ${chosen} and tenant_id = wanted ->> 0 and due_at <= $1
      order by due_at, id limit cast(wanted ->> 1 as bigint) for update skip locked) as job`,
};
const TENANTS_PER_CLAIM: Readonly<Record<StoreKind, number>> = { sqlite: 1, postgres: 64 };

function buildClaimSql(kind: StoreKind, chosen: string): string {
  return `with picked as materialized (${PICK[kind](chosen)})
  update jobs set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, $1),
    paused_ms = paused_ms + coalesce($1 - displaced_at, 0), displaced_at = null,
    lease_token = $2 || id, lease_until = $3, worker_id = $4, version = version + 1
  where status = 'queued' and ${IN_SELECT[kind]('id', 'select id from picked')}
  returning *`;
}

/** Tenants per query, and queries per claim. Further tenants have their turn at the next claim. */
const MAX_TENANTS = 64;
const MAX_QUERIES = 16;

const TurnRow = z.object({
  tenant_id: z.string(),
  due: z.number(),
  running: z.number(),
  plan: z.string().nullable(),
  suspended_at: z.string().nullable(),
});
type TurnRow = z.output<typeof TurnRow>;
/** A tenant, how many of its jobs run, and how many more may start. */
type Turn = { readonly tenant: string; readonly running: number; readonly capacity: number };
type Share = { readonly tenant: string; readonly most: number };

export type ClaimFacts = {
  readonly kind: StoreKind;
  readonly choice: JobChoice;
  readonly now: number;
  /** The prefix of lease tokens, followed by the id of the job. */
  readonly token: string;
  readonly until: number;
  readonly worker: string;
  readonly limit: number;
  /** How many more jobs of a tenant the worker accepts. */
  readonly getCapacity: (tenant: string) => number;
  /** They limit the running jobs of a tenant. */
  readonly plans: Plans;
  /** The tenant that had its turn last. Tenants after it go first. */
  readonly after: string;
};

/**
 * Claims up to `limit` due jobs under leases until `until` (ms). Each goes to the tenant with the fewest running jobs,
 * round robin if equal, so that a tenant with many jobs does not delay others. Within a tenant the job that has been
 * due longest goes first. Returns the tenant that had the last turn as `after`.
 */
export async function claimJobs(
  tx: Queryable,
  facts: ClaimFacts,
): Promise<{ readonly rows: readonly JobRow[]; readonly after: string }> {
  const { kind, choice, now, token, until, worker, limit } = facts;
  const lock = LOCK[kind];
  if (lock !== null) await tx.query(lock);
  const { turns, last } = await findTurns(tx, facts);
  const shares = shareJobs(turns, limit);
  const claim = buildClaimSql(kind, CONDITIONS[choice]);
  const taken: JobRow[] = [];
  for (let at = 0; at < shares.length; at += TENANTS_PER_CLAIM[kind]) {
    const wanted = shares.slice(at, at + TENANTS_PER_CLAIM[kind]).map((one) => [one.tenant, one.most]);
    taken.push(...readRows(JobRow, await tx.query(claim, [now, token, until, worker, JSON.stringify(wanted)])));
  }
  const perTenant = shares.map(({ tenant }) => taken.filter((row) => row.tenant_id === tenant));
  return { rows: interleave(perTenant.map(sortByDue)), after: shares.at(-1)?.tenant ?? last };
}

/** Lists up to 64 tenants after `after` with a due long-running job that their plan allows to run. */
export async function findWaitingTenants(
  db: Queryable,
  { now, plans, after }: Pick<ClaimFacts, 'now' | 'plans' | 'after'>,
): Promise<readonly string[]> {
  const rows = readRows(TurnRow, await db.query(buildTurnsSql(LONG_RUNNING), [after, now, 1, MAX_TENANTS]));
  return rows.flatMap((row) => toTurns(row, { plans, getCapacity: () => 1 })).map(({ tenant }) => tenant);
}

function sortByDue(rows: readonly JobRow[]): readonly JobRow[] {
  return rows.toSorted((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1));
}

/**
 * Finds the tenants that may start a job, in the order of their turns: those after the last turn, then from the first
 * one on. `last` is the last tenant read; the next claim continues there if none of them may start a job. A few tenants
 * are read by one query; otherwise the first query starts after the last turn.
 */
async function findTurns(
  tx: Queryable,
  facts: ClaimFacts,
): Promise<{ readonly turns: readonly Turn[]; readonly last: string }> {
  const { after } = facts;
  const all = await readTurnsAfter(tx, '', facts);
  if (all.length < MAX_TENANTS) {
    const rotated = [...all.filter((row) => row.tenant_id > after), ...all.filter((row) => row.tenant_id <= after)];
    return { turns: rotated.flatMap((row) => toTurns(row, facts)), last: '' };
  }
  return findTurnsInPieces(tx, facts);
}

async function findTurnsInPieces(tx: Queryable, facts: ClaimFacts) {
  const { limit, after } = facts;
  const turns: Turn[] = [];
  let last = after;
  let isAround = after === '';
  for (let looks = 0; looks < MAX_QUERIES; looks += 1) {
    const nextTurns = await readTurnsAfter(tx, last, facts);
    const meant = isAround && after !== '' ? nextTurns.filter((row) => row.tenant_id <= after) : nextTurns;
    turns.push(...meant.flatMap((row) => toTurns(row, facts)));
    const isEnd = meant.length < MAX_TENANTS;
    if (turns.reduce((sum, { capacity }) => sum + capacity, 0) >= limit || (isEnd && isAround)) break;
    isAround ||= isEnd;
    last = isEnd ? '' : (meant.at(-1)?.tenant_id ?? '');
  }
  return { turns, last };
}

async function readTurnsAfter(
  tx: Queryable,
  tenant: string,
  { choice, now, limit }: ClaimFacts,
): Promise<readonly TurnRow[]> {
  return readRows(TurnRow, await tx.query(buildTurnsSql(CONDITIONS[choice]), [tenant, now, limit, MAX_TENANTS]));
}

/** The turn of a tenant; empty if it is suspended, or if its plan or the worker has no capacity for it. */
function toTurns(row: TurnRow, { plans, getCapacity }: Pick<ClaimFacts, 'plans' | 'getCapacity'>): readonly Turn[] {
  const { tenant_id: tenant, due, running, plan, suspended_at: suspendedAt } = row;
  if (suspendedAt !== null) return [];
  const mostOfPlan = plan === null ? null : resolvePlan(plans, plan).running_jobs;
  const room = Math.min(due, getCapacity(tenant), mostOfPlan === null ? Infinity : mostOfPlan - running);
  return room > 0 ? [{ tenant, running, capacity: room }] : [];
}

/** Distributes `most` jobs, one by one to the tenant with the fewest running jobs. */
function shareJobs(turns: readonly Turn[], most: number): readonly Share[] {
  const shares = turns.map((turn) => ({ ...turn, given: 0 }));
  for (let left = most; left > 0; left -= 1) {
    const open = shares.filter(({ given, capacity }) => given < capacity);
    const least = Math.min(...open.map(({ running, given }) => running + given));
    const next = open.find(({ running, given }) => running + given === least);
    if (next === undefined) break;
    next.given += 1;
  }
  return shares.filter(({ given }) => given > 0).map(({ tenant, given }) => ({ tenant, most: given }));
}

/** Takes the first of each list, then the second of each, and so on. */
function interleave(taken: readonly (readonly JobRow[])[]): readonly JobRow[] {
  const longest = Math.max(0, ...taken.map((rows) => rows.length));
  return Array.from({ length: longest }, (_, at) => taken.flatMap((rows) => rows.slice(at, at + 1))).flat();
}
