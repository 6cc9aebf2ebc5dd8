import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { splitWords, type WordQuery } from '#features/search/words.ts';
import { readRow, readRows } from '#store/rows.ts';
import { type FoundIds, type RankQuery, type ReadStep, TITLE_WEIGHT } from './index-store.ts';

/** Counts stop here, which takes a few milliseconds; a word in more pages does not help ranking. */
const MAX_COUNTED = 10_000;
/** Pages sampled for the mean length. */
const MAX_MEASURED = 1000;
const COUNT = `select
  (select count(*) from (select 1 from search_pages where tenant_id = $1 limit ${MAX_COUNTED}) as counted) as pages,
  (select cast(coalesce(avg(length), 1) as bigint)
    from (select length from search_pages where tenant_id = $1 limit ${MAX_MEASURED}) as measured) as words`;
const FREQUENCIES = `select code, (select count(*) from (select 1 from search_pages
    where tenant_id = $1 and words @> array[cast($2 as int), asked.code] limit ${MAX_COUNTED}) as counted) as pages
  from unnest(cast($3 as int[])) as asked (code)`;

/** BM25 parameters as in SQLite FTS5: saturation of term frequency, and weight of length. */
const K1 = 1.2;
const B = 0.75;

/** Condition for pages that contain all words. */
const MATCHES_ALL = 'words @> array[cast($2 as int)] and words @> cast($3 as int[])';
/** Condition for pages that contain any word. Each word is looked up separately, because the planner would otherwise scan all pages. */
const MATCHES_ANY = `id = any(array(select found.id from unnest(cast($3 as int[])) as wanted (code),
    lateral (select id from search_pages where words @> array[cast($2 as int), wanted.code] offset 0) as found))`;

/**
 * Order by BM25 (Robertson and Zaragoza, 2009). `width_bucket` finds a word of a page by binary search. Concatenating an empty
 * value makes PostgreSQL load each large (TOASTed) column only once per page.
 */
const buildRanking = (matching: string): string => `select id from (
    select id, words || cast('{}' as int[]) as words, counts || cast('' as bytea) as counts,
      ${K1} * (${1 - B} + ${B} * length / greatest(1, cast($6 as float8))) as k
    from search_pages where tenant_id = $1 and ${matching} offset 0) as matched
  order by (select sum(weight * (1 - k / (k + case when words[place] = code then get_byte(counts, place - 1) else 0 end)))
    from (select code, weight, width_bucket(code, words) as place
      from unnest(cast($4 as int[]), cast($5 as float8[])) as asked (code, weight)) as placed) desc, id limit $7`;
const RANKINGS = { and: buildRanking(MATCHES_ALL), or: buildRanking(MATCHES_ANY) };

const TEXTS = 'select id, title, body from search_pages where tenant_id = $1 and id = any(cast($2 as bigint[]))';

/** Pages whose text is searched for a phrase: in total, and per statement. */
const MAX_CHECKED = 1000;
const CHECKED_AT_ONCE = 50;

const CountRow = z.object({ pages: z.number(), words: z.number() });
const FrequencyRow = z.object({ code: z.number(), pages: z.number() });
const IdRow = z.object({ id: z.number() });
const TextRow = z.object({ id: z.number(), title: z.string(), body: z.string() });

/** A query word, the number of pages with it, and its BM25 weight. */
type WeightedWord = { readonly code: number; readonly pages: number; readonly weight: number };

export type PostgresRankRequest = {
  readonly tenant: string;
  readonly words: WordQuery;
  /** For queries with phrases: stop after this many matching pages. */
  readonly enough: number;
};

/** Ranks pages with BM25 in SQL, because PostgreSQL's own ranking ignores how rare a word is. */
export async function buildPostgresRanker(
  { tenant, words, enough }: PostgresRankRequest,
  read: ReadStep,
): Promise<RankQuery> {
  const { required, optional } = words;
  const wanted = new Set(required.flat().map(hashWord));
  const codes = [...new Set([...wanted, ...optional.flat().map(hashWord)])];
  const own = hashTenant(tenant);
  const [sums, frequencies] = await Promise.all([
    read({ sql: COUNT, values: [tenant] }),
    read({ sql: FREQUENCIES, values: [tenant, own, toArrayLiteral(codes)] }),
  ]);
  const counted = readRow(CountRow, sums) ?? { pages: 0, words: 1 };
  const weighed = readRows(FrequencyRow, frequencies).map(({ code, pages: n }): WeightedWord => {
    return { code, pages: n, weight: Math.log(1 + (Math.max(counted.pages, n) - n + 0.5) / (n + 0.5)) };
  });
  const hasPhrase = required.some(({ length }) => length > 1);
  const ofAsked = weighed.filter(({ code }) => wanted.has(code));
  return async (join, most) => {
    const looked = hasPhrase ? MAX_CHECKED : most;
    const weights = [
      toArrayLiteral(weighed.map(({ code }) => code)),
      toArrayLiteral(weighed.map(({ weight }) => weight)),
    ];
    const find = async (matching: readonly number[]): Promise<readonly number[]> => {
      const values = [tenant, own, toArrayLiteral(matching), ...weights, counted.words, looked];
      return readRows(IdRow, await read({ sql: RANKINGS[join], values })).map(({ id }) => id);
    };
    const findAll = async (): Promise<FoundIds> => {
      const ids = await find([...wanted]);
      return { ids, isWhole: ids.length < looked };
    };
    const found =
      join === 'and'
        ? await findAll()
        : await findByRarest(ofAsked, looked, async (some) => find(some.map(({ code }) => code)));
    return hasPhrase ? filterByPhrases(found, { tenant, required, join, most: Math.min(enough, most) }, read) : found;
  };
}

type PhraseFilter = {
  readonly tenant: string;
  readonly required: WordQuery['required'];
  readonly join: 'and' | 'or';
  readonly most: number;
};

/** Keeps the pages whose text contains all or any of the phrases; the index does not store word positions. */
async function filterByPhrases(
  { ids, isWhole }: FoundIds,
  { tenant, required, join, most }: PhraseFilter,
  read: ReadStep,
) {
  const parts = required.map((part) => ` ${part.join(' ')} `);
  const matches: number[] = [];
  for (let at = 0; at < ids.length; at += CHECKED_AT_ONCE) {
    if (matches.length >= most) return { ids: matches.slice(0, most), isWhole: false };
    const some = ids.slice(at, at + CHECKED_AT_ONCE);
    const texts = readRows(TextRow, await read({ sql: TEXTS, values: [tenant, toArrayLiteral(some)] }));
    const byId = new Map(texts.map((text) => [text.id, text]));
    for (const id of some) {
      const { title = '', body = '' } = byId.get(id) ?? {};
      // The double space prevents a phrase from spanning title and body.
      const words = ` ${splitWords(title).join(' ')}  ${splitWords(body).join(' ')} `;
      const isMatch = (part: string): boolean => words.includes(part);
      if (join === 'and' ? parts.every(isMatch) : parts.some(isMatch)) matches.push(id);
      // Splitting a long page takes milliseconds, so yield to the event loop.
      await turn();
    }
  }
  return { ids: matches.slice(0, most), isWhole: isWhole && matches.length <= most };
}

function toArrayLiteral(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}

/**
 * Finds at most `most` pages that contain any of the query parts. It first uses only the rarest parts that together occur in enough
 * pages, because pages with only common words rank lower, and then all parts if that finds too few.
 */
export async function findByRarest<T extends { readonly pages: number }>(
  parts: readonly T[],
  most: number,
  find: (some: readonly T[]) => Promise<readonly number[]>,
): Promise<FoundIds> {
  const taken: T[] = [];
  let pages = 0;
  for (const one of parts.toSorted((a, b) => a.pages - b.pages)) {
    if (pages >= most) break;
    taken.push(one);
    pages += one.pages;
  }
  const first = await find(taken);
  const ids = first.length < most && taken.length < parts.length ? await find(parts) : first;
  return { ids, isWhole: ids.length < most };
}

const MAX_WORD_COUNT = 255;

/** The words of a page as PostgreSQL stores them. */
export type PageWords = {
  /** Sorted hashes of the distinct words and of the tenant, for binary search. */
  readonly codes: Int32Array;
  /** The number of occurrences for each code, one byte each. */
  readonly counts: Uint8Array;
  /** Number of words in the body. */
  readonly length: number;
};

/**
 * Hashes and counts the words of a page. A `tsvector`, which also stores the text and positions of each word, would take three
 * times the space in the row and in its index.
 */
export function toPageWords(tenant: string, title: readonly string[], body: readonly string[]): PageWords {
  const counts = new Map<number, number>();
  const add = (word: string, count: number): void => {
    const code = hashWord(word);
    counts.set(code, (counts.get(code) ?? 0) + count);
  };
  for (const word of title) add(word, TITLE_WEIGHT);
  for (const word of body) add(word, 1);
  counts.set(hashTenant(tenant), 1);
  const codes = Int32Array.from(counts.keys()).toSorted();
  return {
    codes,
    counts: Uint8Array.from(codes, (code) => Math.min(MAX_WORD_COUNT, counts.get(code) ?? 0)),
    length: body.length,
  };
}

/** 32-bit FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/), signed as in PostgreSQL. */
function hashWord(word: string): number {
  let code = 0x81_1c_9d_c5;
  for (let at = 0; at < word.length; at += 1) code = Math.imul(code ^ word.charCodeAt(at), 0x01_00_01_93);
  return code;
}

/** The tenant id is indexed as a word of its pages, so that a query skips the pages of others. No real word begins with a space. */
function hashTenant(tenant: string): number {
  return hashWord(` ${tenant}`);
}
