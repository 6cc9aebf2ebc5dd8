import type { Selector } from 'css-what';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import {
  findFirstAfter,
  findNextTag,
  getAttribute,
  getFirstChild,
  getKnownAttribute,
  getNextSibling,
  getParent,
  getSubtreeEnd,
  getTagName,
  isElement,
  readCollapsedText,
} from '#extract/html/tree.ts';
import { toCleanHtml } from '#extract/renderers/clean-html.ts';
import { toPlainText } from '#extract/renderers/markdown.ts';
import { SelectionTooCostly } from '#extract/select/nodes.ts';
import { selectAmong, selectCss } from '#extract/select/css.ts';
import { loadLibrary } from '#extract/platform/node.ts';
import type { Entity } from '#extract/structured/entities.ts';
import { toList } from '#extract/values/json.ts';
import { toLine, toText } from '#extract/values/raw.ts';
import { type ParsedPage, parsePage } from './parsed-page.ts';

/** What elements are looked up by, the most selective first. */
const LOOKUP_KINDS = ['class', 'attribute', 'tag'] as const;

/** A class, attribute or tag that every match of a selector has. Looking it up leaves few elements to test. */
type LookupKey = { readonly by: (typeof LOOKUP_KINDS)[number]; readonly name: string };

/** Cache by selector. Sites use a few hundred selectors, some with a number in them. */
const KEYS_BY_SELECTOR = new Map<string, readonly LookupKey[] | null>();
const MAX_CACHED_SELECTORS = 2000;

/**
 * The candidates for a CSS selector below `scope`, in document order: every match is among them. They are looked up by the
 * last compound of the selector. Null if that has no class, attribute or tag to look up.
 */
function listCandidates(page: ParsedPage, selector: string, scope: number): readonly number[] | null {
  const keys = findLookupKeys(selector);
  if (keys === null) return null;
  const [first = [], ...others] = keys.map((key) => listBelow(page, listNodes(page, key), scope));
  return others.length === 0 ? first : [...new Set([first, ...others].flat())].toSorted((a, b) => a - b);
}

/** Filters elements in document order to those below the scope and outside templates. */
function listBelow(page: ParsedPage, nodes: readonly number[], scope: number): readonly number[] {
  const { tree } = page;
  const end = scope === 0 ? tree.count : getSubtreeEnd(tree, scope);
  const own = nodes.slice(findFirstAfter(nodes, scope), findFirstAfter(nodes, end - 1));
  const inert = page.templates().filter((template) => template > scope && template < end);
  if (inert.length === 0) return own;
  return own.filter((node) => !inert.some((template) => template < node && node < getSubtreeEnd(tree, template)));
}

function listNodes(page: ParsedPage, { by, name }: LookupKey): readonly number[] {
  if (by === 'class') return page.classes().get(name) ?? [];
  return by === 'tag' ? (page.tags().get(name) ?? []) : page.elementsWith(name);
}

/** The most selective lookup key of each alternative of a selector. Null if an alternative has none. */
function findLookupKeys(selector: string): readonly LookupKey[] | null {
  const known = KEYS_BY_SELECTOR.get(selector);
  if (known !== undefined) return known;
  const { isTraversal, parse } = loadLibrary('css-what');
  const best = parse(selector).map((rules) => {
    const found = rules.slice(rules.findLastIndex(isTraversal) + 1).flatMap((rule) => toLookupKey(rule) ?? []);
    return found.toSorted((a, b) => LOOKUP_KINDS.indexOf(a.by) - LOOKUP_KINDS.indexOf(b.by))[0] ?? null;
  });
  const keys = best.every((key) => key !== null) ? best : null;
  if (KEYS_BY_SELECTOR.size >= MAX_CACHED_SELECTORS) KEYS_BY_SELECTOR.clear();
  KEYS_BY_SELECTOR.set(selector, keys);
  return keys;
}

function toLookupKey(rule: Selector): LookupKey | null {
  const { AttributeAction, SelectorType } = loadLibrary('css-what');
  if (rule.type === SelectorType.Tag) return { by: 'tag', name: rule.name.toLowerCase() };
  if (rule.type !== SelectorType.Attribute || rule.action === AttributeAction.Not || rule.namespace !== null)
    return null;
  const { name, action, value, ignoreCase } = rule;
  if (name === 'class' && action === AttributeAction.Element && ignoreCase !== true)
    return { by: 'class', name: value };
  return { by: 'attribute', name: name.toLowerCase() };
}

/** Rich text: sanitised HTML with absolute links without tracking parameters, and the plain text it shows. */
export type RichText = { readonly html: string; readonly text: string };

const MAX_ELEMENTS = 5000;
/** An id, optionally followed by a descendant selector. */
const ID_SELECTOR = /^#([\w-]+)(?:\s+([^,>+~][^,]*))?$/;

/** Only a tag, a class or both. */
const PLAIN_SELECTOR = /^(?=.)([a-z][a-z0-9]*)?(?:\.([\w-]+))?$/;
/** Only a `data-*` attribute, with or without a value. */
const ATTRIBUTE_SELECTOR = /^\[(data-[a-z0-9-]+)(?:="([^"\\]*)")?\]$/;

/**
 * The elements below `scope` (0 is the page) that a CSS selector matches, in document order. `:scope >` selects children of
 * the scope. A leading `#id` selects the first element with that id. Empty once the time limit for selectors of the page is
 * used up.
 */
export function selectAll(page: ParsedPage, selector: string, scope = 0): readonly number[] {
  return selectElements(page, selector, { scope, limit: MAX_ELEMENTS });
}

/** The first element that a CSS selector matches below `scope`. 0 if there is none. */
export function selectFirst(page: ParsedPage, selector: string, scope = 0): number {
  return selectElements(page, selector, { scope, limit: 1 })[0] ?? 0;
}

/** The text of the first matching element on one line. Null if nothing matches or the element has no text. */
export function readLineAt(page: ParsedPage, selector: string, scope = 0): string | null {
  return readSingleLine(page, selectFirst(page, selector, scope));
}

/** The first non-empty value of an attribute among the matching elements. Null if there is none. */
export function readAttributeAt(page: ParsedPage, selector: string, name: string, scope = 0): string | null {
  for (const node of selectAll(page, selector, scope)) {
    const value = toText(getAttribute(page.tree, node, name));
    if (value !== null) return value;
  }
  return null;
}

/** The text of an element on one line. Null for node 0 and for an element without text. */
export function readSingleLine(page: ParsedPage, node: number): string | null {
  return node === 0 ? null : toLine(readCollapsedText(page.tree, node));
}

/** The text and the sanitised HTML of an element. Null for node 0 and for an element that shows nothing. */
export function readRichText(page: ParsedPage, node: number): RichText | null {
  if (node === 0) return null;
  const view = page.view();
  return toRichText(toCleanHtml(view, node), toPlainText(view, node));
}

/** Parses and sanitises HTML from a string, such as a JSON member. Null if it shows nothing. */
export function parseRichText(html: string, url: string): RichText | null {
  const view = parsePage(html, url).view();
  return toRichText(toCleanHtml(view), toPlainText(view));
}

function toRichText(html: string, plain: string): RichText | null {
  return html.trim() === '' ? null : { html: html.trim(), text: plain.trim() };
}

type SelectRange = { readonly scope: number; readonly limit: number };

/**
 * Fast path: the matches of a selector that is only a tag, a class or an attribute, found in the page's indexes. Null for
 * any other selector.
 */
function lookUp(page: ParsedPage, selector: string, range: SelectRange): readonly number[] | null {
  const { tree } = page;
  const [plain, tag, name] = PLAIN_SELECTOR.exec(selector) ?? [];
  if (plain !== undefined && name === undefined) return listWithin(page, page.tags().get(tag ?? ''), range);
  if (plain !== undefined)
    return listWithin(
      page,
      page.classes().get(name ?? ''),
      range,
      (node) => tag === undefined || getTagName(tree, node) === tag,
    );
  const [, attribute, value] = ATTRIBUTE_SELECTOR.exec(selector) ?? [];
  if (attribute === undefined) return null;
  const hasValue = (node: number): boolean => value === undefined || getAttribute(tree, node, attribute) === value;
  return listWithin(page, page.elementsWith(attribute), range, hasValue);
}

/** Filters elements in document order to those below the scope, up to the limit. */
function listWithin(
  { tree }: ParsedPage,
  nodes: readonly number[] = [],
  { scope, limit }: SelectRange,
  isMatch: (node: number) => boolean = () => true,
): readonly number[] {
  const end = scope === 0 ? tree.count : getSubtreeEnd(tree, scope);
  const found: number[] = [];
  for (let at = findFirstAfter(nodes, scope); at < nodes.length && found.length < limit; at++) {
    const node = nodes[at] ?? end;
    if (node >= end) break;
    if (isMatch(node)) found.push(node);
  }
  return found;
}

function selectElements(page: ParsedPage, selector: string, range: SelectRange): readonly number[] {
  const [, name, rest] = range.scope === 0 ? (ID_SELECTOR.exec(selector) ?? []) : [];
  const known = name === undefined ? lookUp(page, selector, range) : null;
  if (known !== null) return known;
  try {
    if (name === undefined) return selectMatching(page, selector, range);
    const named = page.ids().get(name);
    if (named === undefined) return [];
    return rest === undefined ? [named] : selectMatching(page, rest, { ...range, scope: named });
  } catch (error) {
    if (error instanceof SelectionTooCostly) return [];
    throw error;
  }
}

/** Runs a selector on its candidates, or on all elements if there is no lookup key. */
function selectMatching(page: ParsedPage, selector: string, { scope, limit }: SelectRange): readonly number[] {
  const among = listCandidates(page, selector, scope);
  if (among === null) return selectCss(page.nodes(), selector, scope, limit);
  return selectAmong(page.nodes(), selector, { scope, limit, among });
}

/** The schema.org entities of these types in a page, nested ones included: first JSON-LD, then microdata, then RDFa. */
export function listEntities(page: ParsedPage, ...types: readonly string[]): readonly Entity[] {
  return page.entities().all.filter((entity) => entity.types.some((type) => types.includes(type)));
}

/**
 * The first value of an OpenGraph, article, product, music or twitter property, on one line. Null if the page has none.
 */
export function findOpenGraph(page: ParsedPage, property: string): string | null {
  const value = page.structured().opengraph[property];
  return toLine(toList(value)[0]);
}

/** The canonical URL of a page, as written. Null if the page has none. */
export function findCanonicalUrl(page: ParsedPage): string | null {
  const { tree } = page;
  for (let node = findNextTag(tree, TAG.link, 1); node !== 0; node = findNextTag(tree, TAG.link, node + 1)) {
    const rel = getKnownAttribute(tree, node, ATTRIBUTE.rel) ?? '';
    const href = /(?:^|\s)canonical(?:\s|$)/i.test(rel) ? toLine(getKnownAttribute(tree, node, ATTRIBUTE.href)) : null;
    if (href !== null) return href;
  }
  return findOpenGraph(page, 'og:url');
}

const MAX_BOX_LEVELS = 6;
const MAX_HEADINGS = 200;
const MAX_LABELS = 200;
const MAX_LABEL_LENGTH = 2000;

/**
 * The short texts after the first heading that matches, such as badges or list items. They end at the next heading, at
 * the end of the box around the heading, or at node `end`. Empty if no heading matches.
 */
export function listLabelsUnder(page: ParsedPage, heading: RegExp, end = page.tree.count): readonly string[] {
  const { tree } = page;
  const headings = selectAll(page, 'h2, h3, h4')
    .slice(0, MAX_HEADINGS)
    .filter((node) => node < end);
  const found = headings.find((node) => heading.test(readSingleLine(page, node) ?? ''));
  if (found === undefined) return [];
  const next = headings.find((node) => node > found) ?? end;
  const last = Math.min(getSubtreeEnd(tree, findBox(page, found)), next);
  const labels: string[] = [];
  for (let node = getSubtreeEnd(tree, found); node < last && labels.length < MAX_LABELS; node++) {
    const label = isLeaf(page, node) ? readSingleLine(page, node) : null;
    if (label !== null && label.length <= MAX_LABEL_LENGTH) labels.push(label);
  }
  return labels;
}

/** The closest ancestor of a heading with more text than the heading. */
function findBox(page: ParsedPage, heading: number): number {
  const own = readSingleLine(page, heading);
  let box = heading;
  for (let step = 0; step < MAX_BOX_LEVELS && readSingleLine(page, box) === own; step++)
    box = getParent(page.tree, box);
  return box;
}

function isLeaf({ tree }: ParsedPage, node: number): boolean {
  if (!isElement(tree, node)) return false;
  for (let child = getFirstChild(tree, node); child !== 0; child = getNextSibling(tree, child))
    if (isElement(tree, child)) return false;
  return true;
}
