import { getParent } from '#extract/html/tree.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import type { PageParts } from '#extract/content/features/page-facts.ts';

/** Counts over the items of a group: siblings of the same shape with several blocks each. */
type ItemGroup = {
  items: number;
  /** Items with a block that is only a link, with a date line, and with a reply button. */
  leads: number;
  dates: number;
  replies: number;
  /** Words outside links. */
  words: number;
};

/** The group of each block, by the index of the block. */
export type ItemGroups = readonly (ItemGroup | undefined)[];

/** Maximum words of a teaser, without its links. */
const MAX_TEASER_WORDS = 60;

/** Whether the items of a group are teasers of other texts: nearly each has a line that is a link, and few words. */
export function isTeaserGroup({ items, leads, words }: ItemGroup): boolean {
  return items >= MIN_ITEMS && leads >= 0.8 * items && words <= MAX_TEASER_WORDS * items;
}

/** Whether the items of a group are reader comments: most have a date line and a reply button. */
export function isCommentGroup({ items, dates: dated, replies: answered }: ItemGroup): boolean {
  return items >= MIN_ITEMS && dated >= 0.7 * items && answered >= 0.5 * items;
}

const MAX_ITEM_LEVELS = 8;
const MIN_ITEMS = 3;
const MAX_DATE_LINE_WORDS = 12;
const MIN_LEAD_WORDS = 3;

type ItemFeatures = Pick<PageParts, 'tree' | 'blocks' | 'surroundings' | 'containers'>;

const HAS_LEAD = 1;
const HAS_DATE = 2;
const HAS_REPLY = 4;

/** An item, with the bits of its blocks so far. */
type Item = { readonly group: ItemGroup; bits: number };

/** The group of each block, undefined for blocks in no group. */
export function groupItems(parts: ItemFeatures): ItemGroups {
  const groups: Groups = new Map();
  const items = new Map<number, Item>();
  return parts.blocks.map((block) => {
    const node = findItem(parts, block.node);
    if (node === 0) return undefined;
    let item = items.get(node);
    if (item === undefined) {
      item = { group: joinGroup(parts, node, groups), bits: 0 };
      items.set(node, item);
    }
    const { group } = item;
    const fresh = readItemBits(block) & ~item.bits;
    item.bits |= fresh;
    if ((fresh & HAS_LEAD) !== 0) group.leads++;
    if ((fresh & HAS_DATE) !== 0) group.dates++;
    if ((fresh & HAS_REPLY) !== 0) group.replies++;
    const { words, characters } = block.text;
    group.words += characters === 0 ? 0 : words * (1 - block.linked / characters);
    return group;
  });
}

/** Groups by the parent of their items, then by the shape of the items. */
type Groups = Map<number, Map<number, ItemGroup>>;

/** Adds a new item to its group and returns the group. */
function joinGroup({ tree, surroundings }: ItemFeatures, item: number, groups: Groups): ItemGroup {
  const parent = getParent(tree, item);
  const shape = surroundings.shape[item] ?? 0;
  const byShape = groups.get(parent) ?? new Map<number, ItemGroup>();
  const group = byShape.get(shape) ?? { items: 0, leads: 0, dates: 0, replies: 0, words: 0 };
  groups.set(parent, byShape);
  byShape.set(shape, group);
  group.items++;
  return group;
}

/** The nearest ancestor with several blocks that has siblings of its shape. 0 if there is none. */
function findItem({ tree, containers }: ItemFeatures, node: number): number {
  let item = node;
  for (let level = 0; level < MAX_ITEM_LEVELS && item !== 0; level++, item = getParent(tree, item)) {
    if ((containers.siblings[item] ?? 0) >= MIN_ITEMS && (containers.blocks[item] ?? 0) > 1) return item;
  }
  return 0;
}

function readItemBits(block: Block): number {
  const { text, linked } = block;
  const leadBit = text.words >= MIN_LEAD_WORDS && linked > 0.9 * text.characters ? HAS_LEAD : 0;
  return leadBit | (isDateLine(block) ? HAS_DATE : 0) | (text.answers ? HAS_REPLY : 0);
}

/** Whether a block is a date and few other words. */
export function isDateLine({ text }: Block): boolean {
  return text.words <= MAX_DATE_LINE_WORDS && (text.dated || (text.months > 0 && text.digits > 0));
}
