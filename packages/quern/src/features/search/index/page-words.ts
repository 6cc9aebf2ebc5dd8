import { FNV_START, hashNext } from '#extract/values/fnv.ts';
import { foldText, insertWordBreaks, WORD_PATTERN } from '#features/passages/words.ts';

/** A word with both halves of its code, and its places. */
type WordPlaces = {
  readonly code: number;
  readonly low: number;
  readonly high: number;
  readonly numbers: number[];
  lastPage: number;
};

/** The words of some pages, which are numbered from 0, with their places. */
export class PageWords {
  /** Number of words in title and body, by page. */
  readonly lengths: number[] = [];
  /** Number of words in the title, by page: their places are below this. */
  readonly titleLengths: number[] = [];
  readonly #table = new WordTable();
  /** The place of the next word of the current page. */
  #place = 0;

  /** Begins the next page, whose title and then body are added by `addText`. */
  beginPage(title: string): void {
    this.#place = 0;
    this.lengths.push(0);
    this.titleLengths.push(0);
    this.addText(title);
    this.titleLengths[this.titleLengths.length - 1] = this.#place;
    // A place without a word separates title and body, so that no phrase spans both.
    this.#place += 1;
  }

  /** Adds words to the current page. The text must not begin or end within a word. */
  addText(text: string): void {
    const folded = foldText(insertWordBreaks(text));
    const { length } = folded;
    for (let at = 0; at < length;) {
      let low = FNV_START;
      let high = FIRST_HIGH;
      const from = at;
      for (; at < length; at += 1) {
        const unit = folded.charCodeAt(at);
        if (!isWordUnit(unit) && !isWordPair(folded, at)) break;
        low = hashNext(low, unit);
        high = hashHigh(high, unit);
      }
      if (at > from) this.#addPlace(low >>> 0, high & HIGH_MASK);
      at += 1;
    }
  }

  /** The ascending codes of all words. */
  listCodes(): Float64Array {
    return Float64Array.from(this.#table.list(), ({ code }) => code).toSorted();
  }

  /** The places of a word: for each page with it the number `-1 - page`, followed by its ascending places in that page. */
  findPlaces(code: number): readonly number[] {
    return this.#table.find(code % LOW_RANGE, Math.floor(code / LOW_RANGE))?.numbers ?? [];
  }

  #addPlace(low: number, high: number): void {
    const page = this.lengths.length - 1;
    const place = this.#place++;
    this.lengths[page] = (this.lengths[page] ?? 0) + 1;
    const known = this.#table.find(low, high) ?? this.#table.add(low, high);
    if (known.lastPage !== page) {
      known.numbers.push(-1 - page);
      known.lastPage = page;
    }
    known.numbers.push(place);
  }
}

const MIN_CAPACITY = 4096;

/** Words by both halves of their code. A `Map` would allocate a key for each occurrence of a word, and takes three times as long. */
class WordTable {
  /** At the first free entry from the lower bits of its code on; at most half of the entries are used. */
  #words = createEmptyTable(MIN_CAPACITY);
  #count = 0;

  find(low: number, high: number): WordPlaces | undefined {
    const mask = this.#words.length - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const word = this.#words[at];
      if (word === undefined || (word.low === low && word.high === high)) return word;
    }
  }

  add(low: number, high: number): WordPlaces {
    const word = { low, high, code: high * LOW_RANGE + low, numbers: [], lastPage: -1 };
    this.#count += 1;
    if (2 * this.#count > this.#words.length) this.#grow();
    this.#put(word);
    return word;
  }

  list(): readonly WordPlaces[] {
    return this.#words.filter((word) => word !== undefined);
  }

  #put(word: WordPlaces): void {
    const mask = this.#words.length - 1;
    let at = word.low & mask;
    while (this.#words[at] !== undefined) at = (at + 1) & mask;
    this.#words[at] = word;
  }

  #grow(): void {
    const words = this.list();
    this.#words = createEmptyTable(2 * this.#words.length);
    for (const word of words) this.#put(word);
  }
}

function createEmptyTable(length: number): (WordPlaces | undefined)[] {
  return Array.from<undefined>({ length }).fill(undefined);
}

/** The codes of words have 32 low and 16 high bits. */
const LOW_RANGE = 2 ** 32;
const HIGH_MASK = 0xff_ff;
const FIRST_HIGH = 0x9e_37_79_b9;
const HIGH_FACTOR = 0x5b_d1_e9_95;

/** One step of the high half of a code. */
function hashHigh(state: number, unit: number): number {
  const mixed = Math.imul(state ^ unit, HIGH_FACTOR);
  return mixed ^ (mixed >>> 15);
}

/**
 * A code of 48 bits for a word: among a million different words one of 300 million is taken for another. The low half is the hash
 * FNV-1a, the high half multiplies by the constant of MurmurHash2.
 */
export function hashWord(word: string): number {
  let low = FNV_START;
  let high = FIRST_HIGH;
  for (let at = 0; at < word.length; at += 1) {
    const unit = word.charCodeAt(at);
    low = hashNext(low, unit);
    high = hashHigh(high, unit);
  }
  return (high & HIGH_MASK) * LOW_RANGE + (low >>> 0);
}

const UNKNOWN = 0;
const OTHER = 1;
const WORD = 2;
/** What each UTF-16 unit is, looked up once: a regular expression over the text would make a string of each word. */
const unitKinds = new Uint8Array(2 ** 16);

/** Whether a UTF-16 unit is a character of words. Halves of a surrogate pair are none. */
function isWordUnit(unit: number): boolean {
  if (unitKinds[unit] === UNKNOWN) unitKinds[unit] = isWordText(String.fromCharCode(unit)) ? WORD : OTHER;
  return unitKinds[unit] === WORD;
}

/** Whether a surrogate pair that begins or ends at an offset is a character of words. */
function isWordPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0xd8_00 || unit > 0xdf_ff) return false;
  const from = unit < 0xdc_00 ? at : at - 1;
  return isWordText(text.slice(from, from + 2));
}

function isWordText(character: string): boolean {
  return character.replace(WORD_PATTERN, '') === '';
}
