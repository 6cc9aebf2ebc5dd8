import { z } from 'zod';
import { STOP_REASONS } from '#engine/crawl/crawling.ts';
import { SITEMAP_USES } from '#engine/crawl/order.ts';
import { defineOperation } from '#engine/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/operation.ts';
import { PRICES, sumOf, SERVED_TIERS, toUsage } from '#engine/prices.ts';
import { SKIP_REASONS } from '#extract/site/admission.ts';
import { checkFilterPattern } from '#extract/site/filters.ts';
import { SCOPE_KINDS } from '#extract/site/scope.ts';
import { ServiceError } from '#kernel/errors.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import type { Warning } from '#kernel/warnings.ts';
import { PAGE_FIELDS, PageOutput, PROXY_FIELDS } from './page-fields.ts';
import { Metadata, PAGE_OUTPUTS, Warnings } from './page-outputs.ts';
import { toReach } from './reach.ts';

const DEFAULT_PAGES = 25;
/** Strangers' sites are asked no faster. */
const LEAST_DELAY_MS = 50;
const MOST_PAGES = 1_000_000;

const Patterns = z
  .array(
    z.string().superRefine((pattern, context) => {
      const problem = checkFilterPattern(pattern);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    }),
  )
  .max(100)
  .default([]);

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
    scope: z.enum(SCOPE_KINDS).default('host').describe('How far from the start'),
    include: Patterns.describe('Globs on path and query, or re: and an RE2 expression; only these are followed'),
    exclude: Patterns.describe('The same for what is left out'),
    sitemap: z
      .enum(SITEMAP_USES)
      .default('include')
      .describe("Read the site's sitemaps beside its links, not at all (skip), or instead of them (only)"),
    output: PageOutput,
    ...PROXY_FIELDS,
    timeout_ms: wholeNumber(1000, 259_200_000)
      .optional()
      .describe("Wall clock in ms; above the plan's inline limit the crawl becomes a job"),
    fetch: z.strictObject(PAGE_FIELDS).prefault({}).describe('How each page is asked for and read'),
    respect_robots: z.boolean().default(true).describe('Obey robots.txt'),
    delay_ms: wholeNumber(0, 30_000).optional().describe('Fixed gap between two pages of one host'),
    dedupe_content: z.boolean().default(true).describe('Leave out pages whose content is stored already, free'),
    max_credits: wholeNumber(1).optional().describe('Ceiling for what the crawl may cost'),
  })
  .superRefine((input, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if (input.use_proxy === true && input.proxy !== undefined && input.proxy !== 'stealth') {
      refuse('use_proxy', `true means proxy stealth, and proxy is ${input.proxy}: send only one of them`);
    }
    if ((input.url === undefined) === (input.urls === undefined)) {
      refuse('url', 'send either url, to crawl from there, or urls');
    }
    if (input.urls !== undefined && input.max_pages !== undefined) {
      refuse('max_pages', 'is the number of urls where those are given');
    }
    const json = input.output.includes('json');
    if (json && input.fetch.extract === undefined) refuse('fetch', 'output json needs fetch.extract');
    if (!json && input.fetch.extract !== undefined) refuse('fetch', 'add json to output to use fetch.extract');
  });

type CrawlInput = z.output<typeof CrawlInput>;

const CrawledPage = z.object({
  url: z.string(),
  final_url: z.string(),
  status_code: z.int(),
  depth: z.int(),
  parent_url: z.string().nullable(),
  content_type: z.string(),
  ...PAGE_OUTPUTS,
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
  stop_reason: z.enum(STOP_REASONS),
  pages: z.array(CrawledPage).readonly(),
  errors: z
    .array(z.object({ url: z.string(), status_code: z.int().optional(), code: z.string(), message: z.string() }))
    .readonly()
    .describe('Pages that failed, free; the first thousand'),
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
  errors: [
    'free_plan_proxy_required',
    'target_blocked',
    'target_unreachable',
    'unusable_response',
    'content_too_large',
    'unsupported_content',
    'backend_unavailable',
    'timeout',
  ],
  input: CrawlInput,
  output: CrawlOutput,
  list: 'pages',
  example: { url: 'https://example.com/', max_pages: 10 },
  admit,
  queue: ({ max_pages: maxPages = DEFAULT_PAGES, urls = [], timeout_ms: timeoutMs = 0 }, plan) =>
    maxPages > DEFAULT_PAGES || urls.length > DEFAULT_PAGES || timeoutMs > plan.inline_timeout_ms,
  async run(input, { crawl: walk }) {
    const { fetch: page } = input;
    const started = performance.now();
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
        dedupeContent: input.dedupe_content,
        page: {
          outputs: input.output,
          onlyMainContent: page.only_main_content,
          includeSelectors: page.include_selectors,
          excludeSelectors: page.exclude_selectors,
          extract: page.extract ?? null,
          maxChars: page.max_chars ?? null,
          offsetChars: page.offset_chars,
          headers: page.headers,
          cookies: page.cookies,
        },
      },
      PRICES.crawl,
    );
    const usage = sumOf(PRICES.crawl, standing.tiers);
    const skipped = Object.values(standing.skipped).reduce((sum, n) => sum + n, 0);
    return {
      tier: usage.tier,
      charge: { usage, paid: isStored },
      body: {
        url: seeds[0] ?? '',
        complete: stopReason === 'exhausted',
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
        warnings: toWarnings(leftTo),
      },
    };
  },
});

function toWarnings(leftTo: string | null): readonly Warning[] {
  if (leftTo === null) return [];
  return [{ code: 'scope_left', message: `the start leads to another site, ${leftTo}: crawl that one instead` }];
}

function admit(input: CrawlInput, { plan, readTarget, isOpened }: AdmissionFacts): Admission {
  for (const text of input.urls ?? [input.url ?? '']) {
    const url = readTarget(text);
    if (input.delay_ms !== undefined && input.delay_ms < LEAST_DELAY_MS && !isOpened(url)) {
      throw new ServiceError(
        'invalid_request',
        `delay_ms: below ${LEAST_DELAY_MS} only where QUERN_ALLOW_TARGETS names the host, and ${url.host} is not in it`,
      );
    }
  }
  const pages = input.urls?.length ?? input.max_pages ?? DEFAULT_PAGES;
  if (plan.crawl_pages !== null && pages > plan.crawl_pages) {
    throw new ServiceError('plan_upgrade_required', `max_pages: plan ${plan.name} allows ${plan.crawl_pages} a crawl`);
  }
  const tiers = toReach(input.use_proxy === true ? 'stealth' : input.proxy, plan);
  const cheapest = toUsage(PRICES.crawl, tiers[0] ?? 'http').credits;
  const maxCredits = input.max_credits ?? null;
  if (maxCredits !== null && maxCredits < cheapest) {
    throw new ServiceError('invalid_request', `max_credits: one page of this crawl costs ${cheapest}`);
  }
  return {
    timeoutMs: input.timeout_ms ?? plan.inline_timeout_ms,
    jobTimeoutMs: input.timeout_ms ?? plan.job_timeout_ms ?? Number.MAX_SAFE_INTEGER,
    tiers,
    cheapest,
    maxCredits,
  };
}
