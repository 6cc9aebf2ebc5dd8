import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { SYSTEM_CLOCK, sleepUnlessAborted } from '#kernel/clock.ts';
import { driveClock } from '../support/clock.ts';

test('an aborted sleep rejects with the reason of its signal, and an aborted pause ends', async () => {
  const why = new Error('stopped');
  const stopped = AbortSignal.abort(why);
  for (const clock of [SYSTEM_CLOCK, driveClock()]) {
    await assert.rejects(clock.sleep(60_000, stopped), why);
    await sleepUnlessAborted(clock, 60_000, stopped);
  }
});

test('a deadline fires when its time is up, or earlier with its signal', async () => {
  const why = new Error('gone');
  assert.equal(SYSTEM_CLOCK.deadline(60_000, AbortSignal.abort(why)).reason, why);
  const clock = driveClock();
  const deadline = clock.deadline(100, new AbortController().signal);
  await clock.advance(99);
  assert.equal(deadline.aborted, false);
  await clock.advance(1);
  assert.equal(deadline.reason.name, 'TimeoutError');
});

test('a manual clock runs due timers in order, each at its own time', async () => {
  const clock = driveClock();
  const ran: string[] = [];
  const note = (name: string) => void ran.push(`${name} ${clock.monotonic()}`);
  clock.after(30, () => note('after'));
  const beating = clock.every(20, () => note('every'));
  async function sleepTwice(): Promise<void> {
    await clock.sleep(25);
    note('slept');
    await clock.sleep(10);
    note('again');
  }
  const sleeping = sleepTwice();
  clock.after(10, () => note('never')).close();
  await clock.advance(50);
  beating.close();
  await sleeping;
  assert.deepEqual(ran, ['every 20', 'slept 25', 'after 30', 'again 35', 'every 40']);
  assert.equal(clock.pending(), 0);
});
