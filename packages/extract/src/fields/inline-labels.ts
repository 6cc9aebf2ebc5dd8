import { isBlock } from '#extract/view/view.ts';
import { collapsedText } from '#extract/html/element-text.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { charactersOf, isText, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';

/** A name and a value that stand in one text. */
export type InlineLabel = { readonly name: string; readonly text: string };

const FIRST_NAME = /^\s*([^:：\n]{1,60})[:：]\s*(?=\S)/u;
/** Where the next name begins: behind a sign or a line end, or as one word with a capital behind a short value. */
const NEXT_NAME =
  /(?:\s*[/|·•;；,，、–—]\s*|\n\s*)(?!https?:|mailto:|tel:)(?<name>\p{L}[\p{L}\p{M}\p{N} .'’()-]{0,39}?)\s?(?:[:：](?=\s)|：)\s*|\s(?<word>\p{Lu}[\p{L}\p{M}-]{1,20}):\s+/gu;
const MAX_LABELS = 50;
const MAX_NAME_WORDS = 4;
/** More words before a name without a sign are a sentence in which a colon stands. */
const MAX_VALUE_WORDS = 5;

/** The names and values in a text, each value up to the next name; none where it does not begin with a name. */
export function splitLabels(text: string): readonly InlineLabel[] {
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

/** The text of an element or of a text by itself, on one line. */
export function readLineText(tree: Tree, node: number, longest: number): string {
  return isText(tree, node) ? collapseLine(charactersOf(tree, node, longest)) : collapsedText(tree, node, longest);
}

/** The text of a small element with a line end where it begins another line. */
export function readLines(tree: Tree, node: number): string {
  let text = '';
  for (let at = node + 1; at < subtreeEndOf(tree, node); at++) {
    const tag = tagOf(tree, at);
    if (tag === TAG.script || tag === TAG.style || tag === TAG.template) at = subtreeEndOf(tree, at) - 1;
    else if (isText(tree, at)) text += charactersOf(tree, at).replaceAll(/\s+/g, ' ');
    else if (tag === TAG.br || isBlock(tree, at)) text += '\n';
  }
  return text.trim();
}
