import type { Tier } from '#access/page.ts';

/** The source of a page: a tier of the ladder or the tenant's own cache. */
export const SERVED_TIERS = ['cache', 'http', 'browser', 'proxy', 'proxy_browser'] as const;

export type ServedTier = (typeof SERVED_TIERS)[number];

/** Credits of one operation; `perTier` adds the surcharge of the tier that served. */
export type Price = {
  readonly base: number;
  readonly cacheHit: number;
  readonly perTier: boolean;
  /** The price of an answer of 400 and above, or of one without a body, where those are delivered. */
  readonly errorPage?: 0;
  /** The unit of the price, where a call may bring several. */
  readonly per?: 'page' | 'URL';
  /** Credits that each output adds that a model made, where it may make any. */
  readonly perModelOutput?: number;
};

/** Credits that a costlier tier adds when it served. */
export const SURCHARGES: Readonly<Record<Tier, number>> = { http: 0, browser: 0, proxy: 8, proxy_browser: 65 };

/** The one price table that charging, OpenAPI and the docs read. */
export const PRICES = {
  fetch: { base: 2, cacheHit: 1, perTier: true, errorPage: 0, perModelOutput: 10 },
  explain: { base: 2, cacheHit: 1, perTier: true, errorPage: 0 },
  crawl: { base: 2, cacheHit: 2, perTier: true, per: 'page', perModelOutput: 10 },
  map: { base: 2, cacheHit: 2, perTier: true, per: 'URL' },
  interact: { base: 25, cacheHit: 25, perTier: false, errorPage: 0 },
} as const satisfies Readonly<Record<string, Price>>;

/** The charge of one call; always `credits = base + surcharge`. */
export type Usage = {
  readonly credits: number;
  readonly base: number;
  readonly surcharge: number;
  /** The tier that served it; of several pages the costliest. */
  readonly tier: ServedTier;
  /** Pages by tier, where there are several. */
  readonly tiers?: Readonly<Partial<Record<ServedTier, number>>>;
};

/** The charge of an operation that `tier` served. */
export function toUsage(price: Price, tier: ServedTier): Usage {
  if (tier === 'cache') return { credits: price.cacheHit, base: price.cacheHit, surcharge: 0, tier };
  const surcharge = price.perTier ? SURCHARGES[tier] : 0;
  return { credits: price.base + surcharge, base: price.base, surcharge, tier };
}

/** The charge of an error page, and of a session that did nothing: none, by any tier. */
export function ofErrorPage(tier: ServedTier): Usage {
  return { credits: 0, base: 0, surcharge: 0, tier };
}

/** The charge with the outputs that a model made. */
export function withModel(usage: Usage, price: Price, outputs: number): Usage {
  const more = (price.perModelOutput ?? 0) * outputs;
  return { ...usage, credits: usage.credits + more, base: usage.base + more };
}

/** The charge of several pages, each by the tier that served it: the sum of their prices. */
export function sumOf(price: Price, tiers: Readonly<Partial<Record<ServedTier, number>>>): Usage {
  let base = 0;
  let surcharge = 0;
  let costliest: ServedTier = 'http';
  for (const tier of SERVED_TIERS) {
    const pages = tiers[tier] ?? 0;
    if (pages === 0) continue;
    const one = toUsage(price, tier);
    base += one.base * pages;
    surcharge += one.surcharge * pages;
    costliest = tier;
  }
  return { credits: base + surcharge, base, surcharge, tier: costliest, tiers };
}
