import type { WorkCall } from '#engine/call/operation.ts';
import { toParty } from '#engine/credits/billing.ts';
import type { Clock } from '#kernel/clock.ts';
import type { SearchQuery } from '#features/search/backend/backend.ts';
import type { FusedResult } from '#features/search/backend/fusion.ts';
import { countryOf } from '#features/search/country.ts';
import { cutWarnings, type ReadLanguage, readLanguage, warningsMember } from '#features/search/search-input.ts';
import { INDEX } from '#features/search/settings.ts';
import { silenceOf } from '#features/search/silence.ts';
import { type SearchAnswer, type Searching, shownNameOf, shownUrlOf } from '#features/search/searching.ts';
import type { FastSearchInput } from './operation.ts';

export type FastSearchParts = { readonly searching: Searching; readonly clock: Clock };

const NO_LANGUAGE: ReadLanguage = { tag: null, warnings: [] };

/** The pages that the results of a query are parted in at most. */
const LAST_PAGE = 1000;

/** Runs one search. Throws `backend_unavailable` where no engine could answer, and names what to set. */
export async function runFastSearch(
  input: FastSearchInput,
  { account, jobId, signal }: WorkCall,
  { searching, clock }: FastSearchParts,
) {
  const startedAt = clock.monotonic();
  const language = input.language === undefined ? NO_LANGUAGE : readLanguage(input.language, 'language');
  const query: SearchQuery = {
    search: input.search,
    country: countryOf(input.country_code, 'country_code'),
    language: language.tag,
    page: Math.min(LAST_PAGE, Math.max(1, input.page)),
  };
  // The run of a monitor is a job, and is to see what is new.
  const answer = await searching.search(query, { ...toParty(account), signal }, jobId === null);
  const silence = answer.organic.length + answer.news.length === 0 ? silenceOf(answer.reports) : null;
  if (silence !== null) throw silence;
  const tookMs = Math.round(clock.monotonic() - startedAt);
  const warnings = [...language.warnings, ...(asksEngines(answer) ? cutWarnings(input.search) : [])];
  const body = { ...toBody(input, query, { answer, tookMs }), ...warningsMember(warnings) };
  return { tier: 'http' as const, body, source: body.meta_data.served_by.join(', ') };
}

/** Whether anything but the pages of this instance was asked. */
function asksEngines({ reports }: SearchAnswer): boolean {
  return reports.some(({ name, status }) => name !== INDEX && status !== 'skipped');
}

function toBody(
  input: FastSearchInput,
  { country, language, page }: SearchQuery,
  { answer, tookMs }: { readonly answer: SearchAnswer; readonly tookMs: number },
) {
  const { organic, news, reports, hasMore, total } = answer;
  return {
    meta_data: {
      search: input.search,
      country_code: country ?? '',
      language: language ?? '',
      page,
      engines: reports.map(({ tookMs: ms, isBeyond: _beyond, ...report }) => ({ ...report, took_ms: ms })),
      served_by: reports.filter(({ status }) => status === 'ok').map(({ name }) => name),
      total_estimate: total,
      has_more: hasMore,
      took_ms: tookMs,
      partial: reports.some(({ status }) => status === 'blocked' || status === 'error' || status === 'timeout'),
    },
    organic_results: organic.map((result, at) => ({
      ...shared(result, at),
      url_shown: shownUrlOf(result),
      language: result.language,
    })),
    news_results: news.map((result, at) => ({ ...shared(result, at), image_url: result.imageUrl })),
  };
}

function shared(result: FusedResult, at: number) {
  const { title, url, description, publishedAt, engines } = result;
  return { position: at + 1, title, url, description, source: shownNameOf(url), published_at: publishedAt, engines };
}
