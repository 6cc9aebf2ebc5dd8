import { resolverOf } from '#extract/view/resolve-reference.ts';
import { type View, viewOf } from '#extract/view/view.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { withShadowRoots } from '#extract/html/shadow-roots.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { attributeOf, isElement, knownAttribute, nameOf, type Tree } from '#extract/html/tree.ts';
import type { StructuredData } from '#extract/reading.ts';
import { NodePage } from '#extract/select/nodes.ts';
import { type Entities, toEntities } from '#extract/structured/entities.ts';
import { toStructuredData } from '#extract/structured/structured-data.ts';
import { toPlainUrl } from '#extract/values/web-urls.ts';

/** Steps that all selectors of a page may take together. */
const MOST_STEPS = 20_000_000;

/** One HTML page that readers of sites take apart; what nobody asks for is not made. */
export type ParsedPage = {
  readonly source: string;
  /** The final URL, against which references resolve. */
  readonly url: string;
  readonly tree: Tree;
  /** The nodes that selectors walk over. */
  readonly nodes: () => NodePage;
  /** The first element of each id, and the elements of each class and of each tag. */
  readonly ids: () => ReadonlyMap<string, readonly number[]>;
  readonly tags: () => ReadonlyMap<string, readonly number[]>;
  readonly classes: () => ReadonlyMap<string, readonly number[]>;
  /** The elements that have an attribute. */
  readonly stating: (attribute: string) => readonly number[];
  /** All of the page, as the writers of texts want it; links are plain web URLs. */
  readonly view: () => View;
  readonly structured: () => StructuredData;
  readonly entities: () => Entities;
};

/** Parses a page's text once; linear in it, and never throws. */
export function parsePage(source: string, url: string): ParsedPage {
  const tree = withShadowRoots(parseHtml(source));
  const structured = once(() => toStructuredData(tree, url));
  const stating = new Map<string, readonly number[]>();
  return {
    source: tree.source,
    url,
    tree,
    nodes: once(() => new NodePage(tree, MOST_STEPS)),
    ids: once(() => idsOf(tree)),
    classes: once(() => classesOf(tree)),
    tags: once(() => tagsOf(tree)),
    stating(attribute) {
      const known = stating.get(attribute) ?? statingIn(tree, attribute);
      stating.set(attribute, known);
      return known;
    },
    view: once(() => plainView(tree, url)),
    structured,
    entities: once(() => toEntities(structured())),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function idsOf(tree: Tree): ReadonlyMap<string, readonly number[]> {
  const ids = new Map<string, readonly number[]>();
  for (let node = 1; node < tree.count; node++) {
    const id = isElement(tree, node) ? knownAttribute(tree, node, ATTRIBUTE.id) : null;
    if (id !== null && !ids.has(id)) ids.set(id, [node]);
  }
  return ids;
}

const SPACE = /[ \t\n\f\r]+/;

function classesOf(tree: Tree): ReadonlyMap<string, readonly number[]> {
  const classes = new Map<string, number[]>();
  for (let node = 1; node < tree.count; node++) {
    const names = isElement(tree, node) ? knownAttribute(tree, node, ATTRIBUTE.class) : null;
    for (const name of names === null ? [] : SPACE.test(names) ? names.split(SPACE) : [names]) {
      const known = classes.get(name);
      if (known === undefined) classes.set(name, [node]);
      else if (known.at(-1) !== node) known.push(node);
    }
  }
  return classes;
}

function tagsOf(tree: Tree): ReadonlyMap<string, readonly number[]> {
  const tags = new Map<string, number[]>();
  for (let node = 1; node < tree.count; node++) {
    if (!isElement(tree, node)) continue;
    const name = nameOf(tree, node);
    const known = tags.get(name);
    if (known === undefined) tags.set(name, [node]);
    else known.push(node);
  }
  return tags;
}

function statingIn(tree: Tree, attribute: string): readonly number[] {
  const found: number[] = [];
  for (let node = 1; node < tree.count; node++)
    if (isElement(tree, node) && attributeOf(tree, node, attribute) !== null) found.push(node);
  return found;
}

function plainView(tree: Tree, url: string): View {
  const resolve = resolverOf(tree, url);
  return viewOf(tree, new Uint8Array(tree.count).fill(1), (reference) => {
    const followed = resolve(reference);
    return followed === null ? null : toPlainUrl(followed, url);
  });
}
