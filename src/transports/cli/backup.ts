import { parseArgs } from 'node:util';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { BackupSummary } from '#store/backup.ts';
import type { Restored } from '#store/restore.ts';
import type { Administration, Terminal } from './parts.ts';
import { EXIT } from './exit.ts';

const OPTIONS = { json: { type: 'boolean' }, force: { type: 'boolean' } } as const;
/** Interval between progress lines. */
const TELL_EVERY_MS = 2000;

export type BackUp = (file: string, progress: (rows: number) => void) => Promise<BackupSummary>;

export type Restore = (
  file: string,
  options: {
    readonly force: boolean;
    readonly note: (line: string) => void;
    readonly progress: (rows: number) => void;
  },
) => Promise<Restored>;

/** `quern backup FILE`: backs up all data while the service runs. */
export function backupCommand(backUp: BackUp, clock: Clock): Administration {
  return {
    summary: 'FILE: write all data to a new file, while the service runs or not',
    async run(args, terminal) {
      const { file, json } = readArgs(args, { usage: 'quern backup FILE [--json]', mayForce: false });
      const written = await backUp(file, tellProgress(terminal, clock, 'written'));
      const rows = Object.values(written.rows).reduce((sum, count) => sum + count, 0);
      if (json) terminal.out(`${JSON.stringify(written)}\n`);
      else terminal.out(`${file}: ${rows} rows, ${written.bytes} bytes, schema ${written.schema}\n`);
      terminal.note(
        written.carries_secret
          ? 'quern: the file holds the secret of the data folder: keep it as safe as the data'
          : 'quern: the file does not hold QUERN_SECRET_KEY: keep that too, a restore needs it',
      );
      return EXIT.ok;
    },
  };
}

/** `quern restore FILE`: replaces the current data by a backup of either store. */
export function restoreCommand(restore: Restore, clock: Clock): Administration {
  return {
    summary: 'FILE [--force]: put a backup in place of the data; no service may run',
    async run(args, terminal) {
      const { file, json, force } = readArgs(args, { usage: 'quern restore FILE [--force] [--json]', mayForce: true });
      const note = (line: string): void => terminal.note(`quern: ${line}`);
      const restored = await restore(file, { force, note, progress: tellProgress(terminal, clock, 'restored') });
      if (json) terminal.out(`${JSON.stringify(restored)}\n`);
      else terminal.out(`${file}: ${restored.rows} rows of ${restored.at} are restored\n`);
      return EXIT.ok;
    },
  };
}

/** Prints progress at once and then every two seconds. */
function tellProgress({ live }: Terminal, clock: Clock, done: string): (rows: number) => void {
  let told = Number.NEGATIVE_INFINITY;
  return (rows) => {
    const now = clock.monotonic();
    if (now - told < TELL_EVERY_MS) return;
    told = now;
    live(`quern: rows ${done} so far: ${rows}`);
  };
}

function readArgs(
  args: readonly string[],
  { usage, mayForce }: { readonly usage: string; readonly mayForce: boolean },
) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
      strict: true,
    });
    const [file, ...more] = positionals;
    if (file === undefined || file === '' || more.length > 0) throw new Error(usage);
    if (values.force === true && !mayForce) throw new Error(`--force: a backup replaces no file; ${usage}`);
    return { file, json: values.json === true, force: values.force === true };
  } catch (error) {
    throw new ServiceError('invalid_request', error instanceof Error ? error.message : String(error), { cause: error });
  }
}
