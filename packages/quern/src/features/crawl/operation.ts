import { z } from 'zod';
import { MODEL_FIELDS } from '#engine/call/model.ts';
import { declareWork } from '#engine/call/operation.ts';
import { PAGE_ERRORS, checkProxy } from '#features/schema/page-admission.ts';
import { READS_WEB, type ToolView } from '#engine/call/tool-view.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { PRICES, SERVED_TIERS } from '#engine/credits/prices.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { SKIP_REASONS } from '#extract/urls/link-admission.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { CHANGES_FIELD, CHANGES_MEMBER, checkChanges } from '#features/schema/changes-fields.ts';
import {
  checkPassages,
  chooseQuestion,
  choosePassages,
  PASSAGES_FIELD,
  PASSAGES_MEMBER,
} from '#features/schema/passages-fields.ts';
import { assertTlsAllowed, needsBrowser, PAGE_FIELDS, TLS_FIELD } from '#features/schema/page-fields.ts';
import { chooseFiles, FILE_FIELDS, Screenshot } from '#features/schema/page-files.ts';
import { checkChunking } from '#features/schema/chunking.ts';
import { Metadata, PAGE_OUTPUTS, Warnings } from '#features/schema/page-outputs.ts';
import { isOverInlineTimeout } from '#features/schema/parameters.ts';
import { addJsonFormat } from '#features/schema/agent-page.ts';
import { MAX_ANSWER_BYTES } from '#kernel/answer-json.ts';
import type { Warning } from '#kernel/warnings.ts';
import { buildNoModelError } from '#llm/complete.ts';
import { CRAWL_VIEW } from './command-view.ts';
import { SITEMAP_MODES, STORE_RULES } from './crawl-options.ts';
import { CRAWL_FILE_SOURCES, STOP_REASONS } from './run/crawl-call.ts';
import {
  admitSiteCrawl,
  checkScope,
  CrawlOutputs,
  DEFAULT_MAX_PAGES,
  FileReport,
  MAX_PER_PATTERN,
  SITE_CRAWL_FIELDS,
  PageErrors,
} from './site-crawl-fields.ts';

/** The crawl tool for agents. It lists the pages; read_page returns the text of each. */
const CRAWL_TOOL: ToolView = {
  tool: {
    name: 'crawl',
    title: 'Crawl a site',
    task: 'many pages of a site',
    about:
      'Use this to get many pages of one site at once. It returns their titles, URLs and sizes; read_page then returns the text of each. A longer crawl continues as a job, which the tool job shows.',
    hints: READS_WEB,
  },
  members: {
    url: 'Start URL',
    urls: 'A list of URLs instead; links are not followed',
    max_pages: 'Default 25',
    max_depth: 'Maximum link depth from the start',
    include: 'Globs on paths, such as /docs/**; only these are followed',
    exclude: 'Globs of paths to skip',
    fetch: 'Options for each page, as in fetch, such as {"extract": {"price": "money"}}',
    output: 'Formats of each page; default markdown',
    max_credits: 'Maximum cost in credits',
    session: 'As in fetch',
  },
  asJob: true,
  toInput(args) {
    const { fetch: options, output } = args;
    const extracts = isJsonObject(options) && options['extract'] !== undefined;
    return extracts ? { ...args, output: addJsonFormat(output, ['markdown']) } : args;
  },
};

const MAX_PAGES = 1_000_000;

const CrawlInput = z
  .strictObject({
    url: z.string().min(1).max(8192).optional().describe('URL at which the crawl starts'),
    urls: z
      .array(z.string().min(1).max(8192))
      .min(1)
      .max(1000)
      .optional()
      .describe('A list of URLs to crawl instead; their links are not followed'),
    max_pages: wholeNumber(1, MAX_PAGES)
      .optional()
      .describe(`Maximum number of pages to store, default ${DEFAULT_MAX_PAGES}; a larger crawl runs as a job`),
    max_depth: wholeNumber(0, 1000)
      .nullable()
      .default(null)
      .describe('Maximum link depth from the start; null for no limit'),
    sitemap: z
      .enum(SITEMAP_MODES)
      .default('include')
      .describe("Read the site's sitemaps in addition to its links, not at all (skip), or instead of them (only)"),
    output: CrawlOutputs,
    screenshot: Screenshot.optional(),
    ...SITE_CRAWL_FIELDS,
    store: z
      .enum(STORE_RULES)
      .default('all')
      .describe('included: follow everything in scope, but store only pages that match include; other pages are free'),
    fetch: z
      .strictObject({ ...PAGE_FIELDS, ...CHANGES_FIELD, ...PASSAGES_FIELD, ...TLS_FIELD })
      .prefault({})
      .describe('How each page is requested and read'),
    archive: z
      .boolean()
      .default(false)
      .describe(
        'Archive every HTTP exchange as WARC, available with format=warc of the result; the crawl runs as a job',
      ),
    dedupe_content: z
      .boolean()
      .default(true)
      .describe('Skip pages whose content is already stored; skipped pages are free'),
  })
  .superRefine((input, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    checkProxy(input, context);
    checkScope(input, context);
    if ((input.url === undefined) === (input.urls === undefined)) {
      refuse('url', 'send either url or urls');
    }
    if (input.urls !== undefined && input.max_pages !== undefined) {
      refuse('max_pages', 'cannot be combined with urls: all of them are crawled');
    }
    if (input.urls !== undefined)
      for (const member of listLinkOptions(input)) refuse(member, 'cannot be combined with urls');
    if (input.store === 'included' && input.include.length === 0) {
      refuse('store', 'included needs at least one pattern in include');
    }
    checkChanges({ output: input.output, changes: input.fetch.changes }, (parameter, message) =>
      context.addIssue({ code: 'custom', path: ['fetch', parameter], message }),
    );
    checkPassages({ output: input.output, passages: input.fetch.passages }, (parameter, message) =>
      context.addIssue({ code: 'custom', path: ['fetch', parameter], message }),
    );
    const json = input.output.includes('json');
    if (json && input.fetch.extract === undefined) refuse('fetch', 'output json needs fetch.extract');
    if (!json && input.fetch.extract !== undefined) refuse('fetch', 'add json to output to use fetch.extract');
    const attributes = input.output.includes('attributes');
    if (attributes && input.fetch.attributes === undefined) refuse('fetch', 'output attributes needs fetch.attributes');
    if (!attributes && input.fetch.attributes !== undefined)
      refuse('fetch', 'add attributes to output to use fetch.attributes');
    if (input.screenshot !== undefined && !input.output.includes('screenshot'))
      refuse('screenshot', 'add screenshot to output to use it');
    checkChunking({ output: input.output, chunking: input.fetch.chunking }, () =>
      refuse('fetch', 'add chunks to output to use fetch.chunking'),
    );
  });

export type CrawlInput = z.output<typeof CrawlInput>;

/** The parameters that select which links are followed. */
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

/** Lists the given parameters that select links, which have no effect on a list of URLs. */
function listLinkOptions({
  sitemap,
  scope,
  max_depth: maxDepth,
  max_per_pattern: maxPerPattern,
  include,
  exclude,
  store,
  hash_routes: hashRoutes,
}: LinkOptions): readonly string[] {
  return [
    ...(sitemap === 'only' ? ['sitemap'] : []),
    ...(scope === 'host' ? [] : ['scope']),
    ...(maxDepth === null ? [] : ['max_depth']),
    ...(maxPerPattern === MAX_PER_PATTERN ? [] : ['max_per_pattern']),
    ...(include.length === 0 ? [] : ['include']),
    ...(exclude.length === 0 ? [] : ['exclude']),
    ...(store === 'all' ? [] : ['store']),
    ...(hashRoutes ? ['hash_routes'] : []),
  ];
}

export const ANSWER_FULL_WARNING: Warning = {
  code: 'left_out',
  message: `an answer is limited to ${MAX_ANSWER_BYTES / 2 ** 20} MiB, or less if memory is short: run the crawl as a job to get the rest`,
};

export const CrawledPage = nameSchema(
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
    screenshot: FILE_FIELDS.screenshot,
    ...MODEL_FIELDS,
    ...CHANGES_MEMBER,
    ...PASSAGES_MEMBER,
    metadata: Metadata,
    tier: z.enum(SERVED_TIERS),
    credits: z.int(),
    near_duplicate_of: z.string().optional().describe('URL of a stored page with nearly the same content'),
    soft_404: z.boolean().optional().describe('The status is a success, but the page says that it does not exist'),
    warnings: Warnings,
  }),
);

const CrawlOutput = z.object({
  url: z.string(),
  complete: z.boolean().describe('Whether no page in reach was missed'),
  stop_reason: z
    .enum(STOP_REASONS)
    .describe(
      'Why it ended; answer_full: the answer has no space for more pages, a job has; blocked: the remaining hosts refused or did not answer 25 visits in a row; login_required: pages became login forms, so the login has expired; interrupted: it could not continue',
    ),
  pages: z.array(CrawledPage).readonly(),
  errors: PageErrors.describe(
    'Pages that failed (free of charge), the first thousand; removed: gone, and its copy for changes deleted',
  ),
  skipped: z.record(z.enum(SKIP_REASONS), z.int()).describe('URLs that were not stored (free of charge), by reason'),
  sources: z
    .partialRecord(
      z.enum(CRAWL_FILE_SOURCES),
      z.object({ found: z.int().describe('URLs in scope that they list'), ...FileReport.shape }),
    )
    .describe('robots: robots.txt and the sitemaps that it lists; sitemap: those at the usual paths'),
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
  canQueue: true,
});

/** Admits a crawl. Throws `ServiceError`. */
export function admitCrawl(input: CrawlInput, facts: AdmissionFacts): Admission {
  const summary = input.output.includes('summary');
  const passages = choosePassages({ output: input.output, passages: input.fetch.passages });
  const answer = facts.hasModel && chooseQuestion(passages) !== null;
  if (summary && !facts.hasModel) throw buildNoModelError('output summary');
  assertTlsAllowed(input.fetch, facts, 'fetch.insecure_tls');
  return admitSiteCrawl(input, facts, {
    seeds: input.urls ?? [input.url ?? ''],
    seedField: input.urls === undefined ? 'url' : 'urls',
    price: PRICES.crawl,
    extraCredits: [summary, answer].filter(Boolean).length * PRICES.crawl.perModelOutput,
    countField: 'max_pages',
    count: input.urls?.length ?? input.max_pages ?? DEFAULT_MAX_PAGES,
    maxCount: facts.plan.crawl_pages,
    needs: {
      browser: input.hash_routes || needsBrowser(input.fetch, chooseFiles(input)),
      country: input.fetch.country !== undefined,
    },
  });
}

/** Whether a crawl is too large for an inline call. */
export function isLargeCrawl(input: CrawlInput, plan: Plan): boolean {
  const { max_pages: maxPages = DEFAULT_MAX_PAGES, urls = [], archive } = input;
  const isLong = maxPages > DEFAULT_MAX_PAGES || urls.length > DEFAULT_MAX_PAGES;
  return archive || isLong || isOverInlineTimeout(input, plan);
}
