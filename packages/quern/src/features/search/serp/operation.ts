import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';
import type { Price } from '#engine/credits/prices.ts';
import { SAFE_LEVELS, TIME_RANGES, EngineFeatures } from '#sites/engines/shared.ts';
import { WebsearchResult } from '#features/search/web/result.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { SearchText } from '#features/search/search-input.ts';
import { COMMON_FIELDS } from '#features/schema/parameters.ts';
import { ENDPOINT_ERRORS } from '#features/sites/endpoint.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { SERP_ENGINES } from './engine-sources.ts';

const SerpInput = z.strictObject({
  engine: z
    .enum(SERP_ENGINES)
    .default('google')
    .describe('Search engine; searxng is the instance that the operator configured'),
  search: SearchText,
  country: z.string().min(2).max(64).optional().describe('ISO 3166-1 code or English name'),
  language: z
    .string()
    .min(2)
    .default('en')
    .describe('Language of the results, if the engine supports it: a tag such as de, or a name such as German'),
  page: wholeNumber(1, 100).default(1).describe('Page of results'),
  safe: z.enum(SAFE_LEVELS).optional().describe('Safe-search level, if the engine supports it'),
  time_range: z
    .enum(TIME_RANGES)
    .optional()
    .describe('Maximum age of results; rejected if the engine does not support it'),
  ...COMMON_FIELDS,
});

export type SerpInput = z.output<typeof SerpInput>;

const ALIASES = {
  search: ['q', 'query', 'keyword', 'keywords'],
  country: ['geo', 'country_code', 'gl'],
  language: ['locale', 'lang', 'hl'],
  safe: ['safesearch'],
};

const PRICE: Price = { base: 15, cacheHit: 15, perTier: false };

export const serpSearch = declareWork({
  id: 'serp.search',
  route: 'GET /v1/serp/search',
  summary: 'One page of results of a named engine, including its side panels',
  plan: 'starter',
  price: PRICE,
  errors: ENDPOINT_ERRORS,
  input: SerpInput,
  aliases: ALIASES,
  output: z.object({
    provider: z.literal('serp'),
    query_context: z.object({
      engine: z.enum(SERP_ENGINES),
      search: z.string(),
      country: z.string(),
      language: z.string(),
      page: z.int(),
    }),
    meta_data: z.object({ page: z.int(), url: z.string().describe('URL of the result page') }),
    organic_results: z.array(WebsearchResult).readonly(),
    paid_results: z.array(WebsearchResult).readonly(),
    features: EngineFeatures,
    warnings: Warnings.optional().describe('Adjustments of the input; absent if there are none'),
  }),
  example: { engine: 'duckduckgo', search: 'windmill sails' },
  canQueue: true,
  agent: { tool: null, isEndpoint: true },
});
