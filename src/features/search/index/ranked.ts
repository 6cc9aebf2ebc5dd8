import { z } from 'zod';
import type { Row, StoreKind } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import { foldedOf } from '#features/search/words.ts';
import type { IndexStep } from './index-store.ts';

/** A query of a tenant: words and phrases, all or any of which a page must hold. */
export type RankOrder = {
  readonly kind: StoreKind;
  readonly tenant: string;
  readonly parts: readonly (readonly string[])[];
  readonly join: 'and' | 'or';
  readonly most: number;
};

type ReadStep = (step: IndexStep) => Promise<readonly Row[]>;

/** A word of the title counts as so many of the body. */
const TITLE_WEIGHT = 5;

/** BM25 of FTS5 (https://sqlite.org/fts5.html#the_bm25_function); the column of tenants counts for nothing. */
const BY_WORDS = `select rowid as id from search_words where search_words match $1
  order by bm25(search_words, 0.0, ${TITLE_WEIGHT}.0, 1.0), rowid limit $2`;

const Id = z.object({ id: z.number() });

/** Numbers of the pages that match, best first. */
export async function rankedBy(order: RankOrder, read: ReadStep): Promise<readonly number[]> {
  const step = order.kind === 'sqlite' ? matchOf(order) : await rankOf(order, read);
  return readRows(Id, await read(step)).map(({ id }) => id);
}

function matchOf({ tenant, parts, join, most }: RankOrder): IndexStep {
  const words = parts.map((part) => `"${part.join(' ')}"`).join(join === 'and' ? ' AND ' : ' OR ');
  const match = `tenant : "${tenantWord(tenant)}" AND {title body} : (${words})`;
  return { sql: BY_WORDS, values: [match, most] };
}

/** The name of a tenant as one word of the index. */
function tenantWord(tenant: string): string {
  return foldedOf(tenant).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const Counted = z.object({ pages: z.number(), words: z.number() });
const COUNT = `select count(*) as pages, cast(coalesce(avg(length), 1) as bigint) as words
  from search_pages where tenant_id = $1`;
const Frequency = z.object({ n: z.number() });
/** Counted to a bound: a word that is in more pages than that tells nothing. */
const MOST_COUNTED = 20_000;
const FREQUENCY = `select count(*) as n from (select 1 from search_pages
  where tenant_id = $1 and words @@ cast($2 as tsquery) limit ${MOST_COUNTED}) as counted`;

/**
 * PostgreSQL ranks words without how rare they are; each word's own rank, which grows ever less with its count, is
 * multiplied by its inverse document frequency and divided by the length, as BM25 does.
 */
async function rankOf({ tenant, parts, join, most }: RankOrder, read: ReadStep): Promise<IndexStep> {
  const counted = readRow(Counted, await read({ sql: COUNT, values: [tenant] })) ?? { pages: 0, words: 1 };
  const queries = parts.map((part) => part.map((word) => `'${word}'`).join(' <-> '));
  const weights: number[] = [];
  for (const query of queries) {
    const n = readRow(Frequency, await read({ sql: FREQUENCY, values: [tenant, query] }))?.n ?? 0;
    weights.push(Math.log(1 + (counted.pages - n + 0.5) / (n + 0.5)));
  }
  const ranks = queries.map(
    (_, at) => `cast($${5 + 2 * at} as float8) * ts_rank('{0, 0, 1, 1}', words, cast($${4 + 2 * at} as tsquery))`,
  );
  const all = queries.map((query) => `(${query})`).join(join === 'and' ? ' & ' : ' | ');
  const sql = `select id from search_pages where tenant_id = $1 and words @@ cast($2 as tsquery)
    order by (${ranks.join(' + ')}) / (0.25 + 0.75 * length / ${Math.max(1, counted.words)}.0) desc, id limit $3`;
  const values = queries.flatMap((query, at) => [query, weights[at] ?? 0]);
  return { sql, values: [tenant, all, most, ...values] };
}
