import { z } from 'zod';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { listVariables } from '#extract/dom/scripts.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toLine, toArray } from '#extract/values/raw.ts';
import { buildPage, markPartial, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import { type EndpointSource, declareListCrawl } from '#sites/framework/endpoint.ts';
import type { RequestContext, SourcePage } from '#sites/framework/request.ts';
import {
  Board,
  buildBoard,
  buildBoardApiRequest,
  buildInterfaceRequest,
  findFeed,
  formatBoardCursor,
  hasQueryHash,
  isSameTerm,
  LeaderboardInput,
  parseApiBoard,
  parseBoardPage,
  type ParsedBoard,
  parseInterfaceBoard,
  parseJsonAnswer,
  parseTermUrl,
  readBoardPlace,
  reportTopicFilter,
} from './board.ts';
import { hasToken } from './shared.ts';
import { DATA_MARK, productHunt } from './site.ts';
import { addDays, buildTermPath, findTerm, formatDay, PERIODS, readTerm } from './term.ts';

const Leaderboard = Board.extend({
  truncated: z.literal(true).describe('Always true: only the first launches; launches/leaderboard/crawl returns all'),
  count: z.int().min(0),
});

type BoardSource = EndpointSource<typeof LeaderboardInput, typeof Leaderboard>;

const pageSource: BoardSource = {
  name: 'page',
  request: (input, { now }) => ({
    origin: 'web',
    path: `${buildTermPath(readTerm(input, now))}${input.featured ? '/featured' : '/all'}`,
  }),
  parse: (source, input) => buildAnswer(parseBoardPage(source, input)),
};

const interfaceSource: BoardSource = {
  name: 'interface',
  when: (site, input) => hasQueryHash(input, site),
  request: buildInterfaceRequest,
  parse: (source, input) => buildAnswer(parseInterfaceBoard(parseJsonAnswer(source), source, input)),
};

const apiSource: BoardSource = {
  name: 'api',
  lacks: 'the documented interface has no ranks',
  when: hasToken,
  request: buildBoardApiRequest,
  parse: (source, input) => buildAnswer(parseApiBoard(source, input)),
};

const homeSource: BoardSource = {
  name: 'home',
  when: (site, input) => isOnHomePage(input, site),
  request: () => ({ origin: 'web', path: '/' }),
  parse(source, input) {
    const board = parseHomePage(source, input);
    if (!('products' in board)) return board;
    const answer = reportTopicFilter(buildRecord(board), board);
    return input.featured ? answer : markPartial(answer, 'the home page shows only featured launches');
  },
};

export const productHuntLeaderboard = productHunt({
  path: '/leaderboard',
  summary: 'The top launches of a day, week, month or year',
  input: LeaderboardInput,
  record: Leaderboard,
  sources: [pageSource, interfaceSource, apiSource, homeSource],
  expected: ['products.tagline', 'products.upvotes', 'products.topics', 'products.launched_at'],
  canary: { date: '2026-03-07' },
});

function buildRecord(board: Board) {
  return { ...board, truncated: true as const, count: board.products.length };
}

function buildAnswer(parsed: ParsedBoard | SiteAnswer) {
  return 'board' in parsed ? reportTopicFilter(buildRecord(parsed.board), parsed.board) : parsed;
}

/** Whether the home page shows the leaderboard: that of today, yesterday, last week or last month. */
function isOnHomePage(input: LeaderboardInput, { now }: Pick<RequestContext, 'now'>): boolean {
  const today = formatDay(now);
  const { start: week } = findTerm('weekly', today);
  const { start: month } = findTerm('monthly', today);
  const shown = [
    findTerm('daily', today),
    findTerm('daily', addDays(today, -1)),
    findTerm('weekly', addDays(week, -1)),
    findTerm('monthly', addDays(month, -1)),
  ];
  const wanted = readTerm(input, now);
  return shown.some((one) => isSameTerm(wanted, one));
}

/** Parses the leaderboard in one of the sections of the home page. */
function parseHomePage(source: SourcePage, input: LeaderboardInput): Board | ReturnType<typeof unusable> {
  const sections = findObjectsWith(
    listVariables(parsePage(source.body, source.url), DATA_MARK),
    'items',
    'period',
    'date',
  );
  const isDated = input.date !== undefined || input.year !== undefined;
  for (const section of sections) {
    const period = PERIODS.find((one) => one === toLine(section['period']));
    const day = /^\d{4}-\d{2}-\d{2}/.exec(toLine(section['date']) ?? '')?.[0];
    if (period === undefined || day === undefined || period !== input.period) continue;
    const term = findTerm(period, day);
    const isWanted = isDated ? isSameTerm(term, readTerm(input, 0)) : section['id'] === 'FEATURED-0';
    if (!isWanted) continue;
    const isShuffled = section['randomization'] === true;
    const posts = toArray(section['items']).filter((item) => toLine(getPath(item, '__typename')) === 'Post');
    const board = buildBoard(posts, { input, term, filter: 'client', headers: source.headers });
    if (posts.length === 0 || (board.products.length === 0 && board.topic === null)) break;
    const products = isShuffled
      ? board.products.map((one) => ({ ...one, rank: null, rank_is_final: false }))
      : board.products;
    return { ...board, products };
  }
  return unusable('this leaderboard on the home page is missing');
}

type CrawlSource = EndpointSource<typeof LeaderboardInput, typeof Board>;

const crawlInterfaceSource: CrawlSource = {
  name: 'interface',
  when: (site, input) => hasQueryHash(input, site),
  request: buildInterfaceRequest,
  parse: (source, input) => buildCrawlAnswer(parseInterfaceBoard(parseJsonAnswer(source), source, input)),
};

const crawlApiSource: CrawlSource = {
  name: 'api',
  lacks: 'the documented interface has no ranks',
  when: hasToken,
  request: buildBoardApiRequest,
  parse: (source, input) => buildCrawlAnswer(parseApiBoard(source, input)),
};

/** The page, scrolled to its end. If the end is not reached, the query that scrolling sends fetches the rest. */
const scrollSource: CrawlSource = {
  name: 'scroll',
  needs: 'browser',
  browser: { scroll: 'end', click: ['[data-test="show-more"]', 'button[data-test^="see-all"]'] },
  captures: [{ name: 'feed', path: '/frontend/graphql', contentType: /json/i }],
  request(input, site) {
    if (site.cursor !== null) return buildInterfaceRequest(input, site);
    const { term } = readBoardPlace(input, site);
    return { origin: 'web', path: `${buildTermPath(term)}${input.featured ? '/featured' : '/all'}` };
  },
  parse: (source, input, { cursor }) =>
    buildCrawlAnswer(
      cursor === null ? parseScrolledPage(source, input) : parseInterfaceBoard(parseJsonAnswer(source), source, input),
    ),
};

/** The list that the crawl reads. It has no route of its own. */
export const productHuntLeaderboardPages = productHunt({
  path: '/leaderboard/crawl',
  summary: 'A page of the whole leaderboard of a day, week, month or year',
  internal: true,
  input: LeaderboardInput,
  record: Board,
  list: 'products',
  sources: [crawlInterfaceSource, crawlApiSource, scrollSource],
  expected: ['products.tagline', 'products.upvotes', 'products.topics', 'products.launched_at'],
  canary: { date: '2026-03-07' },
});

export const productHuntLeaderboardCrawl = declareListCrawl(productHuntLeaderboardPages, {
  method: 'GET',
  summary: 'All launches of a day, week, month or year, as a job',
  by: 'id',
  bound: { name: 'max_results', default: 1000, max: 5000 },
});

function buildCrawlAnswer(parsed: ParsedBoard | SiteAnswer) {
  if (!('board' in parsed)) return parsed;
  const { board, next } = parsed;
  const token =
    next === null || next === undefined ? null : formatBoardCursor(findTerm(board.period, board.start_date), next);
  return reportTopicFilter(buildPage(board, token), board);
}

/** Parses the page of a leaderboard together with the answers that it loaded while scrolling. */
function parseScrolledPage(source: SourcePage, input: LeaderboardInput): ParsedBoard | SiteAnswer {
  const first = parseBoardPage(source, input);
  const term = parseTermUrl(source.requested);
  if (!('board' in first) || term === null) return first;
  const loaded = source.captures.flatMap(({ text }) => findFeed(parseJsonValue(text)) ?? []);
  const { headers } = source;
  const more = buildBoard(
    loaded.flatMap(({ posts }) => posts),
    { input, term, filter: 'client', headers },
  );
  const known = new Set(first.board.products.map(({ id }) => id));
  const products = [...first.board.products, ...more.products.filter(({ id }) => !known.has(id))];
  const next = loaded.length === 0 ? first.next : loaded.at(-1)?.next;
  if (next === undefined) return unusable('the end of the leaderboard is missing');
  return { board: { ...first.board, products }, next };
}
