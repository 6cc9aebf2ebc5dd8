import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Config, LoadedConfig } from '#kernel/config.ts';
import { OperatorError } from '#kernel/errors.ts';
import { formatRemoteSource } from '#kernel/login.ts';
import { hasStoreTables } from '#store/open-store.ts';
import { toStorePlace } from './store.ts';

/** Whether there are data for these settings. Only a service, or a command that fetches, creates data. */
export async function hasData(config: Config): Promise<boolean> {
  const place = toStorePlace(config);
  return place.kind === 'sqlite' ? existsSync(place.file) : hasStoreTables(place.url, SYSTEM_CLOCK);
}

/** Throws `OperatorError` if commands use a server and this command only works on local data. */
export function refuseRemote({ remote }: Pick<LoadedConfig, 'remote'>, why: string): void {
  if (remote === null) return;
  const end = remote.from === 'quern login' ? 'quern logout' : 'unset QUERN_URL';
  throw new OperatorError(
    `commands go to ${remote.url} (${formatRemoteSource(remote)}), and ${why}; ${end} leads to the data here`,
  );
}

/** Throws `OperatorError` if this machine has no data for an operator's command. The message names where they may be. */
export async function assertData(config: Config, lacking: string): Promise<void> {
  if (!(await hasData(config))) throw new OperatorError(`${describeMissingData(config)}: ${lacking}`);
}

/** Describes where data are missing, and what to do. */
export function describeMissingData(config: Config): string {
  const place = toStorePlace(config);
  return place.kind === 'sqlite'
    ? `QUERN_DATA_DIR ${resolve(dirname(place.file))} holds no data; set it to the folder of a service, or begin one with quern serve`
    : 'QUERN_DATABASE_URL: the database holds no data of Quern; quern serve begins them';
}
