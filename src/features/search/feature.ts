import type { Feature, Round } from '#engine/call/feature.ts';
import { runFastSearch } from './fast/run.ts';
import type { FastSearchParts } from './fast/run.ts';
import { fastSearch } from './fast/operation.ts';
import type { AnsweringParts } from './answers/answering.ts';
import { answerEngine, assistantPrompt, chatAssistantPrompt } from './answers/operations.ts';
import { runAnswer, toAssistantBody, toEngineBody } from './answers/run.ts';
import type { SearchSettings } from './settings.ts';
import { buildingLoop } from './index/building.ts';
import type { BuildingParts } from './index/building.ts';
import { IndexTidying } from './index/tidying.ts';
import type { TidyingParts } from './index/tidying.ts';

export type SearchFeatureParts = FastSearchParts &
  AnsweringParts & {
    readonly settings: Pick<SearchSettings, 'answerengine' | 'assistant' | 'chatassistant'>;
    /** The parts of the own index; null where it is off. */
    readonly building: (BuildingParts & TidyingParts) | null;
  };

/** Searches the web and the pages that this instance had. */
export function buildSearch({ building, settings, ...parts }: SearchFeatureParts): Feature {
  const { answerengine, assistant, chatassistant } = settings;
  const operations = [
    fastSearch.runs(async (input, call) => runFastSearch(input, call, parts)),
    answerEngine.runs(async (input, call) =>
      runAnswer(input, { settings: answerengine, toBody: toEngineBody }, call, parts),
    ),
    assistantPrompt.runs(async (input, call) =>
      runAnswer(input, { settings: assistant, toBody: toAssistantBody('assistant') }, call, parts),
    ),
    chatAssistantPrompt.runs(async (input, call) =>
      runAnswer(input, { settings: chatassistant, toBody: toAssistantBody('chatassistant') }, call, parts),
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

/** Removes from the index what is gone from the store. */
function tidying(parts: TidyingParts): Round {
  const index = new IndexTidying(parts);
  return { name: 'search_index', run: async (signal) => index.tidy(signal) };
}
