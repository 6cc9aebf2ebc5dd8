import { allocateFloat32s, allocateFloat64s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { findNextTag, type Tree } from '#extract/html/tree.ts';
import { type Block, splitIntoBlocks } from '#extract/content/features/blocks.ts';
import { computeContainers } from '#extract/content/features/containers.ts';
import { decideVerdicts, type Decision } from '#extract/content/rules/decide.ts';
import {
  fillFeatures,
  FIRST_PAGE_FACT,
  createRow,
  type PageFeatures,
  buildPageFeatures,
} from '#extract/content/features/features.ts';
import { computeColumnLength, scoreRows, toProbability } from '#extract/content/model/forest.ts';
import { findHeadline } from '#extract/content/rules/headline.ts';
import { markKeptNodes } from '#extract/content/rules/kept-nodes.ts';
import { computeKeptShare } from '#extract/content/rules/kept-share.ts';
import type { ContentModel } from '#extract/content/model/model.ts';
import { readPageHead } from '#extract/content/features/page-head.ts';
import { scoreKinds, type KindScores } from './model/model.ts';
import { findHeuristicRegion } from '#extract/content/rules/heuristic-region.ts';
import { isDeclaredForum } from './rules/scored-page.ts';
import { findLittleText } from './rules/declared-main.ts';
import { computeSurroundings } from './features/node-surroundings.ts';
import { hasThread } from '#extract/view/row-levels.ts';
import { isThin, markVisibleNodes } from '#extract/view/visible.ts';
import { addPageWords } from '#extract/content/features/vocabulary.ts';
import { TRAINED_MODEL } from '#extract/content/model/trained.ts';

/** The nodes from `from` up to `to`. */
export type NodeRange = { readonly from: number; readonly to: number };

/** The main content of a page, as a mask over its nodes. */
export type PageContent = {
  /** 1 for every node that is read, including the ancestors of the content. */
  readonly kept: Uint8Array;
  /** The nodes of a headline that excluded blocks separate from the text. Null if there is none. */
  readonly headline: NodeRange | null;
  /**
   * The mask that hand-written rules alone give, without the model. Pages are compared by it, because a copy with other
   * surroundings must not change the result.
   */
  readonly plain: Uint8Array;
  /** The page shows almost no text although it runs scripts, so its content is probably rendered in the browser. */
  readonly isThin: boolean;
  /** The estimated share of the main text that is kept, from 0 to 1. Null if the page has too little of it. */
  readonly keptShare: number | null;
};

/** How the content of a page was chosen: its blocks, their scores and their verdicts. */
export type BlockChoice = Decision & {
  readonly blocks: readonly Block[];
  /** The probability that each block is content, from 0 to 1, before any rule. */
  readonly scores: Float32Array;
  readonly kinds: KindScores;
};

/** A page with more words is never thin. */
const MAX_THIN_WORDS = 250;

/** A page with more nodes is not analysed: no page written for readers has as many. */
const MAX_NODES = 2_000_000;

/** Keeps all visible text of the page. */
export function chooseWholePage(tree: Tree): PageContent {
  const kept = markVisibleNodes(tree);
  return { kept, headline: null, plain: kept, isThin: isThin(tree, kept), keptShare: null };
}

/**
 * Keeps the region that the hand-written rules alone give. It takes a quarter of the time of {@link chooseMainContent}
 * and gives the same `plain`. For readings that show no text of the page.
 */
export function chooseHeuristicContent(tree: Tree): PageContent {
  if (tree.count > MAX_NODES) return chooseWholePage(tree);
  const { evidence } = computeSurroundings(tree, TRAINED_MODEL.names);
  const plain = findHeuristicRegion(tree, evidence);
  return {
    kept: plain,
    headline: null,
    plain,
    isThin: isThin(tree, plain) && isThin(tree, markVisibleNodes(tree)),
    keptShare: null,
  };
}

/**
 * Chooses the main content of a page. The page is split into blocks. A model trained on labelled pages estimates how
 * likely each block is content, from its text, its position and its surroundings. The blocks with the best expected
 * result for the whole page are kept. If no block is chosen, the declared main part or the whole page is kept, unless
 * scripts fill the page: then nothing is kept.
 */
export function chooseMainContent(tree: Tree, url: string, model = TRAINED_MODEL): PageContent {
  const features = computeFeatures(tree, url, model);
  if (features === null) return chooseWholePage(tree);
  const choice = chooseBlocks(features, model);
  const { verdicts, isShell, headline } = choice;
  const { plain } = features;
  if (!isShell && !verdicts.includes('kept')) {
    const whole = chooseWholePage(tree);
    const little = findLittleText(features);
    return little === null ? { ...whole, plain } : { ...whole, kept: little.kept, plain, isThin: little.isLittle };
  }
  const kept = markKeptNodes({ tree, blocks: features.blocks, verdicts, surroundings: features.surroundings });
  const words = features.containers.words[0] ?? 0;
  const thin =
    isShell || hasLittleText(features, verdicts) || (words < MAX_THIN_WORDS && isThin(tree, markVisibleNodes(tree)));
  const share = isShell ? null : computeKeptShare(features, choice);
  return { kept, headline: features.blocks[headline] ?? null, plain, isThin: thin, keptShare: share };
}

/**
 * A page says next to nothing if fewer words outside links are kept, while the whole page has several times as many.
 */
const MAX_LITTLE_WORDS = 12;
const MIN_SURROUNDING_RATIO = 5;

function hasLittleText({ blocks, containers }: PageFeatures, verdicts: Decision['verdicts']): boolean {
  let textWords = 0;
  for (const { at, text, linked } of blocks) {
    if (verdicts[at] === 'kept' && text.characters > 0) textWords += text.words * (1 - linked / text.characters);
    if (textWords >= MAX_LITTLE_WORDS) return false;
  }
  return (containers.words[0] ?? 0) > MIN_SURROUNDING_RATIO * MAX_LITTLE_WORDS;
}

/** The features of a page and its blocks. Null if the page has no text, or too much to analyse. */
export function computeFeatures(tree: Tree, url: string, model: ContentModel): PageFeatures | null {
  if (tree.count > MAX_NODES) return null;
  const head = readPageHead(tree);
  const surroundings = computeSurroundings(tree, model.names);
  const blocks = splitIntoBlocks(
    tree,
    surroundings,
    addPageWords(model.vocabulary, head.titles.join(' '), head.description),
  );
  if (blocks === null || blocks.length === 0) return null;
  const containers = computeContainers(tree, blocks, surroundings);
  return buildPageFeatures({
    tree,
    url,
    head,
    blocks,
    surroundings,
    containers,
    plain: findHeuristicRegion(tree, surroundings.evidence),
  });
}

/** From this probability of a forum on, a table with indented rows is read as a discussion. */
const MIN_FORUM_PROBABILITY = 0.1;

/** Scores the blocks of a page and decides which are kept. */
export function chooseBlocks(page: PageFeatures, model: ContentModel): BlockChoice {
  const { tree, head, blocks, surroundings } = page;
  const estimated = scoreKinds(model, page.pageFacts);
  const isForum = isDeclaredForum(tree, head) || (estimated.forum > MIN_FORUM_PROBABILITY && hasThread(tree));
  const kinds = isForum ? { ...estimated, forum: 1, article: 0, documentation: 0 } : estimated;
  const scores = computeScores(page, model);
  const scripted = findNextTag(tree, TAG.script, 1) !== 0;
  const headline = findHeadline(tree, blocks, { titles: head.titles, surroundings, url: page.url });
  return { ...decideVerdicts({ ...page, scores, kinds, hasScripts: scripted, headline }), blocks, scores, kinds };
}

/** The probability that each block is content. */
function computeScores(page: PageFeatures, model: ContentModel): Float32Array {
  const count = page.blocks.length;
  const length = computeColumnLength(count);
  const kernel = model.kernel();
  const row = createRow(page, length, kernel?.values);
  const columns = { values: row.values, length, shared: FIRST_PAGE_FACT };
  const scores = allocateFloat32s(count);
  for (let first = 0; first < count; first += length) {
    const sums = allocateFloat64s(Math.min(length, count - first));
    for (let at = 0; at < sums.length; at++) fillFeatures(row, first + at);
    if (kernel === null) scoreRows(model.content, columns, sums);
    else kernel.score(length, sums);
    scores.set(sums.map(toProbability), first);
  }
  return scores;
}
