import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { isText, getKnownAttribute, getTagName, getParent, type Tree } from '#extract/html/tree.ts';
import { collapseSpace } from '#extract/values/space.ts';

const MAX_LEVELS = 4;
const MAX_NAME_LENGTH = 40;

/**
 * The ancestors of a node and itself, the nearest last, each with its first class or else its id: `main > article.post
 * > p`.
 */
export function formatElementPath(tree: Tree, node: number): string {
  const names: string[] = [];
  const from = isText(tree, node) ? getParent(tree, node) : node;
  for (let at = from; at !== 0 && names.length < MAX_LEVELS; at = getParent(tree, at)) {
    const [first] = collapseSpace(getKnownAttribute(tree, at, ATTRIBUTE.class) ?? '').split(' ');
    const id = collapseSpace(getKnownAttribute(tree, at, ATTRIBUTE.id) ?? '');
    const mark = first !== undefined && first !== '' ? `.${first}` : id === '' ? '' : `#${id}`;
    names.unshift(getTagName(tree, at) + mark.slice(0, MAX_NAME_LENGTH));
  }
  return names.join(' > ');
}
