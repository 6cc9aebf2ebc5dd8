import { TAG } from '#extract/html/tag-names.ts';
import { firstChildOf, nextOf, tagOf, type Tree } from '#extract/html/tree.ts';

/** How many items stand in a list itself. */
export function countItems(tree: Tree, list: number): number {
  let items = 0;
  for (let node = firstChildOf(tree, list); node !== 0; node = nextOf(tree, node))
    if (tagOf(tree, node) === TAG.li) items++;
  return items;
}
