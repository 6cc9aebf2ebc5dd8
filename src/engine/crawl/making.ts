import type { Mind } from '#engine/mind.ts';
import { askModel } from '#engine/model-outputs.ts';
import type { Made } from '#engine/model-outputs.ts';
import type { Price } from '#engine/prices.ts';
import type { SitePage } from '#extract/site/site-page.ts';
import type { CrawlOrder } from './order.ts';

export type MakingParts = {
  readonly order: Pick<CrawlOrder, 'summary' | 'page'>;
  readonly mind: Mind | null;
  readonly price: Price;
  /** The ceiling of the crawl, null for none. */
  readonly maxCredits: number | null;
};

/** What a model adds to the pages of a crawl. */
export type Making = {
  /** Credits that are set aside for it with each page. */
  readonly setAside: number;
  /** Asks it about a page; `raise` sets aside what was not. Throws as `askModel`. */
  readonly ask: (page: ToMake, signal: AbortSignal) => Promise<Made>;
  /** The price of one output. */
  readonly each: number;
};

export type ToMake = {
  readonly url: string;
  readonly said: Pick<SitePage, 'open' | 'title'>;
  readonly raise: (credits: number) => Promise<boolean>;
};

/** Of a page that no model is asked about. */
export const NOTHING_MADE: Made = { members: {}, warnings: [], count: 0 };

/**
 * Builds what a model adds to a crawl. A summary is paid by each page, an object by those that leave something open: so
 * only a crawl with a ceiling, which counts pages by what is set aside, sets that aside beforehand.
 */
export function buildMaking({ order, mind, price, maxCredits }: MakingParts): Making {
  const { summary, page } = order;
  const { extract } = page;
  const each = price.perModelOutput ?? 0;
  const ofSummary = summary ? each : 0;
  const fills = mind !== null && extract?.schema !== undefined;
  const isAffordable = maxCredits === null || maxCredits >= price.base + ofSummary + each;
  const isPaidAhead = fills && maxCredits !== null && isAffordable;
  return {
    each,
    setAside: ofSummary + (isPaidAhead ? each : 0),
    async ask({ url, said: { open, title }, raise }, signal) {
      if (mind === null || open === null) return NOTHING_MADE;
      const { passage, json } = open;
      const made = await askModel(
        mind,
        {
          url,
          title,
          passage,
          json: json ?? {},
          summary,
          extract,
          async afford() {
            if (!isAffordable) return `for ${each} credits more, and max_credits is below`;
            return isPaidAhead || (await raise(each)) ? null : `for ${each} credits more, which are not left`;
          },
        },
        signal,
      );
      return json === undefined ? made : { ...made, members: { json, ...made.members } };
    },
  };
}
