import { move, Piscina, transferableSymbol, valueSymbol } from 'piscina';
import type { Clock, Timer } from '#kernel/clock.ts';
import { waitUnlessAborted } from '#kernel/deadline.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { collectGarbage } from '#kernel/memory-budget.ts';
import { createFairQueue, type WorkOwner, type FairQueue } from '#kernel/fair-queue.ts';
import { MAX_ID, openWatchdogCell, type ParserReply, type ParserTask, type WatchdogCell } from './parser-thread.ts';

/** `page` is the page of a call, `site` one of a crawl. They have separate slots and do not wait for each other. */
type WorkKind = 'page' | 'site';

/** A page to parse, with any kind of request. */
export type ParserRequest = { readonly kind: WorkKind; readonly request: { readonly body: Uint8Array<ArrayBuffer> } };

/** The tenant of a page, and the signal that ends its parsing. */
export type ReadingCaller = {
  readonly party: WorkOwner;
  readonly signal: AbortSignal;
  /** Called with the CPU time used, ms, even after the signal has aborted. */
  readonly onCost?: (ms: number) => void;
};

/** A parser error as plain data, so that it can be sent between threads. */
export type ParserRefusal = { readonly code: ErrorCode; readonly message: string };

export type QueueOptions = {
  /** The module whose `runTask` parses pages. */
  readonly module: URL;
  /** Time limit of one page, ms. */
  readonly budgetMs: number;
  /** Time after which a page is stopped if pages of other tenants wait, ms. Default: never. */
  readonly yieldMs?: number;
  /** Whether this queue takes pages of a tenant. Checked again when a page has its turn. Default: all tenants. */
  readonly accepts?: (tenant: string) => boolean;
  /** How long the slot of a page of `bytes` stays taken after parsing, ms. Default: 0. */
  readonly computeHoldMs?: (tenant: string, bytes: number) => number;
  /** The recent costs of pages by tenant. */
  readonly costs: PageCosts;
  /** Whether no other tenant has work, so that its pages delay nobody. */
  readonly isAlone: (tenant: string) => boolean;
  readonly heapMb: number;
  /** Tasks sent to the thread before it has replied. */
  readonly maxInFlight: number;
  /** Limit on memory outside the heap, MiB. Default: unlimited. */
  readonly outsideMb?: number;
  /** The niceness of the thread, as in nice(1). Linux only. Default: 0. */
  readonly niceness?: number;
  /** Pages after which an idle thread frees its memory. Default: `PAGES_BEFORE_REST`. */
  readonly restAfter?: number;
  /** Called when the thread has freed its memory. */
  readonly onRest: () => void;
  readonly clock: Clock;
};

/** Pages sent to a thread at once, so that it always has the next page even while the main thread is busy. */
export const MAX_IN_FLIGHT = 16;

/** The total expected time of one tenant's pages in the thread, because pages of others queue behind them. */
const MAX_AHEAD_MS = 200;
/** Pages in the thread for a tenant with unknown costs. */
const MAX_AHEAD_IF_UNKNOWN = 2;

/** From this size on, copying and transferring a body is cheaper for the event loop than cloning it. */
const MIN_MOVED_BYTES = 64 * 1024;

/** A thread frees its memory after this many pages (or one large page) and this idle time. */
const PAGES_BEFORE_REST = 200;
const IDLE_BEFORE_REST_MS = 2_000;

/** The task that frees the memory of an idle thread. */
const FREE_MEMORY_TASK = { filename: import.meta.resolve('#kernel/memory-budget.ts'), name: collectGarbage.name };

/** Poll interval of the memory of a thread. */
const MEMORY_POLL_MS = 100;

/** A thread that was terminated on purpose: the page that caused it, and the last page sent to it. */
type ThreadEnd = { readonly id: number; readonly lastId: number; readonly reason: 'time' | 'memory' | 'others wait' };

/**
 * A queue of pages and one thread that parses them in turns of tenants. The thread starts on demand and stops after 60
 * s idle.
 */
export class ParserQueue<W extends ParserRequest, R extends object> {
  readonly #options: QueueOptions;
  readonly #cell: WatchdogCell;
  readonly #pool: Piscina<unknown, ParserReply<R | ParserRefusal>>;
  readonly #turns: Readonly<Record<WorkKind, FairQueue>>;
  /** Tenants of the pages in the thread, by page id. */
  readonly #inThread = new Map<number, string>();
  #lastId = 0;
  #load = 0;
  #ended: ThreadEnd | null = null;
  #readSinceRest = 0;
  #watching: Timer | undefined;
  #weighing: Timer | undefined;
  #resting: Timer | undefined;

  constructor(options: QueueOptions) {
    const { maxInFlight, costs, isAlone, clock } = options;
    this.#options = options;
    this.#cell = openWatchdogCell(clock);
    this.#pool = new Piscina({
      filename: options.module.href,
      name: 'runTask',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 60_000,
      recordTiming: false,
      concurrentTasksPerWorker: maxInFlight,
      workerData: this.#cell.shared,
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb },
      niceIncrement: options.niceness ?? 0,
    });
    const places = Math.max(1, maxInFlight - 1);
    const placeLimit = (tenant: string): number => (isAlone(tenant) ? places : computeMaxInThread(costs.get(tenant)));
    const open = (): FairQueue => createFairQueue({ places, spare: 0, placeLimit, clock });
    this.#turns = { page: open(), site: open() };
  }

  /** The number of pages in the thread or waiting for it. */
  get load(): number {
    return this.#load;
  }

  /**
   * Parses a page. Null if it must be sent again, because the thread ended or the queue no longer takes pages of its
   * tenant. Throws `content_too_large` beyond the time or memory limit, and the abort reason of the signal.
   */
  async read(work: W, { party, signal, onCost }: ReadingCaller): Promise<R | null> {
    this.#load += 1;
    try {
      const free = await this.#turns[work.kind].acquire(party, signal);
      if (this.#options.accepts?.(party.tenant) === false) {
        free();
        return null;
      }
      const giveBack = (): void => this.#giveBack(free, party.tenant, work.request.body.byteLength);
      const running = this.#readOnce(work, party.tenant, onCost).finally(giveBack);
      const reply = await waitUnlessAborted(running, signal);
      if (reply !== null && isRefusal(reply)) throw new ServiceError(reply.code, reply.message);
      return reply;
    } finally {
      this.#load -= 1;
    }
  }

  async close(): Promise<void> {
    for (const timer of [this.#watching, this.#weighing, this.#resting]) timer?.close();
    await this.#pool.destroy();
  }

  /** Null if the thread ended because of another page, or because others wait for this one. */
  async #readOnce(work: W, tenant: string, onCost: ReadingCaller['onCost']): Promise<R | ParserRefusal | null> {
    const { costs, budgetMs, yieldMs = 0 } = this.#options;
    this.#lastId = (this.#lastId % MAX_ID) + 1;
    const id = this.#lastId;
    this.#begin(id, tenant);
    try {
      const { reply, costMs } = await this.#post({ id, ...work });
      costs.record(tenant, costMs);
      onCost?.(costMs);
      return reply;
    } catch (error) {
      if (!isThreadDeath(error)) throw error;
      const { id: current, spentMs } = this.#cell.current();
      // The dead thread cannot clear the cell for the next one.
      if (id === current) this.#cell.mark(0);
      // A terminated thread may have moved on to its next page, which is not the cause.
      const end = this.#ended !== null && id <= this.#ended.lastId ? this.#ended : null;
      if (id !== (end?.id ?? current)) return null;
      costs.record(tenant, Math.max(spentMs, yieldMs));
      onCost?.(spentMs);
      if (end?.reason === 'others wait') return null;
      const bound = end?.reason === 'time' ? `more than ${budgetMs / 1000} s` : 'more memory than is allowed';
      throw new ServiceError('content_too_large', `reading this page takes ${bound}`, { cause: error });
    } finally {
      this.#end(id);
    }
  }

  #giveBack(free: () => void, tenant: string, bytes: number): void {
    const ms = this.#options.computeHoldMs?.(tenant, bytes) ?? 0;
    if (ms > 0) this.#options.clock.after(ms, free).unref();
    else free();
  }

  /** Sends a page to the thread. A large body is copied and transferred, which is faster than cloning it. */
  async #post(task: ParserTask<W>): Promise<ParserReply<R | ParserRefusal>> {
    const { request } = task;
    if (request.body.byteLength < MIN_MOVED_BYTES) return this.#pool.run(task);
    const body = request.body.slice();
    const moving = { ...task, request: { ...request, body } };
    return this.#pool.run(move({ [transferableSymbol]: [body.buffer], [valueSymbol]: moving }));
  }

  #begin(id: number, tenant: string): void {
    this.#inThread.set(id, tenant);
    this.#readSinceRest += 1;
    this.#resting?.close();
    if (this.#inThread.size > 1) return;
    const { budgetMs, yieldMs = budgetMs, outsideMb, clock } = this.#options;
    this.#watching = clock.after(Math.min(budgetMs, yieldMs), () => this.#watch());
    if (outsideMb === undefined) return;
    this.#weighing = clock.every(MEMORY_POLL_MS, () => void this.#weigh(outsideMb * 2 ** 20));
  }

  #end(id: number): void {
    this.#inThread.delete(id);
    if (this.#inThread.size > 0) return;
    this.#watching?.close();
    this.#weighing?.close();
    if (this.#readSinceRest < (this.#options.restAfter ?? PAGES_BEFORE_REST)) return;
    this.#resting = this.#options.clock.after(IDLE_BEFORE_REST_MS, () => void this.#rest()).unref();
  }

  /** Terminates the thread if its current page exceeds the time limit, or `yieldMs` while others wait. */
  #watch(): void {
    const { budgetMs, yieldMs = budgetMs, clock } = this.#options;
    const { id, spentMs } = this.#cell.current();
    const bounds = [budgetMs, yieldMs].filter((ms) => ms > spentMs);
    this.#watching = clock.after(Math.min(yieldMs, ...bounds.map((ms) => ms - spentMs)), () => this.#watch());
    if (id === 0) return;
    if (spentMs >= budgetMs) this.#endThread(id, 'time');
    else if (spentMs >= yieldMs && this.#othersWait(id)) this.#endThread(id, 'others wait');
  }

  #endThread(id: number, why: ThreadEnd['reason']): void {
    this.#ended = { id, lastId: this.#lastId, reason: why };
    for (const thread of this.#pool.threads) void thread.terminate();
  }

  /** Whether pages of tenants other than that of page `id` are in the thread or wait for it. */
  #othersWait(id: number): boolean {
    const tenant = this.#inThread.get(id);
    if (tenant === undefined) return false;
    const { page, site } = this.#turns;
    return (
      this.#inThread.values().some((one) => one !== tenant) ||
      page.hasOtherWaiting(tenant) ||
      site.hasOtherWaiting(tenant)
    );
  }

  /** Terminates the thread if its memory outside the heap exceeds the limit. V8 only limits the heap. */
  async #weigh(most: number): Promise<void> {
    const { id } = this.#cell.current();
    for (const thread of this.#pool.threads) {
      // A thread that has just ended has no statistics.
      const usedBytes = await thread.getHeapStatistics().then(
        ({ external_memory: bytes }) => bytes,
        () => 0,
      );
      if (id !== 0 && id === this.#cell.current().id && usedBytes > most) this.#endThread(id, 'memory');
    }
  }

  /** Frees the memory of the idle thread, which V8 otherwise only does under memory pressure. */
  async #rest(): Promise<void> {
    this.#readSinceRest = 0;
    // A thread that has ended meanwhile has already freed everything.
    if (this.#pool.threads.length > 0) await this.#pool.run(null, FREE_MEMORY_TASK).catch(() => undefined);
    this.#options.onRest();
  }
}

/** Only a refusal has a code. */
function isRefusal(reply: object): reply is ParserRefusal {
  return 'code' in reply;
}

/**
 * Whether the thread ran out of memory or was terminated by the watchdog. All tasks in the thread are lost; the marked
 * page is the cause.
 */
function isThreadDeath(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : null;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || /^(worker exited|Terminating worker)/i.test(error.message);
}

/** Computes how many pages a tenant may have in the thread, given their cost. */
function computeMaxInThread(costMs: number | null): number {
  return costMs === null ? MAX_AHEAD_IF_UNKNOWN : Math.max(1, Math.floor(MAX_AHEAD_MS / Math.max(1, costMs)));
}

/** The most tenants tracked; the one updated longest ago is dropped first. */
const MAX_TENANTS = 1000;

/** Half-life of a cost. It is measured in time, because after a number of pages a few cheap ones would erase it. */
const HALF_LIFE_MS = 30_000;

/** The CPU time, in ms, of the most expensive recent page of each tenant. It is halved every 30 s. */
export class PageCosts {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #known = new Map<string, { readonly ms: number; readonly at: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Null for an unknown tenant. */
  get(tenant: string): number | null {
    const known = this.#known.get(tenant);
    return known === undefined ? null : known.ms * 0.5 ** ((this.#clock.monotonic() - known.at) / HALF_LIFE_MS);
  }

  record(tenant: string, ms: number): void {
    const before = this.get(tenant) ?? 0;
    this.#known.delete(tenant);
    this.#known.set(tenant, { ms: Math.max(ms, before), at: this.#clock.monotonic() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_TENANTS && oldest !== undefined) this.#known.delete(oldest);
  }
}
