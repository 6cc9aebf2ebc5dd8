import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { loadPlans } from '#engine/identity/plans.ts';
import { claimJobs } from '#engine/jobs/job-claim.ts';
import type { Db } from '#store/db.ts';
import { TESTED_STORES } from '../support/store.ts';
import { withGate } from './gate.ts';

const NOW = 1_000_000_000_000;
const ADD = `insert into jobs (id, tenant_id, request_id, kind, status, created_at, due_at)
  select 'job_' || lpad(cast(i as text), 10, '0'), $1, 'req', 'fetch', 'queued', 1000 + i, 1000 + i
  from generate_series(1, cast($2 as bigint)) as i`;
/** The number of table rows and index entries that this transaction has read. */
const READ = `select cast(sum(pg_stat_get_xact_tuples_returned(own)) as bigint) as n from (
  select cast('jobs' as regclass) as own union all select indexrelid from pg_index where indrelid = cast('jobs' as regclass)) as all_of_it`;
const Read = z.object({ n: z.number() });

async function readsOfClaim(db: Db, facts: Omit<Parameters<typeof claimJobs>[1], 'kind'>): Promise<number> {
  return db.transaction(async (tx) => {
    const { rows } = await claimJobs(tx, { ...facts, kind: 'postgres' });
    assert.equal(rows.length, 16);
    return Read.parse((await tx.query(READ))[0]).n;
  });
}

test(
  'a claim reads as few rows from a queue of 100,000 jobs as from one of 1,000',
  { skip: !TESTED_STORES.includes('postgres') && 'PostgreSQL is left out of this run' },
  async () => {
    const reads: number[] = [];
    for (const jobs of [1000, 100_000]) {
      await withGate({ store: 'postgres', plan: 'unlimited' }, async ({ db, tenant }) => {
        await db.query(ADD, [tenant, jobs]);
        await db.query('analyze jobs');
        const at = { now: NOW, until: NOW, token: 't', worker: 'w', after: '' };
        const facts = { ...at, choice: 'all', limit: 16, getCapacity: () => Infinity, plans: loadPlans(null) } as const;
        reads.push(await readsOfClaim(db, facts));
      });
    }
    assert.ok(
      reads.every((read) => read < 300),
      String(reads),
    );
  },
);
