import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Config, LoadedConfig } from '#kernel/config.ts';
import { OperatorError } from '#kernel/errors.ts';
import { formatRemoteSource } from '#kernel/login.ts';
import { hasStoreTables } from '#store/open-store.ts';
import { toStorePlace } from './store.ts';

/** Whether the settings lead to data, which only a service and the commands that fetch ever begin. */
export async function hasData(config: Config): Promise<boolean> {
  const place = toStorePlace(config);
  return place.kind === 'sqlite' ? existsSync(place.file) : hasStoreTables(place.url, SYSTEM_CLOCK);
}

/** Refuses a command that no server takes where commands go to one, and says why; throws `OperatorError`. */
export function refuseRemote({ remote }: Pick<LoadedConfig, 'remote'>, why: string): void {
  if (remote === null) return;
  const end = remote.from === 'quern login' ? 'quern logout' : 'unset QUERN_URL';
  throw new OperatorError(
    `commands go to ${remote.url} (${formatRemoteSource(remote)}), and ${why}; ${end} leads to the data here`,
  );
}

/** Refuses an operator's command without data of this machine; throws `OperatorError` that says where they may be. */
export async function assertData(config: Config, lacking: string): Promise<void> {
  if (!(await hasData(config))) throw new OperatorError(`${describeMissingData(config)}: ${lacking}`);
}

/** A place without data in words, and what to do about it. */
export function describeMissingData(config: Config): string {
  const place = toStorePlace(config);
  return place.kind === 'sqlite'
    ? `QUERN_DATA_DIR ${resolve(dirname(place.file))} holds no data; set it to the folder of a service, or begin one with quern serve`
    : 'QUERN_DATABASE_URL: the database holds no data of Quern; quern serve begins them';
}
