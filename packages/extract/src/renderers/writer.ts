import { inPortions } from '#extract/values/portions.ts';

/** How a page is written: as GitHub flavoured Markdown, or as the plain text of what that shows. */
export type TextFormat = 'markdown' | 'text';

/** Quotes and lists nested deeper than this are written without further marks, so that output stays linear. */
const MAX_PREFIXES = 24;

/** A list while it is written: whether readers set its items apart shows only when the last of them is. */
export type OpenList = {
  /** Line breaks that become blank lines where the items are set apart: their places among the parts, and what then stands there. */
  readonly closed: { readonly at: number; readonly blank: string }[];
  /** Two blocks of one item stand apart by a blank line. */
  loose: boolean;
};

/** The prefix of the lines of a block; for the item of a list also that of the list. */
export type LinePrefixes = { readonly first: string; readonly rest: string; readonly list?: OpenList };
type OpenPrefix = LinePrefixes & { used: boolean };
/** The last list that ended, with the sign behind its numbers or of its bullets. */
type EndedList = { readonly end: number; readonly within: OpenPrefix | undefined; readonly sign: string };

/** Collects blocks of text, each line behind the marks of the quotes and lists it stands in. */
export type Writer = {
  readonly dialect: TextFormat;
  readonly parts: string[];
  readonly prefixes: OpenPrefix[];
  /** Whether the next block starts after a blank line or on the next line. */
  gap: 'blank' | 'line';
  /** The list of which the next line break is a part. */
  closing: OpenList | undefined;
  ended: EndedList | null;
};

export function createWriter(dialect: TextFormat): Writer {
  return { dialect, parts: [], prefixes: [], gap: 'blank', closing: undefined, ended: null };
}

/** The finished text: ends with a newline unless it is empty. */
export function finishText(writer: Writer): string {
  return writer.parts.length === 0 ? '' : `${writer.parts.join('')}\n`;
}

/** Writes one block of one or more lines. */
export function writeBlock(writer: Writer, text: string): void {
  if (text === '') return;
  const { parts } = writer;
  writeGap(writer);
  parts.push(buildFirstPrefix(writer));
  parts.push(text.includes('\n') && writer.prefixes.length > 0 ? addPrefix(text, buildRestPrefix(writer)) : text);
}

/** Writes the marks of an item that holds nothing. */
export function writeEmptyItem(writer: Writer): void {
  const { parts } = writer;
  if (writer.dialect === 'text') return;
  writeGap(writer);
  parts.push(buildFirstPrefix(writer).trimEnd());
}

/** Ends the block before; the next one stands apart unless it is said again that it does not. */
function writeGap(writer: Writer): void {
  const { parts, gap, closing } = writer;
  writer.gap = 'blank';
  if (parts.length === 0) return;
  const blank = `\n${buildBlankLine(writer)}\n`;
  if (gap === 'line') closing?.closed.push({ at: parts.length, blank });
  else {
    const list = writer.prefixes.findLast(({ used }) => used)?.list;
    if (list !== undefined) list.loose = true;
  }
  parts.push(gap === 'line' ? '\n' : blank);
}

/** The next block follows on the next line, unless the items of the list turn out to be set apart. */
export function joinNextBlock(writer: Writer, list: OpenList | undefined): void {
  writer.gap = 'line';
  writer.closing = list;
}

/** Sets the items of a list apart where one of them holds a blank line: readers do so to all of them then (CommonMark, loose lists). */
export function settleList({ parts }: Writer, { closed, loose }: OpenList): void {
  if (loose) for (const { at, blank } of closed) parts[at] = blank;
}

/** The first of two signs for a list, or the other one right after a list that has the first: they would be one list. */
export function chooseListSign({ parts, prefixes, ended }: Writer, [usual, other]: readonly [string, string]): string {
  const beside = ended !== null && ended.end === parts.length && ended.within === prefixes.at(-1);
  return beside && ended.sign === usual ? other : usual;
}

export function noteListEnd(writer: Writer, sign: string): void {
  writer.ended = { end: writer.parts.length, within: writer.prefixes.at(-1), sign };
}

/** Writes what `write` writes behind marks; `first` stands before its first line only. */
export function writePrefixed(writer: Writer, marks: LinePrefixes, write: () => void): void {
  if (writer.prefixes.length >= MAX_PREFIXES || writer.dialect === 'text') return write();
  writer.prefixes.push({ ...marks, used: false });
  write();
  writer.prefixes.pop();
}

/** Joined: put together one by one, the marks of each line would be a chain of as many strings. */
function buildFirstPrefix(writer: Writer): string {
  const marks: string[] = [];
  for (const prefix of writer.prefixes) {
    marks.push(prefix.used ? prefix.rest : prefix.first);
    prefix.used = true;
  }
  return marks.join('');
}

function buildRestPrefix(writer: Writer): string {
  return writer.prefixes.map(({ rest }) => rest).join('');
}

/** A blank line continues the quotes that are open already. */
function buildBlankLine(writer: Writer): string {
  return writer.prefixes
    .map(({ used, rest }) => (used ? rest : ''))
    .join('')
    .trimEnd();
}

function addPrefix(text: string, prefix: string): string {
  const blank = prefix.trimEnd();
  return inPortions(text, cutBeforeLine, (part) =>
    part
      .split('\n')
      .map((line, at) => (at === 0 ? line : line === '' ? blank : prefix + line))
      .join('\n'),
  );
}

/** Later portions begin with the end of a line, so that what follows it is whole, or within a line. */
function cutBeforeLine(text: string, from: number, to: number): number {
  const at = text.slice(from + 1, to).lastIndexOf('\n');
  return at < 0 ? to : from + 1 + at;
}
