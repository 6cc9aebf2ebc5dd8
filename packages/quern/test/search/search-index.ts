import { join } from 'node:path';
import { type SearchPorts, createNoSearch } from '#compose/search-settings.ts';
import { openPostgresIndex } from '#features/search/index/postgres-index.ts';
import { SearchIndex } from '#features/search/index/search-index.ts';
import type { PageBatch, PageText, IndexedPage } from '#features/search/index/put-pages.ts';
import { openSqliteIndex } from '#features/search/index/sqlite-index.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { inTemporaryFolder, withStoreKind } from '#support/store.ts';

export const ANY_TIME = AbortSignal.timeout(600_000);

/** An index with a store of its kind. */
export function indexBeside(db: Db, folder: string): SearchIndex {
  const store = db.kind === 'sqlite' ? openSqliteIndex(join(folder, 'search.db'), SYSTEM_CLOCK) : openPostgresIndex(db);
  let at = 0;
  return new SearchIndex({ store, now: () => (at += 1) });
}

/** Adds pages of a tenant. */
export async function addPages(index: SearchIndex, part: PageBatch): Promise<void> {
  await index.add(await index.prepare(part), ANY_TIME);
}

/** Opens an index of a kind for a test. */
export async function withIndex(
  kind: StoreKind,
  work: (index: SearchIndex, folder: string) => Promise<void>,
): Promise<void> {
  await inTemporaryFolder(async (folder) =>
    withStoreKind(kind, async (db) => {
      const index = indexBeside(db, folder);
      await work(index, folder).finally(async () => index.close());
    }),
  );
}

/** The parts of searches with the index on, and the overrides of a test. */
export function searchWith(given: Partial<SearchPorts> = {}) {
  return (db: Db, folder: string): SearchPorts => ({
    ...createNoSearch(),
    own: { index: indexBeside(db, folder), mostBytes: 100_000_000 },
    ...given,
  });
}

/** A page for the index. */
export function buildIndexedPage(
  url: string,
  facts: Partial<PageText> & { readonly source?: string } = {},
): IndexedPage {
  const page = { title: '', description: '', body: '', language: null, publishedAt: null, source: 'job:1' };
  return { ...page, url: `https://${url}`, ...facts };
}

/** The URLs that a query finds, best first. */
export async function findUrls(
  index: SearchIndex,
  query: string,
  tenant = 'ten_1',
  language: string | null = null,
): Promise<readonly string[]> {
  const { ids } = await index.find({ tenant, query, language }, ANY_TIME);
  return (await index.show(tenant, ids, ANY_TIME)).map(({ url }) => url.replace('https://', ''));
}
