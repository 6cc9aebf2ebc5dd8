import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';
import { declareWork } from '#engine/call/operation.ts';
import { READS_WEB, type ToolView } from '#engine/call/tool-view.ts';
import type { Price } from '#engine/credits/prices.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { TIMEOUT_FIELD } from '#features/schema/parameters.ts';
import { SearchText } from '#features/search/search-input.ts';
import { CONTENT_FIELDS, SearchContent } from '#features/search/page-content.ts';
import { ENGINE_STATUSES } from '#features/search/backend/backend.ts';

/** `quern search` for `quern fast-search`. */
const FAST_SEARCH_VIEW: CommandView = { aliases: [{ words: ['search'], adds: [] }] };

/** The MCP tool for searches. */
const FAST_SEARCH_TOOL: ToolView = {
  tool: {
    name: 'search',
    title: 'Search the web',
    task: 'pages about something, by keywords',
    about: 'Use this to find pages when you have no URL. It returns titles, URLs and passages; read a page with fetch.',
    hints: READS_WEB,
  },
  members: {
    search: 'Search words; put "a phrase" in quotes',
    country_code: null,
    language: null,
    page: null,
    content: 'Also read the result pages: {"output": ["markdown"], "pages": 3}',
    max_credits: null,
  },
  toShown: ({ organic_results: results, news_results: news, meta_data: meta }) => ({
    results,
    ...(Array.isArray(news) && news.length > 0 ? { news } : {}),
    meta_data: meta,
  }),
};

const FastSearchInput = z.strictObject({
  search: SearchText.describe('Search query; "words in quotes" are a phrase; engines get the first 2,000 characters'),
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
  content: SearchContent.optional().describe('Also read the pages of the first results, and return their content'),
  max_credits: wholeNumber(1)
    .optional()
    .describe('Most credits that this call may cost; fewer pages are read if needed'),
  ...TIMEOUT_FIELD,
});

export type FastSearchInput = z.output<typeof FastSearchInput>;

/** The outcome of one engine in a search. */
export const SearchEngine = nameSchema(
  'SearchEngine',
  z.object({
    name: z.string(),
    status: z.enum(ENGINE_STATUSES),
    reason: z.string().nullable().describe('Reason, if the status alone does not explain it'),
    results: z.int(),
    dropped: z.int().describe('Results dropped because their URL may not be visited'),
    took_ms: z.int(),
  }),
);

const FastResult = nameSchema(
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
    ...CONTENT_FIELDS,
  }),
);

const FastNews = nameSchema(
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

const FastSearchOutput = nameSchema(
  'FastSearch',
  z.object({
    meta_data: z.object({
      search: z.string(),
      country_code: z.string(),
      language: z.string(),
      page: z.int(),
      engines: z.array(SearchEngine).readonly(),
      served_by: z.array(z.string()).readonly().describe('Engines that returned results'),
      total_estimate: z.int().nullable(),
      has_more: z.boolean(),
      took_ms: z.int(),
      partial: z.boolean().describe('True if an engine failed'),
    }),
    organic_results: z.array(FastResult).readonly(),
    news_results: z.array(FastNews).readonly(),
    warnings: Warnings.optional().describe('Adjustments of the input; absent if there are none'),
  }),
);

/** A search costs the same whichever engine served it. Pages that it reads are charged in addition, like fetches. */
export const FAST_SEARCH_PRICE: Price = { base: 5, cacheHit: 5, perTier: false };

export const fastSearch = declareWork({
  id: 'fast-search',
  clientName: 'fastSearch',
  route: 'GET /v1/fast-search',
  summary: 'Search the web and the pages that this instance has fetched',
  plan: 'starter',
  price: FAST_SEARCH_PRICE,
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
  canQueue: true,
});
