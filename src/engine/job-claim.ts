import { z } from 'zod';
import type { Statements, StoreKind } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { JobRow } from './job-record.ts';

/** Which jobs a claim is after: all, or the short ones, which walk through no site. */
export type JobChoice = 'all' | 'short';

const CHOOSES: Readonly<Record<JobChoice, string>> = {
  all: "status = 'queued'",
  short: "status = 'queued' and walks = 0",
};

/**
 * The tenants that have queued jobs, from the one after `$1` on, with how many of their jobs are due, each at most `$3`.
 * Every step is one look into an index, however many jobs wait.
 */
function toNextTenants(chosen: string): string {
  return `with recursive turns (tenant_id, place) as (
    select (select min(tenant_id) from jobs where ${chosen} and tenant_id > $1), 1
    union all
    select (select min(tenant_id) from jobs where ${chosen} and tenant_id > turns.tenant_id), place + 1
      from turns where tenant_id is not null and place < $4)
  select tenant_id, (select count(*) from (select id from jobs
      where ${chosen} and jobs.tenant_id = turns.tenant_id and due_at <= $2 limit $3) as due_jobs) as due
    from turns where tenant_id is not null`;
}

/**
 * The jobs that each tenant of `$5`, a JSON array of `[tenant, most]`, is given. They are picked once: within the condition
 * they could be picked, and held, anew for each row. SQLite has no look into an index for each row of a list, and is asked
 * for one tenant after the other; with several writers at once, each passes over the rows that another is claiming.
 */
const PICKED: Readonly<Record<StoreKind, (chosen: string) => string>> = {
  sqlite: (chosen) => `select id from jobs where ${chosen} and tenant_id = json_extract($5, '$[0][0]') and due_at <= $1
    order by due_at, id limit json_extract($5, '$[0][1]')`,
  postgres: (chosen) => `select job.id from jsonb_array_elements(cast($5 as jsonb)) as wanted cross join lateral (
    select id from jobs where ${chosen} and tenant_id = wanted ->> 0 and due_at <= $1
      order by due_at, id limit cast(wanted ->> 1 as bigint) for update skip locked) as job`,
};
const AT_A_TIME: Readonly<Record<StoreKind, number>> = { sqlite: 1, postgres: 64 };

function toClaim(kind: StoreKind, chosen: string): string {
  return `with picked as materialized (${PICKED[kind](chosen)})
  update jobs set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, $1),
    lease_token = $2 || id, lease_until = $3, worker_id = $4, version = version + 1
  where status = 'queued' and id in (select id from picked)
  returning *`;
}

/** Tenants that one claim looks at; those beyond have their turn at the next. */
const MOST_TENANTS = 64;

const Turn = z.object({ tenant_id: z.string(), due: z.number() });
type Turn = z.output<typeof Turn>;

export type ClaimFacts = {
  readonly kind: StoreKind;
  readonly choice: JobChoice;
  readonly now: number;
  /** Each lease has this followed by the id of its job. */
  readonly token: string;
  readonly until: number;
  readonly worker: string;
  readonly most: number;
  /** The tenant that had its turn last; the tenants after it go first. */
  readonly after: string;
};

/**
 * Takes due jobs, at most `most`, under leases until `until` (ms). Tenants take turns, so that one with many jobs keeps
 * none of the others waiting; within a tenant the job that is due longest goes first. Answers whose turn was last.
 */
export async function claimNext(
  tx: Statements,
  facts: ClaimFacts,
): Promise<{ readonly rows: readonly JobRow[]; readonly after: string }> {
  const { kind, choice, now, token, until, worker, most } = facts;
  const shares = share(await findTurns(tx, facts), most);
  const claim = toClaim(kind, CHOOSES[choice]);
  const taken: JobRow[] = [];
  for (let at = 0; at < shares.length; at += AT_A_TIME[kind]) {
    const wanted = shares.slice(at, at + AT_A_TIME[kind]).map(({ tenant_id: tenant, due }) => [tenant, due]);
    taken.push(...readRows(JobRow, await tx.query(claim, [now, token, until, worker, JSON.stringify(wanted)])));
  }
  const perTenant = shares.map(({ tenant_id: tenant }) => taken.filter((row) => row.tenant_id === tenant));
  return { rows: inTurns(perTenant.map(inOrder)), after: shares.at(-1)?.tenant_id ?? '' };
}

function inOrder(rows: readonly JobRow[]): readonly JobRow[] {
  return rows.toSorted((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1));
}

/** The tenants with due jobs in the order of their turns: those after the last, then those from the first on. */
async function findTurns(tx: Statements, { choice, now, most, after }: ClaimFacts): Promise<readonly Turn[]> {
  const nextTenants = toNextTenants(CHOOSES[choice]);
  const next = readRows(Turn, await tx.query(nextTenants, [after, now, most, MOST_TENANTS]));
  const found = next.reduce((sum, turn) => sum + turn.due, 0);
  const first =
    after === '' || next.length >= MOST_TENANTS || found >= most
      ? []
      : readRows(Turn, await tx.query(nextTenants, ['', now, most, MOST_TENANTS]));
  return [...next, ...first.filter(({ tenant_id: tenant }) => tenant <= after)].filter(({ due }) => due > 0);
}

/** How many jobs each may have so that they are `most` in all, one to each in turn. */
function share(turns: readonly Turn[], most: number): readonly Turn[] {
  const shares = turns.map((turn) => ({ ...turn, given: 0 }));
  let left = most;
  for (let round = 0; left > 0 && shares.some(({ due }) => due > round); round += 1) {
    for (const one of shares) {
      if (left === 0) break;
      if (one.due <= one.given) continue;
      one.given += 1;
      left -= 1;
    }
  }
  return shares.filter(({ given }) => given > 0).map(({ tenant_id, given }) => ({ tenant_id, due: given }));
}

/** The first of each, then the second of each, and so on. */
function inTurns(taken: readonly (readonly JobRow[])[]): readonly JobRow[] {
  const longest = Math.max(0, ...taken.map((rows) => rows.length));
  return Array.from({ length: longest }, (_, at) => taken.flatMap((rows) => rows.slice(at, at + 1))).flat();
}
