import { transformInPortions } from '#extract/values/portions.ts';

/** The output format: GitHub Flavored Markdown, or plain text of the same content. */
export type TextFormat = 'markdown' | 'text';

/** Deeper nested quotes and lists get no further markers, so that the output stays linear. */
const MAX_PREFIXES = 24;

/** A list being written. Only after its last item is it known whether the list is tight or loose. */
export type OpenList = {
  /** Line breaks that become blank lines if the list is loose: their index in the parts, and the blank line. */
  readonly closed: { readonly at: number; readonly blank: string }[];
  /** Whether two blocks of an item are separated by a blank line. */
  loose: boolean;
};

/** The prefix of a block's first line and of the others; for a list item also its list. */
export type LinePrefixes = { readonly first: string; readonly rest: string; readonly list?: OpenList };
type OpenPrefix = LinePrefixes & { used: boolean };
/** The list that ended last, and the sign after its numbers or of its bullets. */
type EndedList = { readonly end: number; readonly within: OpenPrefix | undefined; readonly sign: string };

/** Collects blocks of text, each line prefixed with the markers of the surrounding quotes and lists. */
export type Writer = {
  readonly dialect: TextFormat;
  readonly parts: string[];
  readonly prefixes: OpenPrefix[];
  /** Whether the next block starts after a blank line or on the next line. */
  gap: 'blank' | 'line';
  /** The list to which the next line break belongs. */
  closing: OpenList | undefined;
  ended: EndedList | null;
};

/** Creates a writer without any output. */
export function createWriter(dialect: TextFormat): Writer {
  return { dialect, parts: [], prefixes: [], gap: 'blank', closing: undefined, ended: null };
}

/** The finished text, with a line break at the end unless it is empty. */
export function finishText(writer: Writer): string {
  return writer.parts.length === 0 ? '' : `${writer.parts.join('')}\n`;
}

/** Writes a block of one or more lines. */
export function writeBlock(writer: Writer, text: string): void {
  if (text === '') return;
  const { parts } = writer;
  writeGap(writer);
  parts.push(buildFirstPrefix(writer));
  parts.push(text.includes('\n') && writer.prefixes.length > 0 ? addPrefix(text, buildRestPrefix(writer)) : text);
}

/** Writes the marker of an empty item. */
export function writeEmptyItem(writer: Writer): void {
  const { parts } = writer;
  if (writer.dialect === 'text') return;
  writeGap(writer);
  parts.push(buildFirstPrefix(writer).trimEnd());
}

/** Ends the previous block; the next one is separated by a blank line unless `joinNextBlock` was called. */
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

/** Lets the next block follow without a blank line, unless the list turns out to be loose. */
export function joinNextBlock(writer: Writer, list: OpenList | undefined): void {
  writer.gap = 'line';
  writer.closing = list;
}

/**
 * Inserts blank lines between the items if the list is loose: Markdown readers then separate all of its items
 * (CommonMark, loose lists).
 */
export function settleList({ parts }: Writer, { closed, loose }: OpenList): void {
  if (loose) for (const { at, blank } of closed) parts[at] = blank;
}

/** The usual list sign, or the other one directly after a list with the same sign, because the lists would merge. */
export function chooseListSign({ parts, prefixes, ended }: Writer, [usual, other]: readonly [string, string]): string {
  const beside = ended !== null && ended.end === parts.length && ended.within === prefixes.at(-1);
  return beside && ended.sign === usual ? other : usual;
}

/** Records the end of a list, so that a following list can use another sign. */
export function noteListEnd(writer: Writer, sign: string): void {
  writer.ended = { end: writer.parts.length, within: writer.prefixes.at(-1), sign };
}

/** Writes what `write` writes with prefixes; `first` is for its first line only. */
export function writePrefixed(writer: Writer, marks: LinePrefixes, write: () => void): void {
  if (writer.prefixes.length >= MAX_PREFIXES || writer.dialect === 'text') return write();
  writer.prefixes.push({ ...marks, used: false });
  write();
  writer.prefixes.pop();
}

/** Joins the prefixes at once: V8 would keep repeated concatenation as a chain of strings. */
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

/** A blank line with the prefixes of the open quotes. */
function buildBlankLine(writer: Writer): string {
  return writer.prefixes
    .map(({ used, rest }) => (used ? rest : ''))
    .join('')
    .trimEnd();
}

function addPrefix(text: string, prefix: string): string {
  const blank = prefix.trimEnd();
  return transformInPortions(text, cutBeforeLine, (part) =>
    part
      .split('\n')
      .map((line, at) => (at === 0 ? line : line === '' ? blank : prefix + line))
      .join('\n'),
  );
}

/** Cuts before a line break if there is one, so that each portion after the first starts with one or in the middle of a line. */
function cutBeforeLine(text: string, from: number, to: number): number {
  const at = text.slice(from + 1, to).lastIndexOf('\n');
  return at < 0 ? to : from + 1 + at;
}
