import { z } from 'zod';
import type { Queryable, StoreKind } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import { ByteReader } from './bytes.ts';
import type { PageWords } from './page-words.ts';
import {
  type Block,
  BlockReader,
  BlockWriter,
  decodePageList,
  encodePageList,
  encodeSegment,
  PAGE_LIST,
  type PageList,
  type WordEntry,
} from './postings.ts';

/** This many segments of similar size are merged into one, so that a query reads few segments and a page is rewritten seldom. */
const MERGE_COUNT = 8;
/** Larger segments are not made: a merge must end within seconds. */
const MAX_SEGMENT_PAGES = 32_768;
/** The same for pages with many words, and so that the list of a word stays small enough for one value of the database. */
const MAX_SEGMENT_BYTES = 256 * 1024 * 1024;
/** A segment with fewer pages left than this share is rewritten. */
const MIN_LIVE_SHARE = 0.9;
const IDS_AT_ONCE = 5000;
const BLOCKS_AT_ONCE = 8;

const INSERT_SEGMENT =
  'insert into search_segments (tenant_id, pages, words, bytes) values ($1, $2, $3, 0) returning id';
const INSERT_BLOCK = 'insert into search_blocks (segment, first_code, data, places) values ($1, $2, $3, $4)';
const UPDATE_BYTES = 'update search_segments set bytes = $2 where id = $1';
const DELETE_BLOCKS = 'delete from search_blocks where segment = $1';
const DELETE_SEGMENT = 'delete from search_segments where id = $1';
const SELECT_SEGMENTS = `select id, tenant_id, pages, bytes from search_segments where id > $1
  and (cast($2 as text) is null or tenant_id = $2) order by id limit 100`;
const SELECT_BLOCKS = `select first_code, data, places from search_blocks where segment = $1 and first_code > $2
  order by first_code limit ${BLOCKS_AT_ONCE}`;
/** Locks the segments, so that of two processes one rewrites them. On SQLite the transaction has the whole file. */
const LOCK: Readonly<Record<StoreKind, string>> = { sqlite: '', postgres: 'for update skip locked' };

const IdRow = z.object({ id: z.number() });
const SegmentRow = z.object({ id: z.number(), tenant_id: z.string(), pages: z.number(), bytes: z.number() });
const BlockRow = z.object({ first_code: z.number(), data: z.instanceof(Uint8Array), places: z.instanceof(Uint8Array) });

/** A segment with the number of its pages, removed ones included. */
export type Segment = z.output<typeof SegmentRow>;

/** Segments with higher ids than one, of a tenant or of all. */
export type SegmentRange = { readonly tenant: string | null; readonly afterId: number };

/** Adds a segment of new pages with the ids of their rows. Pages without an id are left out. */
export async function addSegment(
  tx: Queryable,
  tenant: string,
  { words, ids }: { readonly words: PageWords; readonly ids: readonly (number | null)[] },
): Promise<void> {
  const [list, ...blocks] = encodeSegment(words, ids);
  if (list === undefined) return;
  const target = await SegmentTarget.create(tx, tenant, decodePageList(list.data));
  for (const block of [list, ...blocks]) await target.add(block);
  await target.end();
}

/**
 * Merges segments of a tenant where there are too many of similar size. Returns the number of their pages; 0 if there is nothing to
 * merge.
 */
export async function mergeSegments(tx: Queryable, kind: StoreKind, tenant: string): Promise<number> {
  const sql = `select id, tenant_id, pages, bytes from search_segments where tenant_id = $1 order by id ${LOCK[kind]}`;
  const chosen = chooseSegments(readRows(SegmentRow, await tx.query(sql, [tenant])));
  if (chosen.length === 0) return 0;
  const sources = [];
  for (const { id } of chosen) sources.push(await readSource(tx, kind, { tenant, id }));
  await rewriteSegments(tx, tenant, sources);
  return chosen.reduce((sum, { pages }) => sum + pages, 0);
}

/** Chooses the smallest segments of which there are too many; none if there are few of each size. */
export function chooseSegments(segments: readonly Segment[]): readonly Segment[] {
  const computeLevel = ({ pages }: Segment): number => Math.floor(Math.log(pages) / Math.log(MERGE_COUNT) + 1e-9);
  const levels = [...Map.groupBy(segments, computeLevel)].toSorted(([one], [other]) => one - other);
  for (const [, same] of levels) {
    let pages = 0;
    let bytes = 0;
    const some = same
      .toSorted((one, other) => one.pages - other.pages)
      .filter((one) => (pages += one.pages) <= MAX_SEGMENT_PAGES && (bytes += one.bytes) <= MAX_SEGMENT_BYTES);
    if (some.length >= MERGE_COUNT) return some.toSorted((one, other) => one.id - other.id);
  }
  return [];
}

/** Lists segments for `compactSegment`, with a limited number of pages. */
export async function listSegments(db: Queryable, { tenant, afterId }: SegmentRange): Promise<readonly Segment[]> {
  const rows = await db.query(SELECT_SEGMENTS, [afterId, tenant]);
  let pages = 0;
  return readRows(SegmentRow, rows).filter((one, at) => (pages += one.pages) <= MAX_SEGMENT_PAGES || at === 0);
}

/** Rewrites a segment without its removed pages if there are many of them. Returns whether it did. */
export async function compactSegment(
  tx: Queryable,
  kind: StoreKind,
  { id, tenant_id: tenant }: Segment,
): Promise<boolean> {
  const locked = await tx.query(`select id from search_segments where id = $1 ${LOCK[kind]}`, [id]);
  if (locked.length === 0) return false;
  const source = await readSource(tx, kind, { tenant, id });
  if (source.live.size >= MIN_LIVE_SHARE * source.list.ids.length) return false;
  await rewriteSegments(tx, tenant, [source]);
  return true;
}

/** A segment to rewrite, and the ids of its pages that still exist. */
type SegmentSource = { readonly id: number; readonly list: PageList; readonly live: ReadonlySet<number> };

async function readSource(
  tx: Queryable,
  kind: StoreKind,
  { tenant, id }: { readonly tenant: string; readonly id: number },
): Promise<SegmentSource> {
  const row = readRow(BlockRow, await tx.query(SELECT_BLOCKS, [id, PAGE_LIST - 1]));
  const list = decodePageList(row?.data ?? new Uint8Array(1));
  const rows = buildRowsTable(kind, '$2', { name: 'listed', columns: { at: 'bigint' } });
  const sql = `select id from search_pages where tenant_id = $1 and id in (select at from ${rows})`;
  const live = new Set<number>();
  for (let at = 0; at < list.ids.length; at += IDS_AT_ONCE) {
    const some = JSON.stringify(Array.from(list.ids.subarray(at, at + IDS_AT_ONCE), (one) => [one]));
    for (const found of readRows(IdRow, await tx.query(sql, [tenant, some]))) live.add(found.id);
  }
  return { id, list, live };
}

/** Writes one segment with the existing pages of all sources, and deletes these. */
async function rewriteSegments(tx: Queryable, tenant: string, sources: readonly SegmentSource[]): Promise<void> {
  const ids: number[] = [];
  const lengths: number[] = [];
  const titleLengths: number[] = [];
  /** For each page of each source its number in the new segment; -1 if it is gone. */
  const numbers = sources.map(({ list, live }) =>
    Int32Array.from(list.ids, (id, at) => {
      if (!live.has(id)) return -1;
      lengths.push(list.lengths[at] ?? 0);
      titleLengths.push(list.titleLengths[at] ?? 0);
      return ids.push(id) - 1;
    }),
  );
  if (ids.length > 0) {
    const list = {
      ids: Float64Array.from(ids),
      lengths: Uint32Array.from(lengths),
      titleLengths: Uint32Array.from(titleLengths),
    };
    const target = await SegmentTarget.create(tx, tenant, list);
    await target.add(encodePageList(list));
    await mergeWords(
      sources.map(({ id }, at) => new SegmentCursor(tx, id, numbers[at] ?? new Int32Array())),
      async (block) => target.add(block),
    );
    await target.end();
  }
  for (const { id } of sources) {
    await tx.query(DELETE_BLOCKS, [id]);
    await tx.query(DELETE_SEGMENT, [id]);
  }
}

/** Merges the words of segments in the order of their codes. */
async function mergeWords(cursors: readonly SegmentCursor[], write: (block: Block) => Promise<void>): Promise<void> {
  const writer = new BlockWriter();
  for (const cursor of cursors) await cursor.next();
  for (;;) {
    let code = Number.POSITIVE_INFINITY;
    for (const { word } of cursors) if (word !== null && word.code < code) ({ code } = word);
    if (code === Number.POSITIVE_INFINITY) break;
    for (const cursor of cursors) {
      if (cursor.word?.code !== code) continue;
      copyWord(cursor.word, cursor.numbers, writer);
      if (!cursor.nextInBlock()) await cursor.next();
    }
    const block = writer.endWord(code);
    if (block !== null) await write(block);
  }
  const rest = writer.flush();
  if (rest !== null) await write(rest);
}

/** Adds the pages of a word that still exist, with their new numbers. */
function copyWord(word: WordEntry, numbers: Int32Array, writer: BlockWriter): void {
  const data = new ByteReader(word.data, word.dataAt);
  const places = new ByteReader(word.places, word.placesAt);
  let page = 0;
  for (let left = word.pages; left > 0; left -= 1) {
    page += data.readNumber();
    const counts = data.readNumber();
    const inTitle = (counts & 1) === 1 ? data.readNumber() : 0;
    const placesFrom = places.at;
    places.skipNumbers((counts >>> 1) + inTitle);
    const number = numbers[page] ?? -1;
    if (number >= 0) writer.addPage(number, counts >>> 1, inTitle).writeBytes(word.places, placesFrom, places.at);
  }
}

/** Reads the words of a segment in order. */
class SegmentCursor {
  /** The current word; null at the end. */
  word: WordEntry | null = null;
  /** For each page its number in the new segment; -1 if it is gone. */
  readonly numbers: Int32Array;
  readonly #tx: Queryable;
  readonly #segment: number;
  #blocks: readonly Block[] = [];
  #nextBlock = 0;
  #lastCode = PAGE_LIST;
  #words: BlockReader | null = null;

  constructor(tx: Queryable, segment: number, numbers: Int32Array) {
    this.#tx = tx;
    this.#segment = segment;
    this.numbers = numbers;
  }

  /** Moves to the next word of the current block; returns false if there is none. */
  nextInBlock(): boolean {
    this.word = this.#words?.next() === true ? this.#words.readWord() : null;
    return this.word !== null;
  }

  /** Moves to the next word, of the next block if necessary. */
  async next(): Promise<void> {
    while (!this.nextInBlock()) {
      if (this.#nextBlock === this.#blocks.length) {
        const rows = readRows(BlockRow, await this.#tx.query(SELECT_BLOCKS, [this.#segment, this.#lastCode]));
        this.#blocks = rows.map(({ first_code: firstCode, ...rest }) => ({ ...rest, firstCode }));
        this.#nextBlock = 0;
      }
      const block = this.#blocks[this.#nextBlock];
      if (block === undefined) return;
      this.#nextBlock += 1;
      this.#lastCode = block.firstCode;
      this.#words = new BlockReader(block);
    }
  }
}

/** A segment that is being written. */
class SegmentTarget {
  readonly #tx: Queryable;
  readonly #id: number;
  #bytes = 0;

  private constructor(tx: Queryable, id: number) {
    this.#tx = tx;
    this.#id = id;
  }

  static async create(tx: Queryable, tenant: string, { ids, lengths }: PageList): Promise<SegmentTarget> {
    const words = lengths.reduce((sum, one) => sum + one, 0);
    const row = readRow(IdRow, await tx.query(INSERT_SEGMENT, [tenant, ids.length, words]));
    return new SegmentTarget(tx, row?.id ?? 0);
  }

  async add({ firstCode, data, places }: Block): Promise<void> {
    this.#bytes += data.length + places.length;
    await this.#tx.query(INSERT_BLOCK, [this.#id, firstCode, data, places]);
  }

  async end(): Promise<void> {
    await this.#tx.query(UPDATE_BYTES, [this.#id, this.#bytes]);
  }
}
