import { isHeading } from '#extract/content/features/blocks.ts';
import { LANDMARK } from '#extract/content/features/name-evidence.ts';
import {
  readCollapsedText,
  isText,
  getKnownAttribute,
  findNextTag,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { allocateUint8s } from '#extract/html/scratch.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { type CountLinks, createLinkCounter, type OperationIndex } from './api-operations.ts';
import type { BlockVerdict, ScoredPage } from './scored-page.ts';

/** Maximum length of a language name. */
const MAX_NAME_LENGTH = 30;
/** Levels above a label in which its code is searched. */
const MAX_LABEL_LEVELS = 3;
const LANGUAGE_CLASS = /(?:^|[\s_-])(?:lang|language)(?:$|\s)/i;

/** Excludes the language name in a box that contains only it and a code block: Markdown writes it with the code. */
export function dropCodeLabels({ tree, blocks, containers }: ScoredPage, verdicts: BlockVerdict[]): void {
  for (let at = 0; at + 1 < blocks.length; at++) {
    const label = blocks[at];
    const code = blocks[at + 1];
    if (label === undefined || code === undefined || verdicts[at] !== 'kept' || verdicts[at + 1] !== 'kept') continue;
    if (label.text.characters > MAX_NAME_LENGTH || isHeading(tree, label.node)) continue;
    const pre = findPre(tree, code.node);
    if (pre === 0 || label.from >= pre) continue;
    const words = label.text.words + (containers.words[pre] ?? 0);
    let box = getParent(tree, label.from);
    for (let level = 0; level < MAX_LABEL_LEVELS && getSubtreeEnd(tree, box) <= pre; level++)
      box = getParent(tree, box);
    if (getSubtreeEnd(tree, box) <= pre || containers.words[box] !== words) continue;
    if (isLanguageName(tree, { label: label.from, box, pre })) verdicts[at] = 'chrome';
  }
}

/** The `pre` element that is a block or contains it. 0 if there is none. */
function findPre(tree: Tree, node: number): number {
  for (
    let ancestor = node, level = 0;
    ancestor !== 0 && level < MAX_LABEL_LEVELS;
    ancestor = getParent(tree, ancestor), level++
  ) {
    if (getTag(tree, ancestor) === TAG.pre) return ancestor;
  }
  return 0;
}

type CodeLabel = { readonly label: number; readonly box: number; readonly pre: number };

/** Whether a label is the language in the class names of its code or box, or has a class such as `lang`. */
function isLanguageName(tree: Tree, { label, box, pre }: CodeLabel): boolean {
  const own = getParent(tree, label);
  if (LANGUAGE_CLASS.test(getKnownAttribute(tree, own, ATTRIBUTE.class) ?? '')) return true;
  const name = readCollapsedText(tree, own, MAX_NAME_LENGTH).toLowerCase();
  if (name === '') return false;
  const readNames = (node: number) =>
    [ATTRIBUTE.class, ATTRIBUTE.dataLang, ATTRIBUTE.dataLanguage].flatMap((one) =>
      (getKnownAttribute(tree, node, one) ?? '').toLowerCase().split(/\s+/),
    );
  const codeNames = [pre, pre + 1].flatMap(readNames);
  return (
    codeNames.includes(name) ||
    [...codeNames, ...readNames(box)].some((one) => /^lang(?:uage)?-/.test(one) && one.endsWith(`-${name}`))
  );
}

/** An element with a larger share of the likely content is never chrome. */
const MAX_KEPT_SHARE = 0.3;
/** From this share of characters in links on, a text is navigation. */
const MIN_LEADING_SHARE = 0.5;
const MIN_CONTENTS_SHARE = 0.8;
/** Maximum words of a bar such as "Edit this page" or "Search docs". */
const MAX_BAR_WORDS = 12;
/** Minimum links of a table of contents. */
const MIN_CONTENTS_LINKS = 3;

/** Class names of navigation elements. POSSIBLE_NAVIGATION_NAME only counts for short elements. */
const NAVIGATION_NAME =
  /(?:^|[\s_-])(?:nav|navbar|navbox|navigation|nav-?panel|nav-?header|nav-?footer|breadcrumbs?|pager|pagination|prev-?next|sphinxsidebar|toolbar|skip-?(?:link|nav|to-?content)?|edit-?(?:link|page|this-?page)|mw-editsection|share|social|feedback|toplang|langs|languages|language-?(?:selector|switcher|picker|menu))(?:$|[\s_-])/i;
const POSSIBLE_NAVIGATION_NAME = /(?:^|[\s_-])(?:header|footer|sidebar|related)(?:$|[\s_-])/i;
const FOOTER_NAME = /(?:^|[\s_-])(?:footer|doc-?info|last-?(?:updated|modified))(?:$|[\s_-])/i;
/** Maximum words of a page footer, including a licence. */
const MAX_FOOTER_WORDS = 160;
const MENU_NAME = /(?:^|[\s_-])menu(?:$|[\s_-])/i;
const TEXTS = buildTagSet(
  'p li dt dd td th h1 h2 h3 h4 h5 h6 pre blockquote code article main body html tr tbody caption figure',
);
const LISTS = buildTagSet('ul ol dl');
const QUOTES = buildTagSet('blockquote figure');

/**
 * Marks the certain page chrome inside an element: navigation by tag, role or name, tables of contents of the same
 * page, and bars that turn pages. Elements with much likely content are never marked.
 */
export function markChrome(
  page: ScoredPage,
  verdicts: readonly BlockVerdict[],
  { region, index }: { readonly region: number; readonly index: OperationIndex | null },
): Uint8Array {
  const { tree, url, containers } = page;
  const chrome = allocateUint8s(tree.count);
  const countLinks = createLinkCounter(tree, url);
  const kept = countKeptWords(page, verdicts);
  const maxKeptWords = MAX_KEPT_SHARE * (kept[region] ?? 0);
  const end = getSubtreeEnd(tree, region);
  for (let node = region + 1; node < end; node++) {
    if (isText(tree, node) || (containers.blocks[node] ?? 0) === 0) continue;
    const isIndex = index?.elements.has(node) === true;
    if (isIndex && index.isContent) node = getSubtreeEnd(tree, node) - 1;
    if (!isIndex ? !isChrome(page, node, countLinks) : index.isContent) continue;
    const from = findContentsBox(page, region, node);
    if ((kept[from] ?? 0) > Math.max(maxKeptWords, MAX_BAR_WORDS) && !isCopyrightFooter(page, node)) continue;
    chrome.fill(1, from, getSubtreeEnd(tree, from));
    node = getSubtreeEnd(tree, node) - 1;
  }
  return chrome;
}

/** Whether an element is named as a footer and has a copyright notice. */
function isCopyrightFooter({ tree, blocks }: ScoredPage, node: number): boolean {
  if (!FOOTER_NAME.test(readClassAndId(tree, node).trim())) return false;
  const end = getSubtreeEnd(tree, node);
  return blocks.some((block) => block.node >= node && block.node < end && block.text.rights);
}

/** Words of kept blocks in each element. */
function countKeptWords({ tree, blocks }: ScoredPage, verdicts: readonly BlockVerdict[]): Float64Array {
  const kept = new Float64Array(tree.count);
  for (const { at, node, text } of blocks) if (verdicts[at] === 'kept') kept[node] = (kept[node] ?? 0) + text.words;
  for (let node = tree.count - 1; node > 0; node--) {
    if (kept[node] === 0) continue;
    const parent = getParent(tree, node);
    kept[parent] = (kept[parent] ?? 0) + (kept[node] ?? 0);
  }
  return kept;
}

function isChrome(page: ScoredPage, node: number, countLinks: CountLinks): boolean {
  const { tree, surroundings, containers } = page;
  const tag = getTag(tree, node);
  if (tag === TAG.nav) return true;
  const linked = (containers.linked[node] ?? 0) / Math.max(1, containers.characters[node] ?? 0);
  const words = containers.words[node] ?? 0;
  const isMostlyLinks = linked >= MIN_LEADING_SHARE;
  const isBar = isMostlyLinks || words <= MAX_BAR_WORDS;
  if (((surroundings.evidence[node] ?? 0) & LANDMARK) !== 0) return isLandmark(page, node, isBar);
  if (LISTS[tag] === 1 && isContents(tree, node, { places: countLinks(node), linked })) return true;
  if (TEXTS[tag] === 1) return false;
  const { all, pager } = countLinks(node);
  if (pager > 0 && pager * 2 >= all && isBar) return true;
  const names = readBarNames(tree, node);
  if (names === '' || hasTextElement(tree, node)) return false;
  if (FOOTER_NAME.test(names) && words <= MAX_FOOTER_WORDS) return true;
  if (!isBar) return false;
  if (NAVIGATION_NAME.test(names)) return true;
  // A table of links with a header row is content.
  if (!isMostlyLinks || (tag === TAG.table && hasHeaderCell(tree, node))) return false;
  return POSSIBLE_NAVIGATION_NAME.test(names) || (tag !== TAG.table && MENU_NAME.test(names));
}

/**
 * The class and id of an element. With a heading inside only the class: such an id names a section after its subject.
 */
function readBarNames(tree: Tree, node: number): string {
  const end = getSubtreeEnd(tree, node);
  for (let inside = node; inside < end; inside++) {
    if (isHeading(tree, inside)) return getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '';
  }
  return readClassAndId(tree, node).trim();
}

/** Class names of notes next to the text, which are content. */
const NOTE_NAME = /note|admon|callout|tip|warn|caution|important|danger|info|topic/i;

/** Whether a landmark has little text or does not belong to the text. Notes next to the text are content. */
function isLandmark({ tree }: ScoredPage, node: number, isBar: boolean): boolean {
  const tag = getTag(tree, node);
  if (tag === TAG.footer) return QUOTES[getTag(tree, getParent(tree, node))] !== 1;
  if (tag === TAG.aside && NOTE_NAME.test(readClassAndId(tree, node))) return false;
  return isBar && !hasTextElement(tree, node);
}

/** Class names of tables of contents, which may have few links. */
const CONTENTS_NAME = /(?:^|[\s_-])(?:toc|contents|mini-?toc|on-this-page)(?:$|[\s_-])/i;

type LinkStatistics = { readonly places: ReturnType<CountLinks>; readonly linked: number };

/** Whether nearly all links of a list lead to places on the same page. */
function isContents(tree: Tree, node: number, { places: { all, local }, linked }: LinkStatistics): boolean {
  if (local === 0 || local < 0.9 * all || linked < MIN_CONTENTS_SHARE) return false;
  return (
    local >= MIN_CONTENTS_LINKS ||
    [node, getParent(tree, node)].some((one) => CONTENTS_NAME.test(readClassAndId(tree, one)))
  );
}

function readClassAndId(tree: Tree, node: number): string {
  return `${getKnownAttribute(tree, node, ATTRIBUTE.class) ?? ''} ${getKnownAttribute(tree, node, ATTRIBUTE.id) ?? ''}`;
}

const TEXT_ELEMENTS = buildTagSet('pre table dl h1');

/** Whether an element contains code, a table, a definition list or the main heading. */
function hasTextElement(tree: Tree, node: number): boolean {
  const end = getSubtreeEnd(tree, node);
  for (let inside = node + 1; inside < end; inside++) if (TEXT_ELEMENTS[getTag(tree, inside)] === 1) return true;
  return false;
}

function hasHeaderCell(tree: Tree, table: number): boolean {
  const header = findNextTag(tree, TAG.th, table);
  return header !== 0 && header < getSubtreeEnd(tree, table);
}

/** Minimum share of links in a box with a table of contents and other links. */
const MIN_BOX_LINK_SHARE = 0.6;

/** The outermost element around a table of contents that contains only it, headings and links. */
function findContentsBox({ tree, containers }: ScoredPage, region: number, node: number): number {
  if (LISTS[getTag(tree, node)] !== 1) return node;
  let from = node;
  for (let ancestor = getParent(tree, from); ancestor > region; ancestor = getParent(tree, ancestor)) {
    const more = (containers.words[ancestor] ?? 0) - (containers.words[node] ?? 0);
    const blocks = (containers.blocks[ancestor] ?? 0) - (containers.blocks[node] ?? 0);
    const isHeaded = blocks <= 1 && more <= MAX_BAR_WORDS;
    const isBox = (containers.linked[ancestor] ?? 0) >= MIN_BOX_LINK_SHARE * (containers.characters[ancestor] ?? 0);
    if ((!isHeaded && !isBox) || hasTextElement(tree, ancestor)) break;
    from = ancestor;
  }
  return from;
}
