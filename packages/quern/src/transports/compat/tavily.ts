import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { DAY_MS } from '#engine/identity/plans.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { map as mapSite } from '#features/map/operation.ts';
import { parseCountry } from '#features/search/search-input.ts';
import { ServiceError } from '#kernel/errors.ts';
import { optional, refuseUnserved, toUrlPattern } from './body.ts';
import { type CompatInterface, type CompatRequest, type CompatRoute, replyJson } from './interface.ts';
import { getContent, Page, readPages } from './read-pages.ts';
import { runToEnd } from './run-to-end.ts';
import { type NewsResult, searchWeb, TIME_RANGES, toRangeStart, type WebResult } from './search-web.ts';

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-01-31');
const Domains = optional(z.array(z.string().min(1).max(253)).max(100));
const Url = z.string().min(1).max(8192);
const Format = z.enum(['markdown', 'text']).default('markdown');
/** Seconds. */
const Timeout = optional(z.number().min(1).max(600));

const checkSearch = buildInputChecker({
  input: z.looseObject({
    query: z.string().trim().min(1),
    topic: z.enum(['general', 'news', 'finance']).default('general'),
    max_results: z.number().int().min(0).max(20).default(5),
    include_answer: z.union([z.boolean(), z.enum(['basic', 'advanced'])]).default(false),
    include_raw_content: z.union([z.boolean(), z.enum(['markdown', 'text'])]).default(false),
    include_images: z.boolean().default(false),
    include_domains: Domains,
    exclude_domains: Domains,
    time_range: optional(z.enum([...TIME_RANGES, 'd', 'w', 'm', 'y'])),
    days: optional(z.number().int().min(1)),
    start_date: optional(Day),
    end_date: optional(Day),
    country: optional(z.string()),
    language: optional(z.string().min(2)),
    include_usage: z.boolean().optional(),
  }),
});

type SearchBody = ReturnType<typeof checkSearch>['input'];

const checkExtract = buildInputChecker({
  input: z.looseObject({
    // Old clients send a single URL as text.
    urls: z.union([z.array(z.string().min(1)).min(1).max(20), z.string().min(1)]),
    format: Format,
    include_images: z.boolean().default(false),
    include_usage: z.boolean().optional(),
    timeout: Timeout,
  }),
});

/** The options of a crawl and of a map. */
const SiteBody = z.looseObject({
  url: Url,
  max_depth: z.number().int().min(1).max(5).default(1),
  limit: z.number().int().min(1).default(50),
  select_paths: optional(z.array(z.string())),
  exclude_paths: optional(z.array(z.string())),
  select_domains: optional(z.array(z.string())),
  exclude_domains: optional(z.array(z.string())),
  instructions: optional(z.string().max(1000)),
  include_usage: z.boolean().optional(),
  timeout: Timeout,
});

const checkMap = buildInputChecker({ input: SiteBody });
const checkCrawl = buildInputChecker({
  input: SiteBody.extend({ format: Format, include_images: z.boolean().default(false) }),
});

/** `POST /search`. */
async function search(request: CompatRequest): Promise<Result> {
  const { input } = checkSearch(request.body);
  const country = parseCountry(input.country, 'country') ?? undefined;
  const found = await searchWeb(request, {
    search: input.query,
    domains: { included: input.include_domains, excluded: input.exclude_domains },
    period: toPeriod(input, request.clock.now()),
    options: () => ({ country_code: country, language: input.language }),
    count: input.max_results,
  });
  const list = input.topic === 'news' && found.news.length > 0 ? found.news : found.web;
  const results = list.slice(0, input.max_results);
  const raw = await readRawContents(request, results, input.include_raw_content);
  const { text, creditsUsed: more } = await findAnswer(request, input);
  const answer = {
    query: input.query,
    answer: text,
    images: input.include_images ? found.news.flatMap(({ image_url: image }) => image ?? []) : [],
    results: results.map((result, at) => ({
      title: result.title,
      url: result.url,
      content: result.description,
      score: toScore(at),
      raw_content: raw.contents.get(result.url) ?? null,
      published_date: result.published_at ?? undefined,
    })),
  };
  return { answer, creditsUsed: found.creditsUsed + raw.creditsUsed + more, requestId: found.requestId };
}

/** Engines do not report a relevance, so the score only follows the rank: 1 for the first, above 0.5 for the twentieth. */
function toScore(rank: number): number {
  return Math.round(1e4 / (1 + 0.05 * rank)) / 1e4;
}

/** The time in which results must be published, ms since 1970. */
function toPeriod({ time_range: range, days, topic, start_date: start, end_date: end }: SearchBody, now: number) {
  const long = TIME_RANGES.find((one) => one === range || one.startsWith(range ?? '-'));
  const from = Math.max(
    long === undefined ? 0 : toRangeStart(long, now),
    days !== undefined && topic === 'news' ? now - days * DAY_MS : 0,
    start ? Date.parse(start) : 0,
  );
  return { from, to: end ? Date.parse(end) + DAY_MS : Number.POSITIVE_INFINITY };
}

/** Reads the pages of the results, if their content is wanted. */
async function readRawContents(
  request: CompatRequest,
  results: readonly (WebResult | NewsResult)[],
  wanted: SearchBody['include_raw_content'],
) {
  if (wanted === false || results.length === 0) return { contents: new Map<string, string>(), creditsUsed: 0 };
  const urls = results.map(({ url }) => url);
  const output = wanted === 'text' ? 'text' : 'markdown';
  const { pages, creditsUsed } = await readPages(request, urls, { output: [output] });
  const contents = pages.flatMap(({ url, page }) => (page === null ? [] : [[url, getContent(page)] as const]));
  return { contents: new Map(contents), creditsUsed };
}

async function findAnswer(request: CompatRequest, { query, include_answer: wanted }: SearchBody) {
  if (wanted === false) return { text: null, creditsUsed: 0 };
  try {
    const { body, usage } = await request.run('answerengine.prompt', { prompt: query });
    return { text: body['answer_markdown'], creditsUsed: usage?.credits ?? 0 };
  } catch (error) {
    // No page answers the question; the results may still help.
    if (error instanceof ServiceError && error.code === 'not_found') return { text: null, creditsUsed: 0 };
    throw error;
  }
}

/** The members of an answer without those at its end, and what it cost. */
type Result = { readonly answer: JsonObject; readonly creditsUsed: number; readonly requestId: unknown };

/** Returns the function that answers a call, and adds the members at the end of each answer. */
function answerBy(run: (request: CompatRequest) => Promise<Result>): CompatRoute['answer'] {
  return async (request) => {
    const startedAt = request.clock.monotonic();
    const { answer, creditsUsed, requestId } = await run(request);
    const wantsUsage = isJsonObject(request.body) && request.body['include_usage'] === true;
    return replyJson({
      ...answer,
      response_time: Math.round(request.clock.monotonic() - startedAt) / 1000,
      usage: wantsUsage ? { credits: creditsUsed } : undefined,
      request_id: requestId,
    });
  };
}

/** `POST /extract`. */
async function extract(request: CompatRequest): Promise<Result> {
  const { input } = checkExtract(request.body);
  const urls = typeof input.urls === 'string' ? [input.urls] : input.urls;
  const { pages, creditsUsed, requestId } = await readPages(request, urls, {
    output: toOutput(input),
    timeout_ms: toMilliseconds(input.timeout),
  });
  const results = pages.flatMap(({ url, page }) =>
    page === null ? [] : [{ ...toResult(page), url, title: page.metadata.title ?? null }],
  );
  const failed = pages.flatMap((one) => (one.page === null ? [{ url: one.url, error: one.error }] : []));
  return { answer: { results, failed_results: failed }, creditsUsed, requestId };
}

type ContentWish = { readonly format: string; readonly include_images: boolean };

function toOutput({ format, include_images: images }: ContentWish): readonly string[] {
  return [format, 'metadata', ...(images ? ['images'] : [])];
}

function toResult(page: Page) {
  return { url: page.url, raw_content: getContent(page), images: (page.images ?? []).map(({ url }) => url) };
}

function toMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}

/** `POST /crawl`. It follows the links of one host and no sitemaps, so that depths are those of links. */
async function crawl(request: CompatRequest): Promise<Result> {
  const { input } = checkCrawl(request.body);
  refuseUnserved({ instructions: input.instructions }, 'a crawl');
  const { body, creditsUsed } = await runToEnd(request, 'crawl', {
    ...toSiteInput(input),
    max_pages: Math.min(input.limit, request.caller.plan.crawl_pages ?? input.limit),
    sitemap: 'skip',
    output: toOutput(input),
  });
  const results = z.array(Page).parse(body['pages']).map(toResult);
  return { answer: { base_url: input.url, results }, creditsUsed, requestId: body['request_id'] };
}

/** `POST /map`. Instructions rank the URLs by their words. */
async function map(request: CompatRequest): Promise<Result> {
  const { input } = checkMap(request.body);
  const { body, creditsUsed } = await runToEnd(request, 'map', {
    ...toSiteInput(input),
    max_urls: Math.min(input.limit, request.caller.plan.map_urls ?? input.limit),
    search: input.instructions || undefined,
  });
  const results = mapSite.output.parse(body).urls.map(({ url }) => url);
  return { answer: { base_url: input.url, results }, creditsUsed, requestId: body['request_id'] };
}

function toSiteInput(body: z.output<typeof SiteBody>): JsonObject {
  const { select_domains, exclude_domains } = body;
  refuseUnserved({ select_domains, exclude_domains }, 'a crawl, which stays on the host of its url');
  return {
    url: body.url,
    max_depth: body.max_depth,
    include: (body.select_paths ?? []).map((path) => toUrlPattern(path)),
    exclude: (body.exclude_paths ?? []).map((path) => toUrlPattern(path)),
    timeout_ms: toMilliseconds(body.timeout),
  };
}

/** The interface of Tavily: https://docs.tavily.com/documentation/api-reference/introduction */
export const TAVILY: CompatInterface = {
  routes: [
    { route: 'POST /search', answer: answerBy(search) },
    { route: 'POST /extract', answer: answerBy(extract) },
    { route: 'POST /crawl', answer: answerBy(crawl) },
    { route: 'POST /map', answer: answerBy(map) },
  ],
  // Its clients know 432 for a used-up plan.
  describeFailure: ({ message, status }) => replyJson({ detail: { error: message } }, status === 402 ? 432 : status),
};
