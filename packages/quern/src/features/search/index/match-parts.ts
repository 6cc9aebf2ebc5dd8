import { ByteReader } from './bytes.ts';
import {
  type Block,
  decodeOccurrences,
  findWord,
  type Occurrences,
  type PageList,
  TITLE_WEIGHT,
  type WordEntry,
} from './postings.ts';

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
  const occurrences = words.map(decodeOccurrences);
  const common = intersectPages(occurrences.map(({ pages }) => pages));
  const readers = words.map((word, at) => new PlaceReader(word, occurrences[at]));
  const pages: number[] = [];
  const counts: number[] = [];
  for (const page of common) {
    let starts: readonly number[] = [];
    for (const [at, reader] of readers.entries()) {
      const places = reader.readPlaces(page);
      starts = at === 0 ? places : keepFollowed(starts, places, at);
      if (starts.length === 0) break;
    }
    if (starts.length === 0) continue;
    const titleLength = titleLengths[page] ?? 0;
    pages.push(page);
    counts.push(starts.reduce((sum, start) => sum + (start < titleLength ? TITLE_WEIGHT : 1), 0));
  }
  return {
    count: pages.length,
    visit(visit) {
      for (const [at, page] of pages.entries()) visit(page, counts[at] ?? 0);
    },
  };
}

/** Numbers that are in all of the ascending lists. */
function intersectPages(lists: readonly Uint32Array[]): Uint32Array {
  const [shortest = new Uint32Array(), ...others] = lists.toSorted((one, other) => one.length - other.length);
  let common = shortest;
  for (const other of others) {
    let at = 0;
    common = common.filter((page) => {
      while (at < other.length && (other[at] ?? 0) < page) at += 1;
      return other[at] === page;
    });
  }
  return common;
}

/** Keeps the starts with a place that many words later. Both lists are ascending. */
function keepFollowed(starts: readonly number[], places: readonly number[], distance: number): readonly number[] {
  let at = 0;
  return starts.filter((start) => {
    while (at < places.length && (places[at] ?? 0) < start + distance) at += 1;
    return places[at] === start + distance;
  });
}

/** Reads the places of a word, page by page in ascending order. */
class PlaceReader {
  readonly #occurrences: Occurrences;
  readonly #reader: ByteReader;
  #at = 0;

  constructor(word: WordEntry, occurrences: Occurrences | undefined) {
    this.#occurrences = occurrences ?? decodeOccurrences(word);
    this.#reader = new ByteReader(word.places, word.placesAt);
  }

  /** The ascending places of the word in a page that has it. */
  readPlaces(page: number): readonly number[] {
    const { pages, inBody, inTitle } = this.#occurrences;
    const countHere = (): number => (inBody[this.#at] ?? 0) + (inTitle[this.#at] ?? 0);
    while (this.#at < pages.length && (pages[this.#at] ?? 0) < page) {
      this.#reader.skipNumbers(countHere());
      this.#at += 1;
    }
    const places: number[] = [];
    let place = 0;
    for (let left = countHere(); left > 0; left -= 1) {
      place += this.#reader.readNumber();
      places.push(place);
    }
    this.#at += 1;
    return places;
  }
}
