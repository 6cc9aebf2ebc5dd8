import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { readRow, readRows } from '#store/rows.ts';
import { type WordQuery, wordsIn } from '#features/search/words.ts';
import type { FoundIds, RankParts, ReadStep } from './index-store.ts';
import { findByRarest } from './rarest.ts';
import { codeOf, codeOfTenant } from './word-codes.ts';

/** Counted to a bound, which costs a few milliseconds; a word that is in more pages than that tells nothing. */
const MAX_COUNTED = 10_000;
/** Pages of which the lengths are read for their mean. */
const MEASURED = 1000;
const COUNT = `select
  (select count(*) from (select 1 from search_pages where tenant_id = $1 limit ${MAX_COUNTED}) as counted) as pages,
  (select cast(coalesce(avg(length), 1) as bigint)
    from (select length from search_pages where tenant_id = $1 limit ${MEASURED}) as measured) as words`;
const FREQUENCIES = `select code, (select count(*) from (select 1 from search_pages
    where tenant_id = $1 and words @> array[cast($2 as int), asked.code] limit ${MAX_COUNTED}) as counted) as pages
  from unnest(cast($3 as int[])) as asked (code)`;

/** How soon the count of a word tells no more, and how much the length of a page counts, as FTS5 has it. */
const K1 = 1.2;
const B = 0.75;

/** Pages that have all of the words. */
const OF_ALL = 'words @> array[cast($2 as int)] and words @> cast($3 as int[])';
/** Pages that have any: the planner would read every page, so that each word is looked up alone. */
const OF_ANY = `id = any(array(select found.id from unnest(cast($3 as int[])) as wanted (code),
    lateral (select id from search_pages where words @> array[cast($2 as int), wanted.code] offset 0) as found))`;

/**
 * The order of BM25 (Robertson and Zaragoza, 2009). A word is found among those of a page by halving. Both columns are read
 * once for each page, which the empty ones that are added bring about: long ones lie in pieces beside their row.
 */
const ranking = (matching: string): string => `select id from (
    select id, words || cast('{}' as int[]) as words, counts || cast('' as bytea) as counts,
      ${K1} * (${1 - B} + ${B} * length / greatest(1, cast($6 as float8))) as k
    from search_pages where tenant_id = $1 and ${matching} offset 0) as matched
  order by (select sum(weight * (1 - k / (k + case when words[place] = code then get_byte(counts, place - 1) else 0 end)))
    from (select code, weight, width_bucket(code, words) as place
      from unnest(cast($4 as int[]), cast($5 as float8[])) as asked (code, weight)) as placed) desc, id limit $7`;
const RANKINGS = { and: ranking(OF_ALL), or: ranking(OF_ANY) };

const TEXTS = 'select id, title, body from search_pages where tenant_id = $1 and id = any(cast($2 as bigint[]))';

/** Pages whose text is looked through for a phrase at most, and at once. */
const MAX_CHECKED = 1000;
const CHECKED_AT_ONCE = 50;

const Counted = z.object({ pages: z.number(), words: z.number() });
const Frequency = z.object({ code: z.number(), pages: z.number() });
const Id = z.object({ id: z.number() });
const Text = z.object({ id: z.number(), title: z.string(), body: z.string() });

/** A word of a query, in how many pages it is, and what it weighs. */
type Weighed = { readonly code: number; readonly pages: number; readonly weight: number };

export type PostgresOrder = {
  readonly tenant: string;
  readonly words: WordQuery;
  /** Where phrases are asked for, pages are looked through until so many hold them. */
  readonly enough: number;
};

/** Ranks pages of PostgreSQL, which has no order that knows how rare a word is. */
export async function rankInPostgres({ tenant, words, enough }: PostgresOrder, read: ReadStep): Promise<RankParts> {
  const { asked, beside } = words;
  const wanted = new Set(asked.flat().map(codeOf));
  const codes = [...new Set([...wanted, ...beside.flat().map(codeOf)])];
  const own = codeOfTenant(tenant);
  const [sums, frequencies] = await Promise.all([
    read({ sql: COUNT, values: [tenant] }),
    read({ sql: FREQUENCIES, values: [tenant, own, toArray(codes)] }),
  ]);
  const counted = readRow(Counted, sums) ?? { pages: 0, words: 1 };
  const weighed = readRows(Frequency, frequencies).map(({ code, pages: n }): Weighed => {
    return { code, pages: n, weight: Math.log(1 + (Math.max(counted.pages, n) - n + 0.5) / (n + 0.5)) };
  });
  const hasPhrase = asked.some(({ length }) => length > 1);
  const ofAsked = weighed.filter(({ code }) => wanted.has(code));
  return async (join, most) => {
    const looked = hasPhrase ? MAX_CHECKED : most;
    const weights = [toArray(weighed.map(({ code }) => code)), toArray(weighed.map(({ weight }) => weight))];
    const find = async (matching: readonly number[]): Promise<readonly number[]> => {
      const values = [tenant, own, toArray(matching), ...weights, counted.words, looked];
      return readRows(Id, await read({ sql: RANKINGS[join], values })).map(({ id }) => id);
    };
    const findAll = async (): Promise<FoundIds> => {
      const ids = await find([...wanted]);
      return { ids, isWhole: ids.length < looked };
    };
    const found =
      join === 'and'
        ? await findAll()
        : await findByRarest(ofAsked, looked, async (some) => find(some.map(({ code }) => code)));
    return hasPhrase ? holding(found, { tenant, asked, join, most: Math.min(enough, most) }, read) : found;
  };
}

type Phrases = {
  readonly tenant: string;
  readonly asked: WordQuery['asked'];
  readonly join: 'and' | 'or';
  readonly most: number;
};

/** Those of the pages that hold all, or any, of the parts as they stand: the index knows no places of words. */
async function holding({ ids, isWhole }: FoundIds, { tenant, asked, join, most }: Phrases, read: ReadStep) {
  const parts = asked.map((part) => ` ${part.join(' ')} `);
  const held: number[] = [];
  for (let at = 0; at < ids.length; at += CHECKED_AT_ONCE) {
    if (held.length >= most) return { ids: held.slice(0, most), isWhole: false };
    const some = ids.slice(at, at + CHECKED_AT_ONCE);
    const texts = readRows(Text, await read({ sql: TEXTS, values: [tenant, toArray(some)] }));
    const byId = new Map(texts.map((text) => [text.id, text]));
    for (const id of some) {
      const { title = '', body = '' } = byId.get(id) ?? {};
      // No phrase reaches from the title into the body.
      const words = ` ${wordsIn(title).join(' ')}  ${wordsIn(body).join(' ')} `;
      const isHeld = (part: string): boolean => words.includes(part);
      if (join === 'and' ? parts.every(isHeld) : parts.some(isHeld)) held.push(id);
      // The words of a long page take milliseconds.
      await turn();
    }
  }
  return { ids: held.slice(0, most), isWhole: isWhole && held.length <= most };
}

function toArray(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}
