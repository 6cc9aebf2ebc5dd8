import type { ResolveReference, TargetOf } from '#extract/view/resolve-reference.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { attributeOf, knownAttribute, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { MAX_LINKS } from '#extract/reading.ts';
import { hashRouteIn, withoutAnchor, withoutFragment } from './hash-routes.ts';
import { parseRobotsHeader, parseRobotsMeta, type RobotsTags } from './robots-tags.ts';

/** A link that a crawl may follow; `url` is an http or https URL without fragment, unless that is a route to be followed. */
export type PageLink = {
  readonly url: string;
  /** How the page itself counts on, where it says so. */
  readonly rel: 'next' | 'prev' | null;
  /** Every link to this URL says `nofollow`. */
  readonly nofollow: boolean;
};

export type Alternate = { readonly hreflang: string; readonly url: string };

/** The links of one page that a crawl may follow. */
export type PageLinks = {
  /** Links, frames, other languages and a refresh, in order, each URL once; the page itself is none. */
  readonly links: readonly PageLink[];
  /** References that would be web addresses and are none, malformed or too long, each once. */
  readonly invalid: number;
  /** The first links to hash routes, where those are not followed. */
  readonly routes: readonly string[];
  /** Links beyond the bound, which were not looked at. */
  readonly unread: number;
  readonly canonical: string | null;
  /** Where a meta refresh sends the reader. */
  readonly refresh: string | null;
  readonly alternates: readonly Alternate[];
  /** RSS and Atom feeds that the page names. */
  readonly feeds: readonly string[];
} & RobotsTags;

export type PageContext = {
  /** The final URL of the page. */
  readonly url: string;
  readonly resolve: ResolveReference;
  readonly targetOf: TargetOf;
  /** Whether links to hash routes are pages of their own. */
  readonly followsRoutes: boolean;
  /** Of the answer, `''` for none. */
  readonly xRobotsTag: string;
};

/** Characters of all links together: a long base element would make millions of them out of short references. */
const MAX_URL_CHARACTERS = 20_000_000;
const MAX_ALTERNATES = 1_000;
const MAX_ROUTES = 20;
/** `mailto:`, `javascript:` and their like lead to no page, and are not meant to. */
const OTHER_SCHEME = /^\s*(?!https?:)[a-z][a-z\d+.-]*:/i;
const FEED_TYPE = /^application\/(?:rss|atom|rdf)\+xml\b/i;

type LinkDraft = {
  readonly links: Map<string, { readonly url: string; rel: PageLink['rel']; nofollow: boolean }>;
  readonly alternates: Alternate[];
  readonly feeds: Set<string>;
  readonly invalid: Set<string>;
  readonly routes: Set<string>;
  readonly followsRoutes: boolean;
  characters: number;
  unread: number;
  canonical: string | null;
  refresh: string | null;
  noindex: boolean;
  nofollow: boolean;
};

/**
 * Reads the links of a page for crawling, in one walk over its tree: those of `a`, `area`, frames and a refresh, and the
 * page in other languages; other `link` elements for what they say. The content of `template` is not yet part of the page and is passed over.
 */
export function readPageLinks(tree: Tree, context: PageContext): PageLinks {
  const { followsRoutes } = context;
  const own = followsRoutes ? withoutAnchor(context.url) : withoutFragment(context.url);
  const links: LinkDraft['links'] = new Map();
  const tags = parseRobotsHeader(context.xRobotsTag);
  const counts = { characters: 0, unread: 0, canonical: null, refresh: null };
  const sets = { invalid: new Set<string>(), routes: new Set<string>(), feeds: new Set<string>() };
  const draft: LinkDraft = { links, ...sets, alternates: [], followsRoutes, ...counts, ...tags };
  for (let node = 1; node < tree.count; node++) {
    const tag = tagOf(tree, node);
    if (tag === TAG.a || tag === TAG.area) readAnchor(tree, node, draft, context);
    else if (tag === TAG.iframe || tag === TAG.frame) {
      addReference(knownAttribute(tree, node, ATTRIBUTE.src), [], draft, context);
    } else if (tag === TAG.link) readLinkElement(tree, node, draft, context);
    else if (tag === TAG.meta) readMeta(tree, node, draft, context);
    else if (tag === TAG.template) node = subtreeEndOf(tree, node) - 1;
  }
  addAlternates(own, draft);
  links.delete(own);
  const { characters: _, followsRoutes: __, invalid, routes, feeds, ...said } = draft;
  return { ...said, links: [...links.values()], invalid: invalid.size, routes: [...routes], feeds: [...feeds] };
}

function readAnchor(tree: Tree, node: number, draft: LinkDraft, { targetOf }: PageContext): void {
  const href = knownAttribute(tree, node, ATTRIBUTE.href);
  // An anchor alone stays on the page.
  if (href === null || href === '' || (href.startsWith('#') && hashRouteIn(href) === '') || isFull(draft)) return;
  addLink({ href, target: targetOf(node), rels: splitRel(knownAttribute(tree, node, ATTRIBUTE.rel)) }, draft);
}

function addReference(href: string | null, rels: readonly string[], draft: LinkDraft, { resolve }: PageContext): void {
  if (href === null || href === '' || isFull(draft)) return;
  addLink({ href, target: resolve(href), rels }, draft);
}

/** Whether no more links are looked at; then one more has gone unread. */
function isFull(draft: LinkDraft): boolean {
  if (draft.links.size + draft.invalid.size < MAX_LINKS && draft.characters < MAX_URL_CHARACTERS) return false;
  draft.unread++;
  return true;
}

type Reference = { readonly href: string; readonly target: string | null; readonly rels: readonly string[] };

function addLink({ href, target, rels }: Reference, draft: LinkDraft): void {
  const whole = toWebUrl(target, true);
  const url = toWebUrl(target, draft.followsRoutes);
  if (whole === null || url === null) {
    if (!OTHER_SCHEME.test(href)) draft.invalid.add(href);
    return;
  }
  if (url !== whole && draft.routes.size < MAX_ROUTES) draft.routes.add(whole);
  const rel = rels.includes('next') ? 'next' : rels.includes('prev') ? 'prev' : null;
  const nofollow = rels.includes('nofollow');
  const known = draft.links.get(url);
  if (known === undefined) {
    draft.links.set(url, { url, rel, nofollow });
    draft.characters += url.length;
  } else {
    known.rel ??= rel;
    known.nofollow &&= nofollow;
  }
}

function readLinkElement(tree: Tree, node: number, draft: LinkDraft, context: PageContext): void {
  const href = knownAttribute(tree, node, ATTRIBUTE.href);
  const rels = splitRel(knownAttribute(tree, node, ATTRIBUTE.rel));
  if (href === null || rels.length === 0) return;
  if (rels.includes('next') || rels.includes('prev')) addReference(href, rels, draft, context);
  if (rels.includes('canonical')) draft.canonical ??= toWebUrl(context.resolve(href), draft.followsRoutes);
  if (!rels.includes('alternate')) return;
  const url = toWebUrl(context.resolve(href));
  const hreflang = attributeOf(tree, node, 'hreflang');
  if (url === null || draft.alternates.length + draft.feeds.size >= MAX_ALTERNATES) return;
  if (FEED_TYPE.test(knownAttribute(tree, node, ATTRIBUTE.type)?.trim() ?? '')) draft.feeds.add(url);
  else if (hreflang !== null) {
    draft.alternates.push({ hreflang: hreflang.trim(), url });
  }
}

/**
 * Adds the page in other languages to its links. Templates name a version at the same path that is only a copy, so an
 * address that differs by its query alone counts where the page names itself too, as search engines ask of such a set.
 */
function addAlternates(own: string, draft: LinkDraft): void {
  const ownUrls = [own, draft.canonical].filter((url) => url !== null);
  const namesItself = draft.alternates.some(({ url }) => ownUrls.includes(url));
  const ownPaths = ownUrls.map(removeQuery);
  for (const { url } of draft.alternates) {
    if (!namesItself && ownPaths.includes(removeQuery(url))) continue;
    if (!isFull(draft)) addLink({ href: url, target: url, rels: [] }, draft);
  }
}

function removeQuery(url: string): string {
  return url.replace(/\?.*$/s, '');
}

function readMeta(tree: Tree, node: number, draft: LinkDraft, context: PageContext): void {
  const content = knownAttribute(tree, node, ATTRIBUTE.content);
  if (content === null) return;
  if (knownAttribute(tree, node, ATTRIBUTE.httpEquiv)?.trim().toLowerCase() === 'refresh') {
    const target = parseRefreshTarget(content);
    draft.refresh ??= target === null ? null : toWebUrl(context.resolve(target));
    addReference(target, [], draft, context);
  }
  const tags = parseRobotsMeta(knownAttribute(tree, node, ATTRIBUTE.name) ?? '', content);
  draft.noindex ||= tags.noindex;
  draft.nofollow ||= tags.nofollow;
}

/** The address in `5; url=/next`, as the HTML standard reads it ("shared declarative refresh steps"). */
function parseRefreshTarget(content: string): string | null {
  const found = /^\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is.exec(content.slice(0, 10_000));
  const target = (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim();
  return target === '' ? null : target;
}

const NO_RELS: readonly string[] = [];

/** Most links have no relation. */
function splitRel(rel: string | null): readonly string[] {
  return rel === null ? NO_RELS : rel.toLowerCase().split(/\s+/);
}

/** A web address without its fragment; a hash route stays where it is to be kept. */
function toWebUrl(url: string | null, keepsRoute = false): string | null {
  if (url === null || !(url.startsWith('https:') || url.startsWith('http:'))) return null;
  return keepsRoute ? withoutAnchor(url) : withoutFragment(url);
}
