import type { JsonApi } from './json-api.ts';

/** Providers of search APIs whose mapping comes along. */
export const PRESETS = ['brave-api', 'serper', 'tavily'] as const;

type Preset = (typeof PRESETS)[number];

type Mapped = Omit<JsonApi, 'headers'> & { readonly headersOf: (key: string) => Readonly<Record<string, string>> };

const MAPPED: Readonly<Record<Preset, Mapped>> = {
  // https://api-dashboard.search.brave.com/app/documentation/web-search
  'brave-api': {
    url: 'https://api.search.brave.com/res/v1/web/search',
    headersOf: (key) => ({ 'x-subscription-token': key }),
    query: { q: '{search}', country: '{country}', search_lang: '{language}', offset: '{page0}', count: '20' },
    body: null,
    results: 'web.results',
    news: 'news.results',
    fields: {
      title: 'title',
      url: 'url',
      description: 'description',
      published_at: 'page_age',
      language: 'language',
      image_url: 'thumbnail.src',
    },
    pageSize: 20,
    mostPages: 10,
  },
  // https://serper.dev/playground
  serper: {
    url: 'https://google.serper.dev/search',
    headersOf: (key) => ({ 'x-api-key': key }),
    query: {},
    body: { q: '{search}', gl: '{country_lower}', hl: '{language}', page: '{page}' },
    results: 'organic',
    news: 'topStories',
    fields: { title: 'title', url: 'link', description: 'snippet', published_at: 'date', image_url: 'imageUrl' },
    pageSize: 10,
    mostPages: 10,
  },
  // https://docs.tavily.com/documentation/api-reference/endpoint/search
  tavily: {
    url: 'https://api.tavily.com/search',
    headersOf: (key) => ({ authorization: `Bearer ${key}` }),
    query: {},
    body: { query: '{search}', max_results: 20 },
    results: 'results',
    fields: { title: 'title', url: 'url', description: 'content', published_at: 'published_date' },
    pageSize: 20,
    mostPages: 1,
  },
};

/** The API of a provider with the operator's key, at another origin where one is given. */
export function presetApi(name: Preset, key: string, origin: string | null): JsonApi {
  const { headersOf, ...api } = MAPPED[name];
  const { pathname } = new URL(api.url);
  return { ...api, url: origin === null ? api.url : `${origin}${pathname}`, headers: headersOf(key) };
}
