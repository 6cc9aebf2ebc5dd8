import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { DAY_MS } from '#engine/identity/plans.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { parseCountry } from '#features/search/search-input.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type CompatInterface, type CompatReply, type CompatRequest, replyJson } from './interface.ts';
import { toPathPattern } from './path-pattern.ts';
import { type Page, parsePages, readPages } from './read-pages.ts';
import { runToEnd } from './run-to-end.ts';
import { type FoundPage, isOfDomains, isPublishedWithin, searchWeb, TIME_RANGES, toRangeStart } from './search-web.ts';

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-01-31');
const Domains = z.array(z.string().min(1).max(253)).max(100).nullish();
const Url = z.string().min(1).max(8192);
const Format = z.enum(['markdown', 'text']).default('markdown');
/** Seconds. */
const Timeout = z.number().min(1).max(600).nullish();

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
    time_range: z.enum([...TIME_RANGES, 'd', 'w', 'm', 'y']).nullish(),
    days: z.number().int().min(1).nullish(),
    start_date: Day.nullish(),
    end_date: Day.nullish(),
    country: z.string().nullish(),
    language: z.string().min(2).nullish(),
    include_usage: z.boolean().default(false),
  }),
});

type SearchBody = ReturnType<typeof checkSearch>['input'];

const checkExtract = buildInputChecker({
  input: z.looseObject({
    // Old clients send a single URL as text.
    urls: z.union([z.array(z.string().min(1)).min(1).max(20), z.string().min(1)]),
    format: Format,
    include_images: z.boolean().default(false),
    include_usage: z.boolean().default(false),
    timeout: Timeout,
  }),
});

/** The options of a crawl and of a map. */
const SITE_OPTIONS = {
  url: Url,
  max_depth: z.number().int().min(1).max(5).default(1),
  limit: z.number().int().min(1).default(50),
  select_paths: z.array(z.string()).nullish(),
  exclude_paths: z.array(z.string()).nullish(),
  select_domains: z.array(z.string()).nullish(),
  exclude_domains: z.array(z.string()).nullish(),
  instructions: z.string().max(1000).nullish(),
  include_usage: z.boolean().default(false),
  timeout: Timeout,
} as const;

const SiteBody = z.looseObject(SITE_OPTIONS);

const checkMap = buildInputChecker({ input: SiteBody });
const checkCrawl = buildInputChecker({
  input: SiteBody.extend({ format: Format, include_images: z.boolean().default(false) }),
});

/** `POST /search`. */
async function search(request: CompatRequest): Promise<CompatReply> {
  const startedAt = request.clock.monotonic();
  const { input } = checkSearch(request.body);
  const found = await searchWeb(request, {
    search: toQuery(input),
    place: toPlace(input),
    page: 1,
    count: input.max_results,
    accepts: buildFilter(input, request.clock.now()),
  });
  const results = (input.topic === 'news' && found.news.length > 0 ? found.news : found.web).slice(
    0,
    input.max_results,
  );
  const raw = await readRawContents(request, results, input.include_raw_content);
  const answer = await findAnswer(request, input);
  const creditsUsed = found.creditsUsed + raw.creditsUsed + answer.creditsUsed;
  return replyJson({
    query: input.query,
    answer: answer.text,
    images: input.include_images ? found.news.flatMap(({ image_url: image }) => image ?? []) : [],
    results: results.map((result, at) => ({
      title: result.title,
      url: result.url,
      content: result.description,
      score: toScore(at),
      raw_content: raw.contents.get(result.url) ?? null,
      ...(result.published_at === null ? {} : { published_date: result.published_at }),
    })),
    ...buildFooter(request, { startedAt, requestId: found.requestId, creditsUsed }, input),
  });
}

/** Engines do not report a relevance, so the score only follows the rank: 1 for the first, above 0.5 for the twentieth. */
function toScore(rank: number): number {
  return Math.round(1e4 / (1 + 0.05 * rank)) / 1e4;
}

/** Adds the domains as operators that engines understand. Results are filtered too, since not all of them do. */
function toQuery({ query, include_domains: included, exclude_domains: excluded }: SearchBody): string {
  const wanted = (included ?? []).slice(0, 10).map((domain) => `site:${domain}`);
  const unwanted = (excluded ?? []).slice(0, 10).map((domain) => `-site:${domain}`);
  const group = wanted.length > 1 ? [`(${wanted.join(' OR ')})`] : wanted;
  return [query, ...group, ...unwanted].join(' ');
}

function toPlace({ country, language }: SearchBody): JsonObject {
  const code = parseCountry(country ?? undefined, 'country');
  return { ...(code === null ? {} : { country_code: code }), ...(language ? { language } : {}) };
}

/** Returns whether a result is of the wanted domains and time. */
function buildFilter(body: SearchBody, now: number): (result: FoundPage) => boolean {
  const { include_domains: included, exclude_domains: excluded, time_range: range, days } = body;
  const long = TIME_RANGES.find((one) => one === range || one.startsWith(range ?? '-'));
  const from = Math.max(
    long === undefined ? 0 : toRangeStart(long, now),
    typeof days === 'number' && body.topic === 'news' ? now - days * DAY_MS : 0,
    body.start_date ? Date.parse(body.start_date) : 0,
  );
  const to = body.end_date ? Date.parse(body.end_date) + DAY_MS : Number.POSITIVE_INFINITY;
  return (result) => {
    const domains = { included: included ?? [], excluded: excluded ?? [] };
    return isOfDomains(domains, result.url) && isPublishedWithin(result, from, to);
  };
}

type RawContents = { readonly contents: ReadonlyMap<string, string>; readonly creditsUsed: number };

/** Reads the pages of the results, if their content is wanted. */
async function readRawContents(
  request: CompatRequest,
  results: readonly FoundPage[],
  wanted: SearchBody['include_raw_content'],
): Promise<RawContents> {
  if (wanted === false || results.length === 0) return { contents: new Map(), creditsUsed: 0 };
  const urls = results.map(({ url }) => url);
  const output = wanted === 'text' ? 'text' : 'markdown';
  const { pages, creditsUsed } = await readPages(request, urls, { output: [output], timeoutMs: null });
  const contents = pages.flatMap(({ url, page }) => (page === null ? [] : [[url, getContent(page)] as const]));
  return { contents: new Map(contents), creditsUsed };
}

function getContent({ markdown, text }: Page): string {
  return markdown ?? text ?? '';
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

type CallFacts = { readonly startedAt: number; readonly requestId: unknown; readonly creditsUsed: number };

/** The members at the end of each answer. */
function buildFooter(
  { clock }: CompatRequest,
  { startedAt, requestId, creditsUsed }: CallFacts,
  { include_usage: wantsUsage }: { readonly include_usage: boolean },
) {
  return {
    response_time: Math.round(clock.monotonic() - startedAt) / 1000,
    ...(wantsUsage ? { usage: { credits: creditsUsed } } : {}),
    request_id: requestId,
  };
}

/** `POST /extract`. */
async function extract(request: CompatRequest): Promise<CompatReply> {
  const startedAt = request.clock.monotonic();
  const { input } = checkExtract(request.body);
  const urls = typeof input.urls === 'string' ? [input.urls] : input.urls;
  const { pages, creditsUsed, requestId } = await readPages(request, urls, {
    output: toOutput(input),
    timeoutMs: toMilliseconds(input.timeout),
  });
  return replyJson({
    results: pages.flatMap(({ url, page }) =>
      page === null ? [] : [{ ...toResult(page, input), url, title: page.metadata.title ?? null }],
    ),
    failed_results: pages.flatMap((one) => (one.page === null ? [{ url: one.url, error: one.error }] : [])),
    ...buildFooter(request, { startedAt, requestId, creditsUsed }, input),
  });
}

type ContentOptions = { readonly format: z.output<typeof Format>; readonly include_images: boolean };

function toOutput({ format, include_images: images }: ContentOptions): readonly string[] {
  return [format, 'metadata', ...(images ? ['images'] : [])];
}

function toResult(page: Page, { include_images: images }: ContentOptions) {
  return { url: page.url, raw_content: getContent(page), images: images ? page.images.map(({ url }) => url) : [] };
}

function toMilliseconds(seconds: number | null | undefined): number | null {
  return seconds === null || seconds === undefined ? null : Math.round(seconds * 1000);
}

/** `POST /crawl`. It follows the links of one host and no sitemaps, so that depths are those of links. */
async function crawl(request: CompatRequest): Promise<CompatReply> {
  const startedAt = request.clock.monotonic();
  const { input } = checkCrawl(request.body);
  if (input.instructions) throw refuse('instructions', 'limit the pages with select_paths instead');
  const { body, creditsUsed } = await runToEnd(request, 'crawl', {
    ...toSiteInput(input),
    max_pages: Math.min(input.limit, request.caller.plan.crawl_pages ?? input.limit),
    sitemap: 'skip',
    output: toOutput(input),
  });
  return replyJson({
    base_url: input.url,
    results: parsePages(body).map((page) => toResult(page, input)),
    ...buildFooter(request, { startedAt, requestId: body['request_id'], creditsUsed }, input),
  });
}

const Mapped = z.looseObject({ urls: z.array(z.looseObject({ url: z.string() })) });

/** `POST /map`. Instructions rank the URLs by their words. */
async function map(request: CompatRequest): Promise<CompatReply> {
  const startedAt = request.clock.monotonic();
  const { input } = checkMap(request.body);
  const { body, creditsUsed } = await runToEnd(request, 'map', {
    ...toSiteInput(input),
    max_urls: Math.min(input.limit, request.caller.plan.map_urls ?? input.limit),
    ...(input.instructions ? { search: input.instructions } : {}),
  });
  return replyJson({
    base_url: input.url,
    results: Mapped.parse(body).urls.map(({ url }) => url),
    ...buildFooter(request, { startedAt, requestId: body['request_id'], creditsUsed }, input),
  });
}

function toSiteInput(body: z.output<typeof SiteBody>): JsonObject {
  const domains = [...(body.select_domains ?? []), ...(body.exclude_domains ?? [])];
  if (domains.length > 0) throw refuse('select_domains, exclude_domains', 'a crawl stays on the host of its url');
  const timeoutMs = toMilliseconds(body.timeout);
  return {
    url: body.url,
    max_depth: body.max_depth,
    include: (body.select_paths ?? []).map(toPathPattern),
    exclude: (body.exclude_paths ?? []).map(toPathPattern),
    ...(timeoutMs === null ? {} : { timeout_ms: timeoutMs }),
  };
}

/** The error for members that would change the result and are not served. */
function refuse(members: string, advice: string): ServiceError {
  return new ServiceError('invalid_request', `${members}: not served; ${advice}`);
}

/** Statuses of Quern that its clients do not know, with the nearest one that they do. */
const STATUSES: ReadonlyMap<number, number> = new Map([[402, 432]]);

function describeFailure({ message, status }: ServiceError): CompatReply {
  return replyJson({ detail: { error: message } }, STATUSES.get(status) ?? status);
}

/** The interface of Tavily: https://docs.tavily.com/documentation/api-reference/introduction */
export const TAVILY: CompatInterface = {
  routes: [
    { route: 'POST /search', answer: search },
    { route: 'POST /extract', answer: extract },
    { route: 'POST /crawl', answer: crawl },
    { route: 'POST /map', answer: map },
  ],
  describeFailure,
};
