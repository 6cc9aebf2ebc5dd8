import { InvariantError } from '#extract/invariant-error.ts';
import type { CrawlOptions } from '#features/crawl/crawl-options.ts';
import type { UrlSource, FoundUrl, PageEnd } from '#features/crawl/crawl-page.ts';
import type { Frontier } from '#features/crawl/frontier/frontier.ts';
import { isActionLink } from '#extract/urls/action-links.ts';
import { toRoutedParts, toUrlParts, removeFragment } from '#extract/urls/url-parts.ts';
import { hashKey, toCanonicalKey } from '#extract/urls/canonical-key.ts';
import { compileFilter, type UrlFilter } from '#extract/urls/url-filter.ts';
import {
  createLinkClassifier,
  type CrawlRules,
  computeUrlKey,
  type LinkClassifier,
} from '#extract/urls/link-classifier.ts';
import { readLinkColumns } from '#extract/urls/link-columns.ts';
import { isInScope, buildScope } from '#extract/urls/scope.ts';
import type { SitePage } from '#extract/urls/site-page.ts';
import { isUnsafeLink } from '#extract/urls/unsafe-links.ts';
import type { Clock } from '#kernel/clock.ts';

const MAX_FEEDS = 20;

/** Fields of a URL without title and date that is to be visited. */
const NO_DETAILS = { title: null, lastmod: null, isParked: false } as const;

/** Whether the page of a URL is stored, read only for its links, or refused. */
export type PageUse = 'stored' | 'followed' | 'refused';

/** Decides which URLs belong to a crawl, and computes the keys that identify them. */
export class Discovery {
  readonly #options: CrawlOptions;
  readonly #salt: string;
  readonly #follows: boolean;
  readonly #now: number;
  readonly #filter: UrlFilter;
  readonly #feeds = new Set<string>();
  /** Null while the final URL of the seed is unknown, or if it is on another site. */
  #rules: CrawlRules | null = null;
  #judge: LinkClassifier | null = null;

  /** `salt` makes the keys of each crawl different. */
  constructor(options: CrawlOptions, { salt, clock }: { readonly salt: string; readonly clock: Clock }) {
    this.#options = options;
    this.#salt = salt;
    this.#follows = options.discovers && options.sitemap !== 'only';
    this.#now = clock.now();
    this.#filter = compileFilter(options.include, options.exclude);
  }

  listSeeds(): readonly FoundUrl[] {
    return this.#options.seeds.map((seed, at) => {
      const url = new URL(seed).href;
      const host = toUrlParts(url)?.authority ?? '';
      const key = this.#computeKey(url);
      const variant = this.#options.listed?.[at]?.variant ?? '';
      return {
        url,
        key: variant === '' ? key : hashKey(key + variant, this.#salt),
        host,
        depth: 0,
        skip: null,
        ...NO_DETAILS,
        source: 'seed',
      };
    });
  }

  /** Sets the scope from the final URL of the seed. Returns false if that is on another site. */
  setBase(seedUrl: string, baseUrl: string): boolean {
    const { exclude, hashRoutes, ignoresQuery, maxDepth, skipsActions } = this.#options;
    const include = this.#options.store === 'included' ? [] : this.#options.include;
    const scope = buildScope(this.#options.scope, seedUrl, baseUrl);
    const bounds = { scope, include, exclude, hashRoutes, ignoresQuery, maxDepth, sparesActions: skipsActions };
    this.#rules = scope === null ? null : { ...bounds, scope, salt: this.#salt, now: this.#now };
    this.#judge = this.#rules === null ? null : createLinkClassifier(this.#rules);
    return this.#rules !== null;
  }

  /** Whether the seed redirects to another site. Call it after `setBase`. */
  isOffSite(): boolean {
    return this.#rules === null;
  }

  /** Whether the final URL of a page is out of scope. */
  isOutOfScope(finalUrl: string): boolean {
    const parts = toUrlParts(finalUrl);
    return this.#rules !== null && (parts === null || !isInScope(this.#rules.scope, parts));
  }

  /** Whether `exclude` matches a URL. A redirect to it is not followed. */
  isExcluded(url: string): boolean {
    const parts = toRoutedParts(url);
    return parts !== null && !this.#filter.admits(parts, 'seed');
  }

  /** Chooses the use of a page by its final URL. Links of the seed are always followed. */
  choosePageUse(finalUrl: string, isStart: boolean): PageUse {
    const parts = toRoutedParts(finalUrl);
    const storesAll = this.#options.store === 'all';
    if (parts === null || this.#filter.admits(parts, isStart && storesAll ? 'seed' : 'link')) return 'stored';
    return isStart || !(storesAll || this.isExcluded(finalUrl)) ? 'followed' : 'refused';
  }

  /** Whether a URL must not be visited because it would end the login of the crawl or change something. */
  isUnsafe(url: string): boolean {
    const parts = this.#options.skipsActions ? toRoutedParts(url) : null;
    return parts !== null && isUnsafeLink(parts);
  }

  /** Computes the key of a redirect target, null if there was no redirect. */
  computeFinalKey(url: string, finalUrl: string): string | null {
    if (url === finalUrl) return null;
    const key = this.#computeKey(finalUrl);
    return key === this.#computeKey(url) ? null : key;
  }

  #computeKey(url: string): string {
    return computeUrlKey(url, { salt: this.#salt, ignoresQuery: this.#options.ignoresQuery });
  }

  /**
   * Finds the canonical URL of a page. Null if it has none, if it is one of the page's own URLs, or if it is not stored
   * by this crawl.
   */
  findCanonical(own: readonly string[], { canonical }: Pick<SitePage, 'canonical'>): URL | null {
    if (canonical === null || !this.#options.discovers || !this.isAdmitted(canonical)) return null;
    if (this.choosePageUse(canonical, false) !== 'stored') return null;
    const key = toCanonicalKey(canonical);
    // A page with hash routes has itself as the canonical URL on each of them.
    const ownUrls = [...own, ...own.map(removeFragment)];
    return ownUrls.some((url) => toCanonicalKey(url) === key) ? null : new URL(canonical);
  }

  /** Rules for the links of a page, null if links are not followed. */
  getLinkRules(): CrawlRules | null {
    return this.#follows ? this.#rules : null;
  }

  /** Finds the links of a page that are unknown to the crawl, or may reduce the depth of known URLs. */
  findLinks(
    page: { readonly depth: number },
    { links, feeds }: Pick<SitePage, 'links' | 'feeds'>,
    isKnown: Frontier['isKnown'],
  ): readonly FoundUrl[] {
    for (const feed of feeds) if (this.#feeds.size < MAX_FEEDS) this.#feeds.add(feed);
    const nearest = this.#options.maxDepth === null ? -1 : page.depth;
    const knownLinks = readLinkColumns(links, (at, skip, depth) => depth > nearest && isKnown(links.keys, at, skip));
    const isLate = (url: string): boolean => this.#options.actionsLast && isActionLink(url);
    return knownLinks.map((link) => ({ ...NO_DETAILS, ...link, isParked: isLate(link.url), source: 'links' }));
  }

  /** Counts the links of a page that are not valid URLs, and those beyond the limit of links per page. */
  countSkippedLinks({ invalid, unread }: Pick<SitePage, 'invalid' | 'unread'>): PageEnd['skippedLinks'] {
    return this.#follows && this.#rules !== null ? { invalid, limit: unread } : {};
  }

  /** Applies the rules of the crawl to a URL from a sitemap or feed. It counts as a link of the seed. */
  admitFileUrl(url: string, source: UrlSource): FoundUrl {
    if (this.#judge === null) throw new InvariantError('the scope of a crawl is known when its seed has ended');
    return { ...this.#judge.judge(this.#options.hashRoutes ? url : removeFragment(url), 1), ...NO_DETAILS, source };
  }

  /** Whether a URL belongs to the crawl, judging by its text. */
  isAdmitted(url: string): boolean {
    return this.#judge?.judge(url, 0).skip === null;
  }

  /** Feeds that pages link to. */
  listFeeds(): readonly string[] {
    return [...this.#feeds];
  }

  /** Whether a URL is on the domain of the site, where its files may be. */
  isOnDomain(url: string): boolean {
    const parts = toUrlParts(url);
    return this.#rules !== null && parts !== null && isInScope({ ...this.#rules.scope, kind: 'domain' }, parts);
  }
}
