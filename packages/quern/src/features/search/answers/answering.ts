import type { WorkCall } from '#engine/call/operation.ts';
import { toParty } from '#engine/credits/billing.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { Wire } from '#llm/wire.ts';
import { BackendFailure } from '#features/search/backend/backend.ts';
import type { FusedResult } from '#features/search/backend/fusion.ts';
import { languageOf } from '#features/search/languages.ts';
import { silenceOf } from '#features/search/silence.ts';
import type { SearchAnswer, Searching } from '#features/search/searching.ts';
import { tellingWords } from '#features/search/words.ts';
import { type AnswerSettings, INDEX } from '#features/search/settings.ts';
import type { Prompt, SourcedAnswer } from './answer-backend.ts';
import { answerBySentences } from './extractive.ts';
import { MAX_PAGES, readSources } from './passages.ts';
import { answerByModel } from './rag.ts';
import { askResponses } from './responses.ts';
import { askSonar } from './sonar.ts';

export type AnsweringParts = {
  readonly searching: Searching;
  readonly wire: Wire;
  readonly mayVisit: (url: string) => boolean;
  readonly readTarget: (url: string) => URL;
  /** The name of the operator's model, null for none. */
  readonly modelName: string | null;
  readonly clock: Clock;
};

/** A copy of a page this young is read instead of the page. */
const MAX_AGE_MS = 24 * 3600 * 1000;
/** Words of a prompt that a search is asked with. */
const MAX_WORDS = 16;

/** An answer with what its reader should know of how it was made. */
export type WarnedAnswer = SourcedAnswer & { readonly warnings: readonly Warning[] };

/** Answers a prompt by the driver of the settings, else by the model that is configured, else by sentences of pages. */
export async function answerPrompt(
  prompt: Prompt,
  settings: AnswerSettings | null,
  call: WorkCall,
  parts: AnsweringParts,
): Promise<WarnedAnswer> {
  const { signal } = call;
  if (settings !== null && 'url' in settings) {
    const ask = settings.driver === 'sonar' ? askSonar : askResponses;
    const found = await ask(settings, prompt, { ...parts, signal }).catch((error: unknown) => {
      throw error instanceof BackendFailure ? unavailable(settings.driver, error) : error;
    });
    return { ...found, warnings: [] };
  }
  const { sources, leftOut } = await readSources(await findPages(prompt, call, parts), {
    readTarget: parts.readTarget,
    read: call.read,
    visit: async (url, own) =>
      call.visit(
        { url, headers: {}, cookies: [] },
        { maxAgeMs: MAX_AGE_MS, respectRobots: true, suffices: null, signal: own },
      ),
    withinMs: prompt.sourceTimeoutMs,
    signal,
    clock: parts.clock,
  });
  const isModel = settings?.driver !== 'extractive' && call.modelSession !== null && parts.modelName !== null;
  const byModel =
    isModel && call.modelSession !== null && sources.length > 0
      ? await answerByModel(
          {
            prompt: prompt.prompt,
            sources,
            model: call.modelSession,
            name: parts.modelName ?? '',
            mark: call.modelSession.newMark(),
          },
          signal,
        )
      : null;
  const answer = byModel ?? (await answerBySentences(prompt.prompt, sources));
  const warnings = leftOut.map(({ url, reason }) => ({ code: 'left_out' as const, message: `${url} ${reason}` }));
  if (answer !== null) return { ...answer, warnings };
  if (sources.length === 0 && leftOut.some(({ isLate }) => isLate)) {
    const message = `no page answered within ${prompt.sourceTimeoutMs} ms: use a larger source_timeout_ms`;
    throw new ServiceError('timeout', message);
  }
  throw new ServiceError('not_found', 'prompt: no page was found that answers it');
}

/** The pages that a search for the telling words of a prompt finds. */
async function findPages(
  { prompt, country }: Prompt,
  { account, jobId, signal }: WorkCall,
  { searching }: AnsweringParts,
): Promise<readonly FusedResult[]> {
  const search = tellingWords(prompt).slice(0, MAX_WORDS).join(' ') || prompt.slice(0, 400);
  const ask = async (language: string | null): Promise<SearchAnswer> =>
    searching.search({ search, country, language, page: 1 }, { ...toParty(account), signal }, jobId === null);
  const language = languageOf(prompt);
  const { organic, reports } = await ask(language);
  const silence = organic.length === 0 ? silenceOf(reports) : null;
  if (silence !== null) throw silence;
  // The own index leaves out what says another language; engines do not, and a second search of theirs may cost money.
  const isOwn = reports.every(({ name }) => name === INDEX);
  if (language === null || !isOwn || organic.length >= MAX_PAGES) return organic;
  const urls = new Set(organic.map(({ url }) => url));
  return [...organic, ...(await ask(null)).organic.filter(({ url }) => !urls.has(url))];
}

function unavailable(driver: string, { status, message, waitSeconds, cause }: BackendFailure): ServiceError {
  const code = status === 'timeout' ? 'timeout' : 'backend_unavailable';
  const wait = waitSeconds === null ? {} : { retryAfterSeconds: waitSeconds };
  return new ServiceError(code, `the ${driver} model of QUERN_SEARCH_FILE ${message}`, { cause, ...wait });
}
