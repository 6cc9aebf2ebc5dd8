import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { MAX_CACHE_AGE_MS } from '#engine/visits/page-cache.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { listSet, optional, refuseUnserved } from './body.ts';
import { type CompatInterface, type CompatReply, type CompatRequest, replyJson } from './interface.ts';
import { Page, type ReadPage, readPages } from './read-pages.ts';

const checkMarkdown = buildInputChecker({
  input: z.looseObject({
    url: z.string().min(1).max(8192),
    f: z.enum(['raw', 'fit', 'bm25', 'llm']).default('fit'),
    q: optional(z.string()),
    c: optional(z.union([z.string(), z.number()])),
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
    markdown: Page.parse(body).markdown ?? '',
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

const BrowserConfig = z.looseObject({ headers: optional(z.record(z.string(), z.string())) });

/** The options of a run that have an effect. Times are ms, except those whose name is `delay…` (s). */
const RunConfig = z.looseObject({
  css_selector: optional(z.string()),
  target_elements: optional(z.array(z.string())),
  excluded_selector: optional(z.string()),
  excluded_tags: optional(z.array(z.string())),
  wait_for: optional(z.string().regex(/^css:/, 'is served only as css: and a selector')),
  delay_before_return_html: optional(z.number().min(0)),
  page_timeout: optional(z.number().int().min(1)),
  scan_full_page: optional(z.boolean()),
  markdown_generator: optional(z.looseObject({})),
});

/** Options that would change the result and are not served. */
const NOT_SERVED = ['js_code', 'extraction_strategy', 'deep_crawl_strategy', 'screenshot', 'pdf', 'stream'] as const;

/** `POST /crawl`: pages of a list of URLs. */
async function crawl(request: CompatRequest): Promise<CompatReply> {
  const startedAt = request.clock.monotonic();
  const { input } = checkCrawl(request.body);
  const browser = parseConfig(BrowserConfig, input.browser_config, 'browser_config');
  const run = parseConfig(RunConfig, input.crawler_config, 'crawler_config');
  refuseUnserved(Object.fromEntries(NOT_SERVED.map((name) => [`crawler_config.${name}`, run[name]])), 'a crawl');
  const isFit = listSet(getParams(run.markdown_generator)).includes('content_filter');
  const { pages } = await readPages(request, input.urls, {
    output: ['markdown', 'html', 'raw_html', 'links', 'images', 'metadata'],
    ...toFetchOptions(run),
    headers: browser.headers,
    only_main_content: isFit,
    timeout_ms: run.page_timeout === undefined ? undefined : run.page_timeout * input.urls.length,
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

function getParams(config: unknown): JsonObject {
  const { params } = isJsonObject(config) ? config : {};
  return isJsonObject(params) ? params : {};
}

/** Clients always send this delay, which would need a browser here. */
const DEFAULT_DELAY_SECONDS = 0.1;

function toFetchOptions(run: z.output<typeof RunConfig>): JsonObject {
  const { delay_before_return_html: delay = 0 } = run;
  return {
    include_selectors: [run.css_selector ?? [], run.target_elements ?? []].flat().filter(Boolean),
    exclude_selectors: [run.excluded_selector ?? [], run.excluded_tags ?? []].flat().filter(Boolean),
    wait_for_selector: run.wait_for?.slice('css:'.length),
    wait_ms: delay > DEFAULT_DELAY_SECONDS ? Math.round(delay * 1000) : undefined,
    scroll: run.scan_full_page,
  };
}

/** Without a content filter the Markdown is that of the whole page, and there is no fitting one. */
function toResult({ url, ...one }: ReadPage, isFit: boolean): JsonObject {
  if (one.page === null) {
    return { ...toContent({}, false), url, success: false, status_code: one.statusCode, error_message: one.error };
  }
  const { final_url: redirected_url, status_code } = one.page;
  return { ...toContent(one.page, isFit), url, redirected_url, success: true, status_code, error_message: '' };
}

function toContent(page: Partial<Page>, isFit: boolean): JsonObject {
  const { markdown = '', raw_html: html = '', html: cleaned_html = '', images = [], metadata } = page;
  return {
    html,
    cleaned_html,
    markdown: {
      raw_markdown: markdown,
      markdown_with_citations: markdown,
      references_markdown: '',
      fit_markdown: isFit ? markdown : '',
      fit_html: '',
    },
    links: { internal: listLinks(page, true), external: listLinks(page, false) },
    media: { images: images.map(({ url, alt }) => ({ src: url, alt: alt ?? '' })), videos: [], audios: [] },
    metadata: { title: metadata?.title ?? null, description: metadata?.description ?? null },
  };
}

function listLinks({ links = [] }: Partial<Page>, internal: boolean) {
  return links
    .filter((link) => link.internal === internal)
    .map(({ url, text }) => ({ href: url, text, title: '', base_domain: URL.parse(url)?.hostname ?? '' }));
}

/** The server of Crawl4AI: https://docs.crawl4ai.com/core/self-hosting/ */
export const CRAWL4AI: CompatInterface = {
  routes: [
    { route: 'POST /md', answer: readMarkdown },
    { route: 'POST /crawl', answer: crawl },
    // Clients ask this before their first call.
    { route: 'GET /health', answer: async ({ clock }) => replyJson({ status: 'ok', timestamp: clock.now() / 1000 }) },
  ],
  describeFailure: ({ message, status }) => replyJson({ detail: message }, status),
};
