import { loadTokenizer } from '#extract/platform/node.ts';
import { PieceCounts } from './piece-counts.ts';

/** What the size of a chunk is counted in: the tokens of a family of models, or UTF-16 characters. */
export const TOKENIZERS = ['o200k_base', 'cl100k_base', 'characters'] as const;

export type Tokenizer = (typeof TOKENIZERS)[number];

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** Maximum characters that are split into pieces at once. A longer line is cut at white space where it has some. */
const MAX_LINE_LENGTH = 4096;

/** Longer pieces are counted in portions: joining the bytes of a piece takes time that grows with its square. */
const MAX_PIECE_LENGTH = 64;

const LINE_BREAKS: ReadonlySet<number> = new Set([10, 13]);
const SLASH = 47;

type Encoding = {
  /** Counts a piece with the library, in time that grows with the square of its length. */
  readonly count: CountTokens;
  /** Splits a text into pieces that have no token in common. */
  readonly pieces: RegExp;
  /** The same for texts in ASCII, in half the time. */
  readonly asciiPieces: RegExp;
  readonly known: PieceCounts;
};

const encodings = new Map<Tokenizer, Encoding>();

/**
 * Creates a counter of tokens, which loads the tokenizer if this is its first use. Counts are those of the tokenizer,
 * except that a word of more than 64 characters is counted in portions. The counts of two texts add up if the first
 * one ends with a line break and the second one starts neither with white space nor with a slash.
 */
export function createTokenCounter(tokenizer: Tokenizer): CountTokens {
  if (tokenizer === 'characters') return (text) => text.length;
  const encoding = encodings.get(tokenizer) ?? loadEncoding(tokenizer);
  encodings.set(tokenizer, encoding);
  return (text) => {
    let total = 0;
    for (let from = 0; from < text.length;) {
      const end = findLineEnd(text, from);
      total += countLine(encoding, text, { from, end });
      from = end;
    }
    return total;
  };
}

/**
 * The end of a line with its line breaks, at which pieces always end: white space up to its last line break is one
 * piece, and a slash may belong to the line break before it.
 */
function findLineEnd(text: string, from: number): number {
  let end = text.indexOf('\n', from) + 1;
  while (end > 0) {
    for (let at = end; at < text.length && isSpace(text.charCodeAt(at)); at++) {
      if (LINE_BREAKS.has(text.charCodeAt(at))) end = at + 1;
    }
    if (text.charCodeAt(end) !== SLASH) return end;
    end = text.indexOf('\n', end) + 1;
  }
  return text.length;
}

/** Whether a character is white space for the patterns of the tokenizers. */
function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code));
}

type Line = { readonly from: number; readonly end: number };

function countLine(encoding: Encoding, text: string, line: Line): number {
  const { from, end } = line;
  if (end - from <= MAX_LINE_LENGTH) return countPieces(encoding, text.slice(from, end));
  let total = 0;
  for (let at = from; at < end;) {
    const next = Math.min(end, findPortionEnd(text, at, MAX_LINE_LENGTH));
    total += countPieces(encoding, text.slice(at, next));
    at = next;
  }
  return total;
}

/** The end of a portion of at most `length` characters: before white space if possible, never within a surrogate pair. */
export function findPortionEnd(text: string, from: number, length: number): number {
  const limit = from + length;
  if (limit >= text.length) return text.length;
  const space = text.slice(from, limit + 1).lastIndexOf(' ');
  return space > 0 ? from + space : keepPair(text, limit, from);
}

/** Moves a position within a surrogate pair before it, or behind it if that is not after `from`. */
export function keepPair(text: string, at: number, from = -1): number {
  if (!isHighSurrogate(text.charCodeAt(at - 1)) || !isLowSurrogate(text.charCodeAt(at))) return at;
  return at - 1 > from ? at - 1 : at + 1;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function countPieces(encoding: Encoding, line: string): number {
  const pieces = ASCII.test(line) ? encoding.asciiPieces : encoding.pieces;
  let total = 0;
  for (let from = 0; from < line.length;) {
    pieces.lastIndex = from;
    const end = pieces.test(line) ? pieces.lastIndex : from + 1;
    while (end - from > MAX_PIECE_LENGTH) {
      const cut = keepPair(line, from + MAX_PIECE_LENGTH, from);
      total += countPiece(encoding, line, { from, end: cut });
      from = cut;
    }
    if (from < end) total += countPiece(encoding, line, { from, end });
    from = end;
  }
  return total;
}

function countPiece({ count, known }: Encoding, line: string, { from, end }: Line): number {
  const found = known.find(line, from, end);
  if (found > 0) return found;
  const counted = count(line.slice(from, end));
  known.add(counted);
  return counted;
}

function loadEncoding(tokenizer: Exclude<Tokenizer, 'characters'>): Encoding {
  const { count, pieces } = loadTokenizer(tokenizer);
  return {
    count,
    pieces: new RegExp(pieces.source, 'uy'),
    asciiPieces: new RegExp(toAsciiPattern(pieces.source), 'y'),
    known: new PieceCounts(),
  };
}

const ASCII = /^[\0-\x7f]*$/;

/** The classes of characters in a pattern, and those of them that are in ASCII. The longest come first. */
const ASCII_CLASSES = [
  ['\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}', 'A-Z'],
  ['\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}', 'a-z'],
  ['\\p{L}\\p{N}', 'A-Za-z0-9'],
  ['\\p{L}', '[A-Za-z]'],
  ['\\p{N}', '[0-9]'],
] as const;

/** A pattern of a tokenizer for texts in ASCII, without properties of Unicode. */
function toAsciiPattern(source: string): string {
  return ASCII_CLASSES.reduce((pattern, [all, ascii]) => pattern.replaceAll(all, ascii), source);
}
