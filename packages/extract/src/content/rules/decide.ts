import { isHeading, type Block } from '#extract/content/features/blocks.ts';
import { allocateFloat64s } from '#extract/html/scratch.ts';
import { adjustScores } from './adjust-scores.ts';
import { keepTextBetween } from './text-between.ts';
import { keepBylines } from './bylines.ts';
import {
  dropEmptyHeadings,
  dropIslands,
  dropRepeats,
  fillGaps,
  fillSmallPage,
  keepHeadings,
  keepHeadline,
  keepItems,
  keepLists,
  keepTables,
} from './verdict-corrections.ts';
import { dropCodeLabels } from './chrome.ts';
import {
  type BlockVerdict,
  isForum,
  isDeclaredDocumentation,
  isArticleLike,
  isStoryLike,
  type ScoredPage,
} from './scored-page.ts';
import { keepDocumentationText } from './documentation-text.ts';
import { hasEmptyMain, keepDeclaredMain } from './declared-main.ts';

/** A page with as many words has content, whatever it looks like. */
const MAX_SHELL_WORDS = 300;
/** Words of content that a page promises at least, by the scores of its blocks, and the share of its words. */
const MIN_PROMISED_WORDS = 8;
const MIN_PROMISED_SHARE = 0.05;
/** The furniture of a site has as many words; fewer may be all that a small page has to say. */
const MIN_FURNITURE_WORDS = 100;
const MAX_FEW_WORDS = 20;

/**
 * Whether a page has next to no content of its own, only what surrounds it, because scripts fill it: a short page that
 * promises none, without a heading that its title confirms, and with links to elsewhere; or one whose main part is empty.
 */
function isShell(judged: ScoredPage): boolean {
  const { blocks, scores, scripted } = judged;
  const sum = (of: (block: Block, at: number) => number) =>
    blocks.reduce((total, block, at) => total + of(block, at), 0);
  const words = sum(({ text }) => text.words);
  if (hasEmptyMain(judged) && !hasConfirmedHeading(judged)) return true;
  if (words >= MAX_SHELL_WORDS) return false;
  const promised = sum(({ text }, at) => text.words * computePromise(scores[at] ?? 0));
  if (promised >= MIN_PROMISED_WORDS || hasConfirmedHeading(judged)) return false;
  const linked = sum((block) => block.linked);
  if (words >= MIN_FURNITURE_WORDS && promised < MIN_PROMISED_SHARE * words) return true;
  return linked > 0 && (scripted || (words > MAX_FEW_WORDS && linked > 0.5 * sum(({ text }) => text.characters)));
}

/** Scores count for little up to near three quarters: a doubt in each of many words is no promise. */
const DOUBT_WEIGHT = 7;

function computePromise(score: number): number {
  const inFavour = score ** 2;
  return inFavour / (inFavour + DOUBT_WEIGHT * (1 - score) ** 2);
}

/** Whether a heading that can be seen is made of words of the page's title. */
function hasConfirmedHeading({ tree, blocks, surroundings }: ScoredPage): boolean {
  return blocks.some(({ node, text, linked }) => {
    if (!isHeading(tree, node) || surroundings.hidden[node] !== 0 || linked >= 0.5 * text.characters) return false;
    return text.titleWords > 0 && text.titleWords >= 0.5 * text.words;
  });
}

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
export function decideVerdicts(judged: ScoredPage): Decision {
  const { blocks } = judged;
  const { scores, causes } = adjustScores(judged);
  const best = findBestThreshold(blocks, scores);
  // Generators of documentation write what they have into the page.
  if (isShell(judged) && !isDeclaredDocumentation(judged)) {
    return { verdicts: blocks.map(() => 'shell'), weighed: scores, threshold: best, shell: true, headline: -1 };
  }
  const isArticle = isArticleLike(judged.kinds);
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
  if (isStoryLike(judged.kinds)) dropEmptyHeadings(judged, verdicts);
  if (!isForum(judged.kinds)) fillSmallPage(judged, scores, verdicts);
  if (isArticle) dropIslands(judged, scores, verdicts);
  keepTextBetween(judged, verdicts);
  keepBylines(judged, verdicts);
  dropRepeats(judged, verdicts);
  keepDocumentationText(judged, verdicts);
  keepDeclaredMain(judged, verdicts);
  dropCodeLabels(judged, verdicts);
  return { verdicts, weighed: scores, threshold, shell: false, headline: keepHeadline(judged, verdicts) };
}

/** The threshold at which the expected F1 in words is highest, taking scores as probabilities (Lewis 1995). */
function findBestThreshold(blocks: readonly Block[], scores: Float32Array): number {
  const order = sortFromHighest(scores);
  let expected = 0;
  for (const { at, text } of blocks) expected += (scores[at] ?? 0) * text.words;
  let hit = 0;
  let kept = expected;
  let best = 0;
  let threshold = 0.5;
  for (const key of order) {
    const at = key - Math.floor(key / MAX_PLACES) * MAX_PLACES;
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
const MAX_PLACES = 2 ** 18;

/**
 * The places of scores from the highest down, equal ones in their order, each as a number whose remainder by
 * {@link PLACES} is the place: numbers sort many times faster than a function compares. Scores are not negative, so that
 * their bits are in the order of their values.
 */
function sortFromHighest(scores: Float32Array): Float64Array {
  const bits = new Int32Array(scores.buffer, scores.byteOffset, scores.length);
  const keys = allocateFloat64s(bits.length);
  for (let at = 0; at < keys.length; at++) keys[at] = at - (bits[at] ?? 0) * MAX_PLACES;
  return keys.toSorted();
}
