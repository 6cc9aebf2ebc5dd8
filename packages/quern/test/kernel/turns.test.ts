import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as check, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { createFairQueue, type WorkOwner, type FairQueue } from '#kernel/fair-queue.ts';
import { clockAt } from '../support/clock.ts';

const NEVER = new AbortController().signal;

function party(tenant: string, weight = 1): WorkOwner {
  return { tenant, weight };
}

/** A clock that is stopped until it is advanced. */
function openStillClock() {
  let now = 0;
  return { ...clockAt(() => now), pass: (ms: number) => void (now += ms) };
}

/** Acquires slots and releases each after `ms`; lists the tenants that got one, in order. */
function openWork(turns: FairQueue, clock: ReturnType<typeof openStillClock>) {
  const begun: string[] = [];
  const held: { readonly tenant: string; readonly free: () => void }[] = [];
  return {
    begun,
    ask: (who: WorkOwner): void => {
      const gets = (free: () => void): void => {
        begun.push(who.tenant);
        held.push({ tenant: who.tenant, free });
      };
      turns.acquire(who, NEVER).then(gets, () => undefined);
    },
    /** Releases the oldest slot after `ms`. */
    free: async (ms: number): Promise<void> => {
      clock.pass(ms);
      held.shift()?.free();
      await settled();
    },
  };
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test('a tenant may use all slots while nobody waits; then other tenants get each freed slot in turn', async () => {
  const clock = openStillClock();
  const turns = createFairQueue({ places: 2, spare: 0, clock });
  const { ask, begun, free } = openWork(turns, clock);
  for (let count = 0; count < 5; count += 1) ask(party('many'));
  ask(party('other'));
  await settled();
  assert.deepEqual(begun, ['many', 'many']);
  assert.deepEqual(turns.getCounts(), { taken: 2, waiting: 4 });
  assert.deepEqual([turns.hasOtherWaiting('many'), turns.hasOtherWaiting('other')], [true, true]);
  await free(100);
  await free(100);
  await free(100);
  assert.deepEqual(begun, ['many', 'many', 'other', 'many', 'many']);
});

test('the spare slot goes only to a tenant without a slot while another has all the others', async () => {
  const clock = openStillClock();
  const { ask, begun } = openWork(createFairQueue({ places: 2, spare: 1, clock }), clock);
  for (let count = 0; count < 4; count += 1) ask(party('many'));
  await settled();
  assert.deepEqual(begun, ['many', 'many']);
  ask(party('other'));
  ask(party('third'));
  await settled();
  assert.deepEqual(begun, ['many', 'many', 'other']);
});

test('tenants that always wait share one slot by weight, measured in time and not in turns', async () => {
  const clock = openStillClock();
  const turns = createFairQueue({ places: 1, spare: 0, clock });
  const { ask, begun, free } = openWork(turns, clock);
  const weights: Readonly<Record<string, number>> = { slow: 1, quick: 1, paying: 4 };
  const lengths: Readonly<Record<string, number>> = { slow: 900, quick: 100, paying: 100 };
  const spent: Record<string, number> = { slow: 0, quick: 0, paying: 0 };
  for (const [tenant, weight] of Object.entries(weights)) for (let n = 0; n < 400; n += 1) ask(party(tenant, weight));
  await settled();
  for (let n = 0; n < 300; n += 1) {
    const tenant = begun.at(-1) ?? '';
    const ms = lengths[tenant] ?? 0;
    spent[tenant] = (spent[tenant] ?? 0) + ms;
    await free(ms);
  }
  const { slow = 0, quick = 0, paying = 0 } = spent;
  assert.ok(Math.abs(slow - quick) <= 1000, JSON.stringify(spent));
  assert.ok(Math.abs(paying - 4 * quick) <= 4000, JSON.stringify(spent));
});

test('an aborted waiter delays nobody, and a slot that is released twice counts once', async () => {
  const clock = openStillClock();
  const turns = createFairQueue({ places: 1, spare: 0, clock });
  const first = await turns.acquire(party('one'), NEVER);
  const leaving = new AbortController();
  const waiting = turns.acquire(party('two'), leaving.signal);
  const other = turns.acquire(party('three'), NEVER);
  leaving.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  first();
  first();
  const second = await other;
  assert.deepEqual(turns.getCounts(), { taken: 1, waiting: 0 });
  second();
  assert.deepEqual(turns.getCounts(), { taken: 0, waiting: 0 });
  await assert.rejects(turns.acquire(party('two'), AbortSignal.abort(new Error('gone'))), /gone/);
});

test('for any sequence, no slot is lost or granted twice, and nobody waits while a slot is free', async () => {
  const step = record({
    tenant: constantFrom('a', 'b', 'c', 'd'),
    does: constantFrom('ask', 'free', 'leave'),
  });
  await check(
    asyncProperty(array(step, { maxLength: 60 }), integer({ min: 1, max: 4 }), async (steps, places) => {
      const clock = openStillClock();
      const turns = createFairQueue({ places, spare: 1, clock });
      const held: (() => void)[] = [];
      const leaving: AbortController[] = [];
      for (const { tenant, does } of steps) {
        clock.pass(10);
        if (does === 'free') held.shift()?.();
        else if (does === 'leave') leaving.shift()?.abort(new Error('left'));
        else {
          const controller = new AbortController();
          leaving.push(controller);
          turns.acquire(party(tenant), controller.signal).then(
            (free) => held.push(free),
            () => undefined,
          );
        }
        await settled();
        const { taken, waiting } = turns.getCounts();
        assert.equal(taken, held.length);
        assert.ok(taken <= places + 1);
        assert.ok(waiting === 0 || taken >= places);
      }
      while (turns.getCounts().taken > 0) {
        held.shift()?.();
        await settled();
      }
      assert.deepEqual(turns.getCounts(), { taken: 0, waiting: 0 });
    }),
    { numRuns: 60 },
  );
});
