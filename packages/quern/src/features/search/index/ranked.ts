import { z } from 'zod';
import { readRow, readRows } from '#store/rows.ts';
import { foldedOf, readWordQuery, type WordQuery } from '#features/search/words.ts';
import { type FoundIds, type IndexStep, type RankParts, type ReadStep, TITLE_WEIGHT } from './index-store.ts';
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

/** Counted to a bound; a word that is in more pages of a tenant than that tells nothing. */
const MAX_COUNTED = 10_000;
/** Pages of which the lengths are read for their mean. */
const MAX_MEASURED = 1000;
/**
 * In how many pages of its own a tenant has each of some parts, how many pages it has, their mean length in words, and whether
 * no other tenant has any page. Where it is alone its own word need not be looked for, which is in all pages, the numbers of all
 * are its own, and of a single part nothing is counted.
 */
const COUNTS = `with alone as materialized (select not exists (select 1 from search_pages where tenant_id < $2)
    and not exists (select 1 from search_pages where tenant_id > $2) as yes)
  select alone.yes as alone,
  iif(alone.yes, (select pages_of_all(block) from search_words_data where id = 1),
    (select count(*) from (select 1 from search_pages where tenant_id = $2 limit ${MAX_COUNTED}))) as total,
  iif(alone.yes, (select mean_of_all(block) from search_words_data where id = 1),
    (select coalesce(avg(words_counted(sz)), 1) from search_words_docsize
      where id in (select id from search_pages where tenant_id = $2 limit ${MAX_MEASURED}))) as length,
  iif(alone.yes and json_array_length($1) = 1, '[]',
    (select json_group_array((select count(*) from (select 1 from search_words where search_words match
      iif(alone.yes, part.value, $3 || part.value) limit ${MAX_COUNTED}))) from json_each($1) as part)) as pages
  from alone`;

/** How soon the count of a word tells no more, and how much the length of a page counts, as FTS5 has it. */
const K1 = 1.2;
const B = 0.75;

/**
 * BM25 of FTS5 (https://sqlite.org/fts5.html#the_bm25_function) counts over the pages of all tenants. So each part is ranked
 * alone, by which is reckoned how often a page has it, a whole number; from that follows its rank by the numbers of the
 * tenant. The column of tenants counts for nothing. How many pages of all have a part is counted, unless it is known.
 */
const rankOfPart = (at: number): string => `select search_words.rowid as id, cast($${at + 1} as real) as weight, length,
    -bm25(search_words, 0.0, ${TITLE_WEIGHT}.0, 1.0) / (select weight_of_all(pages, coalesce($${at + 3},
      (select count(*) from search_words where search_words match $${at + 2}))) from totals) as rank
  from search_words cross join matched on matched.id = search_words.rowid where search_words match $${at}`;
const slowness = (mean: string): string => `${K1} * (${1 - B} + ${B} * length / ${mean})`;
const byParts = (count: number): string => `with
  totals as materialized (select pages_of_all(block) as pages, max(1.0, mean_of_all(block)) as mean
    from search_words_data where id = 1),
  matched as materialized (select search_words.rowid as id, words_counted(sz) as length from search_words
    join search_words_docsize as sizes on sizes.id = search_words.rowid where search_words match $1),
  ranked as materialized (${Array.from({ length: count }, (_none, at) => rankOfPart(4 + 4 * at)).join(' union all ')})
  select id from ranked group by id order by sum(weight * (1 - ${slowness('max(1.0, $3)')} /
    (round(rank * ${slowness('(select mean from totals)')} / (${K1 + 1} - rank)) + ${slowness('max(1.0, $3)')}))) desc, id
  limit $2`;

/** One part among the pages of a tenant that is alone: its weight changes no order, and the numbers of all are its own. */
const BY_PART = `select rowid as id from search_words where search_words match $1
  order by bm25(search_words, 0.0, ${TITLE_WEIGHT}.0, 1.0), rowid limit $2`;

const Id = z.object({ id: z.number() });
const Counts = z.object({ alone: z.number(), total: z.number(), length: z.number(), pages: z.string() });
const Numbers = z.array(z.number());

/** A part of a query, in how many pages of the tenant it is, and what it weighs. */
type CountedPart = { readonly part: WordQuery['asked'][number]; readonly pages: number; readonly weight: number };

function joined(parts: readonly Pick<CountedPart, 'part'>[], join: 'and' | 'or'): string {
  return `{title body} : (${parts.map(({ part }) => `"${part.join(' ')}"`).join(` ${join.toUpperCase()} `)})`;
}

async function rankInSqlite(tenant: string, { asked, beside }: WordQuery, read: ReadStep): Promise<RankParts> {
  const itsPages = `tenant : "${tenantWord(tenant)}" AND `;
  const parts = [...asked, ...beside];
  const matches = JSON.stringify(parts.map((part) => joined([{ part }], 'and')));
  const counts = readRow(Counts, await read({ sql: COUNTS, values: [matches, tenant, itsPages] }));
  const isAlone = counts?.alone === 1;
  const within = isAlone ? '' : itsPages;
  const pages = Numbers.parse(JSON.parse(counts?.pages ?? '[]'));
  const total = counts?.total ?? 0;
  const counted = parts.map((part, at): CountedPart => {
    const n = pages[at] ?? 0;
    return { part, pages: n, weight: Math.log(1 + (Math.max(total, n) - n + 0.5) / (n + 0.5)) };
  });
  const wanted = counted.slice(0, asked.length);
  // A word that half of the pages have tells next to nothing, and costs a look through each of them.
  const telling = counted.filter(({ pages: n }) => n <= total / 2);
  return async (join, most) => {
    const find = async (matching: readonly CountedPart[]): Promise<readonly number[]> => {
      const all = `${within}${joined(matching, join)}`;
      const ranking = [...matching, ...telling.filter((one) => !matching.includes(one))];
      const values = ranking.flatMap((one) => {
        const match = joined([one], 'and');
        const isKnown = isAlone && one.pages < MAX_COUNTED;
        return [`${within}${match}`, one.weight, match, isKnown ? one.pages : null];
      });
      const step: IndexStep =
        isAlone && ranking.length === 1
          ? { sql: BY_PART, values: [all, most] }
          : { sql: byParts(ranking.length), values: [all, most, counts?.length ?? 1, ...values] };
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
