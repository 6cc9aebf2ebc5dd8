import { parentOf } from '#extract/html/tree.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import type { PageParts } from '#extract/content/features/page-facts.ts';

/** The common properties of the items of one group: siblings of the same shape that hold several blocks each. */
type ItemGroup = {
  items: number;
  /** Items in which a whole block is a link, a date stands by itself, a word asks for an answer. */
  led: number;
  dated: number;
  answered: number;
  /** Words outside of links. */
  words: number;
};

/** The group of each block of a page, by its place. */
export type ItemGroups = readonly (ItemGroup | undefined)[];

/** Words of an item that only teases, links left out. */
const TEASER_WORDS = 60;

/** Whether the items of a group lead to other texts: nearly each has a link of its own line, and says little. */
export function looksLikeTeasers({ items, led, words }: ItemGroup): boolean {
  return items >= FEWEST && led >= 0.8 * items && words <= TEASER_WORDS * items;
}

/** Whether the items of a group are what readers wrote: most have a date of its own line, and ask for an answer. */
export function looksLikeComments({ items, dated, answered }: ItemGroup): boolean {
  return items >= FEWEST && dated >= 0.7 * items && answered >= 0.5 * items;
}

const LEVELS = 8;
const FEWEST = 3;
const FEW_WORDS = 12;
const LEAD_WORDS = 3;

type ItemFeatures = Pick<PageParts, 'tree' | 'blocks' | 'surroundings' | 'containers'>;

const LED = 1;
const DATED = 2;
const ANSWERED = 4;

/** An item, and the bits of its blocks so far. */
type Item = { readonly group: ItemGroup; bits: number };

/** The group of each block, undefined for those in none. */
export function itemGroupsOf(parts: ItemFeatures): ItemGroups {
  const groups: Groups = new Map();
  const items = new Map<number, Item>();
  return parts.blocks.map((block) => {
    const node = itemOf(parts, block.node);
    if (node === 0) return undefined;
    let item = items.get(node);
    if (item === undefined) {
      item = { group: joinGroup(parts, node, groups), bits: 0 };
      items.set(node, item);
    }
    const { group } = item;
    const fresh = bitsOf(block) & ~item.bits;
    item.bits |= fresh;
    if ((fresh & LED) !== 0) group.led++;
    if ((fresh & DATED) !== 0) group.dated++;
    if ((fresh & ANSWERED) !== 0) group.answered++;
    const { words, characters } = block.text;
    group.words += characters === 0 ? 0 : words * (1 - block.linked / characters);
    return group;
  });
}

/** Groups by the parent of their items and by the shape of these. */
type Groups = Map<number, Map<number, ItemGroup>>;

/** The group of an item that is met for the first time. */
function joinGroup({ tree, surroundings }: ItemFeatures, item: number, groups: Groups): ItemGroup {
  const parent = parentOf(tree, item);
  const shape = surroundings.shape[item] ?? 0;
  const byShape = groups.get(parent) ?? new Map<number, ItemGroup>();
  const group = byShape.get(shape) ?? { items: 0, led: 0, dated: 0, answered: 0, words: 0 };
  groups.set(parent, byShape);
  byShape.set(shape, group);
  group.items++;
  return group;
}

/** The nearest element around a node that holds several blocks and stands among siblings of its shape. */
function itemOf({ tree, containers }: ItemFeatures, node: number): number {
  let item = node;
  for (let level = 0; level < LEVELS && item !== 0; level++, item = parentOf(tree, item)) {
    if ((containers.siblings[item] ?? 0) >= FEWEST && (containers.blocks[item] ?? 0) > 1) return item;
  }
  return 0;
}

function bitsOf(block: Block): number {
  const { text, linked } = block;
  const led = text.words >= LEAD_WORDS && linked > 0.9 * text.characters ? LED : 0;
  return led | (isDateLine(block) ? DATED : 0) | (text.answers ? ANSWERED : 0);
}

/** Whether a block says a date and little else. */
export function isDateLine({ text }: Block): boolean {
  return text.words <= FEW_WORDS && (text.dated || (text.months > 0 && text.digits > 0));
}
