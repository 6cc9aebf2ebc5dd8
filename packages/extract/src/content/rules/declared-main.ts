import { CONSENT, FURNITURE, HEADER, LANDMARK, MAIN } from '#extract/content/features/name-evidence.ts';
import type { PageParts } from '#extract/content/features/page-facts.ts';
import type { TextCounts } from '#extract/content/features/text-counts.ts';
import { allocateUint8s } from '#extract/html/scratch.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { isText, getKnownAttribute, getParent, getSubtreeEnd, getTag, type Tree } from '#extract/html/tree.ts';
import { findOperationIndex } from './api-operations.ts';
import { type BlockVerdict, isForum, type ScoredPage } from './scored-page.ts';

/** Minimum words outside links of a page that has content. */
const MIN_TEXT_WORDS = 20;

/**
 * The text of a page without likely content: its declared main element without navigation, however short. Null if the
 * page has none, or if that is all of its text.
 */
export function findLittleText({
  tree,
  blocks,
  surroundings,
  containers,
}: Pick<PageParts, 'tree' | 'blocks' | 'surroundings' | 'containers'>): {
  readonly kept: Uint8Array;
  readonly isLittle: boolean;
} | null {
  let main = 0;
  for (let node = 1; node < tree.count; node++) {
    if (isText(tree, node) || ((surroundings.evidence[node] ?? 0) & MAIN) === 0) continue;
    if ((containers.words[node] ?? 0) > (containers.words[main] ?? 0) || main === 0) main = node;
  }
  const words = containers.words[main] ?? 0;
  if (main === 0 || words === 0 || words === containers.words[0]) return null;
  const kept = allocateUint8s(tree.count);
  const evidence = surroundings.allEvidence[main] ?? 0;
  const end = getSubtreeEnd(tree, main);
  let textWords = 0;
  for (const { node, from, to, text, linked } of blocks) {
    if (from < main || from >= end || surroundings.hidden[node] !== 0) continue;
    if (((surroundings.allEvidence[node] ?? 0) & ~evidence & (LANDMARK | FURNITURE)) !== 0) continue;
    textWords += text.characters === 0 ? 0 : text.words * (1 - linked / text.characters);
    for (let inside = from; inside < to; inside++) {
      for (let at = inside; at !== 0 && kept[at] !== 1; at = getParent(tree, at)) kept[at] = 1;
    }
  }
  kept[0] = 1;
  return { kept, isLittle: textWords < MIN_TEXT_WORDS };
}

/** A main part with fewer words of likely content is kept whole. */
const MAX_LITTLE_WORDS = 20;
/** Maximum words of a label in navigation. */
const MAX_LABEL_WORDS = 8;
/** Maximum words of a copyright line. */
const MAX_COPYRIGHT_WORDS = 16;
/** From this share of characters in links on, a line is navigation. */
const MIN_LEADING_SHARE = 0.5;

/**
 * If the declared main element, or the element with the headline, has little text, navigation around it scores as high.
 * Then that navigation is excluded and the text of the element is kept, however short. Two cases are left alone: a
 * short post with author, date and counts around it, and text outside the main element.
 */
export function keepDeclaredMain(page: ScoredPage, verdicts: BlockVerdict[]): void {
  const { tree, blocks, surroundings } = page;
  const declared = findDeclaredMain(page);
  const main = declared === 0 ? findHeadedPart(page) : declared;
  if (main === 0) return;
  const end = getSubtreeEnd(tree, main);
  const isInside = (node: number) => node >= main && node < end;
  const textWords = countKept(page, verdicts, isInside);
  // Text outside an element that only has the headline may be the text of the page.
  if (declared === 0 && (textWords >= MAX_LITTLE_WORDS || hasTextOutside(page, verdicts, isInside))) return;
  const navigation = blocks.filter(({ at, node, text, linked }) => {
    if (isInside(node) || verdicts[at] !== 'kept' || at === page.headline) return false;
    if (isCopyright(text) && textWords < MAX_LITTLE_WORDS) return true;
    const isNavigation = linked >= MIN_LEADING_SHARE * text.characters || text.words <= MAX_LABEL_WORDS;
    return isNavigation && ((surroundings.allEvidence[node] ?? 0) & (LANDMARK | HEADER)) !== 0;
  });
  if (navigation.length > 0 && findOperationIndex(page)?.isContent === true) return;
  for (const { at } of navigation) verdicts[at] = 'chrome';
  if (textWords >= MAX_LITTLE_WORDS || isForum(page.kinds)) return;
  if (countKept(page, verdicts, (node) => !isInside(node)) >= MAX_LITTLE_WORDS) return;
  for (const { at, node } of blocks) {
    const isOwn = isInside(node) && ((surroundings.evidence[node] ?? 0) & LANDMARK) === 0;
    if (isOwn && verdicts[at] === 'low_score') verdicts[at] = 'kept';
  }
}

/** The words of kept blocks that pass the test. */
function countKept(
  { blocks }: ScoredPage,
  verdicts: readonly BlockVerdict[],
  isIncluded: (node: number) => boolean,
): number {
  return blocks.reduce(
    (sum, { at, node, text }) => (verdicts[at] === 'kept' && isIncluded(node) ? sum + text.words : sum),
    0,
  );
}

/** The element around the headline if it is neither a landmark nor the whole page. 0 otherwise. */
function findHeadedPart({ tree, blocks, surroundings, headline }: ScoredPage): number {
  const heading = blocks[headline]?.node ?? 0;
  const part = getParent(tree, heading);
  if (part === 0 || getTag(tree, part) === TAG.body) return 0;
  return ((surroundings.allEvidence[heading] ?? 0) & (LANDMARK | HEADER)) === 0 ? part : 0;
}

/** Whether a kept block outside a part is more than a link, a label or a copyright notice, or is not in a landmark. */
function hasTextOutside(
  { blocks, surroundings, headline }: ScoredPage,
  verdicts: readonly BlockVerdict[],
  isInside: (node: number) => boolean,
): boolean {
  return blocks.some(({ at, node, text, linked }) => {
    if (verdicts[at] !== 'kept' || isInside(node) || at === headline || isCopyright(text)) return false;
    if (((surroundings.allEvidence[node] ?? 0) & (LANDMARK | HEADER)) === 0) return true;
    return linked < MIN_LEADING_SHARE * text.characters && text.words > MAX_LABEL_WORDS;
  });
}

/**
 * Whether the declared main part of a page is empty, with only links, labels, copyright and consent notices around it.
 */
export function hasEmptyMain({ tree, blocks, surroundings, containers }: ScoredPage): boolean {
  let declared = 0;
  for (let node = 1; node < tree.count; node++) {
    if (isText(tree, node) || !(isMain(tree, node) || isArticle(tree, node))) continue;
    if ((containers.words[node] ?? 0) > 0) return false;
    declared++;
  }
  return (
    declared > 0 &&
    blocks.every(({ node, text, linked }) => {
      if (linked >= MIN_LEADING_SHARE * text.characters || text.words <= MAX_LABEL_WORDS || isCopyright(text))
        return true;
      return text.consentWords > 0 || ((surroundings.allEvidence[node] ?? 0) & CONSENT) !== 0;
    })
  );
}

function isCopyright({ rights, words }: TextCounts): boolean {
  return rights && words <= MAX_COPYRIGHT_WORDS;
}

/** The only non-empty element with the tag or role `main`, else the only article. 0 if there is none or several. */
function findDeclaredMain(page: ScoredPage): number {
  return findOnly(page, isMain) ?? findOnly(page, isArticle) ?? 0;
}

/** The outermost matching element with words. 0 if there are several, null if there is none. */
function findOnly({ tree, containers }: ScoredPage, is: (tree: Tree, node: number) => boolean): number | null {
  let found: number | null = null;
  for (let node = 1; node < tree.count; node++) {
    if (isText(tree, node) || (containers.words[node] ?? 0) === 0 || !is(tree, node)) continue;
    if (found === null) found = node;
    else if (node >= getSubtreeEnd(tree, found)) return 0;
  }
  return found;
}

function isMain(tree: Tree, node: number): boolean {
  if (getTag(tree, node) === TAG.main) return true;
  return (
    tree.attributeCount[node] !== 0 && getKnownAttribute(tree, node, ATTRIBUTE.role)?.trim().toLowerCase() === 'main'
  );
}

function isArticle(tree: Tree, node: number): boolean {
  return getTag(tree, node) === TAG.article;
}
