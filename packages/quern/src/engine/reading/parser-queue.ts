import { move, Piscina, transferableSymbol, valueSymbol } from 'piscina';
import type { Clock, Timer } from '#kernel/clock.ts';
import { untilAborted } from '#kernel/deadline.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { collectGarbage } from '#kernel/memory.ts';
import { openTurns, type Party, type Turns } from '#kernel/turns.ts';
import { MAX_ID, openWatchdogCell, type ParserReply, type ParserTask, type WatchdogCell } from './parser-thread.ts';

/** The page of a call, or one of the many of a crawl: neither kind waits for places of the other. */
type WorkKind = 'page' | 'site';

/** A page to read, by whatever request. */
export type ParserRequest = { readonly kind: WorkKind; readonly request: { readonly body: Uint8Array<ArrayBuffer> } };

/** Whose page it is, and what ends its reading. */
export type ReadingCaller = {
  readonly party: Party;
  readonly signal: AbortSignal;
  /** Called with the time that it took of a thread, ms, even after the signal has fired. */
  readonly onCost?: (ms: number) => void;
};

/** A refusal that must cross the thread as plain data. */
export type ParserRefusal = { readonly code: ErrorCode; readonly message: string };

export type QueueOptions = {
  /** The module whose `runTask` reads the pages. */
  readonly module: URL;
  /** Time that one page may take, ms. */
  readonly budgetMs: number;
  /** Time after which a page leaves the thread to pages of other tenants that wait, ms; never unless given. */
  readonly yieldMs?: number;
  /** Whether pages of a tenant belong here, asked again when one has its turn; all do unless given. */
  readonly accepts?: (tenant: string) => boolean;
  /** How long the place of a page of so many bytes is held beyond its reading, ms; not at all unless given. */
  readonly computeHoldMs?: (tenant: string, bytes: number) => number;
  /** What pages of the tenants cost lately. */
  readonly costs: PageCosts;
  /** Whether no other tenant has work: pages of such a one hold up nobody. */
  readonly isAlone: (tenant: string) => boolean;
  readonly heapMb: number;
  /** Tasks that are handed to the thread before it has answered. */
  readonly maxInFlight: number;
  /** Limit on memory outside the heap, MiB; unlimited unless given. */
  readonly outsideMb?: number;
  /** How far the thread gives way where processors are short, as nice(1) counts it; 0 unless given, and on Linux alone. */
  readonly niceness?: number;
  /** Pages after which an idle thread frees its memory; `PAGES_BEFORE_REST` unless given. */
  readonly restAfter?: number;
  /** Called when the thread has freed the memory of a load. */
  readonly onRest: () => void;
  readonly clock: Clock;
};

/** Pages handed to a thread: the next are there while one is read, so that it does not wait while the main thread is busy. */
export const MAX_IN_FLIGHT = 16;

/** The time that the pages of one tenant in the thread may take together, ms: pages of others come behind them. */
const MAX_AHEAD_MS = 200;
/** Pages in the thread of a tenant whose costs are not known. */
const MAX_AHEAD_IF_UNKNOWN = 2;

/** From here on a copy that moves to the thread takes less of the event loop than one that is cloned. */
const MIN_MOVED_BYTES = 64 * 1024;

/** A thread frees its memory after this many pages, large ones one by one, and this many ms without another. */
const PAGES_BEFORE_REST = 200;
const IDLE_BEFORE_REST_MS = 2_000;

/** The task that frees the memory of an idle thread. */
const FREE_MEMORY_TASK = { filename: import.meta.resolve('#kernel/memory.ts'), name: collectGarbage.name };

/** Poll interval of the memory of a thread, ms. */
const MEMORY_POLL_MS = 100;

/** The end of a thread that we asked for: the page that it was for, and the last one that it had been given. */
type ThreadEnd = { readonly id: number; readonly lastId: number; readonly reason: 'time' | 'memory' | 'others wait' };

/** A queue of pages and the one thread that reads them by turns of tenants, started on first need and ended after 60 s idle. */
export class ParserQueue<W extends ParserRequest, R extends object> {
  readonly #options: QueueOptions;
  readonly #cell: WatchdogCell;
  readonly #pool: Piscina<unknown, ParserReply<R | ParserRefusal>>;
  readonly #turns: Readonly<Record<WorkKind, Turns>>;
  /** The tenants of the pages in the thread, by the ids of these. */
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
    const open = (): Turns => openTurns({ places, spare: 0, placeLimit, clock });
    this.#turns = { page: open(), site: open() };
  }

  /** Pages in the thread, and those that wait for it. */
  get load(): number {
    return this.#load;
  }

  /**
   * Reads a page; null where it has to be asked for again: the thread ended before it was read, or it does not belong here
   * any more. Throws `content_too_large` past its budget, and the signal's reason when that fires.
   */
  async read(work: W, { party, signal, onCost }: ReadingCaller): Promise<R | null> {
    this.#load += 1;
    try {
      const free = await this.#turns[work.kind].take(party, signal);
      if (this.#options.accepts?.(party.tenant) === false) {
        free();
        return null;
      }
      const giveBack = (): void => this.#giveBack(free, party.tenant, work.request.body.byteLength);
      const running = this.#readOnce(work, party.tenant, onCost).finally(giveBack);
      const reply = await untilAborted(running, signal);
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

  /** Null when the thread ended for another page, or for this one because others wait. */
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
      // The thread cannot clear the cell for the next one.
      if (id === current) this.#cell.mark(0);
      // A thread that we end may have gone on to its next page, which is not to blame.
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

  /** Hands a page to the thread. Of a large one the thread gets a copy of its own, which is made faster than a cloned one. */
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

  /** Ends the thread when its current page has used up its time, or the time after which it gives way. */
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

  /** Whether pages of a tenant other than that of page `id` are in the thread or wait for it. */
  #othersWait(id: number): boolean {
    const tenant = this.#inThread.get(id);
    if (tenant === undefined) return false;
    const { page, site } = this.#turns;
    return this.#inThread.values().some((one) => one !== tenant) || page.othersWait(tenant) || site.othersWait(tenant);
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
      if (id !== 0 && id === this.#cell.current().id && held > most) this.#endThread(id, 'memory');
    }
  }

  /** Frees the memory of the idle thread: V8 gives it back only under pressure. */
  async #rest(): Promise<void> {
    this.#readSinceRest = 0;
    // A thread that has ended meanwhile has given back everything.
    if (this.#pool.threads.length > 0) await this.#pool.run(null, FREE_MEMORY_TASK).catch(() => undefined);
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

/** Pages that a tenant may have in the thread, by what its pages cost. */
function computeMaxInThread(costMs: number | null): number {
  return costMs === null ? MAX_AHEAD_IF_UNKNOWN : Math.max(1, Math.floor(MAX_AHEAD_MS / Math.max(1, costMs)));
}

/** Tenants whose costs are known; the one that read least lately is forgotten first. */
const MAX_TENANTS = 1000;

/** Time in which a cost counts half. A count of pages would be worn off by a few light ones. */
const HALF_LIFE_MS = 30_000;

/** How much of a parser thread the costliest late page of each tenant took, ms of CPU: one of 30 s ago counts half. */
export class PageCosts {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #known = new Map<string, { readonly ms: number; readonly at: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Null for a tenant of which nothing is known. */
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
