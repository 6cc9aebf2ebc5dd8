import { z } from 'zod';
import { STOP_REASONS } from '#engine/crawl/crawling.ts';
import { SITEMAP_USES } from '#engine/crawl/order.ts';
import { MODEL_MEMBERS, passageFor } from '#engine/model-outputs.ts';
import { defineOperation } from '#engine/operation.ts';
import { PAGE_ERRORS } from '#engine/page-errors.ts';
import { PRICES, sumOf, SERVED_TIERS, withModel } from '#engine/prices.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { SKIP_REASONS } from '#extract/site/admission.ts';
import { ANSWER_BYTES } from '#kernel/answer-size.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import type { Warning } from '#kernel/warnings.ts';
import { withoutModelFor } from '#llm/complete.ts';
import { needsBrowser, NO_FILES, PAGE_FIELDS, toReadOptions, toVisit } from './page-fields.ts';
import { Metadata, PAGE_OUTPUTS, Warnings } from './page-outputs.ts';
import { refuseBadProxy } from './reach.ts';
import { admitWalk, MOST_PER_PATTERN, toWarnings, Troubles, WALK_FIELDS } from './walk-fields.ts';

const DEFAULT_PAGES = 25;
const MOST_PAGES = 1_000_000;

const CrawlOutputs = z
  .array(z.enum([...OUTPUTS, 'summary']))
  .min(1)
  .refine((names) => new Set(names).size === names.length, 'must not name a format twice')
  .default(['markdown'])
  .describe('Formats to return; summary needs a model');

const CrawlInput = z
  .strictObject({
    url: z.string().min(1).max(8192).optional().describe('Where the crawl starts'),
    urls: z
      .array(z.string().min(1).max(8192))
      .min(1)
      .max(1000)
      .optional()
      .describe('A list of pages instead, without following links'),
    max_pages: wholeNumber(1, MOST_PAGES)
      .optional()
      .describe(`Pages to store at most; ${DEFAULT_PAGES} unless given, and more become a job`),
    max_depth: wholeNumber(0, 1000).nullable().default(null).describe('Links to follow from the start; null for any'),
    sitemap: z
      .enum(SITEMAP_USES)
      .default('include')
      .describe("Read the site's sitemaps beside its links, not at all (skip), or instead of them (only)"),
    output: CrawlOutputs,
    ...WALK_FIELDS,
    fetch: z.strictObject(PAGE_FIELDS).prefault({}).describe('How each page is asked for and read'),
    archive: z
      .boolean()
      .default(false)
      .describe('Keep every exchange with the site as WARC, for format=warc of the result; the crawl becomes a job'),
    dedupe_content: z.boolean().default(true).describe('Leave out pages whose content is stored already, free'),
  })
  .superRefine((input, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    refuseBadProxy(input, context);
    if ((input.url === undefined) === (input.urls === undefined)) {
      refuse('url', 'send either url, to crawl from there, or urls');
    }
    if (input.urls !== undefined && input.max_pages !== undefined) {
      refuse('max_pages', 'is the number of urls where those are given');
    }
    if (input.urls !== undefined)
      for (const member of choosingIn(input)) refuse(member, 'is of no use where urls are given');
    const json = input.output.includes('json');
    if (json && input.fetch.extract === undefined) refuse('fetch', 'output json needs fetch.extract');
    if (!json && input.fetch.extract !== undefined) refuse('fetch', 'add json to output to use fetch.extract');
  });

type Following = {
  readonly sitemap: string;
  readonly scope: string;
  readonly max_depth: number | null;
  readonly max_per_pattern: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
};

/** The members that choose among links, which nobody follows from a list. */
function choosingIn({
  sitemap,
  scope,
  max_depth: maxDepth,
  max_per_pattern: mostPerPattern,
  include,
  exclude,
}: Following): readonly string[] {
  return [
    ...(sitemap === 'only' ? ['sitemap'] : []),
    ...(scope === 'host' ? [] : ['scope']),
    ...(maxDepth === null ? [] : ['max_depth']),
    ...(mostPerPattern === MOST_PER_PATTERN ? [] : ['max_per_pattern']),
    ...(include.length === 0 ? [] : ['include']),
    ...(exclude.length === 0 ? [] : ['exclude']),
  ];
}

const ANSWER_FULL: Warning = {
  code: 'left_out',
  message: `an answer has room for ${ANSWER_BYTES / 2 ** 20} MiB, and less while others need it: run the crawl as a job for the rest`,
};

const CrawledPage = z.object({
  url: z.string(),
  final_url: z.string(),
  status_code: z.int(),
  fetched_at: z.iso.datetime(),
  depth: z.int(),
  parent_url: z.string().nullable(),
  content_type: z.string(),
  ...PAGE_OUTPUTS,
  ...MODEL_MEMBERS,
  metadata: Metadata,
  tier: z.enum(SERVED_TIERS),
  credits: z.int(),
  near_duplicate_of: z.string().optional().describe('A page stored before that says nearly the same'),
  soft_404: z.boolean().optional().describe('The page came with success and says that there is none'),
  warnings: Warnings,
});

const CrawlOutput = z.object({
  url: z.string(),
  complete: z.boolean().describe('Whether nothing in reach was left out'),
  stop_reason: z
    .enum(STOP_REASONS)
    .describe(
      'What ended it; answer_full: an answer has no room for more, a job has; blocked: the hosts that are left refused or did not answer 25 visits in a row; interrupted: it could not go on',
    ),
  pages: z.array(CrawledPage).readonly(),
  errors: Troubles.describe('Pages that failed, free; the first thousand'),
  skipped: z.record(z.enum(SKIP_REASONS), z.int()).describe('Addresses that were not stored, free, by reason'),
  stats: z.object({
    discovered: z.int(),
    fetched: z.int(),
    failed: z.int(),
    skipped: z.int(),
    pending: z.int(),
    duration_ms: z.int(),
  }),
  warnings: Warnings,
});

export const crawl = defineOperation({
  id: 'crawl',
  route: 'POST /v1/crawl',
  summary: 'Retrieve many pages of a site',
  plan: 'free',
  price: PRICES.crawl,
  errors: PAGE_ERRORS,
  input: CrawlInput,
  output: CrawlOutput,
  list: 'pages',
  walks: true,
  example: { url: 'https://example.com/', max_pages: 10 },
  admit(input, facts) {
    const summary = input.output.includes('summary');
    if (summary && !facts.hasModel) throw withoutModelFor('output summary');
    return admitWalk(input, facts, {
      seeds: input.urls ?? [input.url ?? ''],
      from: input.urls === undefined ? 'url' : 'urls',
      price: PRICES.crawl,
      besides: summary ? PRICES.crawl.perModelOutput : 0,
      member: 'max_pages',
      count: input.urls?.length ?? input.max_pages ?? DEFAULT_PAGES,
      most: facts.plan.crawl_pages,
      needs: { browser: needsBrowser(input.fetch, NO_FILES), country: input.fetch.country !== undefined },
    });
  },
  queue: ({ max_pages: maxPages = DEFAULT_PAGES, urls = [], timeout_ms: timeoutMs = 0, archive }, plan) =>
    archive || maxPages > DEFAULT_PAGES || urls.length > DEFAULT_PAGES || timeoutMs > plan.inline_timeout_ms,
  async run(input, { crawl: walk, mind, readTarget }) {
    const { fetch: page } = input;
    const started = performance.now();
    const summary = input.output.includes('summary');
    const seeds = input.urls ?? [input.url ?? ''];
    const { standing, stopReason, elements, errors, isStored, leftTo } = await walk(
      {
        seeds,
        discovers: input.urls === undefined,
        sitemap: input.sitemap,
        maxPages: input.urls?.length ?? input.max_pages ?? DEFAULT_PAGES,
        maxDepth: input.max_depth,
        scope: input.scope,
        include: input.include,
        exclude: input.exclude,
        respectRobots: input.respect_robots,
        delayMs: input.delay_ms ?? null,
        mostPerPattern: input.max_per_pattern,
        dedupeContent: input.dedupe_content,
        archive: input.archive,
        summary,
        page: {
          outputs: OUTPUTS.filter((name) => input.output.includes(name)),
          ...toReadOptions(page),
          passageChars: passageFor(mind, { summary, extract: page.extract ?? null }),
          headers: page.headers,
          cookies: page.cookies,
          visit: toVisit(page, NO_FILES),
        },
      },
      PRICES.crawl,
    );
    const usage = withModel(sumOf(PRICES.crawl, standing.tiers), PRICES.crawl, standing.made);
    const skipped = Object.values(standing.skipped).reduce((sum, n) => sum + n, 0);
    return {
      tier: usage.tier,
      charge: { usage, paid: isStored ? usage.credits : 0 },
      body: {
        url: readTarget(seeds[0] ?? '').href,
        complete: stopReason === 'exhausted' && standing.beyond.links === 0,
        stop_reason: stopReason,
        pages: CrawledPage.array().parse(elements),
        errors,
        skipped: standing.skipped,
        stats: {
          discovered: standing.discovered,
          fetched: standing.stored,
          failed: standing.failed,
          skipped,
          pending: standing.pending,
          duration_ms: Math.round(performance.now() - started),
        },
        warnings: [...toWarnings(leftTo, standing), ...(stopReason === 'answer_full' ? [ANSWER_FULL] : [])],
      },
    };
  },
});
