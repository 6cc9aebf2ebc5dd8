import type { Footnotes } from './footnotes.ts';
import { escapeText } from './escape.ts';
import { type Formula, splitFormulas, mayHaveFormula, hasTypesetter } from './math.ts';
import { charactersOf, WHITESPACE } from '#extract/html/tree.ts';
import type { View } from '#extract/view/view.ts';
import { cutBesideSpace, inPortions, replaceEach } from '#extract/values/portions.ts';
import type { PageTabs } from './tabs.ts';
import type { Writer } from './writer.ts';

/** A page being written: where it goes, and the run of inline content not yet written as a block. */
export type RenderState = {
  readonly view: View;
  readonly writer: Writer;
  readonly plain: boolean;
  readonly footnotes: Footnotes;
  parts: string[];
  /** The run ends with whitespace, so more of it is dropped. */
  spaced: boolean;
  inCell: boolean;
  /** A block of a cell has ended: what follows in the cell starts on a new line. */
  cellBreak: boolean;
  /** The run has to stay one line: a heading, a cell. */
  inLine: boolean;
  inLink: boolean;
  /** The heading that is being written, 0 for none. */
  heading: number;
  /** Whether the page typesets formulas in its text; unknown until a text may hold one. */
  hasTypesetter: boolean | null;
  /** The style of what is written shows the line breaks of the source. */
  keepsLines: boolean;
  /** Items of the list being written stand on lines next to each other. */
  tight: boolean;
  /** Marks that are open: strong, emphasis, deleted, raised or lowered. */
  readonly open: Set<string>;
  /** Elements that are written already in another form, such as the titles of remarks. */
  readonly written: Set<number>;
  /** The tabs of the page; unknown until one of its parts is written. */
  tabs: PageTabs | null;
  /** The code span that was written last: the run that it is in, its place there and its text. */
  code: { readonly parts: readonly string[]; readonly at: number; readonly text: string } | null;
  /** The target of a link around blocks that no text has carried yet. */
  pendingLink: string | null;
};

/** The run as one string; the next one starts empty. */
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
/** A line break of the source between letters of scripts without spaces; a browser shows none there either. */
const WIDE_BREAK = new RegExp(`(?<=${WIDE})[ \\t]*\\n\\s*(?=${WIDE})`, 'gu');
const EAST_ASIAN = /[\u3000-\u9FFF]/;

/** Adds a text node to the run, its whitespace collapsed. */
export function writeText(r: RenderState, node: number): void {
  const { tree } = r.view;
  if (((tree.flags[node] ?? 0) & WHITESPACE) !== 0) return writeSpace(r);
  const label = r.footnotes.labelled.size === 0 ? 0 : (r.footnotes.labelled.get(node) ?? 0);
  const source = label === 0 ? charactersOf(tree, node) : charactersOf(tree, node).slice(label);
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
  // To ask is cheaper than to replace nothing.
  let text = ANY_SPACES.test(joined) ? inPortions(joined, cutBesideSpace, (part) => part.replace(SPACES, ' ')) : joined;
  if (r.spaced && text.startsWith(' ')) text = text.slice(1);
  if (text === '') return;
  startLine(r);
  r.spaced = text.endsWith(' ');
  r.parts.push(!r.plain && mayHaveFormula(text) && isTypeset(r) ? renderFormulas(r, text) : escapeForRun(r, text));
}

/** Whether a script of the page turns TeX between delimiters in its text into formulas. */
function isTypeset(r: RenderState): boolean {
  r.hasTypesetter ??= hasTypesetter(r.view.tree);
  return r.hasTypesetter;
}

/** Text with the formulas in it as Markdown has them, and the rest escaped. */
function renderFormulas(r: RenderState, text: string): string {
  const pieces = splitFormulas(text).map((piece) =>
    typeof piece === 'string' ? escapeForRun(r, piece) : escapeForCell(r, formatFormula(r, piece)),
  );
  return pieces.join('');
}

/** A formula between dollar signs, as GitHub and most readers of Markdown with formulas take it. */
export function formatFormula(r: RenderState, { tex, display }: Formula): string {
  return display && !r.inLine ? `$$${tex}$$` : `$${tex}$`;
}

/** Text as the run shows it: escaped as Markdown and, in a cell, as part of a row. */
export function escapeForRun(r: RenderState, text: string): string {
  return r.plain ? text : escapeForCell(r, escapeText(text));
}

/** Markdown that holds as part of a row when it is in one. */
export function escapeForCell(r: RenderState, markdown: string): string {
  return r.inCell && !r.plain ? replaceEach(markdown, '|', '\\|') : markdown;
}

export function writeSpace(r: RenderState): void {
  if (r.spaced) return;
  r.parts.push(' ');
  r.spaced = true;
}

/** Adds finished Markdown that neither starts nor ends with a space. */
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

/** The edge of what stands on lines of its own between words. */
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

/** Whitespace that stood at one end of collected content. */
type EdgeSpace = '' | ' ' | '\n';
export type CollectedRun = {
  readonly before: EdgeSpace;
  readonly text: string;
  readonly after: EdgeSpace;
  /** The content ended with a block of its cell. */
  readonly broken: boolean;
};

/** The text that `write` adds to the run, removed from it again, with the whitespace around it. */
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

/** The last character of the run, a space where a line or the run starts. */
export function getLastCharacter(r: RenderState): string {
  const character = r.parts.at(-1)?.at(-1) ?? ' ';
  return character === '\n' ? ' ' : character;
}
