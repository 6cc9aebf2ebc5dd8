import type { Guard } from '#access/guard/guard.ts';
import { createPostClient } from '#access/http/post.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import type { Loop, LoopStart, RunningLoop } from '#engine/call/feature.ts';
import type { Notifications } from '#engine/jobs/job-notifications.ts';
import { type Clock, sleepUnlessAborted, type Timer } from '#kernel/clock.ts';
import { type DeliveryEvent, findUrlHost, type ObserveEvent } from '#kernel/events.ts';
import { newId } from '#kernel/ids.ts';
import { toLabelledSamples, type Metric, toUnlabelledSamples } from '#kernel/metric.ts';
import { type Db, StoreUnavailable } from '#store/db.ts';
import { ATTEMPT_TIMEOUT_MS, attemptDelivery, type AttemptParts } from './attempt.ts';
import { buildEndDeliveries, type DeliveryEnd, type EndDeliveries } from './delivery-ends.ts';
import { type ClaimedDelivery, DeliveryRows } from './delivery-rows.ts';
import { EndpointQueues, SENDING_LIMITS, type SendingLimits } from './endpoint-queues.ts';
import { DELIVERIES_TOPIC } from './enqueue.ts';
import type { Webhooks } from './webhooks.ts';

/** Maximum number of deliveries per claim. */
const MAX_CLAIMED = 64;
/** Minimum time between two claims, so that many notifications lead to one claim. */
const MIN_CLAIM_GAP_MS = 10;
const POLL_MS = 1000;
const RECOVER_INTERVAL_MS = 5000;
const STORE_RETRY_MS = 1000;
const ERROR_RETRY_MS = 60_000;
/** How long a shutdown waits for running attempts. */
export const SHUTDOWN_GRACE_MS = 5000;

export type SenderParts = AttemptParts & {
  readonly rows: DeliveryRows;
  readonly endDeliveries: EndDeliveries;
  readonly notifications: Notifications;
  readonly limits: SendingLimits;
  readonly clock: Clock;
  /** Whether no other process can send, so that unfinished deliveries are due at once. */
  readonly isAlone: boolean;
  readonly graceMs: number;
  readonly observe: ObserveEvent;
  /** Called with errors other than those of attempts; the loop continues. */
  readonly report: (error: unknown) => void;
};

/** Starts sending due deliveries: at once if this process enqueued them, else at the next poll. */
export function startSender(parts: SenderParts): Sender {
  return new Sender(parts);
}

/** The loop that claims due deliveries and makes attempts, within the limits per endpoint. */
export class Sender {
  readonly #parts: SenderParts;
  readonly #queues: EndpointQueues;
  readonly #ends: EndWriter;
  readonly #counts = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  readonly #cutting = new AbortController();
  readonly #looping: Promise<void>;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#queues = new EndpointQueues(parts.limits, parts.clock.monotonic);
    this.#ends = new EndWriter({ ...parts, closing: this.#closing.signal });
    this.#looping = this.#loop();
  }

  /** Counts of attempts of this process by result: `succeeded`, or the logged error. */
  counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Waits a few seconds for running attempts, releases the others, and resolves when all ends are written. */
  async drain(): Promise<void> {
    this.#closing.abort();
    await this.#looping;
    this.#release(this.#queues.dropAll());
    const { clock, graceMs } = this.#parts;
    const cut = clock.after(graceMs, () => this.#cutting.abort());
    await Promise.all(this.#running);
    cut.close();
    await this.#ends.flush();
  }

  async #loop(): Promise<void> {
    const { rows, notifications, isAlone, report, clock } = this.#parts;
    const { signal } = this.#closing;
    await rows.recover(isAlone ? 'all' : 'dead').catch(report);
    let recovered = clock.monotonic();
    while (!signal.aborted) {
      // Subscribe first: notifications that arrive during the claim would be missed.
      const woken = notifications.next(DELIVERIES_TOPIC, POLL_MS, signal);
      try {
        await this.#claim();
        if (clock.monotonic() - recovered > RECOVER_INTERVAL_MS) {
          recovered = clock.monotonic();
          await rows.recover('dead');
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) report(error);
        await sleepUnlessAborted(clock, STORE_RETRY_MS, signal);
      }
      await woken;
      await sleepUnlessAborted(clock, MIN_CLAIM_GAP_MS, signal);
    }
  }

  /** Claims due deliveries while there are free slots, and sends them. */
  async #claim(): Promise<void> {
    for (let claimedCount = MAX_CLAIMED; claimedCount === MAX_CLAIMED && !this.#closing.signal.aborted;) {
      const most = Math.min(MAX_CLAIMED, this.#queues.countFreeSlots());
      if (most <= 0) return;
      const claimed = await this.#parts.rows.claim(most, this.#queues.buildCapacities());
      for (const one of claimed) this.#queues.add(one);
      for (const endpoint of new Set(claimed.map((one) => one.endpoint))) this.#send(endpoint);
      claimedCount = claimed.length;
    }
  }

  /** Starts all deliveries that may go to the endpoint now. */
  #send(endpoint: string): void {
    const { clock, attemptMs } = this.#parts;
    while (!this.#closing.signal.aborted) {
      const next = this.#queues.startNext(endpoint);
      if (next === null) return;
      // An attempt that outlasts its lease would be made twice.
      if (next.claimed.until - clock.now() < attemptMs) {
        next.end(false);
        this.#release([next.claimed]);
        continue;
      }
      const attempted = this.#run(next.claimed, next.end).finally(() => this.#running.delete(attempted));
      this.#running.add(attempted);
    }
  }

  async #run(claimed: ClaimedDelivery, end: (hasSucceeded: boolean) => void): Promise<void> {
    try {
      const ended = await attemptDelivery(claimed, this.#parts, this.#cutting.signal);
      const hasSucceeded = ended.status === 'succeeded';
      this.#count(ended);
      this.#parts.observe(toDeliveryEvent(ended));
      this.#ends.add(ended);
      // Disable the webhook before the queue is free, so that a receiver that is gone gets nothing more.
      if (ended.isGone) await this.#ends.flush();
      end(hasSucceeded);
      // After a failure a receiver gets one delivery at a time, and other processes may take the rest.
      if (!hasSucceeded) this.#release(this.#queues.dropQueue(claimed));
    } catch (error) {
      end(false);
      const isCut = this.#cutting.signal.aborted;
      if (!isCut) this.#parts.report(error);
      this.#release([claimed], isCut ? 0 : ERROR_RETRY_MS);
    }
    this.#send(claimed.endpoint);
  }

  /** Releases claimed deliveries, due after `waitMs`. */
  #release(claimed: readonly ClaimedDelivery[], waitMs = 0): void {
    const dueAt = this.#parts.clock.now() + waitMs;
    for (const delivery of claimed) {
      this.#ends.add({ claimed: delivery, status: 'pending', dueAt, attempt: null, isGone: false });
    }
  }

  #count({ status, attempt }: DeliveryEnd): void {
    const result = attempt === null ? status : (attempt.error ?? 'succeeded');
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
  }
}

function toDeliveryEvent({ claimed, status, attempt }: DeliveryEnd): DeliveryEvent {
  const { id, owner_id: owner, type: sent, endpoint, attempts } = claimed;
  return {
    type: 'delivery',
    id,
    owner,
    sent,
    host: findUrlHost(endpoint),
    outcome: status,
    status: attempt?.statusCode ?? null,
    reason: attempt?.error ?? null,
    attempt: attempts + 1,
    durationMs: attempt?.durationMs ?? 0,
  };
}

/** Maximum number of rows per transaction. */
const MAX_ENDS_AT_ONCE = 64;
/** How long an end waits for others to share its transaction. */
const WRITE_DELAY_MS = 15;
const WRITE_RETRY_MS = 1000;

type EndWriterParts = {
  readonly endDeliveries: EndDeliveries;
  readonly notifications: Notifications;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
  /** Once aborted, an unavailable database is no longer waited for. */
  readonly closing: AbortSignal;
};

/** Writes the ends of deliveries, many in one transaction. */
class EndWriter {
  readonly #parts: EndWriterParts;
  #ends: DeliveryEnd[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: Timer | undefined;

  constructor(parts: EndWriterParts) {
    this.#parts = parts;
  }

  add(end: DeliveryEnd): void {
    this.#ends.push(end);
    if (this.#ends.length >= MAX_ENDS_AT_ONCE) void this.flush();
    else this.#timer ??= this.#parts.clock.after(WRITE_DELAY_MS, () => void this.flush());
  }

  /** Writes all ends now. Resolves when they are written. */
  async flush(): Promise<void> {
    this.#timer?.close();
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { notifications, clock, closing } = this.#parts;
    while (this.#ends.length > 0) {
      const batch = this.#ends.slice(0, MAX_ENDS_AT_ONCE);
      if (await this.#tryWrite(batch)) this.#ends = this.#ends.slice(batch.length);
      else await sleepUnlessAborted(clock, WRITE_RETRY_MS, closing);
    }
    notifications.notifyHere(DELIVERIES_TOPIC);
  }

  /**
   * Returns false if the database is unavailable and the leases are still valid. Ends of expired leases need not be
   * written.
   */
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

export type SendingParts = {
  readonly db: Db;
  readonly clock: Clock;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly guard: Guard;
  readonly notifications: Notifications;
  readonly webhooks: Webhooks;
  readonly observe: ObserveEvent;
  readonly report: (error: unknown) => void;
};

/** Builds the loop that sends events, with its own connections. */
export function buildSendingLoop(parts: SendingParts): Loop {
  return { beside: 'service', start: (how) => startSending(parts, how) };
}

function startSending(
  { db, clock, random, guard, webhooks, notifications, observe, report }: SendingParts,
  { isAlone }: LoopStart,
): RunningLoop {
  const posting = createPostClient({ guard, limits: DEFAULT_LIMITS, authorities: [], clock });
  const rows = new DeliveryRows({ db, clock, webhooks, sender: newId('snd', clock.now()) });
  const sender = startSender({
    rows,
    endDeliveries: buildEndDeliveries({ db, clock }),
    notifications,
    limits: SENDING_LIMITS,
    clock,
    posting,
    guard,
    random,
    attemptMs: ATTEMPT_TIMEOUT_MS,
    graceMs: SHUTDOWN_GRACE_MS,
    isAlone,
    observe,
    report,
  });
  const metrics: readonly Metric[] = [
    {
      name: 'quern_webhook_attempts_total',
      help: 'Attempts to deliver an event, by result',
      kind: 'total',
      labels: ['result'],
      read: async () => toLabelledSamples(sender.counts()),
    },
    {
      name: 'quern_webhook_pending',
      help: 'Deliveries that are waiting or being sent',
      kind: 'level',
      labels: [],
      read: async () => toUnlabelledSamples((await rows.backlog()).pending),
    },
    {
      name: 'quern_webhook_oldest_due_seconds',
      help: 'Seconds since the oldest waiting delivery became due',
      kind: 'level',
      labels: [],
      read: async () => toUnlabelledSamples((await rows.backlog()).lateMs / 1000),
    },
  ];
  return {
    metrics,
    async close(): Promise<void> {
      await sender.drain();
      await posting.close();
    },
  };
}
