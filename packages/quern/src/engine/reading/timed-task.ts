import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { ParserReply } from './parser-queue.ts';

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
