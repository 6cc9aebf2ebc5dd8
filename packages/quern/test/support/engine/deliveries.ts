import type { StoreKind } from '#store/db.ts';
import { createSending, type SendingOptions } from '#testkit/deliveries.ts';
import { openTestClock, type TestClock } from '../clock.ts';
import { withStoreKind } from '../store.ts';

export type Sending = ReturnType<typeof createSending<TestClock>>;

/** Runs work with webhooks on a fresh store, starting at the current time. */
export async function withSending(
  store: StoreKind,
  options: SendingOptions,
  work: (sending: Sending) => Promise<void>,
): Promise<void> {
  await withStoreKind(store, async (db) => {
    const sending = createSending(db, openTestClock(new Date().toISOString()), options);
    try {
      await work(sending);
    } finally {
      await sending.close();
    }
  });
}
