import { collapsedText } from '#extract/html/element-text.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { attributeOf, knownAttribute, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { bareHost } from '#extract/values/web-urls.ts';
import { readValueStart } from '#extract/view/hiding.ts';
import { MAX_ATTRIBUTES } from '#extract/view/name-words.ts';

const CONTACT_SCHEME = /^\s{0,9}(?:mailto|tel):/i;

/** Whether a link is a number or an address to write to: text of the page, not a way to another one. */
export function isContactLink(tree: Tree, node: number): boolean {
  const first = tree.attributeStart[node] ?? 0;
  const end = first + Math.min(tree.attributeCount[node] ?? 0, MAX_ATTRIBUTES);
  for (let at = first; at < end; at++) {
    if (tree.attributeId[at] === ATTRIBUTE.href)
      return !hasOtherStart(tree, at) && CONTACT_SCHEME.test(readValueStart(tree, at));
  }
  return false;
}

/** Whether a value starts as most links do, with a slash, a hash or the `h` of `https`: there is no need to cut it out. */
function hasOtherStart({ source, valueStart }: Tree, at: number): boolean {
  const code = source.charCodeAt(valueStart[at] ?? 0);
  return code === 47 || code === 35 || code === 104;
}

/** Elements around a heading in which the link may be, and nodes inside it. */
const MAX_LEVELS_AROUND = 3;
const MAX_NODES_INSIDE = 20;
const MAX_TEXT_LENGTH = 1000;
/** Titles of a link to the first page, wherever that is: `Home [h]`, `Startseite`. */
const HOME_TITLE =
  /^(?:home(?:\s?page)?|start(?:seite|page)?|main page|accueil|inicio|in[íi]cio|strona główna|hlavní)(?![\p{L}\p{N}])/iu;
const HOME_PATH = /^\/(?:(?:index|home|default)(?:\.\w{2,5})?\/?)?$/i;

/** Whether a heading links to the first page of the site from another one, as the name of a site does. */
export function leadsHome(tree: Tree, heading: number, url: string): boolean {
  const link = findHeadingLink(tree, heading);
  const reference = link === 0 ? null : knownAttribute(tree, link, ATTRIBUTE.href);
  if (reference === null || reference.trimStart().startsWith('#')) return false;
  const target = URL.parse(reference.trim(), url);
  const page = URL.parse(url);
  if (target === null || page === null || HOME_PATH.test(page.pathname)) return false;
  if (bareHost(target) !== bareHost(page)) return false;
  if (HOME_PATH.test(target.pathname) && target.search === '') return true;
  return target.href !== page.href && isNamedHome(tree, link);
}

/** Whether a link says of itself that it leads to the first page. */
function isNamedHome(tree: Tree, link: number): boolean {
  const rel = knownAttribute(tree, link, ATTRIBUTE.rel)?.toLowerCase().split(/\s+/) ?? [];
  return rel.includes('home') || HOME_TITLE.test(attributeOf(tree, link, 'title')?.trim() ?? '');
}

/** The link that a heading stands in, or that has all of its text; 0 for none. */
function findHeadingLink(tree: Tree, heading: number): number {
  let around = parentOf(tree, heading);
  for (let level = 0; level < MAX_LEVELS_AROUND && around !== 0; level++, around = parentOf(tree, around)) {
    if (tagOf(tree, around) === TAG.a) return around;
  }
  const end = Math.min(subtreeEndOf(tree, heading), heading + MAX_NODES_INSIDE);
  for (let node = heading + 1; node < end; node++) {
    if (tagOf(tree, node) !== TAG.a) continue;
    return collapsedText(tree, node, MAX_TEXT_LENGTH) === collapsedText(tree, heading, MAX_TEXT_LENGTH) ? node : 0;
  }
  return 0;
}
