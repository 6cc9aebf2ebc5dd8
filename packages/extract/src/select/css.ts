import type { Options } from 'css-select';
import { loadLibrary } from '#extract/platform/node.ts';
import { isPageNode, type PageNodes, type PageNode } from './nodes.ts';

const MAX_SELECTOR_LENGTH = 1000;

const CSS_OPTIONS: Options<PageNode, PageNode> = {
  // The library would cache results forever, but a page is only used for one reading.
  cacheResults: false,
  adapter: {
    isTag(node): node is PageNode {
      node.page.spend(1);
      return node.nodeType === 1;
    },
    getAttributeValue(element, name) {
      element.page.spend(1);
      return element.page.attribute(element, name) ?? undefined;
    },
    getChildren: (node) => node.page.children(node),
    getName: (element) => element.localName,
    getParent: (node) => node.page.parent(node),
    getSiblings: listSiblings,
    prevElementSibling: findPreviousElement,
    getText: (node) => node.page.text(node),
    hasAttrib: (element, name) => element.page.attribute(element, name) !== null,
    removeSubsets: (nodes) => nodes,
  },
};

/** Checks a CSS selector. Returns the problem, or null. */
export function checkSelector(text: string): string | null {
  if (text.length > MAX_SELECTOR_LENGTH) return `a CSS selector has at most ${MAX_SELECTOR_LENGTH} characters`;
  if (text.trim() === '') return 'a CSS selector must not be empty';
  try {
    const { isTraversal, parse } = loadLibrary('css-what');
    const rules = parse(text);
    const ends = rules.map((rule) => rule.at(-1));
    if (ends.some((last) => last === undefined || isTraversal(last)))
      return 'not a CSS selector: it ends in a combinator';
    loadLibrary('css-select').compile(rules, CSS_OPTIONS);
    return null;
  } catch (error) {
    return error instanceof Error ? `not a CSS selector: ${error.message}` : 'not a CSS selector';
  }
}

/**
 * The ids of the elements below `scope` that a selector matches, in document order, at most `limit`. `:scope` by itself
 * matches the scope. Throws SelectionTooCostly.
 */
export function selectCss(page: PageNodes, selector: string, scope: number, limit: number): readonly number[] {
  if (selector.trim() === ':scope') return scope === 0 ? [] : [scope];
  return page.select(() => selectWithin(page, selector, { scope, limit }));
}

type SelectScope = {
  readonly scope: number;
  readonly limit: number;
  /** Elements below the scope in document order. Every possible match is among them. */
  readonly among?: readonly number[];
};

/** Like `selectCss`, but only tests the elements in `among`. Throws SelectionTooCostly. */
export function selectAmong(page: PageNodes, selector: string, scope: Required<SelectScope>): readonly number[] {
  return scope.among.length === 0 ? [] : page.select(() => selectWithin(page, selector, scope));
}

function selectWithin(page: PageNodes, selector: string, { scope, limit, among }: SelectScope): readonly number[] {
  const options = scope === 0 ? CSS_OPTIONS : { ...CSS_OPTIONS, context: page.node(scope) };
  const matches = loadLibrary('css-select').compile<PageNode, PageNode>(selector, options);
  const found: number[] = [];
  for (const element of among?.map((node) => page.node(node)) ?? page.elementsBelow(scope)) {
    page.spend(1);
    if (matches(element)) found.push(element.id);
    if (found.length >= limit) break;
  }
  return found;
}

function listSiblings(node: PageNode): PageNode[] {
  const parent = node.page.parent(node);
  if (parent === null) return [node];
  const siblings = node.page.children(parent);
  node.page.spend(siblings.length);
  return siblings;
}

function findPreviousElement(node: PageNode): PageNode | null {
  let at = node.page.previous(node);
  while (at !== null && at.nodeType !== 1) at = node.page.previous(at);
  return isPageNode(at) ? at : null;
}
