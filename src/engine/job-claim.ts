import type { Statements, StoreKind } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { JobRow } from './job-record.ts';

/** With several writers at once, each passes over the rows that another is claiming. */
const PASS_OVER: Readonly<Record<StoreKind, string>> = { sqlite: '', postgres: 'for update skip locked' };

function toClaim(kind: StoreKind): string {
  return `update jobs set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, $1),
    lease_token = $2, lease_until = $3, worker_id = $4, version = version + 1
  where status = 'queued' and id = (
    select id from jobs where status = 'queued' and due_at <= $1 order by due_at, id limit 1 ${PASS_OVER[kind]})
  returning *`;
}

/** Takes the job that is due longest under a lease until `until` (ms); null when none is due. */
export async function claimNext(
  tx: Statements,
  facts: {
    readonly kind: StoreKind;
    readonly now: number;
    readonly token: string;
    readonly until: number;
    readonly worker: string;
  },
): Promise<JobRow | null> {
  return readRow(JobRow, await tx.query(toClaim(facts.kind), [facts.now, facts.token, facts.until, facts.worker]));
}
