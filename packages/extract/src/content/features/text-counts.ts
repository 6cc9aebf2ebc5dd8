import { extendHash } from '#extract/html/tags.ts';
import { type CodeRange, buildCodeKinds } from '#extract/values/code-kinds.ts';
import {
  TIME_AGO,
  REPLY_WORD,
  CALL_TO_ACTION,
  CONSENT_WORD,
  FUNCTION_WORD,
  IN_DESCRIPTION,
  IN_TITLE,
  LEAD_IN,
  MONTH,
  RIGHTS_WORD,
} from './vocabulary.ts';
import { findWord, toLowerLetter, type WordTable } from './hash-tables.ts';

/** Counts over one block of text, made in one pass without copying. */
export type TextCounts = {
  /** Words. Two characters of a script without spaces count as one word. */
  words: number;
  /** Letters and digits. */
  characters: number;
  digits: number;
  capitals: number;
  commas: number;
  stops: number;
  questions: number;
  /** Words that the vocabulary marks, by kind. */
  functionWords: number;
  titleWords: number;
  descriptionWords: number;
  consentWords: number;
  months: number;
  /** Contains a year or a relative time such as "3 days ago". */
  dated: boolean;
  priced: boolean;
  rights: boolean;
  /** The first word is a call to action. */
  calls: boolean;
  /** The first word introduces a link to another text. */
  leadsOn: boolean;
  /** One of the first words is a reply button's, as below a comment. */
  answers: boolean;
  /** Code of the last character that is not a space or closing quote. */
  last: number;
  /** Hash of the sequence of words. */
  hash: number;
  /** Learned log-odds of the first words: the lowest, the highest and their sum. */
  lowest: number;
  highest: number;
  weight: number;
};

/** Creates counts of zero. */
export function createTally(): TextCounts {
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

/** Only this many words of a block have a weight. */
export const MAX_WEIGHED_WORDS = 12;

type TextSpan = { readonly source: string; readonly start: number; readonly end: number };

/**
 * Adds the characters of `source[start, end)` to a tally. Each call starts a new word; an apostrophe inside a word does
 * not end it. The counts that every word changes are local variables, which is three times as fast as members of the
 * tally.
 */
export function countText(tally: TextCounts, vocabulary: WordTable, { source, start, end }: TextSpan): void {
  let { words, characters, digits, capitals, functionWords, hash, last } = tally;
  let wideCharacters = 0;
  for (let at = start; at < end;) {
    let code = source.charCodeAt(at);
    let kind = CHARACTER_KINDS[code] ?? SPACE;
    if (kind < LETTER) {
      at++;
      if (kind === SPACE) continue;
      if (kind === WIDE) {
        wideCharacters++;
        hash = extendHash(hash, code);
      } else noteMark(tally, kind, source.charCodeAt(at));
      if (kind > CLOSING) last = code;
      continue;
    }
    const wordStart = at;
    let word = 0;
    let inDigits = 0;
    let apostrophes = 0;
    for (;;) {
      if (kind >= LETTER) {
        word = extendHash(word, LOWER_LETTERS[code] ?? 0);
        if (kind !== LETTER) {
          if (kind === DIGIT) inDigits++;
          else capitals++;
        }
      } else if (kind === APOSTROPHE) apostrophes++;
      else break;
      if (++at === end) break;
      code = source.charCodeAt(at);
      kind = CHARACTER_KINDS[code] ?? SPACE;
    }
    words++;
    const letters = at - wordStart - apostrophes;
    characters += letters;
    digits += inDigits;
    hash = extendHash(hash, word);
    last = source.charCodeAt(at - 1);
    if (inDigits > 0) noteNumber(tally, inDigits === letters ? inDigits : 0, { source, start: wordStart, end: at });
    const slot = findWord(vocabulary, word);
    if (slot < 0) continue;
    if (words <= MAX_WEIGHED_WORDS) weighWord(tally, vocabulary.weights[slot] ?? 0);
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

/** Character classes. Those that belong to words are the last ones. */
const SPACE = 0;
const APOSTROPHE = 1;
const CLOSING = 2;
const MARK = 3;
const COMMA = 4;
const STOP = 5;
const QUESTION = 6;
const COPYRIGHT = 7;
const CURRENCY = 8;
/** Han, kana, Hangul and related punctuation: scripts that mostly do not separate words by spaces. */
const WIDE = 9;
const LETTER = 10;
const CAPITAL = 11;
const DIGIT = 12;

const RANGES: readonly CodeRange[] = [
  [MARK, 33, 0xffff],
  [LETTER, 0xc0, 0x1fff],
  [LETTER, 0xff21, 0xffff],
  [WIDE, 0x3000, 0xfeff],
  [SPACE, 0x3000, 0x3000],
  [MARK, 0x3001, 0x3020],
  [DIGIT, 48, 57],
  [CAPITAL, 65, 90],
  [LETTER, 97, 122],
  [CURRENCY, 0x20a0, 0x20bf],
];
const SIGNS: readonly (readonly [kind: number, signs: string])[] = [
  [APOSTROPHE, "'\u2019"],
  [CLOSING, '")]\u201D»」』）'],
  [COMMA, ',，、'],
  [STOP, '.!！。'],
  [QUESTION, '?？'],
  [COPYRIGHT, '©'],
  [CURRENCY, '$£¥'],
];

const CHARACTER_KINDS = buildKinds();

function buildKinds(): Uint8Array {
  const kinds = buildCodeKinds(RANGES);
  for (const [kind, signs] of SIGNS) {
    for (let at = 0; at < signs.length; at++) kinds[signs.charCodeAt(at)] = kind;
  }
  return kinds;
}

const LOWER_LETTERS = buildLowerTable();

function buildLowerTable(): Uint16Array {
  const lower = new Uint16Array(2 ** 16);
  for (let code = 0; code < lower.length; code++) lower[code] = toLowerLetter(code);
  return lower;
}

/** Marks a word with digits as a price amount, or as a year if it has exactly four `figures`. */
function noteNumber(tally: TextCounts, figures: number, { source, start, end }: TextSpan): void {
  if (figures === 4 && isYear(source, start)) tally.dated = true;
  if (isMoney(source.charCodeAt(start - 1), source.charCodeAt(end))) tally.priced = true;
}

function weighWord(tally: TextCounts, weight: number): void {
  tally.weight += weight;
  if (weight < tally.lowest) tally.lowest = weight;
  else if (weight > tally.highest) tally.highest = weight;
}

/** The position of a word in its block, from 1, and the number of digits before its end. */
type WordPosition = { readonly place: number; readonly digits: number };

/** A reply word counts only among this many first words. */
const MAX_ANSWER_PLACE = 12;

/** Counts a word by its bits in the vocabulary. */
function noteWord(tally: TextCounts, bits: number, { place, digits }: WordPosition): void {
  if ((bits & IN_TITLE) !== 0) tally.titleWords++;
  if ((bits & IN_DESCRIPTION) !== 0) tally.descriptionWords++;
  if ((bits & MONTH) !== 0) tally.months++;
  if ((bits & CONSENT_WORD) !== 0) tally.consentWords++;
  if ((bits & RIGHTS_WORD) !== 0) tally.rights = true;
  if ((bits & CALL_TO_ACTION) !== 0 && place === 1) tally.calls = true;
  if ((bits & LEAD_IN) !== 0 && place === 1) tally.leadsOn = true;
  if ((bits & REPLY_WORD) !== 0 && place <= MAX_ANSWER_PLACE) tally.answers = true;
  if ((bits & TIME_AGO) !== 0 && digits > 0) tally.dated = true;
}

function noteMark(tally: TextCounts, kind: number, next: number): void {
  if (kind === COMMA) tally.commas++;
  else if (kind === STOP) tally.stops++;
  else if (kind === QUESTION) {
    tally.stops++;
    tally.questions++;
  } else if (kind === COPYRIGHT) tally.rights = true;
  else if (kind === CURRENCY && isDigitOrSpace(next)) tally.priced = true;
}

/** Whether the block ends with a sentence mark or a colon. */
export function isSentenceEnd({ last }: TextCounts): boolean {
  return (
    last === 46 || last === 33 || last === 63 || last === 58 || last === 0x3002 || last === 0xff01 || last === 0xff1f
  );
}

function isYear(source: string, start: number): boolean {
  const century = source.charCodeAt(start) * 256 + source.charCodeAt(start + 1);
  return century === 0x3139 || century === 0x3230;
}

function isMoney(before: number, after: number): boolean {
  return CHARACTER_KINDS[before] === CURRENCY || CHARACTER_KINDS[after] === CURRENCY;
}

function isDigitOrSpace(code: number): boolean {
  return code === 32 || code === 0xa0 || (code >= 48 && code <= 57);
}
