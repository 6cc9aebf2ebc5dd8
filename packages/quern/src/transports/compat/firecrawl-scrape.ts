import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { toActionResults, toSessionActions } from './firecrawl-actions.ts';
import { toDocument } from './firecrawl-document.ts';
import { listIgnored, type PageInput, PageOptions, toMaxAgeMs, toPageInput } from './firecrawl-options.ts';
import { type CompatReply, type CompatRequest, replyJson } from './interface.ts';

const checkScrape = buildInputChecker({ input: PageOptions.extend({ url: z.string().min(1).max(8192) }) });

type ScrapeBody = ReturnType<typeof checkScrape>['input'];

/** `POST /scrape`: one page, after actions if there are some. */
export async function scrape(request: CompatRequest): Promise<CompatReply> {
  const { input: body } = checkScrape(request.body);
  const page = toPageInput(body);
  const warnings = [...page.warnings, ...listIgnored(body), ...listShortened(body, request)];
  const hasActions = (body.actions ?? []).length > 0;
  const answer = hasActions
    ? await request.run('interact', toSessionInput(body, page, request))
    : await request.run('fetch', toFetchInput(body, page, request));
  const facts = {
    requested: page.requested,
    creditsUsed: answer.usage?.credits ?? 0,
    tier: answer.usage?.tier ?? null,
    warnings,
    toFileUrl: request.toFileUrl,
  };
  const document = hasActions
    ? {
        ...toDocument(toPageBody(answer.body), facts),
        actions: toActionResults(answer.body['extracted'], request.toFileUrl),
      }
    : toDocument(answer.body, facts);
  return replyJson({ success: true, data: document });
}

function toFetchInput(body: ScrapeBody, page: PageInput, request: CompatRequest): JsonObject {
  return {
    url: body.url,
    output: page.output,
    ...page.page,
    ...page.files,
    ...page.proxy,
    max_age_ms: toMaxAgeMs(body, page),
    ...toTimeLimit(body, request),
  };
}

/** The parameters of a page that a session takes too. */
const SESSION_PARAMETERS = ['headers', 'device', 'country', 'locale', 'extract'] as const;

function toSessionInput(body: ScrapeBody, page: PageInput, request: CompatRequest): JsonObject {
  const shared = SESSION_PARAMETERS.filter((name) => page.page[name] !== undefined);
  const waits = body.waitFor ? [{ type: 'wait', ms: body.waitFor }] : [];
  return {
    url: body.url,
    actions: [...waits, ...toSessionActions(body.actions ?? [])],
    output: page.output.filter((name) => name !== 'attributes' && name !== 'summary'),
    ...Object.fromEntries(shared.map((name) => [name, page.page[name]])),
    ...page.proxy,
    ...toTimeLimit(body, request),
  };
}

/** A session has no status of its own: it was answered, so the page was loaded. */
function toPageBody(body: JsonObject): JsonObject {
  return { status_code: 200, content_type: 'text/html', metadata: {}, ...body };
}

/** The time limit: that of the caller, but not above that of inline calls, since above it a call becomes a job. */
function toTimeLimit({ timeout }: ScrapeBody, { caller }: CompatRequest): JsonObject {
  return timeout === null || timeout === undefined
    ? {}
    : { timeout_ms: Math.min(timeout, caller.plan.inline_timeout_ms) };
}

function listShortened({ timeout }: ScrapeBody, { caller }: CompatRequest): readonly string[] {
  const most = caller.plan.inline_timeout_ms;
  return (timeout ?? 0) > most ? [`timeout: your plan waits at most ${most} ms`] : [];
}
