import { allocateUint8s } from '#extract/html/scratch.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getParent, getTag, isText, readCollapsedText, type Tree } from '#extract/html/tree.ts';
import { MAX_ATTRIBUTES } from './name-words.ts';

/** How an element is hidden: from all readers, from screen readers, or unless scripts are disabled. */
export const HIDDEN = 1;
export const ARIA_HIDDEN = 2;
export const WITHOUT_SCRIPT = 3;

const INVISIBLE_STYLE = /(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden)/i;
const MAX_VALUE_LENGTH = 300;

const HIDING_CACHES = new WeakMap<Tree, Uint8Array>();

/** Cache of {@link readHiding} per node of a page: 0 for nodes not yet read, otherwise the result plus one. */
export function getHidingCache(tree: Tree): Uint8Array {
  const known = HIDING_CACHES.get(tree) ?? allocateUint8s(tree.count);
  HIDING_CACHES.set(tree, known);
  return known;
}

/** How an element hides its content, 0 if it does not. */
export function readHiding(tree: Tree, node: number): number {
  if (getTag(tree, node) === TAG.noscript) return WITHOUT_SCRIPT;
  const first = tree.attributeStart[node] ?? 0;
  const end = first + Math.min(tree.attributeCount[node] ?? 0, MAX_ATTRIBUTES);
  for (let at = first; at < end; at++) {
    const hiding = readAttributeHiding(tree, at);
    if (hiding !== 0) return hiding;
  }
  return 0;
}

/** How one attribute hides its element, 0 if it does not. */
export function readAttributeHiding(tree: Tree, at: number): number {
  const id = tree.attributeId[at];
  if (id === ATTRIBUTE.hidden) return readValueStart(tree, at) === 'until-found' ? 0 : HIDDEN;
  if (id === ATTRIBUTE.ariaHidden) return readValueStart(tree, at) === 'true' ? ARIA_HIDDEN : 0;
  if (id === ATTRIBUTE.style) return INVISIBLE_STYLE.test(readValueStart(tree, at)) ? HIDDEN : 0;
  return 0;
}

/** The first characters of an attribute value, not decoded. */
export function readValueStart({ source, valueStart, valueEnd }: Tree, at: number): string {
  const start = valueStart[at] ?? 0;
  return source.slice(start, Math.min(valueEnd[at] ?? 0, start + MAX_VALUE_LENGTH));
}

/** The visible text of an element. If the element itself is hidden, all of its text except hidden parts inside it. */
export function readShownText(tree: Tree, node: number, longest?: number): string {
  return readCollapsedText(tree, node, longest, (at) => !isHiddenElement(tree, at));
}

/** Whether an element or one of its ancestors is hidden. */
export function isInHidden(tree: Tree, node: number): boolean {
  for (let at = node; at !== 0; at = getParent(tree, at)) if (isHiddenElement(tree, at)) return true;
  return false;
}

function isHiddenElement(tree: Tree, node: number): boolean {
  return tree.attributeCount[node] !== 0 && !isText(tree, node) && readHiding(tree, node) === HIDDEN;
}
