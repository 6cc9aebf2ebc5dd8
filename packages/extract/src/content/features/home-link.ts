import { bareHost } from '#extract/values/web-urls.ts';
import { collapsedText } from '#extract/html/element-text.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { attributeOf, knownAttribute, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';

/** Elements around a heading in which the link may be, and nodes inside it. */
const AROUND = 3;
const INSIDE = 20;
const MAX_LENGTH = 1000;
/** Titles of a link to the first page, wherever that is: `Home [h]`, `Startseite`. */
const SAYS_HOME =
  /^(?:home(?:\s?page)?|start(?:seite|page)?|main page|accueil|inicio|in[íi]cio|strona główna|hlavní)(?![\p{L}\p{N}])/iu;
const FIRST_PAGE = /^\/(?:(?:index|home|default)(?:\.\w{2,5})?\/?)?$/i;

/** Whether a heading links to the first page of the site from another one, as the name of a site does. */
export function leadsHome(tree: Tree, heading: number, url: string): boolean {
  const link = linkOf(tree, heading);
  const reference = link === 0 ? null : knownAttribute(tree, link, ATTRIBUTE.href);
  if (reference === null || reference.trimStart().startsWith('#')) return false;
  const target = URL.parse(reference.trim(), url);
  const page = URL.parse(url);
  if (target === null || page === null || FIRST_PAGE.test(page.pathname)) return false;
  if (bareHost(target) !== bareHost(page)) return false;
  if (FIRST_PAGE.test(target.pathname) && target.search === '') return true;
  return target.href !== page.href && saysHome(tree, link);
}

/** Whether a link says of itself that it leads to the first page. */
function saysHome(tree: Tree, link: number): boolean {
  const rel = knownAttribute(tree, link, ATTRIBUTE.rel)?.toLowerCase().split(/\s+/) ?? [];
  return rel.includes('home') || SAYS_HOME.test(attributeOf(tree, link, 'title')?.trim() ?? '');
}

/** The link that a heading stands in, or that has all of its text; 0 for none. */
function linkOf(tree: Tree, heading: number): number {
  let around = parentOf(tree, heading);
  for (let level = 0; level < AROUND && around !== 0; level++, around = parentOf(tree, around)) {
    if (tagOf(tree, around) === TAG.a) return around;
  }
  const end = Math.min(subtreeEndOf(tree, heading), heading + INSIDE);
  for (let node = heading + 1; node < end; node++) {
    if (tagOf(tree, node) !== TAG.a) continue;
    return collapsedText(tree, node, MAX_LENGTH) === collapsedText(tree, heading, MAX_LENGTH) ? node : 0;
  }
  return 0;
}
