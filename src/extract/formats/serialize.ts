import { escapeAttribute, escapeText } from 'entities';
import { TAG } from '#extract/html/tag-names.ts';
import { flagsOf, VOID } from '#extract/html/tags.ts';
import {
  attributesOf,
  charactersOf,
  childrenOf,
  isElement,
  isText,
  nameOf,
  tagOf,
  type Tree,
} from '#extract/html/tree.ts';

const LONGEST = 1_000_000;

/** An element and what is below it as HTML; scripts and styles left out, cut after a million characters. */
export function toOuterHtml(tree: Tree, node: number): string {
  const parts: string[] = [];
  write(tree, node, parts, { left: LONGEST });
  return parts.join('');
}

function write(tree: Tree, node: number, parts: string[], budget: { left: number }): void {
  if (budget.left <= 0) return;
  if (isText(tree, node)) return put(escapeText(charactersOf(tree, node)), parts, budget);
  const tag = tagOf(tree, node);
  if (!isElement(tree, node) || tag === TAG.script || tag === TAG.style) return;
  const attributes = attributesOf(tree, node).map(({ name, value }) => ` ${name}="${escapeAttribute(value)}"`);
  put(`<${nameOf(tree, node)}${attributes.join('')}>`, parts, budget);
  if ((flagsOf(tag) & VOID) !== 0) return;
  for (const child of childrenOf(tree, node)) write(tree, child, parts, budget);
  put(`</${nameOf(tree, node)}>`, parts, budget);
}

function put(text: string, parts: string[], budget: { left: number }): void {
  parts.push(text);
  budget.left -= text.length;
}
