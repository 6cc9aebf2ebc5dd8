import { float64s } from '#extract/html/scratch.ts';
import type { Block } from './blocks.ts';
import { toProbability } from './forest.ts';
import { consentOf } from './consent.ts';
import { COMMENTS, CONSENT, RELATED } from './evidence.ts';
import type { PageFeatures } from './features.ts';
import type { KindScores } from './page-kind.ts';
import { ARIA_HIDDEN, HIDDEN, WITHOUT_SCRIPT } from './hiding.ts';
import { itemGroupsOf, looksLikeComments, looksLikeTeasers } from './repeated-items.ts';
import type { ItemGroups } from './repeated-items.ts';
import { hidesMost } from './hidden-page.ts';
import { isShell } from './shell.ts';
import { asksForScripts, breaksOff, isMarkup, leadsElsewhere } from './stray-lines.ts';
import { inUnison } from './unison.ts';
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
} from './whole-choice.ts';

/** Why a block is kept or left out. */
export const VERDICTS = [
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

export type Verdict = (typeof VERDICTS)[number];

export type Decision = {
  readonly verdicts: readonly Verdict[];
  /** The scores of the blocks as they were compared: with caution, and lowered by the rules. */
  readonly weighed: Float32Array;
  /** The score from which on blocks are kept. */
  readonly threshold: number;
  /** The page has next to no content of its own: what a visitor sees is made by its scripts. */
  readonly shell: boolean;
  /** The block that heads the text although something that is not kept parts them, -1 for none. */
  readonly headline: number;
};

export type Judged = Pick<
  PageFeatures,
  'tree' | 'url' | 'blocks' | 'surroundings' | 'containers' | 'plain' | 'order'
> & {
  readonly scores: Float32Array;
  readonly kinds: KindScores;
  readonly scripted: boolean;
  /** The block that is the page's headline, -1 for none. */
  readonly headline: number;
};

/** The lowest and the highest threshold of an article of which anything reaches the lowest. */
const ARTICLE_THRESHOLDS = [0.42, 0.5] as const;

/**
 * Decides which blocks are kept. Rules lower scores where what a block is tells more than what it looks like; then the
 * threshold is taken that promises the best F1 of this page, and rules on the whole choice have the last word.
 */
export function decide(judged: Judged): Decision {
  const { blocks } = judged;
  const { scores, causes } = adjust(judged);
  const best = bestThreshold(blocks, scores);
  if (isShell(judged)) {
    return { verdicts: blocks.map(() => 'shell'), weighed: scores, threshold: best, shell: true, headline: -1 };
  }
  const isArticle = readsAsArticle(judged.kinds);
  const [lowest, highest] = ARTICLE_THRESHOLDS;
  const reaches = scores.some((score) => score >= lowest);
  const threshold = isArticle && reaches ? Math.max(lowest, Math.min(best, highest)) : best;
  const verdicts = blocks.map((_, at): Verdict => {
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
  dropRepeats(judged, verdicts);
  return { verdicts, weighed: scores, threshold, shell: false, headline: keepHeadline(judged, verdicts) };
}

/** How likely a kind must be to be taken as told: each is asked for itself, and others are rarer than misses. */
const ARTICLE = 0.25;
const FORUM = 0.25;

/** Articles and documentation read from top to bottom; what stands apart from them is not part of them. */
function readsAsArticle({ article, documentation }: KindScores): boolean {
  return article + 0.5 * documentation > ARTICLE;
}

/** An article leads to others within its text and after it; where documentation refers to others, that is its text. */
function readsAsStory(kinds: KindScores): boolean {
  return readsAsArticle(kinds) && kinds.article > kinds.documentation;
}

function isForum({ forum }: KindScores): boolean {
  return forum > FORUM;
}

/** On sites that training did not see, scores are less certain in log-odds than they say. */
const CAUTION = 1.5;
/** What is no article holds less content than it seems to, by as much in log-odds. */
const OTHERS_DOUBT = 0.3;
/** Nothing is surer than this, in log-odds. */
const SUREST = 8;

/** A score of the model as it is compared with others and with thresholds. */
export function cautious(score: number): number {
  return withCaution(logOddsOf(score));
}

function logOddsOf(score: number): number {
  return Math.max(-SUREST, Math.min(SUREST, Math.log(score / (1 - score))));
}

function withCaution(logOdds: number): number {
  return toProbability(logOdds / CAUTION);
}

/** What a page that is no article hides in this many words is text of tabs and answers; less is labels. */
const LABEL_WORDS = 5;

type Adjusted = { readonly scores: Float32Array; readonly causes: readonly (Verdict | null)[] };

function adjust(judged: Judged): Adjusted {
  const { tree, blocks, surroundings, kinds, order } = judged;
  const causes: (Verdict | null)[] = blocks.map(() => null);
  const { allEvidence } = surroundings;
  const isArticle = readsAsArticle(kinds);
  const isStory = readsAsStory(kinds);
  const own = judged.scores.map(logOddsOf);
  const together = isArticle ? own : inUnison(blocks, order.families, own).map((logOdds) => logOdds - OTHERS_DOUBT);
  const scores = together.map(withCaution);
  const isComment = commentsOf(judged);
  const isHidden = hiddenOf(judged);
  const isConsent = consentOf(judged);
  const groups = itemGroupsOf(judged);
  const isTeaser = teasersOf(judged, groups);
  const lower = ({ at }: Block, factor: number, cause: Verdict) => {
    scores[at] = (scores[at] ?? 0) * factor;
    causes[at] = cause;
  };
  for (const block of blocks) {
    const bits = allEvidence[block.node] ?? 0;
    const group = groups[block.at];
    if (isHidden(block)) lower(block, 0.3, 'hidden');
    if (isComment(block)) lower(block, 0.1, 'comment');
    else if (!isForum(kinds) && group !== undefined && looksLikeComments(group)) lower(block, 0.1, 'comment');
    if (isArticle && (bits & RELATED) !== 0) lower(block, 0.6, 'related');
    if (isStory && (leadsElsewhere(tree, block) || breaksOff(tree, block))) lower(block, 0.2, 'related');
    if (isTeaser(block)) lower(block, 0.4, 'related');
    if ((bits & CONSENT) !== 0 || isConsent(block)) lower(block, 0.1, 'consent');
    else if (!isArticle && block.text.consentWords >= 2) lower(block, 0.4, 'consent');
    if (isMarkup(tree, block)) lower(block, 0, 'low_score');
    if (surroundings.hidden[block.node] === WITHOUT_SCRIPT && asksForScripts(tree, block)) lower(block, 0, 'low_score');
  }
  return { scores, causes };
}

/** Tells the blocks that are hidden for good, unless they are most of the page, which then waits for a script to show it. */
function hiddenOf({ blocks, surroundings, kinds }: Judged): (block: Block) => boolean {
  if (hidesMost(blocks, surroundings)) return () => false;
  const isArticle = readsAsArticle(kinds);
  return ({ node, text }) => {
    const hidden = surroundings.hidden[node];
    const isLabel = text.words < LABEL_WORDS;
    return (hidden === HIDDEN && (isArticle || isLabel)) || (hidden === ARIA_HIDDEN && isLabel);
  };
}

/** A page with fewer words beside its comments is about them. */
const FEW_ARTICLE_WORDS = 200;

/** Tells the blocks that names call comments, unless the page is a forum or comments are most of what it has. */
function commentsOf({ blocks, surroundings, scores, kinds }: Judged): (block: Block) => boolean {
  const isNamed = ({ node }: Block) => ((surroundings.allEvidence[node] ?? 0) & COMMENTS) !== 0;
  let named = 0;
  let all = 0;
  for (const block of blocks) {
    if ((scores[block.at] ?? 0) <= 0.5) continue;
    all += block.text.words;
    if (isNamed(block)) named += block.text.words;
  }
  return isForum(kinds) || (named >= 0.8 * all && all - named < FEW_ARTICLE_WORDS) ? () => false : isNamed;
}

/** Tells the blocks of an article that only lead to others; where they are most of the page, they are what it is about. */
function teasersOf({ blocks, scores, kinds }: Judged, groups: ItemGroups): (block: Block) => boolean {
  const isTeaser = ({ at }: Block): boolean => {
    const group = groups[at];
    return group !== undefined && looksLikeTeasers(group);
  };
  let teasers = 0;
  let others = 0;
  for (const block of blocks) {
    const words = (scores[block.at] ?? 0) * block.text.words;
    if (isTeaser(block)) teasers += words;
    else others += words;
  }
  return readsAsStory(kinds) && others > teasers ? isTeaser : () => false;
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
