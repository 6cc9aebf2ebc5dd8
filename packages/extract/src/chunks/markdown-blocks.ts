/** What a block of Markdown is. `item` is one item of a list; `note` is the text of a footnote. */
export type BlockKind = 'heading' | 'text' | 'code' | 'table' | 'item' | 'quote' | 'note' | 'formula';

/** A block of Markdown. Blocks follow each other without gaps: white space belongs to the block before it. */
export type Block = {
  readonly kind: BlockKind;
  /** The characters of the block: from the start of its first line to the start of the next block. */
  readonly from: number;
  readonly to: number;
  /** Its lines, as indexes into the lines that it was found in. */
  readonly first: number;
  readonly last: number;
  /** The level of a heading, 0 for other blocks. */
  readonly level: number;
  /** The columns by which the further lines of an item or note are indented. */
  readonly width: number;
  /** Whether it continues the list of the block before it. */
  readonly joins: boolean;
};

/** Lines of a text within a container: a list item, a quote, or the text itself. */
export type Lines = {
  readonly text: string;
  readonly count: number;
  /** Where each line starts, where its content in the container starts, and where it ends without its line break. */
  readonly start: Int32Array;
  readonly content: Int32Array;
  readonly end: Int32Array;
  /** The end of the last line with its line breaks. */
  readonly to: number;
};

const CR = 13;
const TAB = 9;
const SPACE = 32;

/** Splits a text into lines. */
export function splitLines(text: string): Lines {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  const start = new Int32Array(count);
  const end = new Int32Array(count);
  let from = 0;
  for (let line = 0; line < count; line++) {
    const next = text.indexOf('\n', from);
    const stop = next < 0 ? text.length : next;
    start[line] = from;
    end[line] = stop > from && text.charCodeAt(stop - 1) === CR ? stop - 1 : stop;
    from = stop + 1;
  }
  return { text, count, start, content: start, end, to: text.length };
}

/** The lines of a container block, without its markers. */
export function openContainer(lines: Lines, { kind, first, last, width, to }: Block): Lines {
  const { text, start, end } = lines;
  const content = lines.content.slice(first, last);
  for (let line = first; line < last; line++) {
    if (kind === 'quote') content[line - first] = skipQuoteMark(lines, line);
    else if (line === first) content[0] = skipMarker(lines, line, width);
    else content[line - first] = skipColumns(text, content[line - first] ?? 0, end[line] ?? 0, width);
  }
  return { text, count: last - first, start: start.subarray(first, last), content, end: end.subarray(first, last), to };
}

/** Finds the blocks of a container. Linear in its text. */
export function findBlocks(lines: Lines): readonly Block[] {
  const blocks: Block[] = [];
  const { count, start, to } = lines;
  let from = start[0] ?? 0;
  for (let line = skipBlankLines(lines, 0); line < count;) {
    const { kind, last, level = 0, width = 0, joins = false } = readBlock(lines, line, blocks.at(-1));
    const next = skipBlankLines(lines, last);
    const end = next < count ? (start[next] ?? to) : to;
    blocks.push({ kind, from, to: end, first: line, last: next < count ? next : count, level, width, joins });
    from = end;
    line = next;
  }
  return blocks;
}

type Found = {
  readonly kind: BlockKind;
  readonly last: number;
  readonly level?: number;
  readonly width?: number;
  readonly joins?: boolean;
};

const FENCE = /(`{3,}|~{3,})([^\n]*)/y;
const HEADING = /(#{1,6})(?=[ \t\r\n]|$)/y;
const MARKER = /([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/my;
const NOTE = /\[\^[^\]\n]{1,200}\]:(?:[ \t]|$)/my;
const RULE = /(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/my;
const UNDERLINE = /(?:=+|-+)[ \t]*$/my;
const DELIMITERS = /\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/my;

function readBlock(lines: Lines, line: number, before: Block | undefined): Found {
  const { text } = lines;
  const at = skipSpaces(lines, line);
  if (countIndent(lines, line) >= 4) return { kind: 'code', last: findIndentedEnd(lines, line) };
  switch (text.charAt(at)) {
    case '`':
    case '~': {
      const fence = matchAt(FENCE, text, at);
      if (fence !== null && !(fence[1]?.startsWith('`') === true && fence[2]?.includes('`') === true))
        return { kind: 'code', last: findFenceEnd(lines, line, fence[1] ?? '') };
      break;
    }
    case '#': {
      const marks = matchAt(HEADING, text, at)?.[1];
      if (marks !== undefined) return { kind: 'heading', last: line + 1, level: marks.length };
      break;
    }
    case '>':
      return { kind: 'quote', last: findQuoteEnd(lines, line) };
    case '$':
      if (text.startsWith('$$', at)) return readFormula(lines, line, at);
      break;
    case '[':
      if (matchAt(NOTE, text, at) !== null) return { kind: 'note', last: findItemEnd(lines, line, 4), width: 4 };
      break;
    default:
  }
  if (matchAt(RULE, text, at) !== null) return { kind: 'text', last: line + 1 };
  const marker = matchAt(MARKER, text, at);
  if (marker !== null) return readItem(lines, line, { at, marker, before });
  return isTable(lines, line) ? { kind: 'table', last: findTableEnd(lines, line) } : readParagraph(lines, line);
}

type ItemStart = { readonly at: number; readonly marker: RegExpExecArray; readonly before: Block | undefined };

function readItem(lines: Lines, line: number, { at, marker, before }: ItemStart): Found {
  const [whole, sign = ''] = marker;
  const gap = whole.length - sign.length;
  // More than four spaces are code in the item; no space is an empty item.
  const width = at - (lines.content[line] ?? at) + sign.length + (gap > 4 || gap === 0 ? 1 : gap);
  const joins = before?.kind === 'item' && isSameList(lines, before, sign);
  return { kind: 'item', last: findItemEnd(lines, line, width), width, joins };
}

/** Whether an item has the sign of the item before it: the bullet, or the character after the number. */
function isSameList(lines: Lines, before: Block, sign: string): boolean {
  const own = matchAt(MARKER, lines.text, skipSpaces(lines, before.first))?.[1] ?? '';
  return own.at(-1) === sign.at(-1);
}

/** Reads a formula on lines of its own; text that only starts with one is a paragraph. */
function readFormula(lines: Lines, line: number, at: number): Found {
  const { text, count, end } = lines;
  const close = text.indexOf('$$', at + 2);
  if (close < 0) return readParagraph(lines, line);
  let last = line;
  while (last < count && (end[last] ?? 0) < close && !isBlank(lines, last)) last++;
  const isWhole = last < count && !isBlank(lines, last) && text.slice(close + 2, end[last]).trim() === '';
  return isWhole ? { kind: 'formula', last: last + 1 } : readParagraph(lines, line);
}

function readParagraph(lines: Lines, line: number): Found {
  const { text, count } = lines;
  let last = line + 1;
  for (; last < count && !isBlank(lines, last); last++) {
    const at = skipSpaces(lines, last);
    if (countIndent(lines, last) >= 4) continue;
    if (matchAt(UNDERLINE, text, at) !== null)
      return { kind: 'heading', last: last + 1, level: text.charAt(at) === '=' ? 1 : 2 };
    if (interruptsParagraph(lines, last, at)) break;
  }
  return { kind: 'text', last };
}

function interruptsParagraph(lines: Lines, line: number, at: number): boolean {
  const { text } = lines;
  const character = text.charAt(at);
  if (character === '>') return true;
  if (character === '#') return matchAt(HEADING, text, at) !== null;
  if (character === '`' || character === '~') return matchAt(FENCE, text, at) !== null;
  if (matchAt(RULE, text, at) !== null) return true;
  const sign = matchAt(MARKER, text, at);
  // Only a list that starts with one and has text may interrupt a paragraph.
  if (sign !== null) return /^(?:[-*+]|1[.)])$/.test(sign[1] ?? '') && at + sign[0].length < (lines.end[line] ?? 0);
  return isTable(lines, line);
}

/** Whether a header row and a delimiter row start at a line. */
function isTable(lines: Lines, line: number): boolean {
  const { text, count, end } = lines;
  if (line + 1 >= count || isBlank(lines, line + 1)) return false;
  const at = skipSpaces(lines, line + 1);
  const sign = text.charAt(at);
  if (sign !== '|' && sign !== '-' && sign !== ':') return false;
  return text.slice(at, end[line + 1]).includes('|') && hasBar(lines, line) && matchAt(DELIMITERS, text, at) !== null;
}

function hasBar({ text, content, end }: Lines, line: number): boolean {
  const at = text.indexOf('|', content[line]);
  return at >= 0 && at < (end[line] ?? 0);
}

function findTableEnd(lines: Lines, line: number): number {
  let last = line + 2;
  while (last < lines.count && !isBlank(lines, last) && hasBar(lines, last)) last++;
  return last;
}

function findFenceEnd(lines: Lines, line: number, fence: string): number {
  const { text, count, end } = lines;
  for (let last = line + 1; last < count; last++) {
    const at = skipSpaces(lines, last);
    if (!text.startsWith(fence, at)) continue;
    const rest = text.slice(at, end[last]).trimEnd();
    if (rest === fence.charAt(0).repeat(rest.length)) return last + 1;
  }
  return count;
}

function findIndentedEnd(lines: Lines, line: number): number {
  let last = line + 1;
  for (let next = last; next < lines.count; next++) {
    if (isBlank(lines, next)) continue;
    if (countIndent(lines, next) < 4) break;
    last = next + 1;
  }
  return last;
}

function findQuoteEnd(lines: Lines, line: number): number {
  let last = line + 1;
  while (last < lines.count && lines.text.charAt(skipSpaces(lines, last)) === '>' && !isBlank(lines, last)) last++;
  return last;
}

/** The end of an item: its further lines are indented, or continue its paragraph. */
function findItemEnd(lines: Lines, line: number, width: number): number {
  const { text, count } = lines;
  let last = line + 1;
  let isAfterBlank = false;
  for (; last < count; last++) {
    if (isBlank(lines, last)) {
      isAfterBlank = true;
      continue;
    }
    if (countIndent(lines, last) < width) {
      const at = skipSpaces(lines, last);
      const isNew = matchAt(MARKER, text, at) !== null || matchAt(NOTE, text, at) !== null;
      if (isAfterBlank || isNew || interruptsParagraph(lines, last, at)) break;
    }
    isAfterBlank = false;
  }
  return last;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function skipBlankLines(lines: Lines, from: number): number {
  let line = from;
  while (line < lines.count && isBlank(lines, line)) line++;
  return line;
}

function isBlank(lines: Lines, line: number): boolean {
  return skipSpaces(lines, line) >= (lines.end[line] ?? 0);
}

/** The first character of a line that is no space or tab. */
function skipSpaces({ text, content, end }: Lines, line: number): number {
  const stop = end[line] ?? 0;
  let at = content[line] ?? 0;
  while (at < stop && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB)) at++;
  return at;
}

function countIndent({ text, content, end }: Lines, line: number): number {
  const stop = end[line] ?? 0;
  let columns = 0;
  for (let at = content[line] ?? 0; at < stop; at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE) columns += 1;
    else if (code === TAB) columns += 4;
    else break;
  }
  return columns;
}

/** Skips up to `width` columns of white space before `stop`. */
function skipColumns(text: string, from: number, stop: number, width: number): number {
  let at = from;
  for (let columns = 0; columns < width && at < stop; at++) {
    const code = text.charCodeAt(at);
    if (code !== SPACE && code !== TAB) break;
    columns += code === TAB ? 4 : 1;
  }
  return at;
}

function skipQuoteMark(lines: Lines, line: number): number {
  const at = skipSpaces(lines, line);
  if (lines.text.charAt(at) !== '>') return at;
  return lines.text.charCodeAt(at + 1) === SPACE ? at + 2 : at + 1;
}

/** The content after the marker of an item or note. */
function skipMarker(lines: Lines, line: number, width: number): number {
  const { text, content, end } = lines;
  const at = skipSpaces(lines, line);
  const note = matchAt(NOTE, text, at);
  if (note !== null) return Math.min(at + note[0].length, end[line] ?? at);
  return Math.min((content[line] ?? 0) + width, end[line] ?? at);
}
