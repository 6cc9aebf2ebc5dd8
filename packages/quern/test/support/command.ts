import { runProgram } from '#compose/program.ts';
import { VERSION } from '#compose/version.ts';
import { loadConfig } from '#kernel/config.ts';
import { reportFailure } from '#transports/cli/failure.ts';
import { createTerminal } from '#transports/cli/terminal.ts';
import { type Answering, ask, type Ended, KEY, NO_BROWSER, type Settings } from './quern.ts';
import { ignore } from './store.ts';

/**
 * Runs `quern` to its end like `runQuern`, but in this process, which saves a second. Not for tests of signals, pipes,
 * the working directory or its `.env`. `hear` gets standard error as it is written.
 */
export async function runHere(
  folder: string,
  args: readonly string[],
  settings: Settings = {},
  hear: (line: string) => void = ignore,
): Promise<Ended> {
  let [out, err] = ['', ''];
  const noted = (text: string | Uint8Array): void => {
    err += String(text);
    hear(String(text));
  };
  const terminal = createTerminal({ write: (text) => (out += String(text)) }, { write: noted });
  try {
    const loaded = loadConfig({ ...NO_BROWSER, QUERN_DATA_DIR: folder, ...settings }, null);
    const code = await runProgram(args, {
      loaded,
      terminal,
      interruption: never,
      onStop: ignore,
      restrictFiles: ignore,
      readSecret,
    });
    return { code, out, err };
  } catch (error) {
    const code = reportFailure(error, terminal, VERSION);
    return { code, out, err };
  }
}

/**
 * Starts `quern serve` like `serveQuern`, but in this process, which saves more than a second of CPU. Not for tests of
 * signals, kills or the log. It drains at the end of the scope.
 */
export async function serveHere(folder: string, settings: Settings = {}): Promise<Answering> {
  const listening = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<void>();
  function hear(text: string | Uint8Array): void {
    const origin = /^Quern listens on (\S+)$/m.exec(String(text))?.[1];
    if (origin !== undefined) listening.resolve(origin);
  }
  const given = { QUERN_BOOTSTRAP_KEY: KEY, QUERN_PORT: '0', QUERN_LOG_LEVEL: 'silent', QUERN_DATA_DIR: folder };
  const ended = runProgram(['serve'], {
    loaded: loadConfig({ ...NO_BROWSER, ...given, ...settings }, null),
    terminal: createTerminal({ write: hear }, { write: ignore }),
    interruption: never,
    onStop: (first) => void stopped.promise.then(first),
    restrictFiles: ignore,
    readSecret,
  });
  const origin = await Promise.race([listening.promise, ended.then(() => null)]);
  if (origin === null) throw new Error('quern serve ended before it listened');
  return {
    origin,
    call: async (path: string, body?: unknown, key = KEY) => ask(origin + path, { key, body }),
    async [Symbol.asyncDispose]() {
      stopped.resolve();
      await ended;
    },
  };
}

/** The text typed at the prompt for a key. */
async function readSecret(): Promise<string> {
  return KEY;
}

function never(): AbortSignal {
  return new AbortController().signal;
}
