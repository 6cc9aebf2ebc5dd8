import { byTag } from '#extract/html/tags.ts';
import { charactersOf, isText, parentOf, subtreeEndOf, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { blockOrderOf } from './block-order.ts';
import type { BlockOrder } from './block-order.ts';
import type { Block } from './blocks.ts';
import type { Containers } from './containers.ts';
import { COMMENTS, FURNITURE, HEADER, LANDMARK, MAIN } from './evidence.ts';
import { PAGE_FACTS, pageFactsOf } from './page-facts.ts';
import type { PageParts } from './page-facts.ts';
import { statedShare, statedTextOf } from './stated-text.ts';
import { CONTEXTS } from './surroundings.ts';
import { endsSentence } from './text-tally.ts';

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

/** Writes the features of block `at` into `row`; the facts of the page are written once a page, by {@link newRow}. */
export function fillFeatures(row: Float32Array, page: PageFeatures, at: number): void {
  const block = page.blocks[at];
  if (block === undefined) return;
  let column = 0;
  for (const part of [
    ofText,
    ofWords,
    ofPlace,
    ofRegion,
    ofPlainRegion,
    ofContext,
    ofWindows,
    ofContainers,
    ofFamily,
    ofNames,
  ]) {
    for (const value of part(page, block, at)) row[column++] = value;
  }
}

/** A row for the blocks of a page, the facts of the page filled in. */
export function newRow({ pageFacts }: PageFeatures): Float32Array {
  const row = new Float32Array(FEATURES.length);
  row.set(pageFacts, FIRST_PAGE_FACT);
  return row;
}

function ofText({ tree, order, stated }: PageFeatures, block: Block, at: number): readonly number[] {
  const { text, node } = block;
  const words = Math.max(0.5, text.words);
  const characters = Math.max(1, text.characters);
  return [
    Math.log1p(text.words),
    text.characters / words,
    block.linked / characters,
    Math.log1p(block.links),
    block.bold / characters,
    text.commas / words,
    text.stops / words,
    text.questions,
    text.digits / characters,
    text.capitals / characters,
    text.functionWords / words,
    flag(endsSentence(text)),
    flag(text.rights),
    flag(text.dated && text.words < 30),
    flag(text.months > 0 && text.digits > 0 && text.words < 30),
    flag(text.priced),
    flag(text.calls),
    TAG_GROUPS[tagOf(tree, node)] ?? 0,
    text.titleWords / words,
    text.descriptionWords / words,
    stated === null ? 0 : statedShare(stated, textOfBlock(tree, block)),
    Math.min(order.copies[at] ?? 0, 10),
    text.consentWords,
  ];
}

/** The text of a block as it stands, elements between the texts left out. */
export function textOfBlock(tree: Tree, { from, to }: Block): string {
  let text = '';
  for (let node = from; node < to; node++) if (isText(tree, node)) text += `${charactersOf(tree, node)} `;
  return text;
}

function ofWords({ blocks, order }: PageFeatures, { text }: Block, at: number): readonly number[] {
  const heading = blocks[order.heading[at] ?? -1]?.text;
  return [
    text.lowest,
    text.highest,
    text.weight / Math.min(12, Math.max(1, text.words)),
    heading?.lowest ?? 0,
    heading === undefined ? 0 : heading.weight / Math.min(12, Math.max(1, heading.words)),
    heading === undefined ? 0 : Math.log1p(heading.words),
  ];
}

/** Elements around a block in which repetition is looked for. */
const REPEATED_LEVELS = 8;

function ofPlace({ tree, blocks, surroundings, containers, order }: PageFeatures, { node }: Block, at: number) {
  const { siblings, words, linked, characters } = containers;
  let repeated = 0;
  let around = node;
  for (let level = 0; level < REPEATED_LEVELS && around !== 0; level++, around = parentOf(tree, around)) {
    if ((siblings[around] ?? 0) > (siblings[repeated] ?? 0)) repeated = around;
  }
  const count = blocks.length;
  const heading = order.heading[at] ?? -1;
  return [
    surroundings.depth[node] ?? 0,
    surroundings.hidden[node] ?? 0,
    Math.log1p(siblings[repeated] ?? 0),
    repeated === 0 ? 0 : Math.log1p(words[repeated] ?? 0),
    repeated === 0 ? 0 : share(linked[repeated], characters[repeated]),
    at / count,
    share(order.wordsBefore[at], words[0]),
    Math.min(count - at, 200),
    heading < 0 ? 99 : Math.min(at - heading, 99),
    order.firstMain < 0 ? 0 : Math.max(-60, Math.min(60, at - order.firstMain)),
  ];
}

function ofRegion({ tree, surroundings, containers }: PageFeatures, { node }: Block): readonly number[] {
  const { region, core, words, withHeading, withCore } = containers;
  const { depth } = surroundings;
  const total = Math.max(1, words[0] ?? 0);
  const coreEnd = subtreeEndOf(tree, core);
  const common = withCore[node] ?? 0;
  return [
    flag(node >= region && node < subtreeEndOf(tree, region)),
    flag(node >= core && node < coreEnd),
    node < core ? 0 : node >= coreEnd ? 2 : 1,
    (depth[node] ?? 0) - (depth[core] ?? 0),
    (words[withHeading[node] ?? 0] ?? 0) / total,
    (words[common] ?? 0) / total,
    (depth[core] ?? 0) - (depth[common] ?? 0),
    (words[node] ?? 0) / total,
  ];
}

function ofPlainRegion({ plain }: PageFeatures, { node, from }: Block): readonly number[] {
  const bits = plain.evidence[node] ?? 0;
  return [plain.kept[from] ?? 0, ...PLAIN_BITS.map((bit) => flag((bits & bit) !== 0))];
}

const PLAIN_BITS = [FURNITURE, COMMENTS, MAIN, LANDMARK, HEADER];

function ofContext({ surroundings }: PageFeatures, { node }: Block): readonly number[] {
  const bits = surroundings.context[node] ?? 0;
  return CONTEXTS.map((_, bit) => (bits >> bit) & 1);
}

function ofWindows({ blocks, order }: PageFeatures, _block: Block, at: number): readonly number[] {
  const { wordsBefore, linkedBefore, charactersBefore } = order;
  return WINDOWS.flatMap((size) => {
    const from = Math.max(0, at - size);
    const to = Math.min(blocks.length, at + size + 1);
    const between = (sums: Float64Array) => (sums[to] ?? 0) - (sums[from] ?? 0);
    return [Math.log1p(between(wordsBefore) / (to - from)), share(between(linkedBefore), between(charactersBefore))];
  });
}

function ofContainers({ containers }: PageFeatures, { node }: Block): readonly number[] {
  const values: number[] = [];
  let around = node;
  for (let level = 0; level < CONTAINER_LEVELS; level++) {
    if (level > 0 && around === 0) values.push(-1, -1, -1, -1);
    else values.push(...ofContainer(containers, around));
    around = containers.wider[around] ?? 0;
  }
  return values;
}

function ofContainer({ words, linked, characters, prose, blocks }: Containers, node: number): readonly number[] {
  return [
    Math.log1p(words[node] ?? 0),
    share(linked[node], characters[node]),
    share(prose[node], words[node]),
    Math.log1p(blocks[node] ?? 0),
  ];
}

function ofFamily({ blocks, containers, order }: PageFeatures, _block: Block, at: number): readonly number[] {
  const family = order.families[at];
  if (family === undefined) return [0, 0, 0, 0, 0, 0];
  return [
    Math.log1p(family.members),
    Math.log1p(family.words / family.members),
    share(family.words, containers.words[0]),
    share(family.linked, family.characters),
    family.long / family.members,
    (family.last - family.first) / blocks.length,
  ];
}

function ofNames({ tree, surroundings }: PageFeatures, { node }: Block): readonly number[] {
  const { ownLow, ownHigh, low, high, against, inFavour, faded } = surroundings;
  const parent = parentOf(tree, node);
  const far = parentOf(tree, parentOf(tree, parent));
  return [
    low[node] ?? 0,
    high[node] ?? 0,
    against[node] ?? 0,
    inFavour[node] ?? 0,
    faded[node] ?? 0,
    Math.min(ownLow[node] ?? 0, ownLow[parent] ?? 0),
    Math.max(ownHigh[node] ?? 0, ownHigh[parent] ?? 0),
    low[far] ?? 0,
  ];
}

function share(part: number | undefined, whole: number | undefined): number {
  return whole === undefined || whole === 0 ? 0 : (part ?? 0) / whole;
}

function flag(is: boolean): number {
  return is ? 1 : 0;
}
