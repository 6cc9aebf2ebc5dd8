import { hash } from 'node:crypto';
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
import {
  assertTlsAllowed,
  needsBrowser,
  OWN_PAGE_FIELDS,
  PAGE_FIELDS,
  TLS_FIELD,
} from '#features/schema/page-fields.ts';
import { chooseQuestion, choosePassages, PASSAGES_FIELD, PASSAGES_MEMBER } from '#features/schema/passages-fields.ts';
import { chooseFiles, FILE_FIELDS, Screenshot } from '#features/schema/page-files.ts';
import { Metadata, PAGE_OUTPUTS, Warnings } from '#features/schema/page-outputs.ts';
import { isOverInlineTimeout } from '#features/schema/parameters.ts';
import { ServiceError } from '#kernel/errors.ts';
import { buildNoModelError } from '#llm/complete.ts';
import { STOP_REASONS } from './run/crawl-call.ts';
import {
  admitSiteCrawl,
  CrawlOutputs,
  DEFAULT_MAX_PAGES,
  PageOutputs,
  SITE_CRAWL_FIELDS,
} from './site-crawl-fields.ts';

const MAX_URLS = 10_000;
const MAX_CONCURRENCY = 64;
/** Maximum number of invalid URLs in an error message, and in the answer. */
const MAX_NAMED_URLS = 5;
const MAX_LISTED_URLS = 1000;

const { proxy, use_proxy: useProxy, timeout_ms: timeoutMs, delay_ms: delayMs, session } = SITE_CRAWL_FIELDS;

const Url = z.string().max(8192);

const BatchPage = nameSchema(
  'BatchPage',
  z
    .strictObject({
      url: Url,
      output: PageOutputs.exactOptional(),
      screenshot: Screenshot.exactOptional(),
      passages: PASSAGES_FIELD.passages.unwrap().exactOptional(),
      ...OWN_PAGE_FIELDS,
    })
    .describe('A page with options of its own, which replace those of the call'),
);

/** The options that belong to an output. */
const OUTPUT_OPTIONS = [
  { option: 'extract', output: 'json', isRequired: true },
  { option: 'attributes', output: 'attributes', isRequired: true },
  { option: 'chunking', output: 'chunks', isRequired: false },
  { option: 'passages', output: 'passages', isRequired: true },
  { option: 'screenshot', output: 'screenshot', isRequired: false },
] as const;

const BatchFields = z.strictObject({
  urls: z
    .array(z.union([Url, BatchPage]))
    .min(1)
    .max(MAX_URLS)
    .describe('The http or https pages to fetch: URLs, or objects with url and options; equal ones are fetched once'),
  ignore_invalid_urls: z
    .boolean()
    .default(false)
    .describe('Skip invalid URLs and list them in invalid_urls; otherwise they are refused'),
  output: CrawlOutputs,
  screenshot: Screenshot.optional(),
  proxy,
  use_proxy: useProxy,
  timeout_ms: timeoutMs,
  ...PAGE_FIELDS,
  ...CHANGES_FIELD,
  ...PASSAGES_FIELD,
  ...TLS_FIELD,
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
});

export type BatchInput = z.output<typeof BatchFields>;

const BatchInput = BatchFields.superRefine((input, context) => {
  checkProxy(input, context);
  checkChanges(input, (path, message) => context.addIssue({ code: 'custom', path: [path], message }));
  for (const { option, output, isRequired } of OUTPUT_OPTIONS) {
    const pages = input.urls.map((entry) => mergePage(input, entry));
    const isUsed = pages.some((page) => page.output.includes(output));
    const refuse = (path: readonly (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path: [...path], message });
    if (input[option] !== undefined && !isUsed) refuse([option], `add ${output} to output to use it`);
    for (const [index, page] of pages.entries()) {
      const own = page === input ? null : (input.urls[index] ?? null);
      const path = own === null ? [option] : ['urls', index, option];
      const isWanted = page.output.includes(output);
      if (isWanted && isRequired && page[option] === undefined) refuse(path, `is required for output ${output}`);
      const isGiven = typeof own === 'object' && own !== null && own[option] !== undefined;
      if (isGiven && !isWanted) refuse(path, `add ${output} to output to use it`);
    }
  }
});

export const BatchResult = nameSchema(
  'BatchResult',
  z.object({
    url: z.string().describe('The URL as sent, normalized'),
    index: z.int().describe('Index in urls, from 0, of the first of equal pages'),
    final_url: z.string().optional(),
    status_code: z.int().optional().describe('Absent if the target did not answer'),
    fetched_at: z.iso.datetime().optional(),
    content_type: z.string().optional(),
    ...PAGE_OUTPUTS,
    screenshot: FILE_FIELDS.screenshot,
    ...MODEL_FIELDS,
    ...CHANGES_MEMBER,
    ...PASSAGES_MEMBER,
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

/** A distinct page of a batch. */
export type BatchSeed = {
  readonly url: string;
  readonly index: number;
  /** The parameters of the call with those of the page. */
  readonly page: BatchInput;
  /** Digest of the parameters of the page; empty if they are those of the call. */
  readonly variant: string;
};

/** The pages of a batch: the distinct valid ones in order, the number of their repetitions, and the invalid ones. */
export type BatchPages = {
  readonly seeds: readonly BatchSeed[];
  readonly duplicates: number;
  readonly invalid: readonly InvalidUrl[];
};

/** Returns the parameters of a call with those of one of its pages. */
function mergePage(input: BatchInput, entry: BatchInput['urls'][number]): BatchInput {
  if (typeof entry === 'string') return input;
  const { url: _url, ...own } = entry;
  return { ...input, ...own };
}

/** Formats the parameters that a page can have of its own. Pages of one URL with the same text are equal. */
function formatPage(page: BatchInput): string {
  const { url: _url, ...fields } = BatchPage.shape;
  const named = Object.keys(fields).map((name) => Object.entries(page).find(([one]) => one === name)?.[1] ?? null);
  return JSON.stringify([page.output.toSorted(), named]);
}

/** Sorts the pages of a batch. `readTarget` throws `ServiceError` for a URL that is invalid or not allowed. */
export function sortBatchPages(input: BatchInput, readTarget: (url: string, member: string) => URL): BatchPages {
  const seeds = new Map<string, BatchSeed>();
  const invalid: InvalidUrl[] = [];
  const common = formatPage(input);
  for (const [index, entry] of input.urls.entries()) {
    const [url, member] = typeof entry === 'string' ? [entry, `urls.${index}`] : [entry.url, `urls.${index}.url`];
    try {
      const { href } = readTarget(url, member);
      const page = mergePage(input, entry);
      const text = page === input ? common : formatPage(page);
      const variant = text === common ? '' : hash('sha256', text);
      const key = `${toCanonicalKey(href)} ${variant}`;
      if (!seeds.has(key)) seeds.set(key, { url: href, index, page: variant === '' ? input : page, variant });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      invalid.push({ index, url, message: error.message });
    }
  }
  const duplicates = input.urls.length - invalid.length - seeds.size;
  return { seeds: [...seeds.values()], duplicates, invalid };
}

/** Lists the first invalid URLs for the answer. */
export function listInvalidUrls({ invalid }: BatchPages): readonly InvalidUrl[] {
  return invalid.slice(0, MAX_LISTED_URLS);
}

/** Admits a batch. Throws `ServiceError`, which names the first invalid URLs. */
export function admitBatch(input: BatchInput, facts: AdmissionFacts): Admission {
  const { seeds, invalid } = sortBatchPages(input, facts.readTarget);
  const summary = seeds.some(({ page }) => page.output.includes('summary'));
  const answer = facts.hasModel && seeds.some(({ page }) => chooseQuestion(choosePassages(page)) !== null);
  if (summary && !facts.hasModel) throw buildNoModelError('output summary');
  assertTlsAllowed(input, facts);
  if (invalid.length > 0 && (seeds.length === 0 || !input.ignore_invalid_urls)) throw buildInvalidUrlsError(invalid);
  return admitSiteCrawl(input, facts, {
    seeds: seeds.map(({ url }) => url),
    seedField: 'urls',
    price: PRICES.crawl,
    extraCredits: [summary, answer].filter(Boolean).length * PRICES.crawl.perModelOutput,
    countField: 'urls',
    count: seeds.length,
    maxCount: facts.plan.crawl_pages,
    needs: {
      browser: seeds.every(({ page }) => needsBrowser(page, chooseFiles(page))),
      country: input.country !== undefined,
    },
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
