import type { Footnotes } from './footnotes.ts';
import { escapeText } from './escape.ts';
import { type Formula, splitFormulas, mayHaveFormula, hasTypesetter } from './math.ts';
import { readCharacters, WHITESPACE } from '#extract/html/tree.ts';
import type { View } from '#extract/view/view.ts';
import { cutBesideSpace, transformInPortions, replaceCharacter } from '#extract/values/portions.ts';
import type { HeadingAnchors } from './heading-anchors.ts';
import type { PageTabs } from './tabs.ts';
import type { Writer } from './writer.ts';

/** The state of rendering a page: the output, and the run of inline content that is not yet written as a block. */
export type RenderState = {
  readonly view: View;
  readonly writer: Writer;
  readonly plain: boolean;
  readonly footnotes: Footnotes;
  parts: string[];
  /** Whether the run ends with white space, so that further white space is dropped. */
  spaced: boolean;
  inCell: boolean;
  /** Whether a block inside a cell has ended, so that what follows starts on a new line. */
  cellBreak: boolean;
  /** Whether the run must stay on one line, as in a heading or a cell. */
  inLine: boolean;
  inLink: boolean;
  /** The heading that is being written; 0 outside of one. */
  heading: number;
  /** Where the anchors of headings are collected; null if they are not needed. */
  readonly anchors: HeadingAnchors | null;
  /** Whether the page has a script that typesets formulas; null until a text may contain one. */
  hasTypesetter: boolean | null;
  /** Whether the style of the current element preserves line breaks. */
  keepsLines: boolean;
  /** Whether the items of the current list are on consecutive lines. */
  tight: boolean;
  /** The open inline marks: strong, emphasis, deleted, superscript or subscript. */
  readonly open: Set<string>;
  /** Elements that are already written in another form, such as the titles of admonitions. */
  readonly written: Set<number>;
  /** The tabs of the page; null until one of their parts is written. */
  tabs: PageTabs | null;
  /** The last code span: the run that it is in, its index there and its text. */
  code: { readonly parts: readonly string[]; readonly at: number; readonly text: string } | null;
  /** The target of a link around blocks that no text has received yet. */
  pendingLink: string | null;
};

/** Takes the run as a string, and starts an empty one. */
export function takeRun(r: RenderState): string {
  const run = r.parts.length === 1 ? (r.parts[0] ?? '') : r.parts.join('');
  r.parts = [];
  r.spaced = true;
  r.cellBreak = false;
  return run;
}

const SPACES = /[ \t\r\n\f]{2,}|[\t\r\n\f]/g;
const ANY_SPACES = / {2}|[\t\r\n\f]/;
const WIDE = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303F\\uFF01-\\uFF60]';
/** A line break between characters of scripts without spaces; browsers show no space there either. */
const WIDE_BREAK = new RegExp(`(?<=${WIDE})[ \\t]*\\n\\s*(?=${WIDE})`, 'gu');
const EAST_ASIAN = /[\u3000-\u9FFF]/;

/** Adds a text node to the run, with white space collapsed. */
export function writeText(r: RenderState, node: number): void {
  const { tree } = r.view;
  if (((tree.flags[node] ?? 0) & WHITESPACE) !== 0) return writeSpace(r);
  const label = r.footnotes.labelled.size === 0 ? 0 : (r.footnotes.labelled.get(node) ?? 0);
  const source = label === 0 ? readCharacters(tree, node) : readCharacters(tree, node).slice(label);
  if (!r.keepsLines || !source.includes('\n')) return writeCharacters(r, source);
  const [first = '', ...lines] = source.split(/\r?\n/);
  writeCharacters(r, first);
  for (const line of lines) {
    writeBreak(r);
    writeCharacters(r, line);
  }
}

function writeCharacters(r: RenderState, source: string): void {
  const joined = source.includes('\n') && EAST_ASIAN.test(source) ? source.replace(WIDE_BREAK, '') : source;
  // Testing first is cheaper than replacing nothing.
  let text = ANY_SPACES.test(joined)
    ? transformInPortions(joined, cutBesideSpace, (part) => part.replace(SPACES, ' '))
    : joined;
  if (r.spaced && text.startsWith(' ')) text = text.slice(1);
  if (text === '') return;
  startLine(r);
  r.spaced = text.endsWith(' ');
  r.parts.push(!r.plain && mayHaveFormula(text) && isTypeset(r) ? renderFormulas(r, text) : escapeForRun(r, text));
}

/** Whether a script of the page typesets TeX between delimiters in its text. */
function isTypeset(r: RenderState): boolean {
  r.hasTypesetter ??= hasTypesetter(r.view.tree);
  return r.hasTypesetter;
}

/** Renders the formulas in a text, and escapes the rest. */
function renderFormulas(r: RenderState, text: string): string {
  const pieces = splitFormulas(text).map((piece) =>
    typeof piece === 'string' ? escapeForRun(r, piece) : escapeForCell(r, formatFormula(r, piece)),
  );
  return pieces.join('');
}

/** A formula between dollar signs, as GitHub and most Markdown readers with formulas expect. */
export function formatFormula(r: RenderState, { tex, display }: Formula): string {
  return display && !r.inLine ? `$$${tex}$$` : `$${tex}$`;
}

/** Escapes text for Markdown and, inside a cell, for a table row. */
export function escapeForRun(r: RenderState, text: string): string {
  return r.plain ? text : escapeForCell(r, escapeText(text));
}

/** Escapes Markdown for a table row if the run is inside a cell. */
export function escapeForCell(r: RenderState, markdown: string): string {
  return r.inCell && !r.plain ? replaceCharacter(markdown, '|', '\\|') : markdown;
}

/** Adds a space, unless the run already ends with white space. */
export function writeSpace(r: RenderState): void {
  if (r.spaced) return;
  r.parts.push(' ');
  r.spaced = true;
}

/** Adds finished Markdown, which must neither start nor end with a space. */
export function writeMarkdown(r: RenderState, text: string): void {
  startLine(r);
  r.parts.push(text);
  r.spaced = false;
}

function startLine(r: RenderState): void {
  if (!r.cellBreak) return;
  r.cellBreak = false;
  if (r.parts.length > 0 && r.parts.at(-1) !== '<br>') r.parts.push('<br>');
}

/** Adds a line break: `<br>` in a cell, a space where the run must stay on one line. */
export function writeBreak(r: RenderState): void {
  if (r.inCell && !r.plain) {
    writeMarkdown(r, '<br>');
    r.spaced = true;
    return;
  }
  if (r.inLine || r.inLink || r.inCell) return writeSpace(r);
  r.parts.push('\n');
  r.spaced = true;
}

/** The edge of an inline element that is displayed on its own line. */
export function writeLineEdge(r: RenderState): void {
  if (r.inCell || r.inLine || r.inLink) return writeEdge(r);
  if (r.parts.length > 0 && r.parts.at(-1) !== '\n') writeBreak(r);
}

/** The edge of a block within a line: a line break in a cell, else a space. */
export function writeEdge(r: RenderState): void {
  if (!r.inCell || r.plain) return writeSpace(r);
  r.cellBreak = true;
  r.spaced = true;
}

/** White space at one end of collected content. */
type EdgeSpace = '' | ' ' | '\n';
export type CollectedRun = {
  readonly before: EdgeSpace;
  readonly text: string;
  readonly after: EdgeSpace;
  /** Whether the content ended with a block inside its cell. */
  readonly broken: boolean;
};

/** Collects what `write` adds to the run and removes it from the run; surrounding white space is returned separately. */
export function collectRun(r: RenderState, write: () => void): CollectedRun {
  const { parts: outer, spaced, cellBreak } = r;
  r.parts = [];
  r.spaced = false;
  r.cellBreak = false;
  write();
  const run = r.parts.length === 1 ? (r.parts[0] ?? '') : r.parts.join('');
  const broken = r.cellBreak;
  r.parts = outer;
  r.spaced = spaced;
  r.cellBreak = cellBreak;
  const text = run.trim();
  const start = run.length - run.trimStart().length;
  return { before: toEdgeSpace(run.slice(0, start)), text, after: toEdgeSpace(run.slice(start + text.length)), broken };
}

function toEdgeSpace(space: string): EdgeSpace {
  if (space === '') return '';
  return space.includes('\n') ? '\n' : ' ';
}

/** Adds collected content with its surrounding white space. */
export function writeCollected(r: RenderState, { before, text, after, broken }: CollectedRun): void {
  writeEdgeSpace(r, before);
  if (text !== '') writeMarkdown(r, text);
  writeEdgeSpace(r, after);
  if (broken) writeEdge(r);
}

function writeEdgeSpace(r: RenderState, end: EdgeSpace): void {
  if (end === ' ') writeSpace(r);
  if (end === '\n') writeBreak(r);
}

/** The last character of the run; a space at the start of a line or run. */
export function getLastCharacter(r: RenderState): string {
  const character = r.parts.at(-1)?.at(-1) ?? ' ';
  return character === '\n' ? ' ' : character;
}
