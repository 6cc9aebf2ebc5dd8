import type { Feature, Round } from '#engine/call/feature.ts';
import { bindWork } from '#engine/call/operation.ts';
import { admitFastSearch, runFastSearch } from './fast/run.ts';
import type { FastSearchParts } from './fast/run.ts';
import { fastSearch, readFastSearch } from './fast/operation.ts';
import type { AnsweringParts } from './answers/answering.ts';
import { answerEngine, assistantPrompt, readPrompt } from './answers/operations.ts';
import { admitPrompt, runAnswerEngine, runAssistant } from './answers/run.ts';
import type { SearchSettings } from './settings.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { buildingLoop } from './index/building.ts';
import type { BuildingParts } from './index/building.ts';
import { IndexBuilder } from './index/building.ts';

export type SearchFeatureParts = FastSearchParts &
  AnsweringParts & {
    readonly settings: Pick<SearchSettings, 'answerengine' | 'assistant'>;
    /** The parts of the own index; null where it is off. */
    readonly building: BuildingParts | null;
  };

/** Searches the web and the pages that this instance had. */
export function buildSearch({ building, settings, ...parts }: SearchFeatureParts): Feature {
  const operations = [
    bindWork(fastSearch, readFastSearch, {
      admit: ({ options }, facts) => admitFastSearch(options, facts),
      queue: ({ options }, plan) => isLong(options, plan),
      run: async ({ options }, call) => runFastSearch(options, call, parts),
    }),
    bindWork(answerEngine, readPrompt, {
      admit: ({ options }, facts) => admitPrompt(options, facts),
      queue: ({ options }, plan) => isLong(options, plan),
      run: async ({ options }, call) => runAnswerEngine(options, settings.answerengine, call, parts),
    }),
    bindWork(assistantPrompt, readPrompt, {
      admit: ({ options }, facts) => admitPrompt(options, facts),
      queue: ({ options }, plan) => isLong(options, plan),
      run: async ({ options }, call) => runAssistant(options, settings.assistant, call, parts),
    }),
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
function tidying(building: BuildingParts): Round {
  return { name: 'search_index', run: async (signal) => new IndexBuilder(building, signal).tidy() };
}
