import { isImage } from './images.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { byTag } from '#extract/html/tags.ts';
import { isText, nextOf, previousOf, tagOf } from '#extract/html/tree.ts';
import { isBlock } from '#extract/content/view.ts';
import type { View } from '#extract/content/view.ts';

const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Whether asterisks or tildes around `inner` open and close there (CommonMark, left- and right-flanking runs). */
export function canDelimit(previous: string, inner: string, next: string): boolean {
  if (/[*~]/.test(previous + next)) return false;
  const opens = !PUNCTUATION.test(inner.charAt(0)) || previous === ' ' || PUNCTUATION.test(previous);
  const closes = !PUNCTUATION.test(inner.charAt(inner.length - 1)) || next === ' ' || PUNCTUATION.test(next);
  return opens && closes;
}

/** The character that follows an inline element; a space at the end of its block. */
export function edgeAfter(view: View, node: number): string {
  const { tree } = view;
  const next = node < tree.count ? (tree.subtreeEnd[node] ?? 0) : 0;
  for (let at = next; at < Math.min(next + 64, tree.count); at++) {
    if (isText(tree, at)) {
      const character = tree.source.charAt(tree.start[at] ?? 0);
      return /\s/.test(character) ? ' ' : character;
    }
    const tag = tagOf(tree, at);
    if (isBlock(tree, at) || tag === TAG.br) return ' ';
    if (isImage(tag)) return '!';
  }
  return ' ';
}

const STRENGTH = byTag(0, [
  ['b strong', 1],
  ['em i', 2],
  ['del s strike', 3],
]);

/** What stands at the two ends of an inline element: a character, a space where its line starts or ends. */
export type Ends = { readonly previous: string; readonly next: string };

/** Whether an element of the same strength touches it: the asterisks of the two would run together. */
export function touchesSame({ tree }: View, node: number, { previous, next }: Ends): boolean {
  const strength = STRENGTH[tagOf(tree, node)] ?? 0;
  if (previous !== ' ' && STRENGTH[tagOf(tree, previousOf(tree, node))] === strength) return true;
  return next !== ' ' && STRENGTH[tagOf(tree, nextOf(tree, node))] === strength;
}
