import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { isText, getKnownAttribute, getParent, getSubtreeEnd, getTag, type Tree } from '#extract/html/tree.ts';
import { isHeading, type Block } from '#extract/content/features/blocks.ts';
import { COMMENTS, CONSENT, FURNITURE, LANDMARK, MAIN, RELATED } from '#extract/content/features/name-evidence.ts';
import { HIDDEN, WITHOUT_SCRIPT } from '#extract/view/hidden-elements.ts';
import { findOperationIndex } from './api-operations.ts';
import { markChrome } from './chrome.ts';
import { type BlockVerdict, isDocumentation, isDeclaredDocumentation, type ScoredPage } from './scored-page.ts';

/** Minimum share of the likely content in an element that is declared as the content. */
const MIN_HELD_SHARE = 0.9;

/** Classes and ids of the content element in the output of documentation generators. */
const CONTAINER_NAME =
  /(?:^|\s)(?:apicontent|devsite-article-body|doc-content|dokuwiki__content|main-content|markdown-body|md-content|mw-content-text|mw-parser-output|page-content|rst-content|sl-markdown-content|theme-doc-markdown|vp-doc)(?:\s|$)/i;

/**
 * Keeps all text of documentation that is not certain page chrome. A reference without its signatures or last sections
 * is of no use, but tables, definitions and short lines look like boilerplate to the model. The text is the element
 * declared as the content, else the body without what surrounds the text.
 */
export function keepDocumentationText(page: ScoredPage, verdicts: BlockVerdict[]): void {
  const index = findOperationIndex(page);
  if (index === null && !isDocumentation(page)) return;
  const { blocks } = page;
  const declared = widenRegion(page, findDeclaredRegion(page, verdicts));
  // A page that only its words make documentation may have anything around its text.
  const isLoose = index === null && getTag(page.tree, declared) === TAG.body && !isDeclaredDocumentation(page);
  const region = isLoose ? findElementAroundKept(page, verdicts) : declared;
  if (region === 0 || (isLoose && region <= declared)) return;
  const chrome = markChrome(page, verdicts, { region, index });
  const isIndexed = (node: number) => index?.isContent === true && index.isInside[node] === 1;
  const [first, end] = findTextBounds(page, verdicts, { region, chrome });
  const isForm = createFormTest(page, region);
  for (const block of blocks) {
    const { at, node } = block;
    if (chrome[node] === 1 || isScreenReaderText(page.tree, block)) {
      verdicts[at] = 'chrome';
      continue;
    }
    const isAround = at < first || at >= end;
    if ((isAround && !isIndexed(node)) || isExcluded(page, at, { verdict: verdicts[at], isForm })) continue;
    verdicts[at] = 'kept';
  }
}

/** Minimum share of the page's words outside links in a declared content element. One of many articles has less. */
const MIN_PROSE_SHARE = 0.5;

/**
 * The innermost element that is declared as the content and contains nearly all likely content. The body if there is
 * none.
 */
function findDeclaredRegion(
  { tree, blocks, surroundings, containers }: ScoredPage,
  verdicts: readonly BlockVerdict[],
): number {
  const total = blocks.reduce((sum, { at, text }) => sum + (verdicts[at] === 'kept' ? text.words : 0), 0);
  const countProseIn = (node: number) => (containers.characters[node] ?? 0) - (containers.linked[node] ?? 0);
  let region = 0;
  for (let node = 1; node < tree.count; node++) {
    if (isText(tree, node)) continue;
    if (getTag(tree, node) === TAG.body) region = node;
    const isDeclared = ((surroundings.evidence[node] ?? 0) & MAIN) !== 0 || isTextContainer(tree, node);
    if (!isDeclared || node >= getSubtreeEnd(tree, region) || countProseIn(node) < MIN_PROSE_SHARE * countProseIn(0))
      continue;
    const end = getSubtreeEnd(tree, node);
    let words = 0;
    for (const { at, from, text } of blocks)
      if (from >= node && from < end && verdicts[at] === 'kept') words += text.words;
    if (words > 0 && words >= MIN_HELD_SHARE * total) region = node;
  }
  return region;
}

const OUTSIDE_TEXT = LANDMARK | FURNITURE | COMMENTS | CONSENT | RELATED;

/** Widens a region to include code, definitions and cells next to it, if they have enough words. */
function widenRegion({ tree, blocks, surroundings }: ScoredPage, region: number): number {
  let first = region;
  let last = region;
  let words = 0;
  const end = getSubtreeEnd(tree, region);
  for (const { node, text, linked } of blocks) {
    if ((node >= region && node < end) || CELLS[getTag(tree, node)] !== 1) continue;
    const isAround = ((surroundings.allEvidence[node] ?? 0) & OUTSIDE_TEXT) !== 0 || surroundings.hidden[node] !== 0;
    if (isAround || linked >= 0.5 * text.characters) continue;
    words += text.words;
    first = Math.min(first, node);
    last = Math.max(last, node);
  }
  if (words <= MAX_BAR_WORDS) return region;
  let ancestor = region;
  while (ancestor !== 0 && (first < ancestor || getSubtreeEnd(tree, ancestor) <= last))
    ancestor = getParent(tree, ancestor);
  return ancestor;
}

function isTextContainer(tree: Tree, node: number): boolean {
  return [ATTRIBUTE.id, ATTRIBUTE.class].some((name) => CONTAINER_NAME.test(getKnownAttribute(tree, node, name) ?? ''));
}

type RegionChrome = { readonly region: number; readonly chrome: Uint8Array };

/**
 * The index of the first block of the text, and of the one after its last. Bars and lines around the text are outside.
 */
function findTextBounds(page: ScoredPage, verdicts: readonly BlockVerdict[], { region, chrome }: RegionChrome) {
  const { tree, blocks, surroundings } = page;
  const regionEnd = getSubtreeEnd(tree, region);
  const ancestor = findElementAroundKept(page, verdicts);
  // An element inside the region that contains all likely content is content as a whole.
  const ancestorEnd = ancestor > region ? getSubtreeEnd(tree, ancestor) : 0;
  const isOutside = ({ node }: Block) => node < region || node >= regionEnd || chrome[node] === 1;
  const isSection = createSectionTest(page, verdicts, region);
  const isDeclared = getTag(tree, region) !== TAG.body;
  // If several elements are declared as the main content, the declaration does not identify the region.
  const isMain = (node: number) => !isDeclared && ((surroundings.allEvidence[node] ?? 0) & MAIN) !== 0;
  const isInside = ({ node }: Block) => (node >= ancestor && node < ancestorEnd) || isSection(node) || isMain(node);
  const startsText = (block: Block) =>
    verdicts[block.at] === 'kept' ||
    isInside(block) ||
    (isHeading(tree, block.node) ? !isLinkHeading(tree, block) : !isBar(page, block, false));
  const endsText = (block: Block) =>
    verdicts[block.at] === 'kept' || isInside(block) || !isBar(page, block, isDeclared);
  const first = blocks.findIndex((block) => !isOutside(block) && startsText(block));
  const last = blocks.findLastIndex((block) => !isOutside(block) && endsText(block));
  return [Math.max(0, first), findSectionEnd(page, region, last + 1)] as const;
}

/** The end of the text. If the text would end with a heading, the element after it or after its box is included. */
function findSectionEnd({ tree, blocks }: ScoredPage, region: number, end: number): number {
  const heading = blocks[end - 1]?.node ?? 0;
  if (!isHeading(tree, heading)) return end;
  const next = blocks.find((block) => block.at >= end && !isScreenReaderText(tree, block));
  if (next === undefined || next.from >= getSubtreeEnd(tree, region)) return end;
  let box = getParent(tree, heading);
  while (getSubtreeEnd(tree, box) <= next.from) box = getParent(tree, box);
  let behind = next.from;
  while (getParent(tree, behind) !== box) behind = getParent(tree, behind);
  const after = blocks.findIndex(({ at, from }) => at >= end && from >= getSubtreeEnd(tree, behind));
  return after < 0 ? blocks.length : after;
}

/**
 * Returns a test for nodes inside sections: elements with the name and shape of a sibling that contains kept blocks.
 */
function createSectionTest(
  { tree, blocks, surroundings, containers }: ScoredPage,
  verdicts: readonly BlockVerdict[],
  region: number,
) {
  const shapes = new Set<string>();
  const visit = (node: number, look: (key: string) => boolean): boolean => {
    for (let at = node; at > region; at = getParent(tree, at)) {
      if ((containers.siblings[at] ?? 0) < 2 || !isNamedSection(tree, at)) continue;
      if (look(`${getParent(tree, at)} ${surroundings.shape[at]}`)) return true;
    }
    return false;
  };
  for (const { at, node } of blocks) if (verdicts[at] === 'kept') visit(node, (key) => shapes.add(key).size === 0);
  return (node: number) => visit(node, (key) => shapes.has(key));
}

function isNamedSection(tree: Tree, node: number): boolean {
  const tag = getTag(tree, node);
  return (
    tag === TAG.section || (tag === TAG.div && SECTION_CLASS.test(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? ''))
  );
}

const SECTION_CLASS = /(?:^|[\s_-])sect(?:ion|\d)/i;

/** Whether a heading is only a link to another page, as the name of a manual is. */
function isLinkHeading(tree: Tree, { node, text, linked }: Block): boolean {
  if (linked < 0.95 * text.characters) return false;
  const end = getSubtreeEnd(tree, node);
  for (let inside = node + 1; inside < end; inside++) {
    if (getTag(tree, inside) === TAG.a)
      return getKnownAttribute(tree, inside, ATTRIBUTE.href)?.startsWith('#') !== true;
  }
  return false;
}

/** The innermost element around all kept blocks. It is never one of several sections, because those are alike. */
function findElementAroundKept({ tree, blocks, containers }: ScoredPage, verdicts: readonly BlockVerdict[]): number {
  const first = blocks[verdicts.indexOf('kept')]?.node ?? 0;
  const last = blocks[verdicts.lastIndexOf('kept')]?.node ?? 0;
  const isOneOfMany = (node: number) => (containers.siblings[node] ?? 0) > 1 && isNamedSection(tree, node);
  let ancestor = first;
  while (ancestor !== 0 && (getSubtreeEnd(tree, ancestor) <= last || isOneOfMany(ancestor)))
    ancestor = getParent(tree, ancestor);
  return ancestor;
}

const MAX_BAR_WORDS = 12;
const ITEMS = buildTagSet('li dt dd td th pre');
const CELLS = buildTagSet('dt dd td th pre');

/**
 * Whether a block around the text is a line of links, a copyright notice or a few words. In a declared content element,
 * lists of links and short lines at the end belong to the text.
 */
function isBar({ tree }: ScoredPage, { node, text, linked }: Block, isDeclared: boolean): boolean {
  const tag = getTag(tree, node);
  const isMostlyLinks = linked >= 0.5 * text.characters;
  const isRights = text.rights && CELLS[tag] !== 1;
  if (isDeclared) return isRights || (isMostlyLinks && ITEMS[tag] !== 1 && !isHeading(tree, node));
  return isRights || isMostlyLinks || (text.words <= MAX_BAR_WORDS && CELLS[tag] !== 1);
}

type BlockContext = { readonly verdict: BlockVerdict | undefined; readonly isForm: (node: number) => boolean };

/** Whether a block within the text is permanently hidden, a consent notice, or a reader comment. */
function isExcluded({ blocks, surroundings }: ScoredPage, at: number, { verdict, isForm }: BlockContext): boolean {
  const node = blocks[at]?.node ?? 0;
  if (verdict === 'consent' || verdict === 'comment') return isForm(node);
  const hidden = surroundings.hidden[node];
  return hidden === WITHOUT_SCRIPT || (hidden === HIDDEN && verdict !== 'kept');
}

const SCREEN_READER_CLASS = /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text)(?:\s|$)/i;

/** Whether all of a block is text for screen readers, such as the name of an icon link. */
function isScreenReaderText(tree: Tree, { node, from, to }: Block): boolean {
  for (let ancestor = getParent(tree, from); ancestor > node; ancestor = getParent(tree, ancestor)) {
    if (
      SCREEN_READER_CLASS.test(getKnownAttribute(tree, ancestor, ATTRIBUTE.class) ?? '') &&
      getSubtreeEnd(tree, ancestor) >= to
    )
      return true;
  }
  return false;
}

const FORM_NAME = /comment|respon|disqus|cookie|consent|gdpr/i;
const FORM_PARTS = buildTagSet('form textarea button script iframe time');

const MAX_FORM_WORDS = 60;
const FORM_CONTAINERS = buildTagSet('div aside form footer');

/**
 * Returns a test for nodes inside a comment form or consent notice: an element with such a name, and with a form in it
 * or few words. A section of a manual may have such a name too.
 */
function createFormTest({ tree, containers }: ScoredPage, region: number): (node: number) => boolean {
  const known = new Map<number, boolean>();
  const isFormItself = (ancestor: number): boolean => {
    const id = getKnownAttribute(tree, ancestor, ATTRIBUTE.id) ?? '';
    if (!FORM_NAME.test(`${getKnownAttribute(tree, ancestor, ATTRIBUTE.class) ?? ''} ${id}`)) return false;
    // A class may mark many short remarks, but an id marks one part of the page.
    const isPart =
      FORM_NAME.test(id) && FORM_CONTAINERS[getTag(tree, ancestor)] === 1 && !isNamedSection(tree, ancestor);
    if (isPart && (containers.words[ancestor] ?? 0) <= MAX_FORM_WORDS) return true;
    const end = getSubtreeEnd(tree, ancestor);
    for (let inside = ancestor + 1; inside < end; inside++) if (FORM_PARTS[getTag(tree, inside)] === 1) return true;
    return false;
  };
  return (node) => {
    for (
      let ancestor = node;
      ancestor > region && getTag(tree, ancestor) !== TAG.body;
      ancestor = getParent(tree, ancestor)
    ) {
      const isForm = known.get(ancestor) ?? isFormItself(ancestor);
      known.set(ancestor, isForm);
      if (isForm) return true;
    }
    return false;
  };
}
