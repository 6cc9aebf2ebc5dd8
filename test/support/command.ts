import { runProgram } from '#compose/program.ts';
import { VERSION } from '#compose/version.ts';
import { loadConfig } from '#kernel/config.ts';
import { noteFailure } from '#transports/cli/failure.ts';
import { openTerminal } from '#transports/cli/terminal.ts';
import { KEY, NO_BROWSER } from './quern.ts';
import type { Ended, Settings } from './quern.ts';
import { ignore } from './store.ts';

/**
 * Runs `quern` to its end as `runQuern` does, in this process: a second less for what hangs on no process of its own, as
 * signals, pipes, the working directory and its `.env` do. `hear` is told what goes to standard error, as it comes.
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
  const terminal = openTerminal({ write: (text) => (out += String(text)) }, { write: noted });
  try {
    const loaded = loadConfig({ ...NO_BROWSER, QUERN_DATA_DIR: folder, ...settings }, null);
    const code = await runProgram(args, { loaded, terminal, interruption: never, onStop: ignore, readSecret });
    return { code, out, err };
  } catch (error) {
    const code = noteFailure(error, terminal, VERSION);
    return { code, out, err };
  }
}

/** What is typed where a key is asked for. */
async function readSecret(): Promise<string> {
  return KEY;
}

function never(): AbortSignal {
  return new AbortController().signal;
}
