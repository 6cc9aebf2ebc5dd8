import type { ParserReply } from './parser-queue.ts';

/** A task of a parser thread that answers what it cost, in CPU time, which a busy machine does not lengthen. */
export function buildTimedTask<T, R extends object>(run: (task: T) => R | Promise<R>) {
  return function runTimed(task: T): ParserReply<R> | Promise<ParserReply<R>> {
    const before = process.threadCpuUsage();
    const toReply = (reply: R): ParserReply<R> => {
      const { user, system } = process.threadCpuUsage(before);
      return { reply, costMs: (user + system) / 1000 };
    };
    const reply = run(task);
    // Awaited only where it has to be: the next task may run meanwhile.
    return reply instanceof Promise ? reply.then(toReply) : toReply(reply);
  };
}
