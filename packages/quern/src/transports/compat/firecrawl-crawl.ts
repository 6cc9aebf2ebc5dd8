import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { submitJob } from './firecrawl-jobs.ts';
import { listIgnored, PageOptions, toPageInput } from './firecrawl-options.ts';
import { toJobWebhook, WebhookOption } from './firecrawl-webhooks.ts';
import type { CompatReply, CompatRequest } from './interface.ts';
import { toPathPattern } from './path-pattern.ts';

/** The options of a crawl; those of v1 have other names. */
const CrawlBody = z.looseObject({
  url: z.string().min(1).max(8192),
  limit: z.number().int().min(1).nullish(),
  maxDiscoveryDepth: z.number().int().min(0).nullish(),
  maxDepth: z.number().int().min(0).nullish(),
  includePaths: z.array(z.string()).nullish(),
  excludePaths: z.array(z.string()).nullish(),
  regexOnFullURL: z.boolean().nullish(),
  sitemap: z.enum(['include', 'skip', 'only']).nullish(),
  ignoreSitemap: z.boolean().nullish(),
  ignoreQueryParameters: z.boolean().nullish(),
  crawlEntireDomain: z.boolean().nullish(),
  allowBackwardLinks: z.boolean().nullish(),
  allowSubdomains: z.boolean().nullish(),
  allowExternalLinks: z.boolean().nullish(),
  ignoreRobotsTxt: z.boolean().nullish(),
  delay: z.number().min(0).max(30).nullish(),
  maxConcurrency: z.number().int().min(1).nullish(),
  prompt: z.string().nullish(),
  webhook: WebhookOption,
  scrapeOptions: PageOptions.nullish(),
});

const checkCrawl = buildInputChecker({ input: CrawlBody });

type CrawlBody = z.output<typeof CrawlBody>;

/** The pages of a crawl without a limit of its own, as Firecrawl documents it. */
const DEFAULT_LIMIT = 10_000;

/** `POST /crawl`: submits a crawl as a job. */
export async function startCrawl(request: CompatRequest, path: string): Promise<CompatReply> {
  const { input: body } = checkCrawl(request.body);
  const ignored = [...listIgnored(body, Object.keys(CrawlBody.shape)), ...listIgnored(body.scrapeOptions ?? {})];
  const input = toCrawlInput(body, request);
  return submitJob(
    request,
    { kind: 'crawl', input, path, hook: toJobWebhook(body.webhook, request) },
    ignored.length === 0 ? {} : { warning: ignored.join('; ') },
  );
}

function toCrawlInput(body: CrawlBody, { caller }: CompatRequest): JsonObject {
  refuseUnserved(body);
  const page = toPageInput(body.scrapeOptions ?? {});
  if (Object.keys(page.files).length > 0)
    throw new ServiceError('invalid_request', 'scrapeOptions.formats: screenshot is served by scrape only');
  const most = caller.plan.crawl_pages ?? DEFAULT_LIMIT;
  const depth = body.maxDiscoveryDepth ?? body.maxDepth ?? null;
  return {
    url: body.url,
    max_pages: body.limit ?? Math.min(DEFAULT_LIMIT, most),
    ...(depth === null ? {} : { max_depth: depth }),
    scope: chooseScope(body),
    sitemap: body.sitemap ?? (body.ignoreSitemap === true ? 'skip' : 'include'),
    include: (body.includePaths ?? []).map(toPathPattern),
    exclude: (body.excludePaths ?? []).map(toPathPattern),
    ...(body.ignoreQueryParameters === true ? { ignore_query: true } : {}),
    ...(body.ignoreRobotsTxt === true ? { respect_robots: false } : {}),
    ...(body.delay ? { delay_ms: Math.round(body.delay * 1000) } : {}),
    output: page.output,
    fetch: page.page,
    ...page.proxy,
  };
}

/** Refuses what would change the result and cannot be honoured. */
function refuseUnserved({ prompt, allowExternalLinks, regexOnFullURL, scrapeOptions }: CrawlBody): void {
  const unserved = [
    ...(prompt ? ['prompt'] : []),
    ...(allowExternalLinks === true ? ['allowExternalLinks'] : []),
    ...(regexOnFullURL === true ? ['regexOnFullURL'] : []),
    ...((scrapeOptions?.actions ?? []).length > 0 ? ['scrapeOptions.actions'] : []),
  ];
  if (unserved.length > 0)
    throw new ServiceError('invalid_request', `${unserved.join(', ')}: not served for a crawl; leave it out`);
}

function chooseScope(body: CrawlBody): string {
  if (body.allowSubdomains === true) return 'subdomains';
  return body.crawlEntireDomain === true || body.allowBackwardLinks === true ? 'host' : 'path';
}
