import { z } from 'zod';
import type { Db } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { INDEX_SCHEMA, type IndexStore } from './index-store.ts';

const SIZES = `select coalesce(pg_total_relation_size(to_regclass('search_pages')), 0) as bytes,
  (select count(*) from search_pages) as pages`;
const Sizes = z.object({ bytes: z.number(), pages: z.number() });

/** Pages whose columns are measured for all. */
const SAMPLE = 2000;
/** What indexes and overhead add to the columns: measured over 1,500 pages. */
const BESIDES_COLUMNS = 1.95;
const Mean = z.object({ bytes: z.number() });

/** Each search reads the words that are not sorted in yet: a list of a megabyte costs it three times its own time. */
const SETTLE = "select gin_clean_pending_list('search_pages_by_word')";

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
    async settle(signal) {
      signal.throwIfAborted();
      await ready();
      await db.query(SETTLE);
    },
    async bytes(signal) {
      signal.throwIfAborted();
      await ready();
      return bytesTaken(db);
    },
    // The server is the store's.
    close: async () => undefined,
  };
}

async function makeTables(db: Db): Promise<void> {
  for (const statement of INDEX_SCHEMA.postgres) await db.query(statement);
}

/**
 * Bytes that the pages take. A table does not become smaller when rows go: their room is used again. So where it is larger
 * than its rows, these count, by a sample of them.
 */
async function bytesTaken(db: Db): Promise<number> {
  const { bytes, pages } = readRow(Sizes, await db.query(SIZES)) ?? { bytes: 0, pages: 0 };
  const share = pages <= SAMPLE ? 100 : (100 * SAMPLE) / pages;
  const columns = 'pg_column_size(body) + pg_column_size(words) + pg_column_size(counts) + 400';
  const mean = `select cast(coalesce(avg(${columns}), 0) as bigint) as bytes from search_pages tablesample system (${share})`;
  const ofRow = readRow(Mean, await db.query(mean))?.bytes ?? 0;
  return Math.min(bytes, Math.round(ofRow * BESIDES_COLUMNS * pages));
}
