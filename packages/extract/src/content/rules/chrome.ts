import { uint8s } from '#extract/html/scratch.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { isText, knownAttribute, nextTagged, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { isHeading } from '#extract/content/features/block-order.ts';
import { LANDMARK } from '#extract/content/features/name-evidence.ts';
import type { OperationIndex } from './api-operations.ts';
import { type LinkPlaces, linkPlacesOf } from './link-places.ts';
import type { BlockVerdict, ScoredPage } from './scored-page.ts';

/** An element that holds more of the words that look like content is no chrome, whatever it is called. */
const MAX_KEPT = 0.3;
/** The share of characters in links from which on a text leads elsewhere rather than tells. */
const LEADING = 0.5;
const MOSTLY_LINKS = 0.8;
/** Words of a bar, as "Edit this page" or "Search docs". */
const BAR_WORDS = 12;
/** Links that make a table of contents. */
const CONTENTS_LINKS = 3;

/** Names of classes that say that an element leads through the site or the page: of one that is short, and of any. */
const LEADS =
  /(?:^|[\s_-])(?:nav|navbar|navbox|navigation|nav-?panel|nav-?header|nav-?footer|breadcrumbs?|pager|pagination|prev-?next|sphinxsidebar|toolbar|skip-?(?:link|nav|to-?content)?|edit-?(?:link|page|this-?page)|mw-editsection|share|social|feedback|toplang|langs|languages|language-?(?:selector|switcher|picker|menu))(?:$|[\s_-])/i;
const MAY_LEAD = /(?:^|[\s_-])(?:header|footer|sidebar|related)(?:$|[\s_-])/i;
const FOOTER = /(?:^|[\s_-])(?:footer|doc-?info|last-?(?:updated|modified))(?:$|[\s_-])/i;
/** Words of the end of a page, a licence included. */
const FOOTER_WORDS = 160;
const MENU = /(?:^|[\s_-])menu(?:$|[\s_-])/i;
const TEXTS = tagSet(
  'p li dt dd td th h1 h2 h3 h4 h5 h6 pre blockquote code article main body html tr tbody caption figure',
);
const LISTS = tagSet('ul ol dl');
const QUOTES = tagSet('blockquote figure');

/**
 * Marks what is certainly chrome inside an element: navigation by its tag, role or name, tables of contents of the same
 * page, and bars that turn pages. What holds much of the text that looks like content is never marked.
 */
export function chromeIn(
  judged: ScoredPage,
  verdicts: readonly BlockVerdict[],
  { region, index }: { readonly region: number; readonly index: OperationIndex | null },
): Uint8Array {
  const { tree, url, containers } = judged;
  const chrome = uint8s(tree.count);
  const placesOf = linkPlacesOf(tree, url);
  const kept = keptWords(judged, verdicts);
  const most = MAX_KEPT * (kept[region] ?? 0);
  const end = subtreeEndOf(tree, region);
  for (let node = region + 1; node < end; node++) {
    if (isText(tree, node) || (containers.blocks[node] ?? 0) === 0) continue;
    const isIndex = index?.elements.has(node) === true;
    if (isIndex && index.isContent) node = subtreeEndOf(tree, node) - 1;
    if (!isIndex ? !isChrome(judged, node, placesOf) : index.isContent) continue;
    const from = withItsHeading(judged, region, node);
    if ((kept[from] ?? 0) > Math.max(most, BAR_WORDS) && !saysRights(judged, node)) continue;
    chrome.fill(1, from, subtreeEndOf(tree, from));
    node = subtreeEndOf(tree, node) - 1;
  }
  return chrome;
}

/** Whether an element is called a footer and says whose the page is. */
function saysRights({ tree, blocks }: ScoredPage, node: number): boolean {
  if (!FOOTER.test(namesOf(tree, node).trim())) return false;
  const end = subtreeEndOf(tree, node);
  return blocks.some((block) => block.node >= node && block.node < end && block.text.rights);
}

/** Words of blocks that are kept, in each element. */
function keptWords({ tree, blocks }: ScoredPage, verdicts: readonly BlockVerdict[]): Float64Array {
  const kept = new Float64Array(tree.count);
  for (const { at, node, text } of blocks) if (verdicts[at] === 'kept') kept[node] = (kept[node] ?? 0) + text.words;
  for (let node = tree.count - 1; node > 0; node--) {
    if (kept[node] === 0) continue;
    const parent = parentOf(tree, node);
    kept[parent] = (kept[parent] ?? 0) + (kept[node] ?? 0);
  }
  return kept;
}

function isChrome(judged: ScoredPage, node: number, placesOf: LinkPlaces): boolean {
  const { tree, surroundings, containers } = judged;
  const tag = tagOf(tree, node);
  if (tag === TAG.nav) return true;
  const linked = (containers.linked[node] ?? 0) / Math.max(1, containers.characters[node] ?? 0);
  const words = containers.words[node] ?? 0;
  const leads = linked >= LEADING;
  const isBar = leads || words <= BAR_WORDS;
  if (((surroundings.evidence[node] ?? 0) & LANDMARK) !== 0) return isLandmark(judged, node, isBar);
  if (LISTS[tag] === 1 && isContents(tree, node, { places: placesOf(node), linked })) return true;
  if (TEXTS[tag] === 1) return false;
  const { all, pager } = placesOf(node);
  if (pager > 0 && pager * 2 >= all && isBar) return true;
  const names = barNamesOf(tree, node);
  if (names === '' || holdsText(tree, node)) return false;
  if (FOOTER.test(names) && words <= FOOTER_WORDS) return true;
  if (!isBar) return false;
  if (LEADS.test(names)) return true;
  // A table of links with a header is one of the text.
  if (!leads || (tag === TAG.table && holdsHeader(tree, node))) return false;
  return MAY_LEAD.test(names) || (tag !== TAG.table && MENU.test(names));
}

/** The names of an element; where it has a heading, its id is that of a section, named after what it is about. */
function barNamesOf(tree: Tree, node: number): string {
  const end = subtreeEndOf(tree, node);
  for (let inside = node; inside < end; inside++) {
    if (isHeading(tree, inside)) return knownAttribute(tree, node, ATTRIBUTE.class) ?? '';
  }
  return namesOf(tree, node).trim();
}

/** What is at the side of a text and belongs to it. */
const NOTES = /note|admon|callout|tip|warn|caution|important|danger|info|topic/i;

/** A landmark that says little, or that is no part of the text: notes at its side are content. */
function isLandmark({ tree }: ScoredPage, node: number, isBar: boolean): boolean {
  const tag = tagOf(tree, node);
  if (tag === TAG.footer) return QUOTES[tagOf(tree, parentOf(tree, node))] !== 1;
  if (tag === TAG.aside && NOTES.test(namesOf(tree, node))) return false;
  return isBar && !holdsText(tree, node);
}

/** Names of lists that lead to places of their page, however few. */
const CONTENTS = /(?:^|[\s_-])(?:toc|contents|mini-?toc|on-this-page)(?:$|[\s_-])/i;

type Leading = { readonly places: ReturnType<LinkPlaces>; readonly linked: number };

/** Whether nearly all of a list leads to places of the page that it is on. */
function isContents(tree: Tree, node: number, { places: { all, local }, linked }: Leading): boolean {
  if (local === 0 || local < 0.9 * all || linked < MOSTLY_LINKS) return false;
  return local >= CONTENTS_LINKS || [node, parentOf(tree, node)].some((one) => CONTENTS.test(namesOf(tree, one)));
}

function namesOf(tree: Tree, node: number): string {
  return `${knownAttribute(tree, node, ATTRIBUTE.class) ?? ''} ${knownAttribute(tree, node, ATTRIBUTE.id) ?? ''}`;
}

const KEPT_WHOLE = tagSet('pre table dl h1');

/** Whether an element holds code, a table, definitions or the main heading. */
function holdsText(tree: Tree, node: number): boolean {
  const end = subtreeEndOf(tree, node);
  for (let inside = node + 1; inside < end; inside++) if (KEPT_WHOLE[tagOf(tree, inside)] === 1) return true;
  return false;
}

function holdsHeader(tree: Tree, table: number): boolean {
  const header = nextTagged(tree, TAG.th, table);
  return header !== 0 && header < subtreeEndOf(tree, table);
}

/** The share of links in a box that holds a table of contents beside other links. */
const BOX_LINKS = 0.6;

/** The widest element around a list of contents that holds nothing else but headings and links. */
function withItsHeading({ tree, containers }: ScoredPage, region: number, node: number): number {
  if (LISTS[tagOf(tree, node)] !== 1) return node;
  let from = node;
  for (let around = parentOf(tree, from); around > region; around = parentOf(tree, around)) {
    const more = (containers.words[around] ?? 0) - (containers.words[node] ?? 0);
    const blocks = (containers.blocks[around] ?? 0) - (containers.blocks[node] ?? 0);
    const isHeaded = blocks <= 1 && more <= BAR_WORDS;
    const isBox = (containers.linked[around] ?? 0) >= BOX_LINKS * (containers.characters[around] ?? 0);
    if ((!isHeaded && !isBox) || holdsText(tree, around)) break;
    from = around;
  }
  return from;
}
