import { scoreRow, toProbability } from './forest.ts';
import type { ContentModel, PageKind } from './model.ts';

/** How likely a page is of each kind; each is asked for itself, so that they need not add up to one. */
export type KindScores = Readonly<Record<PageKind, number>>;

/** Tells the kind of a page from its facts. */
export function kindOf({ kinds }: ContentModel, pageFacts: readonly number[]): KindScores {
  const facts = Float32Array.from(pageFacts);
  const scores = { article: 0, documentation: 0, service: 0, forum: 0, product: 0, listing: 0, collection: 0 };
  for (const { kind, forest } of kinds) scores[kind] = toProbability(scoreRow(forest, facts));
  return scores;
}
