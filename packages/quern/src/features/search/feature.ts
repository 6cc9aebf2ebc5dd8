import type { Feature, Round } from '#engine/call/feature.ts';
import { bindWork } from '#engine/call/operation.ts';
import type { Plan } from '#engine/identity/plans.ts';
import type { SiteHealth } from '#features/sites/health.ts';
import { buildCounted } from './counted.ts';
import { type FastSearchParts, runFastSearch } from './fast/run.ts';
import { fastSearch } from './fast/operation.ts';
import type { AnsweringParts } from './answers/answering.ts';
import { answerEngine, assistantPrompt, chatAssistantPrompt } from './answers/operations.ts';
import { runAnswer, toAssistantBody, toEngineBody } from './answers/run.ts';
import type { SearchSettings } from './settings.ts';
import { readSerp, serpSearch } from './serp/operation.ts';
import { admitSerp, runSerp, type SerpParts } from './serp/run.ts';
import { readWebsearch, websearchSearch } from './web/operation.ts';
import { admitWebsearch, runWebsearch, type WebsearchParts } from './web/run.ts';
import { buildingLoop, type BuildingParts } from './index/building.ts';
import { IndexTidying, type TidyingParts } from './index/tidying.ts';

export type SearchFeatureParts = FastSearchParts &
  AnsweringParts & {
    readonly settings: Pick<SearchSettings, 'answerengine' | 'assistant' | 'chatassistant'>;
    readonly websearch: WebsearchParts;
    readonly serp: SerpParts;
    readonly siteHealth: Pick<SiteHealth, 'observe'>;
    /** The parts of the own index; null where it is off. */
    readonly building: (BuildingParts & TidyingParts) | null;
  };

/** Searches the web and the pages that this instance had. */
export function buildSearch(all: SearchFeatureParts): Feature {
  const { building, settings, websearch, serp, siteHealth, ...parts } = all;
  const { answerengine, assistant, chatassistant } = settings;
  const counted = buildCounted(siteHealth);
  const operations = [
    fastSearch.runs(async (input, call) =>
      counted(fastSearch, call, 'organic_results', async () => runFastSearch(input, call, parts)),
    ),
    bindWork(websearchSearch, readWebsearch, {
      admit: ({ options }, facts) => admitWebsearch(options, facts, websearch),
      queue: ({ options }, plan) => isLong(options, plan),
      run: async ({ options }, call) =>
        counted(websearchSearch, call, 'organic_results', async () => runWebsearch(options, call, websearch)),
    }),
    bindWork(serpSearch, readSerp, {
      admit: ({ options }, facts) => admitSerp(options, facts, serp),
      queue: ({ options }, plan) => isLong(options, plan),
      run: async ({ options }, call) =>
        counted(serpSearch, call, 'organic_results', async () => runSerp(options, call, serp)),
    }),
    answerEngine.runs(async (input, call) =>
      counted(answerEngine, call, 'sources', async () =>
        runAnswer(input, { settings: answerengine, toBody: toEngineBody }, call, parts),
      ),
    ),
    assistantPrompt.runs(async (input, call) =>
      counted(assistantPrompt, call, 'citations', async () =>
        runAnswer(input, { settings: assistant, toBody: toAssistantBody('assistant') }, call, parts),
      ),
    ),
    chatAssistantPrompt.runs(async (input, call) =>
      counted(chatAssistantPrompt, call, 'citations', async () =>
        runAnswer(input, { settings: chatassistant, toBody: toAssistantBody('chatassistant') }, call, parts),
      ),
    ),
  ];
  if (building === null) return { operations };
  return {
    operations,
    loops: [buildingLoop(building)],
    rounds: [tidying(building)],
    close: async () => building.index.close(),
  };
}

/** Whether a call asks for more time than an inline one has. */
function isLong({ timeout_ms: ms = 0 }: { readonly timeout_ms?: number | undefined }, plan: Plan): boolean {
  return ms > plan.inline_timeout_ms;
}

/** Removes from the index what is gone from the store. */
function tidying(parts: TidyingParts): Round {
  const index = new IndexTidying(parts);
  return { name: 'search_index', run: async (signal) => index.tidy(signal) };
}
