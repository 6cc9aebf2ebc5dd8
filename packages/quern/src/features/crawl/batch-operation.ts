import { z } from 'zod';
import { MODEL_FIELDS } from '#engine/call/model.ts';
import { declareWork } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { PRICES, SERVED_TIERS } from '#engine/credits/prices.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { toCanonicalKey } from '#extract/urls/canonical-key.ts';
import { PAGE_ERRORS, checkProxy } from '#features/schema/page-admission.ts';
import { CHANGES_FIELD, CHANGES_MEMBER, checkChanges } from '#features/schema/changes-fields.ts';
import { needsBrowser, NO_FILES, PAGE_FIELDS } from '#features/schema/page-fields.ts';
import { Metadata, PAGE_OUTPUTS, Warnings } from '#features/schema/page-outputs.ts';
import { isOverInlineTimeout } from '#features/schema/parameters.ts';
import { ServiceError } from '#kernel/errors.ts';
import { buildNoModelError } from '#llm/complete.ts';
import { STOP_REASONS } from './run/crawl-call.ts';
import { admitSiteCrawl, CrawlOutputs, DEFAULT_MAX_PAGES, SITE_CRAWL_FIELDS } from './site-crawl-fields.ts';

const MAX_URLS = 10_000;
const MAX_CONCURRENCY = 64;
/** Maximum number of invalid URLs in an error message, and in the answer. */
const MAX_NAMED_URLS = 5;
const MAX_LISTED_URLS = 1000;

const { proxy, use_proxy: useProxy, timeout_ms: timeoutMs, delay_ms: delayMs, session } = SITE_CRAWL_FIELDS;

const BatchInput = z
  .strictObject({
    urls: z
      .array(z.string().max(8192))
      .min(1)
      .max(MAX_URLS)
      .describe('The http or https pages to fetch; equal ones are fetched once'),
    ignore_invalid_urls: z
      .boolean()
      .default(false)
      .describe('Skip invalid URLs and list them in invalid_urls; otherwise they are refused'),
    output: CrawlOutputs,
    proxy,
    use_proxy: useProxy,
    timeout_ms: timeoutMs,
    ...PAGE_FIELDS,
    ...CHANGES_FIELD,
    session,
    respect_robots: z
      .boolean()
      .default(false)
      .describe('Obey robots.txt: a disallowed URL or redirect target fails with target_blocked'),
    delay_ms: delayMs,
    max_concurrency: wholeNumber(1, MAX_CONCURRENCY)
      .optional()
      .describe('Maximum number of pages fetched at once; default: as many as their hosts allow'),
    max_credits: wholeNumber(1).optional().describe('Maximum number of credits that the call may cost'),
  })
  .superRefine((input, context) => {
    checkProxy(input, context);
    const json = input.output.includes('json');
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if (json && input.extract === undefined) refuse('extract', 'is required for output json');
    if (!json && input.extract !== undefined) refuse('extract', 'add json to output to use it');
    checkChanges(input, refuse);
  });

export type BatchInput = z.output<typeof BatchInput>;

export const BatchResult = nameSchema(
  'BatchResult',
  z.object({
    url: z.string().describe('The URL as sent, normalized'),
    final_url: z.string().optional(),
    status_code: z.int().optional().describe('Absent if the target did not answer'),
    fetched_at: z.iso.datetime().optional(),
    content_type: z.string().optional(),
    ...PAGE_OUTPUTS,
    ...MODEL_FIELDS,
    ...CHANGES_MEMBER,
    metadata: Metadata.optional(),
    tier: z.enum(SERVED_TIERS).optional(),
    error: nameSchema('BatchError', z.object({ code: z.string(), message: z.string() }))
      .optional()
      .describe('Why the page was not fetched; then there are no outputs, and it is free'),
    credits: z.int(),
    warnings: Warnings,
  }),
);

const BatchOutput = z.object({
  complete: z.boolean().describe('Whether every URL has a result, an error included'),
  stop_reason: z
    .enum(STOP_REASONS)
    .describe('Why it ended; exhausted: every URL has a result. The others are as in a crawl'),
  results: z.array(BatchResult).readonly().describe('One result per URL, in the order in which they ended'),
  invalid_urls: z
    .array(z.object({ index: z.int().describe('Index in urls, from 0'), url: z.string(), message: z.string() }))
    .readonly()
    .describe('Skipped invalid URLs, the first thousand'),
  stats: z.object({
    requested: z.int().describe('URLs in the request'),
    invalid: z.int(),
    duplicates: z.int().describe('URLs equal to an earlier one, which were fetched once'),
    fetched: z.int(),
    failed: z.int(),
    pending: z.int().describe('URLs without a result, because the batch ended before'),
    duration_ms: z.int(),
  }),
  warnings: Warnings,
});

export const fetchBatch = declareWork({
  id: 'fetch.batch',
  route: 'POST /v1/fetch/batch',
  summary: 'Retrieve up to 10,000 URLs as one job',
  plan: 'free',
  price: PRICES.crawl,
  errors: PAGE_ERRORS,
  input: BatchInput,
  output: BatchOutput,
  list: 'results',
  isLongRunning: true,
  view: {
    fileMember: 'urls',
    download: {
      list: 'results',
      noun: 'page',
      grows: true,
      formats: ['jsonl'],
      remaining: (_, { pending }) => pending,
    },
  },
  // Agents crawl a list of URLs instead.
  agent: { tool: null },
  example: { urls: ['https://example.com/', 'https://example.org/'], output: ['markdown'] },
  canQueue: true,
});

/** An invalid URL of a batch. */
type InvalidUrl = { readonly index: number; readonly url: string; readonly message: string };

/** The URLs of a batch: the distinct valid ones in order, the number of their repetitions, and the invalid ones. */
export type BatchUrls = {
  readonly seeds: readonly string[];
  readonly duplicates: number;
  readonly invalid: readonly InvalidUrl[];
};

/** Sorts the URLs of a batch. `readTarget` throws `ServiceError` for a URL that is invalid or not allowed. */
export function sortBatchUrls(urls: readonly string[], readTarget: (url: string, member: string) => URL): BatchUrls {
  const seeds = new Map<string, string>();
  const invalid: InvalidUrl[] = [];
  for (const [index, url] of urls.entries()) {
    try {
      const { href } = readTarget(url, `urls.${index}`);
      const key = toCanonicalKey(href);
      if (!seeds.has(key)) seeds.set(key, href);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      invalid.push({ index, url, message: error.message });
    }
  }
  const duplicates = urls.length - invalid.length - seeds.size;
  return { seeds: [...seeds.values()], duplicates, invalid };
}

/** Lists the first invalid URLs for the answer. */
export function listInvalidUrls({ invalid }: BatchUrls): readonly InvalidUrl[] {
  return invalid.slice(0, MAX_LISTED_URLS);
}

/** Admits a batch. Throws `ServiceError`, which names the first invalid URLs. */
export function admitBatch(input: BatchInput, facts: AdmissionFacts): Admission {
  const summary = input.output.includes('summary');
  if (summary && !facts.hasModel) throw buildNoModelError('output summary');
  const { seeds, invalid } = sortBatchUrls(input.urls, facts.readTarget);
  if (invalid.length > 0 && (seeds.length === 0 || !input.ignore_invalid_urls)) throw buildInvalidUrlsError(invalid);
  return admitSiteCrawl(input, facts, {
    seeds,
    seedField: 'urls',
    price: PRICES.crawl,
    extraCredits: summary ? PRICES.crawl.perModelOutput : 0,
    countField: 'urls',
    count: seeds.length,
    maxCount: facts.plan.crawl_pages,
    needs: { browser: needsBrowser(input, NO_FILES), country: input.country !== undefined },
  });
}

function buildInvalidUrlsError(invalid: readonly InvalidUrl[]): ServiceError {
  const named = invalid.slice(0, MAX_NAMED_URLS).map(({ message }) => message);
  const more = invalid.length - named.length;
  const rest = more === 0 ? '' : `; and ${more} more`;
  return new ServiceError('invalid_request', `${named.join('; ')}${rest}`);
}

/** Whether a batch is too large for an inline call. */
export function isLargeBatch(input: BatchInput, plan: Plan): boolean {
  return input.urls.length > DEFAULT_MAX_PAGES || isOverInlineTimeout(input, plan);
}
