import { runProgram } from '#compose/program.ts';
import { VERSION } from '#compose/version.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config.ts';
import { EXIT } from '#transports/cli/exit.ts';
import { noteBug, noteFailure } from '#transports/cli/failure.ts';
import { openTerminal } from '#transports/cli/terminal.ts';

const terminal = openTerminal(process.stdout, process.stderr);

// Whoever writes asks whether somebody still reads, and ends in order when nobody does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.on('uncaughtException', (error) => process.exit(noteBug(error, terminal, VERSION)));

/** A Ctrl-C reaches all processes of a terminal, and npm and `bin/bootstrap.mjs` hand theirs on: so soon it is the same. */
const SAME_STOP_MS = 500;

function onStop(first: () => void, second: () => void): void {
  let askedAt: number | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const now = SYSTEM_CLOCK.monotonic();
      if (askedAt === null) {
        askedAt = now;
        first();
      } else if (now - askedAt > SAME_STOP_MS) second();
    });
  }
}

/** Lets work end as a caller that went away, so that nothing is charged for it. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  onStop(
    () => controller.abort(),
    () => process.exit(EXIT.interrupted),
  );
  return controller.signal;
}

try {
  process.exitCode = await runProgram(process.argv.slice(2), { loaded: loadConfig(), terminal, interruption, onStop });
} catch (error) {
  // What was opened before the failure would keep the process alive.
  process.exit(noteFailure(error, terminal, VERSION));
}
