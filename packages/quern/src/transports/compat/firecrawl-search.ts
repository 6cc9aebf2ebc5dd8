import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { listIgnored, PageOptions, toPageInput } from './firecrawl-options.ts';
import { type CompatReply, type CompatRequest, replyJson } from './interface.ts';
import { runToEnd } from './run-to-end.ts';
import { isOfDomains } from './search-web.ts';

const Named = z.union([z.string(), z.looseObject({ type: z.string() }).transform(({ type }) => type)]);

const SearchBody = z.looseObject({
  query: z.string().min(1),
  limit: z.number().int().min(1).max(100).nullish(),
  sources: z.array(Named).nullish(),
  categories: z.array(Named).nullish(),
  includeDomains: z.array(z.string()).nullish(),
  excludeDomains: z.array(z.string()).nullish(),
  tbs: z.string().nullish(),
  country: z.string().nullish(),
  lang: z.string().nullish(),
  timeout: z.number().int().min(1).nullish(),
  scrapeOptions: PageOptions.nullish(),
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

const Result = z.looseObject({
  url: z.string(),
  title: z.string(),
  description: z.string(),
  content: z.looseObject({ final_url: z.string(), status_code: z.number() }).optional(),
  content_error: z.object({ message: z.string() }).optional(),
});
const News = z.looseObject({
  url: z.string(),
  title: z.string(),
  description: z.string(),
  published_at: z.string().nullable(),
  image_url: z.string().nullable(),
});
const Found = z.looseObject({
  meta_data: z.looseObject({ has_more: z.boolean() }),
  organic_results: z.array(Result),
  news_results: z.array(News),
});

/** `POST /search`: results, with the content of their pages if `scrapeOptions` asks for it. v1 gives one list. */
export async function search(request: CompatRequest, version: 1 | 2): Promise<CompatReply> {
  const { input: body } = checkSearch(request.body);
  const sources = listSources(body);
  const limit = body.limit ?? DEFAULT_LIMIT;
  // Engines may ignore the terms of the query.
  const domains = { included: body.includeDomains ?? [], excluded: body.excludeDomains ?? [] };
  const web: JsonObject[] = [];
  const news: JsonObject[] = [];
  let creditsUsed = 0;
  for (let page = 1; page <= MAX_RESULT_PAGES && web.length < limit; page++) {
    const ended = await runToEnd(request, 'fast-search', toSearchInput(body, { page, missing: limit - web.length }));
    const found = Found.parse(ended.body);
    creditsUsed += ended.creditsUsed;
    web.push(...found.organic_results.filter(({ url }) => isOfDomains(domains, url)).map(toWebResult));
    if (page === 1) news.push(...found.news_results.map(toNewsResult));
    if (!found.meta_data.has_more || found.organic_results.length === 0) break;
  }
  const first = web.slice(0, limit).map((result, at) => ({ ...result, position: at + 1 }));
  const warnings = listIgnored(body, Object.keys(SearchBody.shape));
  const lists = { ...(sources.has('web') ? { web: first } : {}), ...(sources.has('news') ? { news } : {}) };
  return replyJson({
    success: true,
    data: version === 1 ? first : lists,
    creditsUsed,
    ...(warnings.length === 0 ? {} : { warning: warnings.join('; ') }),
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

function toSearchInput(
  body: SearchBody,
  { page, missing }: { readonly page: number; readonly missing: number },
): JsonObject {
  return {
    search: toQuery(body),
    page,
    ...(body.country ? { country_code: body.country } : {}),
    ...(body.lang ? { language: body.lang } : {}),
    ...(body.timeout ? { timeout_ms: body.timeout } : {}),
    ...toContent(body, Math.min(missing, MAX_CONTENTS)),
  };
}

function toQuery({ query, categories, includeDomains, excludeDomains }: SearchBody): string {
  const included = (includeDomains ?? []).map((domain) => `site:${domain}`);
  const excluded = (excludeDomains ?? []).map((domain) => `-site:${domain}`);
  const terms = (categories ?? []).map((name) => CATEGORY_TERMS[name] ?? '');
  return [query, ...terms, ...(included.length === 0 ? [] : [included.join(' OR ')]), ...excluded].join(' ');
}

/** The formats of pages that a search can read. */
const CONTENT_OUTPUTS: Readonly<Record<string, string>> = { markdown: 'markdown', html: 'html', links: 'links' };

function toContent({ scrapeOptions }: SearchBody, pages: number): JsonObject {
  if (!scrapeOptions?.formats?.length) return {};
  const { requested, page } = toPageInput(scrapeOptions);
  const unserved = requested.filter((name) => CONTENT_OUTPUTS[name] === undefined);
  if (unserved.length > 0)
    throw new ServiceError('invalid_request', 'scrapeOptions.formats: a search serves markdown, html and links');
  return { content: { output: requested, pages, only_main_content: page['only_main_content'] } };
}

function toWebResult({ url, title, description, content, content_error: error }: z.output<typeof Result>): JsonObject {
  if (content === undefined)
    return {
      url,
      title,
      description,
      ...(error === undefined ? {} : { metadata: { sourceURL: url, error: error.message } }),
    };
  const { markdown, html, links, final_url: finalUrl, status_code: statusCode } = content;
  return {
    url,
    title,
    description,
    ...(markdown === undefined ? {} : { markdown }),
    ...(html === undefined ? {} : { html }),
    ...(Array.isArray(links) ? { links: links.filter(isJsonObject).map((link) => link['url']) } : {}),
    metadata: { sourceURL: url, url: finalUrl, statusCode, title, description },
  };
}

function toNewsResult(news: z.output<typeof News>, at: number): JsonObject {
  const { url, title, description, published_at: date, image_url: imageUrl } = news;
  return {
    url,
    title,
    snippet: description,
    ...(date === null ? {} : { date }),
    ...(imageUrl === null ? {} : { imageUrl }),
    position: at + 1,
  };
}
