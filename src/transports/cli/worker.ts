import { EXIT } from './exit.ts';
import type { Administration } from './parts.ts';
import type { OnStop } from './serve.ts';

/** A process that runs jobs. */
export type Working = {
  /** The store that it takes jobs from, in words. */
  readonly place: string;
  /** Where its health and metrics are served, `http://127.0.0.1:7701`. */
  readonly origin: string;
  /** Jobs at once. */
  readonly slots: number;
  /** Puts running jobs back into the queue, then stops everything in order. */
  readonly drain: () => Promise<void>;
};

/** `quern worker`: jobs and nothing else, until a signal. */
export function workerCommand(start: () => Promise<Working>, onStop: OnStop): Administration {
  return {
    summary: 'run jobs for the services on the same PostgreSQL',
    async run(args, terminal) {
      if (args.length > 0) {
        terminal.note(
          `quern: worker takes no arguments, and got ${args.join(' ')}; settings come from the environment`,
        );
        return EXIT.usage;
      }
      const stopped = Promise.withResolvers<void>();
      onStop(stopped.resolve, () => process.exit(EXIT.failure));
      const working = await start();
      terminal.note(`quern: health and metrics are on ${working.origin}`);
      terminal.out(`Quern works on ${working.place}, ${working.slots} jobs at once\n`);
      await stopped.promise;
      terminal.note('quern: stopping: running jobs go back into the queue; a second signal stops at once');
      await working.drain();
      terminal.note('quern: stopped');
      return EXIT.ok;
    },
  };
}
