import { addValue, isReadProperty, type Item, type ItemContext, splitTokens, readPropertyValue } from './items.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { knownAttribute, parentOf, subtreeEndOf, type Tree } from '#extract/html/tree.ts';
import { toAbsoluteUrl } from '#extract/values/web-urls.ts';

const MAX_RDFA_DEPTH = 16;
const MAX_RDFA_ITEMS = 1000;

/**
 * The top-level items of RDFa Lite 1.1 (W3C) in the form of microdata items: types with their `vocab` in front,
 * property names as written; `roots` are the elements with `typeof` outside any other.
 */
export function readRdfa(tree: Tree, roots: readonly number[], reading: ItemContext): readonly Item[] {
  const counter = { items: 0 };
  return roots
    .slice(0, MAX_RDFA_ITEMS)
    .map((root) => readRdfaItem(tree, root, { ...reading, vocab: findVocab(tree, root), depth: 1, counter }));
}

type RdfaContext = ItemContext & {
  readonly vocab: string;
  readonly depth: number;
  readonly counter: { items: number };
};

function readRdfaItem(tree: Tree, root: number, context: RdfaContext): Item {
  context.counter.items += 1;
  const vocab = knownAttribute(tree, root, ATTRIBUTE.vocab) ?? context.vocab;
  const properties: Record<string, unknown[]> = {};
  const end = subtreeEndOf(tree, root);
  for (let at = root + 1; at < end; at++) {
    if ((tree.attributeCount[at] ?? 0) === 0) continue;
    const nested = knownAttribute(tree, at, ATTRIBUTE.typeof) !== null;
    const names = splitTokens(knownAttribute(tree, at, ATTRIBUTE.property));
    const shallow = context.depth < MAX_RDFA_DEPTH && context.counter.items < MAX_RDFA_ITEMS;
    if (isReadProperty(names, context) && (!nested || shallow)) {
      const value = nested
        ? readRdfaItem(tree, at, { ...context, vocab, depth: context.depth + 1 })
        : readRdfaValue(tree, at, names, context.url);
      for (const name of names) addValue(properties, name, value);
    }
    if (nested) at = subtreeEndOf(tree, at) - 1;
  }
  const id = knownAttribute(tree, root, ATTRIBUTE.resource) ?? knownAttribute(tree, root, ATTRIBUTE.about);
  const type = splitTokens(knownAttribute(tree, root, ATTRIBUTE.typeof)).map((name) =>
    name.includes(':') ? name : vocab + name,
  );
  return { type, ...(id === null ? {} : { id: toAbsoluteUrl(id, context.url) ?? id }), properties };
}

function readRdfaValue(tree: Tree, node: number, names: readonly string[], url: string): string {
  const resource = knownAttribute(tree, node, ATTRIBUTE.resource);
  if (resource !== null && knownAttribute(tree, node, ATTRIBUTE.content) === null)
    return toAbsoluteUrl(resource, url) ?? resource;
  return readPropertyValue(tree, node, { names, url });
}

function findVocab(tree: Tree, node: number): string {
  for (let at = parentOf(tree, node); at !== 0; at = parentOf(tree, at)) {
    const vocab = knownAttribute(tree, at, ATTRIBUTE.vocab);
    if (vocab !== null) return vocab;
  }
  return '';
}
