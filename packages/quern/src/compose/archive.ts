import { InvariantError } from '#extract/invariant-error.ts';
import { PROCESS_DEAD_MS } from '#engine/credits/processes.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { prepareDataDir } from '#kernel/data-dir.ts';
import { readBackup } from '#features/admin/operations.ts';
import { keepBackupFile, refuseExisting } from '#store/backup-file.ts';
import type { BackupSummary } from '#store/backup.ts';
import { backUpPlace, restorePlace, summarize, timeAt } from '#store/open.ts';
import type { BackUp, Restore } from '#transports/cli/backup.ts';
import type { OperatorParts } from '#transports/cli/operator.ts';
import { openObjectReader, openClock, toStorePlace, getBackupSecret, type StoreSettings } from './store.ts';

/** The work of `quern backup` and `quern restore`; neither opens the store as a service does, so neither migrates it. */
export function openArchive(
  { config, artifacts }: StoreSettings,
  interruption: () => AbortSignal,
): { readonly backUp: BackUp; readonly restore: Restore } {
  return {
    async backUp(file, progress) {
      prepareDataDir(config.QUERN_DATA_DIR);
      const now = openClock(config).now();
      return backUpPlace(toStorePlace(config), file, {
        secret: getBackupSecret(config),
        readObject: await openObjectReader({ config, artifacts }),
        now,
        clock: SYSTEM_CLOCK,
        progress,
        signal: interruption(),
      });
    },
    async restore(file, options) {
      prepareDataDir(config.QUERN_DATA_DIR);
      const place = toStorePlace(config);
      const now = config.QUERN_CLOCK_FILE === undefined ? await timeAt(place, SYSTEM_CLOCK) : openClock(config).now();
      return restorePlace(place, now - PROCESS_DEAD_MS, {
        force: options.force,
        note: options.note,
        progress: options.progress,
        file,
        now,
        clock: SYSTEM_CLOCK,
        dataDir: config.QUERN_DATA_DIR,
        secretSetting: config.QUERN_SECRET_KEY,
        readObject: await openObjectReader({ config, artifacts }),
        signal: interruption(),
      });
    },
  };
}

/** Gets a backup of a server into a new file, and reads it to its end as a restore would; one that is not whole is removed. */
export async function fetchBackup(
  ask: OperatorParts['ask'],
  file: string,
  { progress, signal }: { readonly progress: (rows: number) => void; readonly signal: AbortSignal },
): Promise<BackupSummary> {
  refuseExisting(file);
  const { stream } = await ask(readBackup, {});
  if (stream === null) throw new InvariantError('a backup is a stream');
  await keepBackupFile(file, stream, signal);
  return summarize(file, { progress, signal });
}
