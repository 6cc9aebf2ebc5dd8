import type { Queryable } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import type { ServiceError } from '#kernel/errors.ts';
import { startWorker, type Worker } from '#engine/jobs/worker.ts';
import { allOperations } from '#compose/registry.ts';
import { JobView } from '#features/jobs/job-view.ts';
import { isTerminal, JOB_STATUSES, type JobStatus, JobUsage } from '#engine/jobs/job-record.ts';
import type { Answer } from '#engine/call/ask.ts';
import type { ClaimedJob } from '#engine/jobs/lease.ts';
import { z } from 'zod';
import { type Gate, SITE } from '../../engine/gate.ts';

/** An operation of the registry. */
export function getOperation(id: string) {
  const found = allOperations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

export type Said = { readonly code: string; readonly error: ServiceError | null; readonly answer: Answer | null };

/** Calls the job operations as a tenant. */
export function openJobTools(gate: Gate) {
  return {
    submit: async (input: Readonly<Record<string, unknown>> = {}, more: Parameters<Gate['ask']>[2] = {}) =>
      gate.ask(getOperation('jobs.submit'), { kind: 'fetch', input: { url: SITE, ...input } }, more),
    show: async (id: string) => JobView.parse((await gate.ask(getOperation('jobs.show'), { id })).answer?.body),
    result: async (id: string, more: object = {}): Promise<Said> =>
      gate.ask(getOperation('jobs.result'), { id, ...more }),
    cancel: async (id: string): Promise<Said> => gate.ask(getOperation('jobs.cancel'), { id }),
    /** A submitted job's id. */
    async queued(input: Readonly<Record<string, unknown>> = {}): Promise<string> {
      return JobView.parse((await this.submit(input)).answer?.body).id;
    },
  };
}

/** Runs a claimed job through the gate as the worker does; returns its code, or `lost`. */
export async function runClaimed(
  gate: Gate,
  claimed: ClaimedJob,
  signal = new AbortController().signal,
): Promise<string> {
  const { leases } = gate.queue;
  const lease = leases.buildLease(claimed, gate.plan, signal);
  const caller = { tenant: claimed.row.tenant_id, keyId: 'worker', plan: gate.plan };
  const ask = { caller, requestId: claimed.row.request_id, signal, idempotencyKey: null, lastEventId: null, lease };
  try {
    const operation = gate.operations.find(({ id }) => id === claimed.row.kind) ?? getOperation(claimed.row.kind);
    await gate.perform(operation, leases.openInput(claimed.row), ask);
    return 'ok';
  } catch (error) {
    if (error instanceof Error && error.constructor.name === 'LeaseLost') return 'lost';
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

/** A worker on the gate. */
export function openWorker(gate: Gate, id = 'w1', slots = 4): Worker {
  return startWorker({
    ...gate.queue,
    id,
    slots,
    perform: gate.performJob,
    billing: gate.billing,
    clock: gate.clock,
    readPlan: async () => gate.plan,
    observe: (event) => void gate.events.push(event),
    report: (error) => {
      throw error;
    },
  });
}

/*
 * The invariants as one statement, so that it reads one snapshot while processes write. It returns the number of violations of
 * each invariant.
 */
const BROKEN = `select 'the used credits of a month differ from the ledger' as what, count(*) as n from tenants where used <>
    (select coalesce(sum(credits), 0) from ledger where tenant_id = tenants.id and ledger.cycle = tenants.cycle and kind <> 'top_up')
  union all select 'the used credits of a day differ from the ledger', count(*) from tenants where day_used <>
    (select coalesce(sum(credits), 0) from ledger where tenant_id = tenants.id and ledger.day = tenants.day and kind <> 'top_up')
  union all select 'the top-ups differ from the ledger', count(*) from tenants where topped_up <>
    (select coalesce(sum(credits), 0) from ledger where tenant_id = tenants.id and ledger.cycle = tenants.cycle and kind = 'top_up')
  union all select 'the sums of a day differ from its ledger entries', count(*) from (select tenant_id, day, operation
    from (select tenant_id, day, operation, case when kind = 'charge' then 1 else 0 end as calls, credits from ledger
        where kind <> 'top_up'
      union all select tenant_id, day, operation, -calls, -credits from ledger_days) as both_sides
    group by tenant_id, day, operation having sum(calls) <> 0 or sum(credits) <> 0) as days
  union all select 'a balance below zero', count(*) from tenants where used < 0 or reserved < 0 or topped_up < 0 or day_used < 0
  union all select 'a duplicate charge', count(*) from (select key from ledger group by key having count(*) > 1) as twice
  union all select 'a completed job without a charge', count(*) from jobs
    where status = 'completed' and not exists (select 1 from ledger where key = 'job:' || jobs.id and kind = 'charge')
  union all select 'a charge of a job that did not complete', count(*) from jobs
    where usage is null and exists (select 1 from ledger where key = 'job:' || jobs.id)
  union all select 'a completed job without exactly one result', count(*) from jobs where status = 'completed'
    and (select count(*) from result_segments where job_id = jobs.id and seq = 0) <> 1
  union all select 'a completed job with gaps in its list', count(*) from jobs where status = 'completed'
    and (select count(*) from result_segments where job_id = jobs.id and seq > 0) <> segments
  union all select 'a job with gaps in its archive', count(*) from jobs where status <> 'expired'
    and (select count(*) from result_segments where job_id = jobs.id and seq < 0) <> archived
  union all select 'a result of a job that did not complete', count(*) from result_segments where seq = 0
    and not exists (select 1 from jobs where id = job_id and status in ('completed', 'expired'))
  union all select 'a lease without a running job, or a running job without a lease', count(*) from jobs
    where (status = 'running') <> (lease_token is not null)
      or (lease_token is null) <> (lease_until is null) or (lease_token is null) <> (worker_id is null)
  union all select 'the reserved credits differ from the reservations', count(*) from tenants where reserved <>
    (select coalesce(sum(credits), 0) from reservations where tenant_id = tenants.id)
  union all select 'a reservation of a job that is not running', count(*) from reservations
    where key like 'job:%' and not exists (select 1 from jobs where key = 'job:' || jobs.id and status = 'running')
  union all select 'an ended job without an end time', count(*) from jobs
    where (status not in ('queued', 'running')) <> (finished_at is not null) or attempt not between 0 and 5
  union all select 'a charged run that did not complete', count(*) from monitor_runs
    where status in ('failed', 'cancelled', 'skipped') and (select coalesce(sum(credits), 0) from ledger
      where (key >= 'job:' || monitor_runs.id and key < 'job:' || monitor_runs.id || ';')
        or (key >= 'refund:job:' || monitor_runs.id and key < 'refund:job:' || monitor_runs.id || ';')) <> 0
  union all select 'the request log differs from the charge', count(*) from requests
    join ledger on ledger.key = requests.id and kind = 'charge' where requests.credits <> ledger.credits`;
const USAGES = `select usage, (select coalesce(sum(credits), 0) from ledger
    where key = 'job:' || jobs.id or key like 'job:' || jobs.id || ':%') as credits
  from jobs where usage is not null`;

const Broken = z.object({ what: z.string(), n: z.number() });
const Usage = z.object({
  usage: z.string().transform((text) => JobUsage.parse(JSON.parse(text))),
  credits: z.number(),
});

/** Checks the invariants of a store; throws with the violated ones. */
export async function checkBooks({ db }: { readonly db: Queryable }): Promise<void> {
  const broken = readRows(Broken, await db.query(BROKEN)).filter(({ n }) => n > 0);
  const usages = readRows(Usage, await db.query(USAGES));
  const differing = usages.filter(({ usage, credits }) => usage.credits !== credits).length;
  const odd = usages.filter(({ usage }) => usage.credits !== usage.base + usage.surcharge).length;
  if (differing > 0) broken.push({ what: 'the usage of a job differs from its charge', n: differing });
  if (odd > 0) broken.push({ what: 'credits are not the sum of base and surcharge', n: odd });
  if (broken.length > 0) throw new Error(broken.map(({ what, n }) => `${what}: ${n}`).join('; '));
}

const State = z.object({ id: z.string(), status: z.enum(JOB_STATUSES) });

/** Checks that finished jobs have not changed since the last check; `ended` stores their state. */
export async function checkEnded(db: Queryable, ended: Map<string, JobStatus>): Promise<void> {
  for (const { id, status } of readRows(State, await db.query('select id, status from jobs'))) {
    const before = ended.get(id);
    if (before !== undefined && before !== status && status !== 'expired') {
      throw new Error(`job ${id} was ${before} and is ${status}`);
    }
    if (isTerminal(status)) ended.set(id, status);
  }
}
