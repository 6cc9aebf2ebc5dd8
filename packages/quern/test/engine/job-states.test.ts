import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { buildFailure } from '#access/failure.ts';
import { type ClaimedJob, JobStopped } from '#engine/jobs/lease.ts';
import { JobRecord, type JobStatus } from '#engine/jobs/job-record.ts';
import { onEveryStore } from '../support/store.ts';
import { brings, type Gate, isBlocked, withGate } from './gate.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';

const LEASE_AND_A_BIT_MS = 31_000;
const KEPT_AND_A_BIT_MS = 7 * 24 * 3600 * 1000 + 1;

/** A job in a state, with the lease under which it runs or ran last. */
type Placed = { readonly id: string; readonly claimed: ClaimedJob | null };

/** The behaviour of the target while a job runs. */
type Weather = { now: 'fine' | 'blocked' | 'away' };

async function claimOne(gate: Gate, id: string): Promise<ClaimedJob> {
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.equal(claimed?.row.id, id);
  return claimed;
}

/** The states of a job; `asked` is a running job with a cancel request, and `last` one in its last attempt. */
const STATES = ['queued', 'running', 'asked', 'last', 'completed', 'failed', 'cancelled', 'expired'] as const;
const CAUSE_NAMES = ['claim', 'beat', 'complete', 'fail', 'stumble', 'drain', 'die', 'cancel', 'tidy', 'age'] as const;

type State = (typeof STATES)[number];
type CauseName = (typeof CAUSE_NAMES)[number];

/** Functions that bring a job into each state. */
const PLACES: Readonly<Record<State, (gate: Gate, weather: Weather) => Promise<Placed>>> = {
  queued: async (gate) => ({ id: await openJobTools(gate).queued(), claimed: null }),
  running: async (gate) => {
    const id = await openJobTools(gate).queued();
    return { id, claimed: await claimOne(gate, id) };
  },
  asked: async (gate, weather) => {
    const placed = await PLACES.running(gate, weather);
    assert.equal((await openJobTools(gate).cancel(placed.id)).answer?.status, 202);
    return placed;
  },
  last: async (gate) => {
    const id = await openJobTools(gate).queued();
    for (let attempt = 1; attempt < 5; attempt += 1) {
      await claimOne(gate, id);
      await CAUSES.die(gate, { id, claimed: null }, { now: 'fine' });
      gate.clock.pass(20_000);
    }
    return { id, claimed: await claimOne(gate, id) };
  },
  completed: async (gate, weather) => {
    const placed = await PLACES.running(gate, weather);
    await CAUSES.complete(gate, placed, weather);
    return placed;
  },
  failed: async (gate, weather) => {
    const placed = await PLACES.running(gate, weather);
    await CAUSES.fail(gate, placed, weather);
    return placed;
  },
  cancelled: async (gate, weather) => {
    const placed = await PLACES.queued(gate, weather);
    await openJobTools(gate).cancel(placed.id);
    return placed;
  },
  expired: async (gate, weather) => {
    const placed = await PLACES.completed(gate, weather);
    await openJobTools(gate).cancel(placed.id);
    return placed;
  },
};

async function runIn(gate: Gate, { claimed }: Placed, [weather, now]: readonly [Weather, Weather['now']]) {
  weather.now = now;
  if (claimed !== null) await runClaimed(gate, claimed);
}

type Cause = (gate: Gate, placed: Placed, weather: Weather) => Promise<unknown>;

/** All events of a job. Events that end an attempt use the job's current or last lease. */
const CAUSES: Readonly<Record<CauseName, Cause>> = {
  claim: async (gate) => gate.queue.leases.claim('w2', 1),
  beat: async (gate, { claimed }) => claimed && gate.queue.leases.renew(claimed),
  complete: async (gate, placed, weather) => runIn(gate, placed, [weather, 'fine']),
  fail: async (gate, placed, weather) => runIn(gate, placed, [weather, 'blocked']),
  stumble: async (gate, placed, weather) => runIn(gate, placed, [weather, 'away']),
  drain: async (gate, { claimed }) => {
    const stop = new AbortController();
    stop.abort(new JobStopped('drained'));
    return claimed && runClaimed(gate, claimed, stop.signal);
  },
  die: async (gate) => {
    gate.clock.pass(LEASE_AND_A_BIT_MS);
    await gate.queue.leases.recover(null, async () => gate.plan);
  },
  cancel: async (gate, { id }) => openJobTools(gate).cancel(id),
  tidy: async (gate) => gate.queue.retention.tidy(),
  age: async (gate) => {
    gate.clock.pass(KEPT_AND_A_BIT_MS);
    await gate.queue.retention.tidy();
  },
};

/** The allowed transitions; all other pairs leave the state unchanged. */
const ALLOWED: Readonly<Record<State, Partial<Record<CauseName, JobStatus>>>> = {
  queued: { claim: 'running', cancel: 'cancelled' },
  running: { complete: 'completed', fail: 'failed', stumble: 'queued', drain: 'queued', die: 'queued' },
  asked: { complete: 'cancelled', fail: 'cancelled', stumble: 'cancelled', drain: 'cancelled', die: 'cancelled' },
  last: { complete: 'completed', fail: 'failed', stumble: 'failed', drain: 'queued', die: 'failed' },
  completed: { cancel: 'expired', age: 'expired' },
  failed: { cancel: 'expired', age: 'expired' },
  cancelled: { cancel: 'expired', age: 'expired' },
  expired: {},
};

function toRungs(weather: Weather) {
  const http: typeof isBlocked = async (request, signal) => {
    if (weather.now === 'away') throw buildFailure('unreachable', 'refused');
    return weather.now === 'blocked' ? isBlocked(request, signal) : brings()(request, signal);
  };
  return { http };
}

/** Ends the job that one cell of the table left, so that it does not affect the next one. */
async function clear(gate: Gate): Promise<void> {
  await gate.db
    .query(`update jobs set status = 'expired', finished_at = coalesce(finished_at, created_at), expires_at = 0,
    lease_token = null, lease_until = null, worker_id = null`);
}

onEveryStore('a job changes its state only for the causes in the table', async (kind) => {
  const weather: Weather = { now: 'fine' };
  await withGate({ store: kind, tierVisits: toRungs(weather) }, async (gate) => {
    for (const from of STATES) {
      for (const cause of CAUSE_NAMES) {
        weather.now = 'fine';
        const placed = await PLACES[from](gate, weather);
        const before = await openJobTools(gate).show(placed.id);
        await CAUSES[cause](gate, placed, weather);
        const { status, progress } = await openJobTools(gate).show(placed.id);
        assert.equal(status, ALLOWED[from][cause] ?? before.status, `${from} by ${cause}`);
        assert.ok(progress.completed >= before.progress.completed, `${from} by ${cause}`);
        await checkBooks(gate);
        await clear(gate);
      }
    }
  });
});

/** A promise that the test resolves, a new one for each visit. */
function openTurnstile() {
  let arrived = Promise.withResolvers<void>();
  let pass = Promise.withResolvers<void>();
  return {
    reset(): void {
      arrived = Promise.withResolvers();
      pass = Promise.withResolvers();
    },
    arrived: async () => arrived.promise,
    open: (): void => pass.resolve(),
    async through(): Promise<void> {
      arrived.resolve();
      await pass.promise;
    },
  };
}

onEveryStore('a cancellation that races with completion is charged exactly if there is a result', async (kind) => {
  const turnstile = openTurnstile();
  const http: typeof isBlocked = async (request, signal) => {
    await turnstile.through();
    return brings()(request, signal);
  };
  await withGate({ store: kind, tierVisits: { http } }, async (gate) => {
    const said = new Map<number, number>();
    let charged = 0;
    for (let round = 0; round < 40; round += 1) {
      turnstile.reset();
      const id = await openJobTools(gate).queued();
      const claimed = await claimOne(gate, id);
      const running = runClaimed(gate, claimed);
      await turnstile.arrived();
      // At several moments around the completion, by turns of the event loop and by milliseconds.
      const step = round % 20;
      const cancel = async (): ReturnType<Gate['ask']> => gate.ask(getOperation('jobs.cancel'), { id });
      const early = step === 0 ? await cancel() : null;
      turnstile.open();
      for (let turn = 0; turn < step; turn += 1) await new Promise(setImmediate);
      if (step > 14) await wait(round % 7);
      if (step === 19) await running;
      const asked = early ?? (await cancel());
      const ended = await running;
      const status = asked.answer?.status ?? 0;
      said.set(status, (said.get(status) ?? 0) + 1);
      const record = await openJobTools(gate).show(id);
      const result = await openJobTools(gate).result(id);
      if (status === 202) {
        assert.deepEqual([record.status, result.code, record.usage], ['cancelled', 'job_cancelled', null], ended);
      } else {
        // The job had completed and was charged, so the request deletes its result.
        assert.deepEqual([status, ended, record.status, record.usage?.credits], [204, 'ok', 'expired', 2]);
        charged += 2;
      }
      assert.deepEqual(await gate.spent(), [charged, 0]);
      await checkBooks(gate);
    }
    assert.ok((said.get(202) ?? 0) > 0 && (said.get(204) ?? 0) > 0, JSON.stringify([...said]));
  });
});

onEveryStore('a cancellation reaches its job even while the job is requeued and claimed again', async (kind) => {
  await withGate({ store: kind }, async (gate) => {
    for (let round = 0; round < 20; round += 1) {
      const id = await openJobTools(gate).queued();
      const claimed = await claimOne(gate, id);
      const stop = new AbortController();
      stop.abort(new JobStopped('drained'));
      const [, { answer }] = await Promise.all([runClaimed(gate, claimed, stop.signal), openJobTools(gate).cancel(id)]);
      const { status } = JobRecord.parse(answer?.body);
      assert.ok(answer?.status === (status === 'running' ? 202 : 200), `${answer?.status} ${status}`);
      assert.equal((await openJobTools(gate).show(id)).status, 'cancelled');
    }
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});
