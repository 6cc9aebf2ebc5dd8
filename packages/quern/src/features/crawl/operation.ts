import { z } from 'zod';
import { MODEL_MEMBERS } from '#engine/call/model-outputs.ts';
import { declareWork } from '#engine/call/operation.ts';
import { PAGE_ERRORS } from '#engine/call/page-errors.ts';
import { READS_WEB, type ToolView } from '#engine/call/tool-view.ts';
import { PRICES, SERVED_TIERS } from '#engine/credits/prices.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { named } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { SKIP_REASONS } from '#extract/urls/admission.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { needsBrowser, NO_FILES, PAGE_FIELDS } from '#features/schema/page-fields.ts';
import { Metadata, PAGE_OUTPUTS, Warnings } from '#features/schema/page-outputs.ts';
import { refuseBadProxy } from '#features/schema/reach.ts';
import { withJson } from '#features/schema/shown-page.ts';
import { ANSWER_BYTES } from '#kernel/answer-json.ts';
import type { Warning } from '#kernel/warnings.ts';
import { withoutModelFor } from '#llm/complete.ts';
import { CRAWL_VIEW } from './command-view.ts';
import { SITEMAP_MODES, STORE_RULES } from './crawl-options.ts';
import { CRAWL_FILE_SOURCES, STOP_REASONS } from './run/crawl-call.ts';
import { admitSiteCrawl, FileReport, MAX_PER_PATTERN, SITE_CRAWL_FIELDS, PageErrors } from './site-crawl-fields.ts';

/** The tool that crawls; it lists the pages, which are read one by one. */
const CRAWL_TOOL: ToolView = {
  tool: {
    name: 'crawl',
    title: 'Crawl a site',
    task: 'many pages of a site',
    about:
      'Use this to get many pages of one site at once. It answers their titles, addresses and sizes; read_page then gives the text of each. A crawl that takes longer goes on as a job, which the tool job shows.',
    hints: READS_WEB,
  },
  members: {
    url: 'Where it starts',
    urls: 'A list of pages instead, without following links',
    max_pages: 'Default 25',
    max_depth: 'Links to follow from the start',
    include: 'Globs on paths, such as /docs/**; only these are followed',
    exclude: 'Globs of what to leave out',
    fetch: 'Options for each page, as fetch takes them, such as {"extract": {"price": "money"}}',
    output: 'Formats to keep of each page; default markdown',
    max_credits: 'Ceiling of the cost',
    session: 'As fetch takes it',
  },
  asJob: true,
  toInput(given) {
    const { fetch: options, output } = given;
    const extracts = isJsonObject(options) && options['extract'] !== undefined;
    return extracts ? { ...given, output: withJson(output, ['markdown']) } : given;
  },
};

export const DEFAULT_MAX_PAGES = 25;
const MAX_PAGES = 1_000_000;

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
    max_pages: wholeNumber(1, MAX_PAGES)
      .optional()
      .describe(`Pages to store at most; ${DEFAULT_MAX_PAGES} unless given, and more become a job`),
    max_depth: wholeNumber(0, 1000).nullable().default(null).describe('Links to follow from the start; null for any'),
    sitemap: z
      .enum(SITEMAP_MODES)
      .default('include')
      .describe("Read the site's sitemaps beside its links, not at all (skip), or instead of them (only)"),
    output: CrawlOutputs,
    ...SITE_CRAWL_FIELDS,
    store: z
      .enum(STORE_RULES)
      .default('all')
      .describe(
        'With included, everything in scope is followed and only what include matches is stored; other pages are free',
      ),
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
      for (const member of listLinkOptions(input)) refuse(member, 'is of no use where urls are given');
    if (input.store === 'included' && input.include.length === 0) {
      refuse('store', 'included stores what include matches, so name at least one pattern there');
    }
    const json = input.output.includes('json');
    if (json && input.fetch.extract === undefined) refuse('fetch', 'output json needs fetch.extract');
    if (!json && input.fetch.extract !== undefined) refuse('fetch', 'add json to output to use fetch.extract');
  });

export type CrawlInput = z.output<typeof CrawlInput>;

type LinkOptions = {
  readonly sitemap: string;
  readonly scope: string;
  readonly max_depth: number | null;
  readonly max_per_pattern: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly store: string;
  readonly hash_routes: boolean;
};

/** The members that choose among links, which nobody follows from a list. */
function listLinkOptions({
  sitemap,
  scope,
  max_depth: maxDepth,
  max_per_pattern: mostPerPattern,
  include,
  exclude,
  store,
  hash_routes: hashRoutes,
}: LinkOptions): readonly string[] {
  return [
    ...(sitemap === 'only' ? ['sitemap'] : []),
    ...(scope === 'host' ? [] : ['scope']),
    ...(maxDepth === null ? [] : ['max_depth']),
    ...(mostPerPattern === MAX_PER_PATTERN ? [] : ['max_per_pattern']),
    ...(include.length === 0 ? [] : ['include']),
    ...(exclude.length === 0 ? [] : ['exclude']),
    ...(store === 'all' ? [] : ['store']),
    ...(hashRoutes ? ['hash_routes'] : []),
  ];
}

export const ANSWER_FULL_WARNING: Warning = {
  code: 'left_out',
  message: `an answer has room for ${ANSWER_BYTES / 2 ** 20} MiB, and less while others need it: run the crawl as a job for the rest`,
};

export const CrawledPage = named(
  'CrawledPage',
  z.object({
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
  }),
);

const CrawlOutput = z.object({
  url: z.string(),
  complete: z.boolean().describe('Whether nothing in reach was left out'),
  stop_reason: z
    .enum(STOP_REASONS)
    .describe(
      'What ended it; answer_full: an answer has no room for more, a job has; blocked: the hosts that are left refused or did not answer 25 visits in a row; login_required: pages became login forms, so the login of the call has ended; interrupted: it could not go on',
    ),
  pages: z.array(CrawledPage).readonly(),
  errors: PageErrors.describe('Pages that failed, free; the first thousand'),
  skipped: z.record(z.enum(SKIP_REASONS), z.int()).describe('Addresses that were not stored, free, by reason'),
  sources: z
    .partialRecord(
      z.enum(CRAWL_FILE_SOURCES),
      z.object({ found: z.int().describe('URLs of the crawl that they name'), ...FileReport.shape }),
    )
    .describe('The sitemaps that robots.txt names (robots, with robots.txt itself), and those at the usual places'),
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

export const crawl = declareWork({
  id: 'crawl',
  route: 'POST /v1/crawl',
  summary: 'Retrieve many pages of a site',
  plan: 'free',
  price: PRICES.crawl,
  errors: PAGE_ERRORS,
  input: CrawlInput,
  output: CrawlOutput,
  list: 'pages',
  isLongRunning: true,
  view: CRAWL_VIEW,
  agent: CRAWL_TOOL,
  example: { url: 'https://example.com/', max_pages: 10 },
  admit(input, facts) {
    const summary = input.output.includes('summary');
    if (summary && !facts.hasModel) throw withoutModelFor('output summary');
    return admitSiteCrawl(input, facts, {
      seeds: input.urls ?? [input.url ?? ''],
      seedField: input.urls === undefined ? 'url' : 'urls',
      price: PRICES.crawl,
      extraCredits: summary ? PRICES.crawl.perModelOutput : 0,
      countField: 'max_pages',
      count: input.urls?.length ?? input.max_pages ?? DEFAULT_MAX_PAGES,
      maxCount: facts.plan.crawl_pages,
      needs: {
        browser: input.hash_routes || needsBrowser(input.fetch, NO_FILES),
        country: input.fetch.country !== undefined,
      },
    });
  },
  queue: ({ max_pages: maxPages = DEFAULT_MAX_PAGES, urls = [], timeout_ms: timeoutMs = 0, archive }, plan) =>
    archive || maxPages > DEFAULT_MAX_PAGES || urls.length > DEFAULT_MAX_PAGES || timeoutMs > plan.inline_timeout_ms,
});
