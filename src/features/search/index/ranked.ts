import { z } from 'zod';
import { readRows } from '#store/rows.ts';
import { foldedOf, readWordQuery } from '#features/search/words.ts';
import type { WordQuery } from '#features/search/words.ts';
import { TITLE_WEIGHT } from './index-store.ts';
import type { FoundIds, IndexStep, RankParts, ReadStep } from './index-store.ts';
import { rankInPostgres } from './postgres-rank.ts';
import { findByRarest } from './rarest.ts';
import type { StoreKind } from '#store/db.ts';

export type RankOrder = {
  readonly tenant: string;
  readonly query: string;
  /** Pages that are put in order. */
  readonly most: number;
  /** So many pages with all of the words make those with some unneeded, and those with a phrase more of them. */
  readonly enough: number;
};

/** The pages of a tenant that hold all words of a query, then those that hold any of them. */
export async function rankPages(
  kind: StoreKind,
  { tenant, query, most, enough }: RankOrder,
  read: ReadStep,
): Promise<FoundIds> {
  const words = readWordQuery(query);
  const { length } = words.asked;
  if (length === 0) return { ids: [], isWhole: true };
  const rank =
    kind === 'sqlite' ? await rankInSqlite(tenant, words, read) : await rankInPostgres({ tenant, words, enough }, read);
  const all = await rank('and', most);
  if (length === 1) return all;
  if (all.ids.length >= Math.min(enough, most)) return { ...all, isWhole: false };
  const any = await rank('or', most);
  const seen = new Set(all.ids);
  return { ids: [...all.ids, ...any.ids.filter((id) => !seen.has(id))], isWhole: any.isWhole };
}

/** BM25 of FTS5 (https://sqlite.org/fts5.html#the_bm25_function); the column of tenants counts for nothing. */
const BY_WORDS = `select rowid as id from search_words where search_words match $1
  order by bm25(search_words, 0.0, ${TITLE_WEIGHT}.0, 1.0), rowid limit $2`;
const FREQUENCIES = `select term, doc as pages, (select count(*) from search_pages) as total from search_vocabulary
  where term in (select value from json_each($1))`;

const Id = z.object({ id: z.number() });
const Frequency = z.object({ term: z.string(), pages: z.number(), total: z.number() });

/** A part of a query, and in how many pages its rarest word is. */
type CountedPart = { readonly part: WordQuery['asked'][number]; readonly pages: number };

function joined(parts: readonly CountedPart[], join: 'and' | 'or'): string {
  return `{title body} : (${parts.map(({ part }) => `"${part.join(' ')}"`).join(` ${join.toUpperCase()} `)})`;
}

async function rankInSqlite(tenant: string, { asked, beside }: WordQuery, read: ReadStep): Promise<RankParts> {
  const words = JSON.stringify([...new Set([...asked, ...beside].flat())]);
  const rows = readRows(Frequency, await read({ sql: FREQUENCIES, values: [words] }));
  const byWord = new Map(rows.map(({ term, pages }) => [term, pages]));
  const count = (part: CountedPart['part']): CountedPart => ({
    part,
    pages: Math.min(...part.map((word) => byWord.get(word) ?? 0)),
  });
  const wanted = asked.map(count);
  // BM25 makes nothing of a word that half of all pages have, and looks through each of them for it.
  const half = (rows[0]?.total ?? 0) / 2;
  const counting = [...wanted, ...beside.map(count)].filter(({ pages }) => pages <= half);
  const ofTenant = `tenant : "${tenantWord(tenant)}"`;
  return async (join, most) => {
    const find = async (matching: readonly CountedPart[]): Promise<readonly number[]> => {
      const besides = counting.filter((one) => !matching.includes(one));
      // Each page has the word of its tenant, so that what only counts takes none away.
      const counted = besides.length === 0 ? '' : ` AND (${ofTenant} OR ${joined(besides, 'or')})`;
      const step: IndexStep = { sql: BY_WORDS, values: [`${ofTenant} AND ${joined(matching, join)}${counted}`, most] };
      return readRows(Id, await read(step)).map(({ id }) => id);
    };
    if (join === 'or') return findByRarest(wanted, most, find);
    const ids = await find(wanted);
    return { ids, isWhole: ids.length < most };
  };
}

/** The name of a tenant as one word of the index. */
function tenantWord(tenant: string): string {
  return foldedOf(tenant).replaceAll(/[^\p{L}\p{N}]/gu, '');
}
