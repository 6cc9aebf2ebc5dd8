import { isText, getParent, type Tree } from '#extract/html/tree.ts';
import { type ElementSelectors, formatElementPath } from '#extract/view/selectors.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { chooseBlocks, computeFeatures } from './content.ts';
import { TRAINED_MODEL } from '#extract/content/model/trained.ts';
import { applyCaution } from '#extract/content/rules/adjust-scores.ts';
import type { BlockVerdict } from '#extract/content/rules/scored-page.ts';
import { computeKeptShare } from '#extract/content/rules/kept-share.ts';
import {
  FEATURES,
  fillFeatures,
  FIRST_PAGE_FACT,
  createRow,
  type PageFeatures,
  readBlockText,
} from '#extract/content/features/features.ts';
import { type ForestEnsemble, scoreEnsembleRow, toProbability } from '#extract/content/model/forest.ts';
import type { KindScores } from './model/model.ts';
import { BLOCK_CONTEXTS } from './features/node-surroundings.ts';

/** The verdict on one block of a page, and its reason. */
export type ExplainedBlock = {
  /** The start of its text with collapsed white space. */
  readonly text: string;
  readonly words: number;
  /** Its ancestors, the nearest last, such as `article.post > p`. */
  readonly place: string;
  /**
   * CSS selector that matches only its element. Null if selectors were not requested or the selector would be too long.
   */
  readonly selector: string | null;
  readonly verdict: BlockVerdict;
  /** The probability that it is content, from 0 to 1, after the rules. It is compared with the threshold. */
  readonly score: number;
  /** The group of features with the most influence on the score. Null if no group has much. */
  readonly because: DecidingGroup | null;
};

/**
 * A group of features, and the score that the block would have with these features of the page's best or worst block.
 */
export type DecidingGroup = { readonly group: string; readonly otherwise: number };

/** How the main content of a page was chosen. */
export type Explanation = {
  /**
   * `chosen`: some blocks are kept. `shell`: scripts fill the page, and nothing is kept. `whole`: no block was chosen,
   * so all of the page is kept.
   */
  readonly outcome: 'chosen' | 'shell' | 'whole';
  readonly kinds: KindScores;
  /** The estimated share of the main text that is kept, from 0 to 1. Null if the page has too little of it. */
  readonly share: number | null;
  /** Blocks with at least this score are kept. */
  readonly threshold: number;
  /** In the order of the page, at most {@link MAX_EXPLAINED_BLOCKS}. */
  readonly blocks: readonly ExplainedBlock[];
  /** The number of blocks of the page. */
  readonly count: number;
};

type ExplainOptions = {
  readonly model?: typeof TRAINED_MODEL;
  readonly selectors?: ElementSelectors | null | undefined;
};

const MAX_EXPLAINED_BLOCKS = 5000;
const MAX_TEXT_LENGTH = 400;
/** A group of features that changes the score by less does not explain it. */
const MIN_SCORE_CHANGE = 0.05;

/** Names of feature groups, each with its first feature. The groups follow each other in the order of the features. */
const GROUPS: readonly (readonly [group: string, first: string])[] = [
  ['its text', 'words'],
  ['the words it uses', 'words_low'],
  ['its place on the page', 'depth'],
  ['its place in the part with most prose', 'in_region'],
  ['what tags and roles around it say', 'plain_kept'],
  ['what parts around it call themselves', `in_${BLOCK_CONTEXTS[0]}`],
  ['the blocks near it', 'near_3_words'],
  ['the elements around it', 'around_0_words'],
  ['the blocks of its shape', 'family_members'],
  ['names of the elements around it', 'names_low'],
];

/** The range of each group in the features. Facts about the whole page belong to no group. */
const GROUP_SPANS = GROUPS.map(([group, first], at) => {
  const next = GROUPS[at + 1]?.[1];
  return { group, start: FEATURES.indexOf(first), end: next === undefined ? FIRST_PAGE_FACT : FEATURES.indexOf(next) };
});

/**
 * Explains for every block why it is or is not main content: the verdict of the rules, the score of the model, and the
 * group of features with the most influence. That group is found by swapping in the features of the block at the other
 * end of the scale (a counterfactual, Wachter et al. 2017). Null for a page without text, or with too much to analyse.
 */
export function explainContent(
  tree: Tree,
  url: string,
  { model = TRAINED_MODEL, selectors = null }: ExplainOptions = {},
): Explanation | null {
  const page = computeFeatures(tree, url, model);
  if (page === null) return null;
  const choice = chooseBlocks(page, model);
  const { verdicts, scores, adjustedScores, threshold, isShell, kinds } = choice;
  const reasons = createReasonFinder(page, scores, model.content);
  const blocks = page.blocks.slice(0, MAX_EXPLAINED_BLOCKS).map((block, at) => ({
    text: collapseSpace(readBlockText(tree, block)).slice(0, MAX_TEXT_LENGTH),
    words: block.text.words,
    place: formatElementPath(tree, block.node),
    selector: selectors?.findUnique(isText(tree, block.node) ? getParent(tree, block.node) : block.node) ?? null,
    verdict: verdicts[at] ?? 'low_score',
    score: adjustedScores[at] ?? 0,
    because: isDecidedByScore(verdicts[at], (adjustedScores[at] ?? 0) >= threshold) ? reasons(at) : null,
  }));
  const outcome = isShell ? 'shell' : verdicts.includes('kept') ? 'chosen' : 'whole';
  return { outcome, kinds, share: computeKeptShare(page, choice), threshold, blocks, count: page.blocks.length };
}

/** Whether the score alone gives the verdict. Otherwise a rule decided, and the verdict names it. */
function isDecidedByScore(verdict: BlockVerdict | undefined, reaches: boolean): boolean {
  return reaches ? verdict === 'kept' : verdict === 'low_score';
}

/** Returns a function that finds the group of features with the most influence on a block. */
function createReasonFinder(
  page: PageFeatures,
  scores: Float32Array,
  content: ForestEnsemble,
): (at: number) => DecidingGroup | null {
  const row = createRow(page);
  function featuresAt(at: number): Float32Array {
    fillFeatures(row, at);
    return row.values.slice();
  }
  const best = featuresAt(scores.indexOf(Math.max(...scores.subarray(0, MAX_EXPLAINED_BLOCKS))));
  const worst = featuresAt(scores.indexOf(Math.min(...scores.subarray(0, MAX_EXPLAINED_BLOCKS))));
  return (at) => {
    const score = applyCaution(scores[at] ?? 0);
    const own = featuresAt(at);
    const other = score > 0.5 ? worst : best;
    const changed = GROUP_SPANS.map(({ group, start, end }) => {
      const mixed = own.slice();
      mixed.set(other.subarray(start, end), start);
      return { group, otherwise: applyCaution(toProbability(scoreEnsembleRow(content, mixed))) };
    });
    const gain = ({ otherwise }: DecidingGroup): number => (score > 0.5 ? score - otherwise : otherwise - score);
    const [strongest] = changed.toSorted((a, b) => gain(b) - gain(a));
    return strongest === undefined || gain(strongest) < MIN_SCORE_CHANGE ? null : strongest;
  };
}
