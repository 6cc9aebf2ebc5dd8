import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { createSending } from '#testkit/deliveries.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { withTemporaryStore } from './store.ts';

const EVENTS = 3000;

/** The body of each event. */
export const EVENT_BODY = JSON.stringify({ text: 'x'.repeat(2000) });

/** Measures events per second to one local receiver. */
export async function measureWebhookRate(): Promise<number> {
  const sink = await startHttpServer((request, response) => void request.resume().on('end', () => response.end()));
  const rate = await withTemporaryStore(async (db) => {
    const sending = createSending(db, SYSTEM_CLOCK);
    await sending.hook('mon_1', sink.origin);
    for (let n = 0; n < EVENTS; n += 1) await sending.enqueue('mon_1', EVENT_BODY);
    const began = performance.now();
    const sender = sending.start();
    while ((sender.counts().get('succeeded') ?? 0) < EVENTS)
      await sending.notifications.next('nothing', 5, new AbortController().signal);
    const seconds = (performance.now() - began) / 1000;
    await sending.close();
    return EVENTS / seconds;
  });
  await sink[Symbol.asyncDispose]();
  return rate;
}
