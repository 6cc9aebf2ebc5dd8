import { toUrlParts } from './address.ts';
import { admitLink, type SkipReason } from './admission.ts';
import { canonicalKey, keyHash } from './canonical-key.ts';
import { compileFilter } from './filters.ts';
import type { PageLink } from './page-links.ts';
import { isSameListing, type ListingPage, toListingPage } from './pagination.ts';
import type { CrawlScope } from './scope.ts';

/** By what a crawl decides of an address that it meets; plain data, so that it can cross a thread. */
export type CrawlRules = {
  /** Makes the keys of a crawl its own. */
  readonly salt: string;
  readonly scope: CrawlScope;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether links to hash routes are pages of their own. */
  readonly hashRoutes: boolean;
  /** Links to follow from the start; null for any. */
  readonly maxDepth: number | null;
  /** ms since 1970, when this process began with the crawl */
  readonly now: number;
  /** Whether links that end a login, delete something or change a cart are left out. */
  readonly sparesActions: boolean;
};

/** An address with the key that it is known by, and why it is left out; null when it is not. */
export type ClassifiedLink = {
  readonly url: string;
  readonly key: string;
  readonly host: string;
  readonly depth: number;
  readonly skip: SkipReason | null;
};

/** The part of a decision that does not depend on where the URL was found. */
type CachedLink = Omit<ClassifiedLink, 'depth'> & { readonly page: ListingPage | null };

/** Addresses that are remembered, twice: most links of a site stand on every page of it. */
const MAX_CACHED = 4_000;

export type LinkJudge = ReturnType<typeof buildLinkJudge>;

/** Builds the judge of one crawl, which knows again what it has judged. Throws an Error for a pattern that is none. */
export function buildLinkJudge(rules: CrawlRules) {
  const { salt, scope, now, maxDepth, sparesActions: sparesActions } = rules;
  const filter = compileFilter(rules.include, rules.exclude);
  let recent = new Map<string, CachedLink>();
  let older = new Map<string, CachedLink>();

  function know(url: string): CachedLink {
    const found = recent.get(url) ?? older.get(url);
    if (found !== undefined) return found;
    const admission = admitLink(url, { scope, filter, now, sparesActions: sparesActions });
    const address = 'address' in admission ? admission.address : toUrlParts(url);
    const known: CachedLink = {
      url,
      key: keyOf(url, salt),
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
    /** An address that lies so deep. */
    judge(this: void, url: string, depth: number): ClassifiedLink {
      const { page: _, ...known } = know(url);
      return { ...known, depth };
    },

    /** The links of a page; the next page of a listing is no deeper than the one before. */
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

/** The key hash of a URL in the crawl of this salt. */
export function keyOf(url: string, salt: string): string {
  return keyHash(canonicalKey(url), salt);
}
