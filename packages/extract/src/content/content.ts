import { allocateFloat32s, allocateFloat64s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { nextTagged, type Tree } from '#extract/html/tree.ts';
import { type Block, splitIntoBlocks } from '#extract/content/features/blocks.ts';
import { computeContainers } from '#extract/content/features/containers.ts';
import { decideVerdicts, type Decision } from '#extract/content/rules/decide.ts';
import {
  fillFeatures,
  FIRST_PAGE_FACT,
  newRow,
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

/** The content of a page: 1 for every node to read, with the elements around it. */
export type PageContent = {
  readonly kept: Uint8Array;
  /** The nodes of a headline that something which is not kept parts from the text, null for none. */
  readonly headline: NodeRange | null;
  /**
   * The same by hand-written rules alone, 1 for each node: what pages are compared by, since a copy of a page with other
   * things around it must not tip a score.
   */
  readonly plain: Uint8Array;
  /** The page shows next to nothing although it runs scripts: what a visitor sees is made in the browser. */
  readonly isThin: boolean;
  /** The share of its main text that is kept, as far as scores tell; null where there is little of it. */
  readonly keptShare: number | null;
};

/** How the content of a page was found: what it was cut into, what each piece scored, and what became of it. */
export type BlockChoice = Decision & {
  readonly blocks: readonly Block[];
  /** How likely each block is content, from 0 to 1, before any rule. */
  readonly scores: Float32Array;
  readonly kinds: KindScores;
};

/** A page of more words than this cannot be thin. */
const MAX_THIN_WORDS = 250;

/** A page of more nodes than this is not looked at in detail: it is no page that anybody reads. */
const MAX_NODES = 2_000_000;

/** Everything of the page that is text to a reader. */
export function chooseWholePage(tree: Tree): PageContent {
  const kept = markVisibleNodes(tree);
  return { kept, headline: null, plain: kept, isThin: isThin(tree, kept), keptShare: null };
}

/**
 * The main content of a page. The page is cut into blocks of text; a model that was trained on labelled pages says how
 * likely each is content, from features of its text, its place and what stands around it; then the blocks are taken that
 * promise the best result for the page as a whole. A page of which nothing is chosen is kept whole, or as far as it states
 * its main part, unless it is a shell that scripts fill: then nothing is kept.
 */
export function mainContent(tree: Tree, url: string, model = TRAINED_MODEL): PageContent {
  const features = featuresOf(tree, url, model);
  if (features === null) return chooseWholePage(tree);
  const choice = chooseBlocks(features, model);
  const { verdicts, shell, headline } = choice;
  const { plain } = features;
  if (!shell && !verdicts.includes('kept')) {
    const whole = chooseWholePage(tree);
    const little = findLittleText(features);
    return little === null ? { ...whole, plain } : { ...whole, kept: little.kept, plain, isThin: little.isLittle };
  }
  const kept = markKeptNodes({ tree, blocks: features.blocks, verdicts, surroundings: features.surroundings });
  const words = features.containers.words[0] ?? 0;
  const thin =
    shell || hasLittleText(features, verdicts) || (words < MAX_THIN_WORDS && isThin(tree, markVisibleNodes(tree)));
  const share = shell ? null : computeKeptShare(features, choice);
  return { kept, headline: features.blocks[headline] ?? null, plain, isThin: thin, keptShare: share };
}

/** A page of which fewer words are kept, outside of links, says next to nothing, if it has as many times more around them. */
const MAX_LITTLE_WORDS = 12;
const MIN_SURROUNDING_RATIO = 5;

function hasLittleText({ blocks, containers }: PageFeatures, verdicts: Decision['verdicts']): boolean {
  let told = 0;
  for (const { at, text, linked } of blocks) {
    if (verdicts[at] === 'kept' && text.characters > 0) told += text.words * (1 - linked / text.characters);
    if (told >= MAX_LITTLE_WORDS) return false;
  }
  return (containers.words[0] ?? 0) > MIN_SURROUNDING_RATIO * MAX_LITTLE_WORDS;
}

/** The features of a page and its blocks; null when there is no text, or too much of it to analyse. */
export function featuresOf(tree: Tree, url: string, model: ContentModel): PageFeatures | null {
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

/** Probability of a forum from which on a table that sets its rows in is a discussion. */
const MIN_FORUM_PROBABILITY = 0.1;

/** Scores the blocks of a page and chooses among them. */
export function chooseBlocks(page: PageFeatures, model: ContentModel): BlockChoice {
  const { tree, head, blocks, surroundings } = page;
  const told = scoreKinds(model, page.pageFacts);
  const isForum = isDeclaredForum(tree, head) || (told.forum > MIN_FORUM_PROBABILITY && hasThread(tree));
  const kinds = isForum ? { ...told, forum: 1, article: 0, documentation: 0 } : told;
  const scores = computeScores(page, model);
  const scripted = nextTagged(tree, TAG.script, 1) !== 0;
  const headline = findHeadline(tree, blocks, { titles: head.titles, surroundings, url: page.url });
  return { ...decideVerdicts({ ...page, scores, kinds, scripted, headline }), blocks, scores, kinds };
}

/** How likely each block is content. */
function computeScores(page: PageFeatures, model: ContentModel): Float32Array {
  const count = page.blocks.length;
  const length = computeColumnLength(count);
  const kernel = model.kernel();
  const row = newRow(page, length, kernel?.values);
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
