import { type ModelSession, askModel, type ModelOutputs } from '#engine/call/model.ts';
import type { Price } from '#engine/credits/prices.ts';
import type { SitePage } from '#extract/urls/site-page.ts';
import { findPassages } from '#features/passages/page-passages.ts';
import { chooseQuestion } from '#features/schema/passages-fields.ts';
import type { CrawlOptions, PageOptions } from '#features/crawl/crawl-options.ts';

export type EnrichmentParts = {
  readonly options: Pick<CrawlOptions, 'page' | 'listed'>;
  readonly modelSession: ModelSession | null;
  readonly price: Price;
  /** Credit limit of the crawl, null for none. */
  readonly maxCredits: number | null;
};

/** Adds passages and model outputs to the pages of a crawl. */
export type Enrichment = {
  /** Credits reserved for model outputs with each page. */
  readonly reservedCredits: number;
  /** Asks the model about a page. `raise` reserves further credits. Throws what `askModel` throws. */
  readonly enrich: (page: EnrichablePage, signal: AbortSignal) => Promise<ModelOutputs>;
  /** Credits of one model output. */
  readonly pricePerOutput: number;
};

export type EnrichablePage = {
  readonly url: string;
  readonly sitePage: Pick<SitePage, 'open' | 'title' | 'plainText'>;
  readonly raise: (credits: number) => Promise<boolean>;
  readonly options: Pick<PageOptions, 'summary' | 'extract' | 'passages'>;
};

/** The model outputs of a page for which no model is called. */
export const NO_ENRICHMENT: ModelOutputs = { members: {}, warnings: [], count: 0 };

/**
 * Builds the enrichment of a crawl. Every page pays for a summary and an answer. An object is only paid for if the page leaves fields
 * of the schema empty, so its credits are reserved in advance only if the crawl has a credit limit.
 */
export function buildEnrichment({ options, modelSession, price, maxCredits }: EnrichmentParts): Enrichment {
  const pages = options.listed?.map(({ page }) => page) ?? [options.page];
  const each = price.perModelOutput ?? 0;
  const ofSummary = pages.some(({ summary }) => summary) ? each : 0;
  const answers = modelSession !== null && pages.some(({ passages }) => chooseQuestion(passages) !== null);
  const sure = ofSummary + (answers ? each : 0);
  const fills = modelSession !== null && pages.some(({ extract }) => extract?.schema !== undefined);
  const isAffordable = maxCredits === null || maxCredits >= price.base + sure + each;
  const isPaidAhead = fills && maxCredits !== null && isAffordable;
  return {
    pricePerOutput: each,
    reservedCredits: sure + (isPaidAhead ? each : 0),
    async enrich(
      { url, sitePage: { open, title, plainText = '' }, raise, options: { summary, extract, passages } },
      signal,
    ) {
      const found = await findPassages(plainText, passages, modelSession !== null);
      if (modelSession === null || open === null) return { ...found, count: 0 };
      const { passage, json } = open;
      const made = await askModel(
        modelSession,
        {
          url,
          title,
          passage,
          passages: found.list,
          json: json ?? {},
          summary,
          extract,
          question: chooseQuestion(passages),
          async tryReserve() {
            if (!isAffordable) return `for ${each} credits more, which exceeds max_credits`;
            return isPaidAhead || (await raise(each)) ? null : `for ${each} credits more, which are not available`;
          },
        },
        signal,
      );
      return {
        ...made,
        members: { ...(json === undefined ? {} : { json }), ...found.members, ...made.members },
        warnings: [...found.warnings, ...made.warnings],
      };
    },
  };
}
