import { createResolver } from '#extract/view/resolve-reference.ts';
import { type View, buildView } from '#extract/view/view.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { placeShadowRoots } from '#extract/html/shadow-roots.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import {
  listElementsWith,
  isElement,
  getKnownAttribute,
  getTagName,
  findNextTag,
  type Tree,
} from '#extract/html/tree.ts';
import type { StructuredData } from '#extract/reading.ts';
import { PageNodes } from '#extract/select/nodes.ts';
import { type Entities, toEntities } from '#extract/structured/entities.ts';
import { readStructuredData } from '#extract/structured/structured-data.ts';
import { toDirectUrl } from '#extract/values/web-urls.ts';

/** Maximum steps of all selectors of a page together. */
const MAX_STEPS = 20_000_000;

/** A parsed HTML page for site parsers. Indexes and views are built on first use. */
export type ParsedPage = {
  readonly source: string;
  /** The final URL, which references are resolved against. */
  readonly url: string;
  readonly tree: Tree;
  /** The nodes for selector libraries. */
  readonly nodes: () => PageNodes;
  /** Indexes: the first element of each id, and the elements of each tag and class in document order. */
  readonly ids: () => ReadonlyMap<string, number>;
  readonly tags: () => ReadonlyMap<string, readonly number[]>;
  readonly classes: () => ReadonlyMap<string, readonly number[]>;
  /** The elements with an attribute. */
  readonly elementsWith: (attribute: string) => readonly number[];
  /** The `template` elements, whose content is not part of the page. */
  readonly templates: () => readonly number[];
  /** A view of the whole page for renderers. Links are http(s) URLs without tracking parameters. */
  readonly view: () => View;
  readonly structured: () => StructuredData;
  readonly entities: () => Entities;
};

/** Parses a page. Linear in the source, and never throws. */
export function parsePage(source: string, url: string): ParsedPage {
  const tree = placeShadowRoots(parseHtml(source));
  const structured = memoize(() => readStructuredData(tree, url));
  const stating = new Map<string, readonly number[]>();
  return {
    source: tree.source,
    url,
    tree,
    nodes: memoize(() => new PageNodes(tree, MAX_STEPS)),
    ids: memoize(() => indexIds(tree)),
    classes: memoize(() => indexClasses(tree)),
    tags: memoize(() => indexTags(tree)),
    elementsWith(attribute) {
      const known = stating.get(attribute) ?? listElementsWith(tree, attribute);
      stating.set(attribute, known);
      return known;
    },
    templates: memoize(() => listTemplates(tree)),
    view: memoize(() => buildPlainView(tree, url)),
    structured,
    entities: memoize(() => toEntities(structured())),
  };
}

function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function indexIds(tree: Tree): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (let node = 1; node < tree.count; node++) {
    const id = isElement(tree, node) ? getKnownAttribute(tree, node, ATTRIBUTE.id) : null;
    if (id !== null && !ids.has(id)) ids.set(id, node);
  }
  return ids;
}

const SPACE = /[ \t\n\f\r]+/;

function indexClasses(tree: Tree): ReadonlyMap<string, readonly number[]> {
  const classes = new Map<string, number[]>();
  // Repeated elements have the same class attribute, so its value is split once.
  const written = new Map<string, readonly number[][]>();
  for (let node = 1; node < tree.count; node++) {
    const value = isElement(tree, node) ? getKnownAttribute(tree, node, ATTRIBUTE.class) : null;
    if (value === null) continue;
    let all = written.get(value);
    if (all === undefined) {
      const names = SPACE.test(value) ? new Set(value.split(SPACE)) : [value];
      all = [...names].map((name) => getOrAddList(classes, name));
      written.set(value, all);
    }
    for (const one of all) one.push(node);
  }
  return classes;
}

function indexTags(tree: Tree): ReadonlyMap<string, readonly number[]> {
  const tags = new Map<string, number[]>();
  for (let node = 1; node < tree.count; node++) {
    if (!isElement(tree, node)) continue;
    getOrAddList(tags, getTagName(tree, node)).push(node);
  }
  return tags;
}

function getOrAddList(all: Map<string, number[]>, name: string): number[] {
  const known = all.get(name) ?? [];
  if (known.length === 0) all.set(name, known);
  return known;
}

function listTemplates(tree: Tree): readonly number[] {
  const found: number[] = [];
  for (let node = findNextTag(tree, TAG.template, 1); node !== 0; node = findNextTag(tree, TAG.template, node + 1))
    found.push(node);
  return found;
}

function buildPlainView(tree: Tree, url: string): View {
  const resolve = createResolver(tree, url);
  return buildView(tree, new Uint8Array(tree.count).fill(1), (reference) => {
    const followed = resolve(reference);
    return followed === null ? null : toDirectUrl(followed, url);
  });
}
