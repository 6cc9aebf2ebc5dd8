import type { WorkCall } from '#engine/call/operation.ts';
import { toParty } from '#engine/credits/billing.ts';
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
import type { FastSearchInput } from './operation.ts';

export type FastSearchParts = { readonly searching: Searcher; readonly clock: Clock };

const NO_LANGUAGE: ParsedLanguage = { tag: null, warnings: [] };

/** The highest page number; higher values in the input are reduced to it. */
const MAX_PAGE = 1000;

/** Runs one search. Throws `backend_unavailable`, with the setting to change, if no engine answered. */
export async function runFastSearch(
  input: FastSearchInput,
  { account, jobId, signal }: WorkCall,
  { searching, clock }: FastSearchParts,
) {
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
  const body = { ...toBody(input, query, { answer, tookMs }), ...buildWarningsField(warnings) };
  return { tier: 'http' as const, body, source: body.meta_data.served_by.join(', ') };
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
