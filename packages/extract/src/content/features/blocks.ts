import { allocateFloat64s, allocateInt32s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { getTagFlags, HEADING } from '#extract/html/tags.ts';
import {
  readCharacters,
  HAS_REFERENCE,
  KEEPS_NUL,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { isBlock } from '#extract/view/view.ts';
import { isContactLink } from './links.ts';
import type { NodeSurroundings } from './node-surroundings.ts';
import { createTally, countText, type TextCounts } from './text-counts.ts';
import { createPairCounts, countPair, type WordTable } from './hash-tables.ts';

/** A run of inline content: a paragraph, a heading, a list item, or the text between two of them. */
export type Block = {
  /** Its index among the blocks. */
  at: number;
  /** The block element that contains the run. */
  readonly node: number;
  /** The first text node of the run; `to` is the node after the last one. */
  readonly from: number;
  to: number;
  readonly text: TextCounts;
  /** Characters of words in links; `bold` counts those in bold, `links` the links. */
  linked: number;
  bold: number;
  links: number;
};

/** A page with more blocks is kept whole: no page written for readers has as many. */
export const MAX_BLOCKS = 200_000;

/** Splits a page into blocks in document order. Null if there are more than {@link MAX_BLOCKS}. */
export function splitIntoBlocks(
  tree: Tree,
  { unseen }: NodeSurroundings,
  vocabulary: WordTable,
): readonly Block[] | null {
  const blocks: Block[] = [];
  let open: Block | null = null;
  let linkEnd = 0;
  let boldEnd = 0;
  // The run ends at the end of its block element.
  let runEnd = 0;
  for (let node = 1; node < tree.count; node++) {
    const tag = getTag(tree, node);
    if (open !== null && node >= runEnd) open = null;
    if (unseen[node] === 1) {
      if (isBlock(tree, node)) open = null;
      continue;
    }
    if (tag === TAG.text) {
      if (((tree.flags[node] ?? 0) & WHITESPACE) !== 0) continue;
      if (open === null) {
        const holder = findBlockElement(tree, node);
        open = { at: 0, node: holder, from: node, to: node + 1, text: createTally(), linked: 0, bold: 0, links: 0 };
        runEnd = getSubtreeEnd(tree, holder);
        blocks.push(open);
        if (blocks.length > MAX_BLOCKS) return null;
      }
      const before = open.text.characters;
      scanText(tree, node, { text: open.text, vocabulary });
      const added = open.text.characters - before;
      open.to = node + 1;
      if (node < linkEnd) open.linked += added;
      if (node < boldEnd) open.bold += added;
    } else if (isBlock(tree, node)) open = null;
    else if (tag === TAG.a) {
      if (isContactLink(tree, node)) continue;
      linkEnd = Math.max(linkEnd, getSubtreeEnd(tree, node));
      if (open !== null) open.links++;
    } else if (tag === TAG.b || tag === TAG.strong) boldEnd = Math.max(boldEnd, getSubtreeEnd(tree, node));
  }
  return numberBlocks(blocks.filter(({ text }) => text.words > 0));
}

function numberBlocks(blocks: readonly Block[]): readonly Block[] {
  let at = 0;
  for (const block of blocks) block.at = at++;
  return blocks;
}

type TextScan = { readonly text: TextCounts; readonly vocabulary: WordTable };

function scanText(tree: Tree, node: number, { text, vocabulary }: TextScan): void {
  if (((tree.flags[node] ?? 0) & (HAS_REFERENCE | KEEPS_NUL)) === 0) {
    countText(text, vocabulary, { source: tree.source, start: tree.start[node] ?? 0, end: tree.end[node] ?? 0 });
  } else {
    const source = readCharacters(tree, node);
    countText(text, vocabulary, { source, start: 0, end: source.length });
  }
}

/** The nearest block element around a text node. */
function findBlockElement(tree: Tree, node: number): number {
  let holder = getParent(tree, node);
  while (holder !== 0 && !isBlock(tree, holder)) holder = getParent(tree, holder);
  return holder;
}

/** Blocks with the same shape: the same tags and classes on the lowest levels around them. */
export type BlockFamily = {
  members: number;
  words: number;
  linked: number;
  characters: number;
  long: number;
  readonly first: number;
  last: number;
};

/** What precedes each block and which blocks are like it. */
export type BlockOrder = {
  /** Sums over all blocks before each block. The arrays have one entry more than there are blocks. */
  readonly wordsBefore: Float64Array;
  readonly linkedBefore: Float64Array;
  readonly charactersBefore: Float64Array;
  /** Index of the last heading up to each block, -1 before the first heading. */
  readonly heading: Int32Array;
  readonly firstMain: number;
  readonly families: readonly BlockFamily[];
  /** For each block, how many blocks have the same words. */
  readonly copies: Int32Array;
};

/** Levels of elements that make up the shape of a block. */
const FAMILY_LEVELS = 4;
/** A block with more words is long. */
const MIN_LONG_WORDS = 15;

/** Computes what precedes each block and which blocks are like it. */
export function computeBlockOrder(tree: Tree, blocks: readonly Block[], s: NodeSurroundings): BlockOrder {
  const { length } = blocks;
  const wordsBefore = allocateFloat64s(length + 1);
  const linkedBefore = allocateFloat64s(length + 1);
  const charactersBefore = allocateFloat64s(length + 1);
  const heading = allocateInt32s(length);
  let lastHeading = -1;
  for (const { at, node, text, linked } of blocks) {
    wordsBefore[at + 1] = (wordsBefore[at] ?? 0) + text.words;
    linkedBefore[at + 1] = (linkedBefore[at] ?? 0) + linked;
    charactersBefore[at + 1] = (charactersBefore[at] ?? 0) + text.characters;
    if (isHeading(tree, node)) lastHeading = at;
    heading[at] = lastHeading;
  }
  return {
    wordsBefore,
    linkedBefore,
    charactersBefore,
    heading,
    firstMain: blocks.findIndex(({ node }) => getTag(tree, node) === TAG.h1),
    families: groupFamilies(tree, blocks, s),
    copies: countCopies(blocks),
  };
}

/** Whether an element is h1 to h6. */
export function isHeading(tree: Tree, node: number): boolean {
  return (getTagFlags(getTag(tree, node)) & HEADING) !== 0;
}

/** The family of each block. */
function groupFamilies(tree: Tree, blocks: readonly Block[], { shape }: NodeSurroundings): readonly BlockFamily[] {
  const known = new Map<number, BlockFamily>();
  return blocks.map(({ node, text, linked }, at) => {
    let key = 0;
    let ancestor = node;
    for (let level = 0; level < FAMILY_LEVELS && ancestor > 1; level++) {
      key = (key * 33 + (shape[ancestor] ?? 0)) | 0;
      ancestor = getParent(tree, ancestor);
    }
    const family = known.get(key) ?? { members: 0, words: 0, linked: 0, characters: 0, long: 0, first: at, last: at };
    if (family.members === 0) known.set(key, family);
    family.members++;
    family.words += text.words;
    family.linked += linked;
    family.characters += text.characters;
    if (text.words > MIN_LONG_WORDS) family.long++;
    family.last = at;
    return family;
  });
}

/** For each block, the number of blocks with the same words. */
function countCopies(blocks: readonly Block[]): Int32Array {
  const counts = createPairCounts(blocks.length);
  const copies = allocateInt32s(blocks.length);
  for (const { at, text } of blocks) copies[at] = countPair(counts, text.hash, 0);
  for (let at = 0; at < copies.length; at++) copies[at] = counts.counts[copies[at] ?? 0] ?? 0;
  return copies;
}
