import { float64s, int32s } from '#extract/html/scratch.ts';
import { HEADING, flagsOf } from '#extract/html/tags.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { parentOf, tagOf, type Tree } from '#extract/html/tree.ts';
import type { Block } from './blocks.ts';
import { pairCount, newCounts } from './pair-counts.ts';
import type { NodeSurroundings } from './surroundings.ts';

/** Blocks of one kind: the same shapes on the lowest levels around them. */
export type Family = {
  members: number;
  words: number;
  linked: number;
  characters: number;
  long: number;
  readonly first: number;
  last: number;
};

/** Where each block stands among the others. */
export type BlockOrder = {
  /** Sums over all blocks before each, one entry more than there are blocks. */
  readonly wordsBefore: Float64Array;
  readonly linkedBefore: Float64Array;
  readonly charactersBefore: Float64Array;
  /** The last heading up to each block, -1 before the first. */
  readonly heading: Int32Array;
  readonly firstMain: number;
  readonly families: readonly Family[];
  /** How many blocks have the same words, by block. */
  readonly copies: Int32Array;
};

const LEVELS = 4;
const LONG = 15;

export function blockOrderOf(tree: Tree, blocks: readonly Block[], s: NodeSurroundings): BlockOrder {
  const { length } = blocks;
  const wordsBefore = float64s(length + 1);
  const linkedBefore = float64s(length + 1);
  const charactersBefore = float64s(length + 1);
  const heading = int32s(length);
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
    firstMain: blocks.findIndex(({ node }) => tagOf(tree, node) === TAG.h1),
    families: familiesOf(tree, blocks, s),
    copies: copiesOf(blocks),
  };
}

export function isHeading(tree: Tree, node: number): boolean {
  return (flagsOf(tagOf(tree, node)) & HEADING) !== 0;
}

/** The family of each block. */
function familiesOf(tree: Tree, blocks: readonly Block[], { shape }: NodeSurroundings): readonly Family[] {
  const known = new Map<number, Family>();
  return blocks.map(({ node, text, linked }, at) => {
    let key = 0;
    let around = node;
    for (let level = 0; level < LEVELS && around > 1; level++) {
      key = (key * 33 + (shape[around] ?? 0)) | 0;
      around = parentOf(tree, around);
    }
    const family = known.get(key) ?? { members: 0, words: 0, linked: 0, characters: 0, long: 0, first: at, last: at };
    if (family.members === 0) known.set(key, family);
    family.members++;
    family.words += text.words;
    family.linked += linked;
    family.characters += text.characters;
    if (text.words > LONG) family.long++;
    family.last = at;
    return family;
  });
}

function copiesOf(blocks: readonly Block[]): Int32Array {
  const counts = newCounts(blocks.length);
  const copies = int32s(blocks.length);
  for (const { at, text } of blocks) copies[at] = pairCount(counts, text.hash, 0);
  for (let at = 0; at < copies.length; at++) copies[at] = counts.of[copies[at] ?? 0] ?? 0;
  return copies;
}
