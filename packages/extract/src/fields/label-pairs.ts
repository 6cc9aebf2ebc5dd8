import { collapsedText } from '#extract/html/element-text.ts';
import { tagSet } from '#extract/html/tags.ts';
import { childrenOf, isElement, isText, nextOf, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import type { Label } from './labels.ts';

const MAX_PAIR_NAME_LENGTH = 40;
const MAX_PAIR_VALUE_LENGTH = 200;
const MAX_PAIR_NAME_NODES = 6;
const MAX_PAIR_VALUE_NODES = 30;
const MAX_PAIRS = 2000;
/** Elements that name what stands in the next one. */
const NAMING_TAGS = tagSet('span div b strong h3 h4 h5 h6 td th label p li dt small em');

/** Names and values that a page shows in elements next to each other: `<b>Brand</b> <span>Acme</span>`, four cells in a row. */
export function collectLabelPairs(tree: Tree): readonly Label[] {
  const labels: Label[] = [];
  for (let at = 1; at < tree.count && labels.length < MAX_PAIRS; at++) {
    if (NAMING_TAGS[tagOf(tree, at)] !== 1 || subtreeEndOf(tree, at) - at > MAX_PAIR_NAME_NODES) continue;
    const value = findNextContent(tree, at);
    if (value === 0 || subtreeEndOf(tree, value) - value > MAX_PAIR_VALUE_NODES) continue;
    const name = collapsedText(tree, at, MAX_PAIR_NAME_LENGTH + 2).replace(/\s*[:：]\s*$/, '');
    if (name === '' || name.length > MAX_PAIR_NAME_LENGTH) continue;
    const text = collapsedText(tree, value, MAX_PAIR_VALUE_LENGTH);
    if (text !== '') labels.push({ name, node: value, text });
  }
  return labels;
}

/** The element or text right after a node, or right after the one that it is all of; 0 for none. */
function findNextContent(tree: Tree, node: number): number {
  let at = node;
  for (let level = 0; level < 2; level++) {
    let next = nextOf(tree, at);
    while (next !== 0 && isText(tree, next) && collapsedText(tree, next, 1) === '') next = nextOf(tree, next);
    if (next !== 0) return next;
    const around = parentOf(tree, at);
    if (childrenOf(tree, around).filter((child) => isElement(tree, child)).length !== 1) return 0;
    at = around;
  }
  return 0;
}
