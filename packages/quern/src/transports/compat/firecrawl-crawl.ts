import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { optional, refuseUnserved, toUrlPattern } from './body.ts';
import { submitJob } from './firecrawl-jobs.ts';
import { listIgnored, PageOptions, toPageInput } from './firecrawl-options.ts';
import { toJobWebhook, WebhookOption } from './firecrawl-webhooks.ts';
import type { CompatReply, CompatRequest } from './interface.ts';

/** The options of a crawl; those of v1 have other names. */
const CrawlBody = z.looseObject({
  url: z.string().min(1).max(8192),
  limit: optional(z.number().int().min(1)),
  maxDiscoveryDepth: optional(z.number().int().min(0)),
  maxDepth: optional(z.number().int().min(0)),
  includePaths: optional(z.array(z.string())),
  excludePaths: optional(z.array(z.string())),
  regexOnFullURL: optional(z.boolean()),
  sitemap: optional(z.enum(['include', 'skip', 'only'])),
  ignoreSitemap: optional(z.boolean()),
  ignoreQueryParameters: optional(z.boolean()),
  crawlEntireDomain: optional(z.boolean()),
  allowBackwardLinks: optional(z.boolean()),
  allowSubdomains: optional(z.boolean()),
  allowExternalLinks: optional(z.boolean()),
  ignoreRobotsTxt: optional(z.boolean()),
  delay: optional(z.number().min(0).max(30)),
  maxConcurrency: optional(z.number().int().min(1)),
  prompt: optional(z.string()),
  webhook: WebhookOption,
  scrapeOptions: optional(PageOptions),
});

const checkCrawl = buildInputChecker({ input: CrawlBody });

type CrawlBody = z.output<typeof CrawlBody>;

/** The pages of a crawl without a limit of its own, as Firecrawl documents it. */
const DEFAULT_LIMIT = 10_000;

/** `POST /crawl`: submits a crawl as a job. */
export async function startCrawl(request: CompatRequest, path: string): Promise<CompatReply> {
  const { input: body } = checkCrawl(request.body);
  const ignored = [...listIgnored(body, Object.keys(CrawlBody.shape)), ...listIgnored(body.scrapeOptions ?? {})];
  const hook = toJobWebhook(body.webhook, request);
  return submitJob(request, { kind: 'crawl', input: toCrawlInput(body, request), path, warnings: ignored, hook });
}

function toCrawlInput(body: CrawlBody, { caller }: CompatRequest): JsonObject {
  const { prompt, regexOnFullURL, scrapeOptions } = body;
  refuseUnserved({ prompt, 'scrapeOptions.actions': scrapeOptions?.actions }, 'a crawl');
  const page = toPageInput(scrapeOptions ?? {});
  const most = caller.plan.crawl_pages ?? DEFAULT_LIMIT;
  return {
    url: body.url,
    max_pages: body.limit ?? Math.min(DEFAULT_LIMIT, most),
    max_depth: body.maxDiscoveryDepth ?? body.maxDepth,
    scope: chooseScope(body),
    sitemap: body.sitemap ?? (body.ignoreSitemap === true ? 'skip' : 'include'),
    include: (body.includePaths ?? []).map((pattern) => toUrlPattern(pattern, regexOnFullURL)),
    exclude: (body.excludePaths ?? []).map((pattern) => toUrlPattern(pattern, regexOnFullURL)),
    ignore_query: body.ignoreQueryParameters,
    respect_robots: body.ignoreRobotsTxt !== true,
    delay_ms: body.delay ? Math.round(body.delay * 1000) : undefined,
    output: page.output,
    ...page.files,
    fetch: page.page,
    proxy: page.proxy,
  };
}

function chooseScope(body: CrawlBody): string {
  if (body.allowExternalLinks === true) return 'any';
  if (body.allowSubdomains === true) return 'subdomains';
  return body.crawlEntireDomain === true || body.allowBackwardLinks === true ? 'host' : 'path';
}
