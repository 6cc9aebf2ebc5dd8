import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getAttribute, getKnownAttribute, getSubtreeEnd, getTag, type Tree } from '#extract/html/tree.ts';
import { MAX_LINKS } from '#extract/reading.ts';
import type { ResolveReference, FindTarget } from '#extract/view/resolve-reference.ts';
import { findHashRoute, removeAnchor, removeFragment } from './url-parts.ts';

/** The robots directives of a page. */
type RobotsTags = { readonly noindex: boolean; readonly nofollow: boolean };

/** The user agent name for directives addressed to this crawler. */
const AGENT = 'quern';
/** Directives with a colon and a value, which look like a user agent name. */
const DIRECTIVES_WITH_VALUE: ReadonlySet<string> = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);
const MAX_DIRECTIVES_LENGTH = 10_000;

/** Parses an `X-Robots-Tag` header, or several joined by commas: `noindex`, `otherbot: nofollow, quern: none`. */
function parseRobotsHeader(header: string): RobotsTags {
  let mine = true;
  const directives: string[] = [];
  for (const part of header.slice(0, MAX_DIRECTIVES_LENGTH).toLowerCase().split(',')) {
    const named = /^\s*([\w-]+)\s*:\s*(.*)$/s.exec(part);
    const agent = named === null || DIRECTIVES_WITH_VALUE.has(named[1] ?? '') ? null : (named[1] ?? '');
    if (agent !== null) mine = agent === AGENT || agent === 'robots' || agent === '*';
    if (mine) directives.push((agent === null ? part : (named?.[2] ?? '')).trim());
  }
  return toRobotsTags(directives);
}

/** Parses a `meta` element with robots directives; the name `robots` addresses all crawlers. */
function parseRobotsMeta(name: string, content: string): RobotsTags {
  const addressed = name.trim().toLowerCase();
  if (addressed !== 'robots' && addressed !== AGENT) return toRobotsTags([]);
  return toRobotsTags(
    content
      .slice(0, MAX_DIRECTIVES_LENGTH)
      .toLowerCase()
      .split(/[\s,]+/),
  );
}

function toRobotsTags(directives: readonly string[]): RobotsTags {
  const none = directives.includes('none');
  return { noindex: none || directives.includes('noindex'), nofollow: none || directives.includes('nofollow') };
}

/** A link that a crawl may follow. `url` is an http or https URL without a fragment, except for hash routes that are followed. */
export type PageLink = {
  readonly url: string;
  /** The `next` or `prev` relation that the page declares; null if none. */
  readonly rel: 'next' | 'prev' | null;
  /** Whether every link to this URL is `nofollow`. */
  readonly nofollow: boolean;
};

/** A language version of a page. */
export type Alternate = { readonly hreflang: string; readonly url: string };

/** The links of one page that a crawl may follow. */
export type PageLinks = {
  /** Links, frames, language versions and a meta refresh, in order, each URL once; without the page itself. */
  readonly links: readonly PageLink[];
  /** The number of distinct references that are malformed or too long. */
  readonly invalid: number;
  /** The first hash routes, if they are not followed. */
  readonly routes: readonly string[];
  /** The number of links beyond the limit, which were not read. */
  readonly unread: number;
  readonly canonical: string | null;
  /** The target of a meta refresh. */
  readonly refresh: string | null;
  readonly alternates: readonly Alternate[];
  /** The RSS and Atom feeds that the page declares. */
  readonly feeds: readonly string[];
} & RobotsTags;

/** The page whose links are read. */
export type PageContext = {
  /** The final URL of the page. */
  readonly url: string;
  readonly resolve: ResolveReference;
  readonly targetOf: FindTarget;
  /** Whether links to hash routes count as pages of their own. */
  readonly followsRoutes: boolean;
  /** The `X-Robots-Tag` header of the response; `''` if there is none. */
  readonly xRobotsTag: string;
};

/** The total length of all links. A long base URL could expand short references to gigabytes. */
const MAX_URL_CHARACTERS = 20_000_000;
const MAX_ALTERNATES = 1_000;
const MAX_ROUTES = 20;
/** Schemes such as `mailto:` and `javascript:` do not lead to a page, so such links are not invalid. */
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
 * Reads the links of a page for crawling in one walk over its tree: `a`, `area`, frames, a meta refresh and language
 * versions, plus the data of `link` elements. The inert content of `template` is skipped.
 */
export function readPageLinks(tree: Tree, context: PageContext): PageLinks {
  const { followsRoutes } = context;
  const own = followsRoutes ? removeAnchor(context.url) : removeFragment(context.url);
  const links: LinkDraft['links'] = new Map();
  const tags = parseRobotsHeader(context.xRobotsTag);
  const counts = { characters: 0, unread: 0, canonical: null, refresh: null };
  const sets = { invalid: new Set<string>(), routes: new Set<string>(), feeds: new Set<string>() };
  const draft: LinkDraft = { links, ...sets, alternates: [], followsRoutes, ...counts, ...tags };
  for (let node = 1; node < tree.count; node++) {
    const tag = getTag(tree, node);
    if (tag === TAG.a || tag === TAG.area) readAnchor(tree, node, draft, context);
    else if (tag === TAG.iframe || tag === TAG.frame) {
      addReference(getKnownAttribute(tree, node, ATTRIBUTE.src), [], draft, context);
    } else if (tag === TAG.link) readLinkElement(tree, node, draft, context);
    else if (tag === TAG.meta) readMeta(tree, node, draft, context);
    else if (tag === TAG.template) node = getSubtreeEnd(tree, node) - 1;
  }
  addAlternates(own, draft);
  links.delete(own);
  const { characters: _, followsRoutes: __, invalid, routes, feeds, ...data } = draft;
  return { ...data, links: [...links.values()], invalid: invalid.size, routes: [...routes], feeds: [...feeds] };
}

function readAnchor(tree: Tree, node: number, draft: LinkDraft, { targetOf }: PageContext): void {
  const href = getKnownAttribute(tree, node, ATTRIBUTE.href);
  // A plain anchor stays on the page.
  if (href === null || href === '' || (href.startsWith('#') && findHashRoute(href) === '') || isFull(draft)) return;
  addLink({ href, target: targetOf(node), rels: splitRel(getKnownAttribute(tree, node, ATTRIBUTE.rel)) }, draft);
}

function addReference(href: string | null, rels: readonly string[], draft: LinkDraft, { resolve }: PageContext): void {
  if (href === null || href === '' || isFull(draft)) return;
  addLink({ href, target: resolve(href), rels }, draft);
}

/** Whether the link limit is reached; if so, counts the current link as unread. */
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
  const href = getKnownAttribute(tree, node, ATTRIBUTE.href);
  const rels = splitRel(getKnownAttribute(tree, node, ATTRIBUTE.rel));
  if (href === null || rels.length === 0) return;
  if (rels.includes('next') || rels.includes('prev')) addReference(href, rels, draft, context);
  if (rels.includes('canonical')) draft.canonical ??= toWebUrl(context.resolve(href), draft.followsRoutes);
  if (!rels.includes('alternate')) return;
  const url = toWebUrl(context.resolve(href));
  const hreflang = getAttribute(tree, node, 'hreflang');
  if (url === null || draft.alternates.length + draft.feeds.size >= MAX_ALTERNATES) return;
  if (FEED_TYPE.test(getKnownAttribute(tree, node, ATTRIBUTE.type)?.trim() ?? '')) draft.feeds.add(url);
  else if (hreflang !== null) {
    draft.alternates.push({ hreflang: hreflang.trim(), url });
  }
}

/**
 * Adds the language versions of a page to its links. Some templates declare a copy at the same path as a version, so a
 * URL that differs only in its query counts only if the page lists itself too, as search engines require.
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
  const content = getKnownAttribute(tree, node, ATTRIBUTE.content);
  if (content === null) return;
  if (getKnownAttribute(tree, node, ATTRIBUTE.httpEquiv)?.trim().toLowerCase() === 'refresh') {
    const target = parseRefreshTarget(content);
    draft.refresh ??= target === null ? null : toWebUrl(context.resolve(target));
    addReference(target, [], draft, context);
  }
  const tags = parseRobotsMeta(getKnownAttribute(tree, node, ATTRIBUTE.name) ?? '', content);
  draft.noindex ||= tags.noindex;
  draft.nofollow ||= tags.nofollow;
}

/** Parses the URL in `5; url=/next` by the HTML standard ("shared declarative refresh steps"). */
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

/** An http or https URL without its fragment, except for a hash route that is followed. */
function toWebUrl(url: string | null, keepsRoute = false): string | null {
  if (url === null || !(url.startsWith('https:') || url.startsWith('http:'))) return null;
  return keepsRoute ? removeAnchor(url) : removeFragment(url);
}
