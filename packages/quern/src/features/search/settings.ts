import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { readJsonFile } from '#kernel/json-file.ts';
import { type JsonApi, TEMPLATE_WORDS, PRESETS, buildPresetApi } from './backend/json-api.ts';
import { type EngineName, ENGINES } from '#sites/engines/shared.ts';

/**
 * Whether a backend may serve `/v1/websearch`, which needs the results of one particular engine: by default, only if the
 * operator lists it under `websearch`, or never because it is another engine.
 */
type WebsearchUse = 'by default' | 'if listed' | 'never';

/** A search backend of the operator. */
export type BackendSettings =
  | { readonly driver: 'searxng'; readonly url: string }
  | { readonly driver: 'json'; readonly api: JsonApi; readonly websearch: WebsearchUse }
  /** A search engine that is read by its HTML pages; `origin` replaces its own. */
  | { readonly driver: 'pages'; readonly engine: EngineName; readonly origin: string | null };

/** Backend names in the order of use; those of one group are queried in parallel. */
export type EngineGroups = readonly (readonly string[])[];

/** How questions are answered: by a model API that searches itself, or from pages found by Quern's own search. */
export type AnswerSettings =
  | {
      readonly driver: 'sonar' | 'responses';
      readonly url: string;
      readonly key: string | null;
      readonly model: string;
    }
  | { readonly driver: 'rag' | 'extractive' };

export type SearchSettings = {
  readonly backends: ReadonlyMap<string, BackendSettings>;
  readonly fastSearch: EngineGroups | null;
  /** Where `/v1/websearch` gets its results, in order: names of backends, or `page` for the engine's own pages. */
  readonly websearch: readonly string[];
  readonly answerengine: AnswerSettings | null;
  readonly assistant: AnswerSettings | null;
  readonly chatassistant: AnswerSettings | null;
};

/** The engine name of the built-in index. */
export const OWN_INDEX = 'index';
/** The name under which `websearch` lists the engine's own HTML pages. */
export const PAGE_SOURCE = 'page';

export const DEFAULT_SEARCH_SETTINGS: SearchSettings = {
  backends: new Map(),
  fastSearch: null,
  websearch: [PAGE_SOURCE],
  answerengine: null,
  assistant: null,
  chatassistant: null,
};

const HttpUrl = z.string().refine(isHttpUrl, 'must be an http or https URL without a user');
const Origin = z.string().refine(isOrigin, 'must be an origin such as https://host or http://127.0.0.1:9001');
const BackendName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be up to 40 of a-z, 0-9, - and _');
const MemberPath = z.string().regex(/^[^.\s]+(?:\.[^.\s]+)*$/, 'must be member names separated by dots');
const Template = z
  .string()
  .max(1000)
  .refine(
    (text) => listTemplateWords(text).every(isTemplateWord),
    `may contain only ${TEMPLATE_WORDS.map((word) => `{${word}}`).join(', ')}`,
  );
const HeaderValue = z
  .string()
  .max(4000)
  .regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII characters');

const Searxng = z.strictObject({ driver: z.literal('searxng'), url: HttpUrl });
const Preset = z.strictObject({ driver: z.enum(PRESETS), key: HeaderValue, origin: Origin.optional() });
const Pages = z.strictObject({ driver: z.enum(ENGINES), origin: Origin.optional() });
const Json = z.strictObject({
  driver: z.literal('json'),
  url: HttpUrl,
  origin: Origin.optional(),
  headers: z.record(z.string(), HeaderValue).default({}),
  query: z.record(z.string(), Template).default({}),
  body: z.json().optional(),
  results: MemberPath,
  news: MemberPath.optional(),
  paid: MemberPath.optional(),
  total: MemberPath.optional(),
  fields: z.strictObject({
    title: MemberPath,
    url: MemberPath,
    description: MemberPath,
    published_at: MemberPath.optional(),
    language: MemberPath.optional(),
    image_url: MemberPath.optional(),
  }),
  page_size: z.int().min(1).max(100).default(10),
  most_pages: z.int().min(1).max(1000).default(10),
});
const ChainEntry = z
  .array(z.union([BackendName, z.array(BackendName).min(1).max(10)]))
  .min(1)
  .max(20);
const AnswerEntry = z.discriminatedUnion('driver', [
  z.strictObject({
    driver: z.enum(['sonar', 'responses']),
    url: HttpUrl,
    key: HeaderValue.optional(),
    model: z.string().min(1).max(200),
  }),
  z.strictObject({ driver: z.enum(['rag', 'extractive']) }),
]);

const BackendEntry = z.discriminatedUnion('driver', [Searxng, Json, Preset, Pages]);
const SearchFile = z.strictObject({
  backends: z
    .record(BackendName, BackendEntry)
    .refine((all) => !Object.hasOwn(all, OWN_INDEX), {
      path: [OWN_INDEX],
      error: 'is reserved for the built-in index; choose another backend name',
    })
    .default({}),
  fast_search: ChainEntry.optional(),
  websearch: z.array(BackendName).min(1).max(20).optional(),
  answerengine: AnswerEntry.optional(),
  assistant: AnswerEntry.optional(),
  chatassistant: AnswerEntry.optional(),
});

/** Reads a search settings file (JSON); the defaults if `file` is null. Throws `OperatorError` with the invalid setting. */
export function loadSearchSettings(file: string | null): SearchSettings {
  if (file === null) return DEFAULT_SEARCH_SETTINGS;
  return readJsonFile({ setting: 'QUERN_SEARCH_FILE', file }, (given) => {
    const { backends: entries, ...read } = SearchFile.parse(given);
    const backends = new Map(Object.entries(entries).map(([name, entry]) => [name, toBackendSettings(entry)]));
    return {
      backends,
      fastSearch: read.fast_search === undefined ? null : toEngineGroups(read.fast_search, [...backends.keys()]),
      websearch: chooseWebsearchSources(read.websearch, backends),
      answerengine: toAnswerSettings(read.answerengine),
      assistant: toAnswerSettings(read.assistant),
      chatassistant: toAnswerSettings(read.chatassistant),
    };
  });
}

/** The engines of fast searches: `fast_search` if set, otherwise every backend followed by the built-in index. */
export function chooseEngines({ backends, fastSearch }: SearchSettings, hasIndex: boolean): EngineGroups {
  const all = fastSearch ?? [...backends.keys(), OWN_INDEX].map((name) => [name]);
  const available = all.map((group) => group.filter((name) => name !== OWN_INDEX || hasIndex));
  return available.filter(({ length }) => length > 0);
}

function toEngineGroups(chain: z.output<typeof ChainEntry>, backends: readonly string[]): EngineGroups {
  const known = [...backends, OWN_INDEX];
  const groups = chain.map((one) => (typeof one === 'string' ? [one] : one));
  const unknown = groups.flat().find((name) => !known.includes(name));
  if (unknown === undefined) return groups;
  throw new Error(`fast_search: ${unknown} is not a configured backend; did you mean ${closest(unknown, known)}?`);
}

/** The listed sources, otherwise every backend that has this engine's results followed by its pages. Throws for other engines. */
function chooseWebsearchSources(
  given: readonly string[] | undefined,
  backends: SearchSettings['backends'],
): readonly string[] {
  const apis = [...backends].flatMap(([name, one]) => (one.driver === 'json' ? [{ name, use: one.websearch }] : []));
  if (given === undefined)
    return [...apis.filter(({ use }) => use === 'by default').map(({ name }) => name), PAGE_SOURCE];
  const known = [...apis.filter(({ use }) => use !== 'never').map(({ name }) => name), PAGE_SOURCE];
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return given;
  throw new Error(
    backends.has(unknown)
      ? `websearch: ${unknown} is another engine; use a backend with driver serper or json, or ${PAGE_SOURCE}`
      : `websearch: ${unknown} is not a configured backend; did you mean ${closest(unknown, known)}?`,
  );
}

function toBackendSettings(entry: z.output<typeof BackendEntry>): BackendSettings {
  if (entry.driver === 'searxng') return entry;
  if (entry.driver === 'json') {
    return { driver: 'json', api: toJsonApi(entry), websearch: entry.paid === undefined ? 'if listed' : 'by default' };
  }
  const { origin = null } = entry;
  if (!('key' in entry)) return { driver: 'pages', engine: entry.driver, origin };
  const { driver, key } = entry;
  return {
    driver: 'json',
    api: buildPresetApi(driver, key, origin),
    websearch: driver === 'serper' ? 'by default' : 'never',
  };
}

function toJsonApi({
  url,
  origin,
  body,
  page_size: pageSize,
  most_pages: mostPages,
  ...rest
}: z.output<typeof Json>): JsonApi {
  return {
    ...rest,
    url: origin === undefined ? url : replaceOrigin(url, origin),
    body: body ?? null,
    pageSize,
    maxPages: mostPages,
  };
}

function toAnswerSettings(answer: z.output<typeof AnswerEntry> | undefined): AnswerSettings | null {
  if (answer === undefined) return null;
  return 'url' in answer ? { ...answer, key: answer.key ?? null } : answer;
}

/** Replaces the scheme, host and port of a URL. */
export function replaceOrigin(url: string, origin: string): string {
  const { pathname, search } = new URL(url);
  return `${origin}${pathname}${search}`;
}

function listTemplateWords(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => word);
}

function isTemplateWord(word: string): boolean {
  return TEMPLATE_WORDS.some((known) => known === word);
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}
