import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { ParserReply } from './parser-queue.ts';

/** Pages of a thread that take much longer than later ones, as measured on real pages: 60 to 90 ms each, then 5. */
const COLD_PAGES = 4;

/**
 * A task of a parser thread that answers what it cost, in CPU time, which a busy machine does not lengthen. The buffers that
 * `findMoved` names go to the main thread without a copy there.
 */
export function buildTimedTask<T, R extends object>(
  run: (task: T) => R | Promise<R>,
  findMoved: (reply: R) => readonly ArrayBuffer[] = () => [],
) {
  let pages = 0;
  return function runTimed(task: T): unknown {
    pages += 1;
    const isCold = pages <= COLD_PAGES;
    const before = process.threadCpuUsage();
    const toReply = (reply: R): unknown => {
      const { user, system } = process.threadCpuUsage(before);
      const timed: ParserReply<R> = { reply, costMs: (user + system) / 1000, isCold };
      const moved = findMoved(reply);
      return moved.length === 0 ? timed : move({ [transferableSymbol]: moved, [valueSymbol]: timed });
    };
    const reply = run(task);
    // Awaited only where it has to be: the next task may run meanwhile.
    return reply instanceof Promise ? reply.then(toReply) : toReply(reply);
  };
}
