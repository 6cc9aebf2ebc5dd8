import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { RunnableControl } from '#engine/call/operation.ts';
import type { Processes } from '#engine/credits/processes.ts';
import type { UpkeepLog } from '#engine/upkeep/upkeep-log.ts';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import type { ShownSetting } from '#kernel/config.ts';
import type { Db } from '#store/db.ts';
import { STORE_BYTES } from '#store/measured.ts';
import { readRow } from '#store/rows.ts';
import { listSettings, showInstance } from './operations.ts';

const SCHEMA = 'select max(version) as version from migrations';

const Schema = z.object({ version: z.number() });
const Bytes = z.object({ bytes: z.number() });

export type InstanceParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly version: string;
  readonly settings: readonly ShownSetting[];
  /** The folder of cached pages, which is in the data folder. */
  readonly cache: { readonly location: string };
  readonly processes: Pick<Processes, 'seen'>;
  readonly upkeepLog: UpkeepLog;
};

/** Binds the settings of this process. */
export function bindSettings({ version, settings }: InstanceParts): RunnableControl {
  return listSettings.runs(async () => ({ version, data: settings }));
}

/** Binds what an operator sees of the process, its store and its disk. */
export function bindInstance({ db, clock, version, cache, processes, upkeepLog }: InstanceParts): RunnableControl {
  const startedAt = clock.now();
  return showInstance.runs(async () => {
    const { stored } = upkeepLog;
    const living = await processes.seen();
    return {
      version,
      node: process.version,
      started_at: toTimestamp(startedAt),
      store: {
        kind: db.kind,
        schema: readRow(Schema, await db.query(SCHEMA))?.version ?? 0,
        bytes: readRow(Bytes, await db.query(STORE_BYTES[db.kind]))?.bytes ?? 0,
      },
      disk: await diskOf(dirname(cache.location)),
      kept: stored.size === 0 ? null : { cache: stored.get('cache') ?? 0, results: stored.get('results') ?? 0 },
      processes: living.map(({ id, seenAt }) => ({ id, seen_at: toTimestamp(seenAt) })),
    };
  });
}

async function diskOf(folder: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { data_dir: folder, free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
}
