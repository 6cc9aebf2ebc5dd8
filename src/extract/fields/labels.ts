import { collapsedText } from '#extract/html/element-text.ts';
import { nameKey, wordsOf } from './names.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { childrenOf, isText, knownAttribute, nextOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';

/** A value that a page shows beside its name. */
export type Label = { readonly name: string; readonly node: number; readonly text: string };

const LONGEST_NAME = 60;
const LONGEST_VALUE = 2000;
const MOST = 2000;
/** An element that shows `Name: value` is this small; anything larger is a container of such elements. */
const LARGEST = 12;
const INLINE_LABEL = /^([^:：]{1,60})[:：]\s*(\S.*)$/su;

/** Every `dt`/`dd`, row heading, form label, `aria-label` and `Name: value` below a node, in document order. */
export function collectLabels(tree: Tree, scope: number): readonly Label[] {
  const labels: Label[] = [];
  const end = subtreeEndOf(tree, scope);
  const ids = collectIds(tree, scope, end);
  for (let at = scope + 1; at < end && labels.length < MOST; at++) {
    const tag = tagOf(tree, at);
    if (tag <= TAG.text || tag === TAG.script || tag === TAG.style) continue;
    if (tag === TAG.template) {
      at = subtreeEndOf(tree, at) - 1;
      continue;
    }
    const label = labelAt(tree, at, tag, ids);
    if (label !== null && label.text !== '' && label.name.length <= LONGEST_NAME) labels.push(label);
  }
  return labels;
}

/** The label that is named as a field is; where none is, the first whose words are all among the field's name and description. */
export function findLabel(labels: readonly Label[], name: string, description: string): Label | null {
  const key = nameKey(name);
  const exact = labels.find((label) => nameKey(label.name) === key);
  if (exact !== undefined) return exact;
  const asked = new Set([...wordsOf(name), ...wordsOf(description)]);
  if (description === '') return null;
  return (
    labels.find((label) => {
      const words = wordsOf(label.name);
      return words.length > 0 && words.every((word) => asked.has(word));
    }) ?? null
  );
}

function labelAt(tree: Tree, node: number, tag: number, ids: ReadonlyMap<string, number>): Label | null {
  if (tag === TAG.dt) return besideTerm(tree, node);
  if (tag === TAG.tr) return inRow(tree, node);
  if (tag === TAG.label) return ofControl(tree, node, ids);
  const spoken = knownAttribute(tree, node, ATTRIBUTE.ariaLabel);
  if (spoken !== null) return toLabel(tree, spoken, node);
  if (subtreeEndOf(tree, node) - node > LARGEST || tag === TAG.title) return null;
  const text = collapsedText(tree, node);
  const match = text.length > LONGEST_VALUE ? null : INLINE_LABEL.exec(text);
  const [, name = '', value = ''] = match ?? [];
  return match === null ? null : { name, node, text: value };
}

function besideTerm(tree: Tree, term: number): Label | null {
  let at = nextOf(tree, term);
  while (at !== 0 && tagOf(tree, at) !== TAG.dd) {
    if (tagOf(tree, at) === TAG.dt) return null;
    at = nextOf(tree, at);
  }
  return at === 0 ? null : toLabel(tree, collapsedText(tree, term), at);
}

function inRow(tree: Tree, row: number): Label | null {
  const cells = childrenOf(tree, row).filter((child) => tagOf(tree, child) === TAG.td || tagOf(tree, child) === TAG.th);
  const [head, value] = cells;
  if (cells.length !== 2 || head === undefined || value === undefined || tagOf(tree, value) !== TAG.td) return null;
  return toLabel(tree, collapsedText(tree, head), value);
}

function ofControl(tree: Tree, label: number, ids: ReadonlyMap<string, number>): Label | null {
  const control = ids.get(knownAttribute(tree, label, ATTRIBUTE.for) ?? '');
  if (control === undefined) return null;
  const name = collapsedText(tree, label);
  const value = knownAttribute(tree, control, ATTRIBUTE.value);
  return value === null ? toLabel(tree, name, control) : { name, node: control, text: value };
}

function toLabel(tree: Tree, name: string, node: number): Label {
  return { name: name.replace(/\s*[:：]\s*$/, ''), node, text: collapsedText(tree, node).slice(0, LONGEST_VALUE) };
}

function collectIds(tree: Tree, scope: number, end: number): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (let at = scope + 1; at < end; at++) {
    const id = isText(tree, at) ? null : knownAttribute(tree, at, ATTRIBUTE.id);
    if (id !== null && !ids.has(id)) ids.set(id, at);
  }
  return ids;
}
