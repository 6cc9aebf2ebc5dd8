import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagTable } from '#extract/html/tags.ts';
import {
  isText,
  getKnownAttribute,
  getNextSibling,
  getParent,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { readHiding } from '#extract/view/hidden-elements.ts';
import { isBlock, type View } from '#extract/view/view.ts';
import { isImage } from './images.ts';

const PUNCTUATION = /[\p{P}\p{S}]/u;

/**
 * Whether asterisks or tildes around `inner` would open and close emphasis (CommonMark, left- and right-flanking
 * delimiter runs).
 */
export function canDelimit(previous: string, inner: string, next: string): boolean {
  if (/[*~]/.test(previous + next)) return false;
  const opens = !PUNCTUATION.test(inner.charAt(0)) || previous === ' ' || PUNCTUATION.test(previous);
  const closes = !PUNCTUATION.test(inner.charAt(inner.length - 1)) || next === ' ' || PUNCTUATION.test(next);
  return opens && closes;
}

/** The character after an inline element; a space at the end of its block. */
export function findCharacterAfter(view: View, node: number): string {
  const { tree, kept } = view;
  const next = getSubtreeEnd(tree, node);
  const end = Math.min(next + MAX_NODES_AFTER, findBlockEnd(tree, node));
  for (let at = next; at < end; at++) {
    if (kept[at] !== 1) {
      if (separatesText(view, at)) return ' ';
      at = getSubtreeEnd(tree, at) - 1;
      continue;
    }
    if (isText(tree, at)) {
      const character = tree.source.charAt(tree.start[at] ?? 0);
      return /\s/.test(character) ? ' ' : character;
    }
    const tag = getTag(tree, at);
    if (isBlock(tree, at) || tag === TAG.br) return ' ';
    if (isImage(tag)) return '!';
  }
  return ' ';
}

const MAX_NODES_AFTER = 64;

function findBlockEnd(tree: Tree, node: number): number {
  let around = getParent(tree, node);
  while (around !== 0 && !isBlock(tree, around)) around = getParent(tree, around);
  return getSubtreeEnd(tree, around);
}

/** Whether a node that is not in the output separates the texts around it: it is a block that the page displays. */
export function separatesText({ tree }: View, node: number): boolean {
  return !isText(tree, node) && isBlock(tree, node) && readHiding(tree, node) === 0;
}

const EMPHASIS_KIND = buildTagTable(0, [
  ['b strong', 1],
  ['em i', 2],
  ['del s strike', 3],
]);

const NORMAL_WEIGHT = /(?:^|[;\s])font-weight:\s*(?:normal|[1-5]00)\b/i;
const MAX_STYLE_LENGTH = 1000;

/** Whether a `b` has normal weight: some editors wrap clipboard content in one. */
export function hasNormalWeight(tree: Tree, node: number): boolean {
  const style = getKnownAttribute(tree, node, ATTRIBUTE.style);
  return style !== null && NORMAL_WEIGHT.test(style.slice(0, MAX_STYLE_LENGTH));
}

/** The characters before and after an inline element; a space at the start or end of a line. */
export type EdgeCharacters = { readonly previous: string; readonly next: string };

/** Whether an adjacent element has the same kind of emphasis, so that the markers would run together. */
export function touchesSameEmphasis({ tree }: View, node: number, { previous, next }: EdgeCharacters): boolean {
  const strength = EMPHASIS_KIND[getTag(tree, node)] ?? 0;
  if (previous !== ' ' && EMPHASIS_KIND[getTag(tree, getPreviousSibling(tree, node))] === strength) return true;
  return next !== ' ' && EMPHASIS_KIND[getTag(tree, getNextSibling(tree, node))] === strength;
}

const OWN_LINE_STYLE = /(?:^|[;\s])display\s{0,9}:\s{0,9}(?:block|flex|grid|table|list-item)\b/i;
/** Utility classes with the same effect. */
const OWN_LINE_CLASS = /(?:^|\s)(?:d-block|block)(?:\s|$)/;
const WHITE_SPACE_STYLE = /(?:^|[;\s])white-space\s{0,9}:\s{0,9}([a-z-]+)/i;
const WHITE_SPACE_CLASS = /(?:^|\s)(?:whitespace|text)-(pre-line|pre-wrap|pre|break-spaces)(?:\s|$)/;
const KEEPS_LINES = /^(?:pre|pre-line|pre-wrap|break-spaces)$/i;

/** Whether the style of an element displays it on its own line. */
export function hasOwnLine(tree: Tree, node: number): boolean {
  const style = getKnownAttribute(tree, node, ATTRIBUTE.style);
  if (style !== null && OWN_LINE_STYLE.test(style)) return true;
  const names = getKnownAttribute(tree, node, ATTRIBUTE.class);
  return names !== null && OWN_LINE_CLASS.test(names);
}

/** Whether the style of an element preserves the line breaks of the source; null if it does not say. */
export function keepsLines(tree: Tree, node: number): boolean | null {
  if (tree.attributeCount[node] === 0) return null;
  const style = getKnownAttribute(tree, node, ATTRIBUTE.style);
  const styled = style === null ? undefined : WHITE_SPACE_STYLE.exec(style)?.[1];
  if (styled !== undefined) return KEEPS_LINES.test(styled);
  const names = getKnownAttribute(tree, node, ATTRIBUTE.class);
  return names !== null && WHITE_SPACE_CLASS.test(names) ? true : null;
}
