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

/** A page with at least this many words has content. */
const MAX_SHELL_WORDS = 300;
/**
 * Expected words of content, by the scores of the blocks, from which on a page has content; and their minimum share of
 * all words.
 */
const MIN_PROMISED_WORDS = 8;
const MIN_PROMISED_SHARE = 0.05;
/** Navigation and footers have at least this many words. Fewer may be all the text of a small page. */
const MIN_FURNITURE_WORDS = 100;
const MAX_FEW_WORDS = 20;

/**
 * Whether a page has almost no content of its own because scripts fill it: a short page with little expected content,
 * without a heading confirmed by its title, and with links; or a page whose main part is empty.
 */
function isShell(page: ScoredPage): boolean {
  const { blocks, scores, hasScripts: scripted } = page;
  const sum = (of: (block: Block, at: number) => number) =>
    blocks.reduce((total, block, at) => total + of(block, at), 0);
  const words = sum(({ text }) => text.words);
  if (hasEmptyMain(page) && !hasConfirmedHeading(page)) return true;
  if (words >= MAX_SHELL_WORDS) return false;
  const promised = sum(({ text }, at) => text.words * computePromise(scores[at] ?? 0));
  if (promised >= MIN_PROMISED_WORDS || hasConfirmedHeading(page)) return false;
  const linked = sum((block) => block.linked);
  if (words >= MIN_FURNITURE_WORDS && promised < MIN_PROMISED_SHARE * words) return true;
  return linked > 0 && (scripted || (words > MAX_FEW_WORDS && linked > 0.5 * sum(({ text }) => text.characters)));
}

/** Scores below about 0.75 count for little: many doubtful words are not content. */
const DOUBT_WEIGHT = 7;

/** The expected share of content at a score. */
function computePromise(score: number): number {
  const inFavour = score ** 2;
  return inFavour / (inFavour + DOUBT_WEIGHT * (1 - score) ** 2);
}

/** Whether a visible heading consists mostly of words of the page's title. */
function hasConfirmedHeading({ tree, blocks, surroundings }: ScoredPage): boolean {
  return blocks.some(({ node, text, linked }) => {
    if (!isHeading(tree, node) || surroundings.hidden[node] !== 0 || linked >= 0.5 * text.characters) return false;
    return text.titleWords > 0 && text.titleWords >= 0.5 * text.words;
  });
}

/** The verdicts on the blocks of a page, and what they are based on. */
export type Decision = {
  readonly verdicts: readonly BlockVerdict[];
  /** The scores that were compared with the threshold: cautious, and lowered by rules. */
  readonly adjustedScores: Float32Array;
  /** Blocks with at least this score are kept. */
  readonly threshold: number;
  /** The page has almost no content of its own: scripts render it in the browser. */
  readonly isShell: boolean;
  /** The block of a headline that excluded blocks separate from the text. -1 if there is none. */
  readonly headline: number;
};

/** Bounds of the threshold in an article, if any block reaches the lower one. */
const ARTICLE_THRESHOLDS = [0.42, 0.5] as const;

/**
 * Decides which blocks are kept. First rules lower the scores of blocks that they recognise. Then the threshold with
 * the best expected F1 of the page is applied. Last, rules correct the choice as a whole.
 */
export function decideVerdicts(page: ScoredPage): Decision {
  const { blocks } = page;
  const { scores, causes } = adjustScores(page);
  const best = findBestThreshold(blocks, scores);
  // Pages of documentation generators contain their text without scripts.
  if (isShell(page) && !isDeclaredDocumentation(page)) {
    return {
      verdicts: blocks.map(() => 'shell'),
      adjustedScores: scores,
      threshold: best,
      isShell: true,
      headline: -1,
    };
  }
  const isArticle = isArticleLike(page.kinds);
  const [lowest, highest] = ARTICLE_THRESHOLDS;
  const reaches = scores.some((score) => score >= lowest);
  const threshold = isArticle && reaches ? Math.max(lowest, Math.min(best, highest)) : best;
  const verdicts = blocks.map((_, at): BlockVerdict => {
    if ((scores[at] ?? 0) >= threshold) return 'kept';
    return causes[at] ?? 'low_score';
  });
  fillGaps(page, verdicts);
  keepTables(page, verdicts);
  keepItems(page, verdicts);
  keepLists(page, verdicts);
  keepHeadings(page, verdicts);
  if (isStoryLike(page.kinds)) dropEmptyHeadings(page, verdicts);
  if (!isForum(page.kinds)) fillSmallPage(page, scores, verdicts);
  if (isArticle) dropIslands(page, scores, verdicts);
  keepTextBetween(page, verdicts);
  keepBylines(page, verdicts);
  dropRepeats(page, verdicts);
  keepDocumentationText(page, verdicts);
  keepDeclaredMain(page, verdicts);
  dropCodeLabels(page, verdicts);
  return { verdicts, adjustedScores: scores, threshold, isShell: false, headline: keepHeadline(page, verdicts) };
}

/** The threshold with the highest expected F1 in words, with scores as probabilities (Lewis 1995). */
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

/** More than the maximum number of blocks. */
const MAX_PLACES = 2 ** 18;

/**
 * The indexes of scores from the highest to the lowest, in stable order. Each is a number whose remainder by {@link
 * MAX_PLACES} is the index: sorting numbers is many times faster than calling a comparison function. Scores are not
 * negative, so their bits sort like their values.
 */
function sortFromHighest(scores: Float32Array): Float64Array {
  const bits = new Int32Array(scores.buffer, scores.byteOffset, scores.length);
  const keys = allocateFloat64s(bits.length);
  for (let at = 0; at < keys.length; at++) keys[at] = at - (bits[at] ?? 0) * MAX_PLACES;
  return keys.toSorted();
}
