import { hashStep } from '#extract/html/name-table.ts';
import {
  AGO,
  ANSWER,
  CALL,
  CONSENT,
  FUNCTION_WORD,
  IN_DESCRIPTION,
  IN_TITLE,
  LEAD_IN,
  MONTH,
  RIGHTS,
} from './vocabulary.ts';
import { findWord, lowerLetter } from './word-table.ts';
import type { WordTable } from './word-table.ts';

/** What one block of text is made of; counted while its characters pass, none of them copied. */
export type TextTally = {
  /** Words; two characters of a script without spaces count as one. */
  words: number;
  /** Letters and digits. */
  characters: number;
  digits: number;
  capitals: number;
  commas: number;
  stops: number;
  questions: number;
  /** Words that the vocabulary marks, by mark. */
  functionWords: number;
  titleWords: number;
  descriptionWords: number;
  consentWords: number;
  months: number;
  /** Names a year, or a span of time that has passed. */
  dated: boolean;
  priced: boolean;
  rights: boolean;
  /** The first word asks for a click. */
  calls: boolean;
  /** The first word leads to another text. */
  leadsOn: boolean;
  /** One of its few words asks for an answer, as below a comment. */
  answers: boolean;
  /** The last character that is no space or closing quote. */
  last: number;
  /** The same for the same words in the same order. */
  hash: number;
  /** Log-odds that training gave to the first words: the lowest, the highest, and their sum. */
  lowest: number;
  highest: number;
  weight: number;
};

export function newTally(): TextTally {
  return {
    words: 0,
    characters: 0,
    digits: 0,
    capitals: 0,
    commas: 0,
    stops: 0,
    questions: 0,
    functionWords: 0,
    titleWords: 0,
    descriptionWords: 0,
    consentWords: 0,
    months: 0,
    dated: false,
    priced: false,
    rights: false,
    calls: false,
    leadsOn: false,
    answers: false,
    last: 0,
    hash: 0,
    lowest: 0,
    highest: 0,
    weight: 0,
  };
}

/** Words of a block whose weight counts. */
export const WEIGHED_WORDS = 12;

type Span = { readonly source: string; readonly start: number; readonly end: number };

/**
 * Adds the characters of `source[start, end)` to a tally; each text starts a new word, and an apostrophe inside a word does
 * not end it. What every word changes is counted in variables of its own: that is three times as fast as in the tally.
 */
export function scan(tally: TextTally, vocabulary: WordTable, { source, start, end }: Span): void {
  let { words, characters, digits, capitals, functionWords, hash, last } = tally;
  let wideCharacters = 0;
  for (let at = start; at < end;) {
    const first = source.charCodeAt(at);
    if (!startsWord(first)) {
      at++;
      if (first <= 32) continue;
      if (isWide(first)) {
        wideCharacters++;
        hash = hashStep(hash, first);
      } else noteMark(tally, first, source.charCodeAt(at));
      if (!isClosing(first)) last = first;
      continue;
    }
    const wordStart = at;
    let word = 0;
    let inDigits = 0;
    let apostrophes = 0;
    for (; at < end; at++) {
      const code = source.charCodeAt(at);
      const kind = kindOf(code);
      if (kind === LETTER) word = hashStep(word, code < 128 ? code : lowerLetter(code));
      else if (kind === CAPITAL) {
        capitals++;
        word = hashStep(word, code | 32);
      } else if (kind === DIGIT) {
        inDigits++;
        word = hashStep(word, code);
      } else if (kind === APOSTROPHE) apostrophes++;
      else break;
    }
    words++;
    const letters = at - wordStart - apostrophes;
    characters += letters;
    digits += inDigits;
    hash = hashStep(hash, word);
    last = source.charCodeAt(at - 1);
    if (inDigits > 0) noteNumber(tally, inDigits === letters ? inDigits : 0, { source, start: wordStart, end: at });
    const slot = findWord(vocabulary, word);
    if (slot < 0) continue;
    if (words <= WEIGHED_WORDS) weighWord(tally, vocabulary.weights[slot] ?? 0);
    const bits = vocabulary.bits[slot] ?? 0;
    functionWords += bits & FUNCTION_WORD;
    if (bits > FUNCTION_WORD) noteWord(tally, bits, { place: words, digits });
  }
  tally.words = words + wideCharacters / 2;
  tally.characters = characters + wideCharacters;
  tally.digits = digits;
  tally.capitals = capitals;
  tally.functionWords = functionWords;
  tally.hash = hash;
  tally.last = last;
}

/** What a character is to a word. */
const OTHER = 0;
const LETTER = 1;
const CAPITAL = 2;
const DIGIT = 3;
const APOSTROPHE = 4;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 65 && code <= 90) return CAPITAL;
  if (code >= 97 && code <= 122) return LETTER;
  return code === 39 ? APOSTROPHE : OTHER;
});

function kindOf(code: number): number {
  return code < 128 ? (KINDS[code] ?? OTHER) : kindBeyondAscii(code);
}

function startsWord(code: number): boolean {
  const kind = kindOf(code);
  return kind !== OTHER && kind !== APOSTROPHE;
}

function kindBeyondAscii(code: number): number {
  if (code === 0x2019) return APOSTROPHE;
  const isLetter = code >= 0xc0 && !(code >= 0x2000 && code <= 0x2fff) && !(code >= 0xff00 && code <= 0xff20);
  return isLetter && !isWide(code) ? LETTER : OTHER;
}

/** A word with digits in it may be the amount of a price, and one of four `figures` and nothing else a year. */
function noteNumber(tally: TextTally, figures: number, { source, start, end }: Span): void {
  if (figures === 4 && isYear(source, start)) tally.dated = true;
  if (isMoney(source.charCodeAt(start - 1), source.charCodeAt(end))) tally.priced = true;
}

function weighWord(tally: TextTally, weight: number): void {
  tally.weight += weight;
  if (weight < tally.lowest) tally.lowest = weight;
  else if (weight > tally.highest) tally.highest = weight;
}

/** Which word of its block a word is, from 1, and how many digits the block has so far. */
type Place = { readonly place: number; readonly digits: number };

/** Where in its block a word that asks for an answer stands at last. */
const ANSWER_PLACES = 12;

/** Counts a word that the vocabulary marks. */
function noteWord(tally: TextTally, bits: number, { place, digits }: Place): void {
  if ((bits & IN_TITLE) !== 0) tally.titleWords++;
  if ((bits & IN_DESCRIPTION) !== 0) tally.descriptionWords++;
  if ((bits & MONTH) !== 0) tally.months++;
  if ((bits & CONSENT) !== 0) tally.consentWords++;
  if ((bits & RIGHTS) !== 0) tally.rights = true;
  if ((bits & CALL) !== 0 && place === 1) tally.calls = true;
  if ((bits & LEAD_IN) !== 0 && place === 1) tally.leadsOn = true;
  if ((bits & ANSWER) !== 0 && place <= ANSWER_PLACES) tally.answers = true;
  if ((bits & AGO) !== 0 && digits > 0) tally.dated = true;
}

function noteMark(tally: TextTally, code: number, next: number): void {
  if (code === 44 || code === 0xff0c || code === 0x3001) tally.commas++;
  else if (code === 46 || code === 33 || code === 0x3002 || code === 0xff01) tally.stops++;
  else if (code === 63 || code === 0xff1f) {
    tally.stops++;
    tally.questions++;
  } else if (code === 0xa9) tally.rights = true;
  else if (isCurrency(code) && isDigitOrSpace(next)) tally.priced = true;
}

/** Whether a block ends as a sentence does. */
export function endsSentence({ last }: TextTally): boolean {
  return (
    last === 46 || last === 33 || last === 63 || last === 58 || last === 0x3002 || last === 0xff01 || last === 0xff1f
  );
}

/** Han, kana, Hangul and what stands with them: scripts whose words are not set apart by spaces, mostly. */
function isWide(code: number): boolean {
  return code > 0x2fff && code < 0xff00 && code !== 0x3001 && code !== 0x3002;
}

function isYear(source: string, start: number): boolean {
  const century = source.charCodeAt(start) * 256 + source.charCodeAt(start + 1);
  return century === 0x3139 || century === 0x3230;
}

function isMoney(before: number, after: number): boolean {
  return isCurrency(before) || isCurrency(after);
}

function isCurrency(code: number): boolean {
  return code === 36 || code === 0xa3 || code === 0xa5 || (code >= 0x20a0 && code <= 0x20bf);
}

function isDigitOrSpace(code: number): boolean {
  return code === 32 || code === 0xa0 || (code >= 48 && code <= 57);
}

/** Closing quotes and brackets. */
function isClosing(code: number): boolean {
  return (
    code === 34 || code === 39 || code === 41 || code === 93 || code === 0x201d || code === 0x2019 || code === 0xbb
  );
}
