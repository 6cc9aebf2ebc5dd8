import { runProgram } from '#compose/program.ts';
import { VERSION } from '#compose/version.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { EXIT } from '#transports/cli/exit.ts';
import { reportBug, reportFailure } from '#transports/cli/failure.ts';
import { createTerminal } from '#transports/cli/terminal.ts';

const terminal = createTerminal(process.stdout, process.stderr);

// A closed standard output ends no process: commands look at `isRead`, and end in order.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.on('uncaughtException', (error) => process.exit(reportBug(error, terminal, VERSION)));

/** Signals within this time count as one: npm and `bootstrap.mjs` forward a Ctrl-C that reaches this process as well. */
const SAME_STOP_MS = 500;

function onStop(first: () => void, second: () => void): void {
  let askedAt: number | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (askedAt === null) {
        first();
        // Counted from its end: on a busy machine it takes longer itself.
        askedAt = SYSTEM_CLOCK.monotonic();
      } else if (SYSTEM_CLOCK.monotonic() - askedAt > SAME_STOP_MS) second();
    });
  }
}

/** A signal that ends work as if its caller had gone, so that nothing is charged for it. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  onStop(
    () => controller.abort(),
    () => process.exit(EXIT.interrupted),
  );
  return controller.signal;
}

try {
  process.exitCode = await runProgram(process.argv.slice(2), {
    loaded: null,
    terminal,
    interruption,
    onStop,
    restrictFiles: () => void process.umask(0o077),
    async readSecret(question) {
      const { readSecret } = await import('./transports/cli/terminal.ts');
      return readSecret(question, process.stdin, (text) => process.stderr.write(text));
    },
  });
} catch (error) {
  // Open handles would keep the process alive.
  process.exit(reportFailure(error, terminal, VERSION));
}
