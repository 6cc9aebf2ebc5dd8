import type { SearchBackend } from '#features/search/backend/backend.ts';
import type { PageEngine } from '#sites/engines/names.ts';
import { type BackendSettings, PAGE, type SearchSettings } from '#features/search/settings.ts';
import { apiWay, pageWay, toWays, type WaysParts, type WebWay } from '#features/search/web/ways.ts';
import { NO_SETTINGS } from '#sites/framework/site.ts';
import type { ServedEndpoint } from '#features/sites/endpoint.ts';

/** The engines whose results can be asked for by name. */
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

/** The engines that are read by pages of their own, all but the one of websearch. */
type ByPage = Exclude<SerpEngine, 'google' | 'searxng'>;

export type SerpPages = Readonly<Record<ByPage | PageEngine | 'websearch', ServedEndpoint>>;

/** An engine: the page that it is asked for by, and the ways to it. */
export type SerpWay = { readonly page: ServedEndpoint; readonly ways: readonly WebWay[] };

/** The ways to each engine: its own page, at the origin of the settings where they have one, and APIs that answer with its results. */
export function toSerpWays(
  settings: SearchSettings,
  pages: SerpPages,
  parts: Omit<WaysParts, 'endpoint'>,
): (engine: SerpEngine) => SerpWay {
  const websearch = toWays(settings, { ...parts, endpoint: pages.websearch });
  // Its page tells what stands beside the results, which no API of the settings does.
  const google = websearch.toSorted((one, other) => Number(other.name === PAGE) - Number(one.name === PAGE));
  return (engine) => {
    if (engine === 'google') return { page: pages.websearch, ways: google };
    // An instance has no page of its own here; another that takes every parameter reads them.
    if (engine === 'searxng') return { page: pages.duckduckgo, ways: searxngWays(settings, parts) };
    const endpoint = pages[engine];
    return {
      page: endpoint,
      ways: [pageWay(engine, { ...parts, endpoint, settings: settled(settings, endpoint, engine) })],
    };
  };
}

/** An engine at the origin that its backend has, at its own where there is none. */
function settled({ backends }: SearchSettings, { site }: ServedEndpoint, engine: ByPage) {
  const named = [...backends.values()].find((one) => one.driver === 'pages' && one.engine === engine);
  const origin = named?.driver === 'pages' ? named.origin : null;
  if (origin === null) return NO_SETTINGS;
  return { ...NO_SETTINGS, origins: Object.fromEntries(Object.keys(site.origins).map((name) => [name, origin])) };
}

function searxngWays(
  { backends: entries }: SearchSettings,
  { backends, clock }: Pick<WaysParts, 'backends' | 'clock'>,
) {
  return [...entries].flatMap(([name, entry]) => {
    const backend = backends.get(name);
    return entry.driver === 'searxng' && backend !== undefined ? [searxngWay(backend, entry, clock)] : [];
  });
}

function searxngWay(
  backend: SearchBackend,
  { url }: Extract<BackendSettings, { readonly driver: 'searxng' }>,
  clock: WaysParts['clock'],
): WebWay {
  return apiWay(backend, { addressOf: () => `${url.replace(/\/+$/, '')}/search`, clock });
}
