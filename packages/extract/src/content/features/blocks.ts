import { TAG } from '#extract/html/tag-names.ts';
import {
  charactersOf,
  HAS_REFERENCE,
  KEEPS_NUL,
  parentOf,
  subtreeEndOf,
  tagOf,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { isContactLink } from './contact-link.ts';
import { newTally, scan, type TextCounts } from './text-counts.ts';
import type { NodeSurroundings } from './surroundings.ts';
import { isBlock } from '#extract/view/view.ts';
import type { WordTable } from './word-table.ts';

/** A run of inline content: a paragraph, a heading, an item, or a piece between two of them. */
export type Block = {
  /** Its place among the blocks. */
  at: number;
  /** The block element that the run stands in. */
  readonly node: number;
  /** The first text of the run, and the end of the last. */
  readonly from: number;
  to: number;
  readonly text: TextCounts;
  /** Characters of words in links and in bold, and the links. */
  linked: number;
  bold: number;
  links: number;
};

/** More blocks than this are no page that anybody reads; such a page is kept whole. */
export const MAX_BLOCKS = 200_000;

/** Cuts a page into its blocks, in document order; null when there are too many. */
export function blocksOf(tree: Tree, { unseen }: NodeSurroundings, vocabulary: WordTable): readonly Block[] | null {
  const blocks: Block[] = [];
  let open: Block | null = null;
  let linkEnd = 0;
  let boldEnd = 0;
  // The run ends where the block element that it stands in ends.
  let runEnd = 0;
  for (let node = 1; node < tree.count; node++) {
    const tag = tagOf(tree, node);
    if (open !== null && node >= runEnd) open = null;
    if (unseen[node] === 1) {
      if (isBlock(tree, node)) open = null;
      continue;
    }
    if (tag === TAG.text) {
      if (((tree.flags[node] ?? 0) & WHITESPACE) !== 0) continue;
      if (open === null) {
        const holder = holderOf(tree, node);
        open = { at: 0, node: holder, from: node, to: node + 1, text: newTally(), linked: 0, bold: 0, links: 0 };
        runEnd = subtreeEndOf(tree, holder);
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
      linkEnd = Math.max(linkEnd, subtreeEndOf(tree, node));
      if (open !== null) open.links++;
    } else if (tag === TAG.b || tag === TAG.strong) boldEnd = Math.max(boldEnd, subtreeEndOf(tree, node));
  }
  return numbered(blocks.filter(({ text }) => text.words > 0));
}

function numbered(blocks: readonly Block[]): readonly Block[] {
  let at = 0;
  for (const block of blocks) block.at = at++;
  return blocks;
}

type Scanning = { readonly text: TextCounts; readonly vocabulary: WordTable };

function scanText(tree: Tree, node: number, { text, vocabulary }: Scanning): void {
  if (((tree.flags[node] ?? 0) & (HAS_REFERENCE | KEEPS_NUL)) === 0) {
    scan(text, vocabulary, { source: tree.source, start: tree.start[node] ?? 0, end: tree.end[node] ?? 0 });
  } else {
    const source = charactersOf(tree, node);
    scan(text, vocabulary, { source, start: 0, end: source.length });
  }
}

/** The nearest block element around a text. */
function holderOf(tree: Tree, node: number): number {
  let holder = parentOf(tree, node);
  while (holder !== 0 && !isBlock(tree, holder)) holder = parentOf(tree, holder);
  return holder;
}
