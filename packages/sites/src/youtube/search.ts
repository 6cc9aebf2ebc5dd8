import { z } from 'zod';
import { answerEmpty, buildPage, markPartial, unusable } from '#sites/framework/answers.ts';
import { type EndpointSource, declareListCrawl } from '#sites/framework/endpoint.ts';
import type { RequestContext, SiteRequest } from '#sites/framework/request.ts';
import { readAttributeAt, readLineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { findVariable } from '#extract/dom/scripts.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toInteger, toLine, toArray } from '#extract/values/raw.ts';
import { readSearchResults, SearchResult } from './search-results.ts';
import { buildContext, readText, VideoInput } from './shared.ts';
import { youtube } from './site.ts';

const createFlag = (what: string) => z.boolean().default(false).describe(`Only ${what}`);

const { country, language } = VideoInput.shape;

const SearchInput = z.object({
  search: z.string().trim().min(1).max(1000).describe('Words to search for'),
  type: z.enum(['video', 'channel', 'playlist', 'short', 'all']).default('video').describe('Type of results'),
  upload_date: z.enum(['today', 'week', 'month', 'year']).optional().describe('Maximum age'),
  duration: z
    .enum(['short', 'medium', 'long'])
    .optional()
    .describe('short: under 3 minutes; medium: 3 to 20 minutes; long: over 20 minutes'),
  sort_by: z
    .enum(['relevance', 'popularity', 'upload_date', 'rating'])
    .default('relevance')
    .describe(
      'The site sorts by relevance and popularity; by upload_date each page is sorted by itself, rating is not available',
    ),
  live: createFlag('live videos'),
  hd: createFlag('high definition'),
  '4k': createFlag('4K'),
  hdr: createFlag('HDR'),
  '360': createFlag('videos in 360 degrees'),
  vr180: createFlag('VR180'),
  '3d': createFlag('3D'),
  subtitles: createFlag('videos with subtitles'),
  creative_commons: createFlag('videos under a Creative Commons licence'),
  location: createFlag('videos with a location'),
  purchased: createFlag('purchased videos'),
  country,
  language,
});

type SearchInput = z.output<typeof SearchInput>;

const SearchPage = z.object({
  results: z.array(SearchResult).readonly(),
  corrected_query: z.string().nullable().describe('The corrected words for which the site searched instead'),
  estimated_results: z.int().min(0).nullable(),
});

type SearchSource = EndpointSource<typeof SearchInput, typeof SearchPage>;

/** The result page; the pages after the first come from the site's API. */
const pageSource: SearchSource = {
  name: 'page',
  request: (input, site) =>
    site.cursor === null
      ? {
          origin: 'web',
          path: '/results',
          query: {
            search_query: input.search,
            sp: buildFilter(input),
            hl: input.language,
            gl: input.country.toUpperCase(),
          },
          language: input.language,
        }
      : buildApiRequest(input, site),
  parse(source, input, site) {
    if (site.cursor !== null) return readAnswer(source.body, input, site.cursor);
    const html = parsePage(source.body, source.url);
    const shownWords = /^(.+) - [^-]+$/.exec(readLineAt(html, 'title') ?? '')?.[1] ?? null;
    const locale = readAttributeAt(html, 'html', 'lang') ?? input.language;
    return readPage(findVariable(html, 'ytInitialData'), { input, locale, shownWords, token: parseToken(null) });
  },
};

/** The API that the result page itself uses. */
const apiSource: SearchSource = {
  name: 'interface',
  request: buildApiRequest,
  parse: (given, input, { cursor }) => readAnswer(given.body, input, cursor),
};

export const youtubeSearch = youtube({
  path: '/search',
  summary: 'Search videos, channels, playlists or shorts',
  input: SearchInput,
  record: SearchPage,
  aliases: {
    search: ['q', 'query', 'keyword', 'keywords'],
    country: ['geo'],
    language: ['locale'],
    limit: ['per_page'],
  },
  list: 'results',
  limit: { default: 20, max: 50 },
  sources: [pageSource, apiSource],
  expected: ['results.thumbnails', 'results.channel'],
  canary: { search: 'windmill' },
});

export const youtubeSearchCrawl = declareListCrawl(youtubeSearch, {
  method: 'POST',
  summary: 'All videos that a search finds, as a job',
  by: 'id',
  bound: { name: 'max_results', default: 200, max: 1000 },
});

/** Builds the site's filter parameter of a search; null without a filter. */
function buildFilter(input: SearchInput): string | null {
  const { type, upload_date, duration, sort_by: order } = input;
  const features = FEATURE_NAMES.filter((name) => input[name]);
  return encodeFilter({ type, upload_date, duration, features, popular: order === 'popularity' });
}

const isFeature = (name: string): name is VideoFeature => Object.hasOwn(VIDEO_FEATURES, name);

type VideoFeature = keyof typeof VIDEO_FEATURES;

/** Features of videos with the filter field of each. */
const VIDEO_FEATURES = {
  hd: 4,
  subtitles: 5,
  creative_commons: 6,
  '3d': 7,
  live: 8,
  purchased: 9,
  '4k': 14,
  '360': 15,
  location: 23,
  hdr: 25,
  vr180: 26,
} as const;

const FEATURE_NAMES: readonly VideoFeature[] = Object.keys(VIDEO_FEATURES).filter(isFeature);

function buildApiRequest(input: SearchInput, site: RequestContext): SiteRequest {
  const { cursor } = site;
  const wanted =
    cursor === null
      ? { query: input.search, params: buildFilter(input) ?? undefined }
      : { continuation: parseToken(cursor).token };
  return {
    origin: 'web',
    path: '/youtubei/v1/search',
    query: { prettyPrint: false },
    post: { json: { context: buildContext(input, site), ...wanted } },
    language: input.language,
  };
}

/** The position in a search: the corrected words, the ids of the last page, and the site's token. */
type SearchToken = { readonly words: string | null; readonly seen: readonly string[]; readonly token: string };

/** The number of ids in a token; one page of the site has about twenty results. */
const MAX_SEEN = 60;

function parseToken(cursor: string | null): SearchToken {
  const [, words = '', seen = '', token = ''] = /^(?:(.*)\n(.*)\n)?(.*)$/.exec(cursor ?? '') ?? [];
  return { words: words === '' ? null : words, seen: seen.split(' ').filter(Boolean), token };
}

function toToken({ words, seen, token }: SearchToken): string {
  return [words?.replaceAll(/\s+/g, ' ') ?? '', seen.slice(-MAX_SEEN).join(' '), token].join('\n');
}

/** Reads an answer of the API, which has no title with the searched words. */
function readAnswer(body: string, input: SearchInput, cursor: string | null): ReturnType<SearchSource['parse']> {
  return readPage(parseJsonValue(body), { input, locale: input.language, shownWords: null, token: parseToken(cursor) });
}

type SearchReading = {
  readonly input: SearchInput;
  readonly locale: string;
  /** The searched words from the title of the page; null for an answer of the API. */
  readonly shownWords: string | null;
  /** The position before this page. */
  readonly token: SearchToken;
};

function readPage(
  data: unknown,
  { input, locale, shownWords, token }: SearchReading,
): ReturnType<SearchSource['parse']> {
  const sections = findSections(data);
  if (sections === null) return unusable('the results of a search are missing');
  const corrected =
    findObjectsWith(sections, 'correctedQuery')
      .map((one) => readText(one['correctedQuery']))
      .at(0) ?? token.words;
  const echoes = [
    ...listQueries(getPath(data, 'header')),
    ...listQueries(findSubMenu(data)),
    ...(shownWords === null ? [] : [shownWords]),
  ];
  if (echoes.length > 0 && ![input.search, corrected ?? input.search].some((words) => echoes.some(matchWords(words)))) {
    return unusable(`results of another search: ${echoes[0]?.slice(0, 100)}`);
  }
  const read = readSearchResults(sections, locale);
  const following = toLine(
    sections
      .map((one) => getPath(one, 'continuationItemRenderer', 'continuationEndpoint', 'continuationCommand', 'token'))
      .find((one) => one !== undefined),
  );
  if (read.length === 0) return hasNoResults(sections) ? answerEmpty() : unusable('no readable results');
  // The site repeats a result of the page before.
  const results = read.filter(({ id }) => !token.seen.includes(id));
  const seen = read.map(({ id }) => id);
  const next =
    following === null ? null : toToken({ words: corrected, seen: [...token.seen, ...seen], token: following });
  const record = {
    results,
    corrected_query: corrected,
    estimated_results: toInteger(getPath(data, 'estimatedResults')),
  };
  const { sort_by: order } = input;
  if (order === 'rating') return markPartial(buildPage(record, next), 'sort_by: the site no longer has ratings');
  if (order !== 'upload_date') return buildPage(record, next);
  const sorted = { ...record, results: sortByAge(results) };
  return markPartial(
    buildPage(sorted, next),
    'sort_by: the site sorts by relevance, so only the results within each page are sorted',
  );
}

/** Finds the sections of a first or a further page; null for any other page. */
function findSections(data: unknown): readonly unknown[] | null {
  const first = getPath(
    data,
    'contents',
    'twoColumnSearchResultsRenderer',
    'primaryContents',
    'sectionListRenderer',
    'contents',
  );
  const more = toArray(getPath(data, 'onResponseReceivedCommands')).flatMap((one) =>
    toArray(getPath(one, 'appendContinuationItemsAction', 'continuationItems')),
  );
  if (Array.isArray(first)) return first;
  return more.length > 0 ? more : null;
}

function findSubMenu(data: unknown): unknown {
  return getPath(
    data,
    'contents',
    'twoColumnSearchResultsRenderer',
    'primaryContents',
    'sectionListRenderer',
    'subMenu',
  );
}

/** Lists the searched words of the links in a menu. */
function listQueries(menu: unknown): readonly string[] {
  return findObjectsWith(menu, 'searchEndpoint').flatMap(
    (one) => toLine(getPath(one['searchEndpoint'], 'query')) ?? [],
  );
}

function matchWords(words: string): (other: string) => boolean {
  return (other) => toPlainWords(other) === toPlainWords(words);
}

function toPlainWords(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Checks for the site's message for no results or no further results. */
function hasNoResults(sections: readonly unknown[]): boolean {
  return sections.some((section) =>
    toArray(getPath(section, 'itemSectionRenderer', 'contents')).some(
      (one) => getPath(one, 'backgroundPromoRenderer') !== undefined || getPath(one, 'messageRenderer') !== undefined,
    ),
  );
}

/**
 * Numbers of the site's search filter, a protobuf message: field 1 is the order, field 2 the filters. The codes come from
 * the links of the filter menu of a result page.
 */
const ORDERS = { popularity: 3 } as const;
const DATES = { today: 2, week: 3, month: 4, year: 5 } as const;
const TYPES = { video: 1, channel: 2, playlist: 3, short: 9 } as const;
const DURATIONS = { short: 4, medium: 5, long: 2 } as const;

type SearchFilter = {
  readonly popular: boolean;
  readonly upload_date?: keyof typeof DATES | undefined;
  readonly type: keyof typeof TYPES | 'all';
  readonly duration?: keyof typeof DURATIONS | undefined;
  readonly features: readonly VideoFeature[];
};

/** Encodes a filter as base64, the `sp` parameter of a result page; null for an empty filter. */
function encodeFilter(filter: SearchFilter): string | null {
  const { popular, upload_date: date, type, duration, features } = filter;
  const filters = [
    ...(date === undefined ? [] : encodeField(1, DATES[date])),
    ...(type === 'all' ? [] : encodeField(2, TYPES[type])),
    ...(duration === undefined ? [] : encodeField(3, DURATIONS[duration])),
    ...features
      .map((name) => VIDEO_FEATURES[name])
      .toSorted((one, other) => one - other)
      .flatMap((number) => encodeField(number, 1)),
  ];
  const order = popular ? encodeField(1, ORDERS.popularity) : [];
  const bytes = filters.length === 0 ? order : [...order, (2 << 3) | 2, filters.length, ...filters];
  return bytes.length === 0 ? null : Buffer.from(bytes).toString('base64');
}

/** Encodes a field with a small number: its tag as a varint of one or two bytes, then the value. */
function encodeField(number: number, value: number): readonly number[] {
  const tag = number << 3;
  return tag < 0x80 ? [tag, value] : [(tag & 0x7f) | 0x80, tag >> 7, value];
}

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
const MINUTES: Readonly<Record<(typeof UNITS)[number], number>> = {
  second: 1 / 60,
  minute: 1,
  hour: 60,
  day: 1440,
  week: 10_080,
  month: 43_800,
  year: 525_600,
};
const AGE = new RegExp(`(\\d{1,4}) (${UNITS.join('|')})s? ago`);

/** Sorts the newest first, by the site's texts such as `3 days ago`; results without one come last. */
function sortByAge(results: readonly SearchResult[]): readonly SearchResult[] {
  return results.toSorted((one, other) => parseAgeMinutes(one) - parseAgeMinutes(other));
}

/** Parses the age of a result in minutes. */
function parseAgeMinutes({ published_text: text }: SearchResult): number {
  const [, count, name] = AGE.exec(text ?? '') ?? [];
  const unit = UNITS.find((one) => one === name);
  return unit === undefined ? Number.MAX_SAFE_INTEGER : Number(count) * MINUTES[unit];
}
