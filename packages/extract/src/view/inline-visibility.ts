import {
  readCollapsedText,
  readCharacters,
  listElementsWith,
  getFirstChild,
  hasCustomTag,
  isText,
  getKnownAttribute,
  getTagName,
  getNextSibling,
  getParent,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  readText,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG, TAG_NAMES } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { ARIA_HIDDEN, HIDDEN, readHiding, getHidingCache } from './hidden-elements.ts';
import { isBlock, type View } from './view.ts';

/** Elements with the name of an icon, which an icon font draws as a picture. */
const ICON_TAGS = buildTagSet('span i em b');
/** Icon elements of component libraries. */
const ICON_TAG = /^(?:mat|md|q|v)-icon$/;
const ICON_CLASS = /(?:^|\s)(?:material-(?:icons|symbols)(?:-[a-z]+)*|google-symbols|mat-icon)(?:\s|$)/;
/** The name of an icon: words joined by underscores. */
const ICON_NAME = /^\s*[a-z\d]+(?:[_-][a-z\d]+)*\s*$/;
const MAX_ICON_NAME = 80;
/** Maximum nodes of a hidden element that are searched for a formula. */
const MAX_FORMULA_NODES = 40;

/**
 * Removes invisible inline text from the view: hidden inline elements, text for screen readers that repeats visible
 * text, and names of icons. Hidden blocks are handled by the choice of content. Elements that a control opens are kept.
 * Everything is kept if most of the text is hidden, because a script will show it.
 */
export function removeHiddenInline(view: View): View {
  const { tree, kept, hasBlock } = view;
  const hasIconTags = hasCustomTag(tree, ICON_TAG);
  const hidings = getHidingCache(tree);
  const hidden: number[] = [];
  const unread: number[] = [];
  let controlled: ReadonlySet<string> | null = null;
  let preEnd = 0;
  for (let node = 1; node < tree.count; node++) {
    if (kept[node] !== 1 || isText(tree, node)) continue;
    if (tree.attributeCount[node] === 0) {
      if (hasIconTags && isIcon(tree, node)) unread.push(node);
      continue;
    }
    if (getTag(tree, node) === TAG.pre) preEnd = getSubtreeEnd(tree, node);
    const isHidden = (hidings[node] === 0 ? readHiding(tree, node) : (hidings[node] ?? 0) - 1) === HIDDEN;
    if (!isHidden && !isIcon(tree, node) && !(node >= preEnd && isRepeatedForScreenReaders(view, node))) continue;
    if (isBlock(tree, node) || hasBlock[node] === 1) continue;
    if (isHidden && hasFormulaSource(tree, node)) continue;
    const id = isHidden ? getKnownAttribute(tree, node, ATTRIBUTE.id) : null;
    if (id !== null && (controlled ??= listControlledIds(tree)).has(id)) continue;
    (isHidden ? hidden : unread).push(node);
    node = getSubtreeEnd(tree, node) - 1;
  }
  const dropped = hidden.length > 0 && isMostlyHidden(view, hidden) ? unread : [...unread, ...hidden];
  if (dropped.length === 0) return view;
  const shown = kept.slice();
  for (const node of dropped) shown.fill(0, node, getSubtreeEnd(tree, node));
  return { ...view, kept: shown };
}

function isIcon(tree: Tree, node: number): boolean {
  if (getSubtreeEnd(tree, node) !== node + 2 || !isText(tree, node + 1)) return false;
  const isLine = ICON_TAGS[getTag(tree, node)] === 1;
  if (!isLine && getTag(tree, node) < TAG_NAMES.length) return false;
  if ((tree.end[node + 1] ?? 0) - (tree.start[node + 1] ?? 0) > MAX_ICON_NAME) return false;
  if (!ICON_NAME.test(readCharacters(tree, node + 1))) return false;
  return isLine
    ? ICON_CLASS.test(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '')
    : ICON_TAG.test(getTagName(tree, node));
}

/** Classes of common style sheets for text only for screen readers, and styles with the same effect. */
const SPOKEN_CLASS =
  /(?:^|[\s_-])(?:sr-only|visually-?hidden|hidden-?visually|screen-?reader(?:-(?:text|only))?|screen-only|show-for-sr|element-invisible|assistive-text)(?=$|[\s_-])/i;
const SPOKEN_STYLE = /(?:^|[;\s])clip(?:-path)?\s{0,9}:\s{0,9}(?:rect\(\s{0,9}[01](?:px)?\b|inset\(\s{0,9}50%)/i;
const SPOKEN_TAGS = buildTagSet('span em b i small strong');
/** Maximum nodes of such text, and of the siblings it is compared with. */
const MAX_SPOKEN_NODES = 6;
const MAX_SIBLINGS = 12;
const MAX_TEXT = 200;

/**
 * Whether an element has text for screen readers that repeats what its parent shows: half of its words next to a
 * graphic, all of them elsewhere, or a remark on a link. The name of a graphic without other text is not a repetition.
 */
function isRepeatedForScreenReaders(view: View, node: number): boolean {
  const { tree, kept } = view;
  if (SPOKEN_TAGS[getTag(tree, node)] !== 1 || getSubtreeEnd(tree, node) - node > MAX_SPOKEN_NODES) return false;
  const names = getKnownAttribute(tree, node, ATTRIBUTE.class);
  const isNamed = names !== null && SPOKEN_CLASS.test(names);
  if (!isNamed && !SPOKEN_STYLE.test(getKnownAttribute(tree, node, ATTRIBUTE.style) ?? '')) return false;
  const own = splitWords(readText(tree, node));
  const before = findSibling(tree, node, getPreviousSibling);
  const after = findSibling(tree, node, getNextSibling);
  const drawn = [before, after].filter((sibling) => sibling !== 0 && isAriaHidden(tree, sibling));
  // Some outputs leave out the visible counterpart.
  const isRepeatedBy = (sibling: number): boolean => {
    const siblingWords = kept[sibling] === 1 ? splitWords(readCollapsedText(tree, sibling, MAX_TEXT)) : [];
    return siblingWords.length > 0 && 2 * own.filter((word) => siblingWords.includes(word)).length >= own.length;
  };
  if (drawn.length > 0) return drawn.some(isRepeatedBy);
  const others = listOtherWords(view, node);
  if (others.length === 0) return false;
  const isRemark = /^\s*\(.*\)\s*$/su.test(readText(tree, node)) || getTag(tree, getParent(tree, node)) === TAG.a;
  return isRemark || own.every((word) => others.includes(word));
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu) ?? [];
}

/** The nearest sibling that is not white space. 0 if there is none. */
function findSibling(tree: Tree, node: number, step: typeof getNextSibling): number {
  const sibling = step(tree, node);
  return isText(tree, sibling) && ((tree.flags[sibling] ?? 0) & WHITESPACE) !== 0 ? step(tree, sibling) : sibling;
}

function isAriaHidden(tree: Tree, node: number): boolean {
  return !isText(tree, node) && readHiding(tree, node) === ARIA_HIDDEN;
}

/** The words that the parent of an element shows next to it. */
function listOtherWords({ tree, kept }: View, node: number): readonly string[] {
  const words: string[] = [];
  let count = 0;
  for (
    let sibling = getFirstChild(tree, getParent(tree, node));
    sibling !== 0;
    sibling = getNextSibling(tree, sibling)
  ) {
    if (++count > MAX_SIBLINGS) break;
    if (sibling === node || kept[sibling] !== 1) continue;
    if (SPOKEN_CLASS.test(getKnownAttribute(tree, sibling, ATTRIBUTE.class) ?? '')) continue;
    const text = isText(tree, sibling)
      ? readCharacters(tree, sibling, MAX_TEXT)
      : readCollapsedText(tree, sibling, MAX_TEXT);
    words.push(...splitWords(text));
  }
  return words;
}

/** Whether a hidden element contains the source of a formula that the page renders next to it. */
function hasFormulaSource(tree: Tree, node: number): boolean {
  const end = Math.min(getSubtreeEnd(tree, node), node + MAX_FORMULA_NODES);
  for (let at = node; at < end; at++) {
    const tag = getTag(tree, at);
    if (tag === TAG.math || tag === TAG.script) return true;
  }
  return false;
}

/** The ids of elements that a control of the page opens. */
function listControlledIds(tree: Tree): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const control of listElementsWith(tree, 'aria-controls')) {
    const controls = getKnownAttribute(tree, control, ATTRIBUTE.ariaControls) ?? '';
    for (const id of controls.split(/\s+/)) if (id !== '') ids.add(id);
  }
  return ids;
}

/** Whether the hidden elements have more text than the others. */
function isMostlyHidden({ tree, kept }: View, hidden: readonly number[]): boolean {
  let unseen = 0;
  for (const node of hidden) unseen += measureText(tree, kept, node, getSubtreeEnd(tree, node));
  return unseen * 2 > measureText(tree, kept, 0, tree.count);
}

function measureText(tree: Tree, kept: Uint8Array, from: number, to: number): number {
  let length = 0;
  for (let node = from; node < to; node++) {
    if (kept[node] === 1 && isText(tree, node)) length += (tree.end[node] ?? 0) - (tree.start[node] ?? 0);
  }
  return length;
}
