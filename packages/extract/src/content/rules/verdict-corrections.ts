import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagTable, buildTagSet } from '#extract/html/tags.ts';
import {
  getFirstChild,
  isText,
  getKnownAttribute,
  getNextSibling,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import { COMMENTS, CONSENT, LANDMARK, RELATED } from '#extract/content/features/name-evidence.ts';
import { type BlockVerdict, isForum, type ScoredPage } from './scored-page.ts';
import { isHomeHeading } from '#extract/content/features/links.ts';
import { getContextMask } from '#extract/content/features/node-surroundings.ts';

/** A block with a lower score is hardly content. */
const MIN_DOUBTED_SCORE = 0.25;

/**
 * Keeps a single block between two kept ones, and code or a quote next to a kept one, unless its score is very low or
 * it is mostly links.
 */
export function fillGaps({ tree, blocks, surroundings, scores }: ScoredPage, verdicts: BlockVerdict[]): void {
  for (const { at, node, text, linked } of blocks) {
    if (verdicts[at] !== 'low_score' || (scores[at] ?? 0) <= MIN_DOUBTED_SCORE || linked >= 0.5 * text.characters)
      continue;
    const sides = Number(verdicts[at - 1] === 'kept') + Number(verdicts[at + 1] === 'kept');
    const isSet = getTag(tree, node) === TAG.pre || ((surroundings.context[node] ?? 0) & IN_QUOTE) !== 0;
    if (sides === 2 || (sides === 1 && isSet)) verdicts[at] = 'kept';
  }
}

const IN_QUOTE = getContextMask('blockquote');

/** Maximum distance in blocks from a heading to the text below it. */
const MAX_BLOCKS_BELOW = 2;

/**
 * Keeps a heading right before kept text, and headings of higher levels before that. Within the text one excluded block
 * may follow a heading. The headline of the page, which more blocks may follow, has its own rule. The heading of an
 * excluded box is excluded, and so is a heading that links to the home page: it is the site name.
 */
export function keepHeadings({ tree, url, blocks }: ScoredPage, verdicts: BlockVerdict[]): void {
  const first = verdicts.indexOf('kept');
  let next = blocks.length + MAX_BLOCKS_BELOW;
  let level = NO_HEADING;
  for (let at = blocks.length - 1; at >= 0; at--) {
    const own = HEADING_LEVELS[getTag(tree, blocks[at]?.node ?? 0)] ?? NO_HEADING;
    if (verdicts[at] !== 'kept') {
      if (verdicts[at] !== 'low_score' || own >= level || next - at > (at > first ? MAX_BLOCKS_BELOW : 1)) continue;
      if (next - at > 1 && isHeadingOfExcluded(tree, blocks, { at, next })) continue;
      if (isHomeHeading(tree, blocks[at]?.node ?? 0, url)) continue;
      verdicts[at] = 'kept';
    }
    next = at;
    level = own;
  }
}

/** A line with fewer words below a heading belongs to it, as a byline does. */
const MIN_LINE_WORDS = 8;

/** Whether a heading shares its element with excluded text or links below it, but not with the next kept block. */
function isHeadingOfExcluded(
  tree: Tree,
  blocks: readonly Block[],
  { at, next }: { at: number; next: number },
): boolean {
  const end = getSubtreeEnd(tree, getParent(tree, blocks[at]?.node ?? 0));
  const below = blocks[at + 1];
  if (below === undefined || below.node >= end || (blocks[next]?.node ?? 0) < end) return false;
  return below.text.words >= MIN_LINE_WORDS || below.linked >= 0.5 * below.text.characters;
}

const NO_HEADING = 7;
const HEADING_LEVELS = buildTagTable(NO_HEADING, [
  ['h1', 1],
  ['h2', 2],
  ['h3', 3],
  ['h4', 4],
  ['h5', 5],
  ['h6', 6],
]);

/** Excludes headings below the first level if no text is kept before the next heading of the same or a higher level. */
export function dropEmptyHeadings({ tree, blocks }: ScoredPage, verdicts: BlockVerdict[]): void {
  const levels = blocks.map(({ node }) => HEADING_LEVELS[getTag(tree, node)] ?? NO_HEADING);
  for (let at = blocks.length - 2; at >= 0; at--) {
    const own = levels[at] ?? NO_HEADING;
    if (verdicts[at] !== 'kept' || own === 1 || own === NO_HEADING) continue;
    const isBelow = (place: number) => (levels[place] ?? 0) > own;
    let next = at + 1;
    while (isBelow(next) && verdicts[next] !== 'kept') next++;
    if (next > at + 1 && !isBelow(next)) verdicts[at] = 'low_score';
  }
}

const CELL_TAGS = buildTagSet('td th caption dt dd');
const TABLE_TAGS = buildTagSet('table dl');
/** Maximum average words of a data cell. A table with longer cells may be a layout table. */
const MAX_CELL_WORDS = 20;

type TableCells = { readonly places: number[]; words: number; kept: number };

/** Keeps data tables and definition lists whole if half of their words are kept: a table with gaps is misleading. */
export function keepTables({ tree, blocks, surroundings }: ScoredPage, verdicts: BlockVerdict[]): void {
  const tables = new Map<number, TableCells>();
  for (const { at, node, text } of blocks) {
    if (((surroundings.context[node] ?? 0) & IN_TABLE) === 0) continue;
    let table = node;
    while (table !== 0 && TABLE_TAGS[getTag(tree, table)] !== 1) table = getParent(tree, table);
    const cells = tables.get(table) ?? { places: [], words: 0, kept: 0 };
    tables.set(table, cells);
    cells.places.push(at);
    cells.words += text.words;
    if (verdicts[at] === 'kept') cells.kept += text.words;
  }
  for (const { places, words, kept } of tables.values()) {
    if (kept * 2 < words || words > MAX_CELL_WORDS * places.length) continue;
    if (places.some((at) => CELL_TAGS[getTag(tree, blocks[at]?.node ?? 0)] !== 1)) continue;
    for (const at of places) if (verdicts[at] === 'low_score') verdicts[at] = 'kept';
  }
}

/** A block with a lower score is certainly boilerplate. */
const MIN_POSSIBLE_SCORE = 0.125;

type ListSums = {
  blocks: number;
  words: number;
  kept: number;
  linked: number;
  characters: number;
  doubt: number;
  isWhole: boolean;
};

/**
 * Decides for all members of a list together: if half of the words are kept, or any and the mean score is high enough,
 * all blocks and nested lists are kept. In a list of links, items that are links or score very low stay excluded. The
 * posts of a thread are decided one by one.
 */
export function keepItems({ tree, blocks, surroundings, scores, kinds }: ScoredPage, verdicts: BlockVerdict[]): void {
  const isThread = isForum(kinds);
  const lists = new Map<number, ListSums>();
  const findListOfItem = (node: number) =>
    ((surroundings.context[node] ?? 0) & IN_LIST) === 0 ? 0 : findList(tree, node);
  for (const { at, node, text, linked } of blocks) {
    const list = findListOfItem(node);
    if (list === 0) continue;
    const known = lists.get(list) ?? {
      blocks: 0,
      words: 0,
      kept: 0,
      linked: 0,
      characters: 0,
      doubt: 0,
      isWhole: false,
    };
    lists.set(list, known);
    known.blocks++;
    known.words += text.words;
    known.linked += linked;
    known.characters += text.characters;
    known.doubt += Math.sqrt(text.words) * ((scores[at] ?? 0) - MIN_DOUBTED_SCORE);
    if (verdicts[at] === 'kept') known.kept += text.words;
  }
  const order = [...lists.keys()].toSorted((a, b) => b - a);
  const outer = (list: number) => lists.get(findList(tree, getParent(tree, list)));
  for (const list of order) {
    const own = lists.get(list);
    const outerList = outer(list);
    if (own === undefined || outerList === undefined) continue;
    for (const sum of ['blocks', 'words', 'kept', 'linked', 'characters', 'doubt'] as const) outerList[sum] += own[sum];
  }
  for (const list of order.toReversed()) {
    const own = lists.get(list);
    if (own === undefined) continue;
    const isLikelyContent = own.kept * 2 >= own.words || (own.kept > 0 && own.doubt > 0);
    own.isWhole = (isLikelyContent && !hasPosts(tree, list, own.blocks)) || outer(list)?.isWhole === true;
  }
  for (const { at, node, text, linked } of blocks) {
    const known = lists.get(findListOfItem(node));
    if (known?.isWhole !== true || verdicts[at] !== 'low_score') continue;
    if (((surroundings.allEvidence[node] ?? 0) & OUTSIDE_TEXT) !== 0 || (isThread && getTag(tree, node) !== TAG.li))
      continue;
    const isNavigation = known.linked >= MIN_LEADING_SHARE * known.characters;
    if (!isNavigation || ((scores[at] ?? 0) > MIN_POSSIBLE_SCORE && linked < 0.5 * text.characters))
      verdicts[at] = 'kept';
  }
}

/** From this average number of blocks per item on, the items are posts or cards. */
const MIN_POST_BLOCKS = 4;

function hasPosts(tree: Tree, list: number, blocks: number): boolean {
  if (getTag(tree, list) === TAG.dl) return false;
  let items = 0;
  for (let item = getFirstChild(tree, list); item !== 0; item = getNextSibling(tree, item))
    if (!isText(tree, item)) items++;
  return blocks >= MIN_POST_BLOCKS * items;
}

/** From this share of characters in links on, a list may be navigation. */
const MIN_LEADING_SHARE = 0.3;
/** Evidence that an element surrounds the text. */
const OUTSIDE_TEXT = LANDMARK | COMMENTS | CONSENT | RELATED;
const IN_LIST = getContextMask('ul') | getContextMask('ol') | getContextMask('dl');
const LIST_TAGS = buildTagSet('ul ol dl menu');

/** The nearest list around a node, or the node itself. 0 if there is none. */
function findList(tree: Tree, node: number): number {
  let list = node;
  while (list !== 0 && LIST_TAGS[getTag(tree, list)] !== 1) list = getParent(tree, list);
  return list;
}

/**
 * Keeps a list between two kept siblings whole, including links, unless its mean score is low or it is a table of
 * contents.
 */
export function keepLists(page: ScoredPage, verdicts: BlockVerdict[]): void {
  const { tree, blocks } = page;
  for (let first = 0; first < blocks.length; first++) {
    const item = blocks[first]?.node ?? 0;
    if (getTag(tree, item) !== TAG.li) continue;
    const list = getParent(tree, item);
    const end = getSubtreeEnd(tree, list);
    let next = first;
    while ((blocks[next]?.node ?? end) < end) next++;
    const ancestor = getParent(tree, list);
    const joins = (at: number) => verdicts[at] === 'kept' && getParent(tree, blocks[at]?.node ?? 0) === ancestor;
    if (joins(first - 1) && joins(next) && isLikely(page, first, next) && !isContents(tree, list)) {
      for (let at = first; at < next; at++) if (verdicts[at] === 'low_score') verdicts[at] = 'kept';
    }
    first = next - 1;
  }
}

/** Whether the mean score of blocks is high enough. Longer blocks have more weight. */
function isLikely({ blocks, scores }: ScoredPage, from: number, to: number): boolean {
  let sum = 0;
  for (let at = from; at < to; at++)
    sum += Math.sqrt(blocks[at]?.text.words ?? 0) * ((scores[at] ?? 0) - MIN_DOUBTED_SCORE);
  return sum > 0;
}

/** Whether the first link of a list leads to a place on the same page. */
function isContents(tree: Tree, list: number): boolean {
  const end = getSubtreeEnd(tree, list);
  for (let node = list + 1; node < end; node++) {
    if (getTag(tree, node) === TAG.a) return getKnownAttribute(tree, node, ATTRIBUTE.href)?.startsWith('#') === true;
  }
  return false;
}

const IN_TABLE = getContextMask('table') | getContextMask('dl');

/** A page with fewer words has too little text for fine distinctions. */
const MAX_SMALL_PAGE_WORDS = 100;

/**
 * On a small page, keeps blocks of the heuristic region between the first and the last kept block, and adjacent ones
 * with a score that is not very low. The scores are the cautious ones, because so little text says little.
 */
export function fillSmallPage(
  { blocks, plain, headline }: ScoredPage,
  scores: Float32Array,
  verdicts: BlockVerdict[],
): void {
  const words = blocks.reduce((sum, { text }) => sum + text.words, 0);
  let first = verdicts.indexOf('kept');
  let last = verdicts.lastIndexOf('kept');
  if (words >= MAX_SMALL_PAGE_WORDS || first < 0) return;
  const isPlain = (at: number) => verdicts[at] === 'low_score' && plain[blocks[at]?.from ?? 0] === 1;
  const joins = (at: number) => isPlain(at) && (scores[at] ?? 0) > MIN_POSSIBLE_SCORE;
  while (joins(first - 1)) first--;
  while (joins(last + 1)) last++;
  if (headline >= 0) first = Math.min(first, headline);
  for (let at = first; at <= last; at++) if (isPlain(at)) verdicts[at] = 'kept';
}

/** In such an element the subject of the page is one of several names, not a heading. */
const PART_TAGS = buildTagSet('td th li dt dd pre');

/**
 * Keeps the headline before the text, whatever is between them, unless the text repeats it. Returns the index of its
 * block, -1 if there is none.
 */
export function keepHeadline({ tree, blocks, headline }: ScoredPage, verdicts: BlockVerdict[]): number {
  if (headline < 0 || verdicts[headline] === 'kept' || headline > verdicts.indexOf('kept')) return -1;
  const hash = blocks[headline]?.text.hash;
  const repeats = ({ at, node, text }: Block) =>
    verdicts[at] === 'kept' && text.hash === hash && PART_TAGS[getTag(tree, node)] !== 1;
  if (blocks.some(repeats)) return -1;
  verdicts[headline] = 'kept';
  return headline;
}

/** A run of kept blocks is separate if more excluded blocks than this precede it. */
const MIN_ISLAND_GAP = 10;

/** Excludes small runs of kept blocks far after the largest run, unless their scores are very high. */
export function dropIslands({ blocks }: ScoredPage, scores: Float32Array, verdicts: BlockVerdict[]): void {
  const runs = listRuns(blocks, verdicts);
  const largest = runs.reduce((a, b) => (b.words > a.words ? b : a), { first: 0, last: 0, words: 0 });
  for (const { first, last, words } of runs) {
    if (first <= largest.last || words >= 0.35 * largest.words) continue;
    for (let at = first; at <= last; at++) {
      if (verdicts[at] === 'kept' && (scores[at] ?? 0) < 0.85) verdicts[at] = 'island';
    }
  }
}

type KeptRun = { readonly first: number; last: number; words: number };

function listRuns(blocks: readonly Block[], verdicts: readonly BlockVerdict[]): readonly KeptRun[] {
  const runs: KeptRun[] = [];
  for (const { at, text } of blocks) {
    if (verdicts[at] !== 'kept') continue;
    const run = runs.at(-1);
    if (run === undefined || at - run.last > MIN_ISLAND_GAP + 1) runs.push({ first: at, last: at, words: text.words });
    else {
      run.last = at;
      run.words += text.words;
    }
  }
  return runs;
}

const MIN_REPEATED_WORDS = 8;

/**
 * Excludes a block that repeats the words of another part of the page. Repeats within one element, short ones, and
 * those in a table or list with new text are kept, because they may be intended.
 */
export function dropRepeats(page: ScoredPage, verdicts: BlockVerdict[]): void {
  const { tree, blocks } = page;
  const seen = new Map<number, number>();
  const repeats: { readonly at: number; readonly group: number }[] = [];
  /** Tables and lists with kept blocks that are no repeats. */
  const groupsWithNewText = new Set<number>();
  for (const { at, node, text } of blocks) {
    if (verdicts[at] !== 'kept') continue;
    const group = findGroup(page, node);
    const parent = getParent(tree, node);
    const before = seen.get(text.hash);
    if (before === undefined) {
      seen.set(text.hash, parent);
      groupsWithNewText.add(group);
    } else if (before !== parent && text.words >= MIN_REPEATED_WORDS) repeats.push({ at, group });
  }
  groupsWithNewText.delete(0);
  for (const { at, group } of repeats) if (!groupsWithNewText.has(group)) verdicts[at] = 'repeated';
}

const GROUP_TAGS = buildTagSet('table ul ol dl menu');
/** Maximum blocks of a cell or item. One with more may quote another part of the page. */
const MAX_MEMBER_BLOCKS = 4;
const MEMBER_TAGS = buildTagSet('td th li dt dd caption');

/** The table or list with the cell or item of a block. 0 if there is none, or if it lays out a part of the page. */
function findGroup({ tree, containers }: ScoredPage, node: number): number {
  const member = getTag(tree, node) === TAG.p ? getParent(tree, node) : node;
  if (MEMBER_TAGS[getTag(tree, member)] !== 1 || (containers.blocks[member] ?? 0) > MAX_MEMBER_BLOCKS) return 0;
  let group = member;
  while (group !== 0 && GROUP_TAGS[getTag(tree, group)] !== 1) group = getParent(tree, group);
  return group;
}
