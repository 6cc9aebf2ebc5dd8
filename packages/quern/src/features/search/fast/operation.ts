import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';
import type { Price } from '#engine/credits/prices.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { CALL_TIME } from '#features/schema/parameters.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { named } from '#extract/schema/names.ts';
import { ENGINE_STATUSES } from '#features/search/backend/backend.ts';
import { admitsWithin } from '#features/search/admission.ts';
import { SearchText } from '#features/search/search-input.ts';
import { FAST_SEARCH_TOOL, FAST_SEARCH_VIEW } from '#features/search/views.ts';

const FastSearchInput = z.strictObject({
  search: SearchText.describe(
    'What is looked for; "words in quotes" stand together; engines get its first 2,000 characters',
  ),
  country_code: z
    .string()
    .regex(/^[a-z]{2}$/i, 'must be two letters (ISO 3166-1), such as de')
    .optional()
    .describe('Country whose results come first'),
  language: z
    .string()
    .min(2)
    .optional()
    .describe('Language of the results: a tag such as de or pt-BR, or a name such as German'),
  page: wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    .default(1)
    .describe('Page of results; below 1 is the first, beyond the last is empty'),
  ...CALL_TIME,
});

export type FastSearchInput = z.output<typeof FastSearchInput>;

/** An engine in a search, and what it came to. */
export const SearchEngine = named(
  'SearchEngine',
  z.object({
    name: z.string(),
    status: z.enum(ENGINE_STATUSES),
    reason: z.string().nullable().describe('Why, where the status alone does not say it'),
    results: z.int(),
    dropped: z.int().describe('Results whose address is none that one may visit'),
    took_ms: z.int(),
  }),
);

const FastResult = named(
  'FastResult',
  z.object({
    position: z.int(),
    title: z.string(),
    url: z.string(),
    url_shown: z.string(),
    description: z.string(),
    source: z.string().describe('Registrable domain'),
    published_at: z.string().nullable(),
    language: z.string().nullable(),
    engines: z.array(z.string()).readonly(),
  }),
);

const FastNews = named(
  'FastNews',
  z.object({
    position: z.int(),
    title: z.string(),
    url: z.string(),
    source: z.string().describe('Registrable domain'),
    description: z.string(),
    published_at: z.string().nullable(),
    image_url: z.string().nullable(),
    engines: z.array(z.string()).readonly(),
  }),
);

const FastSearchOutput = named(
  'FastSearch',
  z.object({
    meta_data: z.object({
      search: z.string(),
      country_code: z.string(),
      language: z.string(),
      page: z.int(),
      engines: z.array(SearchEngine).readonly(),
      served_by: z.array(z.string()).readonly().describe('The engines whose results these are'),
      total_estimate: z.int().nullable(),
      has_more: z.boolean(),
      took_ms: z.int(),
      partial: z.boolean().describe('Whether an engine failed'),
    }),
    organic_results: z.array(FastResult).readonly(),
    news_results: z.array(FastNews).readonly(),
    warnings: Warnings.optional().describe('What of the input was adjusted; absent where nothing was'),
  }),
);

/** A search costs the same whatever served it. */
const PRICE: Price = { base: 5, cacheHit: 5, perTier: false };

export const fastSearch = declareWork({
  id: 'fast-search',
  clientName: 'fastSearch',
  route: 'GET /v1/fast-search',
  summary: 'Search the web and the pages that this instance has fetched',
  plan: 'starter',
  price: PRICE,
  errors: ['backend_unavailable', 'timeout'],
  errorDetails: true,
  input: FastSearchInput,
  aliases: {
    search: ['q', 'query'],
    country_code: ['country', 'geo'],
    language: ['lang', 'locale', 'language_code', 'hl'],
    page: ['page_number', 'start_page'],
  },
  output: FastSearchOutput,
  example: { search: 'how a windmill turns into the wind' },
  view: FAST_SEARCH_VIEW,
  agent: FAST_SEARCH_TOOL,
  // A search visits no page by the ladder.
  ...admitsWithin(PRICE),
});
