import { z } from 'zod';
import type { Db } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { INDEX_SCHEMA, type IndexStore } from './index-store.ts';

const SIZES = `select coalesce(pg_total_relation_size(to_regclass('search_pages')), 0) as bytes,
  (select count(*) from search_pages) as pages`;
const Sizes = z.object({ bytes: z.number(), pages: z.number() });

/** Sample size for estimating the mean row size. */
const SAMPLE_PAGES = 2000;
/** Factor for indexes and overhead relative to column sizes, measured over 1,500 pages. */
const OVERHEAD_FACTOR = 1.95;
const Mean = z.object({ bytes: z.number() });

/** Each search also reads the pending list of the index: 1 MB of it makes a search three times as slow. */
const SETTLE = "select gin_clean_pending_list('search_pages_by_word')";

/** Rolls back a transaction whose needed statement returned no row. */
class TransactionUndone extends Error {}

/** Opens the index as tables of the PostgreSQL server; they are created on first use. */
export function openPostgresIndex(db: Db): IndexStore {
  let created: Promise<void> | null = null;

  /** Creates the tables once; after a failure, the next use tries again. */
  async function ready(): Promise<void> {
    created ??= createTables(db);
    const current = created;
    await current.catch((error: unknown) => {
      if (created === current) created = null;
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
            if (rows.length === 0 && needed === true) throw new TransactionUndone();
          }
        }, 'redone');
        return true;
      } catch (error) {
        if (error instanceof TransactionUndone) return false;
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
      return measureBytes(db);
    },
    // The connection belongs to the store.
    close: async () => undefined,
  };
}

async function createTables(db: Db): Promise<void> {
  for (const statement of INDEX_SCHEMA.postgres) await db.query(statement);
}

/**
 * Size of the index in bytes. PostgreSQL does not return the space of deleted rows, so the result is the smaller of the table size
 * and an estimate from a sample of rows.
 */
async function measureBytes(db: Db): Promise<number> {
  const { bytes, pages } = readRow(Sizes, await db.query(SIZES)) ?? { bytes: 0, pages: 0 };
  const share = pages <= SAMPLE_PAGES ? 100 : (100 * SAMPLE_PAGES) / pages;
  const columns = 'pg_column_size(body) + pg_column_size(words) + pg_column_size(counts) + 400';
  const mean = `select cast(coalesce(avg(${columns}), 0) as bigint) as bytes from search_pages tablesample system (${share})`;
  const ofRow = readRow(Mean, await db.query(mean))?.bytes ?? 0;
  return Math.min(bytes, Math.round(ofRow * OVERHEAD_FACTOR * pages));
}
