import { besideSame, canDelimit, edgeAfter } from './emphasis.ts';
import { escapeText, toDestination, toTitle } from './escape.ts';
import { codeText, fenceFor } from './code.ts';
import { imageUrl } from './images.ts';
import { texOf } from './math.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { byTag } from '#extract/html/tags.ts';
import {
  charactersOf,
  firstChildOf,
  isElement,
  isText,
  knownAttribute,
  nextOf,
  tagOf,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { isBlock, isUnseen } from '#extract/content/view.ts';
import type { View } from '#extract/content/view.ts';
import type { Writer } from './writer.ts';

/** A page being written: where it goes, and the run of inline content not yet written as a block. */
export type Render = {
  readonly view: View;
  readonly writer: Writer;
  readonly plain: boolean;
  parts: string[];
  /** The run ends with whitespace, so more of it is dropped. */
  spaced: boolean;
  inCell: boolean;
  /** The run has to stay one line: a heading, a cell. */
  inLine: boolean;
  inLink: boolean;
  /** Marks that are open: strong, emphasis, deleted, raised or lowered; none opens twice. */
  readonly open: Set<string>;
  /** The target of a link around blocks that no text has carried yet. */
  pendingLink: string | null;
};

type Visit = (r: Render, node: number) => void;

const VISITS: readonly Visit[] = byTag<Visit>(writeChildren, [
  ['br', writeBreak],
  ['wbr', () => {}],
  ['strong b', (r, node) => writeEmphasis(r, node, 'strong')],
  ['em i', (r, node) => writeEmphasis(r, node, 'em')],
  ['del s strike', (r, node) => writeEmphasis(r, node, 'del')],
  ['sup', (r, node) => writeRaised(r, node, 'sup')],
  ['sub', (r, node) => writeRaised(r, node, 'sub')],
  ['code tt kbd samp', writeCode],
  ['a', writeLink],
  ['img amp-img amp-anim', writeImage],
  ['input', writeCheckbox],
  ['math', writeMath],
  ['svg', () => {}],
  ['q', writeQuote],
  ['span', writeSpan],
  ['video audio iframe embed', writeMedia],
]);

/** Adds a node to the run. */
export function writeInline(r: Render, node: number): void {
  if (r.view.kept[node] !== 1) return;
  if (isText(r.view.tree, node)) return writeText(r, node);
  const tag = tagOf(r.view.tree, node);
  if (isUnseen(tag)) return;
  const visit = VISITS[tag] ?? writeChildren;
  if (!isBlock(r.view.tree, node)) return visit(r, node);
  // A block that has to stay within a line is set off by spaces.
  writeSpace(r);
  visit(r, node);
  writeSpace(r);
}

export function writeChildren(r: Render, node: number): void {
  const { tree } = r.view;
  for (let child = firstChildOf(tree, node); child !== 0; child = nextOf(tree, child)) writeInline(r, child);
}

/** The run as one string; the next one starts empty. */
export function takeRun(r: Render): string {
  const run = r.parts.length === 1 ? (r.parts[0] ?? '') : r.parts.join('');
  r.parts = [];
  r.spaced = true;
  return run;
}

const SPACES = /[ \t\r\n\f]{2,}|[\t\r\n\f]/g;

function writeText(r: Render, node: number): void {
  if (((r.view.tree.flags[node] ?? 0) & WHITESPACE) !== 0) return writeSpace(r);
  let text = charactersOf(r.view.tree, node).replace(SPACES, ' ');
  if (r.spaced && text.startsWith(' ')) text = text.slice(1);
  if (text === '') return;
  r.spaced = text.endsWith(' ');
  r.parts.push(escaped(r, text));
}

function escaped(r: Render, text: string): string {
  if (r.plain) return text;
  const safe = escapeText(text);
  return r.inCell && safe.includes('|') ? safe.replaceAll('|', '\\|') : safe;
}

function writeSpace(r: Render): void {
  if (r.spaced) return;
  r.parts.push(' ');
  r.spaced = true;
}

/** Adds finished Markdown that neither starts nor ends with a space. */
function writeMarked(r: Render, text: string): void {
  r.parts.push(text);
  r.spaced = false;
}

function writeBreak(r: Render): void {
  if (r.inCell && !r.plain) return writeMarked(r, '<br>');
  if (r.inLine || r.inLink || r.inCell) return writeSpace(r);
  r.parts.push('\n');
  r.spaced = true;
}

/** Whitespace that stood at one end of collected content. */
type Edge = '' | ' ' | '\n';
type Collected = { readonly before: Edge; readonly text: string; readonly after: Edge };

/** What `write` adds to the run, taken out again: its text, and the whitespace around that. */
function collect(r: Render, write: () => void): Collected {
  const outer = r.parts;
  const spaced = r.spaced;
  r.parts = [];
  r.spaced = false;
  write();
  const run = r.parts.join('');
  r.parts = outer;
  r.spaced = spaced;
  const text = run.trim();
  const start = run.length - run.trimStart().length;
  return { before: edgeOf(run.slice(0, start)), text, after: edgeOf(run.slice(start + text.length)) };
}

function edgeOf(space: string): Edge {
  if (space === '') return '';
  return space.includes('\n') ? '\n' : ' ';
}

function writeCollected(r: Render, { before, text, after }: Collected): void {
  writeEdge(r, before);
  if (text !== '') writeMarked(r, text);
  writeEdge(r, after);
}

function writeEdge(r: Render, edge: Edge): void {
  if (edge === ' ') writeSpace(r);
  if (edge === '\n') writeBreak(r);
}

const SIGNS = { strong: '**', em: '*', del: '~~' } as const;

function writeEmphasis(r: Render, node: number, mark: keyof typeof SIGNS): void {
  if (r.plain || r.open.has(mark)) return writeChildren(r, node);
  r.open.add(mark);
  const found = collect(r, () => writeChildren(r, node));
  r.open.delete(mark);
  const inner = found.text.replace(/\s*\n\s*/g, '\n');
  if (inner === '') return writeCollected(r, found);
  const previous = found.before !== '' || r.spaced ? ' ' : lastCharacter(r);
  const next = found.after !== '' ? ' ' : edgeAfter(r.view, node);
  const sign = SIGNS[mark];
  const marked = canDelimit(previous, inner, next) && !besideSame(r.view, node);
  writeCollected(r, { ...found, text: marked ? sign + inner + sign : `<${mark}>${inner}</${mark}>` });
}

function lastCharacter(r: Render): string {
  const character = r.parts.at(-1)?.at(-1) ?? ' ';
  return character === '\n' ? ' ' : character;
}

function writeRaised(r: Render, node: number, mark: 'sup' | 'sub'): void {
  if (r.plain || r.open.has('raised')) return writeChildren(r, node);
  r.open.add('raised');
  const found = collect(r, () => writeChildren(r, node));
  r.open.delete('raised');
  writeCollected(r, { ...found, text: found.text === '' ? '' : `<${mark}>${found.text}</${mark}>` });
}

function writeCode(r: Render, node: number): void {
  const code = codeText(r.view, node).replace(/\s*\n\s*/g, ' ');
  const text = r.inCell && !r.plain ? code.replaceAll('|', '\\|') : code;
  if (text.trim() === '') return writeSpace(r);
  if (r.plain) return writeMarked(r, text);
  // The backticks of two neighbours would run together.
  if (lastCharacter(r) === '`') return writeMarked(r, `<code>${escapeText(text)}</code>`);
  const fence = fenceFor(text, '`');
  // A space inside the fence is taken off again, so it protects what starts or ends with a backtick or space.
  const pad = /^`|`$|^ .* $/s.test(text) ? ' ' : '';
  writeMarked(r, fence + pad + text + pad + fence);
}

const PERMALINK = /^[#¶§🔗\s]*$/u;

function writeLink(r: Render, node: number): void {
  const reference = knownAttribute(r.view.tree, node, ATTRIBUTE.href);
  if (r.inLink || reference === null) return writeChildren(r, node);
  const fragment = reference.trimStart().startsWith('#');
  r.inLink = true;
  const found = collect(r, () => writeChildren(r, node));
  r.inLink = false;
  if (r.inLine && fragment && PERMALINK.test(found.text.replaceAll('\\', ''))) return;
  const url = fragment ? reference.trim() : r.view.resolve(reference);
  if (found.text === '' || url === null || r.plain) return writeCollected(r, found);
  if (found.before === '') escapeBang(r);
  const title = toTitle(knownAttribute(r.view.tree, node, ATTRIBUTE.title));
  const text = `[${found.text.replace(/\s*\n\s*/g, ' ')}](${inCell(r, toDestination(url) + title)})`;
  writeCollected(r, { ...found, text });
}

function inCell(r: Render, text: string): string {
  return r.inCell ? text.replaceAll('|', '\\|') : text;
}

/** An exclamation mark right before a link would make an image of it. */
function escapeBang(r: Render): void {
  const last = r.parts.at(-1);
  if (last?.endsWith('!')) r.parts[r.parts.length - 1] = `${last.slice(0, -1)}\\!`;
}

function writeImage(r: Render, node: number): void {
  if (r.plain) return;
  const { tree, resolve } = r.view;
  const url = imageUrl(tree, node, resolve);
  if (url === null) return;
  const alt = (knownAttribute(tree, node, ATTRIBUTE.alt) ?? '').replace(/\s+/g, ' ').trim();
  const title = toTitle(knownAttribute(tree, node, ATTRIBUTE.title));
  writeMarked(r, `![${escaped(r, alt)}](${inCell(r, toDestination(url) + title)})`);
}

function writeCheckbox(r: Render, node: number): void {
  const { tree } = r.view;
  if (r.plain || knownAttribute(tree, node, ATTRIBUTE.type) !== 'checkbox') return;
  writeMarked(r, knownAttribute(tree, node, ATTRIBUTE.checked) === null ? '[ ]' : '[x]');
  writeSpace(r);
}

function writeMath(r: Render, node: number): void {
  const math = texOf(r.view.tree, node);
  if (math === null) return writeChildren(r, node);
  if (r.plain) return writeMarked(r, math.tex);
  writeMarked(r, math.display && !r.inCell ? `$$${math.tex}$$` : `$${math.tex}$`);
}

function writeQuote(r: Render, node: number): void {
  writeMarked(r, '"');
  writeChildren(r, node);
  writeMarked(r, '"');
}

const RENDERED_TWICE = /\b(katex-html|MathJax_Preview|MJX_Assistive_MathML)\b/;

/** Formulas stand in the page twice, as MathML and as drawn spans. */
function writeSpan(r: Render, node: number): void {
  const names = knownAttribute(r.view.tree, node, ATTRIBUTE.class);
  if (names !== null && RENDERED_TWICE.test(names)) return;
  writeChildren(r, node);
}

/** A player or frame as a link to what it shows. */
function writeMedia(r: Render, node: number): void {
  if (r.plain || r.inLink) return;
  const { tree, resolve } = r.view;
  const source = knownAttribute(tree, node, ATTRIBUTE.src) ?? sourceChild(r.view, node);
  const url = source === null || /^\s*about:/i.test(source) ? null : resolve(source);
  if (url === null) return;
  const title = knownAttribute(tree, node, ATTRIBUTE.title)?.trim() ?? '';
  const name = title === '' ? tree.names[tagOf(tree, node)] : title.replace(/\s+/g, ' ');
  writeMarked(r, `[${escaped(r, name ?? '')}](${inCell(r, toDestination(url))})`);
}

function sourceChild({ tree }: View, node: number): string | null {
  for (let child = firstChildOf(tree, node); child !== 0; child = nextOf(tree, child)) {
    if (isElement(tree, child) && tagOf(tree, child) === TAG.source) return knownAttribute(tree, child, ATTRIBUTE.src);
  }
  return null;
}
