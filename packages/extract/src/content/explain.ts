import { isText, parentOf, type Tree } from '#extract/html/tree.ts';
import type { ElementSelectors } from '#extract/view/selectors.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { chooseBlocks, featuresOf } from './content.ts';
import { TRAINED_MODEL } from '#extract/content/model/trained.ts';
import { applyCaution } from '#extract/content/rules/adjust-scores.ts';
import type { BlockVerdict } from '#extract/content/rules/scored-page.ts';
import { computeKeptShare } from '#extract/content/rules/kept-share.ts';
import {
  FEATURES,
  fillFeatures,
  FIRST_PAGE_FACT,
  newRow,
  type PageFeatures,
  textOfBlock,
} from '#extract/content/features/features.ts';
import { type ForestEnsemble, scoreEnsembleRow, toProbability } from '#extract/content/model/forest.ts';
import type { KindScores } from './model/model.ts';
import { elementPathOf } from '#extract/view/place.ts';
import { CONTEXTS } from './features/node-surroundings.ts';

/** The outcome for one block of a page, and its reason. */
export type ExplainedBlock = {
  /** The start of its text, spaces collapsed. */
  readonly text: string;
  readonly words: number;
  /** The elements that it stands in, the nearest last, as `article.post > p`. */
  readonly place: string;
  /** CSS selector of its element alone; null where none was asked for, or none of reasonable length does. */
  readonly selector: string | null;
  readonly verdict: BlockVerdict;
  /** How likely it is content, from 0 to 1, after the rules: what is compared with the threshold. */
  readonly score: number;
  /** The group of features that decides most, against the block at the other end; null where none does. */
  readonly because: DecidingGroup | null;
};

/** A group of features, and the score that the block would have if it had these of the page's best or worst block. */
export type DecidingGroup = { readonly group: string; readonly otherwise: number };

/** How the main content of a page was chosen. */
export type Explanation = {
  /** `shell`: scripts fill the page, and nothing is kept; `whole`: nothing was chosen, so that all of it is kept. */
  readonly outcome: 'chosen' | 'shell' | 'whole';
  readonly kinds: KindScores;
  /** The share of the main text that is kept, as far as scores tell; null where there is little of it. */
  readonly share: number | null;
  /** The score from which on blocks are kept. */
  readonly threshold: number;
  /** In the order of the page; not those beyond {@link MAX_EXPLAINED_BLOCKS}. */
  readonly blocks: readonly ExplainedBlock[];
  /** Blocks that the page has. */
  readonly count: number;
};

type ExplainOptions = {
  readonly model?: typeof TRAINED_MODEL;
  readonly selectors?: ElementSelectors | null | undefined;
};

const MAX_EXPLAINED_BLOCKS = 5000;
const MAX_TEXT_LENGTH = 400;
/** A group of features that changes a score by less says nothing of it. */
const MIN_SCORE_CHANGE = 0.05;

/** Groups of features in words, each with the first feature of it: they follow each other. */
const GROUPS: readonly (readonly [group: string, first: string])[] = [
  ['its text', 'words'],
  ['the words it uses', 'words_low'],
  ['its place on the page', 'depth'],
  ['its place in the part with most prose', 'in_region'],
  ['what tags and roles around it say', 'plain_kept'],
  ['what parts around it call themselves', `in_${CONTEXTS[0]}`],
  ['the blocks near it', 'near_3_words'],
  ['the elements around it', 'around_0_words'],
  ['the blocks of its shape', 'family_members'],
  ['names of the elements around it', 'names_low'],
];

/** Where the features of each group are; those of the page as a whole belong to none. */
const GROUP_SPANS = GROUPS.map(([group, first], at) => {
  const next = GROUPS[at + 1]?.[1];
  return { group, start: FEATURES.indexOf(first), end: next === undefined ? FIRST_PAGE_FACT : FEATURES.indexOf(next) };
});

/**
 * Tells of every block of a page whether it is main content and why: the verdict of the rules, the score of the model,
 * and the group of features that decides most, found by putting in those of the block at the other end (a
 * counterfactual, Wachter et al. 2017). Null for a page without text, or with too much of it to be looked at in detail.
 */
export function explainContent(
  tree: Tree,
  url: string,
  { model = TRAINED_MODEL, selectors = null }: ExplainOptions = {},
): Explanation | null {
  const page = featuresOf(tree, url, model);
  if (page === null) return null;
  const choice = chooseBlocks(page, model);
  const { verdicts, scores, weighed, threshold, shell, kinds } = choice;
  const reasons = createReasonFinder(page, scores, model.content);
  const blocks = page.blocks.slice(0, MAX_EXPLAINED_BLOCKS).map((block, at) => ({
    text: collapseSpace(textOfBlock(tree, block)).slice(0, MAX_TEXT_LENGTH),
    words: block.text.words,
    place: elementPathOf(tree, block.node),
    selector: selectors?.findUnique(isText(tree, block.node) ? parentOf(tree, block.node) : block.node) ?? null,
    verdict: verdicts[at] ?? 'low_score',
    score: weighed[at] ?? 0,
    because: isDecidedByScore(verdicts[at], (weighed[at] ?? 0) >= threshold) ? reasons(at) : null,
  }));
  const outcome = shell ? 'shell' : verdicts.includes('kept') ? 'chosen' : 'whole';
  return { outcome, kinds, share: computeKeptShare(page, choice), threshold, blocks, count: page.blocks.length };
}

/** Whether the score decided; else a rule did, and says why. */
function isDecidedByScore(verdict: BlockVerdict | undefined, reaches: boolean): boolean {
  return reaches ? verdict === 'kept' : verdict === 'low_score';
}

/** Answers for a block what tells most about it. */
function createReasonFinder(
  page: PageFeatures,
  scores: Float32Array,
  content: ForestEnsemble,
): (at: number) => DecidingGroup | null {
  const row = newRow(page);
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
    const [most] = changed.toSorted((a, b) => gain(b) - gain(a));
    return most === undefined || gain(most) < MIN_SCORE_CHANGE ? null : most;
  };
}
