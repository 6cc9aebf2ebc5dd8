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

/**
 * One thread, first come, first served, one page at a time: so a page that ends its thread takes no other with it. (A
 * pool of piscina's does not hold back a second abortable task, but keeps it in a queue that is not fair.)
 */
function openLane(budgetMs: number, heapMb: number) {
  const pool = new Piscina<ReadRequest, ParserReply>({
    filename: new URL('./parser.worker.ts', import.meta.url).href,
    name: 'parsePage',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
  });
  const place = fairPlace();

  async function run(request: ReadRequest): Promise<Reading> {
    const kill = new AbortController();
    const timer = setTimeout(() => kill.abort(), budgetMs);
    try {
      const reply = await pool.run(request, { signal: kill.signal });
      if ('code' in reply) throw new ServiceError(reply.code, reply.message);
      return reply;
    } catch (error) {
      if (kill.signal.aborted) throw tooLarge(`reading this page takes more than ${budgetMs / 1000} s`, error);
      if (isOutOfMemory(error)) throw tooLarge('reading this page takes more memory than is allowed', error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async read(request: ReadRequest, signal: AbortSignal): Promise<Reading> {
      await place.take(signal);
      const running = run(request).finally(() => place.free());
      return untilAborted(running, signal);
    },
    close: async (): Promise<void> => pool.destroy(),
  };
}

function tooLarge(message: string, cause: unknown): ServiceError {
  return new ServiceError('content_too_large', message, { cause });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Waits no longer than the signal; what is left behind ends by itself and frees its place. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** One place, first come, first served. */
function fairPlace() {
  let taken = false;
  const waiting = new Set<() => void>();
  return {
    async take(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      if (!taken) {
        taken = true;
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
        taken = false;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
