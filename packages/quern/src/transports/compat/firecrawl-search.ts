import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { optional } from './body.ts';
import { listIgnored, PageOptions, toPageInput } from './firecrawl-options.ts';
import { type CompatReply, type CompatRequest, replyJson } from './interface.ts';
import { type NewsResult, searchWeb, type WebResult } from './search-web.ts';

const Named = z.union([z.string(), z.looseObject({ type: z.string() }).transform(({ type }) => type)]);

const SearchBody = z.looseObject({
  query: z.string().min(1),
  limit: optional(z.number().int().min(1).max(100)),
  sources: optional(z.array(Named)),
  categories: optional(z.array(Named)),
  includeDomains: optional(z.array(z.string())),
  excludeDomains: optional(z.array(z.string())),
  tbs: optional(z.string()),
  country: optional(z.string()),
  lang: optional(z.string()),
  timeout: optional(z.number().int().min(1)),
  scrapeOptions: optional(PageOptions),
});

const checkSearch = buildInputChecker({ input: SearchBody });

type SearchBody = z.output<typeof SearchBody>;

/** The results of a search without a limit of its own, as Firecrawl documents it. */
const DEFAULT_LIMIT = 5;
/** The most pages of results that one search reads; each is a search and is charged as one. */
const MAX_RESULT_PAGES = 10;
/** The most result pages whose content one search reads. */
const MAX_CONTENTS = 10;

/** Search terms for the categories that are ways to write a query. */
const CATEGORY_TERMS: Readonly<Record<string, string>> = { github: 'site:github.com', pdf: 'filetype:pdf' };

/** `POST /search`: results, with the content of their pages if `scrapeOptions` asks for it. v1 gives one list. */
export async function search(request: CompatRequest, version: 1 | 2): Promise<CompatReply> {
  const { input: body } = checkSearch(request.body);
  const { limit = DEFAULT_LIMIT } = body;
  const sources = listSources(body);
  const found = await searchWeb(request, {
    search: toTerms(body),
    domains: { included: body.includeDomains, excluded: body.excludeDomains },
    options: (missing) => ({
      country_code: body.country || undefined,
      language: body.lang || undefined,
      timeout_ms: body.timeout,
      content: toContent(body, Math.min(missing, MAX_CONTENTS)),
    }),
    count: limit,
    maxPages: MAX_RESULT_PAGES,
  });
  const web = found.web.slice(0, limit).map(toWebResult);
  const news = found.news.map(toNewsResult);
  const lists = { ...(sources.has('web') ? { web } : {}), ...(sources.has('news') ? { news } : {}) };
  return replyJson({
    success: true,
    data: version === 1 ? web : lists,
    creditsUsed: found.creditsUsed,
    warning: listIgnored(body, Object.keys(SearchBody.shape)).join('; ') || undefined,
  });
}

function listSources({ sources, tbs, categories }: SearchBody): ReadonlySet<string> {
  const names = new Set(sources ?? ['web']);
  const unserved = [...names].filter((name) => name !== 'web' && name !== 'news');
  if (unserved.length > 0) throw new ServiceError('invalid_request', `sources: ${unserved.join(', ')} is not served`);
  if (tbs) throw new ServiceError('invalid_request', 'tbs: results cannot be limited to a time; leave it out');
  const unknown = (categories ?? []).filter((name) => CATEGORY_TERMS[name] === undefined);
  if (unknown.length > 0) throw new ServiceError('invalid_request', `categories: ${unknown.join(', ')} is not served`);
  return names;
}

function toTerms({ query, categories = [] }: SearchBody): string {
  return [query, ...categories.map((name) => CATEGORY_TERMS[name] ?? '')].join(' ');
}

/** The formats of pages that a search can read. */
const CONTENT_OUTPUTS: Readonly<Record<string, string>> = { markdown: 'markdown', html: 'html', links: 'links' };

function toContent({ scrapeOptions }: SearchBody, pages: number): JsonObject | undefined {
  if (!scrapeOptions?.formats?.length) return undefined;
  const { requested, page } = toPageInput(scrapeOptions);
  const unserved = requested.filter((name) => CONTENT_OUTPUTS[name] === undefined);
  if (unserved.length > 0)
    throw new ServiceError('invalid_request', 'scrapeOptions.formats: a search serves markdown, html and links');
  return { output: requested, pages, only_main_content: page['only_main_content'] };
}

function toWebResult({ content, content_error: error, ...result }: WebResult, at: number): JsonObject {
  const { url, title, description } = result;
  const { final_url: finalUrl, status_code: statusCode } = content ?? {};
  const page = {
    markdown: content?.markdown,
    html: content?.html,
    links: content?.links?.map((link) => link.url),
    metadata: { sourceURL: url, url: finalUrl, statusCode, title, description, error: error?.message },
  };
  return { url, title, description, ...((content ?? error) ? page : {}), position: at + 1 };
}

function toNewsResult({ url, title, description, published_at: date, image_url: imageUrl }: NewsResult, at: number) {
  return {
    url,
    title,
    snippet: description,
    date: date ?? undefined,
    imageUrl: imageUrl ?? undefined,
    position: at + 1,
  };
}
