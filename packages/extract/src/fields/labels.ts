import { collapsedText } from '#extract/html/element-text.ts';
import { isBlock } from '#extract/view/view.ts';
import { readLineText, readLines, splitLabels } from './inline-labels.ts';
import { toNameKey, splitNameWords } from './names.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { childrenOf, isText, knownAttribute, nextOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';

/** A value that a page shows beside its name. */
export type Label = { readonly name: string; readonly node: number; readonly text: string };

const MAX_NAME_LENGTH = 60;
const MAX_VALUE_LENGTH = 2000;
const MAX_ALL_LABELS = 2000;
/** An element that shows `Name: value` is this small; anything larger is a container of such elements. */
const MAX_LABEL_NODES = 12;
/** Nodes of what names the text next to it, and siblings that the text may be in. */
const MAX_NAME_NODES = 4;
const MAX_SIBLINGS = 6;

/** Every `dt`/`dd`, row heading, form label, `aria-label` and `Name: value` below a node, in document order. */
export function collectLabels(tree: Tree, scope: number): readonly Label[] {
  const labels: Label[] = [];
  const end = subtreeEndOf(tree, scope);
  const ids = collectIds(tree, scope, end);
  for (let at = scope + 1; at < end && labels.length < MAX_ALL_LABELS; at++) {
    const tag = tagOf(tree, at);
    if (tag <= TAG.text || tag === TAG.script || tag === TAG.style) continue;
    if (tag === TAG.template) {
      at = subtreeEndOf(tree, at) - 1;
      continue;
    }
    for (const label of readLabelsAt(tree, at, tag, ids)) {
      if (label.text !== '' && label.name.length <= MAX_NAME_LENGTH) labels.push(label);
    }
  }
  return labels;
}

/** The label that is named as a field is; where none is, the first whose words are all among the field's name and description. */
export function findLabel(labels: readonly Label[], name: string, description: string): Label | null {
  const key = toNameKey(name);
  const exact = labels.find((label) => toNameKey(label.name) === key);
  if (exact !== undefined) return exact;
  const asked = new Set([...splitNameWords(name), ...splitNameWords(description)]);
  if (description === '') return null;
  return (
    labels.find((label) => {
      const words = splitNameWords(label.name);
      return words.length > 0 && words.every((word) => asked.has(word));
    }) ?? null
  );
}

function readLabelsAt(tree: Tree, node: number, tag: number, ids: ReadonlyMap<string, number>): readonly Label[] {
  const marked = readMarkedLabel(tree, node, tag, ids);
  if (marked !== undefined) return marked === null ? [] : [marked];
  if (subtreeEndOf(tree, node) - node > MAX_LABEL_NODES || tag === TAG.title) return [];
  const text = readLines(tree, node);
  if (text.length > MAX_VALUE_LENGTH || !/[:：]/.test(text)) return [];
  if (/[:：]$/.test(text))
    return subtreeEndOf(tree, node) - node > MAX_NAME_NODES ? [] : readValueAfterName(tree, node, text);
  const labels = splitLabels(text);
  // Of several, none is what the element shows: its texts are of all of them.
  const shown = labels.length === 1 ? node : findFirstText(tree, node);
  return labels.map((label) => ({ ...label, node: shown }));
}

/** The label that the markup itself makes one; undefined where it makes none. */
function readMarkedLabel(
  tree: Tree,
  node: number,
  tag: number,
  ids: ReadonlyMap<string, number>,
): Label | null | undefined {
  if (tag === TAG.dt) return readDefinition(tree, node);
  if (tag === TAG.tr) return readRowLabel(tree, node);
  if (tag === TAG.label) return readControlLabel(tree, node, ids);
  const spoken = knownAttribute(tree, node, ATTRIBUTE.ariaLabel);
  return spoken === null ? undefined : toLabel(tree, spoken, node);
}

function findFirstText(tree: Tree, node: number): number {
  let at = node + 1;
  while (at < subtreeEndOf(tree, node) && !isText(tree, at)) at++;
  return at;
}

/** What stands behind an element that holds a name and a colon, up to a line end or the next such name. */
function readValueAfterName(tree: Tree, node: number, name: string): readonly Label[] {
  let value = '';
  let shown = 0;
  let at = nextOf(tree, node);
  for (let count = 0; count < MAX_SIBLINGS && at !== 0; count++, at = nextOf(tree, at)) {
    const text = readLineText(tree, at, MAX_VALUE_LENGTH);
    if (/[:：]$/.test(text) && !isText(tree, at)) break;
    if (value !== '' && (tagOf(tree, at) === TAG.br || isBlock(tree, at))) break;
    if (text === '') continue;
    shown = shown === 0 ? at : findFirstText(tree, node);
    value = `${value} ${text}`.trim();
  }
  const text = value.replace(/\s*[/|·•;,–—]$/, '');
  return text === '' ? [] : [{ name: name.replace(/\s*[:：]$/, ''), node: shown, text }];
}

function readDefinition(tree: Tree, term: number): Label | null {
  let at = nextOf(tree, term);
  while (at !== 0 && tagOf(tree, at) !== TAG.dd) {
    if (tagOf(tree, at) === TAG.dt) return null;
    at = nextOf(tree, at);
  }
  return at === 0 ? null : toLabel(tree, collapsedText(tree, term), at);
}

function readRowLabel(tree: Tree, row: number): Label | null {
  const cells = childrenOf(tree, row).filter((child) => tagOf(tree, child) === TAG.td || tagOf(tree, child) === TAG.th);
  const [head, value] = cells;
  if (cells.length !== 2 || head === undefined || value === undefined || tagOf(tree, value) !== TAG.td) return null;
  return toLabel(tree, collapsedText(tree, head), value);
}

function readControlLabel(tree: Tree, label: number, ids: ReadonlyMap<string, number>): Label | null {
  const control = ids.get(knownAttribute(tree, label, ATTRIBUTE.for) ?? '');
  if (control === undefined) return null;
  const name = collapsedText(tree, label);
  const value = knownAttribute(tree, control, ATTRIBUTE.value);
  return value === null ? toLabel(tree, name, control) : { name, node: control, text: value };
}

function toLabel(tree: Tree, name: string, node: number): Label {
  return { name: name.replace(/\s*[:：]\s*$/, ''), node, text: collapsedText(tree, node).slice(0, MAX_VALUE_LENGTH) };
}

function collectIds(tree: Tree, scope: number, end: number): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (let at = scope + 1; at < end; at++) {
    const id = isText(tree, at) ? null : knownAttribute(tree, at, ATTRIBUTE.id);
    if (id !== null && !ids.has(id)) ids.set(id, at);
  }
  return ids;
}
