import { Piscina } from 'piscina';
import { untilAborted } from '#kernel/deadline.ts';
import type { Clock, Timer } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import { collectGarbage } from '#kernel/memory.ts';
import { waitIn } from '#kernel/waiting-line.ts';
import type { WaitingLine } from '#kernel/waiting-line.ts';
import { MOST_ID, openWatchdogCell } from './watchdog-cell.ts';
import type { WatchdogCell } from './watchdog-cell.ts';

/** The page of a call, or one of the many of a crawl; those of calls go first. */
const KINDS = ['page', 'site'] as const;
type WorkKind = (typeof KINDS)[number];

/** A task for a thread, with an id that is unique among the tasks in it. */
export type ParserTask<W> = { readonly id: number } & W;
/** A refusal that must cross the thread as plain data. */
export type ParserRefusal = { readonly code: ErrorCode; readonly message: string };

export type QueueOptions = {
  /** The module whose `runTask` reads the pages. */
  readonly module: URL;
  /** Time that one page may take, ms. */
  readonly budgetMs: number;
  readonly heapMb: number;
  /** Tasks that are handed to the thread before it has answered. */
  readonly atOnce: number;
  /** Limit on memory outside the heap, MiB; unlimited unless given. */
  readonly outsideMb?: number;
  /** Pages after which an idle thread frees its memory; `LOAD_PAGES` unless given. */
  readonly restAfter?: number;
  /** Called when the thread has freed the memory of a load. */
  readonly onRest: () => void;
  readonly clock: Clock;
};

/** Pages handed to a thread: the next are there while one is read, so that it does not wait while the main thread is busy. */
export const IN_FLIGHT = 16;

/** A thread frees its memory after this many pages, large ones one by one, and this many ms without another. */
const LOAD_PAGES = 200;
const REST_MS = 2_000;

/** The task that frees the memory of an idle thread. */
const SETTLE = { filename: import.meta.resolve('#kernel/memory.ts'), name: collectGarbage.name };

/** Poll interval of the memory of a thread, ms. */
const POLL_MS = 100;

/** A queue of pages and the one thread that reads them, started on first need and ended after 60 s idle. */
export class ParserQueue<W extends { readonly kind: WorkKind }, R extends object> {
  readonly #options: QueueOptions;
  readonly #cell: WatchdogCell;
  readonly #pool: Piscina<ParserTask<W> | null, R | ParserRefusal>;
  readonly #slots: FairSlots;
  #lastId = 0;
  #inFlight = 0;
  #load = 0;
  /** The page that used up its budget. */
  #overdue = 0;
  #readSinceRest = 0;
  #watching: Timer | undefined;
  #weighing: Timer | undefined;
  #resting: Timer | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#cell = openWatchdogCell(options.clock);
    this.#pool = new Piscina({
      filename: options.module.href,
      name: 'runTask',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 60_000,
      recordTiming: false,
      concurrentTasksPerWorker: options.atOnce,
      workerData: this.#cell.shared,
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb },
    });
    // With one slot more than the thread takes, each kind has one and neither always comes first.
    this.#slots = new FairSlots(Math.max(2, options.atOnce));
  }

  /** Pages in the thread, and those that wait for it. */
  get load(): number {
    return this.#load;
  }

  /** Reads a page; throws `content_too_large` past its budget, and the signal's reason when that fires. */
  async read(work: W, signal: AbortSignal): Promise<R> {
    this.#load += 1;
    try {
      await this.#slots.take(work.kind, signal);
      const running = this.#run(work, signal).finally(() => this.#slots.free(work.kind));
      return await untilAborted(running, signal);
    } finally {
      this.#load -= 1;
    }
  }

  async close(): Promise<void> {
    for (const timer of [this.#watching, this.#weighing, this.#resting]) timer?.close();
    await this.#pool.destroy();
  }

  /** Reads a page again when the thread ended for a page before it. */
  async #run(work: W, signal: AbortSignal): Promise<R> {
    let reply: R | ParserRefusal | null = null;
    while (reply === null) {
      signal.throwIfAborted();
      reply = await this.#readOnce(work);
    }
    if (isRefusal(reply)) throw new ServiceError(reply.code, reply.message);
    return reply;
  }

  /** Null when the thread ended for the page before this one. */
  async #readOnce(work: W): Promise<R | ParserRefusal | null> {
    this.#lastId = (this.#lastId % MOST_ID) + 1;
    const id = this.#lastId;
    this.#begin();
    try {
      return await this.#pool.run({ id, ...work });
    } catch (error) {
      if (!isThreadDeath(error)) throw error;
      if (id !== this.#cell.current().id) return null;
      // The thread died over this page and cannot clear the cell for the next thread.
      this.#cell.mark(0);
      const { budgetMs } = this.#options;
      const bound = id === this.#overdue ? `more than ${budgetMs / 1000} s` : 'more memory than is allowed';
      throw new ServiceError('content_too_large', `reading this page takes ${bound}`, { cause: error });
    } finally {
      this.#end();
    }
  }

  #begin(): void {
    this.#inFlight += 1;
    this.#readSinceRest += 1;
    this.#resting?.close();
    if (this.#inFlight > 1) return;
    const { budgetMs, outsideMb, clock } = this.#options;
    this.#watching = clock.after(budgetMs, () => this.#watch());
    if (outsideMb === undefined) return;
    this.#weighing = clock.every(POLL_MS, () => void this.#weigh(outsideMb * 2 ** 20));
  }

  #end(): void {
    this.#inFlight -= 1;
    if (this.#inFlight > 0) return;
    this.#watching?.close();
    this.#weighing?.close();
    if (this.#readSinceRest < (this.#options.restAfter ?? LOAD_PAGES)) return;
    this.#resting = this.#options.clock.after(REST_MS, () => void this.#rest()).unref();
  }

  /** Ends the thread when its current page has used up its time budget. */
  #watch(): void {
    const { budgetMs, clock } = this.#options;
    const { id, spentMs } = this.#cell.current();
    const isOver = spentMs >= budgetMs;
    this.#watching = clock.after(isOver ? budgetMs : budgetMs - spentMs, () => this.#watch());
    if (!isOver) return;
    this.#overdue = id;
    for (const thread of this.#pool.threads) void thread.terminate();
  }

  /** Ends the thread when its memory outside the heap exceeds the limit; V8 bounds the heap alone. */
  async #weigh(most: number): Promise<void> {
    const { id } = this.#cell.current();
    for (const thread of this.#pool.threads) {
      // A thread that has just ended has no statistics.
      const held = await thread.getHeapStatistics().then(
        ({ external_memory: bytes }) => bytes,
        () => 0,
      );
      if (id !== 0 && id === this.#cell.current().id && held > most) void thread.terminate();
    }
  }

  /** Frees the memory of the idle thread: V8 gives it back only under pressure. */
  async #rest(): Promise<void> {
    this.#readSinceRest = 0;
    // A thread that has ended meanwhile has given back everything.
    if (this.#pool.threads.length > 0) await this.#pool.run(null, SETTLE).catch(() => undefined);
    this.#options.onRest();
  }
}

/** Only a refusal has a code. */
function isRefusal(reply: object): reply is ParserRefusal {
  return 'code' in reply;
}

/** Out of memory, or ended by the watchdog: all tasks in the thread are lost, the marked page is the cause. */
function isThreadDeath(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : null;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || /^(worker exited|Terminating worker)/i.test(error.message);
}

/** Slots of a queue, first come, first served in each kind; one is reserved for either, and pages of calls go first. */
class FairSlots {
  readonly #count: number;
  readonly #taken = { page: 0, site: 0 };
  readonly #waiting: Readonly<Record<WorkKind, WaitingLine>> = { page: new Set(), site: new Set() };

  constructor(count: number) {
    this.#count = count;
  }

  async take(kind: WorkKind, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const turn = waitIn(this.#waiting[kind], signal);
    this.#admit();
    await turn;
  }

  free(kind: WorkKind): void {
    this.#taken[kind] -= 1;
    this.#admit();
  }

  #admit(): void {
    const taken = this.#taken;
    for (const kind of KINDS) {
      for (const next of this.#waiting[kind]) {
        if (taken[kind] >= this.#count - 1 || taken.page + taken.site >= this.#count) break;
        this.#waiting[kind].delete(next);
        taken[kind] += 1;
        next();
      }
    }
  }
}
