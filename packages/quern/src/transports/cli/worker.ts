import { EXIT } from './exit.ts';
import type { RunAdministration } from './administration.ts';
import { type OnStop, type StartContext, startUnlessStopped } from './serve.ts';
import { hasFlag } from './spec.ts';

/** A running worker process. */
export type RunningWorker = {
  /** Description of the store that it takes jobs from. */
  readonly place: string;
  /** Origin of its health and metrics endpoints, such as `http://127.0.0.1:7701`. */
  readonly origin: string;
  /** How many jobs it runs at the same time. */
  readonly slots: number;
  /** Returns running jobs to the queue, then stops everything. */
  readonly drain: () => Promise<void>;
};

/** `quern worker`: runs only jobs, until a stop signal. */
export function createWorkerCommand(
  start: (starting: StartContext) => Promise<RunningWorker>,
  onStop: OnStop,
): RunAdministration {
  return async (given, terminal) => {
    const stopped = Promise.withResolvers<void>();
    onStop(stopped.resolve, () => process.exit(EXIT.failure));
    const working = await startUnlessStopped(start, { stopped: stopped.promise, note: terminal.note });
    if (working === null) return EXIT.ok;
    const { place, origin, slots, drain } = working;
    terminal.note(`quern: health and metrics are on ${origin}`);
    if (hasFlag(given, 'json')) terminal.out(`${JSON.stringify({ place, origin, slots })}\n`);
    else terminal.out(`Quern works on ${place}, ${slots} concurrent jobs\n`);
    await stopped.promise;
    terminal.note('quern: stopping: returning running jobs to the queue; a second signal stops at once');
    await drain();
    terminal.note('quern: stopped');
    return EXIT.ok;
  };
}
