import { toAddress } from '#extract/site/address.ts';
import { admit } from '#extract/site/admission.ts';
import { canonicalKey } from '#extract/site/canonical-key.ts';
import { compileFilter } from '#extract/site/filters.ts';
import { keyHash } from '#extract/site/key-hash.ts';
import type { PageLinks } from '#extract/site/page-links.ts';
import { isSameListing } from '#extract/site/pagination.ts';
import { isWithin, scopeOf } from '#extract/site/scope.ts';
import type { Scope } from '#extract/site/scope.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Found } from './frontier.ts';
import type { CrawlOrder } from './order.ts';

/** Which addresses belong to a crawl, and by which keys it knows them again. */
export type Discovery = ReturnType<typeof buildDiscovery>;

/** `salt` makes the keys of this crawl its own. */
export function buildDiscovery(order: CrawlOrder, { salt, clock }: { readonly salt: string; readonly clock: Clock }) {
  const filter = compileFilter(order.include, order.exclude);
  let scope: Scope | null = null;

  function keyOf(url: string): string {
    return keyHash(canonicalKey(url), salt);
  }

  function toFound(url: string, depth: number, skip: Found['skip']): Found {
    return { url, key: keyOf(url), host: toAddress(url)?.authority ?? '', depth, skip };
  }

  return {
    seeds: (): readonly Found[] => order.seeds.map((url) => toFound(new URL(url).href, 0, null)),

    /** Takes the scope from where the seed ended; false when it left its own site. */
    anchor(seedUrl: string, finalUrl: string): boolean {
      scope = scopeOf(order.scope, seedUrl, finalUrl);
      return scope !== null;
    },

    /** Whether a page ended outside of the crawl. */
    hasLeft(finalUrl: string): boolean {
      const address = toAddress(finalUrl);
      return scope !== null && (address === null || !isWithin(scope, address));
    },

    /** The key of where a redirect led; null where the page was served from its own address. */
    finalKeyOf(url: string, finalUrl: string): string | null {
      return canonicalKey(url) === canonicalKey(finalUrl) ? null : keyOf(finalUrl);
    },

    /** The links of a page as the crawl sees them; the next page of a listing is no deeper than the one before. */
    discover(page: { readonly url: string; readonly depth: number }, { links }: PageLinks): readonly Found[] {
      if (!order.discovers || scope === null) return [];
      const rules = { scope, filter, now: clock.now() };
      return links.map(({ url, rel }) => {
        const depth = page.depth + (isSameListing(page.url, url, rel) ? 0 : 1);
        const admission = admit(url, rules);
        if ('skip' in admission) return toFound(url, depth, admission.skip);
        return toFound(url, depth, order.maxDepth !== null && depth > order.maxDepth ? 'depth' : null);
      });
    },
  };
}
