import type { Clock } from '#kernel/clock.ts';
import type { SearchSettings } from '#features/search/settings.ts';
import type { SearchBackend } from './backend.ts';
import { SearchChain } from './chain.ts';
import { buildJsonApi } from './json-api.ts';
import type { ApiParts } from './json-api.ts';
import { buildOwnIndex } from './own-index.ts';
import type { OwnIndexParts } from './own-index.ts';
import { buildSearxng } from './searxng.ts';

export type ChainMakings = ApiParts & {
  /** The pages that this instance had; null where they are not indexed. */
  readonly own: OwnIndexParts | null;
  readonly clock: Clock;
};

/** The chain of fast searches: that of the settings, else every backend of theirs and then the own index. */
export function buildChain(settings: SearchSettings, { own, clock, ...parts }: ChainMakings): SearchChain {
  const backends = new Map<string, SearchBackend>();
  for (const [name, backend] of settings.backends) {
    if (backend.driver === 'searxng') backends.set(name, buildSearxng(name, backend, parts));
    if (backend.driver === 'json') backends.set(name, buildJsonApi(name, backend.api, parts));
  }
  if (own !== null) backends.set('index', buildOwnIndex(own));
  const groups = settings.fastSearch ?? [...backends.keys()].map((name) => [name]);
  return new SearchChain({
    clock,
    groups: groups.map((names) => names.flatMap((name) => backends.get(name) ?? [])).filter(({ length }) => length > 0),
  });
}
