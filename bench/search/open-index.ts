/** Indexes on both stores for search benchmarks, filled like in the service. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresIndex } from '#features/search/index/postgres-index.ts';
import type { PageText } from '#features/search/index/put-pages.ts';
import { type PreparedBatch, SearchIndex } from '#features/search/index/search-index.ts';
import { openSqliteIndex } from '#features/search/index/sqlite-index.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { readAhead } from '#kernel/read-ahead.ts';
import type { StoreKind } from '#store/db.ts';
import { openPostgres, PATIENT_LIMITS } from '#store/postgres.ts';
import { startPostgres } from '#testkit/postgres.ts';

export const TENANT = 'ten_measure';

const PAGES_PER_BATCH = 50;

/** An open index. */
export type OpenIndex = {
  readonly kind: StoreKind;
  readonly index: SearchIndex;
  readonly close: () => Promise<void>;
};

/** Opens an SQLite index in a temporary folder. */
export async function openSqliteBench(): Promise<OpenIndex> {
  const place = await mkdtemp(join(tmpdir(), 'quern-search-'));
  const index = new SearchIndex({ store: openSqliteIndex(join(place, 'search.db'), SYSTEM_CLOCK), now: Date.now });
  return {
    kind: 'sqlite',
    index,
    async close() {
      await index.close();
      await rm(place, { recursive: true, force: true });
    },
  };
}

/** Opens an index on the given PostgreSQL server, or on a temporary one. */
export async function openPostgresBench(given: string | undefined): Promise<OpenIndex> {
  const own = given === undefined ? await startPostgres('as installed') : null;
  const url = given ?? own?.url ?? '';
  const db = openPostgres(url, { ...PATIENT_LIMITS, report: (error) => console.error(error), clock: SYSTEM_CLOCK });
  return {
    kind: 'postgres',
    index: new SearchIndex({ store: openPostgresIndex(db), now: Date.now }),
    async close() {
      await db.close();
      await own?.stop();
    },
  };
}

async function* splitBatches(index: SearchIndex, pages: readonly PageText[]): AsyncGenerator<PreparedBatch> {
  for (let at = 0; at < pages.length; at += PAGES_PER_BATCH) {
    const part = pages.slice(at, at + PAGES_PER_BATCH).map((page) => ({ ...page, source: 'job:1' }));
    yield await index.prepare({ tenant: TENANT, pages: part });
  }
}

/** Adds pages like the service does: prepares a batch while the previous one is added. Returns the duration in ms. */
export async function fillIndex(index: SearchIndex, pages: readonly PageText[], signal: AbortSignal): Promise<number> {
  const startedAt = performance.now();
  for await (const part of readAhead(splitBatches(index, pages))) await index.add(part, signal);
  return performance.now() - startedAt;
}

/** A quantile of values. */
export const getQuantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
