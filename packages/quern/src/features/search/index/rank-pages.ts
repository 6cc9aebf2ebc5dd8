import { z } from 'zod';
import { readRow, readRows } from '#store/rows.ts';
import { foldText, parseWordQuery, type WordQuery } from '#features/search/words.ts';
import { type FoundIds, type IndexStep, type RankQuery, type ReadStep, TITLE_WEIGHT } from './index-store.ts';
import { buildPostgresRanker, findByRarest } from './postgres-rank.ts';
import type { StoreKind } from '#store/db.ts';

export type RankRequest = {
  readonly tenant: string;
  readonly query: string;
  /** Maximum number of pages to rank. */
  readonly most: number;
  /** With this many pages that contain all words, pages with only some words are not needed. */
  readonly enough: number;
};

/** Ranks the pages of a tenant that contain all words of a query, followed by those that contain any of them. */
export async function rankPages(
  kind: StoreKind,
  { tenant, query, most, enough }: RankRequest,
  read: ReadStep,
): Promise<FoundIds> {
  const words = parseWordQuery(query);
  const { length } = words.required;
  if (length === 0) return { ids: [], isWhole: true };
  const rank =
    kind === 'sqlite'
      ? await buildSqliteRanker(tenant, words, read)
      : await buildPostgresRanker({ tenant, words, enough }, read);
  const all = await rank('and', most);
  if (length === 1) return all;
  if (all.ids.length >= Math.min(enough, most)) return { ...all, isWhole: false };
  const any = await rank('or', most);
  const seen = new Set(all.ids);
  return { ids: [...all.ids, ...any.ids.filter((id) => !seen.has(id))], isWhole: any.isWhole };
}

/** Counts stop here; a word in more pages of a tenant does not help ranking. */
const MAX_COUNTED = 10_000;
/** Pages sampled for the mean length. */
const MAX_MEASURED = 1000;
/**
 * For a tenant: the number of its pages with each query part, the number of its pages, their mean length in words, and whether no
 * other tenant has pages. In that case the tenant word need not be matched, the global statistics of FTS5 can be used, and for a
 * single part nothing needs to be counted.
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

/** BM25 parameters of SQLite FTS5: saturation of term frequency, and weight of length. */
const K1 = 1.2;
const B = 0.75;

/**
 * The `bm25` function of FTS5 (https://sqlite.org/fts5.html#the_bm25_function) uses statistics over all tenants. So each part is
 * ranked separately, its term frequency is recovered from the global rank, and the rank is computed again with the statistics of
 * the tenant. The tenant column has weight 0. The global number of pages with a part is counted unless it is given.
 */
const buildPartRank = (
  at: number,
): string => `select search_words.rowid as id, cast($${at + 1} as real) as weight, length,
    -bm25(search_words, 0.0, ${TITLE_WEIGHT}.0, 1.0) / (select weight_of_all(pages, coalesce($${at + 3},
      (select count(*) from search_words where search_words match $${at + 2}))) from totals) as rank
  from search_words cross join matched on matched.id = search_words.rowid where search_words match $${at}`;
const buildLengthNorm = (mean: string): string => `${K1} * (${1 - B} + ${B} * length / ${mean})`;
const buildRankStatement = (count: number): string => `with
  totals as materialized (select pages_of_all(block) as pages, max(1.0, mean_of_all(block)) as mean
    from search_words_data where id = 1),
  matched as materialized (select search_words.rowid as id, words_counted(sz) as length from search_words
    join search_words_docsize as sizes on sizes.id = search_words.rowid where search_words match $1),
  ranked as materialized (${Array.from({ length: count }, (_none, at) => buildPartRank(4 + 4 * at)).join(' union all ')})
  select id from ranked group by id order by sum(weight * (1 - ${buildLengthNorm('max(1.0, $3)')} /
    (round(rank * ${buildLengthNorm('(select mean from totals)')} / (${K1 + 1} - rank)) + ${buildLengthNorm('max(1.0, $3)')}))) desc, id
  limit $2`;

/** A single part when there is only one tenant: the ranking of FTS5 can be used directly. */
const RANK_SINGLE_PART = `select rowid as id from search_words where search_words match $1
  order by bm25(search_words, 0.0, ${TITLE_WEIGHT}.0, 1.0), rowid limit $2`;

const IdRow = z.object({ id: z.number() });
const CountsRow = z.object({ alone: z.number(), total: z.number(), length: z.number(), pages: z.string() });
const Numbers = z.array(z.number());

/** A query part, the number of the tenant's pages with it, and its BM25 weight. */
type CountedPart = { readonly part: WordQuery['required'][number]; readonly pages: number; readonly weight: number };

function toMatchExpression(parts: readonly Pick<CountedPart, 'part'>[], join: 'and' | 'or'): string {
  return `{title body} : (${parts.map(({ part }) => `"${part.join(' ')}"`).join(` ${join.toUpperCase()} `)})`;
}

async function buildSqliteRanker(
  tenant: string,
  { required, optional }: WordQuery,
  read: ReadStep,
): Promise<RankQuery> {
  const tenantFilter = `tenant : "${toTenantWord(tenant)}" AND `;
  const parts = [...required, ...optional];
  const matches = JSON.stringify(parts.map((part) => toMatchExpression([{ part }], 'and')));
  const counts = readRow(CountsRow, await read({ sql: COUNTS, values: [matches, tenant, tenantFilter] }));
  const isAlone = counts?.alone === 1;
  const within = isAlone ? '' : tenantFilter;
  const pages = Numbers.parse(JSON.parse(counts?.pages ?? '[]'));
  const total = counts?.total ?? 0;
  const counted = parts.map((part, at): CountedPart => {
    const n = pages[at] ?? 0;
    return { part, pages: n, weight: Math.log(1 + (Math.max(total, n) - n + 0.5) / (n + 0.5)) };
  });
  const wanted = counted.slice(0, required.length);
  // A word in more than half of the pages hardly affects ranking but is expensive to evaluate.
  const rare = counted.filter(({ pages: n }) => n <= total / 2);
  return async (join, most) => {
    const find = async (matching: readonly CountedPart[]): Promise<readonly number[]> => {
      const all = `${within}${toMatchExpression(matching, join)}`;
      const ranking = [...matching, ...rare.filter((one) => !matching.includes(one))];
      const values = ranking.flatMap((one) => {
        const match = toMatchExpression([one], 'and');
        const isKnown = isAlone && one.pages < MAX_COUNTED;
        return [`${within}${match}`, one.weight, match, isKnown ? one.pages : null];
      });
      const step: IndexStep =
        isAlone && ranking.length === 1
          ? { sql: RANK_SINGLE_PART, values: [all, most] }
          : { sql: buildRankStatement(ranking.length), values: [all, most, counts?.length ?? 1, ...values] };
      return readRows(IdRow, await read(step)).map(({ id }) => id);
    };
    if (join === 'or') return findByRarest(wanted, most, find);
    const ids = await find(wanted);
    return { ids, isWhole: ids.length < most };
  };
}

/** The tenant id as a single word of the index. */
function toTenantWord(tenant: string): string {
  return foldText(tenant).replaceAll(/[^\p{L}\p{N}]/gu, '');
}
