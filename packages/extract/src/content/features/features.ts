import { extendHash, buildTagTable } from '#extract/html/tags.ts';
import { allocateFloat32s } from '#extract/html/scratch.ts';
import { readCharacters, isText, getParent, getSubtreeEnd, getTag, type Tree } from '#extract/html/tree.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { type BlockOrder, computeBlockOrder, type Block } from './blocks.ts';
import { COMMENTS, FURNITURE, HEADER, LANDMARK, MAIN } from './name-evidence.ts';
import { PAGE_FACTS, computePageFacts, type PageParts } from './page-facts.ts';
import { BLOCK_CONTEXTS } from './node-surroundings.ts';
import { isSentenceEnd, type TextCounts, MAX_WEIGHED_WORDS } from './text-counts.ts';
import { toLowerLetter } from './hash-tables.ts';

/** Maximum characters of the declared text. */
const MAX_DECLARED_LENGTH = 200_000;

/**
 * Reads the article text from a page's JSON-LD, as hashes of three consecutive words. Null if it has none. A block with
 * many of these runs is certainly content.
 */
function readDeclaredRuns(jsonLd: string): ReadonlySet<number> | null {
  const at = /"(?:articleBody|reviewBody|text)"\s{0,20}:\s{0,20}"/.exec(jsonLd);
  if (at === null) return null;
  const start = at.index + at[0].length;
  let end = start;
  while (end < jsonLd.length && end - start < MAX_DECLARED_LENGTH && jsonLd.charCodeAt(end) !== 34) {
    end += jsonLd.charCodeAt(end) === 92 ? 2 : 1;
  }
  const text = jsonLd.slice(start, end).replace(/\\u[0-9a-f]{4}|\\[nrt]/gi, ' ');
  const runs = new Set(listWordRuns(text));
  return runs.size < 20 ? null : runs;
}

/** The share of a text's three-word runs that occur in the declared text. */
function computeDeclaredShare(declared: ReadonlySet<number>, text: string): number {
  const runs = listWordRuns(text);
  return runs.length === 0 ? 0 : runs.filter((run) => declared.has(run)).length / runs.length;
}

/** Hashes of each three consecutive words of a text. */
function listWordRuns(text: string): readonly number[] {
  const runs: number[] = [];
  let one = 0;
  let two = 0;
  let words = 0;
  for (let at = 0; at < text.length;) {
    const start = at;
    let word = 0;
    for (let width = measureLetter(text, at); width > 0; width = measureLetter(text, at)) {
      for (const end = at + width; at < end; at++) word = extendHash(word, toLowerLetter(text.charCodeAt(at)));
    }
    if (at === start) at++;
    else {
      if (++words > 2) runs.push(extendHash(extendHash(one, two), word));
      one = two;
      two = word;
    }
  }
  return runs;
}

const LETTER = /[\p{L}\p{N}]/u;

/**
 * The number of UTF-16 code units of the letter or digit at `at`, 0 for any other character. The regular expression is
 * only used beyond ASCII.
 */
function measureLetter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_LETTERS[code] ?? 0;
  const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return LETTER.test(letter) ? letter.length : 0;
}

const ASCII_LETTERS = Uint8Array.from({ length: 128 }, (_, code) => Number(LETTER.test(String.fromCharCode(code))));

/** All features of a page, computed before any block is scored. */
export type PageFeatures = PageParts & {
  readonly order: BlockOrder;
  /** Hashes of three-word runs of the article text in the page's JSON-LD. Null if it has none. */
  readonly declaredRuns: ReadonlySet<number> | null;
  readonly pageFacts: readonly number[];
};

/** Builds the features of a page from its parts. */
export function buildPageFeatures(parts: PageParts): PageFeatures {
  return {
    ...parts,
    order: computeBlockOrder(parts.tree, parts.blocks, parts.surroundings),
    declaredRuns: readDeclaredRuns(parts.head.jsonLd),
    pageFacts: computePageFacts(parts),
  };
}

const WINDOWS = [3, 8, 20] as const;
const CONTAINER_LEVELS = 5;
const CONTAINER_VALUES = 4;

/** Names of the features of a block, in the order in which {@link fillFeatures} writes them. */
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
  ...BLOCK_CONTEXTS.map((name) => `in_${name}`),
  ...WINDOWS.flatMap((size) => [`near_${size}_words`, `near_${size}_link_share`]),
  ...Array.from({ length: CONTAINER_LEVELS }, (_, level) =>
    ['words', 'link_share', 'prose_share', 'blocks'].map((name) => `around_${level}_${name}`),
  ).flat(),
  ...'members words share link_share long_share span'.split(' ').map((name) => `family_${name}`),
  ...'low high against in_favour faded near_low near_high far_low'.split(' ').map((name) => `names_${name}`),
  ...PAGE_FACTS,
];

/** Index of the first fact about the whole page. */
export const FIRST_PAGE_FACT = FEATURES.length - PAGE_FACTS.length;

/** Groups of block elements with a similar meaning. */
const TAG_GROUPS = buildTagTable(0, [
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
 * Feature rows of a page in column order: the values of one feature for all rows, then the next feature. The facts
 * about the page follow once, at the end. `block` is the block whose row is being filled.
 */
export type FeatureRow = {
  readonly page: PageFeatures;
  readonly values: Float32Array;
  readonly rows: number;
  block: Block;
  at: number;
};

/**
 * Creates rows for the blocks of a page and writes the facts of the page. `room` is memory to use instead of a new
 * array. Throws {@link InvariantError} for a page without blocks.
 */
export function createRow(page: PageFeatures, rows = 1, room?: Float32Array): FeatureRow {
  const [block] = page.blocks;
  if (block === undefined) throw new InvariantError('a page without blocks has no features');
  const count = FIRST_PAGE_FACT * rows + PAGE_FACTS.length;
  const values = room?.subarray(0, count) ?? allocateFloat32s(count);
  values.set(page.pageFacts, FIRST_PAGE_FACT * rows);
  return { page, values, rows, block, at: 0 };
}

/** Writes the features of block `at` into row `at % rows`. */
export function fillFeatures(row: FeatureRow, at: number): void {
  row.block = row.page.blocks[at] ?? row.block;
  row.at = at;
  // The column is a local variable: as a member it would be read and written for each value.
  let column = (at % row.rows) - row.rows;
  column = putText(row, column);
  column = putWords(row, column);
  column = putPlace(row, column);
  column = putRegion(row, column);
  column = putPlainRegion(row, column);
  column = putWindows(row, column);
  column = putContainers(row, column);
  column = putFamily(row, column);
  putNames(row, column);
}

/** Writes the values that follow `column` and returns the column of the last one. So do the functions below. */
function putText(row: FeatureRow, column: number): number {
  const { values, rows } = row;
  const { tree, order, declaredRuns: declared } = row.page;
  const { text, node, linked, links, bold } = row.block;
  const words = Math.max(0.5, text.words);
  const characters = Math.max(1, text.characters);
  values[(column += rows)] = computeLog(text.words);
  values[(column += rows)] = text.characters / words;
  values[(column += rows)] = linked / characters;
  values[(column += rows)] = computeLog(links);
  values[(column += rows)] = bold / characters;
  values[(column += rows)] = text.commas / words;
  values[(column += rows)] = text.stops / words;
  values[(column += rows)] = text.questions;
  values[(column += rows)] = text.digits / characters;
  values[(column += rows)] = text.capitals / characters;
  values[(column += rows)] = text.functionWords / words;
  values[(column += rows)] = isSentenceEnd(text) ? 1 : 0;
  values[(column += rows)] = text.rights ? 1 : 0;
  values[(column += rows)] = text.dated && text.words < 30 ? 1 : 0;
  values[(column += rows)] = text.months > 0 && text.digits > 0 && text.words < 30 ? 1 : 0;
  values[(column += rows)] = text.priced ? 1 : 0;
  values[(column += rows)] = text.calls ? 1 : 0;
  values[(column += rows)] = TAG_GROUPS[getTag(tree, node)] ?? 0;
  values[(column += rows)] = text.titleWords / words;
  values[(column += rows)] = text.descriptionWords / words;
  values[(column += rows)] = declared === null ? 0 : computeDeclaredShare(declared, readBlockText(tree, row.block));
  values[(column += rows)] = Math.min(order.copies[row.at] ?? 0, 10);
  values[(column += rows)] = text.consentWords;
  return column;
}

/** The decoded text of a block, its text nodes separated by spaces. */
export function readBlockText(tree: Tree, { from, to }: Block): string {
  let text = '';
  for (let node = from; node < to; node++) if (isText(tree, node)) text += `${readCharacters(tree, node)} `;
  return text;
}

function putWords(row: FeatureRow, column: number): number {
  const { values, rows } = row;
  const { blocks, order } = row.page;
  const { text } = row.block;
  const last = order.heading[row.at] ?? -1;
  // An array access below 0 would deoptimise every access here.
  const heading = last < 0 ? undefined : blocks[last]?.text;
  values[(column += rows)] = text.lowest;
  values[(column += rows)] = text.highest;
  values[(column += rows)] = meanWeight(text);
  values[(column += rows)] = heading?.lowest ?? 0;
  values[(column += rows)] = heading === undefined ? 0 : meanWeight(heading);
  values[(column += rows)] = heading === undefined ? 0 : computeLog(heading.words);
  return column;
}

function meanWeight({ weight, words }: TextCounts): number {
  return weight / Math.min(MAX_WEIGHED_WORDS, Math.max(1, words));
}

/** Levels of elements around a block that are checked for repetition. */
const MAX_REPEATED_LEVELS = 8;

function putPlace(row: FeatureRow, column: number): number {
  const { values, rows } = row;
  const { tree, blocks, surroundings, containers, order } = row.page;
  const { siblings, words, linked, characters } = containers;
  const { at } = row;
  const { node } = row.block;
  let repeated = 0;
  let ancestor = node;
  for (let level = 0; level < MAX_REPEATED_LEVELS && ancestor !== 0; level++, ancestor = getParent(tree, ancestor)) {
    if ((siblings[ancestor] ?? 0) > (siblings[repeated] ?? 0)) repeated = ancestor;
  }
  const heading = order.heading[at] ?? -1;
  values[(column += rows)] = surroundings.depth[node] ?? 0;
  values[(column += rows)] = surroundings.hidden[node] ?? 0;
  values[(column += rows)] = computeLog(siblings[repeated] ?? 0);
  values[(column += rows)] = repeated === 0 ? 0 : computeLog(words[repeated] ?? 0);
  values[(column += rows)] = repeated === 0 ? 0 : computeShare(linked[repeated], characters[repeated]);
  values[(column += rows)] = at / blocks.length;
  values[(column += rows)] = computeShare(order.wordsBefore[at], words[0]);
  values[(column += rows)] = Math.min(blocks.length - at, 200);
  values[(column += rows)] = heading < 0 ? 99 : Math.min(at - heading, 99);
  values[(column += rows)] = order.firstMain < 0 ? 0 : Math.max(-60, Math.min(60, at - order.firstMain));
  return column;
}

function putRegion(row: FeatureRow, column: number): number {
  const { values, rows } = row;
  const { tree, surroundings, containers } = row.page;
  const { node } = row.block;
  const { region, core, words, withHeading, withCore } = containers;
  const { depth } = surroundings;
  const coreEnd = getSubtreeEnd(tree, core);
  const common = withCore[node] ?? 0;
  values[(column += rows)] = node >= region && node < getSubtreeEnd(tree, region) ? 1 : 0;
  values[(column += rows)] = node >= core && node < coreEnd ? 1 : 0;
  values[(column += rows)] = node < core ? 0 : node >= coreEnd ? 2 : 1;
  values[(column += rows)] = (depth[node] ?? 0) - (depth[core] ?? 0);
  values[(column += rows)] = computeShare(words[withHeading[node] ?? 0], words[0]);
  values[(column += rows)] = computeShare(words[common], words[0]);
  values[(column += rows)] = (depth[core] ?? 0) - (depth[common] ?? 0);
  values[(column += rows)] = computeShare(words[node], words[0]);
  return column;
}

function putPlainRegion(row: FeatureRow, column: number): number {
  const { values, rows } = row;
  const { plain, surroundings } = row.page;
  const { node, from } = row.block;
  const evidence = surroundings.allEvidence[node] ?? 0;
  const context = surroundings.context[node] ?? 0;
  values[(column += rows)] = plain[from] ?? 0;
  for (let bit = 0; bit < EVIDENCE_BITS.length; bit++)
    values[(column += rows)] = (evidence & (EVIDENCE_BITS[bit] ?? 0)) !== 0 ? 1 : 0;
  for (let bit = 0; bit < BLOCK_CONTEXTS.length; bit++) values[(column += rows)] = (context >> bit) & 1;
  return column;
}

const EVIDENCE_BITS = [FURNITURE, COMMENTS, MAIN, LANDMARK, HEADER];

function putWindows(row: FeatureRow, column: number): number {
  const { values, rows } = row;
  const { wordsBefore, linkedBefore, charactersBefore } = row.page.order;
  for (let index = 0; index < WINDOWS.length; index++) {
    const size = WINDOWS[index] ?? 0;
    const from = Math.max(0, row.at - size);
    const to = Math.min(row.page.blocks.length, row.at + size + 1);
    const words = (wordsBefore[to] ?? 0) - (wordsBefore[from] ?? 0);
    values[(column += rows)] = computeLog(words / (to - from));
    const linked = (linkedBefore[to] ?? 0) - (linkedBefore[from] ?? 0);
    values[(column += rows)] = computeShare(linked, (charactersBefore[to] ?? 0) - (charactersBefore[from] ?? 0));
  }
  return column;
}

function putContainers(row: FeatureRow, column: number): number {
  const { values, rows } = row;
  const { words, linked, characters, prose, blocks, wider } = row.page.containers;
  let ancestor = row.block.node;
  for (let level = 0; level < CONTAINER_LEVELS; level++) {
    if (level > 0 && ancestor === 0) {
      for (let remaining = (CONTAINER_LEVELS - level) * CONTAINER_VALUES; remaining > 0; remaining--)
        values[(column += rows)] = -1;
      return column;
    }
    values[(column += rows)] = computeLog(words[ancestor] ?? 0);
    values[(column += rows)] = computeShare(linked[ancestor], characters[ancestor]);
    values[(column += rows)] = computeShare(prose[ancestor], words[ancestor]);
    values[(column += rows)] = computeLog(blocks[ancestor] ?? 0);
    ancestor = wider[ancestor] ?? 0;
  }
  return column;
}

function putFamily(row: FeatureRow, column: number): number {
  const { values, rows } = row;
  const { blocks, containers, order } = row.page;
  const family = order.families[row.at];
  if (family === undefined) return column;
  values[(column += rows)] = computeLog(family.members);
  values[(column += rows)] = computeLog(family.words / family.members);
  values[(column += rows)] = computeShare(family.words, containers.words[0]);
  values[(column += rows)] = computeShare(family.linked, family.characters);
  values[(column += rows)] = family.long / family.members;
  values[(column += rows)] = (family.last - family.first) / blocks.length;
  return column;
}

function putNames(row: FeatureRow, column: number): number {
  const { values, rows } = row;
  const { tree, surroundings } = row.page;
  const { ownLow, ownHigh, low, high, against, inFavour, faded } = surroundings;
  const { node } = row.block;
  const parent = getParent(tree, node);
  const far = getParent(tree, getParent(tree, parent));
  values[(column += rows)] = low[node] ?? 0;
  values[(column += rows)] = high[node] ?? 0;
  values[(column += rows)] = against[node] ?? 0;
  values[(column += rows)] = inFavour[node] ?? 0;
  values[(column += rows)] = faded[node] ?? 0;
  values[(column += rows)] = Math.min(ownLow[node] ?? 0, ownLow[parent] ?? 0);
  values[(column += rows)] = Math.max(ownHigh[node] ?? 0, ownHigh[parent] ?? 0);
  values[(column += rows)] = low[far] ?? 0;
  return column;
}

function computeShare(part: number | undefined, whole: number | undefined): number {
  return whole === undefined || whole === 0 ? 0 : (part ?? 0) / whole;
}

/** Logarithms up to this many half counts are looked up: words count in halves, and most blocks are short. */
const TABLE_SIZE = 4096;

/** As precise as the features. */
const LOG_TABLE = Float32Array.from({ length: TABLE_SIZE }, (_, halves) => Math.log1p(halves / 2));

/** `Math.log1p(count)`, so that a count of 0 gives 0. Looked up for small counts with the same result. */
function computeLog(count: number): number {
  const halves = count * 2;
  const at = halves | 0;
  return at === halves && at >= 0 && at < TABLE_SIZE ? (LOG_TABLE[at] ?? 0) : Math.log1p(count);
}
