import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';
import { PAGE_ERRORS, checkProxy } from '#features/schema/page-admission.ts';
import { READS_WEB, type ToolView } from '#engine/call/tool-view.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { PRICES } from '#engine/credits/prices.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { URL_SOURCES } from '#features/crawl/crawl-page.ts';
import { admitSiteCrawl, checkScope, FileReport, SITE_CRAWL_FIELDS } from '#features/crawl/site-crawl-fields.ts';
import { REQUEST_FIELDS } from '#features/schema/page-fields.ts';
import { isOverInlineTimeout } from '#features/schema/parameters.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { MAP_VIEW } from './command-view.ts';
import { MAP_SOURCES } from './map-options.ts';
import { MAP_STOP_REASONS } from './map-run.ts';

/** The map tool for agents. */
const MAP_TOOL: ToolView = {
  tool: {
    name: 'map',
    title: 'List the URLs of a site',
    task: 'which pages a site has',
    about:
      'Use this to find which pages a site has before reading any, or to find the one about a topic with search. It reads sitemaps and feeds, follows links if there are none or with walk, and returns URLs.',
    hints: READS_WEB,
  },
  members: {
    url: 'Start URL',
    search: 'Words that a URL or title must have',
    walk: 'Also follow links; slower',
    max_urls: 'Default 100',
    include: 'Globs on paths; only these',
    exclude: 'Globs of paths to skip',
    include_metadata: 'Add titles',
  },
  asJob: true,
};

const DEFAULT_MAX_URLS = 100;
const MAX_URLS = 1_000_000;

const MapInput = z
  .strictObject({
    url: z.string().min(1).max(8192).describe('URL at which the map starts'),
    max_urls: wholeNumber(1, MAX_URLS)
      .default(DEFAULT_MAX_URLS)
      .describe(`Maximum number of URLs to return; above ${DEFAULT_MAX_URLS} the call runs as a job`),
    search: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('Words to search for: only URLs whose path, query or title has one of them are returned, best first'),
    sources: z
      .array(z.enum(MAP_SOURCES))
      .min(1)
      .refine((names) => new Set(names).size === names.length, 'must not list a source twice')
      .default([...MAP_SOURCES])
      .describe(
        'Where to look: the sitemaps listed in robots.txt (robots), else those at the usual paths (sitemap), feeds, pages of the site that you have fetched before (known), and the links of pages',
      ),
    walk: z
      .boolean()
      .default(false)
      .describe(
        'Follow links; otherwise links are followed only if no other source has a URL. An inline call without timeout_ms follows them for 10 seconds',
      ),
    max_depth: wholeNumber(0, 1000)
      .default(3)
      .describe('Maximum link depth from the start; the pages of a paginated list have the same depth'),
    include_metadata: z
      .boolean()
      .default(false)
      .describe('Add titles: of the page if it was read, else of the feed entry or link'),
    fetch: z.strictObject(REQUEST_FIELDS).prefault({}).describe('How each page is requested'),
    ...SITE_CRAWL_FIELDS,
  })
  .superRefine((input, context) => {
    checkProxy(input, context);
    checkScope(input, context);
  })
  .refine(({ walk, sources }) => !walk || sources.includes('links'), {
    path: ['walk'],
    message: 'needs links among the sources',
  });

export type MapInput = z.output<typeof MapInput>;

export const MappedUrl = nameSchema(
  'MappedUrl',
  z.object({
    url: z.string(),
    title: z.string().optional(),
    lastmod: z.string().optional().describe('A date or timestamp, as given by a sitemap or feed'),
    source: z.enum(URL_SOURCES).describe('Where the URL was found first'),
    depth: z.int().optional().describe('Link depth from the start, if it was found as a link'),
  }),
);

const MapOutput = z.object({
  url: z.string(),
  urls: z.array(MappedUrl).readonly(),
  total: z.int().describe('Number of URLs found, with search those that match, returned or not'),
  truncated: z.boolean().describe('Whether more URLs were found than are returned'),
  complete: z.boolean().describe('Whether no URL in reach was missed, judging by sitemaps and the pages visited'),
  stop_reason: z.enum(MAP_STOP_REASONS),
  sources: z.partialRecord(
    z.enum(MAP_SOURCES),
    z.object({ found: z.int().describe('URLs that were found here first'), ...FileReport.shape }),
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
  canQueue: true,
});

/** Admits a map. Throws `ServiceError`. */
export function admitMap(input: MapInput, facts: AdmissionFacts): Admission {
  return admitSiteCrawl(input, facts, {
    seeds: [input.url],
    seedField: 'url',
    price: PRICES.map,
    // The first hundred URLs.
    extraCredits: PRICES.map.perHundredUrls,
    countField: 'max_urls',
    count: input.max_urls,
    maxCount: facts.plan.map_urls,
    needs: { browser: input.hash_routes, country: false },
  });
}

/** Whether a map is too large for an inline call. */
export function isLargeMap(input: MapInput, plan: Plan): boolean {
  return input.max_urls > DEFAULT_MAX_URLS || isOverInlineTimeout(input, plan);
}
