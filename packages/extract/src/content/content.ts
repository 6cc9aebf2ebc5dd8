import { float32s, float64s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { nextTagged, type Tree } from '#extract/html/tree.ts';
import { type Block, blocksOf } from '#extract/content/features/blocks.ts';
import { containersOf } from '#extract/content/features/containers.ts';
import { decide, type Decision } from '#extract/content/rules/decide.ts';
import {
  fillFeatures,
  FIRST_PAGE_FACT,
  newRow,
  type PageFeatures,
  toPageFeatures,
} from '#extract/content/features/features.ts';
import { columnLength, judgeRows, toProbability } from '#extract/content/model/forest.ts';
import { headlineOf } from '#extract/content/rules/headline.ts';
import { keptNodes } from '#extract/content/rules/kept-nodes.ts';
import { keptShare } from '#extract/content/rules/kept-share.ts';
import type { ContentModel } from '#extract/content/model/model.ts';
import { pageHeadOf } from '#extract/content/features/page-head.ts';
import { kindOf, type KindScores } from '#extract/content/model/page-kind.ts';
import { heuristicRegionOf } from '#extract/content/rules/heuristic-region.ts';
import { statesForum } from '#extract/content/rules/stated-forum.ts';
import { statedLittle } from '#extract/content/rules/stated-little.ts';
import { surroundingsOf } from '#extract/content/features/surroundings.ts';
import { holdsThread } from '#extract/view/row-levels.ts';
import { isThin, visibleNodes } from '#extract/view/visible.ts';
import { withPageWords } from '#extract/content/features/vocabulary.ts';
import { TRAINED } from '#extract/content/model/trained.ts';

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
  readonly thin: boolean;
  /** The share of its main text that is kept, as far as scores tell; null where there is little of it. */
  readonly share: number | null;
};

/** How the content of a page was found: what it was cut into, what each piece scored, and what became of it. */
export type BlockChoice = Decision & {
  readonly blocks: readonly Block[];
  /** How likely each block is content, from 0 to 1, before any rule. */
  readonly scores: Float32Array;
  readonly kinds: KindScores;
};

/** A page of more words than this cannot be thin. */
const FEW_WORDS = 250;

/** A page of more nodes than this is not looked at in detail: it is no page that anybody reads. */
const MAX_NODES = 2_000_000;

/** Everything of the page that is text to a reader. */
export function wholePage(tree: Tree): PageContent {
  const kept = visibleNodes(tree);
  return { kept, headline: null, plain: kept, thin: isThin(tree, kept), share: null };
}

/**
 * The main content of a page. The page is cut into blocks of text; a model that was trained on labelled pages says how
 * likely each is content, from features of its text, its place and what stands around it; then the blocks are taken that
 * promise the best result for the page as a whole. A page of which nothing is chosen is kept whole, or as far as it states
 * its main part, unless it is a shell that scripts fill: then nothing is kept.
 */
export function mainContent(tree: Tree, url: string, model = TRAINED): PageContent {
  const features = featuresOf(tree, url, model);
  if (features === null) return wholePage(tree);
  const choice = chooseBlocks(features, model);
  const { verdicts, shell, headline } = choice;
  const { plain } = features;
  if (!shell && !verdicts.includes('kept')) {
    const whole = wholePage(tree);
    const little = statedLittle(features);
    return little === null ? { ...whole, plain } : { ...whole, kept: little.kept, plain, thin: little.isLittle };
  }
  const kept = keptNodes({ tree, blocks: features.blocks, verdicts, surroundings: features.surroundings });
  const words = features.containers.words[0] ?? 0;
  const thin = shell || isLittle(features, verdicts) || (words < FEW_WORDS && isThin(tree, visibleNodes(tree)));
  const share = shell ? null : keptShare(features, choice);
  return { kept, headline: features.blocks[headline] ?? null, plain, thin, share };
}

/** A page of which fewer words are kept, outside of links, says next to nothing, if it has as many times more around them. */
const LITTLE_WORDS = 12;
const TIMES_MORE = 5;

function isLittle({ blocks, containers }: PageFeatures, verdicts: Decision['verdicts']): boolean {
  let told = 0;
  for (const { at, text, linked } of blocks) {
    if (verdicts[at] === 'kept' && text.characters > 0) told += text.words * (1 - linked / text.characters);
    if (told >= LITTLE_WORDS) return false;
  }
  return (containers.words[0] ?? 0) > TIMES_MORE * LITTLE_WORDS;
}

/** The features of a page and its blocks; null when there is no text, or too much of it to analyse. */
export function featuresOf(tree: Tree, url: string, model: ContentModel): PageFeatures | null {
  if (tree.count > MAX_NODES) return null;
  const head = pageHeadOf(tree);
  const surroundings = surroundingsOf(tree, model.names);
  const blocks = blocksOf(tree, surroundings, withPageWords(model.vocabulary, head.titles.join(' '), head.description));
  if (blocks === null || blocks.length === 0) return null;
  const containers = containersOf(tree, blocks, surroundings);
  return toPageFeatures({
    tree,
    url,
    head,
    blocks,
    surroundings,
    containers,
    plain: heuristicRegionOf(tree, surroundings.evidence),
  });
}

/** Probability of a forum from which on a table that sets its rows in is a discussion. */
const MIN_FORUM = 0.1;

/** Scores the blocks of a page and chooses among them. */
export function chooseBlocks(page: PageFeatures, model: ContentModel): BlockChoice {
  const { tree, head, blocks, surroundings } = page;
  const told = kindOf(model, page.pageFacts);
  const isForum = statesForum(tree, head) || (told.forum > MIN_FORUM && holdsThread(tree));
  const kinds = isForum ? { ...told, forum: 1, article: 0, documentation: 0 } : told;
  const scores = scoresOf(page, model);
  const scripted = nextTagged(tree, TAG.script, 1) !== 0;
  const headline = headlineOf(tree, blocks, { titles: head.titles, surroundings, url: page.url });
  return { ...decide({ ...page, scores, kinds, scripted, headline }), blocks, scores, kinds };
}

/** How likely each block is content. */
function scoresOf(page: PageFeatures, model: ContentModel): Float32Array {
  const count = page.blocks.length;
  const length = columnLength(count);
  const kernel = model.kernel();
  const row = newRow(page, length, kernel?.values);
  const columns = { values: row.values, length, shared: FIRST_PAGE_FACT };
  const scores = float32s(count);
  for (let first = 0; first < count; first += length) {
    const sums = float64s(Math.min(length, count - first));
    for (let at = 0; at < sums.length; at++) fillFeatures(row, first + at);
    if (kernel === null) judgeRows(model.content, columns, sums);
    else kernel.judge(length, sums);
    scores.set(sums.map(toProbability), first);
  }
  return scores;
}
