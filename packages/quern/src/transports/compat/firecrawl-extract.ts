import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { mergeJson } from '#extract/values/merge-json.ts';
import { ServiceError } from '#kernel/errors.ts';
import { listSet, optional, refuseUnserved } from './body.ts';
import { isRead, readJob, readNewPages, submitJob } from './firecrawl-jobs.ts';
import { listIgnored, PageOptions, toPageInput } from './firecrawl-options.ts';
import { type CompatReply, type CompatRequest, replyJson } from './interface.ts';

/** The most URLs of one call, and the most pages that are read below an address with `*`. */
const MAX_URLS = 1000;
const MAX_GLOB_PAGES = 100;

const ExtractBody = z.looseObject({
  urls: z.array(z.string().min(1).max(8192)).min(1).max(MAX_URLS),
  prompt: optional(z.string()),
  systemPrompt: optional(z.string()),
  schema: optional(z.record(z.string(), z.unknown())),
  enableWebSearch: optional(z.boolean()),
  allowExternalLinks: optional(z.boolean()),
  includeSubdomains: optional(z.boolean()),
  ignoreSitemap: optional(z.boolean()),
  showSources: optional(z.boolean()),
  ignoreInvalidURLs: optional(z.boolean()),
  agent: z.unknown().optional(),
  webhook: z.unknown().optional(),
  scrapeOptions: optional(PageOptions),
});

const checkExtract = buildInputChecker({ input: ExtractBody });

type ExtractBody = z.output<typeof ExtractBody>;

/** `POST /extract`: submits the reading of values from pages as a job. */
export async function startExtract(request: CompatRequest, path: string): Promise<CompatReply> {
  const { input: body } = checkExtract(request.body);
  const { schema, prompt, systemPrompt, enableWebSearch, allowExternalLinks, agent, webhook } = body;
  if (schema === undefined)
    throw new ServiceError('invalid_request', 'schema: extract needs a JSON Schema; a prompt alone is not enough');
  const { formats, actions, ...options } = body.scrapeOptions ?? {};
  refuseUnserved({ enableWebSearch, allowExternalLinks, agent, webhook, 'scrapeOptions.actions': actions }, 'extract');
  const unused = listSet({ prompt, systemPrompt, 'scrapeOptions.formats': formats });
  const warnings = [
    ...(unused.length === 0 ? [] : [`${unused.join(', ')}: not used, the schema says what to extract`]),
    ...listIgnored(body, Object.keys(ExtractBody.shape)),
    ...listIgnored(options),
  ];
  const { page, proxy } = toPageInput({ ...options, formats: [{ type: 'json', schema }] });
  // Attributes serve the metadata of documents, which an extract does not have.
  const { attributes: _, ...rest } = page;
  const [first = ''] = body.urls;
  if (!body.urls.some((url) => url.includes('*'))) {
    const { urls, ignoreInvalidURLs: ignore_invalid_urls = true } = body;
    const input = { urls, ignore_invalid_urls, output: ['json'], ...rest, proxy };
    return submitJob(request, { kind: 'fetch.batch', input, path, warnings });
  }
  if (body.urls.length > 1 || !/^[^*]+\/\*$/.test(first))
    throw new ServiceError('invalid_request', 'urls: an address with * must end with /* and be the only one');
  // An address such as `https://site/docs/*` is a crawl below `https://site/docs/`.
  const input = {
    url: first.slice(0, -1),
    max_pages: MAX_GLOB_PAGES,
    scope: body.includeSubdomains === true ? 'subdomains' : 'path',
    sitemap: body.ignoreSitemap === true ? 'skip' : 'include',
    output: ['json'],
    fetch: rest,
    proxy,
  };
  return submitJob(request, { kind: 'crawl', input, path, warnings });
}

/** `GET /extract/{id}`: the state of the job, and at its end the values of its pages as one object. */
export async function showExtract(request: CompatRequest): Promise<CompatReply> {
  const job = await readJob(request);
  const input = job.input ?? {};
  const { extract } = isJsonObject(input['fetch']) ? input['fetch'] : input;
  if (extract === undefined) throw new ServiceError('not_found', 'there is no extract with this id');
  const facts = { expiresAt: job.expires_at ?? undefined, creditsUsed: job.usage?.credits ?? 0 };
  if (job.status === 'failed' || job.status === 'cancelled')
    return replyJson({ success: false, status: job.status, ...facts, error: job.error?.message ?? job.status });
  if (job.status !== 'completed') return replyJson({ success: true, status: 'processing', data: [], ...facts });
  const results: JsonObject[] = [];
  for await (const page of readNewPages(request, job.id, { cursor: null, sent: 0 })) results.push(page);
  const pages = sortPages(results.filter(isRead), input['urls']);
  if (pages.length === 0)
    return replyJson({ success: false, status: 'failed', ...facts, error: describeErrors(results) });
  return replyJson({ success: true, status: 'completed', ...mergePages(pages), ...facts });
}

function describeErrors(results: readonly JsonObject[]): string {
  const error = results[0]?.['error'];
  return isJsonObject(error) ? String(error['message']) : 'no page could be read';
}

/** Sorts pages as their URLs were sent, and those of a crawl by depth and URL: they are stored as they ended. */
function sortPages(pages: readonly JsonObject[], urls: unknown): readonly JsonObject[] {
  const order = Array.isArray(urls) ? urls.map((url) => URL.parse(String(url))?.href ?? String(url)) : [];
  const rank = (page: JsonObject): number => (Array.isArray(urls) ? order.indexOf(toUrl(page)) : Number(page['depth']));
  return pages.toSorted((a, b) => rank(a) - rank(b) || (toUrl(a) < toUrl(b) ? -1 : 1));
}

function toUrl({ url }: JsonObject): string {
  return String(url);
}

/** Merges the values of pages, and lists for each member the pages that have a value for it. */
function mergePages(pages: readonly JsonObject[]): JsonObject {
  const sources = new Map<string, string[]>();
  let data: unknown = null;
  for (const page of pages) {
    const { json } = page;
    data = mergeJson(data, json);
    if (!isJsonObject(json)) continue;
    for (const name of Object.keys(json).filter((one) => isGiven(json[one])))
      sources.set(name, [...(sources.get(name) ?? []), toUrl(page)]);
  }
  return { data, sources: Object.fromEntries(sources) };
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}
