import { InvariantError } from '#extract/invariant-error.ts';
import { PROCESS_DEAD_MS } from '#engine/credits/processes.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { createDataDir } from '#kernel/data-dir.ts';
import { readBackup } from '#features/admin/operations.ts';
import { copyBackupFile, assertNoFile } from '#store/backup-file.ts';
import type { BackupSummary } from '#store/backup.ts';
import { backUpStore, restoreStore, summarizeBackup, readStoreTime } from '#store/open-store.ts';
import type { WriteBackup, RestoreBackup } from '#transports/cli/backup.ts';
import type { OperatorParts } from '#transports/cli/operator.ts';
import { openObjectReader, openClock, toStorePlace, getBackupSecret, type StoreSettings } from './store.ts';

/** Runs `quern backup` and `quern restore`. Neither opens the store as a service does, so neither migrates it. */
export function openArchive(
  { config, artifacts }: StoreSettings,
  interruption: () => AbortSignal,
): { readonly backUp: WriteBackup; readonly restore: RestoreBackup } {
  return {
    async backUp(file, progress) {
      createDataDir(config.QUERN_DATA_DIR);
      const now = openClock(config).now();
      return backUpStore(toStorePlace(config), file, {
        secret: getBackupSecret(config),
        readObject: await openObjectReader({ config, artifacts }),
        now,
        clock: SYSTEM_CLOCK,
        progress,
        signal: interruption(),
      });
    },
    async restore(file, options) {
      createDataDir(config.QUERN_DATA_DIR);
      const place = toStorePlace(config);
      const now =
        config.QUERN_CLOCK_FILE === undefined ? await readStoreTime(place, SYSTEM_CLOCK) : openClock(config).now();
      return restoreStore(place, now - PROCESS_DEAD_MS, {
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

/** Downloads a backup from a server into a new file, and validates it as a restore would. An incomplete file is removed. */
export async function fetchBackup(
  ask: OperatorParts['ask'],
  file: string,
  { progress, signal }: { readonly progress: (rows: number) => void; readonly signal: AbortSignal },
): Promise<BackupSummary> {
  assertNoFile(file);
  const { stream } = await ask(readBackup, {});
  if (stream === null) throw new InvariantError('a backup is a stream');
  await copyBackupFile(file, stream, signal);
  return summarizeBackup(file, { progress, signal });
}
