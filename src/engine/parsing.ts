import { setImmediate } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { ReadRequest, Reading } from '#extract/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ParserReply } from './parser.worker.ts';

export type ParsingLimits = {
  /** Heap of a thread, MiB. */
  readonly heapMb: number;
  /** Pages above this are read by a second thread, so that they do not hold up the small ones. */
  readonly largeBytes: number;
  /** Time that reading one page may take before its thread is ended, ms. */
  readonly smallBudgetMs: number;
  readonly largeBudgetMs: number;
};

export const PARSING_LIMITS: ParsingLimits = {
  heapMb: 1024,
  largeBytes: 1024 * 1024,
  smallBudgetMs: 5_000,
  largeBudgetMs: 15_000,
};

/** A page waits in the thread while the one before it is read, so that the thread is never idle between two. */
const IN_FLIGHT = 2;

/** Parser threads: started on first need, stopped after 60 s idle, ended when a page takes too long or too much. */
export function openParsing(limits: ParsingLimits = PARSING_LIMITS) {
  const small = openLane(limits.smallBudgetMs, limits.heapMb);
  const large = openLane(limits.largeBudgetMs, limits.heapMb);
  return {
    /** Reads a page; throws `content_too_large` past its budget, and the signal's reason when that fires. */
    async read(this: void, request: ReadRequest, signal: AbortSignal): Promise<Reading> {
      return (request.body.byteLength > limits.largeBytes ? large : small).read(request, signal);
    },
    async close(): Promise<void> {
      await Promise.all([small.close(), large.close()]);
    },
  };
}

type Task = { readonly kill: AbortController };

/** One thread, first come, first served. */
function openLane(budgetMs: number, heapMb: number) {
  const pool = new Piscina<ReadRequest, ParserReply>({
    filename: new URL('./parser.worker.ts', import.meta.url).href,
    name: 'parsePage',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    concurrentTasksPerWorker: IN_FLIGHT,
    stricterFIFO: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
  });
  const slots = fairSlots(IN_FLIGHT);
  const inFlight: Task[] = [];
  let timer: NodeJS.Timeout | null = null;

  /** Only the page at the front is being read: the budget is its own. */
  function armFront(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const front = inFlight[0];
    if (front !== undefined) timer = setTimeout(() => front.kill.abort(), budgetMs);
  }

  /** Null when the thread died of the page in front of this one. */
  async function runOnce(request: ReadRequest): Promise<ParserReply | null> {
    const task: Task = { kill: new AbortController() };
    inFlight.push(task);
    if (inFlight.length === 1) armFront();
    try {
      return await pool.run(request, { signal: task.kill.signal });
    } catch (error) {
      if (task.kill.signal.aborted) throw tooLarge(`reading this page takes more than ${budgetMs / 1000} s`, error);
      if (!isThreadDeath(error)) throw error;
      const wasRead = inFlight[0] === task;
      // All that were in the thread learn of its death in this turn; the front is known until they have.
      await setImmediate();
      if (wasRead) throw tooLarge('reading this page takes more memory than is allowed', error);
      return null;
    } finally {
      const wasFront = inFlight[0] === task;
      inFlight.splice(inFlight.indexOf(task), 1);
      if (wasFront) armFront();
    }
  }

  /** However many pages before it end the thread, a page that keeps its own bounds is read. */
  async function run(request: ReadRequest, signal: AbortSignal): Promise<Reading> {
    let reply: ParserReply | null = null;
    while (reply === null) {
      signal.throwIfAborted();
      reply = await runOnce(request);
    }
    if ('code' in reply) throw new ServiceError(reply.code, reply.message);
    return reply;
  }

  return {
    async read(request: ReadRequest, signal: AbortSignal): Promise<Reading> {
      await slots.take(signal);
      const running = run(request, signal).finally(() => slots.free());
      return untilAborted(running, signal);
    },
    close: async (): Promise<void> => pool.destroy(),
  };
}

function tooLarge(message: string, cause: unknown): ServiceError {
  return new ServiceError('content_too_large', message, { cause });
}

/** Out of memory, or ended for the page in front of this one. */
function isThreadDeath(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : null;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || error.message === 'Terminating worker thread';
}

/** Waits no longer than the signal; what is left behind ends by itself and frees its slot. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** First come, first served: piscina's own queue is not fair to tasks that carry a signal. */
function fairSlots(count: number) {
  let left = count;
  const waiting = new Set<() => void>();
  return {
    async take(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      if (left > 0) {
        left -= 1;
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          waiting.delete(onFree);
          reject(signal.reason);
        };
        const onFree = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        waiting.add(onFree);
        signal.addEventListener('abort', onAbort);
      });
    },
    free(): void {
      const [next] = waiting;
      if (next === undefined) {
        left += 1;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
