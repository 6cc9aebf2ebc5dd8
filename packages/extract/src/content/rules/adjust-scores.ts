import { float64s, uint32s } from '#extract/html/scratch.ts';
import type { Family } from '#extract/content/features/block-order.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import { COMMENTS, CONSENT, RELATED } from '#extract/content/features/name-evidence.ts';
import { toProbability } from '#extract/content/model/forest.ts';
import { ARIA_HIDDEN, HIDDEN, WITHOUT_SCRIPT } from '#extract/view/hiding.ts';
import { consentOf } from './consent.ts';
import { hidesMost } from './hidden-page.ts';
import { loneCommentsOf } from './lone-comments.ts';
import { type ItemGroups, itemGroupsOf, looksLikeComments, looksLikeTeasers } from './repeated-items.ts';
import { type BlockVerdict, isForum, readsAsArticle, readsAsStory, type ScoredPage } from './scored-page.ts';
import { asksForScripts, breaksOff, isMarkup, leadsElsewhere } from './stray-lines.ts';

/** On sites that training did not see, scores are less certain in log-odds than they say. */
const CAUTION = 1.5;
/** Penalty in log-odds for pages that are no article: they hold less content than it seems. */
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

/** Fewest words of hidden text, on a page that is no article, that count as text of tabs and answers rather than labels. */
const LABEL_WORDS = 5;

type Adjusted = { readonly scores: Float32Array; readonly causes: readonly (BlockVerdict | null)[] };

/** Smooths the scores of a page, and lowers those of blocks that rules know; a cause stands where one did. */
export function adjustScores(judged: ScoredPage): Adjusted {
  const { tree, blocks, surroundings, kinds, order } = judged;
  const causes: (BlockVerdict | null)[] = blocks.map(() => null);
  const { allEvidence } = surroundings;
  const isArticle = readsAsArticle(kinds);
  const isStory = readsAsStory(kinds);
  const own = judged.scores.map(logOddsOf);
  const together = isArticle
    ? own
    : smoothLogOdds(blocks, order.families, own).map((logOdds) => logOdds - OTHERS_DOUBT);
  const scores = together.map(withCaution);
  const isComment = commentsOf(judged);
  const isLoneComment = loneCommentsOf(judged);
  const isHidden = hiddenOf(judged);
  const isConsent = consentOf(judged);
  const groups = itemGroupsOf(judged);
  const isTeaser = teasersOf(judged, groups);
  const lower = ({ at }: Block, factor: number, cause: BlockVerdict) => {
    scores[at] = (scores[at] ?? 0) * factor;
    causes[at] = cause;
  };
  for (const block of blocks) {
    const bits = allEvidence[block.node] ?? 0;
    const group = groups[block.at];
    if (isHidden(block)) lower(block, 0.3, 'hidden');
    if (isComment(block) || isLoneComment(block)) lower(block, 0.1, 'comment');
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
function hiddenOf({ blocks, surroundings, kinds }: ScoredPage): (block: Block) => boolean {
  if (hidesMost(blocks, surroundings)) return () => false;
  const isArticle = readsAsArticle(kinds);
  return ({ node, text }) => {
    const hidden = surroundings.hidden[node];
    const isLabel = text.words < LABEL_WORDS;
    return (hidden === HIDDEN && (isArticle || isLabel)) || (hidden === ARIA_HIDDEN && isLabel);
  };
}

/** A page with fewer words beside its comments is about them: a short post has many more words of readers, and is one still. */
const FEW_WORDS = 200;
const FEW_STORY_WORDS = 30;

/** Tells the blocks that names call comments, unless the page is a forum or comments are most of what it has. */
function commentsOf({ blocks, surroundings, scores, kinds }: ScoredPage): (block: Block) => boolean {
  const isNamed = ({ node }: Block) => ((surroundings.allEvidence[node] ?? 0) & COMMENTS) !== 0;
  let named = 0;
  let all = 0;
  for (const block of blocks) {
    if ((scores[block.at] ?? 0) <= 0.5) continue;
    all += block.text.words;
    if (isNamed(block)) named += block.text.words;
  }
  const few = readsAsStory(kinds) ? FEW_STORY_WORDS : FEW_WORDS;
  return isForum(kinds) || (named >= 0.8 * all && all - named < few) ? () => false : isNamed;
}

/** Tells the blocks of an article that only lead to others; where they are most of the page, they are what it is about. */
function teasersOf({ blocks, scores, kinds }: ScoredPage, groups: ItemGroups): (block: Block) => boolean {
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

/** How far a block goes along with its family. */
const SHARE = 0.6;
/** Blocks from which on they are a family. */
const FEWEST = 3;

/**
 * The log-odds of blocks, each drawn towards the mean of the blocks of its shape: posts, cards and sections of one list
 * are content together or not at all, and where one alone is doubted, the others know better. Longer texts have more say.
 * Links and texts of one shape, as the cells of a page that tables lay out, go each with their own.
 */
export function smoothLogOdds(
  blocks: readonly Block[],
  families: readonly Family[],
  logOdds: Float32Array<ArrayBuffer>,
): Float32Array<ArrayBuffer> {
  const groups = Uint32Array.from(blocks, ({ at, linked, text }) => {
    const leads = linked > 0.5 * text.characters;
    return 2 * (families[at]?.first ?? at) + Number(leads);
  });
  const sums = float64s(2 * blocks.length);
  const weights = float64s(2 * blocks.length);
  const members = uint32s(2 * blocks.length);
  for (const { at, text } of blocks) {
    const group = groups[at] ?? 0;
    const weight = Math.sqrt(text.words + 1);
    sums[group] = (sums[group] ?? 0) + weight * (logOdds[at] ?? 0);
    weights[group] = (weights[group] ?? 0) + weight;
    members[group] = (members[group] ?? 0) + 1;
  }
  return logOdds.map((own, at) => {
    const group = groups[at] ?? 0;
    const mean = (sums[group] ?? 0) / (weights[group] ?? 1);
    return (members[group] ?? 0) < FEWEST ? own : own + SHARE * (mean - own);
  });
}
