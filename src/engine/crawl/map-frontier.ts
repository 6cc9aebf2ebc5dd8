import type { CrawlerParts } from './crawler.ts';
import type { Frontier, Layer, Standing } from './frontier.ts';
import type { Purse } from './purse.ts';

type MapFrontierParts = {
  readonly frontier: Frontier;
  readonly maxUrls: number;
  /** Depth at which pages are no longer visited for their links, 0 where links are not followed at all. */
  readonly followsTo: number;
  /** Addresses that are enough. */
  readonly most: number;
  /** Null for who only helps. */
  readonly purse: Purse | null;
  readonly maxCredits: number | null;
  readonly prices: { readonly address: number; readonly cheapest: number };
  readonly files: { readonly feed: NonNullable<CrawlerParts['feed']> } | null;
};

type MapFrontier = {
  readonly frontier: Frontier;
  readonly feed: CrawlerParts['feed'];
  /** Sets aside what the known addresses cost; why the map cannot go on where that cannot be had. */
  readonly pay: (standing: Standing) => Promise<'max_credits' | 'credits_exhausted' | 'daily_cap' | null>;
};

/**
 * The frontier as a map claims from it: addresses are paid for as they are known, enough of them end it, the files of
 * the site are read before its links are followed, and what those name is not visited as long as nothing shows that
 * they name too little.
 */
export function mapFrontier(map: MapFrontierParts): MapFrontier {
  const { frontier, maxUrls, followsTo, most, purse, maxCredits, prices, files } = map;
  let isFed = files === null;

  const pay: MapFrontier['pay'] = async (standing) => {
    if (purse === null) return null;
    const wanted = Math.min(listedOf(standing), maxUrls);
    const visits = standing.credits + (standing.active + 1) * prices.cheapest;
    const within = maxCredits === null ? wanted : Math.max(0, Math.floor((maxCredits - visits) / prices.address));
    return (await purse.holdFor(Math.min(wanted, within))) ?? (within < wanted ? 'max_credits' : null);
  };

  const feed: CrawlerParts['feed'] = async (anchor, signal) => {
    await files?.feed(anchor, signal);
    isFed = true;
  };

  return {
    pay,
    feed: files === null ? null : feed,
    frontier: {
      ...frontier,
      async claim(appetite) {
        const standing = await frontier.standing();
        // Until it is known where the seed ended, and until the files are read, no link is followed.
        const isEarly = standing.anchor === null ? standing.active > 0 : !isFed;
        if (isEarly) return { claims: [], held: null };
        const held = await pay(standing);
        if (held !== null) return { claims: [], held };
        if (standing.anchor !== null && listedOf(standing) >= most) return { claims: [], held: 'max_pages' };
        // While each visit has its price, one at a time keeps within the ceiling.
        const one = maxCredits === null || prices.cheapest === 0 ? appetite : { ...appetite, most: 1 };
        const claimed = await frontier.claim(one);
        if (claimed.held !== 'nothing' || purse === null || standing.active > 0) return claimed;
        if (coversSite(standing, await frontier.survey())) return claimed;
        return (await frontier.wake(followsTo)) > 0 ? frontier.claim(one) : claimed;
      },
    },
  };
}

/**
 * Whether the sitemaps name all that there is, as far as it shows: they go beyond what the seed links to, and no link
 * of a visited page goes beyond them.
 */
function coversSite({ stored }: Standing, layers: readonly Layer[]): boolean {
  return stored <= 1 && layers.some(({ source }) => source === 'sitemap' || source === 'robots');
}

/** Addresses that are known and not left out. */
export function listedOf({ stored, pending }: Standing): number {
  return stored + pending;
}
