import { allocateInt32s, allocateUint8s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { isText, findNextTag, getParent, getSubtreeEnd, type Tree, WHITESPACE } from '#extract/html/tree.ts';
import { ARIA_HIDDEN, HIDDEN, readHiding } from './hidden-elements.ts';
import { createPanelTest } from './opened-panels.ts';
import { isUnseen } from './view.ts';

/** A page with scripts and fewer visible characters is rendered in the browser. */
const MIN_VISIBLE_CHARACTERS = 250;

/** 1 for every visible node. A hidden element counts as visible if it has at least half of the page's text. */
export function markVisibleNodes(tree: Tree): Uint8Array {
  const lengths = measureTextLengths(tree);
  const kept = allocateUint8s(tree.count).fill(1);
  const isOpened = createPanelTest(tree);
  for (let node = 1; node < tree.count; node++) {
    const hiding = isText(tree, node) ? 0 : readHiding(tree, node);
    const isHidden = (hiding === HIDDEN || hiding === ARIA_HIDDEN) && !isOpened(node);
    const hidden = isHidden && (lengths[node] ?? 0) * 2 < (lengths[0] ?? 0);
    if (!isUnseen(tree, node) && !hidden) continue;
    const end = getSubtreeEnd(tree, node);
    kept.fill(0, node, end);
    node = end - 1;
  }
  return kept;
}

/** Whether a page runs scripts and has almost no visible text. */
export function isThin(tree: Tree, visible: Uint8Array): boolean {
  let characters = 0;
  for (let node = 1; node < tree.count && characters < MIN_VISIBLE_CHARACTERS; node++) {
    if (visible[node] === 1 && isText(tree, node)) characters += measureVisibleText(tree, node);
  }
  return characters < MIN_VISIBLE_CHARACTERS && findNextTag(tree, TAG.script, 1) !== 0;
}

/** The characters of each text node, and in each element those that can be shown. */
export function measureTextLengths(tree: Tree): Int32Array {
  const lengths = allocateInt32s(tree.count);
  for (let node = tree.count - 1; node > 0; node--) {
    if (isText(tree, node)) lengths[node] = measureVisibleText(tree, node);
    else if (isUnseen(tree, node)) continue;
    const parent = getParent(tree, node);
    lengths[parent] = (lengths[parent] ?? 0) + (lengths[node] ?? 0);
  }
  return lengths;
}

/** The characters of a text node without surrounding white space. */
function measureVisibleText(tree: Tree, node: number): number {
  if (((tree.flags[node] ?? 0) & WHITESPACE) !== 0) return 0;
  const { source } = tree;
  let start = tree.start[node] ?? 0;
  let end = tree.end[node] ?? 0;
  while (start < end && source.charCodeAt(start) <= 32) start++;
  while (end > start && source.charCodeAt(end - 1) <= 32) end--;
  return end - start;
}
