import type { PageFeatures } from '#extract/content/features/features.ts';
import type { KindScores } from '#extract/content/model/page-kind.ts';

/** The reasons for which a block is kept or left out. */
export const BLOCK_VERDICTS = [
  'kept',
  'low_score',
  'comment',
  'consent',
  'hidden',
  'related',
  'repeated',
  'island',
  'shell',
] as const;

export type BlockVerdict = (typeof BLOCK_VERDICTS)[number];

/** A page with the scores of its blocks, as the rules see it. */
export type ScoredPage = Pick<
  PageFeatures,
  'tree' | 'url' | 'blocks' | 'surroundings' | 'containers' | 'plain' | 'order'
> & {
  readonly scores: Float32Array;
  readonly kinds: KindScores;
  readonly scripted: boolean;
  /** The block that is the page's headline, -1 for none. */
  readonly headline: number;
};

/** Least probability from which on a page counts as of a kind; each kind is scored separately, and misses are more common than others. */
const ARTICLE = 0.25;
const FORUM = 0.25;

/** Articles and documentation read from top to bottom; what stands apart from them is not part of them. */
export function readsAsArticle({ article, documentation }: KindScores): boolean {
  return article + 0.5 * documentation > ARTICLE;
}

/** An article leads to others within its text and after it; where documentation refers to others, that is its text. */
export function readsAsStory(kinds: KindScores): boolean {
  return readsAsArticle(kinds) && kinds.article > kinds.documentation;
}

export function isForum({ forum }: KindScores): boolean {
  return forum > FORUM;
}
