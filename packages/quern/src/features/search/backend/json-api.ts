import { isJsonObject } from '#extract/values/json-object.ts';
import type { Wire } from '#llm/wire.ts';
import { memberOf } from '#extract/values/json.ts';
import type { SearchBackend, SearchQuery } from './backend.ts';
import { askForJson } from './http-answer.ts';
import { type RawResult, readFoundResults, type ReadResults } from './results.ts';

/** How the answers of an API are read: dotted paths of its lists, and of the members of a result. */
export type JsonMapping = {
  readonly results: string;
  readonly news?: string | undefined;
  /** What is paid for. */
  readonly paid?: string | undefined;
  readonly total?: string | undefined;
  readonly fields: Readonly<Record<'title' | 'url' | 'description', string>> &
    Readonly<Partial<Record<'published_at' | 'language' | 'image_url', string | undefined>>>;
};

export type JsonApi = JsonMapping & {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Sent by POST; null for a GET. */
  readonly body: unknown;
  /** Results of one page, from which the number of the first is reckoned. */
  readonly pageSize: number;
  readonly mostPages: number;
};

export type ApiParts = {
  readonly wire: Wire;
  readonly mayVisit: (url: string) => boolean;
};

/** A search API of the operator, whichever it is, by a mapping of its settings. */
export function buildJsonApi(name: string, api: JsonApi, { wire, mayVisit }: ApiParts): SearchBackend {
  return {
    name,
    kinds: api.news === undefined ? ['organic'] : ['organic', 'news'],
    mostPages: api.mostPages,
    async search(query, { signal }) {
      const body = api.body === null ? null : JSON.stringify(fillAll(api.body, query, api.pageSize));
      const headers = {
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...api.headers,
      };
      const answer = await askForJson(wire, { url: toUrl(api, query), headers, body, signal });
      const organic = readList(answer, api.results, api, mayVisit);
      const news = api.news === undefined ? NOTHING : readList(answer, api.news, api, mayVisit);
      const paid = api.paid === undefined ? NOTHING : readList(answer, api.paid, api, mayVisit);
      const total = api.total === undefined ? null : atPath(answer, api.total);
      return {
        organic: organic.results,
        news: news.results,
        paid: paid.results,
        dropped: organic.dropped + news.dropped + paid.dropped,
        hasMore: organic.results.length > 0 && query.page < api.mostPages,
        total: typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : null,
      };
    },
  };
}

const NOTHING: ReadResults = { results: [], dropped: 0 };

function toUrl({ url, query: parameters, pageSize }: JsonApi, query: SearchQuery): string {
  const target = new URL(url);
  for (const [name, template] of Object.entries(parameters)) {
    const value = fill(template, query, pageSize);
    // A parameter whose word nobody gave is left out, as most APIs take an empty one for a value.
    if (value !== '') target.searchParams.set(name, value);
  }
  return target.href;
}

/** A value with `{search}`, `{country}`, `{language}`, `{page}`, `{page0}` and `{offset}` in its texts filled in. */
function fillAll(value: unknown, query: SearchQuery, pageSize: number): unknown {
  if (typeof value === 'string') {
    const filled = fill(value, query, pageSize);
    return /^\{(?:page|page0|offset)\}$/.test(value) ? Number(filled) : filled;
  }
  if (Array.isArray(value)) return value.map((one) => fillAll(one, query, pageSize));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, one]) => [name, fillAll(one, query, pageSize)] as const);
  return Object.fromEntries(members.filter(([, one]) => one !== ''));
}

function fill(template: string, { search, country, language, page }: SearchQuery, pageSize: number): string {
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

/** The words that a template may hold. */
export const TEMPLATE_WORDS = ['search', 'country', 'country_lower', 'language', 'page', 'page0', 'offset'] as const;

function readList(answer: unknown, path: string, { fields }: JsonApi, mayVisit: ApiParts['mayVisit']): ReadResults {
  const list = atPath(answer, path);
  if (!Array.isArray(list)) return NOTHING;
  return readFoundResults(
    list.map((one): RawResult => {
      const text = (at: string | undefined): string | null => {
        const value = at === undefined ? undefined : atPath(one, at);
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

/** The value at a dotted path; a number is a place in a list. */
function atPath(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) found = Array.isArray(found) ? found[Number(name)] : memberOf(found, name);
  return found;
}
