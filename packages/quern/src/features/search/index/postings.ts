import { ByteReader, ByteWriter } from './bytes.ts';
import type { PageWords } from './page-words.ts';

/** A word of the title counts as much as this many words of the body. */
export const TITLE_WEIGHT = 5;

/**
 * A segment is an immutable index of some pages of a tenant. Its pages are numbered from 0. It consists of blocks: one that lists
 * the pages, and others with words in the order of their codes. A word has in `data` its code (from the one before), the number of
 * its pages and the sizes of both lists; then for each page its number (from the one before), twice the count of the word in the
 * body, plus one if the title has it too, and in that case the count in the title. In `places` it has for each page the places of
 * the word (from the one before). Lists of places are only read for phrases.
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
  readonly dataAt: number;
  readonly dataEnd: number;
  readonly placesAt: number;
  readonly placesEnd: number;
};

/** Iterates over the words of a block. */
export function* readBlock({ firstCode, data, places }: Block): Generator<WordEntry, void> {
  const reader = new ByteReader(data);
  let code = firstCode;
  let placesEnd = 0;
  while (!reader.isAtEnd) {
    code += reader.readNumber();
    const pages = reader.readNumber();
    const dataBytes = reader.readNumber();
    const placesAt = placesEnd;
    placesEnd += reader.readNumber();
    const dataAt = reader.at;
    reader.at += dataBytes;
    yield { data, places, code, pages, dataAt, dataEnd: reader.at, placesAt, placesEnd };
  }
}

/** The lists of a word; null if the block does not have it. */
export function findWord(block: Block, code: number): WordEntry | null {
  for (const entry of readBlock(block)) {
    if (entry.code === code) return entry;
    if (entry.code > code) return null;
  }
  return null;
}

/** The pages with a word, and how often each has it. */
export type Occurrences = {
  /** Ascending numbers of pages in the segment. */
  readonly pages: Uint32Array;
  /** Count in the body, and in the title. */
  readonly inBody: Uint32Array;
  readonly inTitle: Uint32Array;
};

export function decodeOccurrences({ data, dataAt, pages: count }: WordEntry): Occurrences {
  const pages = new Uint32Array(count);
  const inBody = new Uint32Array(count);
  const inTitle = new Uint32Array(count);
  const reader = new ByteReader(data, dataAt);
  let page = 0;
  for (let at = 0; at < count; at += 1) {
    page += reader.readNumber();
    const counts = reader.readNumber();
    pages[at] = page;
    inBody[at] = counts >>> 1;
    if ((counts & 1) === 1) inTitle[at] = reader.readNumber();
  }
  return { pages, inBody, inTitle };
}

/** Collects words in the order of their codes into blocks. */
export class BlockWriter {
  readonly #data = new ByteWriter();
  readonly #places = new ByteWriter();
  readonly #wordData = new ByteWriter();
  readonly #wordPlaces = new ByteWriter();
  #firstCode = 0;
  #lastCode = 0;
  #wordPages = 0;
  #lastPage = 0;

  /** Adds a page to the current word; the caller writes its places to the returned writer. */
  addPage(page: number, inBody: number, inTitle: number): ByteWriter {
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
      this.#data.writeAll(this.#wordData);
      this.#places.writeAll(this.#wordPlaces);
      this.#lastCode = code;
    }
    this.#wordData.clear();
    this.#wordPlaces.clear();
    this.#wordPages = 0;
    this.#lastPage = 0;
    return this.#data.length >= BLOCK_BYTES ? this.flush() : null;
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
