import { addValue, isReadProperty, type Item, type ItemContext, splitTokens, readPropertyValue } from './items.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { attributeOf, isElement, knownAttribute, subtreeEndOf, type Tree } from '#extract/html/tree.ts';
import { toAbsoluteUrl } from '#extract/values/web-urls.ts';

const MAX_DEPTH = 16;
const MAX_ITEMS = 1000;
/** Elements visited in all: `itemref` lets many items share one subtree. */
const MAX_VISITS = 500_000;

type MicrodataWalk = {
  readonly tree: Tree;
  readonly context: ItemContext;
  readonly ids: Map<string, number>;
  visits: number;
  items: number;
};

/**
 * The top-level microdata items of a page as HTML's "converting HTML to other formats: JSON" gives them, with absolute
 * URLs and collapsed text; `roots` are the elements with `itemscope` and without `itemprop`. Items that contain
 * themselves through `itemref`, or nest deeper than 16, are left out.
 */
export function readMicrodata(tree: Tree, roots: readonly number[], reading: ItemContext): readonly Item[] {
  const walk: MicrodataWalk = { tree, context: reading, ids: new Map(), visits: 0, items: 0 };
  if (roots.some((root) => attributeOf(tree, root, 'itemref') !== null)) collectElementIds(walk);
  return roots.slice(0, MAX_ITEMS).map((root) => readMicrodataItem(walk, root, [root]));
}

function collectElementIds({ tree, ids }: MicrodataWalk): void {
  for (let at = 1; at < tree.count; at++) {
    const id = isElement(tree, at) ? knownAttribute(tree, at, ATTRIBUTE.id) : null;
    if (id !== null && !ids.has(id)) ids.set(id, at);
  }
}

function readMicrodataItem(walk: MicrodataWalk, root: number, path: readonly number[]): Item {
  const { tree, context: reading } = walk;
  walk.items += 1;
  const properties: Record<string, unknown[]> = {};
  const id = knownAttribute(tree, root, ATTRIBUTE.itemid);
  readMicrodataProperties(walk, root + 1, subtreeEndOf(tree, root), properties, path);
  for (const reference of splitTokens(attributeOf(tree, root, 'itemref'))) {
    const target = walk.ids.get(reference);
    if (target !== undefined) readMicrodataProperties(walk, target, subtreeEndOf(tree, target), properties, path);
  }
  return {
    type: splitTokens(knownAttribute(tree, root, ATTRIBUTE.itemtype)),
    ...(id === null ? {} : { id: toAbsoluteUrl(id, reading.url) ?? id }),
    properties,
  };
}

function readMicrodataProperties(
  walk: MicrodataWalk,
  from: number,
  end: number,
  properties: Record<string, unknown[]>,
  path: readonly number[],
): void {
  const { tree, context: reading } = walk;
  for (let at = from; at < end; at++) {
    walk.visits += 1;
    if (walk.visits > MAX_VISITS) return;
    if ((tree.attributeCount[at] ?? 0) === 0) continue;
    const scope = knownAttribute(tree, at, ATTRIBUTE.itemscope) !== null;
    const names = splitTokens(knownAttribute(tree, at, ATTRIBUTE.itemprop));
    if (isReadProperty(names, reading)) {
      const value = scope ? readNestedItem(walk, at, path) : readPropertyValue(tree, at, { names, url: reading.url });
      if (value !== null) for (const name of names) addValue(properties, name, value);
    }
    if (scope) at = subtreeEndOf(tree, at) - 1;
  }
}

function readNestedItem(walk: MicrodataWalk, node: number, path: readonly number[]): Item | null {
  if (path.length >= MAX_DEPTH || path.includes(node) || walk.items >= MAX_ITEMS) return null;
  return readMicrodataItem(walk, node, [...path, node]);
}
