import { PROXY_TIERS, TIERS } from '#access/page.ts';
import type { WorkCall } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { toParty } from '#engine/credits/billing.ts';
import { PRICES, sumUsage, toUsage, type Usage } from '#engine/credits/prices.ts';
import type { Clock } from '#kernel/clock.ts';
import type { SearchQuery } from '#features/search/backend/backend.ts';
import type { FusedResult } from '#features/search/backend/fusion.ts';
import {
  parseCountry,
  listTruncationWarnings,
  type ParsedLanguage,
  parseLanguage,
  buildWarningsField,
} from '#features/search/search-input.ts';
import { OWN_INDEX } from '#features/search/settings.ts';
import { checkEnginesAnswered } from '#features/search/backend/chain.ts';
import { type SearchResults, type Searcher, toSiteName, formatDisplayUrl } from '#features/search/searcher.ts';
import { MAX_PAGE_CREDITS, type PageContents, readContents } from '#features/search/page-content.ts';
import { ServiceError } from '#kernel/errors.ts';
import { FAST_SEARCH_PRICE, type FastSearchInput } from './operation.ts';

export type FastSearchParts = {
  readonly searching: Searcher;
  readonly readTarget: (url: string) => URL;
  readonly clock: Clock;
};

/**
 * Admits a search, and the pages that it may read for `content` at the price of a fetch each. Throws `invalid_request`
 * if `max_credits` is below the price of the search.
 */
export function admitFastSearch(input: FastSearchInput, { plan }: Pick<AdmissionFacts, 'plan'>): Admission {
  const maxCredits = input.max_credits ?? null;
  const { base } = FAST_SEARCH_PRICE;
  if (maxCredits !== null && maxCredits < base) {
    throw new ServiceError('invalid_request', `max_credits: the cheapest outcome of this call costs ${base}`);
  }
  const affordable = maxCredits === null ? Infinity : Math.floor((maxCredits - base) / MAX_PAGE_CREDITS);
  const besides = Math.min(input.content?.pages ?? 0, affordable) * MAX_PAGE_CREDITS;
  const timeoutMs = input.timeout_ms ?? plan.inline_timeout_ms;
  return { timeoutMs, tiers: CONTENT_TIERS, cheapest: base + besides, besides, maxCredits };
}

/** Pages are read without a proxy, so that each costs the same. */
const CONTENT_TIERS = TIERS.filter((tier) => !PROXY_TIERS.has(tier));

const NO_LANGUAGE: ParsedLanguage = { tag: null, warnings: [] };

/** The highest page number; higher values in the input are reduced to it. */
const MAX_PAGE = 1000;

/** Runs one search. Throws `backend_unavailable`, with the setting to change, if no engine answered. */
export async function runFastSearch(input: FastSearchInput, call: WorkCall, parts: FastSearchParts) {
  const { account, jobId, signal } = call;
  const { searching, clock } = parts;
  const startedAt = clock.monotonic();
  const language = input.language === undefined ? NO_LANGUAGE : parseLanguage(input.language, 'language');
  const query: SearchQuery = {
    search: input.search,
    country: parseCountry(input.country_code, 'country_code'),
    language: language.tag,
    page: Math.min(MAX_PAGE, Math.max(1, input.page)),
  };
  // Jobs include monitor runs, which must see new results.
  const answer = await searching.search(query, { ...toParty(account), signal }, jobId === null);
  const problem = answer.organic.length + answer.news.length === 0 ? checkEnginesAnswered(answer.reports) : null;
  if (problem !== null) throw problem;
  const tookMs = Math.round(clock.monotonic() - startedAt);
  const warnings = [...language.warnings, ...(hasAskedEngines(answer) ? listTruncationWarnings(input.search) : [])];
  const { fields, tiers } = await readResultPages(input, answer.organic, call, parts);
  const found = toBody(input, query, { answer, tookMs });
  const body = {
    ...found,
    organic_results: found.organic_results.map((result, at) => ({ ...result, ...fields[at] })),
    ...buildWarningsField(warnings),
  };
  const usage = addPages(tiers);
  return { tier: usage.tier, charge: { usage, paid: 0 }, body, source: body.meta_data.served_by.join(', ') };
}

/** Reads as many pages as were requested and reserved. */
async function readResultPages(
  { content }: FastSearchInput,
  results: readonly FusedResult[],
  call: WorkCall,
  parts: FastSearchParts,
): Promise<PageContents> {
  if (content === undefined) return { fields: [], tiers: {} };
  const pages = (call.admission.besides ?? 0) / MAX_PAGE_CREDITS;
  return readContents(
    results.slice(0, pages).map(({ url }) => url),
    content,
    call,
    parts,
  );
}

function addPages(tiers: PageContents['tiers']): Usage {
  const search = toUsage(FAST_SEARCH_PRICE, 'http');
  if (Object.keys(tiers).length === 0) return search;
  const pages = sumUsage(PRICES.fetch, tiers);
  return { ...pages, credits: search.credits + pages.credits, base: search.base + pages.base };
}

/** Whether any engine other than the built-in index was queried. */
function hasAskedEngines({ reports }: SearchResults): boolean {
  return reports.some(({ name, status }) => name !== OWN_INDEX && status !== 'skipped');
}

function toBody(
  input: FastSearchInput,
  { country, language, page }: SearchQuery,
  { answer, tookMs }: { readonly answer: SearchResults; readonly tookMs: number },
) {
  const { organic, news, reports, hasMore, total } = answer;
  return {
    meta_data: {
      search: input.search,
      country_code: country ?? '',
      language: language ?? '',
      page,
      engines: reports.map(({ tookMs: ms, isBeyondLastPage: _beyond, ...report }) => ({ ...report, took_ms: ms })),
      served_by: reports.filter(({ status }) => status === 'ok').map(({ name }) => name),
      total_estimate: total,
      has_more: hasMore,
      took_ms: tookMs,
      partial: reports.some(({ status }) => status === 'blocked' || status === 'error' || status === 'timeout'),
    },
    organic_results: organic.map((result, at) => ({
      ...toSharedFields(result, at),
      url_shown: formatDisplayUrl(result),
      language: result.language,
    })),
    news_results: news.map((result, at) => ({ ...toSharedFields(result, at), image_url: result.imageUrl })),
  };
}

function toSharedFields(result: FusedResult, at: number) {
  const { title, url, description, publishedAt, engines } = result;
  return { position: at + 1, title, url, description, source: toSiteName(url), published_at: publishedAt, engines };
}
