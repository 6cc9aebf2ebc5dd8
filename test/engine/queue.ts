import { readRows } from '#store/rows.ts';
import type { ServiceError } from '#kernel/errors.ts';
import { startWorker } from '#engine/worker.ts';
import type { Worker } from '#engine/worker.ts';
import { operations } from '#operations/index.ts';
import { JobRecord } from '#engine/job-record.ts';
import type { Answer } from '#engine/ask.ts';
import type { Claimed } from '#engine/job-leases.ts';
import { z } from 'zod';
import type { Gate } from './gate.ts';
import { SITE } from './gate.ts';

/** An operation of the registry. */
export function operationOf(id: string) {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

export type Said = { readonly code: string; readonly error: ServiceError | null; readonly answer: Answer | null };

/** The operations on jobs as a tenant asks them. */
export function jobsOf(gate: Gate) {
  return {
    submit: async (input: Readonly<Record<string, unknown>> = {}, more: Parameters<Gate['ask']>[2] = {}) =>
      gate.ask(operationOf('jobs.submit'), { kind: 'fetch', input: { url: SITE, ...input } }, more),
    show: async (id: string) => JobRecord.parse((await gate.ask(operationOf('jobs.show'), { id })).answer?.body),
    result: async (id: string, more: object = {}): Promise<Said> =>
      gate.ask(operationOf('jobs.result'), { id, ...more }),
    cancel: async (id: string): Promise<Said> => gate.ask(operationOf('jobs.cancel'), { id }),
    /** A submitted job's id. */
    async queued(input: Readonly<Record<string, unknown>> = {}): Promise<string> {
      return JobRecord.parse((await this.submit(input)).answer?.body).id;
    },
  };
}

/** Runs a claimed job through the gate as the worker does; the code it came to, or `lost`. */
export async function runClaimed(gate: Gate, claimed: Claimed, signal = new AbortController().signal): Promise<string> {
  const { leases } = gate.queue;
  const lease = leases.leaseOf(claimed, gate.plan, signal);
  const caller = { tenant: claimed.row.tenant_id, keyId: 'worker', plan: gate.plan };
  const ask = { caller, requestId: claimed.row.request_id, signal, idempotencyKey: null, lastEventId: null, lease };
  try {
    const operation = gate.operations.find(({ id }) => id === claimed.row.kind) ?? operationOf(claimed.row.kind);
    await gate.perform(operation, leases.open(claimed), ask);
    return 'ok';
  } catch (error) {
    if (error instanceof Error && error.constructor.name === 'LeaseLost') return 'lost';
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

/** A worker over the gate. */
export function openWorker(gate: Gate, id = 'w1', slots = 4): Worker {
  return startWorker({
    ...gate.queue,
    id,
    slots,
    operations: gate.operations,
    perform: gate.perform,
    billing: gate.billing,
    planOf: async () => gate.plan,
    report: (error) => {
      throw error;
    },
  });
}

const Counts = z.object({ jobs: z.number(), results: z.number(), charges: z.number() });
const Books = z.object({ used: z.number(), reserved: z.number(), ledger: z.number(), held: z.number() });

/** I1, I2, I3, I4, I7: the books are even, and each completed job has one charge and one result, no other any. */
export async function checkBooks({ db }: Pick<Gate, 'db'>): Promise<void> {
  const [counts] = readRows(
    Counts,
    await db.query(`select
      (select count(*) from jobs where status = 'completed') as jobs,
      (select count(*) from result_segments join jobs on id = job_id where seq = 0 and status = 'completed') as results,
      (select count(distinct key) from ledger join jobs on key = 'job:' || id where ledger.kind = 'charge') as charges`),
  );
  const [books] = readRows(
    Books,
    await db.query(`select
      (select coalesce(sum(used), 0) from tenants) as used,
      (select coalesce(sum(reserved), 0) from tenants) as reserved,
      (select coalesce(sum(credits), 0) from ledger join tenants on tenants.id = tenant_id and tenants.cycle = ledger.cycle
        where kind <> 'top_up') as ledger,
      (select coalesce(sum(credits), 0) from reservations) as held`),
  );
  if (counts === undefined || books === undefined) throw new Error('no rows');
  if (counts.jobs > counts.results) throw new Error(`completed jobs without a result: ${JSON.stringify(counts)}`);
  if (counts.jobs > counts.charges) throw new Error(`completed jobs without a charge: ${JSON.stringify(counts)}`);
  if (books.used !== books.ledger) throw new Error(`ledger and balance differ: ${JSON.stringify(books)}`);
  if (books.reserved !== books.held || books.reserved < 0) throw new Error(`reserved: ${JSON.stringify(books)}`);
}
