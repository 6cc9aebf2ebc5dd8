import { byTag } from '#extract/html/tags.ts';
import { charactersOf, isText, parentOf, subtreeEndOf, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { blockOrderOf } from './block-order.ts';
import type { BlockOrder } from './block-order.ts';
import type { Block } from './blocks.ts';
import { COMMENTS, FURNITURE, HEADER, LANDMARK, MAIN } from './evidence.ts';
import { logOf } from './logarithm.ts';
import { PAGE_FACTS, pageFactsOf } from './page-facts.ts';
import type { PageParts } from './page-facts.ts';
import { statedShare, statedTextOf } from './stated-text.ts';
import { CONTEXTS } from './surroundings.ts';
import { endsSentence, WEIGHED_WORDS } from './text-tally.ts';
import type { TextTally } from './text-tally.ts';

/** All that is known of a page before any block is judged. */
export type PageFeatures = PageParts & {
  readonly order: BlockOrder;
  readonly stated: ReadonlySet<number> | null;
  readonly pageFacts: readonly number[];
};

export function toPageFeatures(parts: PageParts): PageFeatures {
  return {
    ...parts,
    order: blockOrderOf(parts.tree, parts.blocks, parts.surroundings),
    stated: statedTextOf(parts.head.jsonLd),
    pageFacts: pageFactsOf(parts),
  };
}

const WINDOWS = [3, 8, 20] as const;
const CONTAINER_LEVELS = 5;
const CONTAINER_VALUES = 4;

/** What is told of a block; the order is that of the values that {@link fillFeatures} writes. */
export const FEATURES: readonly string[] = [
  ...'words word_length link_share links bold_share commas stops questions digits capitals function_words ends_sentence rights dated months priced calls tag title_words description_words stated copies consent_words'.split(
    ' ',
  ),
  ...'words_low words_high words_mean heading_low heading_mean heading_words'.split(' '),
  ...'depth hidden siblings siblings_words siblings_link_share place words_before blocks_after since_heading since_main'.split(
    ' ',
  ),
  ...'in_region in_core side_of_core depth_from_core with_heading_words with_core_words with_core_steps own_share'.split(
    ' ',
  ),
  ...'plain_kept plain_furniture plain_comments plain_main plain_landmark plain_header'.split(' '),
  ...CONTEXTS.map((name) => `in_${name}`),
  ...WINDOWS.flatMap((size) => [`near_${size}_words`, `near_${size}_link_share`]),
  ...Array.from({ length: CONTAINER_LEVELS }, (_, level) =>
    ['words', 'link_share', 'prose_share', 'blocks'].map((name) => `around_${level}_${name}`),
  ).flat(),
  ...'members words share link_share long_share span'.split(' ').map((name) => `family_${name}`),
  ...'low high against in_favour faded near_low near_high far_low'.split(' ').map((name) => `names_${name}`),
  ...PAGE_FACTS,
];

/** Where the facts of the page start among the features. */
export const FIRST_PAGE_FACT = FEATURES.length - PAGE_FACTS.length;

/** Elements that hold blocks, as groups that say alike things. */
const TAG_GROUPS = byTag(0, [
  ['p', 1],
  ['li', 2],
  ['h1', 3],
  ['h2', 4],
  ['h3', 5],
  ['h4 h5 h6', 6],
  ['td th', 7],
  ['div section article', 8],
  ['dt dd', 9],
  ['figcaption caption', 10],
  ['blockquote', 11],
  ['pre', 12],
  ['legend', 14],
  ['option', 15],
  ['summary', 17],
  ['header', 18],
  ['footer', 19],
]);

/**
 * Rows of a page, side by side: the values of one feature follow each other, one for each row; the facts of the page
 * stand once, at the end. `block` is the block that a row is filled for, `column` the place of its next value.
 */
export type Row = {
  readonly page: PageFeatures;
  readonly values: Float32Array;
  readonly rows: number;
  block: Block;
  at: number;
  column: number;
};

/** Rows for the blocks of a page, with the facts of the page. Throws for a page without blocks. */
export function newRow(page: PageFeatures, rows = 1): Row {
  const [block] = page.blocks;
  if (block === undefined) throw new Error('a page without blocks has no features');
  const values = new Float32Array(FIRST_PAGE_FACT * rows + PAGE_FACTS.length);
  values.set(page.pageFacts, FIRST_PAGE_FACT * rows);
  return { page, values, rows, block, at: 0, column: 0 };
}

/** Writes the features of block `at` into its row: the rows are used in turn. */
export function fillFeatures(row: Row, at: number): void {
  row.block = row.page.blocks[at] ?? row.block;
  row.at = at;
  row.column = at % row.rows;
  putText(row);
  putWords(row);
  putPlace(row);
  putRegion(row);
  putPlainRegion(row);
  putWindows(row);
  putContainers(row);
  putFamily(row);
  putNames(row);
}

function put(row: Row, value: number): void {
  row.values[row.column] = value;
  row.column += row.rows;
}

function putFlag(row: Row, is: boolean): void {
  put(row, is ? 1 : 0);
}

function putText(row: Row): void {
  const { tree, order, stated } = row.page;
  const { text, node, linked, links, bold } = row.block;
  const words = Math.max(0.5, text.words);
  const characters = Math.max(1, text.characters);
  put(row, logOf(text.words));
  put(row, text.characters / words);
  put(row, linked / characters);
  put(row, logOf(links));
  put(row, bold / characters);
  put(row, text.commas / words);
  put(row, text.stops / words);
  put(row, text.questions);
  put(row, text.digits / characters);
  put(row, text.capitals / characters);
  put(row, text.functionWords / words);
  putFlag(row, endsSentence(text));
  putFlag(row, text.rights);
  putFlag(row, text.dated && text.words < 30);
  putFlag(row, text.months > 0 && text.digits > 0 && text.words < 30);
  putFlag(row, text.priced);
  putFlag(row, text.calls);
  put(row, TAG_GROUPS[tagOf(tree, node)] ?? 0);
  put(row, text.titleWords / words);
  put(row, text.descriptionWords / words);
  put(row, stated === null ? 0 : statedShare(stated, textOfBlock(tree, row.block)));
  put(row, Math.min(order.copies[row.at] ?? 0, 10));
  put(row, text.consentWords);
}

/** The text of a block as it stands, elements between the texts left out. */
export function textOfBlock(tree: Tree, { from, to }: Block): string {
  let text = '';
  for (let node = from; node < to; node++) if (isText(tree, node)) text += `${charactersOf(tree, node)} `;
  return text;
}

function putWords(row: Row): void {
  const { blocks, order } = row.page;
  const { text } = row.block;
  const last = order.heading[row.at] ?? -1;
  // Asking an array for a place below 0 would make every such look-up slow.
  const heading = last < 0 ? undefined : blocks[last]?.text;
  put(row, text.lowest);
  put(row, text.highest);
  put(row, meanWeight(text));
  put(row, heading?.lowest ?? 0);
  put(row, heading === undefined ? 0 : meanWeight(heading));
  put(row, heading === undefined ? 0 : logOf(heading.words));
}

function meanWeight({ weight, words }: TextTally): number {
  return weight / Math.min(WEIGHED_WORDS, Math.max(1, words));
}

/** Elements around a block in which repetition is looked for. */
const REPEATED_LEVELS = 8;

function putPlace(row: Row): void {
  const { tree, blocks, surroundings, containers, order } = row.page;
  const { siblings, words, linked, characters } = containers;
  const { at } = row;
  const { node } = row.block;
  let repeated = 0;
  let around = node;
  for (let level = 0; level < REPEATED_LEVELS && around !== 0; level++, around = parentOf(tree, around)) {
    if ((siblings[around] ?? 0) > (siblings[repeated] ?? 0)) repeated = around;
  }
  const heading = order.heading[at] ?? -1;
  put(row, surroundings.depth[node] ?? 0);
  put(row, surroundings.hidden[node] ?? 0);
  put(row, logOf(siblings[repeated] ?? 0));
  put(row, repeated === 0 ? 0 : logOf(words[repeated] ?? 0));
  put(row, repeated === 0 ? 0 : share(linked[repeated], characters[repeated]));
  put(row, at / blocks.length);
  put(row, share(order.wordsBefore[at], words[0]));
  put(row, Math.min(blocks.length - at, 200));
  put(row, heading < 0 ? 99 : Math.min(at - heading, 99));
  put(row, order.firstMain < 0 ? 0 : Math.max(-60, Math.min(60, at - order.firstMain)));
}

function putRegion(row: Row): void {
  const { tree, surroundings, containers } = row.page;
  const { node } = row.block;
  const { region, core, words, withHeading, withCore } = containers;
  const { depth } = surroundings;
  const coreEnd = subtreeEndOf(tree, core);
  const common = withCore[node] ?? 0;
  putFlag(row, node >= region && node < subtreeEndOf(tree, region));
  putFlag(row, node >= core && node < coreEnd);
  put(row, node < core ? 0 : node >= coreEnd ? 2 : 1);
  put(row, (depth[node] ?? 0) - (depth[core] ?? 0));
  put(row, share(words[withHeading[node] ?? 0], words[0]));
  put(row, share(words[common], words[0]));
  put(row, (depth[core] ?? 0) - (depth[common] ?? 0));
  put(row, share(words[node], words[0]));
}

function putPlainRegion(row: Row): void {
  const { plain, surroundings } = row.page;
  const { node, from } = row.block;
  const evidence = surroundings.allEvidence[node] ?? 0;
  const context = surroundings.context[node] ?? 0;
  put(row, plain[from] ?? 0);
  for (let bit = 0; bit < PLAIN_BITS.length; bit++) putFlag(row, (evidence & (PLAIN_BITS[bit] ?? 0)) !== 0);
  for (let bit = 0; bit < CONTEXTS.length; bit++) put(row, (context >> bit) & 1);
}

const PLAIN_BITS = [FURNITURE, COMMENTS, MAIN, LANDMARK, HEADER];

function putWindows(row: Row): void {
  const { wordsBefore, linkedBefore, charactersBefore } = row.page.order;
  for (let index = 0; index < WINDOWS.length; index++) {
    const size = WINDOWS[index] ?? 0;
    const from = Math.max(0, row.at - size);
    const to = Math.min(row.page.blocks.length, row.at + size + 1);
    const words = (wordsBefore[to] ?? 0) - (wordsBefore[from] ?? 0);
    put(row, logOf(words / (to - from)));
    const linked = (linkedBefore[to] ?? 0) - (linkedBefore[from] ?? 0);
    put(row, share(linked, (charactersBefore[to] ?? 0) - (charactersBefore[from] ?? 0)));
  }
}

function putContainers(row: Row): void {
  const { words, linked, characters, prose, blocks, wider } = row.page.containers;
  let around = row.block.node;
  for (let level = 0; level < CONTAINER_LEVELS; level++) {
    if (level > 0 && around === 0) {
      for (let left = (CONTAINER_LEVELS - level) * CONTAINER_VALUES; left > 0; left--) put(row, -1);
      return;
    }
    put(row, logOf(words[around] ?? 0));
    put(row, share(linked[around], characters[around]));
    put(row, share(prose[around], words[around]));
    put(row, logOf(blocks[around] ?? 0));
    around = wider[around] ?? 0;
  }
}

function putFamily(row: Row): void {
  const { blocks, containers, order } = row.page;
  const family = order.families[row.at];
  if (family === undefined) return;
  put(row, logOf(family.members));
  put(row, logOf(family.words / family.members));
  put(row, share(family.words, containers.words[0]));
  put(row, share(family.linked, family.characters));
  put(row, family.long / family.members);
  put(row, (family.last - family.first) / blocks.length);
}

function putNames(row: Row): void {
  const { tree, surroundings } = row.page;
  const { ownLow, ownHigh, low, high, against, inFavour, faded } = surroundings;
  const { node } = row.block;
  const parent = parentOf(tree, node);
  const far = parentOf(tree, parentOf(tree, parent));
  put(row, low[node] ?? 0);
  put(row, high[node] ?? 0);
  put(row, against[node] ?? 0);
  put(row, inFavour[node] ?? 0);
  put(row, faded[node] ?? 0);
  put(row, Math.min(ownLow[node] ?? 0, ownLow[parent] ?? 0));
  put(row, Math.max(ownHigh[node] ?? 0, ownHigh[parent] ?? 0));
  put(row, low[far] ?? 0);
}

function share(part: number | undefined, whole: number | undefined): number {
  return whole === undefined || whole === 0 ? 0 : (part ?? 0) / whole;
}
