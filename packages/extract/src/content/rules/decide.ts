import { float64s } from '#extract/html/scratch.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import { adjustScores } from './adjust-scores.ts';
import {
  dropBareHeadings,
  dropIslands,
  dropRepeats,
  fillGaps,
  fillSmallPage,
  keepHeadings,
  keepHeadline,
  keepItems,
  keepLists,
  keepTables,
} from './choice-corrections.ts';
import { keepBylines } from './bylines.ts';
import { keepBetween } from './between-kept.ts';
import { dropCodeLabels } from './code-labels.ts';
import {
  type BlockVerdict,
  isForum,
  isMadeAsDocumentation,
  readsAsArticle,
  readsAsStory,
  type ScoredPage,
} from './scored-page.ts';
import { isShell } from './shell.ts';
import { keepStatedMain } from './stated-main.ts';
import { keepStated } from './stated-content.ts';

export type Decision = {
  readonly verdicts: readonly BlockVerdict[];
  /** The scores of the blocks as they were compared: with caution, and lowered by the rules. */
  readonly weighed: Float32Array;
  /** The score from which on blocks are kept. */
  readonly threshold: number;
  /** The page has next to no content of its own: what a visitor sees is made by its scripts. */
  readonly shell: boolean;
  /** The block that heads the text although something that is not kept parts them, -1 for none. */
  readonly headline: number;
};

/** The lowest and the highest threshold of an article of which anything reaches the lowest. */
const ARTICLE_THRESHOLDS = [0.42, 0.5] as const;

/**
 * Decides which blocks are kept. Rules lower scores where what a block is tells more than what it looks like; then the
 * threshold is taken that promises the best F1 of this page, and rules on the whole choice have the last word.
 */
export function decide(judged: ScoredPage): Decision {
  const { blocks } = judged;
  const { scores, causes } = adjustScores(judged);
  const best = bestThreshold(blocks, scores);
  // Generators of documentation write what they have into the page.
  if (isShell(judged) && !isMadeAsDocumentation(judged)) {
    return { verdicts: blocks.map(() => 'shell'), weighed: scores, threshold: best, shell: true, headline: -1 };
  }
  const isArticle = readsAsArticle(judged.kinds);
  const [lowest, highest] = ARTICLE_THRESHOLDS;
  const reaches = scores.some((score) => score >= lowest);
  const threshold = isArticle && reaches ? Math.max(lowest, Math.min(best, highest)) : best;
  const verdicts = blocks.map((_, at): BlockVerdict => {
    if ((scores[at] ?? 0) >= threshold) return 'kept';
    return causes[at] ?? 'low_score';
  });
  fillGaps(judged, verdicts);
  keepTables(judged, verdicts);
  keepItems(judged, verdicts);
  keepLists(judged, verdicts);
  keepHeadings(judged, verdicts);
  if (readsAsStory(judged.kinds)) dropBareHeadings(judged, verdicts);
  if (!isForum(judged.kinds)) fillSmallPage(judged, scores, verdicts);
  if (isArticle) dropIslands(judged, scores, verdicts);
  keepBetween(judged, verdicts);
  keepBylines(judged, verdicts);
  dropRepeats(judged, verdicts);
  keepStated(judged, verdicts);
  keepStatedMain(judged, verdicts);
  dropCodeLabels(judged, verdicts);
  return { verdicts, weighed: scores, threshold, shell: false, headline: keepHeadline(judged, verdicts) };
}

/** The threshold at which the expected F1 in words is highest, taking scores as probabilities (Lewis 1995). */
function bestThreshold(blocks: readonly Block[], scores: Float32Array): number {
  const order = fromHighest(scores);
  let expected = 0;
  for (const { at, text } of blocks) expected += (scores[at] ?? 0) * text.words;
  let hit = 0;
  let kept = expected;
  let best = 0;
  let threshold = 0.5;
  for (const key of order) {
    const at = key - Math.floor(key / PLACES) * PLACES;
    const score = scores[at] ?? 0;
    const words = blocks[at]?.text.words ?? 0;
    hit += score * words;
    kept += words;
    if ((2 * hit) / kept <= best) continue;
    best = (2 * hit) / kept;
    threshold = score;
  }
  return threshold;
}

/** More places than a page has blocks. */
const PLACES = 2 ** 18;

/**
 * The places of scores from the highest down, equal ones in their order, each as a number whose remainder by
 * {@link PLACES} is the place: numbers sort many times faster than a function compares. Scores are not negative, so that
 * their bits are in the order of their values.
 */
function fromHighest(scores: Float32Array): Float64Array {
  const bits = new Int32Array(scores.buffer, scores.byteOffset, scores.length);
  const keys = float64s(bits.length);
  for (let at = 0; at < keys.length; at++) keys[at] = at - (bits[at] ?? 0) * PLACES;
  return keys.toSorted();
}
