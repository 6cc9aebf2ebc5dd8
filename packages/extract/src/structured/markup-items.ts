import {
  readCollapsedText,
  getAttribute,
  isElement,
  getKnownAttribute,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { setMember } from '#extract/values/json.ts';
import { toAbsoluteUrl } from '#extract/values/web-urls.ts';
import { readPriceText } from '#extract/view/price-texts.ts';

const MAX_RDFA_DEPTH = 16;
const MAX_RDFA_ITEMS = 1000;

/**
 * Reads the top-level items of RDFa Lite 1.1 (W3C) in the form of microdata items: types prefixed by their `vocab`,
 * property names as written. `roots` are the outermost elements with `typeof`.
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
  const vocab = getKnownAttribute(tree, root, ATTRIBUTE.vocab) ?? context.vocab;
  const properties: Record<string, unknown[]> = {};
  const end = getSubtreeEnd(tree, root);
  for (let at = root + 1; at < end; at++) {
    if ((tree.attributeCount[at] ?? 0) === 0) continue;
    const nested = getKnownAttribute(tree, at, ATTRIBUTE.typeof) !== null;
    const names = splitTokens(getKnownAttribute(tree, at, ATTRIBUTE.property));
    const shallow = context.depth < MAX_RDFA_DEPTH && context.counter.items < MAX_RDFA_ITEMS;
    if (isReadProperty(names, context) && (!nested || shallow)) {
      const value = nested
        ? readRdfaItem(tree, at, { ...context, vocab, depth: context.depth + 1 })
        : readRdfaValue(tree, at, names, context.url);
      for (const name of names) addValue(properties, name, value);
    }
    if (nested) at = getSubtreeEnd(tree, at) - 1;
  }
  const id = getKnownAttribute(tree, root, ATTRIBUTE.resource) ?? getKnownAttribute(tree, root, ATTRIBUTE.about);
  const type = splitTokens(getKnownAttribute(tree, root, ATTRIBUTE.typeof)).map((name) =>
    name.includes(':') ? name : vocab + name,
  );
  return { type, ...(id === null ? {} : { id: toAbsoluteUrl(id, context.url) ?? id }), properties };
}

function readRdfaValue(tree: Tree, node: number, names: readonly string[], url: string): string {
  const resource = getKnownAttribute(tree, node, ATTRIBUTE.resource);
  if (resource !== null && getKnownAttribute(tree, node, ATTRIBUTE.content) === null)
    return toAbsoluteUrl(resource, url) ?? resource;
  return readPropertyValue(tree, node, { names, url });
}

function findVocab(tree: Tree, node: number): string {
  for (let at = getParent(tree, node); at !== 0; at = getParent(tree, at)) {
    const vocab = getKnownAttribute(tree, at, ATTRIBUTE.vocab);
    if (vocab !== null) return vocab;
  }
  return '';
}

const MAX_DEPTH = 16;
const MAX_ITEMS = 1000;
/** The most elements visited; with `itemref` many items may share a subtree. */
const MAX_VISITS = 500_000;

type MicrodataWalk = {
  readonly tree: Tree;
  readonly context: ItemContext;
  readonly ids: Map<string, number>;
  visits: number;
  items: number;
};

/**
 * Reads the top-level microdata items of a page as in HTML's "converting HTML to other formats: JSON", with absolute
 * URLs and collapsed white space. `roots` are the elements with `itemscope` but no `itemprop`. Items that contain
 * themselves through `itemref`, or are nested deeper than 16, are omitted.
 */
export function readMicrodata(tree: Tree, roots: readonly number[], reading: ItemContext): readonly Item[] {
  const walk: MicrodataWalk = { tree, context: reading, ids: new Map(), visits: 0, items: 0 };
  if (roots.some((root) => getAttribute(tree, root, 'itemref') !== null)) collectElementIds(walk);
  return roots.slice(0, MAX_ITEMS).map((root) => readMicrodataItem(walk, root, [root]));
}

function collectElementIds({ tree, ids }: MicrodataWalk): void {
  for (let at = 1; at < tree.count; at++) {
    const id = isElement(tree, at) ? getKnownAttribute(tree, at, ATTRIBUTE.id) : null;
    if (id !== null && !ids.has(id)) ids.set(id, at);
  }
}

function readMicrodataItem(walk: MicrodataWalk, root: number, path: readonly number[]): Item {
  const { tree, context: reading } = walk;
  walk.items += 1;
  const properties: Record<string, unknown[]> = {};
  const id = getKnownAttribute(tree, root, ATTRIBUTE.itemid);
  readMicrodataProperties(walk, root + 1, getSubtreeEnd(tree, root), properties, path);
  for (const reference of splitTokens(getAttribute(tree, root, 'itemref'))) {
    const target = walk.ids.get(reference);
    if (target !== undefined) readMicrodataProperties(walk, target, getSubtreeEnd(tree, target), properties, path);
  }
  return {
    type: splitTokens(getKnownAttribute(tree, root, ATTRIBUTE.itemtype)),
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
    const scope = getKnownAttribute(tree, at, ATTRIBUTE.itemscope) !== null;
    const names = splitTokens(getKnownAttribute(tree, at, ATTRIBUTE.itemprop));
    if (isReadProperty(names, reading)) {
      const value = scope ? readNestedItem(walk, at, path) : readPropertyValue(tree, at, { names, url: reading.url });
      if (value !== null) for (const name of names) addValue(properties, name, value);
    }
    if (scope) at = getSubtreeEnd(tree, at) - 1;
  }
}

function readNestedItem(walk: MicrodataWalk, node: number, path: readonly number[]): Item | null {
  if (path.length >= MAX_DEPTH || path.includes(node) || walk.items >= MAX_ITEMS) return null;
  return readMicrodataItem(walk, node, [...path, node]);
}

/** An item in the JSON form of HTML microdata: types, an optional ID, and lists of values by property name. */
type Item = {
  readonly type: readonly string[];
  readonly id?: string;
  readonly properties: Readonly<Record<string, readonly unknown[]>>;
};

const URL_ATTRIBUTES: ReadonlyMap<number, number> = new Map([
  [TAG.a, ATTRIBUTE.href],
  [TAG.area, ATTRIBUTE.href],
  [TAG.link, ATTRIBUTE.href],
  [TAG.audio, ATTRIBUTE.src],
  [TAG.embed, ATTRIBUTE.src],
  [TAG.iframe, ATTRIBUTE.src],
  [TAG.img, ATTRIBUTE.src],
  [TAG.source, ATTRIBUTE.src],
  [TAG.track, ATTRIBUTE.src],
  [TAG.video, ATTRIBUTE.src],
]);

/** Properties that contain a price, whose cents may be marked up separately. */
const AMOUNT_PROPERTIES: ReadonlySet<string> = new Set(['price', 'lowPrice', 'highPrice', 'minPrice', 'maxPrice']);

/** The names of the property being read, and the base of relative URLs. */
type PropertyContext = { readonly names: readonly string[]; readonly url: string };

/**
 * The value of a property element (HTML, "the value of a property"): URLs absolute, text with white space collapsed,
 * prices without struck-out text.
 */
export function readPropertyValue(tree: Tree, node: number, { names, url }: PropertyContext): string {
  const tag = getTag(tree, node);
  const link = URL_ATTRIBUTES.get(tag);
  if (link !== undefined || tag === TAG.object) {
    const reference =
      (link === undefined ? getAttribute(tree, node, 'data') : getKnownAttribute(tree, node, link)) ?? '';
    return toAbsoluteUrl(reference, url) ?? reference;
  }
  const content = getKnownAttribute(tree, node, ATTRIBUTE.content);
  if (content !== null) return content;
  if (tag === TAG.meta) return '';
  if (tag === TAG.data || tag === TAG.meter) return getKnownAttribute(tree, node, ATTRIBUTE.value) ?? '';
  if (tag === TAG.time) return getKnownAttribute(tree, node, ATTRIBUTE.datetime) ?? readCollapsedText(tree, node);
  return names.some((name) => AMOUNT_PROPERTIES.has(getLastName(name)))
    ? readPriceText(tree, node)
    : readCollapsedText(tree, node);
}

/** The base of relative URLs, and whether long texts such as article bodies are read. */
type ItemContext = { readonly url: string; readonly includesBodies: boolean };

const BODY_PROPERTIES: ReadonlySet<string> = new Set([
  'articleBody',
  'reviewBody',
  'text',
  'transcript',
  'recipeInstructions',
]);

/** Whether to read an element with these property names. */
function isReadProperty(names: readonly string[], { includesBodies: bodies }: ItemContext): boolean {
  return names.length > 0 && (bodies || !names.every((name) => BODY_PROPERTIES.has(getLastName(name))));
}

/** `text` of `schema:text` or `https://schema.org/text`. */
function getLastName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
}

/** Adds a value to a property's list. */
function addValue(properties: Record<string, unknown[]>, name: string, value: unknown): void {
  if (Object.hasOwn(properties, name)) properties[name]?.push(value);
  else setMember(properties, name, [value]);
}

/** The distinct tokens of a space-separated attribute. */
export function splitTokens(value: string | null): readonly string[] {
  return value === null ? [] : [...new Set(value.split(/\s+/).filter((token) => token !== ''))].slice(0, 50);
}
