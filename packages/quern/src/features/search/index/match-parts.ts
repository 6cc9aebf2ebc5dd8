import { ByteReader } from './bytes.ts';
import { type Block, findWord, JUMP_PAGES, type PageList, TITLE_WEIGHT, type WordEntry } from './postings.ts';

/** A segment with the blocks that may have words of a query. */
export type SegmentBlocks = { readonly list: PageList; readonly blocks: readonly Block[] };

/**
 * Takes a page of a segment that has a part of a query, and how often; in the title it counts `TITLE_WEIGHT` times. Pages come in
 * ascending order.
 */
type VisitPage = (page: number, count: number) => void;

/** The pages of a segment with a part of a query. */
export type PartMatches = { readonly count: number; readonly visit: (visit: VisitPage) => void };

const NO_MATCHES: PartMatches = { count: 0, visit: () => undefined };

/** Finds the parts of a query in a segment: words by their code, and phrases by those of their words. */
export function findInSegment(
  { list, blocks }: SegmentBlocks,
  parts: readonly (readonly number[])[],
): readonly PartMatches[] {
  return parts.map((codes) => {
    const words: WordEntry[] = [];
    for (const code of codes) {
      const word = findInBlocks(blocks, code);
      if (word === null) return NO_MATCHES;
      words.push(word);
    }
    const [word] = words;
    if (word === undefined) return NO_MATCHES;
    if (words.length > 1) return findPhrase(words, list);
    return { count: word.pages, visit: (visit) => visitWord(word, visit) };
  });
}

function findInBlocks(blocks: readonly Block[], code: number): WordEntry | null {
  const block = blocks.findLast(({ firstCode }) => firstCode <= code);
  return block === undefined ? null : findWord(block, code);
}

function visitWord({ data, dataAt, pages }: WordEntry, visit: VisitPage): void {
  const reader = new ByteReader(data, dataAt);
  let page = 0;
  for (let left = pages; left > 0; left -= 1) {
    page += reader.readNumber();
    const counts = reader.readNumber();
    visit(page, (counts >>> 1) + ((counts & 1) === 1 ? TITLE_WEIGHT * reader.readNumber() : 0));
  }
}

/** The pages that have words next to each other in this order. */
function findPhrase(words: readonly WordEntry[], { titleLengths }: PageList): PartMatches {
  const readers = words.map((word) => new WordReader(word));
  const rarestFirst = [...words.keys()]
    .toSorted((one, other) => (words[one]?.pages ?? 0) - (words[other]?.pages ?? 0))
    .flatMap((at) => readers[at] ?? []);
  const pages: number[] = [];
  const counts: number[] = [];
  for (let page = 0; ;) {
    const next = findCommonPage(rarestFirst, page);
    if (next === null) break;
    page = next + 1;
    let starts: readonly number[] = [];
    for (const [at, reader] of readers.entries()) {
      const places = reader.readPlaces();
      starts = at === 0 ? places : keepFollowed(starts, places, at);
      if (starts.length === 0) break;
    }
    if (starts.length === 0) continue;
    const titleLength = titleLengths[next] ?? 0;
    pages.push(next);
    counts.push(starts.reduce((sum, start) => sum + (start < titleLength ? TITLE_WEIGHT : 1), 0));
  }
  return {
    count: pages.length,
    visit(visit) {
      for (const [at, page] of pages.entries()) visit(page, counts[at] ?? 0);
    },
  };
}

/** Moves all readers to the first page from `page` on that all of them have; null if there is none. The rarest word is first. */
function findCommonPage(readers: readonly WordReader[], page: number): number | null {
  let wanted = page;
  for (let at = 0; at < readers.length;) {
    const found = readers[at]?.moveTo(wanted) ?? null;
    if (found === null) return null;
    at = found === wanted || at === 0 ? at + 1 : 0;
    wanted = found;
  }
  return wanted;
}

/** Keeps the starts with a place that many words later. Both lists are ascending. */
function keepFollowed(starts: readonly number[], places: readonly number[], distance: number): readonly number[] {
  let at = 0;
  return starts.filter((start) => {
    while (at < places.length && (places[at] ?? 0) < start + distance) at += 1;
    return places[at] === start + distance;
  });
}

/** Reads the pages of a word in ascending order, and the places in some of them. */
class WordReader {
  readonly #word: WordEntry;
  readonly #jumps: ByteReader;
  readonly #data: ByteReader;
  readonly #places: ByteReader;
  /** The jump that is next, where its page is the last one before it. */
  #jump: { page: number; data: number; places: number; index: number } | null = null;
  /** Number of pages up to the current one. */
  #count = 0;
  #page = -1;
  #lastPage = 0;
  /** Places of the current page that have not been read. */
  #unread = 0;

  constructor(word: WordEntry) {
    this.#word = word;
    this.#jumps = new ByteReader(word.data, word.jumpsAt);
    this.#data = new ByteReader(word.data, word.dataAt);
    this.#places = new ByteReader(word.places, word.placesAt);
    this.#readJump();
  }

  /** Moves to the first page from `page` on; null if there is none. */
  moveTo(page: number): number | null {
    if (this.#page >= page) return this.#page;
    this.#jumpBefore(page);
    while (this.#page < page) {
      if (this.#count === this.#word.pages) return null;
      this.#places.skipNumbers(this.#unread);
      this.#lastPage += this.#data.readNumber();
      const counts = this.#data.readNumber();
      this.#page = this.#lastPage;
      this.#unread = (counts >>> 1) + ((counts & 1) === 1 ? this.#data.readNumber() : 0);
      this.#count += 1;
    }
    return this.#page;
  }

  /** The ascending places in the current page; they can be read once. */
  readPlaces(): readonly number[] {
    const places: number[] = [];
    let place = 0;
    for (; this.#unread > 0; this.#unread -= 1) {
      place += this.#places.readNumber();
      places.push(place);
    }
    return places;
  }

  /** Takes the last jump to a page before the given one. */
  #jumpBefore(page: number): void {
    let taken = null;
    while (this.#jump !== null && this.#jump.page < page) {
      taken = this.#jump;
      this.#readJump();
    }
    if (taken === null || taken.index * JUMP_PAGES <= this.#count) return;
    this.#data.at = this.#word.dataAt + taken.data;
    this.#places.at = this.#word.placesAt + taken.places;
    this.#count = taken.index * JUMP_PAGES;
    this.#lastPage = taken.page;
    this.#page = taken.page;
    this.#unread = 0;
  }

  #readJump(): void {
    if (this.#jumps.at >= this.#word.dataAt) {
      this.#jump = null;
      return;
    }
    const { page, data, places, index } = this.#jump ?? { page: 0, data: 0, places: 0, index: 0 };
    this.#jump = {
      page: page + this.#jumps.readNumber(),
      data: data + this.#jumps.readNumber(),
      places: places + this.#jumps.readNumber(),
      index: index + 1,
    };
  }
}
