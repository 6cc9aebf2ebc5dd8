import { toCleanHtml } from '#extract/renderers/clean-html.ts';
import { toPlainText } from '#extract/renderers/markdown.ts';
import { collapsedText } from '#extract/html/element-text.ts';
import { attributeOf, nameOf, subtreeEndOf } from '#extract/html/tree.ts';
import { selectAmong, selectCss } from '#extract/select/css.ts';
import { SelectionTooCostly } from '#extract/select/cpu-time.ts';
import { line, text } from '#extract/values/raw.ts';
import { candidatesFor } from './candidates.ts';
import { firstAfter } from '#extract/html/first-after.ts';
import { parsePage, type ParsedPage } from './parsed-page.ts';

/** Rich text of a page: sanitised HTML with absolute plain links, and the plain text that it shows. */
export type RichText = { readonly html: string; readonly text: string };

const MAX_FOUND = 5000;
/** An id, and what follows it below that element. */
const BY_ID = /^#([\w-]+)(?:\s+([^,>+~][^,]*))?$/;

/** A tag, a class or both, and nothing else. */
const PLAIN = /^(?=.)([a-z][a-z0-9]*)?(?:\.([\w-]+))?$/;
/** An attribute of the page's own, whatever it says or with a value. */
const STATED = /^\[(data-[a-z0-9-]+)(?:="([^"\\]*)")?\]$/;

/**
 * The elements below `scope` (0 is the page) that a CSS selector matches, in document order; `:scope >` is a child of
 * the scope. One that opens with an id means the first of that name. Empty once the selectors of a page have used up their time.
 */
export function all(page: ParsedPage, selector: string, scope = 0): readonly number[] {
  return select(page, selector, { scope, limit: MAX_FOUND });
}

/** The first of them, 0 when there is none. */
export function one(page: ParsedPage, selector: string, scope = 0): number {
  return select(page, selector, { scope, limit: 1 })[0] ?? 0;
}

/** The text of the first such element on one line; null when there is none, or it shows nothing. */
export function lineAt(page: ParsedPage, selector: string, scope = 0): string | null {
  return lineOf(page, one(page, selector, scope));
}

/** An attribute of the first such element that has one which says something. */
export function attributeAt(page: ParsedPage, selector: string, name: string, scope = 0): string | null {
  for (const node of all(page, selector, scope)) {
    const value = text(attributeOf(page.tree, node, name));
    if (value !== null) return value;
  }
  return null;
}

/** The text of an element on one line; null of none, or of one that shows nothing. */
export function lineOf(page: ParsedPage, node: number): string | null {
  return node === 0 ? null : line(collapsedText(page.tree, node));
}

/** The text and the markup of an element; null of none, or of one that shows nothing. */
export function richOf(page: ParsedPage, node: number): RichText | null {
  if (node === 0) return null;
  const view = page.view();
  return toRich(toCleanHtml(view, node), toPlainText(view, node));
}

/** Markup that a source gives as text, made safe and plain; null when it shows nothing. */
export function readRich(html: string, url: string): RichText | null {
  const view = parsePage(html, url).view();
  return toRich(toCleanHtml(view), toPlainText(view));
}

function toRich(html: string, plain: string): RichText | null {
  return html.trim() === '' ? null : { html: html.trim(), text: plain.trim() };
}

type Range = { readonly scope: number; readonly limit: number };

/**
 * The elements that a selector of one tag, class or attribute means, looked up: to read many parts of a long list by
 * selectors takes long. Null for any other selector.
 */
function lookedUp(page: ParsedPage, selector: string, range: Range): readonly number[] | null {
  const { tree } = page;
  const [plain, tag, name] = PLAIN.exec(selector) ?? [];
  if (plain !== undefined && name === undefined) return within(page, page.tags().get(tag ?? ''), range);
  if (plain !== undefined)
    return within(
      page,
      page.classes().get(name ?? ''),
      range,
      (node) => tag === undefined || nameOf(tree, node) === tag,
    );
  const [, stated, value] = STATED.exec(selector) ?? [];
  if (stated === undefined) return null;
  const says = (node: number): boolean => value === undefined || attributeOf(tree, node, stated) === value;
  return within(page, page.stating(stated), range, says);
}

/** Of elements in document order those below the scope. */
function within(
  { tree }: ParsedPage,
  nodes: readonly number[] = [],
  { scope, limit }: Range,
  isMeant: (node: number) => boolean = () => true,
): readonly number[] {
  const end = scope === 0 ? tree.count : subtreeEndOf(tree, scope);
  const found: number[] = [];
  for (let at = firstAfter(nodes, scope); at < nodes.length && found.length < limit; at++) {
    const node = nodes[at] ?? end;
    if (node >= end) break;
    if (isMeant(node)) found.push(node);
  }
  return found;
}

function select(page: ParsedPage, selector: string, range: Range): readonly number[] {
  const [, name, rest] = range.scope === 0 ? (BY_ID.exec(selector) ?? []) : [];
  const known = name === undefined ? lookedUp(page, selector, range) : null;
  if (known !== null) return known;
  try {
    if (name === undefined) return matching(page, selector, range);
    const named = page.ids().get(name);
    if (named === undefined) return [];
    return rest === undefined ? [named] : matching(page, rest, { ...range, scope: named });
  } catch (error) {
    if (error instanceof SelectionTooCostly) return [];
    throw error;
  }
}

/** The elements that a selector matches, tried on those that may be. */
function matching(page: ParsedPage, selector: string, { scope, limit }: Range): readonly number[] {
  const among = candidatesFor(page, selector, scope);
  if (among === null) return selectCss(page.nodes(), selector, scope, limit);
  return selectAmong(page.nodes(), selector, { scope, limit, among });
}
