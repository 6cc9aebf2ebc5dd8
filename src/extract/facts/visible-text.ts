import { isUnseen } from '#extract/content/view.ts';
import type { View } from '#extract/content/view.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { BLOCK, flagsOf } from '#extract/html/tags.ts';
import { charactersOf, previousOf, subtreeEndOf, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';

/** The characters of what is kept of a page, as they come; a space around blocks and where a line breaks. */
export function visibleTextOf({ tree, kept }: Pick<View, 'tree' | 'kept'>): string {
  const parts: string[] = [];
  for (let node = 1; node < tree.count; node++) {
    if (kept[node] !== 1) continue;
    const tag = tagOf(tree, node);
    if (tag === TAG.text) {
      if (isAfterBlock(tree, node)) parts.push(' ');
      parts.push(charactersOf(tree, node));
    } else if (isUnseen(tag)) node = subtreeEndOf(tree, node) - 1;
    else if ((flagsOf(tag) & BLOCK) !== 0 || tag === TAG.br) parts.push(' ');
  }
  return parts.join('');
}

function isAfterBlock(tree: Tree, text: number): boolean {
  const before = previousOf(tree, text);
  return before !== 0 && (flagsOf(tagOf(tree, before)) & BLOCK) !== 0;
}
