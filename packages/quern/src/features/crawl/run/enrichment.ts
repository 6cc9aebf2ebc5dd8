import type { ModelSession } from '#engine/call/model-session.ts';
import { askModel, type ModelOutputs } from '#engine/call/model-outputs.ts';
import type { Price } from '#engine/credits/prices.ts';
import type { SitePage } from '#extract/urls/site-page.ts';
import type { CrawlOptions } from '#features/crawl/crawl-options.ts';

export type EnrichmentParts = {
  readonly order: Pick<CrawlOptions, 'summary' | 'page'>;
  readonly modelSession: ModelSession | null;
  readonly price: Price;
  /** The ceiling of the crawl, null for none. */
  readonly maxCredits: number | null;
};

/** The outputs that a model adds to the pages of a crawl. */
export type Enrichment = {
  /** Credits that are set aside for them with each page. */
  readonly reservedCredits: number;
  /** Asks the model about a page; `raise` sets further credits aside. Throws what `askModel` throws. */
  readonly enrich: (page: EnrichablePage, signal: AbortSignal) => Promise<ModelOutputs>;
  /** The price of one output. */
  readonly pricePerOutput: number;
};

export type EnrichablePage = {
  readonly url: string;
  readonly sitePage: Pick<SitePage, 'open' | 'title'>;
  readonly raise: (credits: number) => Promise<boolean>;
};

/** The outputs of a page that no model is asked about. */
export const NO_ENRICHMENT: ModelOutputs = { members: {}, warnings: [], count: 0 };

/**
 * Builds the enrichment of a crawl. Each page pays for a summary, but only those that leave fields of the schema open pay
 * for an object: so only a crawl with a ceiling, which counts pages by what is set aside, sets that aside beforehand.
 */
export function buildEnrichment({ order, modelSession, price, maxCredits }: EnrichmentParts): Enrichment {
  const { summary, page } = order;
  const { extract } = page;
  const each = price.perModelOutput ?? 0;
  const ofSummary = summary ? each : 0;
  const fills = modelSession !== null && extract?.schema !== undefined;
  const isAffordable = maxCredits === null || maxCredits >= price.base + ofSummary + each;
  const isPaidAhead = fills && maxCredits !== null && isAffordable;
  return {
    pricePerOutput: each,
    reservedCredits: ofSummary + (isPaidAhead ? each : 0),
    async enrich({ url, sitePage: { open, title }, raise }, signal) {
      if (modelSession === null || open === null) return NO_ENRICHMENT;
      const { passage, json } = open;
      const made = await askModel(
        modelSession,
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
