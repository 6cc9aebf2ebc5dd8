import { z } from 'zod';
import type { Db } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { INDEX_SCHEMA } from './index-store.ts';
import type { IndexStore } from './index-store.ts';

const BYTES = "select coalesce(pg_total_relation_size(to_regclass('search_pages')), 0) as bytes";
const Bytes = z.object({ bytes: z.number() });

/** Undoes a transaction whose needed statement did nothing. */
class Undone extends Error {}

/** Opens the index as tables of the server that has the store; they are made at the first use. */
export function openPostgresIndex(db: Db): IndexStore {
  let made: Promise<void> | null = null;

  /** Makes the tables once; where that fails, the next use tries again. */
  async function ready(): Promise<void> {
    made ??= makeTables(db);
    const mine = made;
    await mine.catch((error: unknown) => {
      if (made === mine) made = null;
      throw error;
    });
  }

  return {
    kind: 'postgres',
    async read({ sql, values }, signal) {
      signal.throwIfAborted();
      await ready();
      return db.query(sql, values);
    },
    async write(steps, signal) {
      signal.throwIfAborted();
      await ready();
      try {
        await db.transaction(async (tx) => {
          for (const { sql, values, needed } of steps) {
            const rows = await tx.query(sql, values);
            if (rows.length === 0 && needed === true) throw new Undone();
          }
        }, 'redone');
        return true;
      } catch (error) {
        if (error instanceof Undone) return false;
        throw error;
      }
    },
    async bytes() {
      await ready();
      return readRow(Bytes, await db.query(BYTES))?.bytes ?? 0;
    },
    // The server is the store's.
    close: async () => undefined,
  };
}

async function makeTables(db: Db): Promise<void> {
  for (const statement of INDEX_SCHEMA.postgres) await db.query(statement);
}
