import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { toActionResults } from './firecrawl-actions.ts';
import { toDocument } from './firecrawl-document.ts';
import { listIgnored, type PageInput, PageOptions, toMaxAgeMs, toPageInput } from './firecrawl-options.ts';
import { runToEnd } from './run-to-end.ts';
import { type CompatReply, type CompatRequest, replyJson } from './interface.ts';

const checkScrape = buildInputChecker({ input: PageOptions.extend({ url: z.string().min(1).max(8192) }) });

type ScrapeBody = ReturnType<typeof checkScrape>['input'];

/** `POST /scrape`: one page, after actions if there are some. */
export async function scrape(request: CompatRequest): Promise<CompatReply> {
  const { input: body } = checkScrape(request.body);
  const page = toPageInput(body);
  const hasActions = (body.actions ?? []).length > 0;
  const ended = hasActions
    ? await runToEnd(request, 'interact', toSessionInput(body, page))
    : await runToEnd(request, 'fetch', toFetchInput(body, page));
  const facts = {
    ...ended,
    requested: page.requested,
    warnings: [...page.warnings, ...listIgnored(body)],
    toFileUrl: request.toFileUrl,
  };
  const document = toDocument(hasActions ? { ...SESSION_PAGE, ...ended.body } : ended.body, facts);
  const results = hasActions ? { actions: toActionResults(ended.body['extracted'], request.toFileUrl) } : {};
  return replyJson({ success: true, data: { ...document, ...results } });
}

function toFetchInput(body: ScrapeBody, page: PageInput): JsonObject {
  return {
    url: body.url,
    output: page.output,
    ...page.page,
    ...page.files,
    proxy: page.proxy,
    max_age_ms: toMaxAgeMs(body, page),
    timeout_ms: body.timeout,
  };
}

/** The parameters of a page that a session takes too. */
const SESSION_PARAMETERS = ['headers', 'device', 'country', 'locale', 'extract'] as const;

function toSessionInput(body: ScrapeBody, page: PageInput): JsonObject {
  if (page.page['changes'] !== undefined || page.page['passages'] !== undefined)
    throw new ServiceError('invalid_request', 'formats: changeTracking and questions cannot be combined with actions');
  const waits = body.waitFor ? [{ type: 'wait', ms: body.waitFor }] : [];
  return {
    url: body.url,
    actions: [...waits, ...(body.actions ?? [])],
    output: page.output.filter((name) => name !== 'attributes' && name !== 'summary'),
    ...Object.fromEntries(SESSION_PARAMETERS.map((name) => [name, page.page[name]])),
    proxy: page.proxy,
    timeout_ms: body.timeout,
  };
}

/** What the answer of a session lacks. It has no status of its own: it was answered, so the page was loaded. */
const SESSION_PAGE = { status_code: 200, content_type: 'text/html', metadata: {} };
