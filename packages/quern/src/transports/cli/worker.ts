import { EXIT } from './exit.ts';
import type { Administer } from './administration.ts';
import { type OnStop, type Starting, startUnlessStopped } from './serve.ts';
import { isGiven } from './spec.ts';

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
export function workerCommand(start: (starting: Starting) => Promise<Working>, onStop: OnStop): Administer {
  return async (given, terminal) => {
    const stopped = Promise.withResolvers<void>();
    onStop(stopped.resolve, () => process.exit(EXIT.failure));
    const working = await startUnlessStopped(start, { stopped: stopped.promise, note: terminal.note });
    if (working === null) return EXIT.ok;
    const { place, origin, slots, drain } = working;
    terminal.note(`quern: health and metrics are on ${origin}`);
    if (isGiven(given, 'json')) terminal.out(`${JSON.stringify({ place, origin, slots })}\n`);
    else terminal.out(`Quern works on ${place}, ${slots} jobs at once\n`);
    await stopped.promise;
    terminal.note('quern: stopping: running jobs go back into the queue; a second signal stops at once');
    await drain();
    terminal.note('quern: stopped');
    return EXIT.ok;
  };
}
