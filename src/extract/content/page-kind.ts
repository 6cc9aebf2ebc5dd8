import { FIRST_PAGE_FACT } from './features.ts';
import { scoreRow, toProbability } from './forest.ts';
import type { Model, PageKind } from './model.ts';

/** How likely a page is of each kind; each is asked for itself, so that they need not add up to one. */
export type KindScores = Readonly<Record<PageKind, number>>;

/** Tells the kind of a page from the facts at the end of a row of features. */
export function kindOf({ kinds }: Model, row: Float32Array): KindScores {
  const facts = row.subarray(FIRST_PAGE_FACT);
  const scores = { article: 0, documentation: 0, service: 0, forum: 0, product: 0, listing: 0, collection: 0 };
  for (const { kind, forest } of kinds) scores[kind] = toProbability(scoreRow(forest, facts));
  return scores;
}
