import { z } from 'zod';
import {
  findCanonicalUrl,
  selectAll,
  readAttributeAt,
  readLineAt,
  readSingleLine,
  selectFirst,
} from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listVariables } from '#extract/dom/scripts.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toBoolean, toCount, toInteger, toLine, toArray } from '#extract/values/raw.ts';
import { markPartial, type SiteAnswer, type SiteRecord, unusable } from '#sites/framework/answers.ts';
import type { RequestContext, SiteRequest, SourcePage } from '#sites/framework/request.ts';
import { buildApiRequest, Launch, listNodes, parseLaunch, readQueryError } from './shared.ts';
import { DATA_MARK, HOME } from './site.ts';
import {
  addDays,
  buildTermPath,
  findDayStart,
  findTerm,
  formatDay,
  type Period,
  PERIODS,
  readTerm,
  type Term,
} from './term.ts';

/** A leaderboard, or a page of it. */
export const Board = z.object({
  period: z.enum(PERIODS),
  date: z.string().describe('First day of the leaderboard'),
  start_date: z.string(),
  end_date: z.string(),
  topic: z.string().nullable(),
  topic_filter: z
    .enum(['client', 'site'])
    .nullable()
    .describe('Whether other topics were removed from each page (client), or by the site'),
  url: z.string(),
  products: z.array(Launch).readonly(),
});

export type Board = z.output<typeof Board>;

export const LeaderboardInput = z.object({
  period: z.enum(PERIODS).default('daily').describe('Period of the leaderboard'),
  date: z.iso.date().optional().describe('Any day of the period, in Pacific time; by default today'),
  year: wholeNumber(2013, 2099).optional().describe('Year, instead of date; with month and day, week, or month'),
  month: wholeNumber(1, 12).optional().describe('Month; requires year'),
  week: wholeNumber(1, 53).optional().describe('ISO week; requires year'),
  day: wholeNumber(1, 31).optional().describe('Day; requires year and month'),
  topic: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,80}$/, 'is the short name of a topic such as developer-tools')
    .optional()
    .describe('Only launches of this topic'),
  featured: z.boolean().default(false).describe('Only launches that the site features'),
});

export type LeaderboardInput = z.output<typeof LeaderboardInput>;

type BoardContext = {
  readonly input: LeaderboardInput;
  readonly term: Term;
  readonly filter: 'client' | 'site';
  readonly headers: SourcePage['headers'];
};

/** Builds a leaderboard from its posts, without duplicates and with the site's ranks. */
export function buildBoard(posts: readonly unknown[], { input, term, filter, headers }: BoardContext): Board {
  const { topic = null, featured } = input;
  const isOver = formatDay(Date.parse(headers['date'] ?? '') || 0) > term.end;
  const byId = new Map<string, Launch>();
  for (const post of posts) {
    const launch = parseLaunch(post);
    if (launch !== null && !byId.has(launch.id)) byId.set(launch.id, rankLaunch(launch, term, isOver));
  }
  const isOfTopic = ({ topics }: Launch): boolean => topics?.some(({ slug }) => slug === topic) === true;
  return {
    period: term.period,
    date: term.start,
    start_date: term.start,
    end_date: term.end,
    topic,
    topic_filter: topic === null ? null : filter,
    url: `${HOME}${buildTermPath(term)}${featured ? '/featured' : '/all'}`,
    products: [...byId.values()].filter((entry) => topic === null || filter === 'site' || isOfTopic(entry)),
  };
}

/** Marks a leaderboard as partial if its topic was filtered here and not by the site. */
export function reportTopicFilter<T extends object>(record: T | SiteRecord<T>, { topic_filter: filter }: Board) {
  return filter === 'client' ? markPartial(record, 'topic: applied only to the launches of this page') : record;
}

/** The site shuffles launches while it hides their counts, so they have no rank. */
function rankLaunch(launch: Launch, { period }: Term, isOver: boolean): Launch {
  const ranks = { daily: launch.daily_rank, weekly: launch.weekly_rank, monthly: launch.monthly_rank, yearly: null };
  const rank = launch.upvotes_hidden === true ? null : ranks[period];
  return { ...launch, rank, rank_is_final: rank !== null && isOver };
}

const PATH = /^\/leaderboard\/(daily|weekly|monthly|yearly)\/(\d{4})(?:\/(\d{1,2}))?(?:\/(\d{1,2}))?(?:\/|$)/;

/** Parses the URL of a leaderboard. Null for any other URL. */
export function parseTermUrl(address: string): Term | null {
  const [, named, ...numbers] = PATH.exec(URL.parse(address, HOME)?.pathname ?? '') ?? [];
  const period = PERIODS.find((entry) => entry === named);
  const [year, second, day] = numbers.map((entry) => (entry === undefined ? undefined : Number(entry)));
  if (period === undefined || year === undefined) return null;
  const part = period === 'weekly' ? { week: second } : { month: second };
  try {
    return readTerm({ period, year, ...part, day }, 0);
  } catch {
    return null;
  }
}

export function isSameTerm(term: Term, other: Term | null): boolean {
  return term.period === other?.period && term.start === other.start;
}

/** The posts of a leaderboard that the site's data contain. */
type Feed = {
  readonly posts: readonly unknown[];
  /** The cursor of the next page: null at the end, undefined if the data do not contain it. */
  readonly next: string | null | undefined;
};

/** Finds the largest leaderboard in the site's data, which may contain several. Leaves out advertisements. */
export function findFeed(data: unknown): Feed | null {
  const feeds = findObjectsWith(data, 'homefeedItems')
    .map(({ homefeedItems }) => homefeedItems)
    .filter((entry) => Array.isArray(getPath(entry, 'edges')))
    .toSorted((entry, other) => toArray(getPath(other, 'edges')).length - toArray(getPath(entry, 'edges')).length);
  const [feed] = feeds;
  if (feed === undefined) return null;
  const posts = listNodes(feed).filter((node) => toLine(getPath(node, '__typename')) === 'Post');
  const more = toBoolean(getPath(feed, 'pageInfo', 'hasNextPage'));
  if (more === null) return { posts, next: undefined };
  return { posts, next: more ? toLine(getPath(feed, 'pageInfo', 'endCursor')) : null };
}

/** A leaderboard, and the cursor of its next page. */
export type ParsedBoard = { readonly board: Board; readonly next: Feed['next'] };

/** Parses the page of a leaderboard: the data in its scripts, else its elements. */
export function parseBoardPage(source: SourcePage, input: LeaderboardInput): ParsedBoard | ReturnType<typeof unusable> {
  const page = parsePage(source.body, source.url);
  const term = parseTermUrl(source.requested);
  const shown = [source.url, findCanonicalUrl(page) ?? source.url].map(parseTermUrl);
  if (term === null || !shown.every((other) => isSameTerm(term, other))) return unusable('another leaderboard');
  const feed = findFeed(listVariables(page, DATA_MARK)) ?? parseRenderedFeed(page, term.period);
  if (feed === null) return unusable('no leaderboard');
  const board = buildBoard(feed.posts, { input, term, filter: 'client', headers: source.headers });
  if (board.products.length === 0 && board.topic === null && feed.posts.length > 0)
    return unusable('no readable launches');
  return { board, next: feed.next };
}

/**
 * Parses the elements of a leaderboard's page. Null for other pages, and if the page has neither launches nor a note
 * that there are none.
 */
function parseRenderedFeed(page: ParsedPage, period: Period): Feed | null {
  if (!/best of product hunt/i.test(`${readLineAt(page, 'h1') ?? ''} ${readLineAt(page, 'title') ?? ''}`)) return null;
  const posts = selectAll(page, '[data-test^="post-item-"]').flatMap((item) => parsePost(page, item, period) ?? []);
  const isFuture = /look into the future/i.test(readLineAt(page, 'main') ?? readLineAt(page, 'body') ?? '');
  return posts.length > 0 || isFuture ? { posts, next: posts.length > 0 ? undefined : null } : null;
}

/** Parses a shown launch into the form of the site's data. Its name may begin with its rank. */
function parsePost(page: ParsedPage, item: number, period: Period) {
  const id = /^post-item-(\d+)$/.exec(getAttribute(page.tree, item, 'data-test') ?? '')?.[1];
  const named = selectFirst(page, '[data-test^="post-name-"]', item);
  const [, rank, name] = /^(?:(\d{1,4})\. )?(.+)$/.exec(readSingleLine(page, named) ?? '') ?? [];
  const slug = /^\/(?:products|posts)\/([^/?#]+)/.exec(readAttributeAt(page, 'a[href]', 'href', item) ?? '')?.[1];
  if (id === undefined || name === undefined || slug === undefined) return null;
  const topics = selectAll(page, 'a[href^="/topics/"]', item).map((link) => ({
    node: { name: readSingleLine(page, link), slug: getAttribute(page.tree, link, 'href')?.slice('/topics/'.length) },
  }));
  const votes = toCount(readLineAt(page, '[data-test="vote-button"]', item), 'en-US')?.value;
  const picture = readAttributeAt(page, 'img', 'src', item);
  return {
    __typename: 'Post',
    id,
    name,
    slug,
    tagline: readLineAt(page, '[data-test^="post-name-"] + *', item),
    product: { slug },
    topics: { edges: topics },
    votesCount: votes,
    [`${period}Rank`]: rank,
    thumbnail: { url: picture === null ? null : new URL(picture, HOME).href },
  };
}

const QUERY_NAMES: Readonly<Record<Period, string>> = {
  daily: 'LeaderboardDailyPage',
  weekly: 'LeaderboardWeeklyPage',
  monthly: 'LeaderboardMonthlyPage',
  yearly: 'LeaderboardYearlyPage',
};
const RANK_ORDERS: Readonly<Record<Period, string>> = {
  daily: 'DAILY_RANK',
  weekly: 'WEEKLY_RANK',
  monthly: 'MONTHLY_RANK',
  yearly: 'YEARLY_RANK',
};

/**
 * Where a page of a leaderboard begins. The cursor includes the day, because the current day may change between
 * pages.
 */
type BoardPlace = { readonly term: Term; readonly after: string | null };

export function readBoardPlace(
  input: LeaderboardInput,
  { cursor, now }: Pick<RequestContext, 'cursor' | 'now'>,
): BoardPlace {
  const [, day, after] = /^(\d{4}-\d{2}-\d{2}) (.+)$/.exec(cursor ?? '') ?? [];
  if (day === undefined || after === undefined) return { term: readTerm(input, now), after: null };
  return { term: findTerm(input.period, day), after };
}

export function formatBoardCursor({ start }: Term, next: string): string {
  return `${start} ${next}`;
}

/** Builds the query that the site's pages send while scrolling. It is identified by its hash. */
export function buildInterfaceRequest(input: LeaderboardInput, site: RequestContext): SiteRequest {
  const { term, after } = readBoardPlace(input, site);
  const { period, numbers } = term;
  const { featured } = input;
  const order = featured ? RANK_ORDERS[period] : 'VOTES';
  const hash = site.constants[`${period}_hash`] ?? '';
  return {
    origin: 'web',
    path: '/frontend/graphql',
    query: {
      operationName: QUERY_NAMES[period],
      variables: JSON.stringify({ featured, ...numbers, order, cursor: after }),
      extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash } }),
    },
    headers: { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' },
  };
}

/** Whether the hash of the query is configured. An operator may remove it. */
export function hasQueryHash({ period }: LeaderboardInput, { constants }: Pick<RequestContext, 'constants'>): boolean {
  return (constants[`${period}_hash`] ?? '') !== '';
}

export function parseInterfaceBoard(
  data: unknown,
  source: SourcePage,
  input: LeaderboardInput,
): ParsedBoard | SiteAnswer {
  const refused = readQueryError(data);
  if (refused !== null) return refused;
  const term = readRequestedTerm(source.requested, input);
  const feed = findFeed(data);
  if (term === null || feed === null || feed.next === undefined) return unusable('no leaderboard');
  const board = buildBoard(feed.posts, { input, term, filter: 'client', headers: source.headers });
  if (board.products.length === 0 && board.topic === null && feed.posts.length > 0)
    return unusable('no readable launches');
  return { board, next: feed.next };
}

function readRequestedTerm(address: string, { period }: LeaderboardInput): Term | null {
  const numbers = parseJsonValue(URL.parse(address)?.searchParams.get('variables') ?? '');
  const [year, month, week, day] = ['year', 'month', 'week', 'day'].map(
    (name) => toInteger(getPath(numbers, name)) ?? undefined,
  );
  return PERIODS.includes(period) && year !== undefined ? readTerm({ period, year, month, week, day }, 0) : null;
}

/** Parses the JSON answer to a query. In a browser it is the text of an HTML page. */
export function parseJsonAnswer({ body }: SourcePage): unknown {
  const shown = /<pre[^>]*>([^<]*)<\/pre>/.exec(body)?.[1];
  return parseJsonValue(body) ?? parseJsonValue(shown ?? '');
}

const POST_FIELDS = `__typename id name slug tagline url votesCount commentsCount createdAt featuredAt
  thumbnail { url } topics(first: 10) { edges { node { name slug } } }`;
const API_PAGE_SIZE = 20;

/**
 * Builds the API's query for a leaderboard. The alias of its answer contains the first day, so that the answer can be
 * identified.
 */
export function buildBoardApiRequest(input: LeaderboardInput, site: RequestContext): SiteRequest {
  const { term, after } = readBoardPlace(input, site);
  const name = `from_${term.start.replaceAll('-', '_')}`;
  const { topic, featured } = input;
  const query = `query Leaderboard($from: DateTime!, $until: DateTime!, $topic: String, $featured: Boolean, $after: String) {
  ${name}: posts(order: RANKING, postedAfter: $from, postedBefore: $until, topic: $topic, featured: $featured, first: ${API_PAGE_SIZE}, after: $after) {
    edges { node { ${POST_FIELDS} } } pageInfo { endCursor hasNextPage } } }`;
  return buildApiRequest(site, query, {
    from: findDayStart(term.start),
    until: findDayStart(addDays(term.end, 1)),
    topic: topic ?? null,
    featured: featured ? true : null,
    after,
  });
}

export function parseApiBoard(source: SourcePage, input: LeaderboardInput): ParsedBoard | SiteAnswer {
  const answer = parseJsonValue(source.body);
  const refused = readQueryError(answer);
  if (refused !== null) return refused;
  const data = getPath(answer, 'data');
  const [name, feed] = isJsonObject(data) ? (Object.entries(data)[0] ?? []) : [];
  const day = /^from_(\d{4})_(\d{2})_(\d{2})$/.exec(name ?? '');
  const read = findFeed({ homefeedItems: feed });
  if (day === null || read === null || read.next === undefined) return unusable('no leaderboard');
  const term = findTerm(input.period, day.slice(1).join('-'));
  return { board: buildBoard(read.posts, { input, term, filter: 'site', headers: source.headers }), next: read.next };
}
