import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { MAX_CACHE_AGE_MS } from '#engine/visits/page-cache.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type CompatInterface, type CompatReply, type CompatRequest, replyJson } from './interface.ts';
import { type Page, parsePage, type ReadPage, readPages } from './read-pages.ts';

const checkMarkdown = buildInputChecker({
  input: z.looseObject({
    url: z.string().min(1).max(8192),
    f: z.enum(['raw', 'fit', 'bm25', 'llm']).default('fit'),
    q: z.string().nullish(),
    c: z.union([z.string(), z.number()]).nullish(),
  }),
});

/** `POST /md`: the Markdown of a page, whole (raw) or its main content (fit). */
async function readMarkdown(request: CompatRequest): Promise<CompatReply> {
  const { url, f: filter, q: query = null, c: cache = '0' } = checkMarkdown(request.body).input;
  if (filter === 'bm25' || filter === 'llm')
    throw new ServiceError('invalid_request', `f: ${filter} is not served; use raw or fit`);
  const { body } = await request.run('fetch', {
    url,
    output: ['markdown', 'metadata'],
    only_main_content: filter === 'fit',
    max_age_ms: String(cache) === '0' ? 0 : MAX_CACHE_AGE_MS,
  });
  return replyJson({
    url,
    filter,
    query,
    cache: String(cache),
    markdown: parsePage(body).markdown ?? '',
    success: true,
  });
}

/** An object of a configuration, alone or with its class: `{type: 'CrawlerRunConfig', params: {…}}`. */
const Config = z
  .looseObject({ params: z.looseObject({}).optional() })
  .transform(({ params, ...flat }): JsonObject => params ?? flat)
  .default({});

const checkCrawl = buildInputChecker({
  input: z.looseObject({
    urls: z.array(z.string().min(1)).min(1).max(100),
    browser_config: Config,
    crawler_config: Config,
  }),
});

const BrowserConfig = z.looseObject({ headers: z.record(z.string(), z.string()).nullish() });

/** The options of a run that have an effect. Times are ms, except those whose name is `delay…` (s). */
const RunConfig = z.looseObject({
  css_selector: z.string().nullish(),
  target_elements: z.array(z.string()).nullish(),
  excluded_selector: z.string().nullish(),
  excluded_tags: z.array(z.string()).nullish(),
  wait_for: z.string().regex(/^css:/, 'is served only as css: and a selector').nullish(),
  delay_before_return_html: z.number().min(0).nullish(),
  page_timeout: z.number().int().min(1).nullish(),
  scan_full_page: z.boolean().nullish(),
  markdown_generator: z.looseObject({}).nullish(),
});

/** Options that would change the result and are not served. */
const NOT_SERVED = ['js_code', 'extraction_strategy', 'deep_crawl_strategy', 'screenshot', 'pdf', 'stream'] as const;

/** `POST /crawl`: pages of a list of URLs. */
async function crawl(request: CompatRequest): Promise<CompatReply> {
  const startedAt = request.clock.monotonic();
  const { input } = checkCrawl(request.body);
  const browser = parseConfig(BrowserConfig, input.browser_config, 'browser_config');
  const run = parseConfig(RunConfig, input.crawler_config, 'crawler_config');
  const unserved = NOT_SERVED.filter((name) => isSet(run[name]));
  if (unserved.length > 0)
    throw new ServiceError('invalid_request', `crawler_config: ${unserved.join(', ')} is not served; leave it out`);
  const isFit = isSet(getParams(run.markdown_generator)['content_filter']);
  const { pages } = await readPages(request, input.urls, {
    output: ['markdown', 'html', 'raw_html', 'links', 'images', 'metadata'],
    fetch: { ...toFetchOptions(run), headers: browser.headers ?? {}, only_main_content: isFit },
    timeoutMs: run.page_timeout ? run.page_timeout * input.urls.length : null,
  });
  return replyJson({
    success: true,
    results: pages.map((one) => toResult(one, isFit)),
    server_processing_time_s: Math.round(request.clock.monotonic() - startedAt) / 1000,
  });
}

function parseConfig<T extends z.ZodType>(schema: T, config: JsonObject, at: string): z.output<T> {
  return buildInputChecker({ input: schema })(config, [at]).input;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '' && !isEmptyList(value);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function getParams(config: unknown): JsonObject {
  const { params } = isJsonObject(config) ? config : {};
  return isJsonObject(params) ? params : {};
}

function toFetchOptions(run: z.output<typeof RunConfig>): JsonObject {
  const included = [...(run.css_selector ? [run.css_selector] : []), ...(run.target_elements ?? [])];
  const excluded = [...(run.excluded_selector ? [run.excluded_selector] : []), ...(run.excluded_tags ?? [])];
  return {
    include_selectors: included,
    exclude_selectors: excluded,
    ...(run.wait_for ? { wait_for_selector: run.wait_for.slice('css:'.length) } : {}),
    // Its clients always send this default, which would need a browser here.
    ...(run.delay_before_return_html && run.delay_before_return_html > DEFAULT_DELAY_SECONDS
      ? { wait_ms: Math.round(run.delay_before_return_html * 1000) }
      : {}),
    ...(run.scan_full_page === true ? { scroll: true } : {}),
  };
}

const DEFAULT_DELAY_SECONDS = 0.1;

/** Without a content filter the Markdown is that of the whole page, and there is no fitting one. */
function toResult(one: ReadPage, isFit: boolean): JsonObject {
  if (one.page === null) {
    return {
      ...EMPTY_RESULT,
      url: one.url,
      success: false,
      status_code: one.statusCode,
      error_message: one.error,
    };
  }
  const { page } = one;
  const markdown = page.markdown ?? '';
  return {
    ...EMPTY_RESULT,
    url: one.url,
    redirected_url: page.final_url,
    html: page.raw_html ?? '',
    cleaned_html: page.html ?? '',
    markdown: toMarkdown(markdown, isFit ? markdown : ''),
    links: {
      internal: listLinks(page, true),
      external: listLinks(page, false),
    },
    media: { images: page.images.map(({ url, alt }) => ({ src: url, alt: alt ?? '' })), videos: [], audios: [] },
    metadata: { title: page.metadata.title ?? null, description: page.metadata.description ?? null },
    success: true,
    status_code: page.status_code,
    error_message: '',
  };
}

function toMarkdown(raw: string, fit: string): JsonObject {
  return {
    raw_markdown: raw,
    markdown_with_citations: raw,
    references_markdown: '',
    fit_markdown: fit,
    fit_html: '',
  };
}

const EMPTY_RESULT: JsonObject = {
  html: '',
  cleaned_html: '',
  markdown: toMarkdown('', ''),
  links: { internal: [], external: [] },
  media: { images: [], videos: [], audios: [] },
  metadata: {},
};

function listLinks({ links }: Page, internal: boolean) {
  return links
    .filter((link) => link.internal === internal)
    .map(({ url, text }) => ({ href: url, text, title: '', base_domain: URL.parse(url)?.hostname ?? '' }));
}

/** `GET /health`, which clients ask before their first call. */
async function showHealth({ clock }: CompatRequest): Promise<CompatReply> {
  return replyJson({ status: 'ok', timestamp: clock.now() / 1000 });
}

function describeFailure({ message, status }: ServiceError): CompatReply {
  return replyJson({ detail: message }, status);
}

/** The server of Crawl4AI: https://docs.crawl4ai.com/core/self-hosting/ */
export const CRAWL4AI: CompatInterface = {
  routes: [
    { route: 'POST /md', answer: readMarkdown },
    { route: 'POST /crawl', answer: crawl },
    { route: 'GET /health', answer: showHealth },
  ],
  describeFailure,
};
