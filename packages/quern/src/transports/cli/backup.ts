import type { Clock } from '#kernel/clock.ts';
import type { BackupSummary } from '#store/backup.ts';
import type { RestoreResult } from '#store/restore.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import type { Terminal } from './context.ts';
import { getArgument, hasFlag } from './spec.ts';

/** Interval between progress lines. */
const PROGRESS_INTERVAL_MS = 2000;

/** Writes a backup to a new file. `progress` is called with the number of rows written so far. */
export type WriteBackup = (file: string, progress: (rows: number) => void) => Promise<BackupSummary>;

/** Replaces all data by a backup. `progress` is called with the number of rows restored so far. */
export type RestoreBackup = (
  file: string,
  options: {
    readonly force: boolean;
    readonly note: (line: string) => void;
    readonly progress: (rows: number) => void;
  },
) => Promise<RestoreResult>;

/** `quern backup FILE`: backs up all data while the service runs, here or on the server where commands go. */
export function backupCommand(backUp: WriteBackup, clock: Clock): RunAdministration {
  return async (args, terminal) => {
    const file = getArgument(args, 0, 'FILE');
    const written = await backUp(file, createProgressReporter(terminal, clock, 'written'));
    const rows = Object.values(written.rows).reduce((sum, count) => sum + count, 0);
    if (hasFlag(args, 'json')) terminal.out(`${JSON.stringify(written)}\n`);
    else terminal.out(`${file}: ${rows} rows, ${written.bytes} bytes, schema ${written.schema}\n`);
    terminal.note(
      written.carries_secret
        ? 'quern: the file contains the secret key of the data folder: protect it like the data'
        : 'quern: the file does not include the secret key: back up QUERN_SECRET_KEY, or data/secret.key, separately; a restore needs it',
    );
    return EXIT.ok;
  };
}

/** `quern restore FILE`: replaces the current data by a backup of either store. */
export function restoreCommand(restore: RestoreBackup, clock: Clock): RunAdministration {
  return async (args, terminal) => {
    const file = getArgument(args, 0, 'FILE');
    const force = hasFlag(args, 'force');
    const note = (line: string): void => terminal.note(`quern: ${line}`);
    const restored = await restore(file, {
      force,
      note,
      progress: createProgressReporter(terminal, clock, 'restored'),
    });
    if (hasFlag(args, 'json')) terminal.out(`${JSON.stringify(restored)}\n`);
    else terminal.out(`${file}: ${restored.rows} rows of ${restored.at} restored\n`);
    return EXIT.ok;
  };
}

/** Prints progress at once and then every two seconds. */
function createProgressReporter({ live }: Terminal, clock: Clock, done: string): (rows: number) => void {
  let lastPrintedMs = Number.NEGATIVE_INFINITY;
  return (rows) => {
    const now = clock.monotonic();
    if (now - lastPrintedMs < PROGRESS_INTERVAL_MS) return;
    lastPrintedMs = now;
    live(`quern: rows ${done} so far: ${rows}`);
  };
}
