import { z } from 'zod';
import { readRows } from '#store/rows.ts';
import { foldedOf, readWordQuery } from '#features/search/words.ts';
import type { WordQuery } from '#features/search/words.ts';
import { TITLE_WEIGHT } from './index-store.ts';
import type { FoundIds, IndexStep, RankParts, ReadStep } from './index-store.ts';
import { rankInPostgres } from './postgres-rank.ts';
import type { StoreKind } from '#store/db.ts';

export type RankOrder = {
  readonly tenant: string;
  readonly query: string;
  /** Pages that are put in order. */
  readonly most: number;
};

/** The pages of a tenant that hold all words of a query, then those that hold any of them. */
export async function rankPages(
  kind: StoreKind,
  { tenant, query, most }: RankOrder,
  read: ReadStep,
): Promise<FoundIds> {
  const words = readWordQuery(query);
  const { length } = words.asked;
  if (length === 0) return { ids: [], isWhole: true };
  const rank = kind === 'sqlite' ? rankInSqlite(tenant, words, read) : await rankInPostgres(tenant, words, read);
  const ranking = rank('and', most);
  // A server does both at once; the thread of a file does one thing.
  const both = kind === 'postgres' && length > 1 ? rank('or', most) : null;
  const [all] = await Promise.all([ranking, both]);
  if (all.ids.length >= most || length === 1) return all;
  const any = await (both ?? rank('or', most));
  const seen = new Set(all.ids);
  return { ids: [...all.ids, ...any.ids.filter((id) => !seen.has(id))], isWhole: any.isWhole };
}

/** BM25 of FTS5 (https://sqlite.org/fts5.html#the_bm25_function); the column of tenants counts for nothing. */
const BY_WORDS = `select rowid as id from search_words where search_words match $1
  order by bm25(search_words, 0.0, ${TITLE_WEIGHT}.0, 1.0), rowid limit $2`;

const Id = z.object({ id: z.number() });

function joined(parts: WordQuery['asked'], join: 'and' | 'or'): string {
  return `{title body} : (${parts.map((part) => `"${part.join(' ')}"`).join(` ${join.toUpperCase()} `)})`;
}

function rankInSqlite(tenant: string, { asked, beside }: WordQuery, read: ReadStep): RankParts {
  const ofTenant = `tenant : "${tenantWord(tenant)}"`;
  // Each page has the word of its tenant, so that the common words take none away, and yet count.
  const counted = beside.length === 0 ? '' : ` AND (${ofTenant} OR ${joined(beside, 'or')})`;
  return async (join, most) => {
    const step: IndexStep = { sql: BY_WORDS, values: [`${ofTenant} AND ${joined(asked, join)}${counted}`, most] };
    const ids = readRows(Id, await read(step)).map(({ id }) => id);
    return { ids, isWhole: ids.length < most };
  };
}

/** The name of a tenant as one word of the index. */
function tenantWord(tenant: string): string {
  return foldedOf(tenant).replaceAll(/[^\p{L}\p{N}]/gu, '');
}
