import { type Clock, pause, type Timer } from '#kernel/clock.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { Notifications } from '#engine/jobs/job-notifications.ts';
import { DELIVERIES } from './enqueue.ts';
import type { DeliveryEnd, EndDeliveries } from './delivery-ends.ts';

/** Rows of one transaction. */
const BATCH = 64;
/** How long an end waits for others to share its transaction. */
const GATHER_MS = 15;
const PAUSE_AFTER_FAILURE_MS = 1000;

export type EndWriterParts = {
  readonly endDeliveries: EndDeliveries;
  readonly notifications: Notifications;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
  /** From then on a store that is away is waited for no longer. */
  readonly closing: AbortSignal;
};

/** Writes the ends of deliveries, many in one transaction. */
export class EndWriter {
  readonly #parts: EndWriterParts;
  #ends: DeliveryEnd[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: Timer | undefined;

  constructor(parts: EndWriterParts) {
    this.#parts = parts;
  }

  add(end: DeliveryEnd): void {
    this.#ends.push(end);
    if (this.#ends.length >= BATCH) void this.flush();
    else this.#timer ??= this.#parts.clock.after(GATHER_MS, () => void this.flush());
  }

  /** Writes all ends now; resolves when they are written. */
  async flush(): Promise<void> {
    this.#timer?.close();
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { notifications, clock, closing } = this.#parts;
    while (this.#ends.length > 0) {
      const batch = this.#ends.slice(0, BATCH);
      if (await this.#tryWrite(batch)) this.#ends = this.#ends.slice(batch.length);
      else await pause(clock, PAUSE_AFTER_FAILURE_MS, closing);
    }
    notifications.notifyHere(DELIVERIES);
  }

  /** False where the store is away and the leases still last: one that runs out meanwhile fences its end. */
  async #tryWrite(batch: readonly DeliveryEnd[]): Promise<boolean> {
    const { endDeliveries, clock, report, closing } = this.#parts;
    try {
      await endDeliveries(batch);
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) report(error);
      const isLate = batch.every(({ claimed }) => claimed.until < clock.now());
      return isLate || closing.aborted || !(error instanceof StoreUnavailable);
    }
  }
}
