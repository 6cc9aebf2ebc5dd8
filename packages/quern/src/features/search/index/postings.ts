import { ByteReader, ByteWriter } from './bytes.ts';
import type { PageWords } from './page-words.ts';

/** A word of the title counts as much as this many words of the body. */
export const TITLE_WEIGHT = 5;

/**
 * A segment is an immutable index of some pages of a tenant. Its pages are numbered from 0. It consists of blocks: one that lists
 * the pages, and others with words in the order of their codes. A word has in `data` its code (from the one before), the number of
 * its pages and the sizes of its lists; then for each page its number (from the one before), twice the count of the word in the
 * body, plus one if the title has it too, and in that case the count in the title. In `places` it has for each page the places of
 * the word (from the one before). Lists of places are only read for phrases. A word of many pages has before these a list of
 * jumps, one for each `JUMP_PAGES`: a page and where the next one is in both lists, each from the jump before.
 */
export type Block = {
  /** The code of the first word; `PAGE_LIST` for the block that lists the pages. */
  readonly firstCode: number;
  readonly data: Uint8Array;
  readonly places: Uint8Array;
};

/** A code of no word. */
export const PAGE_LIST = -1;

/** A block is complete at this size. A word is never split, so that a common word makes a larger block. */
const BLOCK_BYTES = 16 * 1024;

/** Pages of a word from one jump to the next. */
export const JUMP_PAGES = 64;

const NO_BYTES = new Uint8Array(0);

/** The pages of a segment, each at its number. */
export type PageList = {
  readonly ids: Float64Array;
  /** Number of words in title and body. */
  readonly lengths: Uint32Array;
  readonly titleLengths: Uint32Array;
};

/** Builds the block that lists the pages of a segment. */
export function encodePageList({ ids, lengths, titleLengths }: PageList): Block {
  const writer = new ByteWriter();
  writer.writeNumber(ids.length);
  for (const [at, id] of ids.entries()) {
    writer.writeNumber(id);
    writer.writeNumber(lengths[at] ?? 0);
    writer.writeNumber(titleLengths[at] ?? 0);
  }
  return { firstCode: PAGE_LIST, data: writer.toBytes(), places: NO_BYTES };
}

export function decodePageList(data: Uint8Array): PageList {
  const reader = new ByteReader(data);
  const count = reader.readNumber();
  const ids = new Float64Array(count);
  const lengths = new Uint32Array(count);
  const titleLengths = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) {
    ids[at] = reader.readNumber();
    lengths[at] = reader.readNumber();
    titleLengths[at] = reader.readNumber();
  }
  return { ids, lengths, titleLengths };
}

/** Where the lists of a word are within its block. */
export type WordEntry = {
  readonly data: Uint8Array;
  readonly places: Uint8Array;
  readonly code: number;
  /** Number of pages with the word. */
  readonly pages: number;
  /** The jumps end where the pages begin. */
  readonly jumpsAt: number;
  readonly dataAt: number;
  readonly placesAt: number;
  readonly placesEnd: number;
};

/** Reads the words of a block in order. */
export class BlockReader {
  /** Code of the current word. */
  code: number;
  readonly #block: Block;
  readonly #reader: ByteReader;
  #pages = 0;
  #jumpsAt = 0;
  #dataAt = 0;
  #dataEnd = 0;
  #placesAt = 0;
  #placesEnd = 0;

  constructor(block: Block) {
    this.code = block.firstCode;
    this.#block = block;
    this.#reader = new ByteReader(block.data);
  }

  /** Moves to the next word; returns false at the end. */
  next(): boolean {
    const reader = this.#reader;
    reader.at = this.#dataEnd;
    if (reader.isAtEnd) return false;
    this.code += reader.readNumber();
    this.#pages = reader.readNumber();
    const dataBytes = reader.readNumber();
    this.#placesAt = this.#placesEnd;
    this.#placesEnd += reader.readNumber();
    const jumpBytes = this.#pages > JUMP_PAGES ? reader.readNumber() : 0;
    this.#jumpsAt = reader.at;
    this.#dataAt = this.#jumpsAt + jumpBytes;
    this.#dataEnd = this.#dataAt + dataBytes;
    return true;
  }

  /** The lists of the current word. */
  readWord(): WordEntry {
    const { data, places } = this.#block;
    return {
      data,
      places,
      code: this.code,
      pages: this.#pages,
      jumpsAt: this.#jumpsAt,
      dataAt: this.#dataAt,
      placesAt: this.#placesAt,
      placesEnd: this.#placesEnd,
    };
  }
}

/** The lists of a word; null if the block does not have it. */
export function findWord(block: Block, code: number): WordEntry | null {
  const reader = new BlockReader(block);
  while (reader.next()) {
    if (reader.code === code) return reader.readWord();
    if (reader.code > code) return null;
  }
  return null;
}

/** Collects words in the order of their codes into blocks. */
export class BlockWriter {
  readonly #data = new ByteWriter();
  readonly #places = new ByteWriter();
  readonly #wordData = new ByteWriter();
  readonly #wordPlaces = new ByteWriter();
  readonly #wordJumps = new ByteWriter();
  #lastJump = { page: 0, data: 0, places: 0 };
  #firstCode = 0;
  #lastCode = 0;
  #wordPages = 0;
  #lastPage = 0;

  /** Adds a page to the current word; the caller writes its places to the returned writer. */
  addPage(page: number, inBody: number, inTitle: number): ByteWriter {
    if (this.#wordPages > 0 && this.#wordPages % JUMP_PAGES === 0) this.#addJump();
    this.#wordData.writeNumber(page - this.#lastPage);
    this.#wordData.writeNumber(2 * inBody + (inTitle > 0 ? 1 : 0));
    if (inTitle > 0) this.#wordData.writeNumber(inTitle);
    this.#lastPage = page;
    this.#wordPages += 1;
    return this.#wordPlaces;
  }

  /** Ends the current word, whose pages were added. Returns a block if that completes one. */
  endWord(code: number): Block | null {
    if (this.#wordPages > 0) {
      if (this.#data.length === 0) {
        this.#firstCode = code;
        this.#lastCode = code;
      }
      this.#data.writeNumber(code - this.#lastCode);
      this.#data.writeNumber(this.#wordPages);
      this.#data.writeNumber(this.#wordData.length);
      this.#data.writeNumber(this.#wordPlaces.length);
      if (this.#wordPages > JUMP_PAGES) {
        this.#data.writeNumber(this.#wordJumps.length);
        this.#data.writeAll(this.#wordJumps);
      }
      this.#data.writeAll(this.#wordData);
      this.#places.writeAll(this.#wordPlaces);
      this.#lastCode = code;
    }
    this.#wordData.clear();
    this.#wordPlaces.clear();
    this.#wordJumps.clear();
    this.#lastJump = { page: 0, data: 0, places: 0 };
    this.#wordPages = 0;
    this.#lastPage = 0;
    return this.#data.length >= BLOCK_BYTES ? this.flush() : null;
  }

  #addJump(): void {
    const jump = { page: this.#lastPage, data: this.#wordData.length, places: this.#wordPlaces.length };
    this.#wordJumps.writeNumber(jump.page - this.#lastJump.page);
    this.#wordJumps.writeNumber(jump.data - this.#lastJump.data);
    this.#wordJumps.writeNumber(jump.places - this.#lastJump.places);
    this.#lastJump = jump;
  }

  /** Returns what has been collected since the last block; null if that is nothing. */
  flush(): Block | null {
    if (this.#data.length === 0) return null;
    const block = { firstCode: this.#firstCode, data: this.#data.toBytes(), places: this.#places.toBytes() };
    this.#data.clear();
    this.#places.clear();
    return block;
  }
}

/**
 * Builds the blocks of a segment, the list of pages first. Pages without an id are left out.
 */
export function encodeSegment(words: PageWords, ids: readonly (number | null)[]): readonly Block[] {
  const pages = ids.flatMap((id, page) => (id === null ? [] : [{ id, page }]));
  const numbers = new Int32Array(ids.length).fill(-1);
  for (const [number, { page }] of pages.entries()) numbers[page] = number;
  const writer = new BlockWriter();
  const list = {
    ids: Float64Array.from(pages, ({ id }) => id),
    lengths: Uint32Array.from(pages, ({ page }) => words.lengths[page] ?? 0),
    titleLengths: Uint32Array.from(pages, ({ page }) => words.titleLengths[page] ?? 0),
  };
  const blocks: (Block | null)[] = [encodePageList(list)];
  for (const code of words.listCodes()) {
    writePlaces(writer, words.findPlaces(code), { numbers, titleLengths: words.titleLengths });
    blocks.push(writer.endWord(code));
  }
  return [...blocks, writer.flush()].filter((block) => block !== null);
}

/** Adds the pages of a word. */
function writePlaces(
  writer: BlockWriter,
  places: readonly number[],
  { numbers, titleLengths }: { readonly numbers: Int32Array; readonly titleLengths: readonly number[] },
): void {
  for (let at = 0; at < places.length;) {
    const page = -1 - (places[at] ?? 0);
    const titleLength = titleLengths[page] ?? 0;
    const from = at + 1;
    let inTitle = 0;
    for (at = from; at < places.length; at += 1) {
      const place = places[at] ?? 0;
      if (place < 0) break;
      if (place < titleLength) inTitle += 1;
    }
    const number = numbers[page] ?? -1;
    if (number < 0) continue;
    const bytes = writer.addPage(number, at - from - inTitle, inTitle);
    let last = 0;
    for (let next = from; next < at; next += 1) {
      const place = places[next] ?? 0;
      bytes.writeNumber(place - last);
      last = place;
    }
  }
}
