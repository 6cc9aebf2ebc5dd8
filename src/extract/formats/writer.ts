import { inPortions } from '#extract/values/portions.ts';

/** How a page is written: as GitHub flavoured Markdown, or as the plain text of what that shows. */
export type Dialect = 'markdown' | 'text';

/** Quotes and lists nested deeper than this are written without further marks, so that output stays linear. */
const MAX_PREFIXES = 24;

type Prefix = { readonly first: string; readonly rest: string; used: boolean };

/** Collects blocks of text, each line behind the marks of the quotes and lists it stands in. */
export type Writer = {
  readonly dialect: Dialect;
  readonly parts: string[];
  readonly prefixes: Prefix[];
  /** Whether the next block starts after a blank line or on the next line. */
  gap: 'blank' | 'line';
};

export function newWriter(dialect: Dialect): Writer {
  return { dialect, parts: [], prefixes: [], gap: 'blank' };
}

/** The finished text: ends with a newline unless it is empty. */
export function finished(writer: Writer): string {
  return writer.parts.length === 0 ? '' : `${writer.parts.join('')}\n`;
}

/** Writes one block of one or more lines. */
export function writeBlock(writer: Writer, text: string): void {
  if (text === '') return;
  const { parts } = writer;
  if (parts.length > 0) parts.push(writer.gap === 'blank' ? `\n${blankLine(writer)}\n` : '\n');
  parts.push(firstPrefix(writer));
  parts.push(text.includes('\n') && writer.prefixes.length > 0 ? withPrefix(text, restPrefix(writer)) : text);
  writer.gap = 'blank';
}

/** Writes the marks of an item that holds nothing. */
export function writeEmpty(writer: Writer): void {
  const { parts } = writer;
  if (writer.dialect === 'text') return;
  if (parts.length > 0) parts.push(writer.gap === 'blank' ? `\n${blankLine(writer)}\n` : '\n');
  parts.push(firstPrefix(writer).trimEnd());
  writer.gap = 'blank';
}

/** Writes what `write` writes behind marks; `first` stands before its first line only. */
export function writePrefixed(writer: Writer, marks: { first: string; rest: string }, write: () => void): void {
  if (writer.prefixes.length >= MAX_PREFIXES || writer.dialect === 'text') return write();
  writer.prefixes.push({ ...marks, used: false });
  write();
  writer.prefixes.pop();
}

function firstPrefix(writer: Writer): string {
  let marks = '';
  for (const prefix of writer.prefixes) {
    marks += prefix.used ? prefix.rest : prefix.first;
    prefix.used = true;
  }
  return marks;
}

function restPrefix(writer: Writer): string {
  return writer.prefixes.map(({ rest }) => rest).join('');
}

/** A blank line continues the quotes that are open already. */
function blankLine(writer: Writer): string {
  let marks = '';
  for (const prefix of writer.prefixes) if (prefix.used) marks += prefix.rest;
  return marks.trimEnd();
}

function withPrefix(text: string, prefix: string): string {
  const blank = prefix.trimEnd();
  return inPortions(text, beforeLine, (part) =>
    part
      .split('\n')
      .map((line, at) => (at === 0 ? line : line === '' ? blank : prefix + line))
      .join('\n'),
  );
}

/** Later portions begin with the end of a line, so that what follows it is whole, or within a line. */
function beforeLine(text: string, from: number, to: number): number {
  const at = text.slice(from + 1, to).lastIndexOf('\n');
  return at < 0 ? to : from + 1 + at;
}
