import type { Clock } from '#kernel/clock.ts';
import { enginesOf, INDEX } from '#features/search/settings.ts';
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

/** The chain of fast searches. */
export function buildChain(settings: SearchSettings, { own, clock, ...parts }: ChainMakings): SearchChain {
  const backends = new Map<string, SearchBackend>();
  for (const [name, backend] of settings.backends) {
    const isSearxng = backend.driver === 'searxng';
    backends.set(name, isSearxng ? buildSearxng(name, backend, parts) : buildJsonApi(name, backend.api, parts));
  }
  if (own !== null) backends.set(INDEX, buildOwnIndex(own));
  const groups = enginesOf(settings, own !== null);
  return new SearchChain({ clock, groups: groups.map((names) => names.flatMap((name) => backends.get(name) ?? [])) });
}
