import { performance } from 'node:perf_hooks';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { openSending } from '#testkit/deliveries.ts';
import { openSite, openTalker } from '#testkit/servers.ts';
import { withFreshStore } from './fresh-store.ts';
import { BODY, measureRate } from './webhook-rate.ts';

/*
 * How fast events leave: one endpoint that answers at once, then one healthy endpoint beside a thousand that never answer.
 */

const DEAD = 1000;

/** Milliseconds from a commit to the receipt by a healthy receiver, while all others hold their requests. */
async function measureHealthy(): Promise<readonly number[]> {
  const stuck = await Promise.all(Array.from({ length: DEAD }, async () => openTalker(() => undefined)));
  let arrived = Promise.withResolvers<void>();
  const healthy = await openSite((request, response) => {
    request.resume().on('end', () => {
      response.end();
      arrived.resolve();
    });
  });
  const delays = await withFreshStore(async (db) => {
    const sending = openSending(db, SYSTEM_CLOCK, { attemptMs: 15_000 });
    for (const [at, { origin }] of stuck.entries()) {
      await sending.hook(`mon_${at}`, origin);
      for (let n = 0; n < 3; n += 1) await sending.enqueue(`mon_${at}`, BODY);
    }
    await sending.hook('mon_healthy', healthy.origin);
    sending.start();
    const all: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      arrived = Promise.withResolvers<void>();
      const began = performance.now();
      await sending.enqueue('mon_healthy', BODY);
      await arrived.promise;
      all.push(performance.now() - began);
      await sending.notifications.next('nothing', 250, new AbortController().signal);
    }
    await sending.close();
    return all;
  });
  await Promise.all([...stuck, healthy].map(async (site) => site[Symbol.asyncDispose]()));
  return delays;
}

const rate = await measureRate();
process.stdout.write(`events to one receiver        ${Math.round(rate)} a second\n`);
const delays = (await measureHealthy()).toSorted((a, b) => a - b);
const quantile = (q: number): string => `${Math.round(delays[Math.floor(q * (delays.length - 1))] ?? 0)} ms`;
process.stdout.write(
  `healthy beside ${DEAD} stuck     p50 ${quantile(0.5)}, p95 ${quantile(0.95)}, max ${quantile(1)}\n`,
);
