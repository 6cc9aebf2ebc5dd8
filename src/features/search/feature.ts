import type { Feature, Round } from '#engine/call/feature.ts';
import { bindWork } from '#engine/call/operation.ts';
import { admitFastSearch, runFastSearch } from './fast/run.ts';
import type { FastSearchParts } from './fast/run.ts';
import { fastSearch, readFastSearch } from './fast/operation.ts';
import { buildingLoop } from './index/building.ts';
import type { BuildingParts } from './index/building.ts';
import { IndexBuilder } from './index/building.ts';

export type SearchFeatureParts = FastSearchParts & {
  /** The parts of the own index; null where it is off. */
  readonly building: BuildingParts | null;
};

/** Searches the web and the pages that this instance had. */
export function buildSearch({ building, ...parts }: SearchFeatureParts): Feature {
  const operations = [
    bindWork(fastSearch, readFastSearch, {
      admit: ({ options }, facts) => admitFastSearch(options, facts),
      queue: ({ options }, plan) => (options.timeout_ms ?? 0) > plan.inline_timeout_ms,
      run: async ({ options }, call) => {
        const served = await runFastSearch(options, call, parts);
        return { ...served, body: { ...served.body } };
      },
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

/** Removes from the index what is gone from the store. */
function tidying(building: BuildingParts): Round {
  return { name: 'search_index', run: async (signal) => new IndexBuilder(building, signal).tidy() };
}
