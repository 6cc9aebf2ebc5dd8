import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BackupFacts, prepareBackup } from './backup.ts';
import { createBackupCompressor } from './backup-file.ts';
import { type Db, StoreUnavailable } from './db.ts';
import { loadCode } from './schema.ts';

/**
 * The bytes of a backup of an open store, written as fast as they are read. The snapshot is open until the end, or until
 * the reader gives up; what is held meanwhile is a few of the largest rows. Throws `StoreUnavailable` where its connection breaks.
 */
export async function* streamBackup(db: Db, facts: Omit<BackupFacts, 'code'>): AsyncGenerator<Uint8Array, void> {
  const packing = createBackupCompressor();
  const stop = new AbortController();
  const signal = AbortSignal.any([facts.signal, stop.signal]);
  const code = await loadCode();
  let isBegun = false;
  const written = db
    .snapshot(async (view) => {
      // Bytes of an earlier snapshot are gone already, so it cannot be repeated.
      if (isBegun) throw new StoreUnavailable('the connection of the snapshot broke');
      isBegun = true;
      const { lines } = await prepareBackup({ view, kind: db.kind }, { ...facts, code });
      await pipeline(Readable.from(lines), packing, { signal });
    })
    .catch((error: unknown) => {
      packing.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  try {
    for await (const piece of packing) yield Buffer.from(piece);
  } finally {
    stop.abort();
    packing.destroy();
    await written;
  }
}
