import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import type { Terminal } from './context.ts';
import { hasFlag } from './spec.ts';

/** A running service. */
export type RunningService = {
  /** Its origin, such as `http://127.0.0.1:7700`. */
  readonly origin: string;
  readonly dataDir: string;
  /** The first API key if this start created it; `given` if it came from QUERN_BOOTSTRAP_KEY. */
  readonly firstKey: { readonly key: string } | 'given' | null;
  /** A link that signs in to the console once; null if none is needed or the console is disabled. */
  readonly welcomeUrl: string | null;
  /** Notices for the operator, one line each. */
  readonly notes: readonly string[];
  /** Rejects new requests, waits for running ones, then stops everything. */
  readonly drain: () => Promise<void>;
};

/** Registers callbacks for the first and the second stop signal. */
export type OnStop = (first: () => void, second: () => void) => void;

/** Passed to a starting process. */
export type StartContext = {
  /** Fires when the process is told to stop. */
  readonly signal: AbortSignal;
  /** Receives a line for the operator. */
  readonly note: (line: string) => void;
};

/** Starts a service or worker; null if it was stopped while it waited for its store. */
export async function startUnlessStopped<T>(
  start: (starting: StartContext) => Promise<T>,
  { stopped, note }: { readonly stopped: Promise<void>; readonly note: StartContext['note'] },
): Promise<T | null> {
  const stopping = new AbortController();
  void stopped.then(() => stopping.abort());
  try {
    return await start({ signal: stopping.signal, note });
  } catch (error) {
    if (error !== stopping.signal.reason) throw error;
    note('quern: stopped');
    return null;
  }
}

/** `quern serve`: runs API and worker in one process until a stop signal. */
export function createServeCommand(
  start: (starting: StartContext) => Promise<RunningService>,
  onStop: OnStop,
): RunAdministration {
  return async (args, terminal) => {
    const stopped = Promise.withResolvers<void>();
    // Registered before anything is opened, so that no signal interrupts a half-started service.
    onStop(stopped.resolve, () => process.exit(EXIT.failure));
    const running = await startUnlessStopped(start, { stopped: stopped.promise, note: terminal.note });
    if (running === null) return EXIT.ok;
    if (hasFlag(args, 'json')) terminal.out(`${JSON.stringify(buildFacts(running))}\n`);
    else printStart(running, terminal);
    await stopped.promise;
    terminal.note('quern: stopping: waiting for running requests; a second signal stops at once');
    await running.drain();
    terminal.note('quern: stopped');
    return EXIT.ok;
  };
}

/** Builds the link that signs in to the console with a token. */
export function buildWelcomeUrl(origin: string, token: string): string {
  return `${origin}/#/welcome?token=${token}`;
}

function buildFacts({ origin, dataDir, firstKey, welcomeUrl, notes }: RunningService) {
  const key = firstKey === null || firstKey === 'given' ? null : firstKey.key;
  return { origin, data_dir: dataDir, first_key: key, welcome_url: welcomeUrl, notes };
}

function printStart({ origin, dataDir, firstKey, welcomeUrl, notes }: RunningService, { out }: Terminal): void {
  const lines = [`Quern listens on ${origin}`, `  data       ${dataDir}`, `  docs       ${origin}/docs`];
  if (welcomeUrl !== null) lines.push(`  console    ${welcomeUrl}   (signs in once, within ten minutes)`);
  for (const note of notes) lines.push(`  note       ${note}`);
  if (firstKey !== null) {
    const key = firstKey === 'given' ? '$QUERN_BOOTSTRAP_KEY' : firstKey.key;
    if (firstKey !== 'given') lines.push(`  first key  ${key}   (plan unlimited; shown this once)`);
    lines.push('', 'Try it:', `  curl -s ${origin}/v1/fetch -H "Authorization: Bearer ${key}" \\`);
    lines.push(`    -H 'Content-Type: application/json' -d '{"url":"https://example.com/"}'`);
  }
  out(`${lines.join('\n')}\n`);
}

/** `quern console`: prints a link that signs in once, with the given key or else the oldest operator key. */
export function createConsoleCommand(makeLink: (keyId: string | null) => Promise<string>): RunAdministration {
  return async (args, terminal) => {
    const url = await makeLink(args.values[0] ?? null);
    terminal.out(hasFlag(args, 'json') ? `${JSON.stringify({ welcome_url: url })}\n` : `${url}\n`);
    terminal.note('quern: this link works once, within ten minutes');
    return EXIT.ok;
  };
}

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
  return async (args, terminal) => {
    const stopped = Promise.withResolvers<void>();
    onStop(stopped.resolve, () => process.exit(EXIT.failure));
    const working = await startUnlessStopped(start, { stopped: stopped.promise, note: terminal.note });
    if (working === null) return EXIT.ok;
    const { place, origin, slots, drain } = working;
    terminal.note(`quern: health and metrics are on ${origin}`);
    if (hasFlag(args, 'json')) terminal.out(`${JSON.stringify({ place, origin, slots })}\n`);
    else terminal.out(`Quern works on ${place}, ${slots} concurrent jobs\n`);
    await stopped.promise;
    terminal.note('quern: stopping: returning running jobs to the queue; a second signal stops at once');
    await drain();
    terminal.note('quern: stopped');
    return EXIT.ok;
  };
}
