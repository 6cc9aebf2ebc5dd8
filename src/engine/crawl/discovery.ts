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
import type { End, Found, FoundIn } from './frontier.ts';
import type { CrawlOrder } from './order.ts';

type Met = Pick<Found, 'url' | 'depth' | 'skip' | 'source'>;

const MOST_FEEDS = 20;

/** Which addresses belong to a crawl, and by which keys it knows them again. */
export type Discovery = ReturnType<typeof buildDiscovery>;

/** `salt` makes the keys of this crawl its own. */
export function buildDiscovery(order: CrawlOrder, { salt, clock }: { readonly salt: string; readonly clock: Clock }) {
  const filter = compileFilter(order.include, order.exclude);
  const feeds = new Set<string>();
  let scope: Scope | null = null;

  function follows(): boolean {
    return order.discovers && order.sitemap !== 'only';
  }

  function keyOf(url: string): string {
    return keyHash(canonicalKey(url), salt);
  }

  function toFound({ url, depth, skip, source }: Met): Found {
    const host = toAddress(url)?.authority ?? '';
    return { url, key: keyOf(url), host, depth, skip, source, title: null, lastmod: null, rests: false };
  }

  function judge(url: string, depth: number, source: FoundIn): Found {
    if (scope === null) throw new Error('the scope of a crawl is known when its seed has ended');
    const admission = admit(url, { scope, filter, now: clock.now() });
    const tooDeep = source === 'links' && order.maxDepth !== null && depth > order.maxDepth ? 'depth' : null;
    return toFound({ url, depth, source, skip: 'skip' in admission ? admission.skip : tooDeep });
  }

  return {
    seeds: (): readonly Found[] =>
      order.seeds.map((url) => toFound({ url: new URL(url).href, depth: 0, skip: null, source: 'seed' })),

    /** Takes the scope from where the seed ended; false when it left its own site. */
    anchor(seedUrl: string, finalUrl: string): boolean {
      scope = scopeOf(order.scope, seedUrl, finalUrl);
      return scope !== null;
    },

    /** Whether the seed was found to lead to another site; `anchor` has been asked. */
    isAstray: () => scope === null,

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
    discover(page: Pick<Met, 'url' | 'depth'>, said: PageLinks): readonly Found[] {
      for (const feed of said.feeds) if (feeds.size < MOST_FEEDS) feeds.add(feed);
      if (!follows() || scope === null) return [];
      return said.links.map(({ url, rel }) =>
        judge(url, page.depth + (isSameListing(page.url, url, rel) ? 0 : 1), 'links'),
      );
    },

    /** Whether an address belongs to the crawl, by everything that its text tells. */
    mayVisit: (url: string): boolean => judge(url, 0, 'links').skip === null,

    /** Links of a page that are no addresses, and those beyond what is read of one page. */
    leftOut: ({ invalid, unread }: PageLinks): End['leftOut'] => (follows() ? { invalid, limit: unread } : {}),

    /** An address that a file of the site names; it counts as linked from the seed. */
    named: (url: string, source: FoundIn): Found => judge(url, 1, source),

    /** Feeds that the pages named. */
    feeds: (): readonly string[] => [...feeds],

    /** Whether a file of the site may lie there: anywhere on its domain. */
    mayHold(url: string): boolean {
      const address = toAddress(url);
      return scope !== null && address !== null && isWithin({ ...scope, kind: 'domain' }, address);
    },
  };
}
