import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { readJsonFile } from '#kernel/json-file.ts';
import { type JsonApi, TEMPLATE_WORDS } from './backend/json-api.ts';
import { type EngineName, ENGINES } from '#sites/engines/names.ts';
import { PRESETS, presetApi } from './backend/presets.ts';

/**
 * Whether an API answers with the results of the engine of `/v1/websearch`: one that is known to, one of which only the
 * operator knows, who names it, or one of another engine.
 */
type WebsearchUse = 'by itself' | 'where named' | 'never';

/** A backend of the operator by its driver. */
export type BackendSettings =
  | { readonly driver: 'searxng'; readonly url: string }
  | { readonly driver: 'json'; readonly api: JsonApi; readonly websearch: WebsearchUse }
  /** An engine by its pages, at another origin where one is given. */
  | { readonly driver: 'pages'; readonly engine: EngineName; readonly origin: string | null };

/** The order of the backends of a search; those of one group are asked together. */
export type ChainSettings = readonly (readonly string[])[];

/** A model that answers with sources, in one of the two dialects of such. */
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
  readonly fastSearch: ChainSettings | null;
  /** The ways to the engine of `/v1/websearch`, in their order: APIs by name, and its pages. */
  readonly websearch: readonly string[];
  readonly answerengine: AnswerSettings | null;
  readonly assistant: AnswerSettings | null;
  readonly chatassistant: AnswerSettings | null;
};

/** The name of the own index among the engines. */
export const INDEX = 'index';
/** The name of the engine's own pages among the ways of `/v1/websearch`. */
export const PAGE = 'page';

export const NO_SEARCH_SETTINGS: SearchSettings = {
  backends: new Map(),
  fastSearch: null,
  websearch: [PAGE],
  answerengine: null,
  assistant: null,
  chatassistant: null,
};

const HttpUrl = z.string().refine(isHttp, 'must be an http or https URL without a user');
const Origin = z.string().refine(isOrigin, 'must be an origin such as https://host or http://127.0.0.1:9001');
const Name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be up to 40 of a-z, 0-9, - and _');
const Path = z.string().regex(/^[^.\s]+(?:\.[^.\s]+)*$/, 'must be names with dots between them');
const Template = z
  .string()
  .max(1000)
  .refine(
    (text) => templateWords(text).every(isTemplateWord),
    `may hold ${TEMPLATE_WORDS.map((word) => `{${word}}`).join(', ')}`,
  );
const Header = z
  .string()
  .max(4000)
  .regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII characters');

const Searxng = z.strictObject({ driver: z.literal('searxng'), url: HttpUrl });
const Preset = z.strictObject({ driver: z.enum(PRESETS), key: Header, origin: Origin.optional() });
const Pages = z.strictObject({ driver: z.enum(ENGINES), origin: Origin.optional() });
const Json = z.strictObject({
  driver: z.literal('json'),
  url: HttpUrl,
  origin: Origin.optional(),
  headers: z.record(z.string(), Header).default({}),
  query: z.record(z.string(), Template).default({}),
  body: z.json().optional(),
  results: Path,
  news: Path.optional(),
  paid: Path.optional(),
  total: Path.optional(),
  fields: z.strictObject({
    title: Path,
    url: Path,
    description: Path,
    published_at: Path.optional(),
    language: Path.optional(),
    image_url: Path.optional(),
  }),
  page_size: z.int().min(1).max(100).default(10),
  most_pages: z.int().min(1).max(1000).default(10),
});
const Chain = z
  .array(z.union([Name, z.array(Name).min(1).max(10)]))
  .min(1)
  .max(20);
const Answer = z.discriminatedUnion('driver', [
  z.strictObject({
    driver: z.enum(['sonar', 'responses']),
    url: HttpUrl,
    key: Header.optional(),
    model: z.string().min(1).max(200),
  }),
  z.strictObject({ driver: z.enum(['rag', 'extractive']) }),
]);

const BackendEntry = z.discriminatedUnion('driver', [Searxng, Json, Preset, Pages]);
const SearchFile = z.strictObject({
  backends: z
    .record(Name, BackendEntry)
    .refine((all) => !Object.hasOwn(all, INDEX), {
      path: [INDEX],
      error: 'is the name of the own index; give the backend another',
    })
    .default({}),
  fast_search: Chain.optional(),
  websearch: z.array(Name).min(1).max(20).optional(),
  answerengine: Answer.optional(),
  assistant: Answer.optional(),
  chatassistant: Answer.optional(),
});

/** The settings of a search file (JSON), or none without one. Throws `OperatorError` that names what is wrong. */
export function loadSearch(file: string | null): SearchSettings {
  if (file === null) return NO_SEARCH_SETTINGS;
  return readJsonFile({ setting: 'QUERN_SEARCH_FILE', file }, (given) => {
    const { backends: entries, ...read } = SearchFile.parse(given);
    const backends = new Map(Object.entries(entries).map(([name, entry]) => [name, toBackend(entry)]));
    return {
      backends,
      fastSearch: read.fast_search === undefined ? null : toChain(read.fast_search, [...backends.keys()]),
      websearch: waysOf(read.websearch, backends),
      answerengine: toAnswer(read.answerengine),
      assistant: toAnswer(read.assistant),
      chatassistant: toAnswer(read.chatassistant),
    };
  });
}

/** The engines of fast searches: those of the settings in their order, else every backend and then the own index. */
export function enginesOf({ backends, fastSearch }: SearchSettings, hasIndex: boolean): ChainSettings {
  const all = fastSearch ?? [...backends.keys(), INDEX].map((name) => [name]);
  const there = all.map((group) => group.filter((name) => name !== INDEX || hasIndex));
  return there.filter(({ length }) => length > 0);
}

function toChain(chain: z.output<typeof Chain>, backends: readonly string[]): ChainSettings {
  const known = [...backends, INDEX];
  const groups = chain.map((one) => (typeof one === 'string' ? [one] : one));
  const unknown = groups.flat().find((name) => !known.includes(name));
  if (unknown === undefined) return groups;
  throw new Error(`fast_search: ${unknown} is no backend; the nearest is ${closest(unknown, known)}`);
}

/** The named ways, else every API that is known to have them and then the pages. Other engines have no place among them. */
function waysOf(given: readonly string[] | undefined, backends: SearchSettings['backends']): readonly string[] {
  const apis = [...backends].flatMap(([name, one]) => (one.driver === 'json' ? [{ name, use: one.websearch }] : []));
  if (given === undefined) return [...apis.filter(({ use }) => use === 'by itself').map(({ name }) => name), PAGE];
  const known = [...apis.filter(({ use }) => use !== 'never').map(({ name }) => name), PAGE];
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return given;
  throw new Error(
    backends.has(unknown)
      ? `websearch: ${unknown} is another engine; backends of serper or json, and ${PAGE} can stand here`
      : `websearch: ${unknown} is no backend; the nearest is ${closest(unknown, known)}`,
  );
}

function toBackend(entry: z.output<typeof BackendEntry>): BackendSettings {
  if (entry.driver === 'searxng') return entry;
  if (entry.driver === 'json') {
    return { driver: 'json', api: toApi(entry), websearch: entry.paid === undefined ? 'where named' : 'by itself' };
  }
  const { origin = null } = entry;
  if (!('key' in entry)) return { driver: 'pages', engine: entry.driver, origin };
  const { driver, key } = entry;
  return {
    driver: 'json',
    api: presetApi(driver, key, origin),
    websearch: driver === 'serper' ? 'by itself' : 'never',
  };
}

function toApi({
  url,
  origin,
  body,
  page_size: pageSize,
  most_pages: mostPages,
  ...rest
}: z.output<typeof Json>): JsonApi {
  return { ...rest, url: origin === undefined ? url : atOrigin(url, origin), body: body ?? null, pageSize, mostPages };
}

function toAnswer(answer: z.output<typeof Answer> | undefined): AnswerSettings | null {
  if (answer === undefined) return null;
  return 'url' in answer ? { ...answer, key: answer.key ?? null } : answer;
}

/** A URL with another scheme, host and port. */
export function atOrigin(url: string, origin: string): string {
  const { pathname, search } = new URL(url);
  return `${origin}${pathname}${search}`;
}

function templateWords(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => word);
}

function isTemplateWord(word: string): boolean {
  return TEMPLATE_WORDS.some((known) => known === word);
}

function isHttp(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}
