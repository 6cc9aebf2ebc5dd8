import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';
import { PAGE_ERRORS } from '#engine/call/page-errors.ts';
import { READS_WEB, type ToolView } from '#engine/call/tool-view.ts';
import { PRICES } from '#engine/credits/prices.ts';
import { named } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { URL_SOURCES } from '#features/crawl/crawl-page.ts';
import { admitSiteCrawl, FileReport, SITE_CRAWL_FIELDS } from '#features/crawl/site-crawl-fields.ts';
import { SENT_FIELDS } from '#features/schema/page-fields.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { refuseBadProxy } from '#features/schema/reach.ts';
import { MAP_VIEW } from './command-view.ts';
import { MAP_SOURCES } from './map-options.ts';
import { MAP_STOP_REASONS } from './map-run.ts';

/** The tool that lists the URLs of a site. */
const MAP_TOOL: ToolView = {
  tool: {
    name: 'map',
    title: 'List the URLs of a site',
    task: 'which pages a site has',
    about:
      'Use this to find which pages a site has before reading any, or to find the one about a topic with search. It reads sitemaps, feeds and links, and answers URLs.',
    hints: READS_WEB,
  },
  members: {
    url: 'Where it starts',
    search: 'Words to rank by',
    max_urls: 'Default 100',
    include: 'Globs on paths; only these',
    exclude: 'Globs of what to leave out',
    include_metadata: 'Add titles',
  },
  asJob: true,
};

const DEFAULT_MAX_URLS = 100;
const MAX_URLS = 1_000_000;

const MapInput = z
  .strictObject({
    url: z.string().min(1).max(8192).describe('Where the map starts'),
    max_urls: wholeNumber(1, MAX_URLS)
      .default(DEFAULT_MAX_URLS)
      .describe(`URLs to return at most; above ${DEFAULT_MAX_URLS} the call becomes a job`),
    search: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('Words to rank by: more URLs are gathered than returned, and those that fit best come first'),
    sources: z
      .array(z.enum(MAP_SOURCES))
      .min(1)
      .refine((names) => new Set(names).size === names.length, 'must not name a source twice')
      .default([...MAP_SOURCES])
      .describe(
        'Where to look: the sitemaps that robots.txt names (robots), else those at the usual places (sitemap), feeds, and the links of pages',
      ),
    max_depth: wholeNumber(0, 1000)
      .default(3)
      .describe('Links to follow from the start; the pages of one listing are equally deep'),
    include_metadata: z
      .boolean()
      .default(false)
      .describe('Add titles: those of pages that were read, else what a feed or a link calls them'),
    fetch: z.strictObject(SENT_FIELDS).prefault({}).describe('How each page is asked for'),
    ...SITE_CRAWL_FIELDS,
  })
  .superRefine(refuseBadProxy);

export type MapInput = z.output<typeof MapInput>;

export const MappedUrl = named(
  'MappedUrl',
  z.object({
    url: z.string(),
    title: z.string().optional(),
    lastmod: z.string().optional().describe('A day or an instant, as a sitemap or feed says'),
    source: z.enum(URL_SOURCES).describe('Where the URL was met first'),
    depth: z.int().optional().describe('Links from the start, where it was met as a link'),
  }),
);

const MapOutput = z.object({
  url: z.string(),
  urls: z.array(MappedUrl).readonly(),
  total: z.int().describe('URLs that were found, returned or not'),
  truncated: z.boolean().describe('Whether more were found than are returned'),
  complete: z.boolean().describe('Whether nothing in reach was left out, as far as pages and sitemaps tell'),
  stop_reason: z.enum(MAP_STOP_REASONS),
  sources: z.partialRecord(
    z.enum(MAP_SOURCES),
    z.object({ found: z.int().describe('URLs that were met here first'), ...FileReport.shape }),
  ),
  warnings: Warnings,
});

export const map = declareWork({
  id: 'map',
  route: 'POST /v1/map',
  summary: 'Discover the URLs of a site',
  plan: 'free',
  price: PRICES.map,
  errors: PAGE_ERRORS,
  input: MapInput,
  output: MapOutput,
  list: 'urls',
  isLongRunning: true,
  view: MAP_VIEW,
  agent: MAP_TOOL,
  example: { url: 'https://example.com/', max_urls: 50, search: 'prices' },
  admit: (input, facts) =>
    admitSiteCrawl(input, facts, {
      seeds: [input.url],
      seedField: 'url',
      price: PRICES.map,
      extraCredits: 0,
      countField: 'max_urls',
      count: input.max_urls,
      maxCount: facts.plan.map_urls,
      needs: { browser: input.hash_routes, country: false },
    }),
  queue: ({ max_urls: maxUrls, timeout_ms: timeoutMs = 0 }, plan) =>
    maxUrls > DEFAULT_MAX_URLS || timeoutMs > plan.inline_timeout_ms,
});
