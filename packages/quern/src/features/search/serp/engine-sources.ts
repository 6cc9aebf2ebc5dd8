import type { SearchBackend } from '#features/search/backend/backend.ts';
import type { OptionalEngine } from '#sites/engines/shared.ts';
import { type BackendSettings, PAGE_SOURCE, type SearchSettings } from '#features/search/settings.ts';
import {
  buildApiSource,
  buildPageSource,
  buildResultSources,
  type ResultSourceParts,
  type ResultSource,
} from '#features/search/web/result-sources.ts';
import { NO_SETTINGS } from '#sites/framework/site.ts';
import type { ServedEndpoint } from '#features/sites/endpoint.ts';

/** The engines that a caller can choose. */
export const SERP_ENGINES = [
  'google',
  'bing',
  'duckduckgo',
  'brave',
  'mojeek',
  'yandex',
  'baidu',
  'ecosia',
  'searxng',
] as const;

export type SerpEngine = (typeof SERP_ENGINES)[number];

/** The engines that are read by their HTML pages and not through websearch. */
type PageReadEngine = Exclude<SerpEngine, 'google' | 'searxng'>;

export type SerpEndpoints = Readonly<Record<PageReadEngine | OptionalEngine | 'websearch', ServedEndpoint>>;

/** The endpoint that defines the parameters of an engine, and the sources of its results, in order. */
export type SerpEngineSources = { readonly endpoint: ServedEndpoint; readonly sources: readonly ResultSource[] };

/** Maps each engine to its result sources: its own page (at the configured origin, if any) and APIs that return its results. */
export function buildSerpSources(
  settings: SearchSettings,
  pages: SerpEndpoints,
  parts: Omit<ResultSourceParts, 'endpoint'>,
): (engine: SerpEngine) => SerpEngineSources {
  const websearch = buildResultSources(settings, { ...parts, endpoint: pages.websearch });
  // The page comes first, because only it has the side panels.
  const google = websearch.toSorted(
    (one, other) => Number(other.name === PAGE_SOURCE) - Number(one.name === PAGE_SOURCE),
  );
  return (engine) => {
    if (engine === 'google') return { endpoint: pages.websearch, sources: google };
    // SearXNG has no endpoint of its own; DuckDuckGo's accepts every parameter.
    if (engine === 'searxng') return { endpoint: pages.duckduckgo, sources: buildSearxngSources(settings, parts) };
    const endpoint = pages[engine];
    return {
      endpoint: endpoint,
      sources: [
        buildPageSource(engine, { ...parts, endpoint, settings: toEngineSettings(settings, endpoint, engine) }),
      ],
    };
  };
}

/** Site settings with the origin of the engine's backend, if it is configured. */
function toEngineSettings({ backends }: SearchSettings, { site }: ServedEndpoint, engine: PageReadEngine) {
  const backend = [...backends.values()].find((one) => one.driver === 'pages' && one.engine === engine);
  const origin = backend?.driver === 'pages' ? backend.origin : null;
  if (origin === null) return NO_SETTINGS;
  return { ...NO_SETTINGS, origins: Object.fromEntries(Object.keys(site.origins).map((name) => [name, origin])) };
}

function buildSearxngSources(
  { backends: entries }: SearchSettings,
  { backends, clock }: Pick<ResultSourceParts, 'backends' | 'clock'>,
) {
  return [...entries].flatMap(([name, entry]) => {
    const backend = backends.get(name);
    return entry.driver === 'searxng' && backend !== undefined ? [buildSearxngSource(backend, entry, clock)] : [];
  });
}

function buildSearxngSource(
  backend: SearchBackend,
  { url }: Extract<BackendSettings, { readonly driver: 'searxng' }>,
  clock: ResultSourceParts['clock'],
): ResultSource {
  return buildApiSource(backend, { getUrl: () => `${url.replace(/\/+$/, '')}/search`, clock });
}
