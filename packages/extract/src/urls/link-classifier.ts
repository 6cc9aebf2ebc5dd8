import { toUrlParts } from './url-parts.ts';
import { admitLink, type SkipReason } from './link-admission.ts';
import { toCanonicalKey, hashKey } from './canonical-key.ts';
import { compileFilter } from './url-filter.ts';
import type { PageLink } from './page-links.ts';
import { isSameListing, type ListingPage, toListingPage } from './pagination.ts';
import type { CrawlScope } from './scope.ts';

/** The rules by which a crawl classifies URLs. Plain data, so that they can be sent to a worker thread. */
export type CrawlRules = {
  /** Salts the URL keys, so that each crawl has its own. */
  readonly salt: string;
  readonly scope: CrawlScope;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether links to hash routes count as pages of their own. */
  readonly hashRoutes: boolean;
  /** Whether URLs that differ only in the query are one page. */
  readonly ignoresQuery: boolean;
  /** The most links between the start and a page; null for no limit. */
  readonly maxDepth: number | null;
  /** ms since 1970, when this process started or resumed the crawl. */
  readonly now: number;
  /** Whether to skip links that log out, delete something or change a cart. */
  readonly sparesActions: boolean;
};

/** A URL with its key, and the reason to skip it; `skip` is null if it may be visited. */
export type ClassifiedLink = {
  readonly url: string;
  readonly key: string;
  readonly host: string;
  readonly depth: number;
  readonly skip: SkipReason | null;
};

/** The part of a classification that does not depend on where the URL was found. */
type CachedLink = Omit<ClassifiedLink, 'depth'> & { readonly page: ListingPage | null };

/** The size of each of the two cache generations: most links of a site occur on every page of it. */
const MAX_CACHED = 4_000;

/** Classifies the URLs of one crawl. */
export type LinkClassifier = ReturnType<typeof createLinkClassifier>;

/** Creates the classifier of one crawl, which caches its results. Its patterns must have passed `checkFilterPattern`. */
export function createLinkClassifier(rules: CrawlRules) {
  const { scope, now, maxDepth, sparesActions } = rules;
  const filter = compileFilter(rules.include, rules.exclude);
  let recent = new Map<string, CachedLink>();
  let older = new Map<string, CachedLink>();

  function know(url: string): CachedLink {
    const found = recent.get(url) ?? older.get(url);
    if (found !== undefined) return found;
    const admission = admitLink(url, { scope, filter, now, sparesActions });
    const address = 'address' in admission ? admission.address : toUrlParts(url);
    const known: CachedLink = {
      url,
      key: computeUrlKey(url, rules),
      host: address?.authority ?? '',
      skip: 'skip' in admission ? admission.skip : null,
      page: address === null ? null : toListingPage(address),
    };
    recent.set(url, known);
    if (recent.size >= MAX_CACHED) {
      older = recent;
      recent = new Map();
    }
    return known;
  }

  return {
    /** Classifies a URL at the given depth. */
    judge(this: void, url: string, depth: number): ClassifiedLink {
      const { page: _, ...known } = know(url);
      return { ...known, depth };
    },

    /** Classifies the links of a page. The next page of a listing has the same depth as the current one. */
    links(
      this: void,
      from: { readonly url: string; readonly depth: number },
      links: readonly PageLink[],
    ): ClassifiedLink[] {
      const address = toUrlParts(from.url);
      const here = address === null ? null : toListingPage(address);
      return links.map(({ url, rel }) => {
        const { key, host, skip, page } = know(url);
        const continues = here !== null && page !== null && isSameListing(here, page, rel);
        const depth = from.depth + (continues ? 0 : 1);
        return { url, key, host, depth, skip: skip ?? (maxDepth !== null && depth > maxDepth ? 'depth' : null) };
      });
    },
  };
}

/** The key of a URL in the crawl with this salt. */
export function computeUrlKey(url: string, { salt, ignoresQuery }: Pick<CrawlRules, 'salt' | 'ignoresQuery'>): string {
  return hashKey(toCanonicalKey(ignoresQuery ? url.replace(/\?[^#]*/, '') : url), salt);
}
