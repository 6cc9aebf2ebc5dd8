import { CONSENT, FURNITURE, HEADER, LANDMARK, MAIN } from '#extract/content/features/name-evidence.ts';
import type { PageParts } from '#extract/content/features/page-facts.ts';
import type { TextCounts } from '#extract/content/features/text-counts.ts';
import { allocateUint8s } from '#extract/html/scratch.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { isText, knownAttribute, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { findOperationIndex } from './api-operations.ts';
import { type BlockVerdict, isForum, type ScoredPage } from './scored-page.ts';

/** Words outside of links that a page has at least to say something. */
const MIN_TEXT_WORDS = 20;

/**
 * What a page has to say of which no block looks like content: the element that it states to be its main part, without
 * navigation in it, however little that is; null where it states none, or has all of its text there.
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
  const around = surroundings.allEvidence[main] ?? 0;
  const end = subtreeEndOf(tree, main);
  let told = 0;
  for (const { node, from, to, text, linked } of blocks) {
    if (from < main || from >= end || surroundings.hidden[node] !== 0) continue;
    if (((surroundings.allEvidence[node] ?? 0) & ~around & (LANDMARK | FURNITURE)) !== 0) continue;
    told += text.characters === 0 ? 0 : text.words * (1 - linked / text.characters);
    for (let inside = from; inside < to; inside++) {
      for (let at = inside; at !== 0 && kept[at] !== 1; at = parentOf(tree, at)) kept[at] = 1;
    }
  }
  kept[0] = 1;
  return { kept, isLittle: told < MIN_TEXT_WORDS };
}

/** A main part of which fewer words look like content is read as far as it goes. */
const MAX_LITTLE_WORDS = 20;
/** Words of a label in navigation. */
const MAX_LABEL_WORDS = 8;
/** Words of a line that says whose the page is. */
const MAX_COPYRIGHT_WORDS = 16;
/** The share of characters in links from which on a line leads elsewhere. */
const MIN_LEADING_SHARE = 0.5;

/**
 * Leaves out the links and labels of navigation around the element that a page states to be its main part, or that holds
 * its headline, where that has so little to say that they score as high; what it says is kept then, however little. A post
 * of few words has its writer, its day and its counts around it, and where the text stands outside of the main part that
 * holds what surrounds it.
 */
export function keepDeclaredMain(judged: ScoredPage, verdicts: BlockVerdict[]): void {
  const { tree, blocks, surroundings } = judged;
  const stated = findDeclaredMain(judged);
  const main = stated === 0 ? findHeadedPart(judged) : stated;
  if (main === 0) return;
  const end = subtreeEndOf(tree, main);
  const isInside = (node: number) => node >= main && node < end;
  const told = countKept(judged, verdicts, isInside);
  // Text outside of a part that only has the headline may be the text of the page.
  if (stated === 0 && (told >= MAX_LITTLE_WORDS || hasTextOutside(judged, verdicts, isInside))) return;
  const around = blocks.filter(({ at, node, text, linked }) => {
    if (isInside(node) || verdicts[at] !== 'kept' || at === judged.headline) return false;
    if (isCopyright(text) && told < MAX_LITTLE_WORDS) return true;
    const leads = linked >= MIN_LEADING_SHARE * text.characters || text.words <= MAX_LABEL_WORDS;
    return leads && ((surroundings.allEvidence[node] ?? 0) & (LANDMARK | HEADER)) !== 0;
  });
  if (around.length > 0 && findOperationIndex(judged)?.isContent === true) return;
  for (const { at } of around) verdicts[at] = 'chrome';
  if (told >= MAX_LITTLE_WORDS || isForum(judged.kinds)) return;
  if (countKept(judged, verdicts, (node) => !isInside(node)) >= MAX_LITTLE_WORDS) return;
  for (const { at, node } of blocks) {
    const isOwn = isInside(node) && ((surroundings.evidence[node] ?? 0) & LANDMARK) === 0;
    if (isOwn && verdicts[at] === 'low_score') verdicts[at] = 'kept';
  }
}

/** The words of the kept blocks that are counted. */
function countKept(
  { blocks }: ScoredPage,
  verdicts: readonly BlockVerdict[],
  isCounted: (node: number) => boolean,
): number {
  return blocks.reduce(
    (sum, { at, node, text }) => (verdicts[at] === 'kept' && isCounted(node) ? sum + text.words : sum),
    0,
  );
}

/** The element around the headline, where that is no landmark and not the whole page; 0 for none. */
function findHeadedPart({ tree, blocks, surroundings, headline }: ScoredPage): number {
  const heading = blocks[headline]?.node ?? 0;
  const part = parentOf(tree, heading);
  if (part === 0 || tagOf(tree, part) === TAG.body) return 0;
  return ((surroundings.allEvidence[heading] ?? 0) & (LANDMARK | HEADER)) === 0 ? part : 0;
}

/** Whether a kept block outside of a part is more than a link, a label or a copyright, or stands in no landmark. */
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
 * Whether a page states its main part and leaves it empty, and has nothing around it but links, labels, copyrights and
 * notices on consent.
 */
export function hasEmptyMain({ tree, blocks, surroundings, containers }: ScoredPage): boolean {
  let stated = 0;
  for (let node = 1; node < tree.count; node++) {
    if (isText(tree, node) || !(isMain(tree, node) || isArticle(tree, node))) continue;
    if ((containers.words[node] ?? 0) > 0) return false;
    stated++;
  }
  return (
    stated > 0 &&
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

/** The one element with words that is the main part by its tag or role, else the one article; 0 for none, or several. */
function findDeclaredMain(judged: ScoredPage): number {
  return findOnly(judged, isMain) ?? findOnly(judged, isArticle) ?? 0;
}

/** The outermost such element with words; 0 where there are several, null for none. */
function findOnly({ tree, containers }: ScoredPage, is: (tree: Tree, node: number) => boolean): number | null {
  let found: number | null = null;
  for (let node = 1; node < tree.count; node++) {
    if (isText(tree, node) || (containers.words[node] ?? 0) === 0 || !is(tree, node)) continue;
    if (found === null) found = node;
    else if (node >= subtreeEndOf(tree, found)) return 0;
  }
  return found;
}

function isMain(tree: Tree, node: number): boolean {
  if (tagOf(tree, node) === TAG.main) return true;
  return tree.attributeCount[node] !== 0 && knownAttribute(tree, node, ATTRIBUTE.role)?.trim().toLowerCase() === 'main';
}

function isArticle(tree: Tree, node: number): boolean {
  return tagOf(tree, node) === TAG.article;
}
