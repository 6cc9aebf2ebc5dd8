import type { Tier } from '#access/page.ts';

/** What served a page: an access tier, or the tenant's cache. */
export const SERVED_TIERS = ['cache', 'http', 'browser', 'proxy', 'proxy_browser'] as const;

export type ServedTier = (typeof SERVED_TIERS)[number];

/** The price of an operation in credits. `perTier` adds the surcharge of the tier that served. */
export type Price = {
  readonly base: number;
  readonly cacheHit: number;
  readonly perTier: boolean;
  /** The price of an error page (status 400 and above, or no body), if those are returned. */
  readonly errorPage?: 0;
  /** The unit of the price, if a call may return several. */
  readonly per?: 'page';
  /** Credits added for each started hundred of URLs that are returned. */
  readonly perHundredUrls?: number;
  /** Credits added for each output made by a language model. */
  readonly perModelOutput?: number;
};

/** Credits added by the tier that served the page. */
export const SURCHARGES: Readonly<Record<Tier, number>> = { http: 0, browser: 0, proxy: 8, proxy_browser: 65 };

/** The price table used by billing, OpenAPI and the documentation. */
export const PRICES = {
  fetch: { base: 2, cacheHit: 1, perTier: true, errorPage: 0, perModelOutput: 10 },
  explain: { base: 2, cacheHit: 1, perTier: true, errorPage: 0 },
  crawl: { base: 2, cacheHit: 2, perTier: true, per: 'page', perModelOutput: 10 },
  map: { base: 1, cacheHit: 1, perTier: true, perHundredUrls: 1 },
  interact: { base: 25, cacheHit: 25, perTier: false, errorPage: 0 },
} as const satisfies Readonly<Record<string, Price>>;

/** The charge of one call, where `credits = base + surcharge`. */
export type Usage = {
  readonly credits: number;
  readonly base: number;
  readonly surcharge: number;
  /** The tier that served it; for several pages the most expensive one. */
  readonly tier: ServedTier;
  /** Pages by tier, if there are several. */
  readonly tiers?: Readonly<Partial<Record<ServedTier, number>>>;
};

/** Computes the charge of an operation served by `tier`. */
export function toUsage(price: Price, tier: ServedTier): Usage {
  if (tier === 'cache') return { credits: price.cacheHit, base: price.cacheHit, surcharge: 0, tier };
  const surcharge = price.perTier ? SURCHARGES[tier] : 0;
  return { credits: price.base + surcharge, base: price.base, surcharge, tier };
}

/** The charge of an error page or of a session without actions: 0 credits. */
export function toErrorPageUsage(tier: ServedTier): Usage {
  return { credits: 0, base: 0, surcharge: 0, tier };
}

/** Adds the price of outputs made by a language model. */
export function addModelOutputs(usage: Usage, price: Price, outputs: number): Usage {
  const more = (price.perModelOutput ?? 0) * outputs;
  return { ...usage, credits: usage.credits + more, base: usage.base + more };
}

/** Adds the charge of a further operation to those of the same call; `before` is null for the first. */
export function addUsage(before: Usage | null, usage: Usage): Usage {
  if (before === null) return usage;
  return {
    ...usage,
    credits: before.credits + usage.credits,
    base: before.base + usage.base,
    surcharge: before.surcharge + usage.surcharge,
  };
}

/** Sums the charges of several pages, given their number by tier. */
export function sumUsage(price: Price, tiers: Readonly<Partial<Record<ServedTier, number>>>): Usage {
  let base = 0;
  let surcharge = 0;
  let costliest: ServedTier = 'http';
  for (const tier of SERVED_TIERS) {
    const pages = tiers[tier] ?? 0;
    if (pages === 0) continue;
    const usage = toUsage(price, tier);
    base += usage.base * pages;
    surcharge += usage.surcharge * pages;
    costliest = tier;
  }
  return { credits: base + surcharge, base, surcharge, tier: costliest, tiers };
}
