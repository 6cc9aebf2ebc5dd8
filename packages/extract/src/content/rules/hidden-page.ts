import type { Block } from '#extract/content/features/blocks.ts';
import { HIDDEN } from '#extract/view/hiding.ts';
import type { NodeSurroundings } from '#extract/content/features/surroundings.ts';

/** The share of words that says so. */
const MAX = 0.75;

/** Whether a page hides most of its words: a script shows them once it runs, so that being hidden tells nothing of them. */
export function hidesMost(blocks: readonly Block[], { hidden }: NodeSurroundings): boolean {
  let words = 0;
  let unseen = 0;
  for (const { node, text } of blocks) {
    words += text.words;
    if (hidden[node] === HIDDEN) unseen += text.words;
  }
  return unseen > MAX * words;
}
