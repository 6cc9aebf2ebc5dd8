import { toAddress } from '#extract/site/address.ts';
import { canonicalKey } from '#extract/site/canonical-key.ts';
import { buildJudge, keyOf } from '#extract/site/judging.ts';
import type { CrawlRules, Judge } from '#extract/site/judging.ts';
import { fromColumns } from '#extract/site/link-columns.ts';
import { isWithin, scopeOf } from '#extract/site/scope.ts';
import type { SitePage } from '#extract/site/site-page.ts';
import type { Clock } from '#kernel/clock.ts';
import type { End, Found, FoundIn, Frontier } from './frontier.ts';
import type { CrawlOrder } from './order.ts';

const MOST_FEEDS = 20;

/** Which addresses belong to a crawl, and by which keys it knows them again. */
export type Discovery = ReturnType<typeof buildDiscovery>;

/** `salt` makes the keys of this crawl its own. */
export function buildDiscovery(order: CrawlOrder, { salt, clock }: { readonly salt: string; readonly clock: Clock }) {
  const { include, exclude, maxDepth } = order;
  const follows = order.discovers && order.sitemap !== 'only';
  const now = clock.now();
  const feeds = new Set<string>();
  /** Null as long as it is not known where the seed ends, and when that is another site. */
  let rules: CrawlRules | null = null;
  let judge: Judge | null = null;

  return {
    seeds: (): readonly Found[] =>
      order.seeds.map((seed) => {
        const url = new URL(seed).href;
        return {
          url,
          key: keyOf(url, salt),
          host: toAddress(url)?.authority ?? '',
          depth: 0,
          skip: null,
          ...UNSAID,
          source: 'seed',
        };
      }),

    /** Takes the scope from where the seed ended; false when it left its own site. */
    anchor(seedUrl: string, finalUrl: string): boolean {
      const scope = scopeOf(order.scope, seedUrl, finalUrl);
      rules = scope === null ? null : { salt, scope, include, exclude, maxDepth, now };
      judge = rules === null ? null : buildJudge(rules);
      return rules !== null;
    },

    /** Whether the seed was found to lead to another site; `anchor` has been asked. */
    isAstray: () => rules === null,

    /** Whether a page ended outside of the crawl. */
    hasLeft(finalUrl: string): boolean {
      const address = toAddress(finalUrl);
      return rules !== null && (address === null || !isWithin(rules.scope, address));
    },

    /** The key of where a redirect led; null where the page was served from its own address. */
    finalKeyOf(url: string, finalUrl: string): string | null {
      return url === finalUrl || canonicalKey(url) === canonicalKey(finalUrl) ? null : keyOf(finalUrl, salt);
    },

    /** By what the links of a page are judged; null where they are not followed. */
    rules: (): CrawlRules | null => (follows ? rules : null),

    /** The links of a page that are not known to the crawl, or may lead nearer to what is. */
    discover(
      page: { readonly depth: number },
      said: Pick<SitePage, 'links' | 'feeds'>,
      isKnown: Frontier['isKnown'],
    ): readonly Found[] {
      for (const feed of said.feeds) if (feeds.size < MOST_FEEDS) feeds.add(feed);
      const nearest = maxDepth === null ? -1 : page.depth;
      const { links } = said;
      const found = fromColumns(links, (at, skip, depth) => depth > nearest && isKnown(links.keys, at, skip));
      return found.map((link) => ({ ...UNSAID, ...link, source: 'links' }));
    },

    /** Links of a page that are no addresses, and those beyond what is read of one page. */
    leftOut: ({ invalid, unread }: Pick<SitePage, 'invalid' | 'unread'>): End['leftOut'] =>
      follows && rules !== null ? { invalid, limit: unread } : {},

    /** An address that a file of the site names; it counts as linked from the seed. */
    named(url: string, source: FoundIn): Found {
      if (judge === null) throw new Error('the scope of a crawl is known when its seed has ended');
      return { ...judge.judge(url, 1), ...UNSAID, source };
    },

    /** Whether an address belongs to the crawl, by everything that its text tells. */
    mayVisit: (url: string): boolean => judge?.judge(url, 0).skip === null,

    /** Feeds that the pages named. */
    feeds: (): readonly string[] => [...feeds],

    /** Whether a file of the site may lie there: anywhere on its domain. */
    mayHold(url: string): boolean {
      const address = toAddress(url);
      return rules !== null && address !== null && isWithin({ ...rules.scope, kind: 'domain' }, address);
    },
  };
}

/** What nothing was said of, and what is to be visited. */
const UNSAID = { title: null, lastmod: null, rests: false } as const;
