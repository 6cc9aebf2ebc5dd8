import { z } from 'zod';
import { readRows } from '#store/rows.ts';
import { foldedOf, partsOf } from '#features/search/words.ts';
import { TITLE_WEIGHT } from './index-store.ts';
import type { FoundIds, IndexStep, RankParts, ReadStep } from './index-store.ts';
import { rankInPostgres } from './postgres-rank.ts';
import type { StoreKind } from '#store/db.ts';

/** Pages of one query that are put in order. */
const MOST_RANKED = 300;

/** The pages of a tenant that hold all words of a query, then those that hold any of them. */
export async function rankPages(
  kind: StoreKind,
  { tenant, query }: { readonly tenant: string; readonly query: string },
  read: ReadStep,
): Promise<FoundIds> {
  const parts = partsOf(query);
  if (parts.length === 0) return { ids: [], isWhole: true };
  const rank = kind === 'sqlite' ? rankInSqlite(tenant, parts, read) : await rankInPostgres(tenant, parts, read);
  const ranking = rank('and', MOST_RANKED);
  // A server does both at once; the thread of a file does one thing.
  const both = kind === 'postgres' && parts.length > 1 ? rank('or', MOST_RANKED) : null;
  const [all] = await Promise.all([ranking, both]);
  if (all.ids.length >= MOST_RANKED || parts.length === 1) return all;
  const any = await (both ?? rank('or', MOST_RANKED));
  const seen = new Set(all.ids);
  return { ids: [...all.ids, ...any.ids.filter((id) => !seen.has(id))], isWhole: any.isWhole };
}

/** BM25 of FTS5 (https://sqlite.org/fts5.html#the_bm25_function); the column of tenants counts for nothing. */
const BY_WORDS = `select rowid as id from search_words where search_words match $1
  order by bm25(search_words, 0.0, ${TITLE_WEIGHT}.0, 1.0), rowid limit $2`;

const Id = z.object({ id: z.number() });

function rankInSqlite(tenant: string, parts: readonly (readonly string[])[], read: ReadStep): RankParts {
  const words = parts.map((part) => `"${part.join(' ')}"`);
  return async (join, most) => {
    const match = `tenant : "${tenantWord(tenant)}" AND {title body} : (${words.join(join === 'and' ? ' AND ' : ' OR ')})`;
    const step: IndexStep = { sql: BY_WORDS, values: [match, most] };
    const ids = readRows(Id, await read(step)).map(({ id }) => id);
    return { ids, isWhole: ids.length < most };
  };
}

/** The name of a tenant as one word of the index. */
function tenantWord(tenant: string): string {
  return foldedOf(tenant).replaceAll(/[^\p{L}\p{N}]/gu, '');
}
