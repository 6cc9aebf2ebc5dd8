import { isJsonObject } from '#extract/values/json-object.ts';
import { getMember } from '#extract/values/json.ts';
import type { EndpointClient } from '#llm/endpoint-client.ts';
import type { SearchBackend, SearchQuery } from './backend.ts';
import { fetchJson, type ParsedResults, parseResults, type RawResult } from './results.ts';

/** Search API providers with a built-in mapping. */
export const PRESETS = ['brave-api', 'serper', 'tavily'] as const;

type Preset = (typeof PRESETS)[number];

type PresetApi = Omit<JsonApi, 'headers'> & {
  readonly buildHeaders: (key: string) => Readonly<Record<string, string>>;
};

const PRESET_APIS: Readonly<Record<Preset, PresetApi>> = {
  // https://api-dashboard.search.brave.com/app/documentation/web-search
  'brave-api': {
    url: 'https://api.search.brave.com/res/v1/web/search',
    buildHeaders: (key) => ({ 'x-subscription-token': key }),
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
    maxPages: 10,
  },
  // https://serper.dev/playground
  serper: {
    url: 'https://google.serper.dev/search',
    buildHeaders: (key) => ({ 'x-api-key': key }),
    query: {},
    body: { q: '{search}', gl: '{country_lower}', hl: '{language}', page: '{page}' },
    results: 'organic',
    news: 'topStories',
    fields: { title: 'title', url: 'link', description: 'snippet', published_at: 'date', image_url: 'imageUrl' },
    pageSize: 10,
    maxPages: 10,
  },
  // https://docs.tavily.com/documentation/api-reference/endpoint/search
  tavily: {
    url: 'https://api.tavily.com/search',
    buildHeaders: (key) => ({ authorization: `Bearer ${key}` }),
    query: {},
    body: { query: '{search}', max_results: 20 },
    results: 'results',
    fields: { title: 'title', url: 'url', description: 'content', published_at: 'published_date' },
    pageSize: 20,
    maxPages: 1,
  },
};

/** The API of a provider with the operator's key; `origin`, if not null, replaces that of the provider. */
export function buildPresetApi(name: Preset, key: string, origin: string | null): JsonApi {
  const { buildHeaders: headersOf, ...api } = PRESET_APIS[name];
  const { pathname } = new URL(api.url);
  return { ...api, url: origin === null ? api.url : `${origin}${pathname}`, headers: headersOf(key) };
}

/** Where an API response has its data: dotted paths of the lists, and of the fields within a result. */
export type JsonMapping = {
  readonly results: string;
  readonly news?: string | undefined;
  /** Ads. */
  readonly paid?: string | undefined;
  readonly total?: string | undefined;
  readonly fields: Readonly<Record<'title' | 'url' | 'description', string>> &
    Readonly<Partial<Record<'published_at' | 'language' | 'image_url', string | undefined>>>;
};

export type JsonApi = JsonMapping & {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Request body, sent by POST; null for a GET request. */
  readonly body: unknown;
  /** Results per page, used to compute `{offset}`. */
  readonly pageSize: number;
  readonly maxPages: number;
};

export type ApiParts = {
  readonly wire: EndpointClient;
  readonly mayVisit: (url: string) => boolean;
};

/** A backend for any JSON search API, described by a mapping in the settings. */
export function buildJsonApiBackend(name: string, api: JsonApi, { wire, mayVisit }: ApiParts): SearchBackend {
  return {
    name,
    kinds: api.news === undefined ? ['organic'] : ['organic', 'news'],
    maxPages: api.maxPages,
    async search(query, { signal }) {
      const body = api.body === null ? null : JSON.stringify(fillTemplates(api.body, query, api.pageSize));
      const headers = {
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...api.headers,
      };
      const answer = await fetchJson(wire, { url: buildUrl(api, query), headers, body, signal });
      const organic = readList(answer, api.results, api, mayVisit);
      const news = api.news === undefined ? NO_RESULTS : readList(answer, api.news, api, mayVisit);
      const paid = api.paid === undefined ? NO_RESULTS : readList(answer, api.paid, api, mayVisit);
      const total = api.total === undefined ? null : getAtPath(answer, api.total);
      return {
        organic: organic.results,
        news: news.results,
        paid: paid.results,
        dropped: organic.dropped + news.dropped + paid.dropped,
        hasMore: organic.results.length > 0 && query.page < api.maxPages,
        total: typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : null,
      };
    },
  };
}

const NO_RESULTS: ParsedResults = { results: [], dropped: 0 };

function buildUrl({ url, query: parameters, pageSize }: JsonApi, query: SearchQuery): string {
  const target = new URL(url);
  for (const [name, template] of Object.entries(parameters)) {
    const value = fillTemplate(template, query, pageSize);
    // Omit parameters without a value, because most APIs would treat an empty one as a value.
    if (value !== '') target.searchParams.set(name, value);
  }
  return target.href;
}

/** Replaces `{search}`, `{country}`, `{language}`, `{page}`, `{page0}` and `{offset}` in all strings of a JSON value. */
function fillTemplates(value: unknown, query: SearchQuery, pageSize: number): unknown {
  if (typeof value === 'string') {
    const filled = fillTemplate(value, query, pageSize);
    return /^\{(?:page|page0|offset)\}$/.test(value) ? Number(filled) : filled;
  }
  if (Array.isArray(value)) return value.map((one) => fillTemplates(one, query, pageSize));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, one]) => [name, fillTemplates(one, query, pageSize)] as const);
  return Object.fromEntries(members.filter(([, one]) => one !== ''));
}

function fillTemplate(template: string, { search, country, language, page }: SearchQuery, pageSize: number): string {
  const words: Readonly<Record<string, string>> = {
    search,
    country: country ?? '',
    country_lower: (country ?? '').toLowerCase(),
    language: language ?? '',
    page: String(page),
    page0: String(page - 1),
    offset: String((page - 1) * pageSize),
  };
  return template.replaceAll(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole);
}

/** The placeholders that a template may contain. */
export const TEMPLATE_WORDS = ['search', 'country', 'country_lower', 'language', 'page', 'page0', 'offset'] as const;

function readList(answer: unknown, path: string, { fields }: JsonApi, mayVisit: ApiParts['mayVisit']): ParsedResults {
  const list = getAtPath(answer, path);
  if (!Array.isArray(list)) return NO_RESULTS;
  return parseResults(
    list.map((one): RawResult => {
      const text = (at: string | undefined): string | null => {
        const value = at === undefined ? undefined : getAtPath(one, at);
        return typeof value === 'string' ? value : null;
      };
      return {
        title: text(fields.title),
        url: text(fields.url),
        description: text(fields.description),
        published: text(fields.published_at),
        language: text(fields.language),
        imageUrl: text(fields.image_url),
      };
    }),
    mayVisit,
  );
}

/** The value at a dotted path; numbers are array indexes. */
function getAtPath(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) found = Array.isArray(found) ? found[Number(name)] : getMember(found, name);
  return found;
}
