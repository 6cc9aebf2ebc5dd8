import { parseUrl } from '#extract/values/parse-url.ts';
import { decodeXML } from 'entities';
import { createXmlScanner, parseXmlAttributes, type XmlListener } from '#extract/converters/xml.ts';
import { type LinkBase, resolveLink, toLinkBase } from '#extract/values/resolve-link.ts';
import { toCanonicalKey } from './canonical-key.ts';
import { removeAnchor } from './url-parts.ts';
import type { Alternate } from './page-links.ts';

/** The most sitemap files of a site, and the deepest nesting of sitemap indexes. */
const MAX_FILES = 500;
const MAX_DEPTH = 3;

/** Common sitemap paths for sites whose robots.txt lists none, the most common first. */
const SITEMAP_PATHS = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/sitemap-index.xml',
  '/wp-sitemap.xml',
  '/sitemap.xml.gz',
  '/sitemap/sitemap.xml',
  '/sitemap/index.xml',
  '/sitemaps.xml',
  '/sitemap.txt',
];

/** Common feed paths for sites whose pages declare none. */
const FEED_PATHS = [
  '/feed',
  '/rss.xml',
  '/feed.xml',
  '/atom.xml',
  '/index.xml',
  '/rss',
  '/blog/feed',
  '/feeds/posts/default',
];

/**
 * A sitemap file to read. `depth` is the number of sitemap indexes that lead to it; 0 if robots.txt lists it or it is
 * at a common path.
 */
type SitemapFile = { readonly url: string; readonly depth: number };

/** The queue of a site's sitemap files. */
export type SitemapQueue = {
  /** Adds a file; false if it is known, nested too deep, above the limit, or not a valid URL. */
  readonly add: (url: string, depth: number) => boolean;
  /** The next file to read; null if there is none. */
  readonly next: () => SitemapFile | null;
  /** The number of files rejected because of their number or depth. */
  readonly refused: () => number;
};

/** Creates the queue of one site: each file once, at most 500 files, at most three indexes deep. */
export function createSitemapQueue(): SitemapQueue {
  const known = new Set<string>();
  const waiting: SitemapFile[] = [];
  let accepted = 0;
  let refused = 0;
  return {
    add(url, depth) {
      const href = parseUrl(url)?.href ?? '';
      const key = toCanonicalKey(href);
      if (!/^https?:/.test(href) || known.has(key)) return false;
      if (known.size >= MAX_FILES || depth > MAX_DEPTH) {
        refused++;
        return false;
      }
      known.add(key);
      waiting.push({ url: href, depth });
      return true;
    },
    next: () => (accepted < waiting.length ? (waiting[accepted++] ?? null) : null),
    refused: () => refused,
  };
}

/** The sitemap URLs to try for a site whose robots.txt lists none; `siteHref` is any URL of the site. */
export function listCommonSitemapUrls(siteHref: string): readonly string[] {
  return SITEMAP_PATHS.map((path) => new URL(path, siteHref).href);
}

/** The feed URLs to try for a site whose pages declare none; `siteHref` is any URL of the site. */
export function listCommonFeedUrls(siteHref: string): readonly string[] {
  return FEED_PATHS.map((path) => new URL(path, siteHref).href);
}

/** A sitemap entry: a page, or another sitemap of an index. */
export type SitemapEntry = {
  readonly kind: 'page' | 'sitemap';
  readonly url: string;
  /** As written, not validated. */
  readonly lastmod: string | null;
  /** Only for items of a feed. */
  readonly title: string | null;
  /** The language versions of the page (`xhtml:link`). */
  readonly alternates: readonly Alternate[];
};

/** The URL of a sitemap, and which of its entries to accept. */
export type SitemapOptions = {
  /** The URL of the sitemap, http or https. */
  readonly url: string;
  /** Whether to accept a URL. A sitemap is only valid for its own host, and the crawl has its scope. */
  readonly admits: (url: string, kind: SitemapEntry['kind']) => boolean;
};

/** Reads a sitemap that arrives in pieces of text. */
export type SitemapReader = {
  /** Takes the next piece of text; returns the entries that it completes. */
  readonly push: (text: string) => readonly SitemapEntry[];
  /** Ends the text; returns the entries that this completes. */
  readonly end: () => readonly SitemapEntry[];
  /** The number of URLs that were rejected: malformed, another scheme, or not admitted. */
  readonly refused: () => number;
};

const MAX_VALUE_LENGTH = 8192;
const MAX_DATE_LENGTH = 64;
const MAX_ALTERNATES = 200;
const ABSOLUTE = /^https?:\/\//i;

type OpenEntry = {
  /** The qualified name of the element, and its prefix including the colon. */
  readonly name: string;
  readonly prefix: string;
  readonly kind: SitemapEntry['kind'];
  readonly values: Map<string, string>;
  readonly alternates: Alternate[];
};

/**
 * Creates a reader for a sitemap that arrives in pieces: `urlset` and `sitemapindex` (sitemaps.org), RSS, RDF and Atom
 * feeds, or text with one URL per line. Any other content has no entries. Only one entry is kept in memory.
 */
export function createSitemapReader(options: SitemapOptions): SitemapReader {
  const base = toLinkBase(new URL(options.url));
  let refused = 0;
  let found: SitemapEntry[] = [];
  let reader: { readonly push: (text: string) => void } | null = null;
  let start = '';

  function add(draft: OpenEntry): void {
    const entry = toEntry(draft, base);
    if (entry !== null && options.admits(entry.url, entry.kind)) found.push(entry);
    else refused++;
  }

  function read(text: string): readonly SitemapEntry[] {
    start = reader === null ? (start + text).trimStart() : '';
    if (reader === null && start === '') return [];
    if (reader === null) reader = start.startsWith('<') ? createXmlScanner(createListener(add)) : createLineReader(add);
    reader.push(start === '' ? text : start);
    const entries = found;
    found = [];
    return entries;
  }

  return { push: read, end: () => read('\n'), refused: () => refused };
}

/** The root elements that list URLs, each with the name and kind of its entries. */
const ENTRIES: ReadonlyMap<string, readonly [element: string, kind: SitemapEntry['kind']]> = new Map([
  ['urlset', ['url', 'page'] as const],
  ['sitemapindex', ['sitemap', 'sitemap'] as const],
  ['rss', ['item', 'page'] as const],
  ['rdf', ['item', 'page'] as const],
  ['feed', ['entry', 'page'] as const],
]);
/** The child elements that are read, and the value that each contains. */
const VALUES: ReadonlyMap<string, string> = new Map([
  ['loc', 'url'],
  ['link', 'url'],
  ['guid', 'guid'],
  ['lastmod', 'lastmod'],
  ['updated', 'lastmod'],
  ['pubdate', 'published'],
  ['published', 'published'],
  ['dc:date', 'published'],
  ['title', 'title'],
]);

function createListener(add: (draft: OpenEntry) => void): XmlListener {
  let listed: readonly [element: string, kind: SitemapEntry['kind']] | null | undefined;
  let draft: OpenEntry | null = null;
  /** The open child element of the entry. */
  let child: { readonly name: string; readonly value: string | undefined; text: string } | null = null;

  return {
    open(name, attributes) {
      const [prefix, local] = splitPrefix(name);
      if (listed === undefined) listed = ENTRIES.get(local) ?? null;
      else if (draft === null) {
        if (listed?.[0] === local) draft = { name, prefix, kind: listed[1], values: new Map(), alternates: [] };
      } else if (child === null) {
        child = { name, value: VALUES.get(prefix === draft.prefix ? local : name.toLowerCase()), text: '' };
        if (local === 'link' && attributes !== '') readLink(draft, prefix, parseXmlAttributes(attributes));
      }
    },
    close(name) {
      if (child !== null && name === child.name) {
        if (child.value !== undefined && draft !== null)
          setFirstValue(draft, child.value, decodeXML(child.text).trim());
        child = null;
      } else if (draft !== null && name === draft.name) {
        add(draft);
        draft = null;
        child = null;
      }
    },
    text(escaped) {
      if (child?.value !== undefined && child.text.length < MAX_VALUE_LENGTH * 2) child.text += escaped;
    },
  };
}

function splitPrefix(name: string): readonly [prefix: string, local: string] {
  const colon = name.indexOf(':') + 1;
  return [name.slice(0, colon), name.slice(colon).toLowerCase()];
}

/** Reads an Atom link to the page, or a sitemap link to another language version. */
function readLink(draft: OpenEntry, prefix: string, attributes: ReadonlyMap<string, string>): void {
  const href = attributes.get('href');
  const hreflang = attributes.get('hreflang');
  if (href === undefined || (attributes.get('rel') ?? 'alternate') !== 'alternate') return;
  if (prefix === draft.prefix) setFirstValue(draft, 'url', href.trim());
  else if (hreflang !== undefined && draft.alternates.length < MAX_ALTERNATES) {
    draft.alternates.push({ hreflang, url: href.trim() });
  }
}

/** The first value counts. */
function setFirstValue({ values }: OpenEntry, value: string, text: string): void {
  if (text !== '' && !values.has(value)) values.set(value, text);
}

function createLineReader(add: (draft: OpenEntry) => void): { readonly push: (text: string) => void } {
  let held = '';
  return {
    push(text) {
      const lines = (held + text).split(/[\r\n]+/);
      held = (lines.pop() ?? '').slice(0, MAX_VALUE_LENGTH + 1);
      for (const line of lines.map((one) => one.trim()).filter((one) => one !== '')) {
        // Other texts have lines too, and each would resolve to a URL relative to the file.
        const values = ABSOLUTE.test(line) ? new Map([['url', line]]) : new Map<string, string>();
        add({ name: '', prefix: '', kind: 'page', values, alternates: [] });
      }
    },
  };
}

function toEntry({ kind, values, alternates }: OpenEntry, base: LinkBase): SitemapEntry | null {
  const guid = values.get('guid') ?? '';
  const url = toWebUrl(values.get('url') ?? (/^https?:/.test(guid) ? guid : ''), base);
  if (url === null) return null;
  const lastmod = (values.get('lastmod') ?? values.get('published') ?? '').slice(0, MAX_DATE_LENGTH);
  return {
    kind,
    url,
    lastmod: lastmod === '' ? null : lastmod,
    title: values.get('title') ?? null,
    alternates: alternates.flatMap(({ hreflang, url: href }) => {
      const target = toWebUrl(href, base);
      return target === null ? [] : [{ hreflang, url: target }];
    }),
  };
}

function toWebUrl(href: string, base: LinkBase): string | null {
  if (href === '' || href.length > MAX_VALUE_LENGTH) return null;
  const url = resolveLink(base, href);
  return url !== null && /^https?:/.test(url) ? removeAnchor(url) : null;
}
