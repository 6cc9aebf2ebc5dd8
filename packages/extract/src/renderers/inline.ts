import {
  hasOwnLine,
  keepsLines,
  canDelimit,
  findCharacterAfter,
  hasNormalWeight,
  touchesSameEmphasis,
} from './inline-style.ts';
import { escapeText, toDestination, toTitle } from './escape.ts';
import { readCodeText, buildFence, isCopyButton } from './code.ts';
import {
  writeDrawnFormula,
  writeScript,
  writeCheckbox,
  writeFormula,
  writeImage,
  writeMedia,
} from './inline-objects.ts';
import { readFormula } from './math.ts';
import {
  collectRun,
  type CollectedRun,
  escapeForRun,
  escapeForCell,
  getLastCharacter,
  type RenderState,
  takeRun,
  writeBreak,
  writeCollected,
  writeEdge,
  writeLineEdge,
  writeMarkdown,
  writeSpace,
  writeText,
} from './inline-run.ts';
import {
  readCollapsedText,
  getFirstChild,
  isText,
  getKnownAttribute,
  getTagName,
  getNextSibling,
  getParent,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagTable } from '#extract/html/tags.ts';
import { isPlayer } from '#extract/view/players.ts';
import { isBlock, isUnseen, type View } from '#extract/view/view.ts';
import { joinLines } from '#extract/values/portions.ts';

type Visit = (r: RenderState, node: number) => void;

const VISITS: readonly Visit[] = buildTagTable<Visit>(writeChildren, [
  ['br', writeBreak],
  ['wbr', () => {}],
  [
    'strong b',
    (r, node) => (hasNormalWeight(r.view.tree, node) ? writeChildren(r, node) : writeEmphasis(r, node, 'strong')),
  ],
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
  ['rt', writeRubyText],
  ['bdo', writeDirectionOverride],
  ['pre listing xmp plaintext', writeCodeInLine],
  ['span', writeBox],
  ['time', writeTime],
  ['video audio iframe embed', writeMedia],
]);

/** Adds a node to the run. */
export function writeInline(r: RenderState, node: number): void {
  const { tree } = r.view;
  const tag = getTag(tree, node);
  if (tag === TAG.script) return writeScript(r, node);
  // Only the fallback content of an object is hidden, not the object itself.
  if (tag === TAG.object) return writeMedia(r, node);
  if (r.view.kept[node] !== 1) return;
  if (tag === TAG.text) return writeText(r, node);
  if (isUnseen(tree, node)) return;
  // Custom elements may render formulas.
  const visit = VISITS[tag] ?? writeBox;
  if (tree.attributeCount[node] !== 0 && !isBlock(tree, node)) return writeStyled(r, node, visit);
  if (!isBlock(tree, node)) return visit(r, node);
  // A block inside a line is separated from it.
  writeEdge(r);
  visit(r, node);
  writeEdge(r);
}

/** Writes an inline element according to its style: on its own line, or with its line breaks preserved. */
function writeStyled(r: RenderState, node: number, visit: Visit): void {
  const { tree } = r.view;
  const outer = r.keepsLines;
  r.keepsLines = keepsLines(tree, node) ?? outer;
  const standsAlone = hasOwnLine(tree, node);
  if (standsAlone) writeLineEdge(r);
  visit(r, node);
  if (standsAlone) writeLineEdge(r);
  r.keepsLines = outer;
}

/** Adds the children of a node to the run. */
export function writeChildren(r: RenderState, node: number): void {
  const { tree } = r.view;
  for (let child = getFirstChild(tree, node); child !== 0; child = getNextSibling(tree, child)) writeInline(r, child);
}

/** Renders the inline content of a node as one line. */
export function renderInlineLine(r: RenderState, node: number): string {
  const outer = r.inLine;
  r.inLine = true;
  writeChildren(r, node);
  r.inLine = outer;
  return joinLines(takeRun(r), ' ').trim();
}

const EMPHASIS_SIGNS = { strong: '**', em: '*', del: '~~' } as const;

function writeEmphasis(r: RenderState, node: number, mark: keyof typeof EMPHASIS_SIGNS): void {
  if (r.plain) return writeChildren(r, node);
  if (r.open.has(mark)) return writeNestedEmphasis(r, node, mark);
  const found = collectMarked(r, node, mark);
  const inner = joinLines(found.text, '\n');
  if (inner === '') return writeCollected(r, found);
  const previous = found.before !== '' || r.spaced ? ' ' : getLastCharacter(r);
  const next = found.after !== '' ? ' ' : findCharacterAfter(r.view, node);
  const sign = EMPHASIS_SIGNS[mark];
  const signed = canDelimit(previous, inner, next) && !touchesSameEmphasis(r.view, node, { previous, next });
  writeCollected(r, { ...found, text: signed ? sign + inner + sign : `<${mark}>${inner}</${mark}>` });
}

function collectMarked(r: RenderState, node: number, mark: string): CollectedRun {
  r.open.add(mark);
  const found = collectRun(r, () => writeChildren(r, node));
  r.open.delete(mark);
  return found;
}

/** Writes emphasis within the same kind of emphasis; HTML gives nested `strong` and `em` a meaning. */
function writeNestedEmphasis(r: RenderState, node: number, mark: keyof typeof EMPHASIS_SIGNS): void {
  const again = `${mark} again`;
  if (getTagName(r.view.tree, node) !== mark || r.open.has(again) || isOnlyChild(r, node))
    return writeChildren(r, node);
  const found = collectMarked(r, node, again);
  writeCollected(r, found.text === '' ? found : { ...found, text: `<${mark}>${found.text}</${mark}>` });
}

/** Whether an element is the only visible child of its parent. */
function isOnlyChild({ view: { tree } }: RenderState, node: number): boolean {
  const isBlank = (sibling: number) => sibling === 0 || ((tree.flags[sibling] ?? 0) & WHITESPACE) !== 0;
  return isBlank(getPreviousSibling(tree, node)) && isBlank(getNextSibling(tree, node));
}

const REFERENCES = /^(?:\\\[)?((?:\[\^[\w-]+\](?:, ?| )?)+)(?:\\\])?$/;

function writeRaised(r: RenderState, node: number, mark: 'sup' | 'sub'): void {
  if (r.plain || r.open.has('raised')) return writeChildren(r, node);
  const found = collectMarked(r, node, 'raised');
  if (found.text === '') return writeCollected(r, found);
  const references = REFERENCES.exec(found.text)?.[1];
  writeCollected(r, { ...found, text: references?.trim() ?? `<${mark}>${found.text}</${mark}>` });
}

function writeCode(r: RenderState, node: number): void {
  const link = r.inLink || r.plain ? 0 : findWrappedLink(r.view, node);
  if (link !== 0) return writeLinked(r, link, () => writeCode(r, node));
  const code = joinLines(readCodeText(r.view, node), ' ');
  if (code === '' || (r.plain && code.trim() === '')) return writeSpace(r);
  const text = escapeForCell(r, code);
  if (r.plain) return writeMarkdown(r, text);
  // Two adjacent code spans are merged, because their backticks would run together.
  const { code: before } = r;
  if (before !== null && before.parts === r.parts && before.at === r.parts.length - 1) {
    r.parts.pop();
    return writeCodeSpan(r, before.text + text);
  }
  if (OPEN_BACKTICK.test(r.parts.at(-1) ?? '')) return writeMarkdown(r, `<code>${escapeText(text)}</code>`);
  writeCodeSpan(r, text);
}

/** The link inside an element that contains all of its text; 0 if there is none. */
function findWrappedLink({ tree, kept }: View, node: number): number {
  const end = getSubtreeEnd(tree, node);
  let link = 0;
  for (let at = node + 1; at < end; at++) {
    if (kept[at] !== 1) continue;
    if (isText(tree, at)) {
      if (((tree.flags[at] ?? 0) & WHITESPACE) === 0) return 0;
    } else if (getTag(tree, at) === TAG.a && getKnownAttribute(tree, at, ATTRIBUTE.href) !== null) {
      if (link !== 0) return 0;
      link = at;
      at = getSubtreeEnd(tree, at) - 1;
    }
  }
  return link;
}

/** A backtick that is not escaped. */
const OPEN_BACKTICK = /(?<!\\)`$/;

function writeCodeSpan(r: RenderState, text: string): void {
  const fence = buildFence(text, '`');
  // Markdown strips one space inside the fence, so padding protects a backtick or space at the edge.
  const pad = /^`|`$|^ .*[^ ].* $/s.test(text) ? ' ' : '';
  writeMarkdown(r, fence + pad + text + pad + fence);
  r.code = { parts: r.parts, at: r.parts.length - 1, text };
}

const ANCHOR_SIGN = /^[#¶§🔗\s\u200B\uFEFF]*$/u;

function writeLink(r: RenderState, node: number): void {
  const label = r.footnotes.references.get(node);
  if (label !== undefined) return writeReference(r, label);
  if (r.footnotes.dropped.has(node)) return;
  const reference = getKnownAttribute(r.view.tree, node, ATTRIBUTE.href);
  if (r.inLink || reference === null) return writeChildren(r, node);
  const names = getKnownAttribute(r.view.tree, node, ATTRIBUTE.class) ?? '';
  if (reference.trim() === '#' && isCopyButton(r.view.tree, node, names)) return writeSpace(r);
  if (SOURCE_LINK_CLASS.test(names) || isSphinxSourceLink(r, node)) return;
  if (r.heading !== 0 && reference.startsWith('#') && ANCHOR_WORDS.test(readCollapsedText(r.view.tree, node, 60)))
    return;
  if (r.heading !== 0 && isOwnAnchor(r, reference)) {
    if (isAnchorText(readCollapsedText(r.view.tree, node))) return;
    // The link is the text of the heading or its number.
    if (r.parts.length === 0) return writeChildren(r, node);
  }
  writeLinked(r, node, () => writeChildren(r, node));
}

/** Writes a link whose text is what `write` writes. */
function writeLinked(r: RenderState, node: number, write: () => void): void {
  const reference = getKnownAttribute(r.view.tree, node, ATTRIBUTE.href) ?? '';
  const fragment = reference.trimStart().startsWith('#');
  r.inLink = true;
  const found = collectRun(r, write);
  r.inLink = false;
  const mayBeSign = r.heading !== 0 || (r.inLine && reference.includes('#')) || (fragment && found.text !== '');
  if (mayBeSign && isAnchorSign(found.text)) return;
  const url = fragment ? reference.trim() : r.view.findTarget(node);
  if (found.text === '' || url === null || r.plain) return writeCollected(r, found);
  if (found.before === '') escapeBang(r);
  const title = toTitle(getKnownAttribute(r.view.tree, node, ATTRIBUTE.title));
  const text = `[${joinLines(found.text, ' ')}](${escapeForCell(r, toDestination(url) + title)})`;
  writeCollected(r, { ...found, text });
}

/** Whether a link text is empty or an anchor sign. */
function isAnchorSign(text: string): boolean {
  const bare = text.replaceAll(EMPHASIS_MARKUP, '');
  return bare === '' ? text === '' : ANCHOR_SIGN.test(bare);
}

/** The Markdown of inline elements around an anchor sign. */
const EMPHASIS_MARKUP = /[\\*_`~]|<\/?[a-z]+>/g;

/** Source code links of documentation generators. */
const SOURCE_LINK_CLASS = /(?:^|\s)srclink(?:\s|$)/;

/** Whether a link is a "[source]" link of Sphinx. */
function isSphinxSourceLink({ view: { tree } }: RenderState, node: number): boolean {
  const first = getFirstChild(tree, node);
  return getTag(tree, first) === TAG.span && getKnownAttribute(tree, first, ATTRIBUTE.class) === 'viewcode-link';
}

/** Whether a link in a heading leads to the heading itself, whatever its text. */
function isOwnAnchor({ view: { tree }, heading }: RenderState, reference: string): boolean {
  const fragment = reference.slice(reference.indexOf('#') + 1).trim();
  if (fragment === '' || !reference.includes('#')) return false;
  const end = Math.min(getSubtreeEnd(tree, heading), heading + MAX_ANCHOR_NODES);
  for (let node = heading; node < end; node++)
    if (getKnownAttribute(tree, node, ATTRIBUTE.id) === fragment) return true;
  return getKnownAttribute(tree, getParent(tree, heading), ATTRIBUTE.id) === fragment;
}

const MAX_ANCHOR_NODES = 24;

const ANCHOR_WORDS = /^(?:permalink|(?:direct |copy |anchor )?link(?: to .*)?|anchor)$/i;

/** Whether a link text is the sign or word of an anchor. */
function isAnchorText(text: string): boolean {
  return ANCHOR_SIGN.test(text) || ANCHOR_WORDS.test(text);
}

function writeReference(r: RenderState, label: string): void {
  escapeBang(r);
  writeMarkdown(r, `[^${label}]`);
}

/** Escapes an exclamation mark right before a link, which would turn it into an image. */
function escapeBang(r: RenderState): void {
  const last = r.parts.at(-1);
  if (last?.endsWith('!')) r.parts[r.parts.length - 1] = `${last.slice(0, -1)}\\!`;
}

function writeQuote(r: RenderState, node: number): void {
  writeMarkdown(r, '"');
  writeChildren(r, node);
  writeMarkdown(r, '"');
}

function writeMath(r: RenderState, node: number): void {
  // If the whole has no formula, its parts have none either.
  if (r.open.has('math')) return writeChildren(r, node);
  const formula = readFormula(r.view.tree, node);
  if (formula !== null) return writeFormula(r, formula);
  r.open.add('math');
  writeChildren(r, node);
  r.open.delete('math');
}

/** Section edit links of MediaWiki. */
const EDIT_LINK_CLASS = /(?:^|\s)(?:mw-)?editsection(?:\s|$)/;
function writeBox(r: RenderState, node: number): void {
  const names = getKnownAttribute(r.view.tree, node, ATTRIBUTE.class);
  if (names !== null && EDIT_LINK_CLASS.test(names)) return;
  if (names !== null && isCopyButton(r.view.tree, node, names)) return writeSpace(r);
  if (r.footnotes.dropped.has(node)) return;
  if (isPlayer(r.view.tree, node)) return writeMedia(r, node);
  if (!writeDrawnFormula(r, node)) writeChildren(r, node);
}

/** Separates a time from adjacent words, as in bylines that only a style sheet separates. */
function writeTime(r: RenderState, node: number): void {
  if (/[\p{L}\p{N})]/u.test(getLastCharacter(r))) writeSpace(r);
  writeChildren(r, node);
  if (/[\p{L}\p{N}]/u.test(findCharacterAfter(r.view, node))) writeSpace(r);
}

/** Writes the reading of a ruby text, in parentheses unless the page has them. */
function writeRubyText(r: RenderState, node: number): void {
  const { tree } = r.view;
  if (getTag(tree, getPreviousSibling(tree, node)) === TAG.rp) return writeChildren(r, node);
  const found = collectRun(r, () => writeChildren(r, node));
  if (found.text !== '') writeMarkdown(r, `(${found.text})`);
}

/** Writes text with a direction override, without which its letters would appear in another order. */
function writeDirectionOverride(r: RenderState, node: number): void {
  const direction = getKnownAttribute(r.view.tree, node, ATTRIBUTE.dir)?.trim().toLowerCase();
  if (r.plain || (direction !== 'rtl' && direction !== 'ltr')) return writeChildren(r, node);
  writeElement(r, node, { name: 'bdo', attributes: ` dir="${direction}"` });
}

/** Writes an HTML element around its content; nothing if it is empty. */
function writeElement(r: RenderState, node: number, { name, attributes }: { name: string; attributes: string }): void {
  writeMarkdown(r, `<${name}${attributes}>`);
  const mark = r.parts.length;
  r.spaced = true;
  writeChildren(r, node);
  r.cellBreak = false;
  if (r.parts.at(-1) === ' ') r.parts.pop();
  if (r.parts.length <= mark) r.parts.length = mark - 1;
  else r.parts.push(`</${name}>`);
  r.spaced = false;
}

/** Writes preformatted text in a cell as HTML with line breaks, because a table row is one line. */
function writeCodeInLine(r: RenderState, node: number): void {
  const code = readCodeText(r.view, node).replace(/^\n+/, '').trimEnd();
  if (code === '') return;
  if (!r.inCell || r.plain) return writeMarkdown(r, escapeForRun(r, code.replace(/\s+/g, ' ').trim()));
  writeMarkdown(
    r,
    `<pre>${code
      .split('\n')
      .map((line) => escapeForRun(r, line))
      .join('<br>')}</pre>`,
  );
}
