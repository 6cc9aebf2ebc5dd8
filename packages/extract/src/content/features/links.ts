import { parseUrl } from '#extract/values/parse-url.ts';
import {
  readCollapsedText,
  getAttribute,
  getKnownAttribute,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getBareHost } from '#extract/values/web-urls.ts';
import { readValueStart } from '#extract/view/hidden-elements.ts';
import { MAX_ATTRIBUTES } from '#extract/view/name-words.ts';

const CONTACT_SCHEME = /^\s{0,9}(?:mailto|tel):/i;

/**
 * Whether a link is a phone number or an email address: its text belongs to the page and does not lead to another one.
 */
export function isContactLink(tree: Tree, node: number): boolean {
  const first = tree.attributeStart[node] ?? 0;
  const end = first + Math.min(tree.attributeCount[node] ?? 0, MAX_ATTRIBUTES);
  for (let at = first; at < end; at++) {
    if (tree.attributeId[at] === ATTRIBUTE.href)
      return !hasOtherStart(tree, at) && CONTACT_SCHEME.test(readValueStart(tree, at));
  }
  return false;
}

/**
 * Whether a value starts with a slash, a hash or `h` as most links do. Such a value need not be cut out of the source.
 */
function hasOtherStart({ source, valueStart }: Tree, at: number): boolean {
  const code = source.charCodeAt(valueStart[at] ?? 0);
  return code === 47 || code === 35 || code === 104;
}

/** Maximum levels above a heading, and nodes inside it, in which its link is searched. */
const MAX_LEVELS_AROUND = 3;
const MAX_NODES_INSIDE = 20;
const MAX_TEXT_LENGTH = 1000;
/** Titles of links to the home page: `Home [h]`, `Startseite`. */
const HOME_TITLE =
  /^(?:home(?:\s?page)?|start(?:seite|page)?|main page|accueil|inicio|in[íi]cio|strona główna|hlavní)(?![\p{L}\p{N}])/iu;
const HOME_PATH = /^\/(?:(?:index|home|default)(?:\.\w{2,5})?\/?)?$/i;

/** Whether a heading on another page of the site links to the home page, as site names do. */
export function isHomeHeading(tree: Tree, heading: number, url: string): boolean {
  const link = findHeadingLink(tree, heading);
  const reference = link === 0 ? null : getKnownAttribute(tree, link, ATTRIBUTE.href);
  if (reference === null || reference.trimStart().startsWith('#')) return false;
  const target = parseUrl(reference.trim(), url);
  const page = parseUrl(url);
  if (target === null || page === null || HOME_PATH.test(page.pathname)) return false;
  if (getBareHost(target) !== getBareHost(page)) return false;
  if (HOME_PATH.test(target.pathname) && target.search === '') return true;
  return target.href !== page.href && isNamedHome(tree, link);
}

/** Whether the `rel` or the title of a link marks it as the link to the home page. */
function isNamedHome(tree: Tree, link: number): boolean {
  const rel = getKnownAttribute(tree, link, ATTRIBUTE.rel)?.toLowerCase().split(/\s+/) ?? [];
  return rel.includes('home') || HOME_TITLE.test(getAttribute(tree, link, 'title')?.trim() ?? '');
}

/** The link around a heading, or the link that contains all of its text. 0 if there is none. */
function findHeadingLink(tree: Tree, heading: number): number {
  let ancestor = getParent(tree, heading);
  for (let level = 0; level < MAX_LEVELS_AROUND && ancestor !== 0; level++, ancestor = getParent(tree, ancestor)) {
    if (getTag(tree, ancestor) === TAG.a) return ancestor;
  }
  const end = Math.min(getSubtreeEnd(tree, heading), heading + MAX_NODES_INSIDE);
  for (let node = heading + 1; node < end; node++) {
    if (getTag(tree, node) !== TAG.a) continue;
    return readCollapsedText(tree, node, MAX_TEXT_LENGTH) === readCollapsedText(tree, heading, MAX_TEXT_LENGTH)
      ? node
      : 0;
  }
  return 0;
}
