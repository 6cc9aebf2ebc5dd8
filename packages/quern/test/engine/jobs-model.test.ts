import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { buildFailure } from '#access/failure.ts';
import { type ClaimedJob, JobStopped } from '#engine/jobs/lease.ts';
import { isTerminal, type JobStatus } from '#engine/jobs/job-record.ts';
import type { StoreKind } from '#store/db.ts';
import { onEveryStore } from '../support/store.ts';
import { brings, type Gate, withGate } from './gate.ts';
import { checkBooks, openJobTools, runClaimed } from '../support/engine/queue.ts';

type Step =
  | { readonly name: 'submit' | 'recover' | 'tidy' | 'claim' }
  | { readonly name: 'commit' | 'crash' | 'beat' | 'cancel' | 'delete' | 'drain'; readonly which: number }
  | { readonly name: 'pass'; readonly ms: number }
  | { readonly name: 'weather'; readonly bad: boolean };

const which = fc.nat({ max: 7 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Step>({ name: 'submit' }) },
  { weight: 6, arbitrary: fc.constantFrom<Step>({ name: 'claim' }) },
  { weight: 5, arbitrary: fc.record({ name: fc.constant<'commit'>('commit'), which }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ name: 'recover' }, { name: 'tidy' }) },
  {
    weight: 5,
    arbitrary: fc.record({
      name: fc.constantFrom<'crash' | 'beat' | 'cancel' | 'delete' | 'drain'>(
        'crash',
        'beat',
        'cancel',
        'delete',
        'drain',
      ),
      which,
    }),
  },
  {
    weight: 3,
    // One second, the time of a lease, the time of a retention, and one hour back.
    arbitrary: fc.constantFrom<Step>(
      { name: 'pass', ms: 1500 },
      { name: 'pass', ms: 31_000 },
      { name: 'pass', ms: 8 * 24 * 3600 * 1000 },
      { name: 'pass', ms: -3_600_000 },
    ),
  },
  { weight: 1, arbitrary: fc.record({ name: fc.constant<'weather'>('weather'), bad: fc.boolean() }) },
);

/** The last observed state of each job, which is compared with the next one. */
type Model = {
  readonly ids: string[];
  readonly claims: ClaimedJob[];
  readonly ended: Map<string, JobStatus>;
  readonly completed: Map<string, number>;
};

async function take(gate: Gate, model: Model, one: Step, weather: { bad: boolean }): Promise<void> {
  const { leases, retention } = gate.queue;
  switch (one.name) {
    case 'submit':
      model.ids.push(await openJobTools(gate).queued());
      return;
    case 'claim': {
      model.claims.push(...(await leases.claim('w', 1)));
      return;
    }
    case 'commit': {
      // A claim may be committed repeatedly, as by a worker that was declared dead.
      const claimed = model.claims[one.which % Math.max(1, model.claims.length)];
      if (claimed !== undefined) await runClaimed(gate, claimed);
      return;
    }
    case 'crash':
      model.claims.splice(one.which, 1);
      return;
    case 'beat': {
      const claimed = model.claims[one.which];
      if (claimed !== undefined) await leases.renew(claimed);
      return;
    }
    case 'cancel': {
      const id = model.ids[one.which];
      if (id !== undefined && !model.ended.has(id)) await openJobTools(gate).cancel(id);
      return;
    }
    case 'delete': {
      const id = model.ids[one.which];
      if (id !== undefined && model.ended.has(id)) await openJobTools(gate).cancel(id);
      return;
    }
    case 'drain': {
      const stop = new AbortController();
      stop.abort(new JobStopped('drained'));
      const claimed = model.claims[one.which];
      if (claimed !== undefined) await runClaimed(gate, claimed, stop.signal);
      return;
    }
    case 'recover':
      await leases.recover(null, async () => gate.plan);
      return;
    case 'tidy':
      await retention.tidy();
      return;
    case 'pass':
      gate.clock.pass(one.ms);
      return;
    case 'weather':
      weather.bad = one.bad;
  }
}

/** Checks after every step that ended jobs do not change, that progress grows and that the ledger is consistent. */
async function check(gate: Gate, { ids, ended, completed }: Model): Promise<void> {
  await checkBooks(gate);
  for (const id of ids) {
    const { status, attempt, progress } = await openJobTools(gate).show(id);
    const before = ended.get(id);
    assert.ok(attempt <= 5);
    assert.ok(progress.completed >= (completed.get(id) ?? 0));
    completed.set(id, progress.completed);
    if (before !== undefined && before !== 'expired') assert.ok(status === before || status === 'expired');
    if (isTerminal(status)) ended.set(id, status);
  }
}

/** Creating a store takes longer on PostgreSQL. */
const RUNS: Readonly<Record<StoreKind, number>> = { sqlite: 40, postgres: 6 };

onEveryStore('no order of job events revives a job, reverts progress or unbalances the ledger', async (kind) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 32 }), async (steps) => {
      const weather = { bad: false };
      const http: ReturnType<typeof brings> = async (request, signal) => {
        if (weather.bad) throw buildFailure('unreachable', 'refused');
        return brings()(request, signal);
      };
      await withGate({ store: kind, tierVisits: { http } }, async (gate) => {
        const model: Model = { ids: [], claims: [], ended: new Map(), completed: new Map() };
        for (const one of steps) {
          await take(gate, model, one, weather);
          await check(gate, model);
        }
      });
    }),
    { numRuns: RUNS[kind] },
  );
});
