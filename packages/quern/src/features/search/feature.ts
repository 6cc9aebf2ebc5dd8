import type { Feature, Round } from '#engine/call/feature.ts';
import { bindPreparedWork, bindWork } from '#engine/call/bound-operation.ts';
import type { WorkResult, WorkCall } from '#engine/call/operation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { isOverInlineTimeout } from '#features/schema/parameters.ts';
import { type SiteHealth, observeReading } from '#features/sites/health.ts';
import { type AnswerParts, buildAssistantFormatter, runAnswer, toAnswerEngineBody } from './answers/run.ts';
import { answerEngine, assistantPrompt, chatAssistantPrompt } from './answers/operations.ts';
import { fastSearch } from './fast/operation.ts';
import { admitFastSearch, type FastSearchParts, runFastSearch } from './fast/run.ts';
import { buildIndexLoop, type IndexBuilderParts } from './index/index-builder.ts';
import { IndexCleaner, type IndexCleanerParts } from './index/index-sources.ts';
import { serpSearch } from './serp/operation.ts';
import { admitSerp, prepareSerp, runSerp, type SerpParts } from './serp/run.ts';
import { buildAdmissionRules } from './search-input.ts';
import type { SearchSettings } from './settings.ts';
import { websearchSearch } from './web/operation.ts';
import { admitWebsearch, prepareWebsearch, runWebsearch, type WebsearchParts } from './web/run.ts';

export type SearchFeatureParts = FastSearchParts &
  AnswerParts & {
    readonly settings: Pick<SearchSettings, 'answerengine' | 'assistant' | 'chatassistant'>;
    readonly websearch: WebsearchParts;
    readonly serp: SerpParts;
    readonly siteHealth: Pick<SiteHealth, 'observe'>;
    /** What the built-in search index needs; null if it is disabled. */
    readonly building: (IndexBuilderParts & IndexCleanerParts) | null;
  };

/** Search operations: the web, and the pages that this instance has fetched. */
export function buildSearchFeature(all: SearchFeatureParts): Feature {
  const { building, settings, websearch, serp, siteHealth, ...parts } = all;
  const { answerengine, assistant, chatassistant } = settings;
  const recordHealth = buildHealthRecorder(siteHealth);
  const operations = [
    bindWork(fastSearch, {
      admit: admitFastSearch,
      queue: isOverInlineTimeout,
      run: async (input, call) =>
        recordHealth(fastSearch, call, 'organic_results', async () => runFastSearch(input, call, parts)),
    }),
    bindPreparedWork(websearchSearch, (input) => prepareWebsearch(input, websearch), {
      admit: (search, facts) => admitWebsearch(search, facts, websearch),
      queue: ({ input }, plan) => isOverInlineTimeout(input, plan),
      run: async (search, call) =>
        recordHealth(websearchSearch, call, 'organic_results', async () => runWebsearch(search, call, websearch)),
    }),
    bindPreparedWork(serpSearch, (input) => prepareSerp(input, serp), {
      admit: (search, facts) => admitSerp(search, facts, serp),
      queue: ({ input }, plan) => isOverInlineTimeout(input, plan),
      run: async (search, call) => recordHealth(serpSearch, call, 'organic_results', async () => runSerp(search, call)),
    }),
    bindWork(answerEngine, {
      ...buildAdmissionRules(answerEngine.price),
      run: async (input, call) =>
        recordHealth(answerEngine, call, 'sources', async () =>
          runAnswer(input, { settings: answerengine, toBody: toAnswerEngineBody }, call, parts),
        ),
    }),
    bindWork(assistantPrompt, {
      ...buildAdmissionRules(assistantPrompt.price),
      run: async (input, call) =>
        recordHealth(assistantPrompt, call, 'citations', async () =>
          runAnswer(input, { settings: assistant, toBody: buildAssistantFormatter('assistant') }, call, parts),
        ),
    }),
    bindWork(chatAssistantPrompt, {
      ...buildAdmissionRules(chatAssistantPrompt.price),
      run: async (input, call) =>
        recordHealth(chatAssistantPrompt, call, 'citations', async () =>
          runAnswer(input, { settings: chatassistant, toBody: buildAssistantFormatter('chatassistant') }, call, parts),
        ),
    }),
  ];
  if (building === null) return { operations };
  return {
    operations,
    loops: [buildIndexLoop(building)],
    rounds: [buildCleanupRound(building)],
    close: async () => building.index.close(),
  };
}

/** Builds the periodic task that removes pages from the index whose job or cached copy is gone. */
function buildCleanupRound(parts: IndexCleanerParts): Round {
  const index = new IndexCleaner(parts);
  return { name: 'search_index', run: async (signal) => index.tidy(signal) };
}

/** Error codes that count against the health of a search backend. */
const BACKEND_FAULT_CODES: ReadonlySet<string> = new Set([
  'unusable_response',
  'target_blocked',
  'backend_unavailable',
]);

/** A response, and the backend or model that produced it. */
type SourcedResponse<B> = WorkResult<B> & { readonly source: string };

/** Builds the wrapper that records each call in the health statistics; `list` is the field of the body that has the results. */
function buildHealthRecorder(siteHealth: Pick<SiteHealth, 'observe'>) {
  const observe: SiteHealth['observe'] = (id, seen) => siteHealth.observe(id, seen);
  return async function recordHealth<B extends JsonObject>(
    operation: { readonly id: string },
    { account: { tenant } }: Pick<WorkCall, 'account'>,
    list: keyof B & string,
    run: () => Promise<SourcedResponse<B>>,
  ): Promise<WorkResult<B>> {
    const { served } = await observeReading(
      { operation, list, expected: [list], healthFailures: BACKEND_FAULT_CODES },
      { observe, tenant },
      {
        canBeEmpty: false,
        async read() {
          const { source, ...rest } = await run();
          return { source, record: rest.body, served: rest };
        },
      },
    );
    return served;
  };
}
