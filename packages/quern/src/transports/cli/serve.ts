import { EXIT } from './exit.ts';
import type { Administer } from './administration.ts';
import type { Terminal } from './parts.ts';
import { isGiven } from './spec.ts';

/** A service that listens. */
export type Running = {
  /** The origin that it listens on, `http://127.0.0.1:7700`. */
  readonly origin: string;
  readonly dataDir: string;
  /** The first API key if this start created it: its text, or the setting that gave it. */
  readonly firstKey: { readonly key: string } | 'given' | null;
  /** The link that signs in to the console once; null where nobody needs one, or there is no console. */
  readonly welcomeUrl: string | null;
  /** Notices for the operator, one line each. */
  readonly notes: readonly string[];
  /** Refuses new requests, lets running ones finish, then stops everything in order. */
  readonly drain: () => Promise<void>;
};

/** Calls back at the first and at the second stop signal. */
export type OnStop = (first: () => void, second: () => void) => void;

/** How a start is followed and ended. */
export type Starting = {
  /** Fires when the process is told to stop. */
  readonly signal: AbortSignal;
  /** Receives a line for the operator. */
  readonly note: (line: string) => void;
};

/** Starts a process of a service; null where it was told to stop while it waited for its store. */
export async function startUnlessStopped<T>(
  start: (starting: Starting) => Promise<T>,
  { stopped, note }: { readonly stopped: Promise<void>; readonly note: Starting['note'] },
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

/** `quern serve`: API and worker in one process, until a signal. */
export function serveCommand(start: (starting: Starting) => Promise<Running>, onStop: OnStop): Administer {
  return async (given, terminal) => {
    const stopped = Promise.withResolvers<void>();
    // Before anything is open, so that no signal finds the service half started.
    onStop(stopped.resolve, () => process.exit(EXIT.failure));
    const running = await startUnlessStopped(start, { stopped: stopped.promise, note: terminal.note });
    if (running === null) return EXIT.ok;
    if (isGiven(given, 'json')) terminal.out(`${JSON.stringify(toFacts(running))}\n`);
    else announce(running, terminal);
    await stopped.promise;
    terminal.note('quern: stopping: running requests may finish; a second signal stops at once');
    await running.drain();
    terminal.note('quern: stopped');
    return EXIT.ok;
  };
}

/** The link that signs in to the console of a service with the token of a link. */
export function welcomeUrlAt(origin: string, token: string): string {
  return `${origin}/#/welcome?token=${token}`;
}

function toFacts({ origin, dataDir, firstKey, welcomeUrl, notes }: Running) {
  const key = firstKey === null || firstKey === 'given' ? null : firstKey.key;
  return { origin, data_dir: dataDir, first_key: key, welcome_url: welcomeUrl, notes };
}

function announce({ origin, dataDir, firstKey, welcomeUrl, notes }: Running, { out }: Terminal): void {
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
