import type { Clock } from '#kernel/clock.ts';
import { cutForEngine } from '#features/search/search-input.ts';
import { type BackendSettings, enginesOf, INDEX, type SearchSettings } from '#features/search/settings.ts';
import type { SearchBackend } from './backend.ts';
import { SearchChain } from './chain.ts';
import { buildEnginePage, type EnginePageParts } from './engine-page.ts';
import { type ApiParts, buildJsonApi } from './json-api.ts';
import { buildOwnIndex, type OwnIndexParts } from './own-index.ts';
import { askedOnce } from './shared-answer.ts';
import { buildSearxng } from './searxng.ts';

export type BackendParts = ApiParts & { readonly pages: EnginePageParts };

export type ChainMakings = {
  /** The operator's backends, by name. */
  readonly backends: ReadonlyMap<string, SearchBackend>;
  /** The pages that this instance had; null where they are not indexed. */
  readonly own: OwnIndexParts | null;
  readonly clock: Clock;
};

/** The operator's backends, by name. */
export function buildBackends(
  { backends }: Pick<SearchSettings, 'backends'>,
  parts: BackendParts,
): ReadonlyMap<string, SearchBackend> {
  return new Map([...backends].map(([name, settings]) => [name, buildBackend(name, settings, parts)]));
}

function buildBackend(name: string, settings: BackendSettings, { pages, ...parts }: BackendParts): SearchBackend {
  if (settings.driver === 'searxng') return askedOnce(withCutQueries(buildSearxng(name, settings, parts)));
  if (settings.driver === 'json') return askedOnce(withCutQueries(buildJsonApi(name, settings.api, parts)));
  return withCutQueries(buildEnginePage(name, settings, pages));
}

/** A backend that is asked for no more of a query than engines take. */
export function withCutQueries(backend: SearchBackend): SearchBackend {
  return {
    ...backend,
    search: async (query, call) => backend.search({ ...query, search: cutForEngine(query.search) }, call),
  };
}

/** The chain of fast searches. */
export function buildChain(settings: SearchSettings, { backends, own, clock }: ChainMakings): SearchChain {
  const all = new Map(backends);
  if (own !== null) all.set(INDEX, buildOwnIndex(own));
  const groups = enginesOf(settings, own !== null);
  return new SearchChain({ clock, groups: groups.map((names) => names.flatMap((name) => all.get(name) ?? [])) });
}
