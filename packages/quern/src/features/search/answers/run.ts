import type { WorkCall } from '#engine/call/operation.ts';
import { toParty } from '#engine/credits/billing.ts';
import { BackendFailure } from '#features/search/backend/backend.ts';
import { checkEnginesAnswered } from '#features/search/backend/chain.ts';
import type { FusedResult } from '#features/search/backend/fusion.ts';
import { detectLanguage } from '#features/passages/languages.ts';
import { parseCountry } from '#features/search/search-input.ts';
import { type Searcher, type SearchResults, toSiteName } from '#features/search/searcher.ts';
import { type AnswerSettings, OWN_INDEX } from '#features/search/settings.ts';
import { findKeywords } from '#features/passages/words.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { EndpointClient } from '#llm/endpoint-client.ts';
import { type Prompt, type SourcedAnswer, toPlainAnswer } from './sourced-answer.ts';
import type { PromptInput } from './operations.ts';
import { MAX_SOURCES, readSources } from './read-sources.ts';
import { answerWithResponses } from './responses.ts';
import { answerWithSonar } from './sonar.ts';

/** What differs between the answer endpoints: the driver and the response format. */
export type AnswerSurface<B> = {
  readonly settings: AnswerSettings | null;
  readonly toBody: (prompt: string, answer: AnswerWithWarnings) => B;
};

/** Answers a prompt of one of the answer endpoints. */
export async function runAnswer<B>(
  { prompt, geo, source_timeout_ms: sourceTimeoutMs }: PromptInput,
  { settings, toBody }: AnswerSurface<B>,
  call: WorkCall,
  parts: AnswerParts,
) {
  const answer = await answerPrompt(
    { prompt, country: parseCountry(geo, 'geo'), sourceTimeoutMs },
    settings,
    call,
    parts,
  );
  return { tier: 'http' as const, body: toBody(prompt, answer), source: answer.model };
}

/** Builds the response of `answerengine.prompt`. */
export function toAnswerEngineBody(
  prompt: string,
  { model, markdown, related, sources, warnings }: AnswerWithWarnings,
) {
  return {
    provider: 'answerengine' as const,
    prompt,
    model,
    answer_markdown: markdown,
    related_queries: related,
    sources: sources.map(({ url, title }) => ({ url, title, source: toSiteName(url) })),
    warnings,
  };
}

/** Returns a function that builds the response of an assistant endpoint. */
export function buildAssistantFormatter<P extends string>(provider: P) {
  return (prompt: string, { model, markdown, sources, warnings }: AnswerWithWarnings) => ({
    provider,
    prompt,
    model,
    response_text: toPlainAnswer(markdown),
    markdown_text: markdown,
    citations: sources.map(({ url, title, description, cited }) => ({
      url,
      text: cited.join(' … '),
      title,
      description,
    })),
    warnings,
  });
}

export type AnswerParts = {
  readonly searching: Searcher;
  readonly wire: EndpointClient;
  readonly mayVisit: (url: string) => boolean;
  readonly readTarget: (url: string) => URL;
  /** The name of the operator's model; null if none is configured. */
  readonly modelName: string | null;
  readonly clock: Clock;
};

/** Cached copies up to this age are used instead of fetching the page. */
const MAX_AGE_MS = 24 * 3600 * 1000;
/** Keywords of the prompt that are used as the search query. */
const MAX_SEARCH_WORDS = 16;

/** An answer with warnings, such as sources that could not be read. */
type AnswerWithWarnings = SourcedAnswer & { readonly warnings: readonly Warning[] };

/** Answers a prompt with the driver of the settings, otherwise with the configured model, otherwise with sentences from pages. */
async function answerPrompt(
  prompt: Prompt,
  settings: AnswerSettings | null,
  call: WorkCall,
  parts: AnswerParts,
): Promise<AnswerWithWarnings> {
  const { signal } = call;
  if (settings !== null && 'url' in settings) {
    const ask = settings.driver === 'sonar' ? answerWithSonar : answerWithResponses;
    const answer = await ask(settings, prompt, { ...parts, signal }).catch((error: unknown) => {
      throw error instanceof BackendFailure ? toServiceError(settings.driver, error) : error;
    });
    return { ...answer, warnings: [] };
  }
  const { sources, skipped } = await readSources(await findPages(prompt, call, parts), {
    readTarget: parts.readTarget,
    read: call.read,
    visit: async (url, own) =>
      call.visit(
        { url, headers: {}, cookies: [] },
        { maxAgeMs: MAX_AGE_MS, respectRobots: true, isSufficient: null, signal: own },
      ),
    timeoutMs: prompt.sourceTimeoutMs,
    signal,
    clock: parts.clock,
  });
  const isModel = settings?.driver !== 'extractive' && call.modelSession !== null && parts.modelName !== null;
  const byModel =
    isModel && call.modelSession !== null && sources.length > 0
      ? await (
          await import('./rag.ts')
        ).answerWithModel(
          {
            prompt: prompt.prompt,
            sources,
            model: call.modelSession,
            name: parts.modelName ?? '',
            mark: call.modelSession.createNonce(),
          },
          signal,
        )
      : null;
  // Answers are rare, and the parser of their Markdown takes a while to load.
  const answer = byModel ?? (await (await import('./extractive.ts')).answerFromSentences(prompt.prompt, sources));
  const warnings = skipped.map(({ url, reason }) => ({ code: 'left_out' as const, message: `${url} ${reason}` }));
  if (answer !== null) return { ...answer, warnings };
  if (sources.length === 0 && skipped.some(({ isLate }) => isLate)) {
    const message = `no source responded within ${prompt.sourceTimeoutMs} ms: increase source_timeout_ms`;
    throw new ServiceError('timeout', message);
  }
  throw new ServiceError('not_found', 'prompt: no page was found that answers this question');
}

/** Searches for the keywords of a prompt. */
async function findPages(
  { prompt, country }: Prompt,
  { account, jobId, signal }: WorkCall,
  { searching }: AnswerParts,
): Promise<readonly FusedResult[]> {
  const search = findKeywords(prompt).slice(0, MAX_SEARCH_WORDS).join(' ') || prompt.slice(0, 400);
  const ask = async (language: string | null): Promise<SearchResults> =>
    searching.search({ search, country, language, page: 1 }, { ...toParty(account), signal }, jobId === null);
  const language = detectLanguage(prompt);
  const { organic, reports } = await ask(language);
  const problem = organic.length === 0 ? checkEnginesAnswered(reports) : null;
  if (problem !== null) throw problem;
  // Only the built-in index filters by language. A second search without language may cost money at other engines.
  const isOwnIndexOnly = reports.every(({ name }) => name === OWN_INDEX);
  if (language === null || !isOwnIndexOnly || organic.length >= MAX_SOURCES) return organic;
  const urls = new Set(organic.map(({ url }) => url));
  return [...organic, ...(await ask(null)).organic.filter(({ url }) => !urls.has(url))];
}

function toServiceError(driver: string, { status, message, waitSeconds, cause }: BackendFailure): ServiceError {
  const code = status === 'timeout' ? 'timeout' : 'backend_unavailable';
  const wait = waitSeconds === null ? {} : { retryAfterSeconds: waitSeconds };
  return new ServiceError(code, `the ${driver} model of QUERN_SEARCH_FILE ${message}`, { cause, ...wait });
}
