import { truncateForEngine } from '#features/search/search-input.ts';
import { type BackendSettings, chooseEngines, OWN_INDEX, type SearchSettings } from '#features/search/settings.ts';
import type { Clock } from '#kernel/clock.ts';
import type { BackendCall, BackendResults, SearchBackend, SearchQuery } from './backend.ts';
import { SearchChain } from './chain.ts';
import { buildEnginePageBackend, type EnginePageParts } from './engine-page.ts';
import { type ApiParts, buildJsonApiBackend } from './json-api.ts';
import { buildOwnIndexBackend, type OwnIndexParts } from './own-index.ts';
import { buildSearxngBackend } from './searxng.ts';

export type BackendParts = ApiParts & { readonly pages: EnginePageParts };

export type ChainBackends = {
  /** The configured backends, by name. */
  readonly backends: ReadonlyMap<string, SearchBackend>;
  /** The built-in index; null if it is disabled. */
  readonly own: OwnIndexParts | null;
  readonly clock: Clock;
};

/** The configured backends, by name. */
export function buildBackends(
  { backends }: Pick<SearchSettings, 'backends'>,
  parts: BackendParts,
): ReadonlyMap<string, SearchBackend> {
  return new Map([...backends].map(([name, settings]) => [name, buildBackend(name, settings, parts)]));
}

function buildBackend(name: string, settings: BackendSettings, { pages, ...parts }: BackendParts): SearchBackend {
  if (settings.driver === 'searxng') return shareCalls(truncateQueries(buildSearxngBackend(name, settings, parts)));
  if (settings.driver === 'json') return shareCalls(truncateQueries(buildJsonApiBackend(name, settings.api, parts)));
  return truncateQueries(buildEnginePageBackend(name, settings, pages));
}

/** Wraps a backend so that queries are truncated to what engines accept. */
export function truncateQueries(backend: SearchBackend): SearchBackend {
  return {
    ...backend,
    search: async (query, call) => backend.search({ ...query, search: truncateForEngine(query.search) }, call),
  };
}

/** Builds the backend chain of fast searches. */
export function buildChain(settings: SearchSettings, { backends, own, clock }: ChainBackends): SearchChain {
  const all = new Map(backends);
  if (own !== null) all.set(OWN_INDEX, buildOwnIndexBackend(own));
  const groups = chooseEngines(settings, own !== null);
  return new SearchChain({ clock, groups: groups.map((names) => names.flatMap((name) => all.get(name) ?? [])) });
}

type SharedCall = { readonly answer: Promise<BackendResults>; readonly stop: AbortController; waiting: number };

/** Wraps a backend so that concurrent searches with the same query object share one request, which is aborted when all callers have aborted. */
export function shareCalls(backend: SearchBackend): SearchBackend {
  const known = new WeakMap<SearchQuery, SharedCall>();

  function begin(query: SearchQuery, call: BackendCall): SharedCall {
    const stop = new AbortController();
    const shared = { answer: backend.search(query, { ...call, signal: stop.signal }), stop, waiting: 0 };
    known.set(query, shared);
    return shared;
  }

  return {
    ...backend,
    async search(query, call) {
      const { signal } = call;
      signal.throwIfAborted();
      const shared = known.get(query) ?? begin(query, call);
      shared.waiting += 1;
      const aborted = Promise.withResolvers<never>();
      const leave = (): void => {
        shared.waiting -= 1;
        if (shared.waiting === 0) shared.stop.abort(signal.reason);
        aborted.reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      return Promise.race([shared.answer, aborted.promise]).finally(() => signal.removeEventListener('abort', leave));
    },
  };
}
