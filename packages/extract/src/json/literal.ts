import { setMember } from '#extract/values/json.ts';

/** A value parsed from JavaScript source, and the position after it. */
export type Literal = { readonly value: unknown; readonly end: number };

const MAX_DEPTH = 512;
const MAX_VALUES = 400_000;
const SPACE = /\s*/y;
const NUMBER = /[+-]?(?:0x[\da-f]{1,13}|(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,30})(?:e[+-]?\d{1,4})?)(?![\w$.])/iy;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]{0,200}/uy;
/** The keywords and minifier idioms for values; those without a JSON equivalent become null. */
const WORD = /(?:true|false|null|undefined|NaN|[+-]?Infinity|void 0|!0|!1)(?![\w$.([])/y;
const WORDS: ReadonlyMap<string, unknown> = new Map([
  ['true', true],
  ['!0', true],
  ['false', false],
  ['!1', false],
]);
const ESCAPE = /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|\r\n|([\s\S]))/gi;
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', ''],
  ['\n', ''],
]);

/** The reading position, and the number of values still allowed. */
type LiteralReader = { readonly source: string; at: number; valuesLeft: number };

/** Thrown when the source contains anything but plain values. */
class NotLiteralError extends Error {}

/**
 * Parses the literal at `from` in JavaScript source without running it: JSON, plus single quotes, unquoted names,
 * trailing commas, comments, `undefined`, `!0` and hexadecimal numbers. Null if the source contains code, is nested
 * deeper than 512, or has more than 400,000 values.
 */
export function parseJsLiteral(source: string, from: number): Literal | null {
  const reader: LiteralReader = { source, at: from, valuesLeft: MAX_VALUES };
  try {
    const value = readValue(reader, 0);
    return { value, end: reader.at };
  } catch (error) {
    if (error instanceof NotLiteralError) return null;
    throw error;
  }
}

const SLASH = 0x2f;

function readValue(r: LiteralReader, depth: number): unknown {
  r.valuesLeft -= 1;
  if (r.valuesLeft < 0 || depth > MAX_DEPTH) throw new NotLiteralError();
  skipSpace(r);
  const first = r.source.charAt(r.at);
  if (first === '{') return readObject(r, depth);
  if (first === '[') return readList(r, depth);
  if (first === '"' || first === "'" || first === '`') return readString(r, first);
  const word = takeMatch(r, WORD);
  if (word !== null) return WORDS.get(word) ?? null;
  const digits = takeMatch(r, NUMBER);
  if (digits === null) throw new NotLiteralError();
  return Number(digits);
}

function readObject(r: LiteralReader, depth: number): unknown {
  const object: Record<string, unknown> = {};
  r.at += 1;
  for (;;) {
    skipSpace(r);
    const first = r.source.charAt(r.at);
    if (first === '}') break;
    const name = first === '"' || first === "'" ? readString(r, first) : (takeMatch(r, NAME) ?? takeMatch(r, NUMBER));
    if (name === null) throw new NotLiteralError();
    skipSpace(r);
    expectMark(r, ':');
    setMember(object, name, readValue(r, depth + 1));
    skipSpace(r);
    if (r.source.charAt(r.at) !== '}') expectMark(r, ',');
  }
  r.at += 1;
  return object;
}

function readList(r: LiteralReader, depth: number): unknown {
  const elements: unknown[] = [];
  r.at += 1;
  for (;;) {
    skipSpace(r);
    if (r.source.charAt(r.at) === ']') break;
    elements.push(readValue(r, depth + 1));
    skipSpace(r);
    if (r.source.charAt(r.at) !== ']') expectMark(r, ',');
  }
  r.at += 1;
  return elements;
}

function readString(r: LiteralReader, quote: string): string {
  const start = r.at + 1;
  const end = findStringEnd(r.source, r.at);
  if (end < 0) throw new NotLiteralError();
  r.at = end;
  const raw = r.source.slice(start, end - 1);
  // A template literal with a placeholder is code.
  if (quote === '`' && raw.includes('${')) throw new NotLiteralError();
  return raw.includes('\\') ? decodeString(raw) : raw;
}

/** The position after the string that starts at `at`; -1 if it is not closed on its line. */
export function findStringEnd(source: string, at: number): number {
  const quote = source.charCodeAt(at);
  for (let next = at + 1; next < source.length; next++) {
    const code = source.charCodeAt(next);
    if (code === quote) return next + 1;
    if (code === 0x5c) next += 1;
    else if (code === 0x0a && quote !== 0x60) return -1;
  }
  return -1;
}

function decodeString(raw: string): string {
  return raw
    .replace(ESCAPE, (_, point?: string, unit?: string, byte?: string, other?: string) => {
      const code = Number.parseInt(point ?? unit ?? byte ?? '', 16);
      if (Number.isNaN(code)) return CONTROLS.get(other ?? '\n') ?? other ?? '';
      return code === 0 || code > 0x10ffff
        ? ''
        : unit === undefined
          ? String.fromCodePoint(code)
          : String.fromCharCode(code);
    })
    .toWellFormed();
}

/** Skips white space and comments. */
function skipSpace(r: LiteralReader): void {
  const first = r.source.charCodeAt(r.at);
  // Fast path: tokens usually follow each other directly.
  if (first > 0x20 && first < 0x80 && first !== SLASH) return;
  takeMatch(r, SPACE);
  while (r.source.charAt(r.at) === '/') {
    const end = findCommentEnd(r.source, r.at);
    if (end < 0) throw new NotLiteralError();
    r.at = end;
    takeMatch(r, SPACE);
  }
}

/**
 * The position after the comment that starts at `at`, or the end of the source if it is not closed; -1 if no comment
 * starts there.
 */
export function findCommentEnd(source: string, at: number): number {
  const mark = source.charAt(at + 1);
  if (mark !== '/' && mark !== '*') return -1;
  const end = source.indexOf(mark === '/' ? '\n' : '*/', at + 2);
  if (end < 0) return source.length;
  return mark === '/' ? end + 1 : end + 2;
}

function expectMark(r: LiteralReader, mark: string): void {
  if (r.source.charAt(r.at) !== mark) throw new NotLiteralError();
  r.at += 1;
}

function takeMatch(r: LiteralReader, pattern: RegExp): string | null {
  pattern.lastIndex = r.at;
  const found = pattern.exec(r.source)?.[0];
  if (found === undefined) return null;
  r.at += found.length;
  return found;
}
