import { uint8s } from '#extract/html/scratch.ts';
import { parentOf, subtreeEndOf } from '#extract/html/tree.ts';
import { isHeading } from '#extract/content/features/block-order.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import { isDateLine } from './repeated-items.ts';
import { readsAsStory, type ScoredPage } from './scored-page.ts';

/** Words of a line that asks for an answer and says nothing else. */
const ASKING_WORDS = 3;
/** Words of an article that stand before a comment on it. */
const ARTICLE_WORDS = 30;
/** Elements around such a line that may be the comment. */
const LEVELS = 6;

/**
 * Tells the blocks of comments that are too few to repeat: after the text of an article, an element without a heading
 * that has a date of its own line and ends with a line such as "Reply". Of posts of one site some have one comment and others many.
 */
export function loneCommentsOf(page: ScoredPage): (block: Block) => boolean {
  const { blocks, kinds, headline } = page;
  const asking = readsAsStory(kinds) ? blocks.filter(({ text }) => text.answers && text.words <= ASKING_WORDS) : [];
  const isComment = uint8s(blocks.length);
  let told = 0;
  let at = Math.max(0, headline);
  for (const { at: last } of asking) {
    const first = startOf(page, last);
    for (; at < first; at++) told += (page.scores[at] ?? 0) > 0.5 ? (blocks[at]?.text.words ?? 0) : 0;
    if (first >= 0 && told >= ARTICLE_WORDS) isComment.fill(1, first, last + 1);
  }
  return (block) => isComment[block.at] === 1;
}

/** The first block of the innermost element that ends with a block and holds a date, but no heading; -1 for none. */
function startOf({ tree, blocks }: ScoredPage, last: number): number {
  let element = blocks[last]?.node ?? 0;
  let first = last;
  for (let level = 0; level < LEVELS && element !== 0; level++) {
    const next = blocks[last + 1];
    if (next !== undefined && next.from < subtreeEndOf(tree, element)) return -1;
    for (let block = blocks[first - 1]; block !== undefined && block.from >= element; block = blocks[first - 1]) {
      if (isHeading(tree, block.node)) return -1;
      first--;
    }
    for (let at = first; at < last; at++) {
      const block = blocks[at];
      if (block !== undefined && isDateLine(block)) return first;
    }
    element = parentOf(tree, element);
  }
  return -1;
}
