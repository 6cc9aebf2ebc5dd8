import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BackupOptions, prepareBackup } from './backup.ts';
import { createBackupCompressor } from './backup-file.ts';
import { type Db, StoreUnavailable } from './db.ts';
import { loadKnownSchema } from './schema.ts';

/**
 * Streams a backup of an open store as fast as it is consumed, with only a few rows in memory. The snapshot stays open until
 * the end, or until the consumer stops. Throws `StoreUnavailable` if the connection of the snapshot breaks.
 */
export async function* streamBackup(db: Db, facts: Omit<BackupOptions, 'code'>): AsyncGenerator<Uint8Array, void> {
  const packing = createBackupCompressor();
  const stop = new AbortController();
  const signal = AbortSignal.any([facts.signal, stop.signal]);
  const code = await loadKnownSchema();
  let isBegun = false;
  const written = db
    .snapshot(async (view) => {
      // Bytes of the first snapshot were already sent, so the work cannot be repeated.
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
