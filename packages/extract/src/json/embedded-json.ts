import { decodeUrlPart } from '#extract/values/web-urls.ts';
import { findCommentEnd, parseJsLiteral, findStringEnd } from './literal.ts';
import { parseJsonValue } from '#extract/values/json.ts';

const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const BACKTICK = 0x60;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
/** The text between a name and its value: a colon or equals sign, and optional calls that parse a string. */
const BEFORE_VALUE = /\s*['"]?\s*[=:]?\s*(?:JSON\.parse\(\s*)?(?:decodeURIComponent\(\s*)?/y;
const MAX_PLACES = 50;
/** The deepest nesting of brackets. */
const MAX_DEPTH = 512;
/** The total size of attempted values is limited to this many times the source, since many brackets contain code. */
const MAX_ATTEMPTS = 8;

/**
 * The position after the bracket that closes the one at `from`, skipping strings and comments; -1 if it is not closed.
 * A quote that is not closed on its line, as in a regular expression, is ignored.
 */
export function findClosingBracket(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth <= 0) return at + 1;
    } else at = skipStringOrComment(source, at, code);
  }
  return -1;
}

/** The last position of the string or comment that starts at `at`; `at` itself if none does. */
function skipStringOrComment(source: string, at: number, code: number): number {
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE || code === BACKTICK) {
    const end = findStringEnd(source, at);
    return end < 0 ? at : end - 1;
  }
  if (code === BACKSLASH) return at + 1;
  if (code !== SLASH) return at;
  const end = findCommentEnd(source, at);
  return end < 0 ? at : end - 1;
}

/**
 * Finds the value after an anchor in inline JavaScript: `ytInitialData = {…}`, `'colorImages': { … }`, or a string
 * passed to `JSON.parse`. The first occurrence with a value counts; undefined if there is none. The anchor ends with
 * the name; quotes and separators after it are skipped.
 */
export function findValueAfter(source: string, anchor: string): unknown {
  let from = source.indexOf(anchor);
  for (let place = 0; place < MAX_PLACES && from >= 0; place++) {
    const value = parseValueAt(source, from + anchor.length);
    if (value !== undefined) return value;
    from = source.indexOf(anchor, from + anchor.length);
  }
  return undefined;
}

function parseValueAt(source: string, from: number): unknown {
  BEFORE_VALUE.lastIndex = from;
  const before = BEFORE_VALUE.exec(source)?.[0] ?? '';
  const start = from + before.length;
  const first = source.charAt(start);
  if (first === '{' || first === '[') {
    const end = findClosingBracket(source, start);
    if (end < 0) return undefined;
    return parseJsonValue(source.slice(start, end)) ?? parseJsLiteral(source, start)?.value;
  }
  const literal = parseJsLiteral(source, start);
  if (literal === null) return undefined;
  return typeof literal.value === 'string' && before.includes('(')
    ? parseJsonValue(decodeIfEscaped(literal.value))
    : literal.value;
}

function decodeIfEscaped(text: string): string {
  return text.startsWith('%') ? decodeUrlPart(text) : text;
}

type BracketPair = { readonly start: number; readonly end: number };

/**
 * The largest JSON values in inline JavaScript that contain a word: the argument of a call rather than an object inside
 * it. Linear: one pass finds the brackets around the word, and attempts to parse them have a budget.
 */
export function listValuesAround(source: string, word: string): readonly unknown[] {
  const values: unknown[] = [];
  let budget = source.length * MAX_ATTEMPTS;
  let done = 0;
  for (const { start, end } of listPairsAround(source, word)) {
    if (start < done) continue;
    budget -= end - start;
    if (budget < 0) break;
    const value = parseJsonValue(source.slice(start, end));
    if (value === undefined) continue;
    values.push(value);
    done = end;
  }
  return values;
}

/** The bracket pairs that contain the word, outer before inner. */
function listPairsAround(source: string, word: string): readonly BracketPair[] {
  const pairs: BracketPair[] = [];
  const open: number[] = [];
  let wanted = source.indexOf(word);
  let last = -1;
  for (let at = 0; at < source.length && (wanted >= 0 || last >= 0); at++) {
    const code = source.charCodeAt(at);
    if (wanted >= 0 && at >= wanted) {
      last = wanted;
      wanted = source.indexOf(word, at + 1);
    }
    if (code === 0x7b || code === 0x5b) open.push(at);
    else if (code === 0x7d || code === 0x5d) {
      const start = open.pop();
      if (start !== undefined && start < last && open.length < MAX_DEPTH) pairs.push({ start, end: at + 1 });
    } else at = skipStringOrComment(source, at, code);
  }
  return pairs.toSorted((a, b) => a.start - b.start);
}
