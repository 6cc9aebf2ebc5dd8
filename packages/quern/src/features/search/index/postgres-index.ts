import { z } from 'zod';
import type { Db } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { INDEX_SCHEMA, type IndexStep, type IndexStore } from './index-store.ts';
import { type IndexBatch, putPages } from './put-pages.ts';
import { rankPages } from './rank-pages.ts';
import { compactSegment, listSegments, mergeSegments } from './segments.ts';

const SIZES = `select coalesce(pg_total_relation_size(to_regclass('search_pages')), 0)
    + coalesce(pg_total_relation_size(to_regclass('search_blocks')), 0) as bytes,
  (select count(*) from search_pages) as pages, (select cast(coalesce(sum(bytes), 0) as bigint) from search_segments) as blocks`;
const Sizes = z.object({ bytes: z.number(), pages: z.number(), blocks: z.number() });

/** Sample size for estimating the mean row size. */
const SAMPLE_PAGES = 2000;
/** Bytes of a row besides its text, with its entries in indexes. */
const ROW_BYTES = 800;
/** Factor for the overhead of the server, measured over 60,000 pages. */
const OVERHEAD_FACTOR = 1.1;
/** After merging this many pages the space of the old segments is made free at once, before the next merge needs as much. */
const MIN_VACUUM_PAGES = 2000;
const Mean = z.object({ bytes: z.number() });

/** Rolls back a transaction whose needed statement returned no row. */
class TransactionUndone extends Error {}

/** Opens the index as tables of the PostgreSQL server; they are created on first use. */
export function openPostgresIndex(db: Db): IndexStore {
  let created: Promise<void> | null = null;

  /** Creates the tables once; after a failure, the next use tries again. */
  async function ready(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    created ??= createTables(db);
    const current = created;
    await current.catch((error: unknown) => {
      if (created === current) created = null;
      throw error;
    });
  }

  /** Runs the statements and adds the pages in one transaction. */
  async function write(steps: readonly IndexStep[], batch: IndexBatch | null): Promise<boolean> {
    try {
      await db.transaction(async (tx) => {
        for (const { sql, values, needed } of steps) {
          const rows = await tx.query(sql, values);
          if (rows.length === 0 && needed === true) throw new TransactionUndone();
        }
        if (batch !== null) await putPages(tx, 'postgres', batch);
      }, 'redone');
      return true;
    } catch (error) {
      if (error instanceof TransactionUndone) return false;
      throw error;
    }
  }

  return {
    kind: 'postgres',
    async read({ sql, values }, signal) {
      await ready(signal);
      return db.query(sql, values);
    },
    async write(steps, signal) {
      await ready(signal);
      return write(steps, null);
    },
    async add(batch, steps, signal) {
      await ready(signal);
      if (!(await write(steps, batch))) return false;
      await mergeAll(db, batch.tenant, signal);
      return true;
    },
    async rank(request, signal) {
      await ready(signal);
      return rankPages(db, 'postgres', request);
    },
    async compact(range, signal) {
      await ready(signal);
      const segments = await listSegments(db, range);
      for (const segment of segments) {
        signal.throwIfAborted();
        await db.transaction(async (tx) => compactSegment(tx, 'postgres', segment), 'redone');
      }
      return segments.at(-1)?.id ?? null;
    },
    async bytes(signal) {
      await ready(signal);
      return measureBytes(db);
    },
    // The connection belongs to the store.
    close: async () => undefined,
  };
}

async function mergeAll(db: Db, tenant: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const pages = await db.transaction(async (tx) => mergeSegments(tx, 'postgres', tenant), 'redone');
    if (pages === 0) return;
    // The server does it later by itself if this takes longer than a statement may.
    if (pages >= MIN_VACUUM_PAGES) await db.query('vacuum search_blocks').catch(() => undefined);
  }
}

/** Processes create the tables one after another: `if not exists` fails where two do it at once. */
async function createTables(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtext('quern search index'))");
    for (const statement of INDEX_SCHEMA.postgres) await tx.query(statement);
  });
}

/**
 * Size of the index in bytes. PostgreSQL does not return the space of deleted rows, so the result is the smaller of the size of
 * the tables and an estimate from a sample of rows.
 */
async function measureBytes(db: Db): Promise<number> {
  const { bytes, pages, blocks } = readRow(Sizes, await db.query(SIZES)) ?? { bytes: 0, pages: 0, blocks: 0 };
  const share = pages <= SAMPLE_PAGES ? 100 : (100 * SAMPLE_PAGES) / pages;
  const columns = `pg_column_size(body) + ${ROW_BYTES}`;
  const mean = `select cast(coalesce(avg(${columns}), 0) as bigint) as bytes from search_pages tablesample system (${share})`;
  const ofRow = readRow(Mean, await db.query(mean))?.bytes ?? 0;
  return Math.min(bytes, Math.round((ofRow * pages + blocks) * OVERHEAD_FACTOR));
}
