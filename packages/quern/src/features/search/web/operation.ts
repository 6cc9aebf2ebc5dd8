import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';
import type { Price } from '#engine/credits/prices.ts';
import { ENDPOINT_ERRORS } from '#features/sites/endpoint.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { SearchText } from '#features/search/search-input.ts';
import { COMMON_FIELDS } from '#features/schema/parameters.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { WebsearchResult } from './result.ts';

const WebsearchInput = z.strictObject({
  search: SearchText,
  geo: z
    .string()
    .min(2)
    .max(64)
    .optional()
    .describe('Country to search from: ISO 3166-1 code, English name, or a place that ends with its country'),
  locale: z
    .string()
    .min(2)
    .max(16)
    .default('en')
    .describe('Language of the interface: a tag such as de or pt-BR, or a name such as German'),
  domain: z
    .string()
    .min(2)
    .max(16)
    .default('com')
    .describe('Top-level domain of the engine: com, de, co.uk, or google.com'),
  page: wholeNumber(1, 100).default(1).describe('First page of results'),
  pages: wholeNumber(1, 10).default(1).describe('Number of pages; each costs the price of one'),
  ...COMMON_FIELDS,
});

export type WebsearchInput = z.output<typeof WebsearchInput>;

const ALIASES = {
  search: ['q', 'query'],
  geo: ['country', 'geo_location', 'location', 'gl'],
  locale: ['language', 'lang', 'hl', 'interface_language'],
  domain: ['tld', 'google_domain'],
  page: ['start_page', 'start'],
  pages: ['num_pages', 'page_count'],
};

export const WEBSEARCH_PRICE: Price = { base: 10, cacheHit: 10, perTier: false, per: 'page' };

export const websearchSearch = declareWork({
  id: 'websearch.search',
  route: 'GET /v1/websearch/search',
  summary: 'Search results of one engine, including ads',
  plan: 'starter',
  price: WEBSEARCH_PRICE,
  errors: ENDPOINT_ERRORS,
  input: WebsearchInput,
  aliases: ALIASES,
  output: z.object({
    provider: z.literal('websearch'),
    query_context: z.object({
      search: z.string(),
      geo: z.string(),
      locale: z.string(),
      domain: z.string(),
      page: z.int(),
    }),
    meta_data: z.object({ page: z.int(), url: z.string().describe('URL of the first result page') }),
    organic_results: z.array(WebsearchResult).readonly(),
    paid_results: z.array(WebsearchResult).readonly(),
    warnings: Warnings.optional().describe('Adjustments of the input; absent if there are none'),
  }),
  example: { search: 'windmill sails', geo: 'NL', locale: 'en' },
  canQueue: true,
  agent: { tool: null, isEndpoint: true },
});
