import { firstAfter } from '#extract/html/first-after.ts';
import type { Selector } from 'css-what';
import { subtreeEndOf } from '#extract/html/tree.ts';
import { library } from '#extract/select/libraries.ts';
import type { ParsedPage } from './parsed-page.ts';

/** By what elements are looked up, the most telling first. */
const KINDS = ['class', 'attribute', 'tag'] as const;

/** What an element of a selector has at least: looked up in a page, it leaves few to try. */
type Mark = { readonly by: (typeof KINDS)[number]; readonly name: string };

/** Marks by selector: sites have a few hundred, some with a number in them. */
const KNOWN = new Map<string, readonly Mark[] | null>();
const MAX_KNOWN = 2000;

/**
 * The elements below `scope` among which all are that a CSS selector can match, in document order, by what the last part
 * of it asks for; null where it asks for nothing that is looked up.
 */
export function candidatesFor(page: ParsedPage, selector: string, scope: number): readonly number[] | null {
  const marks = marksOf(selector);
  if (marks === null) return null;
  const [first = [], ...others] = marks.map((mark) => below(page, nodesOf(page, mark), scope));
  return others.length === 0 ? first : [...new Set([first, ...others].flat())].toSorted((one, other) => one - other);
}

/** Of elements in document order those below the scope, without what templates hold. */
function below(page: ParsedPage, nodes: readonly number[], scope: number): readonly number[] {
  const { tree } = page;
  const end = scope === 0 ? tree.count : subtreeEndOf(tree, scope);
  const own = nodes.slice(firstAfter(nodes, scope), firstAfter(nodes, end - 1));
  const inert = page.templates().filter((template) => template > scope && template < end);
  if (inert.length === 0) return own;
  return own.filter((node) => !inert.some((template) => template < node && node < subtreeEndOf(tree, template)));
}

function nodesOf(page: ParsedPage, { by, name }: Mark): readonly number[] {
  if (by === 'class') return page.classes().get(name) ?? [];
  return by === 'tag' ? (page.tags().get(name) ?? []) : page.stating(name);
}

/** The most telling mark of the last part of each alternative of a selector; null where one has none. */
function marksOf(selector: string): readonly Mark[] | null {
  const known = KNOWN.get(selector);
  if (known !== undefined) return known;
  const { isTraversal, parse } = library('css-what');
  const all = parse(selector).map((rules) => {
    const marks = rules.slice(rules.findLastIndex(isTraversal) + 1).flatMap((rule) => markOf(rule) ?? []);
    return marks.toSorted((one, other) => KINDS.indexOf(one.by) - KINDS.indexOf(other.by))[0] ?? null;
  });
  const marks = all.every((mark) => mark !== null) ? all : null;
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  KNOWN.set(selector, marks);
  return marks;
}

function markOf(rule: Selector): Mark | null {
  const { AttributeAction, SelectorType } = library('css-what');
  if (rule.type === SelectorType.Tag) return { by: 'tag', name: rule.name.toLowerCase() };
  if (rule.type !== SelectorType.Attribute || rule.action === AttributeAction.Not || rule.namespace !== null)
    return null;
  const { name, action, value, ignoreCase } = rule;
  if (name === 'class' && action === AttributeAction.Element && ignoreCase !== true)
    return { by: 'class', name: value };
  return { by: 'attribute', name: name.toLowerCase() };
}
