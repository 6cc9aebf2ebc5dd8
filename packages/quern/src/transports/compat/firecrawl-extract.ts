import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { isRead, listPages, readJob, submitJob } from './firecrawl-jobs.ts';
import { listIgnored, PageOptions, toPageInput } from './firecrawl-options.ts';
import { type CompatReply, type CompatRequest, replyJson } from './interface.ts';

/** The most URLs of one call, and the most pages that are read below an address with `*`. */
const MAX_URLS = 1000;
const MAX_GLOB_PAGES = 100;

const ExtractBody = z.looseObject({
  urls: z.array(z.string().min(1).max(8192)).min(1).max(MAX_URLS),
  prompt: z.string().nullish(),
  systemPrompt: z.string().nullish(),
  schema: z.record(z.string(), z.unknown()).nullish(),
  enableWebSearch: z.boolean().nullish(),
  allowExternalLinks: z.boolean().nullish(),
  includeSubdomains: z.boolean().nullish(),
  ignoreSitemap: z.boolean().nullish(),
  showSources: z.boolean().nullish(),
  ignoreInvalidURLs: z.boolean().nullish(),
  agent: z.unknown().optional(),
  webhook: z.unknown().optional(),
  scrapeOptions: PageOptions.nullish(),
});

const checkExtract = buildInputChecker({ input: ExtractBody });

type ExtractBody = z.output<typeof ExtractBody>;

/** `POST /extract`: submits the reading of values from pages as a job. */
export async function startExtract(request: CompatRequest, path: string): Promise<CompatReply> {
  const { input: body } = checkExtract(request.body);
  refuseUnserved(body);
  const { formats, ...options } = body.scrapeOptions ?? {};
  const unused = [
    ...(body.prompt ? ['prompt'] : []),
    ...(body.systemPrompt ? ['systemPrompt'] : []),
    ...(formats ? ['scrapeOptions.formats'] : []),
  ];
  const warnings = [
    ...(unused.length === 0 ? [] : [`${unused.join(', ')}: not used, the schema says what to extract`]),
    ...listIgnored(body, Object.keys(ExtractBody.shape)),
    ...listIgnored(options),
  ];
  const [first = ''] = body.urls;
  const globs = body.urls.filter((url) => url.includes('*'));
  if (globs.length > 0 && (body.urls.length > 1 || !/^[^*]+\/\*$/.test(first)))
    throw new ServiceError('invalid_request', 'urls: an address with * must end with /* and be the only one');
  const job = globs.length > 0 ? toCrawl(first, body, options) : toBatch(body, options);
  return submitJob(request, { ...job, path }, warnings.length === 0 ? {} : { warning: warnings.join('; ') });
}

/** Refuses what would change the result and cannot be honoured. */
function refuseUnserved(body: ExtractBody): void {
  if (!body.schema)
    throw new ServiceError('invalid_request', 'schema: extract needs a JSON Schema; a prompt alone is not enough');
  const unserved = [
    ...(body.enableWebSearch === true ? ['enableWebSearch'] : []),
    ...(body.allowExternalLinks === true ? ['allowExternalLinks'] : []),
    ...(body.agent ? ['agent'] : []),
    ...(body.webhook ? ['webhook'] : []),
    ...((body.scrapeOptions?.actions ?? []).length > 0 ? ['scrapeOptions.actions'] : []),
  ];
  if (unserved.length > 0)
    throw new ServiceError('invalid_request', `${unserved.join(', ')}: not served for extract; leave it out`);
}

type JobOrder = { readonly kind: string; readonly input: JsonObject };

function toBatch(body: ExtractBody, options: PageOptions): JobOrder {
  const { page, proxy } = toExtractInput(body, options);
  const input = { urls: body.urls, ignore_invalid_urls: body.ignoreInvalidURLs ?? true, output: ['json'] };
  return { kind: 'fetch.batch', input: { ...input, ...page, ...proxy } };
}

/** An address such as `https://site/docs/*` is a crawl below `https://site/docs/`. */
function toCrawl(glob: string, body: ExtractBody, options: PageOptions): JobOrder {
  const { page, proxy } = toExtractInput(body, options);
  const input = {
    url: glob.slice(0, -1),
    max_pages: MAX_GLOB_PAGES,
    scope: body.includeSubdomains === true ? 'subdomains' : 'path',
    sitemap: body.ignoreSitemap === true ? 'skip' : 'include',
    output: ['json'],
    fetch: page,
  };
  return { kind: 'crawl', input: { ...input, ...proxy } };
}

function toExtractInput({ schema }: ExtractBody, options: PageOptions) {
  const { page, proxy } = toPageInput({ ...options, formats: [{ type: 'json', schema }] });
  // Attributes serve the metadata of documents, which an extract does not have.
  const { attributes: _, ...rest } = page;
  return { page: rest, proxy };
}

/** `GET /extract/{id}`: the state of the job, and at its end the values of its pages as one object. */
export async function showExtract(request: CompatRequest): Promise<CompatReply> {
  const job = await readJob(request);
  const input = job.input ?? {};
  const { extract } = isJsonObject(input['fetch']) ? input['fetch'] : input;
  if (extract === undefined) throw new ServiceError('not_found', 'there is no extract with this id');
  const facts = {
    ...(job.expires_at === null ? {} : { expiresAt: job.expires_at }),
    creditsUsed: job.usage?.credits ?? 0,
  };
  if (job.status === 'failed' || job.status === 'cancelled')
    return replyJson({ success: false, status: job.status, ...facts, error: job.error?.message ?? job.status });
  if (job.status !== 'completed') return replyJson({ success: true, status: 'processing', data: [], ...facts });
  const results = await readResults(request, job.id);
  const pages = sortPages(results.filter(isRead), input['urls']);
  if (pages.length === 0)
    return replyJson({ success: false, status: 'failed', ...facts, error: describeErrors(results) });
  return replyJson({ success: true, status: 'completed', ...mergePages(pages), ...facts });
}

async function readResults(request: CompatRequest, id: string): Promise<readonly JsonObject[]> {
  const results: JsonObject[] = [];
  for (let cursor: unknown = undefined; cursor !== null;) {
    const part = typeof cursor === 'string' ? { cursor } : {};
    const { body } = await request.run('jobs.result', { id, partial: true, limit: 1000, ...part });
    results.push(...listPages(body));
    cursor = typeof body['next_cursor'] === 'string' ? body['next_cursor'] : null;
  }
  return results;
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
    data = mergeValues(data, json);
    if (!isJsonObject(json)) continue;
    for (const name of Object.keys(json).filter((one) => isGiven(json[one])))
      sources.set(name, [...(sources.get(name) ?? []), toUrl(page)]);
  }
  return { data, sources: Object.fromEntries(sources) };
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** The first value that is not null counts; lists are joined without equal rows, and objects merged by member. */
function mergeValues(first: unknown, second: unknown): unknown {
  if (first === null || first === undefined) return second;
  if (Array.isArray(first) && Array.isArray(second)) {
    const rows = [...first, ...second].map((row: unknown) => [JSON.stringify(row), row] as const);
    return [...new Map(rows).values()];
  }
  if (!isJsonObject(first) || !isJsonObject(second)) return first;
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...names].map((name) => [name, mergeValues(first[name], second[name])]));
}
