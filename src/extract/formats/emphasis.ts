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

/** Whether an element of the same strength touches it: the asterisks of the two would run together. */
export function besideSame({ tree }: View, node: number): boolean {
  const strength = STRENGTH[tagOf(tree, node)] ?? 0;
  const previous = previousOf(tree, node);
  const next = nextOf(tree, node);
  return STRENGTH[tagOf(tree, previous)] === strength || STRENGTH[tagOf(tree, next)] === strength;
}
