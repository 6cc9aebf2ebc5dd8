import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { isText, knownAttribute, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { toAbsoluteUrl } from '#extract/values/web-urls.ts';
import { isSingleLine, readLabel } from './date-evidence.ts';
import { announcesPublishing } from './date-words.ts';
import type { Sighting } from './facts.ts';

/** Fewest entries that make a list; one article that is led by a link to another page of its site is an entry alone. */
const MIN_ENTRIES = 3;
const MAX_ENTRY_LEVELS = 8;
const HEADING_TAGS = tagSet('h1 h2 h3 h4 h5');
/** Parts of a list or table, of which each may have a day without a heading. */
const ITEM_TAGS = tagSet('li dt tr td');

/** Where a page lies: its address, and the one that it gives itself; and its main heading, 0 for none. */
type PageIdentity = { readonly url: string; readonly canonical: string | null; readonly heading: number };

/**
 * Tells the dates that stand in the entries of a list, each with a heading that leads to its own page: they are of those
 * pages.
 */
export function createEntryTest(
  tree: Tree,
  sightings: readonly Sighting[],
  own: PageIdentity,
): (sighting: Sighting) => boolean {
  const items = new Map<string, Set<number>>();
  const visit = (node: number, look: (key: string, item: number) => boolean): boolean => {
    let item = node;
    for (let level = 0; level < MAX_ENTRY_LEVELS && item !== 0; level++, item = parentOf(tree, item)) {
      if (tagOf(tree, item) === TAG.body) return false;
      if (!isText(tree, item) && look(`${parentOf(tree, item)} ${tagOf(tree, item)}`, item)) return true;
    }
    return false;
  };
  for (const { node } of sightings) {
    visit(node, (key, item) => {
      const known = items.get(key) ?? new Set();
      items.set(key, known.add(item));
      return false;
    });
  }
  const leads = createHeadingTargetReader(tree, own);
  return (sighting) =>
    visit(sighting.node, (key, item) => {
      if (tagOf(tree, item) === TAG.article && leads(item) === 'within' && isBelowPageHeading(tree, item, own.heading))
        return true;
      const all = items.get(key);
      if (all === undefined || all.size < MIN_ENTRIES) return false;
      if (ITEM_TAGS[tagOf(tree, item)] === 1 && isSingleLine(tree, item))
        return !announcesPublishing(readLabel(tree, sighting));
      return leads(item) !== null && [...all].filter((one) => leads(one) !== null).length >= MIN_ENTRIES;
    });
}

/** Whether the page has a main heading of its own before an element, such as the name of a tag; that of a site is a link. */
function isBelowPageHeading(tree: Tree, item: number, heading: number): boolean {
  return heading !== 0 && heading < item && findLink(tree, heading, 0) === null;
}

/**
 * Where the heading of an element leads, its first or that of the page: to another page of the site, or elsewhere; null
 * where it is no link or leads to this page.
 */
function createHeadingTargetReader(
  tree: Tree,
  { url, canonical, heading }: PageIdentity,
): (item: number) => 'within' | 'elsewhere' | null {
  const here = URL.parse(url);
  const paths = new Set([url, canonical === null ? null : toAbsoluteUrl(canonical, url)].map(toPathKey));
  const known = new Map<number, 'within' | 'elsewhere' | null>();
  return (item) => {
    const before = known.get(item);
    if (before !== undefined) return before;
    const isMain = heading >= item && heading < subtreeEndOf(tree, item);
    const href = isMain ? findLink(tree, heading, item) : findHeadingLink(tree, item);
    // A post of a thread leads to its place.
    const target = href === null || href.includes('#') ? null : URL.parse(href, url);
    const isHere = target === null || (target.host === here?.host && paths.has(toPathKey(target.href)));
    const lead = isHere ? null : target.host === here?.host ? 'within' : 'elsewhere';
    known.set(item, lead);
    return lead;
  };
}

/** What tells pages of one site apart, but for the end of its path and what other addresses of one page differ in. */
function toPathKey(url: string | null): string {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed === null) return '';
  const path = parsed.pathname.replace(/\/(?:index\.\w+)?$/, '');
  return path === '' ? parsed.search : path;
}

const MAX_ENTRY_NODES = 400;

/** The target of the first heading of an element where that is a link, or in one. */
function findHeadingLink(tree: Tree, item: number): string | null {
  const end = Math.min(subtreeEndOf(tree, item), item + MAX_ENTRY_NODES);
  for (let node = item; node < end; node++) {
    if (HEADING_TAGS[tagOf(tree, node)] === 1) return findLink(tree, node, item);
  }
  return null;
}

function findLink(tree: Tree, heading: number, item: number): string | null {
  const end = subtreeEndOf(tree, heading);
  for (let node = heading; node < end; node++) {
    const href = getHref(tree, node);
    if (href !== null) return href;
  }
  for (let node = heading; node >= item && node !== 0; node = parentOf(tree, node)) {
    const href = getHref(tree, node);
    if (href !== null) return href;
  }
  return null;
}

function getHref(tree: Tree, node: number): string | null {
  return tagOf(tree, node) === TAG.a ? knownAttribute(tree, node, ATTRIBUTE.href) : null;
}
