import { z } from 'zod';
import { FOUND_IN } from '#engine/crawl/frontier.ts';
import type { Layer, Listed } from '#engine/crawl/frontier.ts';
import { MAP_SOURCES, MAP_STOP_REASONS } from '#engine/crawl/mapping.ts';
import type { MapEnd, MapSource } from '#engine/crawl/mapping.ts';
import { defineOperation } from '#engine/operation.ts';
import { PAGE_ERRORS } from '#engine/page-errors.ts';
import { PRICES, sumOf } from '#engine/prices.ts';
import type { Usage } from '#engine/prices.ts';
import { rankBySearch } from '#extract/site/ranking.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import { Warnings } from './page-outputs.ts';
import { refuseBadProxy } from './reach.ts';
import { admitWalk, toWarnings, Troubles, WALK_FIELDS } from './walk-fields.ts';

const DEFAULT_URLS = 100;
const MOST_URLS = 1_000_000;
/** Pages that failed and are told of; all of them are counted. */
const MOST_ERRORS = 100;
/** The visit of a page costs what its tier adds; the addresses have their own price. */
const VISIT = { ...PRICES.map, base: 0, cacheHit: 0 };

const MapInput = z
  .strictObject({
    url: z.string().min(1).max(8192).describe('Where the map starts'),
    max_urls: wholeNumber(1, MOST_URLS)
      .default(DEFAULT_URLS)
      .describe(`URLs to return at most; above ${DEFAULT_URLS} the call becomes a job`),
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
    ...WALK_FIELDS,
  })
  .superRefine(refuseBadProxy);

type MapInput = z.output<typeof MapInput>;

const MappedUrl = z.object({
  url: z.string(),
  title: z.string().optional(),
  lastmod: z.string().optional().describe('A day or an instant, as a sitemap or feed says'),
  source: z.enum(FOUND_IN).describe('Where the URL was met first'),
  depth: z.int().optional().describe('Links from the start, where it was met as a link'),
});

const MapOutput = z.object({
  url: z.string(),
  urls: z.array(MappedUrl).readonly(),
  total: z.int().describe('URLs that were found, returned or not'),
  truncated: z.boolean().describe('Whether more were found than are returned'),
  complete: z.boolean().describe('Whether nothing in reach was left out, as far as pages and sitemaps tell'),
  stop_reason: z.enum(MAP_STOP_REASONS),
  sources: z.partialRecord(
    z.enum(MAP_SOURCES),
    z.object({
      found: z.int().describe('URLs that were met here first'),
      read: z.int().describe('Files or pages that were read'),
      refused: z.int().describe('Addresses that were left out'),
      errors: Troubles,
    }),
  ),
  warnings: Warnings,
});

export const map = defineOperation({
  id: 'map',
  route: 'POST /v1/map',
  summary: 'Discover the URLs of a site',
  plan: 'free',
  price: PRICES.map,
  errors: PAGE_ERRORS,
  input: MapInput,
  output: MapOutput,
  list: 'urls',
  walks: true,
  example: { url: 'https://example.com/', max_urls: 50, search: 'prices' },
  admit: (input, facts) =>
    admitWalk(input, facts, {
      seeds: [input.url],
      from: 'url',
      price: PRICES.map,
      besides: 0,
      member: 'max_urls',
      count: input.max_urls,
      most: facts.plan.map_urls,
      needs: { browser: false, country: false },
    }),
  queue: ({ max_urls: maxUrls, timeout_ms: timeoutMs = 0 }, plan) =>
    maxUrls > DEFAULT_URLS || timeoutMs > plan.inline_timeout_ms,
  async run(input, { map: walk, readTarget }) {
    const end = await walk(
      {
        url: input.url,
        maxUrls: input.max_urls,
        maxDepth: input.max_depth,
        sources: input.sources,
        wantsTitles: input.include_metadata || input.search !== undefined,
        gathers: input.search !== undefined,
        scope: input.scope,
        include: input.include,
        exclude: input.exclude,
        respectRobots: input.respect_robots,
        delayMs: input.delay_ms ?? null,
        mostPerPattern: input.max_per_pattern,
      },
      { address: PRICES.map.base, visit: VISIT },
    );
    const ranked = input.search === undefined ? end.listed : rankBySearch(input.search, end.listed);
    const urls = ranked.slice(0, end.paid).map((one) => toUrl(one, input));
    const usage = usageOf(urls.length, end);
    return {
      tier: usage.tier,
      charge: { usage, paid: end.charged },
      body: {
        url: readTarget(input.url).href,
        urls,
        total: end.total,
        truncated: end.total > urls.length,
        complete: end.isComplete && end.total === urls.length,
        stop_reason: end.stopReason,
        sources: Object.fromEntries(input.sources.map((source) => [source, sourceOf(source, end)])),
        warnings: toWarnings(end.leftTo, end.standing),
      },
    };
  },
});

function toUrl({ url, title, lastmod, source, depth }: Listed, input: MapInput): z.output<typeof MappedUrl> {
  return {
    url,
    ...(title !== null && input.include_metadata ? { title } : {}),
    ...(lastmod === null ? {} : { lastmod }),
    source,
    ...(source === 'links' || source === 'seed' ? { depth } : {}),
  };
}

function usageOf(urls: number, { standing }: MapEnd): Usage {
  const visits = sumOf(VISIT, standing.tiers);
  const base = urls * PRICES.map.base;
  return { ...visits, base, credits: base + visits.surcharge };
}

function sourceOf(source: MapSource, { layers, files, standing, errors }: MapEnd) {
  const found = layers
    .filter((layer) => layer.source === source)
    .reduce((sum: number, { count }: Layer) => sum + count, 0);
  if (source === 'links') {
    const skipped = Object.values(standing.skipped).reduce((sum, n) => sum + n, 0);
    const ofFiles = Object.values(files ?? {}).reduce((sum, { leftOut }) => sum + leftOut, 0);
    return {
      found,
      read: standing.stored,
      refused: Math.max(0, skipped - ofFiles),
      errors: errors.slice(0, MOST_ERRORS),
    };
  }
  const { read, refused, errors: failed } = files?.[source] ?? { read: 0, refused: 0, errors: [] };
  return { found, read, refused, errors: failed };
}
