import { isHeading } from '#extract/content/features/blocks.ts';
import { LANDMARK } from '#extract/content/features/name-evidence.ts';
import { collapsedText } from '#extract/html/element-text.ts';
import { allocateUint8s } from '#extract/html/scratch.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { isText, knownAttribute, nextTagged, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { type CountLinks, createLinkCounter, type OperationIndex } from './api-operations.ts';
import type { BlockVerdict, ScoredPage } from './scored-page.ts';

/** Characters of the longest name of a language. */
const MAX_NAME_LENGTH = 30;
/** Elements around a label in which its code is looked for. */
const MAX_LABEL_LEVELS = 3;
const LANGUAGE_CLASS = /(?:^|[\s_-])(?:lang|language)(?:$|\s)/i;

/** Leaves out the name of a language that stands in a box with a block of code and nothing else: Markdown says it with the code. */
export function dropCodeLabels({ tree, blocks, containers }: ScoredPage, verdicts: BlockVerdict[]): void {
  for (let at = 0; at + 1 < blocks.length; at++) {
    const label = blocks[at];
    const code = blocks[at + 1];
    if (label === undefined || code === undefined || verdicts[at] !== 'kept' || verdicts[at + 1] !== 'kept') continue;
    if (label.text.characters > MAX_NAME_LENGTH || isHeading(tree, label.node)) continue;
    const pre = findPre(tree, code.node);
    if (pre === 0 || label.from >= pre) continue;
    const words = label.text.words + (containers.words[pre] ?? 0);
    let box = parentOf(tree, label.from);
    for (let level = 0; level < MAX_LABEL_LEVELS && subtreeEndOf(tree, box) <= pre; level++) box = parentOf(tree, box);
    if (subtreeEndOf(tree, box) <= pre || containers.words[box] !== words) continue;
    if (isLanguageName(tree, { label: label.from, box, pre })) verdicts[at] = 'chrome';
  }
}

/** The `pre` that a block is, or that is around it; 0 for none. */
function findPre(tree: Tree, node: number): number {
  for (
    let around = node, level = 0;
    around !== 0 && level < MAX_LABEL_LEVELS;
    around = parentOf(tree, around), level++
  ) {
    if (tagOf(tree, around) === TAG.pre) return around;
  }
  return 0;
}

type CodeLabel = { readonly label: number; readonly box: number; readonly pre: number };

/** Whether what a label says is the language that its box or code has in its names, or the label is called one. */
function isLanguageName(tree: Tree, { label, box, pre }: CodeLabel): boolean {
  const own = parentOf(tree, label);
  if (LANGUAGE_CLASS.test(knownAttribute(tree, own, ATTRIBUTE.class) ?? '')) return true;
  const name = collapsedText(tree, own, MAX_NAME_LENGTH).toLowerCase();
  if (name === '') return false;
  const namesOf = (node: number) =>
    [ATTRIBUTE.class, ATTRIBUTE.dataLang, ATTRIBUTE.dataLanguage].flatMap((one) =>
      (knownAttribute(tree, node, one) ?? '').toLowerCase().split(/\s+/),
    );
  const ofCode = [pre, pre + 1].flatMap(namesOf);
  return (
    ofCode.includes(name) ||
    [...ofCode, ...namesOf(box)].some((one) => /^lang(?:uage)?-/.test(one) && one.endsWith(`-${name}`))
  );
}

/** An element that holds more of the words that look like content is no chrome, whatever it is called. */
const MAX_KEPT_SHARE = 0.3;
/** The share of characters in links from which on a text leads elsewhere rather than tells. */
const MIN_LEADING_SHARE = 0.5;
const MIN_CONTENTS_SHARE = 0.8;
/** Words of a bar, as "Edit this page" or "Search docs". */
const MAX_BAR_WORDS = 12;
/** Links that make a table of contents. */
const MIN_CONTENTS_LINKS = 3;

/** Names of classes that say that an element leads through the site or the page: of one that is short, and of any. */
const NAVIGATION_NAME =
  /(?:^|[\s_-])(?:nav|navbar|navbox|navigation|nav-?panel|nav-?header|nav-?footer|breadcrumbs?|pager|pagination|prev-?next|sphinxsidebar|toolbar|skip-?(?:link|nav|to-?content)?|edit-?(?:link|page|this-?page)|mw-editsection|share|social|feedback|toplang|langs|languages|language-?(?:selector|switcher|picker|menu))(?:$|[\s_-])/i;
const POSSIBLE_NAVIGATION_NAME = /(?:^|[\s_-])(?:header|footer|sidebar|related)(?:$|[\s_-])/i;
const FOOTER_NAME = /(?:^|[\s_-])(?:footer|doc-?info|last-?(?:updated|modified))(?:$|[\s_-])/i;
/** Words of the end of a page, a licence included. */
const MAX_FOOTER_WORDS = 160;
const MENU_NAME = /(?:^|[\s_-])menu(?:$|[\s_-])/i;
const TEXTS = tagSet(
  'p li dt dd td th h1 h2 h3 h4 h5 h6 pre blockquote code article main body html tr tbody caption figure',
);
const LISTS = tagSet('ul ol dl');
const QUOTES = tagSet('blockquote figure');

/**
 * Marks what is certainly chrome inside an element: navigation by its tag, role or name, tables of contents of the same
 * page, and bars that turn pages. What holds much of the text that looks like content is never marked.
 */
export function markChrome(
  judged: ScoredPage,
  verdicts: readonly BlockVerdict[],
  { region, index }: { readonly region: number; readonly index: OperationIndex | null },
): Uint8Array {
  const { tree, url, containers } = judged;
  const chrome = allocateUint8s(tree.count);
  const placesOf = createLinkCounter(tree, url);
  const kept = countKeptWords(judged, verdicts);
  const most = MAX_KEPT_SHARE * (kept[region] ?? 0);
  const end = subtreeEndOf(tree, region);
  for (let node = region + 1; node < end; node++) {
    if (isText(tree, node) || (containers.blocks[node] ?? 0) === 0) continue;
    const isIndex = index?.elements.has(node) === true;
    if (isIndex && index.isContent) node = subtreeEndOf(tree, node) - 1;
    if (!isIndex ? !isChrome(judged, node, placesOf) : index.isContent) continue;
    const from = findContentsBox(judged, region, node);
    if ((kept[from] ?? 0) > Math.max(most, MAX_BAR_WORDS) && !isCopyrightFooter(judged, node)) continue;
    chrome.fill(1, from, subtreeEndOf(tree, from));
    node = subtreeEndOf(tree, node) - 1;
  }
  return chrome;
}

/** Whether an element is called a footer and says whose the page is. */
function isCopyrightFooter({ tree, blocks }: ScoredPage, node: number): boolean {
  if (!FOOTER_NAME.test(readClassAndId(tree, node).trim())) return false;
  const end = subtreeEndOf(tree, node);
  return blocks.some((block) => block.node >= node && block.node < end && block.text.rights);
}

/** Words of blocks that are kept, in each element. */
function countKeptWords({ tree, blocks }: ScoredPage, verdicts: readonly BlockVerdict[]): Float64Array {
  const kept = new Float64Array(tree.count);
  for (const { at, node, text } of blocks) if (verdicts[at] === 'kept') kept[node] = (kept[node] ?? 0) + text.words;
  for (let node = tree.count - 1; node > 0; node--) {
    if (kept[node] === 0) continue;
    const parent = parentOf(tree, node);
    kept[parent] = (kept[parent] ?? 0) + (kept[node] ?? 0);
  }
  return kept;
}

function isChrome(judged: ScoredPage, node: number, placesOf: CountLinks): boolean {
  const { tree, surroundings, containers } = judged;
  const tag = tagOf(tree, node);
  if (tag === TAG.nav) return true;
  const linked = (containers.linked[node] ?? 0) / Math.max(1, containers.characters[node] ?? 0);
  const words = containers.words[node] ?? 0;
  const leads = linked >= MIN_LEADING_SHARE;
  const isBar = leads || words <= MAX_BAR_WORDS;
  if (((surroundings.evidence[node] ?? 0) & LANDMARK) !== 0) return isLandmark(judged, node, isBar);
  if (LISTS[tag] === 1 && isContents(tree, node, { places: placesOf(node), linked })) return true;
  if (TEXTS[tag] === 1) return false;
  const { all, pager } = placesOf(node);
  if (pager > 0 && pager * 2 >= all && isBar) return true;
  const names = readBarNames(tree, node);
  if (names === '' || hasTextElement(tree, node)) return false;
  if (FOOTER_NAME.test(names) && words <= MAX_FOOTER_WORDS) return true;
  if (!isBar) return false;
  if (NAVIGATION_NAME.test(names)) return true;
  // A table of links with a header is one of the text.
  if (!leads || (tag === TAG.table && hasHeaderCell(tree, node))) return false;
  return POSSIBLE_NAVIGATION_NAME.test(names) || (tag !== TAG.table && MENU_NAME.test(names));
}

/** The names of an element; where it has a heading, its id is that of a section, named after what it is about. */
function readBarNames(tree: Tree, node: number): string {
  const end = subtreeEndOf(tree, node);
  for (let inside = node; inside < end; inside++) {
    if (isHeading(tree, inside)) return knownAttribute(tree, node, ATTRIBUTE.class) ?? '';
  }
  return readClassAndId(tree, node).trim();
}

/** What is at the side of a text and belongs to it. */
const NOTE_NAME = /note|admon|callout|tip|warn|caution|important|danger|info|topic/i;

/** A landmark that says little, or that is no part of the text: notes at its side are content. */
function isLandmark({ tree }: ScoredPage, node: number, isBar: boolean): boolean {
  const tag = tagOf(tree, node);
  if (tag === TAG.footer) return QUOTES[tagOf(tree, parentOf(tree, node))] !== 1;
  if (tag === TAG.aside && NOTE_NAME.test(readClassAndId(tree, node))) return false;
  return isBar && !hasTextElement(tree, node);
}

/** Names of lists that lead to places of their page, however few. */
const CONTENTS_NAME = /(?:^|[\s_-])(?:toc|contents|mini-?toc|on-this-page)(?:$|[\s_-])/i;

type LinkStatistics = { readonly places: ReturnType<CountLinks>; readonly linked: number };

/** Whether nearly all of a list leads to places of the page that it is on. */
function isContents(tree: Tree, node: number, { places: { all, local }, linked }: LinkStatistics): boolean {
  if (local === 0 || local < 0.9 * all || linked < MIN_CONTENTS_SHARE) return false;
  return (
    local >= MIN_CONTENTS_LINKS ||
    [node, parentOf(tree, node)].some((one) => CONTENTS_NAME.test(readClassAndId(tree, one)))
  );
}

function readClassAndId(tree: Tree, node: number): string {
  return `${knownAttribute(tree, node, ATTRIBUTE.class) ?? ''} ${knownAttribute(tree, node, ATTRIBUTE.id) ?? ''}`;
}

const TEXT_ELEMENTS = tagSet('pre table dl h1');

/** Whether an element holds code, a table, definitions or the main heading. */
function hasTextElement(tree: Tree, node: number): boolean {
  const end = subtreeEndOf(tree, node);
  for (let inside = node + 1; inside < end; inside++) if (TEXT_ELEMENTS[tagOf(tree, inside)] === 1) return true;
  return false;
}

function hasHeaderCell(tree: Tree, table: number): boolean {
  const header = nextTagged(tree, TAG.th, table);
  return header !== 0 && header < subtreeEndOf(tree, table);
}

/** The share of links in a box that holds a table of contents beside other links. */
const MIN_BOX_LINK_SHARE = 0.6;

/** The widest element around a list of contents that holds nothing else but headings and links. */
function findContentsBox({ tree, containers }: ScoredPage, region: number, node: number): number {
  if (LISTS[tagOf(tree, node)] !== 1) return node;
  let from = node;
  for (let around = parentOf(tree, from); around > region; around = parentOf(tree, around)) {
    const more = (containers.words[around] ?? 0) - (containers.words[node] ?? 0);
    const blocks = (containers.blocks[around] ?? 0) - (containers.blocks[node] ?? 0);
    const isHeaded = blocks <= 1 && more <= MAX_BAR_WORDS;
    const isBox = (containers.linked[around] ?? 0) >= MIN_BOX_LINK_SHARE * (containers.characters[around] ?? 0);
    if ((!isHeaded && !isBox) || hasTextElement(tree, around)) break;
    from = around;
  }
  return from;
}
