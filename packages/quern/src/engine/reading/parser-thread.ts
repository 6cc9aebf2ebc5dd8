import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Clock } from '#kernel/clock.ts';

/** A task for a thread, with an id that is unique among its tasks. */
export type ParserTask<W> = { readonly id: number } & W;

/** The reply of a thread to a task. */
export type ParserReply<R> = {
  readonly reply: R;
  /** CPU time of the thread, ms. */
  readonly costMs: number;
};

/** The largest id that a cell can hold. */
export const MAX_ID = 2 ** 31 - 1;

/** A page that a parser thread reads now: 0 and 0 ms when it reads none. */
export type CurrentPage = { readonly id: number; readonly spentMs: number };

/** Memory shared with a parser thread, where it marks the page that it reads, so that a watchdog sees it even when the thread hangs. */
export type WatchdogCell = {
  readonly shared: SharedArrayBuffer;
  /** For the thread: marks the beginning of a page, or with 0 its end. */
  readonly mark: (id: number) => void;
  readonly current: () => CurrentPage;
};

const PAGE = 0;
const SINCE = 1;

/** A new cell, or the shared one. */
export function openWatchdogCell(
  clock: Pick<Clock, 'monotonic'>,
  shared: SharedArrayBuffer = new SharedArrayBuffer(8),
): WatchdogCell {
  // On a timeline that all threads share; wraps at 2^32, which a difference undoes.
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
 * A task of a parser thread that answers what it cost, in CPU time, which a busy machine does not lengthen. The buffers that
 * `findMoved` names go to the main thread without a copy there.
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
    // Awaited only where it has to be: the next task may run meanwhile.
    return reply instanceof Promise ? reply.then(toReply) : toReply(reply);
  };
}
