import { z } from 'zod';
import { bulk } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { IndexStep, RankParts, ReadStep } from './index-store.ts';
import { fitsVector } from './word-vector.ts';

/** Counted to a bound, which costs a few milliseconds; a word that is in more pages than that tells nothing. */
const MOST_COUNTED = 10_000;
const COUNT = `select count(*) as pages, cast(coalesce(avg(length), 1) as bigint) as words
  from (select length from search_pages where tenant_id = $1 limit ${MOST_COUNTED}) as counted`;
const ASKED = bulk('postgres', '$2', { name: 'asked', columns: { at: 'bigint', query: 'text' } });
const FREQUENCIES = `select at, (select count(*) from (select 1 from search_pages
    where tenant_id = $1 and words @@ cast(asked.query as tsquery) limit ${MOST_COUNTED}) as counted) as pages
  from ${ASKED}`;

const Counted = z.object({ pages: z.number(), words: z.number() });
const Frequency = z.object({ at: z.number(), pages: z.number() });
const Id = z.object({ id: z.number() });

/** A word or phrase of a query, in how many pages it is, and what it weighs. */
type Weighed = { readonly query: string; readonly pages: number; readonly weight: number };

/**
 * PostgreSQL ranks words without how rare they are; each word's own rank, which grows ever less with its count, is
 * multiplied by its inverse document frequency and divided by the length, as BM25 does.
 */
export async function rankInPostgres(
  tenant: string,
  parts: readonly (readonly string[])[],
  read: ReadStep,
): Promise<RankParts> {
  const queries = parts.flatMap((part) =>
    part.every(fitsVector) ? [part.map((word) => `'${word}'`).join(' <-> ')] : [],
  );
  if (queries.length === 0) return async () => [];
  const asked = JSON.stringify(queries.map((query, at) => [at, query]));
  const [sums, frequencies] = await Promise.all([
    read({ sql: COUNT, values: [tenant] }),
    read({ sql: FREQUENCIES, values: [tenant, asked] }),
  ]);
  const counted = readRow(Counted, sums) ?? { pages: 0, words: 1 };
  const byPlace = new Map(readRows(Frequency, frequencies).map(({ at, pages }) => [at, pages]));
  const weighed = queries.map((query, at): Weighed => {
    const n = byPlace.get(at) ?? 0;
    return { query, pages: n, weight: Math.log(1 + (Math.max(counted.pages, n) - n + 0.5) / (n + 0.5)) };
  });
  return async (join, most) => {
    const all = weighed.map(({ query }) => `(${query})`).join(' & ');
    const match = join === 'and' ? all : rarest(weighed, most).join(' | ');
    return readRows(Id, await read(toRanking({ tenant, match, weighed, meanWords: counted.words, most }))).map(
      ({ id }) => id,
    );
  };
}

/** The rarest words that are in enough pages together: those that hold but common words come after these. */
function rarest(weighed: readonly Weighed[], enough: number): readonly string[] {
  const taken: string[] = [];
  let pages = 0;
  for (const one of weighed.toSorted((a, b) => a.pages - b.pages)) {
    if (pages >= enough) break;
    taken.push(`(${one.query})`);
    pages += one.pages;
  }
  return taken;
}

type Ranking = {
  readonly tenant: string;
  readonly match: string;
  readonly weighed: readonly Weighed[];
  readonly meanWords: number;
  readonly most: number;
};

/** A place in the title counts five times; each vector is read once, which the empty one that is added brings about. */
function toRanking({ tenant, match, weighed, meanWords, most }: Ranking): IndexStep {
  const ranks = weighed.map(
    (_, at) => `cast($${5 + 2 * at} as float8) * ts_rank('{0.2, 0, 0, 1}', words, cast($${4 + 2 * at} as tsquery))`,
  );
  const sql = `select id from (
      select id, length, words || cast('' as tsvector) as words from search_pages
      where tenant_id = $1 and words @@ cast($2 as tsquery) offset 0) as matched
    order by (${ranks.join(' + ')}) / (0.25 + 0.75 * length / ${Math.max(1, meanWords)}.0) desc, id limit $3`;
  return { sql, values: [tenant, match, most, ...weighed.flatMap(({ query, weight }) => [query, weight])] };
}
