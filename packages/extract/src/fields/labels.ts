import {
  readCollapsedText,
  readCharacters,
  listChildren,
  isElement,
  isText,
  getKnownAttribute,
  getNextSibling,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { isBlock } from '#extract/view/view.ts';

/** A name and value within one text. */
type InlineLabel = { readonly name: string; readonly text: string };

const FIRST_NAME = /^\s*([^:：\n]{1,60})[:：]\s*(?=\S)/u;
/** The start of the next name: after a separator or line break, or a single capitalised word after a short value. */
const NEXT_NAME =
  /(?:\s*[/|·•;；,，、–—]\s*|\n\s*)(?!https?:|mailto:|tel:)(?<name>\p{L}[\p{L}\p{M}\p{N} .'’()-]{0,39}?)\s?(?:[:：](?=\s)|：)\s*|\s(?<word>\p{Lu}[\p{L}\p{M}-]{1,20}):\s+/gu;
const MAX_LABELS = 50;
const MAX_NAME_WORDS = 4;
/** If more words precede a name without a separator, the colon is part of a sentence. */
const MAX_VALUE_WORDS = 5;

/** The names and values in a text, each value up to the next name; empty if the text does not start with a name. */
function splitLabels(text: string): readonly InlineLabel[] {
  const first = FIRST_NAME.exec(text);
  if (first === null) return [];
  const labels: InlineLabel[] = [];
  let name = first[1] ?? '';
  let start = first[0].length;
  for (const match of text.matchAll(NEXT_NAME)) {
    if (match.index < start || labels.length >= MAX_LABELS) continue;
    const value = text.slice(start, match.index);
    const { name: next = match.groups?.['word'] ?? '' } = match.groups ?? {};
    const isSigned = match.groups?.['name'] !== undefined;
    if (value.trim() === '' || countWords(next) > MAX_NAME_WORDS) continue;
    if (!isSigned && (countWords(value) > MAX_VALUE_WORDS || /[.!?]$/.test(value))) continue;
    labels.push({ name, text: collapseLine(value) });
    name = next;
    start = match.index + match[0].length;
  }
  return [...labels, { name, text: collapseLine(text.slice(start)) }];
}

function countWords(text: string): number {
  return text.trim().split(/\s+/).length;
}

function collapseLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The text of an element or text node on one line. */
export function readLineText(tree: Tree, node: number, longest: number): string {
  return isText(tree, node)
    ? collapseLine(readCharacters(tree, node, longest))
    : readCollapsedText(tree, node, longest);
}

/** The text of a small element, with line breaks where it has them. */
function readLines(tree: Tree, node: number): string {
  let text = '';
  for (let at = node + 1; at < getSubtreeEnd(tree, node); at++) {
    const tag = getTag(tree, at);
    if (tag === TAG.script || tag === TAG.style || tag === TAG.template) at = getSubtreeEnd(tree, at) - 1;
    else if (isText(tree, at)) text += readCharacters(tree, at).replaceAll(/\s+/g, ' ');
    else if (tag === TAG.br || isBlock(tree, at)) text += '\n';
  }
  return text.trim();
}

const MAX_PAIR_NAME_LENGTH = 40;
const MAX_PAIR_VALUE_LENGTH = 200;
const MAX_PAIR_NAME_NODES = 6;
const MAX_PAIR_VALUE_NODES = 30;
const MAX_PAIRS = 2000;
/** Elements that may label the next element. */
const NAMING_TAGS = buildTagSet('span div b strong h3 h4 h5 h6 td th label p li dt small em');

/** Collects names and values in adjacent elements: `<b>Brand</b> <span>Acme</span>`, cells in a row. */
export function collectLabelPairs(tree: Tree): readonly Label[] {
  const labels: Label[] = [];
  for (let at = 1; at < tree.count && labels.length < MAX_PAIRS; at++) {
    if (NAMING_TAGS[getTag(tree, at)] !== 1 || getSubtreeEnd(tree, at) - at > MAX_PAIR_NAME_NODES) continue;
    const value = findNextContent(tree, at);
    if (value === 0 || getSubtreeEnd(tree, value) - value > MAX_PAIR_VALUE_NODES) continue;
    const name = readCollapsedText(tree, at, MAX_PAIR_NAME_LENGTH + 2).replace(/\s*[:：]\s*$/, '');
    if (name === '' || name.length > MAX_PAIR_NAME_LENGTH) continue;
    const text = readCollapsedText(tree, value, MAX_PAIR_VALUE_LENGTH);
    if (text !== '') labels.push({ name, node: value, text });
  }
  return labels;
}

/** The next sibling of a node, or of its parent if the node is the parent's only child; 0 if there is none. */
function findNextContent(tree: Tree, node: number): number {
  let at = node;
  for (let level = 0; level < 2; level++) {
    let next = getNextSibling(tree, at);
    while (next !== 0 && isText(tree, next) && readCollapsedText(tree, next, 1) === '')
      next = getNextSibling(tree, next);
    if (next !== 0) return next;
    const around = getParent(tree, at);
    if (listChildren(tree, around).filter((child) => isElement(tree, child)).length !== 1) return 0;
    at = around;
  }
  return 0;
}

const STOP_WORDS: ReadonlySet<string> = new Set('a an the of for in on to and or is s'.split(' '));
const MAX_WORDS = 40;

/** The lower-case words of a name or label: `publishedDate`, `published_date` and `Published date:` give the same two words. */
export function splitNameWords(name: string): readonly string[] {
  return name
    .slice(0, 500)
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .slice(0, MAX_WORDS);
}

/** A key that is equal for names with the same words in any order and case. */
export function toNameKey(name: string): string {
  return splitNameWords(name).toSorted().join(' ');
}

/** A value that a page shows with its name. */
export type Label = { readonly name: string; readonly node: number; readonly text: string };

const MAX_NAME_LENGTH = 60;
const MAX_VALUE_LENGTH = 2000;
const MAX_ALL_LABELS = 2000;
/** The most nodes of an element that shows `Name: value`; a larger one is a container. */
const MAX_LABEL_NODES = 12;
/** The most nodes of an element that only has the name. */
const MAX_NAME_NODES = 4;
const MAX_SIBLINGS = 6;

/** Collects every `dt`/`dd`, row heading, form label, `aria-label` and `Name: value` below a node, in document order. */
export function collectLabels(tree: Tree, scope: number): readonly Label[] {
  const labels: Label[] = [];
  const end = getSubtreeEnd(tree, scope);
  const ids = collectIds(tree, scope, end);
  for (let at = scope + 1; at < end && labels.length < MAX_ALL_LABELS; at++) {
    const tag = getTag(tree, at);
    if (tag <= TAG.text || tag === TAG.script || tag === TAG.style) continue;
    if (tag === TAG.template) {
      at = getSubtreeEnd(tree, at) - 1;
      continue;
    }
    for (const label of readLabelsAt(tree, at, tag, ids)) {
      if (label.text !== '' && label.name.length <= MAX_NAME_LENGTH) labels.push(label);
    }
  }
  return labels;
}

/**
 * The label with the name of a field; else the first whose words all occur in the field's name or description. Null if
 * there is none.
 */
export function findLabel(labels: readonly Label[], name: string, description: string): Label | null {
  const key = toNameKey(name);
  const exact = labels.find((label) => toNameKey(label.name) === key);
  if (exact !== undefined) return exact;
  const requestedWords = new Set([...splitNameWords(name), ...splitNameWords(description)]);
  if (description === '') return null;
  return (
    labels.find((label) => {
      const words = splitNameWords(label.name);
      return words.length > 0 && words.every((word) => requestedWords.has(word));
    }) ?? null
  );
}

function readLabelsAt(tree: Tree, node: number, tag: number, ids: ReadonlyMap<string, number>): readonly Label[] {
  const marked = readMarkedLabel(tree, node, tag, ids);
  if (marked !== undefined) return marked === null ? [] : [marked];
  if (getSubtreeEnd(tree, node) - node > MAX_LABEL_NODES || tag === TAG.title) return [];
  const text = readLines(tree, node);
  if (text.length > MAX_VALUE_LENGTH || !/[:：]/.test(text)) return [];
  if (/[:：]$/.test(text))
    return getSubtreeEnd(tree, node) - node > MAX_NAME_NODES ? [] : readValueAfterName(tree, node, text);
  const labels = splitLabels(text);
  // With several labels, the element does not show any one of them alone.
  const shown = labels.length === 1 ? node : findFirstText(tree, node);
  return labels.map((label) => ({ ...label, node: shown }));
}

/** The label that the markup declares; undefined if it declares none. */
function readMarkedLabel(
  tree: Tree,
  node: number,
  tag: number,
  ids: ReadonlyMap<string, number>,
): Label | null | undefined {
  if (tag === TAG.dt) return readDefinition(tree, node);
  if (tag === TAG.tr) return readRowLabel(tree, node);
  if (tag === TAG.label) return readControlLabel(tree, node, ids);
  const spoken = getKnownAttribute(tree, node, ATTRIBUTE.ariaLabel);
  return spoken === null ? undefined : toLabel(tree, spoken, node);
}

function findFirstText(tree: Tree, node: number): number {
  let at = node + 1;
  while (at < getSubtreeEnd(tree, node) && !isText(tree, at)) at++;
  return at;
}

/** The value after an element that only has a name and a colon, up to a line break or the next name. */
function readValueAfterName(tree: Tree, node: number, name: string): readonly Label[] {
  let value = '';
  let shown = 0;
  let at = getNextSibling(tree, node);
  for (let count = 0; count < MAX_SIBLINGS && at !== 0; count++, at = getNextSibling(tree, at)) {
    const text = readLineText(tree, at, MAX_VALUE_LENGTH);
    if (/[:：]$/.test(text) && !isText(tree, at)) break;
    if (value !== '' && (getTag(tree, at) === TAG.br || isBlock(tree, at))) break;
    if (text === '') continue;
    shown = shown === 0 ? at : findFirstText(tree, node);
    value = `${value} ${text}`.trim();
  }
  const text = value.replace(/\s*[/|·•;,–—]$/, '');
  return text === '' ? [] : [{ name: name.replace(/\s*[:：]$/, ''), node: shown, text }];
}

function readDefinition(tree: Tree, term: number): Label | null {
  let at = getNextSibling(tree, term);
  while (at !== 0 && getTag(tree, at) !== TAG.dd) {
    if (getTag(tree, at) === TAG.dt) return null;
    at = getNextSibling(tree, at);
  }
  return at === 0 ? null : toLabel(tree, readCollapsedText(tree, term), at);
}

function readRowLabel(tree: Tree, row: number): Label | null {
  const cells = listChildren(tree, row).filter(
    (child) => getTag(tree, child) === TAG.td || getTag(tree, child) === TAG.th,
  );
  const [head, value] = cells;
  if (cells.length !== 2 || head === undefined || value === undefined || getTag(tree, value) !== TAG.td) return null;
  return toLabel(tree, readCollapsedText(tree, head), value);
}

function readControlLabel(tree: Tree, label: number, ids: ReadonlyMap<string, number>): Label | null {
  const control = ids.get(getKnownAttribute(tree, label, ATTRIBUTE.for) ?? '');
  if (control === undefined) return null;
  const name = readCollapsedText(tree, label);
  const value = getKnownAttribute(tree, control, ATTRIBUTE.value);
  return value === null ? toLabel(tree, name, control) : { name, node: control, text: value };
}

function toLabel(tree: Tree, name: string, node: number): Label {
  return {
    name: name.replace(/\s*[:：]\s*$/, ''),
    node,
    text: readCollapsedText(tree, node).slice(0, MAX_VALUE_LENGTH),
  };
}

function collectIds(tree: Tree, scope: number, end: number): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (let at = scope + 1; at < end; at++) {
    const id = isText(tree, at) ? null : getKnownAttribute(tree, at, ATTRIBUTE.id);
    if (id !== null && !ids.has(id)) ids.set(id, at);
  }
  return ids;
}
