import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { parseWordQuery } from '#features/passages/words.ts';
import type { Queryable, StoreKind } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import { findInSegment, type PartMatches, type SegmentBlocks } from './match-parts.ts';
import { hashWord } from './page-words.ts';
import { type Block, decodePageList, PAGE_LIST, type PageList } from './postings.ts';
import { TopPages } from './top-pages.ts';

/** Pages ranked per query. */
const MAX_RANKED = 300;
/** With a language, this many times more pages are ranked before those in other languages are left out. */
const LANGUAGE_FACTOR = 10;
/** Ranked pages that are looked up per statement. */
const IDS_AT_ONCE = 400;

/** BM25 parameters as in SQLite FTS5 and Lucene: saturation of term frequency, and weight of length. */
const K1 = 1.2;
const B = 0.75;

/** An optional word with less, which is in more than half of the pages, hardly affects the order but takes time. */
const MIN_OPTIONAL_WEIGHT = Math.log(2);

/** A query of a tenant. */
export type RankRequest = {
  readonly tenant: string;
  readonly query: string;
  /** Primary subtag of BCP 47; pages that declare another language are excluded. Null for any language. */
  readonly language: string | null;
};

/** Ids of matching pages, best first; `isWhole` if there are no further matches. If there are, some pages may have been removed. */
export type FoundIds = { readonly ids: readonly number[]; readonly isWhole: boolean };

const IdRow = z.object({ id: z.number() });
const BlockRow = z.object({
  segment: z.number(),
  first_code: z.number(),
  data: z.instanceof(Uint8Array),
  places: z.instanceof(Uint8Array).nullable(),
  pages: z.number(),
  words: z.number(),
});

/**
 * Ranks the pages of a tenant that contain all required words of a query, followed by those that contain any of them, each by BM25
 * (Robertson and Zaragoza, 2009). A phrase counts as one word.
 */
export async function rankPages(db: Queryable, kind: StoreKind, request: RankRequest): Promise<FoundIds> {
  const { required, optional } = parseWordQuery(request.query);
  if (required.length === 0) return { ids: [], isWhole: true };
  const parts = [...required, ...optional].map((words) => words.map(hashWord));
  const segments = await readSegments(db, kind, { tenant: request.tenant, parts });
  const matches: (readonly PartMatches[])[] = [];
  for (const segment of segments) {
    matches.push(findInSegment(segment, parts));
    // A common word of a large segment takes milliseconds, and on PostgreSQL this thread answers requests too.
    await turn();
  }
  const weights = computeWeights(segments, matches);
  const meanLength = computeMeanLength(segments);
  const most = request.language === null ? MAX_RANKED : MAX_RANKED * LANGUAGE_FACTOR;
  const all = new TopPages(most);
  const some = new TopPages(most);
  for (const [at, segment] of segments.entries()) {
    scoreSegment(
      segment,
      { matches: matches[at] ?? [], weights, required: required.length, meanLength },
      { all, some },
    );
    await turn();
  }
  const ids = [...all.list(), ...some.list()].slice(0, most);
  return keepExisting(db, kind, request, { ids, isWhole: all.count + some.count <= most });
}

/** A segment with the blocks that may have words of the query. */
type ReadSegment = SegmentBlocks & { readonly list: PageList; readonly words: number };

type QueryCodes = { readonly tenant: string; readonly parts: readonly (readonly number[])[] };

/**
 * Reads the lists of pages of all segments of a tenant, and the blocks that may have words of a query. One statement reads all,
 * because segments may be merged meanwhile.
 */
async function readSegments(
  db: Queryable,
  kind: StoreKind,
  { tenant, parts }: QueryCodes,
): Promise<readonly ReadSegment[]> {
  const columns = { code: 'bigint', placed: 'bigint' } as const;
  const sql = `select block.segment, block.first_code, block.data, wanted.pages, wanted.words,
      case when wanted.placed = 1 then block.places end as places
    from (select segment, first_code, max(placed) as placed, max(pages) as pages, max(words) as words from (
        select own.id as segment, own.pages, own.words, asked.placed, (select max(known.first_code)
          from search_blocks as known where known.segment = own.id and known.first_code <= asked.code) as first_code
        from search_segments as own cross join ${buildRowsTable(kind, '$2', { name: 'asked', columns })}
        where own.tenant_id = $1) as found
      group by segment, first_code) as wanted
    cross join search_blocks as block
    where block.segment = wanted.segment and block.first_code = wanted.first_code`;
  const asked = new Map<number, number>([[PAGE_LIST, 0]]);
  for (const part of parts) {
    for (const code of part) asked.set(code, Math.max(asked.get(code) ?? 0, part.length > 1 ? 1 : 0));
  }
  const rows = readRows(BlockRow, await db.query(sql, [tenant, JSON.stringify([...asked])]));
  return [...Map.groupBy(rows, ({ segment }) => segment).values()].map((own) => {
    const blocks = own
      .map(({ first_code: firstCode, data, places }): Block => ({
        firstCode,
        data,
        places: places ?? new Uint8Array(),
      }))
      .toSorted((one, other) => one.firstCode - other.firstCode);
    const { data = new Uint8Array(1) } = blocks.find(({ firstCode }) => firstCode === PAGE_LIST) ?? {};
    const { words = 0 } = own[0] ?? {};
    return { list: decodePageList(data), words, blocks: blocks.filter(({ firstCode }) => firstCode !== PAGE_LIST) };
  });
}

function computeMeanLength(segments: readonly ReadSegment[]): number {
  const pages = segments.reduce((sum, { list }) => sum + list.ids.length, 0);
  const words = segments.reduce((sum, one) => sum + one.words, 0);
  return Math.max(1, words / Math.max(1, pages));
}

/** The BM25 weight of each part of a query: its inverse document frequency. */
function computeWeights(
  segments: readonly ReadSegment[],
  matches: readonly (readonly PartMatches[])[],
): readonly number[] {
  const total = segments.reduce((sum, { list }) => sum + list.ids.length, 0);
  return (matches[0] ?? []).map((_none, part) => {
    const pages = matches.reduce((sum, own) => sum + (own[part]?.count ?? 0), 0);
    return Math.log(1 + (total - pages + 0.5) / (pages + 0.5));
  });
}

type QueryMatches = {
  readonly matches: readonly PartMatches[];
  readonly weights: readonly number[];
  /** Number of leading parts that are required. */
  readonly required: number;
  /** Mean number of words per page. */
  readonly meanLength: number;
};

/** Scores the pages of a segment with any required part, and sorts them into those with all and those with some. */
function scoreSegment(
  { list: { ids, lengths } }: ReadSegment,
  { matches, weights, required, meanLength }: QueryMatches,
  { all, some }: { readonly all: TopPages; readonly some: TopPages },
): void {
  if (matches.slice(0, required).every(({ count }) => count === 0)) return;
  const scores = new Float64Array(ids.length);
  const found = new Uint8Array(ids.length);
  const shortest = K1 * (1 - B);
  const perWord = (K1 * B) / meanLength;
  for (const [part, { visit }] of matches.entries()) {
    const weight = weights[part] ?? 0;
    const isRequired = part < required ? 1 : 0;
    if (weight < MIN_OPTIONAL_WEIGHT && isRequired === 0) continue;
    visit((page, count) => {
      const norm = shortest + perWord * (lengths[page] ?? 0);
      scores[page] = (scores[page] ?? 0) + (weight * count) / (count + norm);
      found[page] = (found[page] ?? 0) + isRequired;
    });
  }
  for (let page = 0; page < ids.length; page += 1) {
    if (found[page] === required) all.add(ids[page] ?? 0, scores[page] ?? 0);
    else if (found[page] !== 0) some.add(ids[page] ?? 0, scores[page] ?? 0);
  }
}

/**
 * Leaves out pages that have been removed or are in another language. If there are more pages than were ranked and no language is
 * given, nothing is looked up: the caller skips removed pages, and only the number of all would need it.
 */
async function keepExisting(
  db: Queryable,
  kind: StoreKind,
  { tenant, language }: RankRequest,
  ranked: FoundIds,
): Promise<FoundIds> {
  if (language === null && !ranked.isWhole) return ranked;
  const rows = buildRowsTable(kind, '$2', { name: 'ranked', columns: { at: 'bigint' } });
  const inLanguage = "and (language is null or replace(lower(language), '_', '-') || '-' like $3 || '-%')";
  const sql = `select id from search_pages where tenant_id = $1 and id in (select at from ${rows})
    ${language === null ? '' : inLanguage}`;
  const ids: number[] = [];
  let at = 0;
  for (; at < ranked.ids.length && ids.length < MAX_RANKED; at += IDS_AT_ONCE) {
    const part = ranked.ids.slice(at, at + IDS_AT_ONCE);
    const values = [tenant, JSON.stringify(part.map((id) => [id])), ...(language === null ? [] : [language])];
    const existing = new Set(readRows(IdRow, await db.query(sql, values)).map(({ id }) => id));
    ids.push(...part.filter((id) => existing.has(id)));
  }
  const isWhole = ranked.isWhole && at >= ranked.ids.length && ids.length <= MAX_RANKED;
  return { ids: ids.slice(0, MAX_RANKED), isWhole };
}
