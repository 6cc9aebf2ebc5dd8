import type { Clock } from '#kernel/clock.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { News } from '#engine/job-news.ts';
import { attempt } from './attempting.ts';
import type { AttemptParts } from './attempting.ts';
import type { Claimed, DeliveryRows } from './delivery-rows.ts';
import { DELIVERIES } from './enqueue.ts';
import { buildLines } from './lines.ts';
import type { Places } from './lines.ts';
import type { buildSettling, Settled } from './settling.ts';

/** Rows of one claim, and of one transaction of ends. */
const BATCH = 64;
/** How long ends wait for others to share their transaction. */
const SETTLE_AFTER_MS = 15;
/** Between two claims that the news of many commits ask for. */
const GAP_MS = 10;
const LOOK_EVERY_MS = 1000;
const RECOVER_EVERY_MS = 5000;
const PAUSE_AFTER_FAILURE_MS = 1000;
const PAUSE_AFTER_MISTAKE_MS = 60_000;
/** How long a stop waits for attempts that are on their way. */
export const GRACE_MS = 5000;

export type SenderParts = AttemptParts & {
  readonly rows: DeliveryRows;
  readonly settle: ReturnType<typeof buildSettling>;
  readonly news: News;
  readonly places: Places;
  readonly clock: Clock;
  /** Whether no other process can send, so that what was left is due at once. */
  readonly isAlone: boolean;
  readonly graceMs: number;
  /** Told of what goes wrong beside the attempts themselves; the loop goes on. */
  readonly report: (error: unknown) => void;
};

export type Sender = {
  /** Attempts of this process by what came of them: `succeeded`, or the error of the log. */
  readonly counts: () => ReadonlyMap<string, number>;
  /** Lets attempts end for a few seconds, gives the rest back, and resolves when nothing is written any more. */
  readonly drain: () => Promise<void>;
};

/** Starts to send what is due: at once when something is enqueued here, else at the next look. */
export function startSender(parts: SenderParts): Sender {
  const { rows, settle, news, places, clock, monotonic, attemptMs, graceMs, isAlone, report } = parts;
  const lines = buildLines(places, monotonic.now);
  const closing = new AbortController();
  const cutting = new AbortController();
  const counts = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let ended: Settled[] = [];
  let settling: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Writes what has ended, and tries again as long as the store is away: a lease that runs out meanwhile fences it. */
  async function flush(): Promise<void> {
    while (ended.length > 0) {
      const batch = ended.slice(0, BATCH);
      try {
        await settle(batch);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) report(error);
        const isLate = batch.every(({ claimed }) => claimed.until < clock.now());
        if (!isLate && !closing.signal.aborted && error instanceof StoreUnavailable) {
          await news.next('nothing', PAUSE_AFTER_FAILURE_MS, closing.signal);
          continue;
        }
      }
      ended = ended.slice(batch.length);
    }
    news.tell(DELIVERIES);
  }

  function finish(settled: Settled): void {
    ended.push(settled);
    if (ended.length >= BATCH) startFlush();
    else timer ??= setTimeout(startFlush, SETTLE_AFTER_MS);
  }

  function startFlush(): void {
    clearTimeout(timer);
    timer = undefined;
    settling = settling.then(flush);
  }

  /** Gives claimed deliveries back, due after `waitMs`. */
  function release(claimed: readonly Claimed[], waitMs = 0): void {
    for (const one of claimed) {
      finish({ claimed: one, status: 'pending', dueAt: clock.now() + waitMs, tried: null, isGone: false });
    }
  }

  async function run(claimed: Claimed, end: (isWell: boolean) => void): Promise<void> {
    try {
      const settled = await attempt(claimed, parts, cutting.signal);
      const isWell = settled.status === 'succeeded';
      end(isWell);
      const result = settled.tried === null ? settled.status : (settled.tried.error ?? 'succeeded');
      counts.set(result, (counts.get(result) ?? 0) + 1);
      finish(settled);
      // A receiver that fails once gets one at a time, and another process may have the rest.
      if (!isWell) release(lines.dropLine(claimed));
    } catch (error) {
      end(false);
      const isCut = cutting.signal.aborted;
      if (!isCut) report(error);
      release([claimed], isCut ? 0 : PAUSE_AFTER_MISTAKE_MS);
    }
    send(claimed.endpoint);
  }

  /** Sends all that may go to the endpoint now. */
  function send(endpoint: string): void {
    while (!closing.signal.aborted) {
      const next = lines.begin(endpoint);
      if (next === null) return;
      // An attempt that would outlast its lease would be made twice.
      if (next.claimed.until - clock.now() < attemptMs) {
        next.end(false);
        release([next.claimed]);
        continue;
      }
      const attempted = run(next.claimed, next.end).finally(() => running.delete(attempted));
      running.add(attempted);
    }
  }

  async function fill(): Promise<void> {
    for (let found = BATCH; found === BATCH && !closing.signal.aborted;) {
      const most = Math.min(BATCH, lines.appetite());
      if (most <= 0) return;
      const claimed = await rows.claim(most, lines.rooms());
      for (const one of claimed) lines.add(one);
      for (const endpoint of new Set(claimed.map((one) => one.endpoint))) send(endpoint);
      found = claimed.length;
    }
  }

  async function loop(): Promise<void> {
    await rows.recover(isAlone ? 'all' : 'dead').catch(report);
    let recovered = monotonic.now();
    while (!closing.signal.aborted) {
      // Asked for first, since what is told while the places are filled would be missed.
      const woken = news.next(DELIVERIES, LOOK_EVERY_MS, closing.signal);
      try {
        await fill();
        if (monotonic.now() - recovered > RECOVER_EVERY_MS) {
          recovered = monotonic.now();
          await rows.recover('dead');
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) report(error);
        await news.next('nothing', PAUSE_AFTER_FAILURE_MS, closing.signal);
      }
      await woken;
      await news.next('nothing', GAP_MS, closing.signal);
    }
  }

  const looping = loop();
  return {
    counts: () => counts,
    async drain() {
      closing.abort();
      await looping;
      release(lines.dropAll());
      const cut = setTimeout(() => cutting.abort(), graceMs);
      await Promise.all(running);
      clearTimeout(cut);
      startFlush();
      await settling;
    },
  };
}
