import { performance } from 'node:perf_hooks';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { createSending } from '#testkit/deliveries.ts';
import { startHttpServer, startSocketServer } from '#testkit/servers.ts';
import { withTemporaryStore } from './store.ts';
import { EVENT_BODY, measureWebhookRate } from './webhook-rate.ts';

/*
 * Measures how fast events are sent: to one fast endpoint, then to one healthy endpoint next to a thousand that never respond.
 */

const DEAD_RECEIVERS = 1000;

/** Delays in ms from commit to receipt at a healthy receiver, while all others hang. */
async function measureHealthyDelays(): Promise<readonly number[]> {
  const stuck = await Promise.all(
    Array.from({ length: DEAD_RECEIVERS }, async () => startSocketServer(() => undefined)),
  );
  let arrived = Promise.withResolvers<void>();
  const healthy = await startHttpServer((request, response) => {
    request.resume().on('end', () => {
      response.end();
      arrived.resolve();
    });
  });
  const delays = await withTemporaryStore(async (db) => {
    const sending = createSending(db, SYSTEM_CLOCK, { attemptMs: 15_000 });
    for (const [at, { origin }] of stuck.entries()) {
      await sending.hook(`mon_${at}`, origin);
      for (let n = 0; n < 3; n += 1) await sending.enqueue(`mon_${at}`, EVENT_BODY);
    }
    await sending.hook('mon_healthy', healthy.origin);
    sending.start();
    const all: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      arrived = Promise.withResolvers<void>();
      const began = performance.now();
      await sending.enqueue('mon_healthy', EVENT_BODY);
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

const rate = await measureWebhookRate();
process.stdout.write(`events to one receiver        ${Math.round(rate)} a second\n`);
const delays = (await measureHealthyDelays()).toSorted((a, b) => a - b);
const formatQuantile = (q: number): string => `${Math.round(delays[Math.floor(q * (delays.length - 1))] ?? 0)} ms`;
process.stdout.write(
  `healthy beside ${DEAD_RECEIVERS} stuck     p50 ${formatQuantile(0.5)}, p95 ${formatQuantile(0.95)}, max ${formatQuantile(1)}\n`,
);
