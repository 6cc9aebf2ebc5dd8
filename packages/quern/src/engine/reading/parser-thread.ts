import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Clock } from '#kernel/clock.ts';

/** A task for a parser thread, with an id that is unique among its tasks. */
export type ParserTask<W> = { readonly id: number } & W;

/** The reply of a thread to a task. */
export type ParserReply<R> = {
  readonly reply: R;
  /** CPU time of the thread, ms. */
  readonly costMs: number;
};

/** The largest id that a cell can hold. */
export const MAX_ID = 2 ** 31 - 1;

/** The page that a parser thread is parsing and for how long; id 0 if there is none. */
export type CurrentPage = { readonly id: number; readonly spentMs: number };

/**
 * Memory shared with a parser thread, where the thread marks its current page. The watchdog can read it even if the
 * thread hangs.
 */
export type WatchdogCell = {
  readonly shared: SharedArrayBuffer;
  /** Called in the thread: marks the start of a page, or its end with id 0. */
  readonly mark: (id: number) => void;
  readonly current: () => CurrentPage;
};

const PAGE = 0;
const SINCE = 1;

/** Creates a cell, or opens the shared one. */
export function openWatchdogCell(
  clock: Pick<Clock, 'monotonic'>,
  shared: SharedArrayBuffer = new SharedArrayBuffer(8),
): WatchdogCell {
  // On a timeline shared by all threads. It wraps at 2^32, which is harmless for differences.
  const machineMs = (): number => Math.floor(performance.timeOrigin + clock.monotonic()) | 0;
  const cells = new Int32Array(shared);
  return {
    shared,
    mark(id) {
      Atomics.store(cells, SINCE, machineMs());
      Atomics.store(cells, PAGE, id);
    },
    current() {
      const id = Atomics.load(cells, PAGE);
      return id === 0 ? { id, spentMs: 0 } : { id, spentMs: (machineMs() - Atomics.load(cells, SINCE)) | 0 };
    },
  };
}

/**
 * Wraps a task of a parser thread so that it also reports its CPU time, which does not depend on the load of the
 * machine. Buffers returned by `findMoved` are transferred to the main thread instead of copied.
 */
export function buildTimedTask<T, R extends object>(
  run: (task: T) => R | Promise<R>,
  findMoved: (reply: R) => readonly ArrayBuffer[] = () => [],
) {
  return function runTimed(task: T): unknown {
    const before = process.threadCpuUsage();
    const toReply = (reply: R): unknown => {
      const { user, system } = process.threadCpuUsage(before);
      const timed: ParserReply<R> = { reply, costMs: (user + system) / 1000 };
      const moved = findMoved(reply);
      return moved.length === 0 ? timed : move({ [transferableSymbol]: moved, [valueSymbol]: timed });
    };
    const reply = run(task);
    // Only awaited if necessary, because the next task may run meanwhile.
    return reply instanceof Promise ? reply.then(toReply) : toReply(reply);
  };
}
