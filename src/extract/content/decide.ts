import { TAG } from '#extract/html/tag-names.ts';
import { parentOf, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { isHeading } from './block-order.ts';
import type { Block } from './blocks.ts';
import { toProbability } from './forest.ts';
import { COMMENTS, CONSENT, RELATED } from './evidence.ts';
import type { KindScores } from './page-kind.ts';
import { HIDDEN } from './hiding.ts';
import type { Surroundings } from './surroundings.ts';
import { endsSentence } from './text-tally.ts';

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
};

export type Judged = {
  readonly tree: Tree;
  readonly blocks: readonly Block[];
  readonly surroundings: Surroundings;
  readonly scores: Float32Array;
  readonly kinds: KindScores;
  readonly scripted: boolean;
};

/** A page with fewer words than this, of which none seems content, is a shell. */
const SHELL_WORDS = 300;
const SHELL_CONTENT_WORDS = 8;
const FEW_WORDS = 20;

/**
 * Decides which blocks are kept. Rules lower scores where what a block is tells more than what it looks like; then the
 * threshold is taken that promises the best F1 of this page, and rules on the whole choice have the last word.
 */
export function decide(judged: Judged): Decision {
  const { blocks, scripted } = judged;
  const { scores, causes } = adjust(judged);
  const { threshold: best, certain } = bestThreshold(blocks, scores);
  const isArticle = readsAsArticle(judged.kinds);
  const words = blocks.reduce((sum, { text }) => sum + text.words, 0);
  if (certain < SHELL_CONTENT_WORDS && words < SHELL_WORDS && (scripted || leadsAway(blocks, words)))
    return { verdicts: blocks.map(() => 'shell'), weighed: scores, threshold: best, shell: true };
  const threshold = isArticle ? Math.max(0.42, Math.min(best, 0.5)) : best;
  const verdicts = blocks.map((_, at): Verdict => {
    if ((scores[at] ?? 0) >= threshold) return 'kept';
    return causes[at] ?? 'low_score';
  });
  fillGaps(judged, verdicts);
  if (isArticle) dropIslands(judged, scores, verdicts);
  dropRepeats(judged.tree, blocks, verdicts);
  return { verdicts, weighed: scores, threshold, shell: false };
}

/** Of the pages without scripts, those of more than a few words that are mostly links. */
function leadsAway(blocks: readonly Block[], words: number): boolean {
  const sum = (of: (block: Block) => number) => blocks.reduce((total, block) => total + of(block), 0);
  return words > FEW_WORDS && sum(({ linked }) => linked) > 0.5 * sum(({ text }) => text.characters);
}

/** Articles and documentation read from top to bottom; what stands apart from them is not part of them. */
function readsAsArticle({ article, documentation }: KindScores): boolean {
  return article + 0.5 * documentation > 0.5;
}

/** On sites that training did not see, scores are less than half as certain in log-odds as they say. */
const CAUTION = 2.5;
/** Nothing is surer than this, in log-odds. */
const SUREST = 8;

/** A score of the model as it is compared with others and with thresholds. */
export function cautious(score: number): number {
  const logOdds = Math.log(score / (1 - score));
  return toProbability(Math.max(-SUREST, Math.min(SUREST, logOdds)) / CAUTION);
}

/** What a page that is no article hides in this many words is text of tabs and answers; less is labels. */
const LABEL_WORDS = 5;

type Adjusted = { readonly scores: Float32Array; readonly causes: readonly (Verdict | null)[] };

function adjust({ tree, blocks, surroundings, scores: given, kinds }: Judged): Adjusted {
  const scores = given.map(cautious);
  const causes: (Verdict | null)[] = blocks.map(() => null);
  const { allEvidence } = surroundings;
  const isArticle = readsAsArticle(kinds);
  const wordsOver = (is: (block: Block) => boolean) =>
    blocks.reduce((sum, block, at) => ((given[at] ?? 0) > 0.5 && is(block) ? sum + block.text.words : sum), 0);
  const isComment = ({ node }: Block) => ((allEvidence[node] ?? 0) & COMMENTS) !== 0;
  const dropsComments = kinds.forum < 0.35 && wordsOver(isComment) < 0.8 * wordsOver(() => true);
  for (const [at, block] of blocks.entries()) {
    const bits = allEvidence[block.node] ?? 0;
    const lower = (factor: number, cause: Verdict) => {
      scores[at] = (scores[at] ?? 0) * factor;
      causes[at] = cause;
    };
    if (surroundings.hidden[block.node] === HIDDEN && (isArticle || block.text.words < LABEL_WORDS))
      lower(0.5, 'hidden');
    if (dropsComments && isComment(block)) lower(0.1, 'comment');
    if (isArticle && (bits & RELATED) !== 0) lower(0.6, 'related');
    if (isArticle && leadsElsewhere(tree, block)) lower(0.2, 'related');
    if ((bits & CONSENT) !== 0) lower(0.1, 'consent');
    else if (!isArticle && block.text.consentWords >= 2) lower(0.4, 'consent');
  }
  return { scores, causes };
}

/** Words of a line that leads to another text. */
const LEAD_WORDS = 40;

/** "Read also: …" and its like within an article: a short line that is mostly a link, or nothing but one. */
function leadsElsewhere(tree: Tree, { node, text, linked }: Block): boolean {
  if (text.words > LEAD_WORDS) return false;
  if (text.leadsOn && linked > 0.4 * text.characters) return true;
  const onlyLinks = linked > 0.95 * text.characters && text.words >= 4;
  return onlyLinks && tagOf(tree, node) === TAG.p && !endsSentence(text);
}

type Threshold = {
  readonly threshold: number;
  /** Words of blocks that are more likely content than not. */
  readonly certain: number;
};

/** The threshold at which the expected F1 in words is highest, taking scores as probabilities (Lewis 1995). */
function bestThreshold(blocks: readonly Block[], scores: Float32Array): Threshold {
  const order = fromHighest(scores);
  let expected = 0;
  for (const [at, { text }] of blocks.entries()) expected += (scores[at] ?? 0) * text.words;
  let hit = 0;
  let kept = expected;
  let best = 0;
  let threshold = 0.5;
  let certain = 0;
  for (const key of order) {
    const at = key - Math.floor(key / PLACES) * PLACES;
    const score = scores[at] ?? 0;
    const words = blocks[at]?.text.words ?? 0;
    hit += score * words;
    kept += words;
    if (score > 0.5) certain += words;
    if ((2 * hit) / kept <= best) continue;
    best = (2 * hit) / kept;
    threshold = score;
  }
  return { threshold, certain };
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
  const keys = new Float64Array(bits.length);
  for (let at = 0; at < keys.length; at++) keys[at] = at - (bits[at] ?? 0) * PLACES;
  return keys.toSorted();
}

/**
 * A single block between two kept ones is kept too, unless it is surely none or mostly links; and so is a heading
 * right before a kept one. Where a byline or buttons stand between them, the main heading is left to the metadata.
 */
function fillGaps({ tree, blocks, scores }: Judged, verdicts: Verdict[]): void {
  for (const [at, { node, text, linked }] of blocks.entries()) {
    if (verdicts[at] !== 'low_score' || verdicts[at + 1] !== 'kept') continue;
    const between = verdicts[at - 1] === 'kept' && (scores[at] ?? 0) > 0.1 && linked < 0.5 * text.characters;
    if (between || isHeading(tree, node)) verdicts[at] = 'kept';
  }
}

/** Blocks not kept between two runs of kept ones that set the second apart. */
const GAP = 10;

/** Leaves out small runs of kept blocks far after the largest one, unless they are all but certain. */
function dropIslands({ blocks }: Judged, scores: Float32Array, verdicts: Verdict[]): void {
  const runs = runsOf(blocks, verdicts);
  const largest = runs.reduce((a, b) => (b.words > a.words ? b : a), { first: 0, last: 0, words: 0 });
  for (const { first, last, words } of runs) {
    if (first <= largest.last || words >= 0.35 * largest.words) continue;
    for (let at = first; at <= last; at++) {
      if (verdicts[at] === 'kept' && (scores[at] ?? 0) < 0.85) verdicts[at] = 'island';
    }
  }
}

type Run = { readonly first: number; last: number; words: number };

function runsOf(blocks: readonly Block[], verdicts: readonly Verdict[]): readonly Run[] {
  const runs: Run[] = [];
  for (const [at, { text }] of blocks.entries()) {
    if (verdicts[at] !== 'kept') continue;
    const run = runs.at(-1);
    if (run === undefined || at - run.last > GAP + 1) runs.push({ first: at, last: at, words: text.words });
    else {
      run.last = at;
      run.words += text.words;
    }
  }
  return runs;
}

const REPEATED_WORDS = 8;

/** The same words in another part of the page are a copy; within one element, or if short, they may be meant. */
function dropRepeats(tree: Tree, blocks: readonly Block[], verdicts: Verdict[]): void {
  const seen = new Map<number, number>();
  for (const [at, { node, text }] of blocks.entries()) {
    if (verdicts[at] !== 'kept' || text.words < REPEATED_WORDS) continue;
    const parent = parentOf(tree, node);
    const before = seen.get(text.hash);
    if (before === undefined) seen.set(text.hash, parent);
    else if (before !== parent) verdicts[at] = 'repeated';
  }
}
