import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { completeUrl } from '#kernel/web-address.ts';
import { optional, refuseUnserved } from './body.ts';
import { submitJob } from './firecrawl-jobs.ts';
import { listIgnored, PageOptions, toPageInput } from './firecrawl-options.ts';
import { toJobWebhook, WebhookOption } from './firecrawl-webhooks.ts';
import type { CompatReply, CompatRequest } from './interface.ts';

/** The options of a batch, beside those of its pages. */
const BATCH_OPTIONS = {
  urls: z.array(z.string()).min(1),
  ignoreInvalidURLs: optional(z.boolean()),
  maxConcurrency: optional(z.number().int().min(1)),
  appendToId: optional(z.string()),
  webhook: WebhookOption,
};

const checkBatch = buildInputChecker({ input: PageOptions.extend(BATCH_OPTIONS) });

type BatchBody = ReturnType<typeof checkBatch>['input'];

/** `POST /batch/scrape`: submits pages as one job. */
export async function startBatch(request: CompatRequest, path: string): Promise<CompatReply> {
  const { input: body } = checkBatch(request.body);
  const ignored = listIgnored(body, Object.keys(BATCH_OPTIONS));
  const invalidURLs = body.urls.filter((url) => !isWebUrl(url));
  return submitJob(
    request,
    {
      kind: 'fetch.batch',
      input: toBatchInput(body),
      path,
      warnings: ignored,
      hook: toJobWebhook(body.webhook, request),
    },
    invalidURLs.length === 0 ? {} : { invalidURLs },
  );
}

function toBatchInput(body: BatchBody): JsonObject {
  const { appendToId, actions } = body;
  refuseUnserved({ appendToId, actions }, 'a batch');
  const page = toPageInput(body);
  return {
    urls: body.urls,
    ignore_invalid_urls: body.ignoreInvalidURLs ?? true,
    output: page.output,
    ...page.files,
    ...page.page,
    proxy: page.proxy,
    max_concurrency: body.maxConcurrency,
  };
}

function isWebUrl(text: string): boolean {
  const url = completeUrl(text);
  return /^https?:/i.test(url) && URL.canParse(url);
}
