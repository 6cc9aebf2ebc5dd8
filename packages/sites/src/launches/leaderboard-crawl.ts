import { tryParse } from '#extract/values/json.ts';
import { pageOf, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { declareListCrawl } from '#sites/framework/list-crawl.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import {
  Board,
  buildBoard,
  buildBoardApiRequest,
  buildInterfaceRequest,
  findFeed,
  formatBoardCursor,
  hasQueryHash,
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
import { launches } from './site.ts';
import { buildTermPath, findTerm } from './term.ts';

type CrawlSource = EndpointSource<typeof LeaderboardInput, typeof Board>;

const interfaceSource: CrawlSource = {
  name: 'interface',
  when: (site, input) => hasQueryHash(input, site),
  request: buildInterfaceRequest,
  parse: (source, input) => buildAnswer(parseInterfaceBoard(parseJsonAnswer(source), source, input)),
};

const apiSource: CrawlSource = {
  name: 'api',
  lacks: 'the documented interface gives no ranks',
  when: hasToken,
  request: buildBoardApiRequest,
  parse: (source, input) => buildAnswer(parseApiBoard(source, input)),
};

/** The page, scrolled to its end. If the end is not reached, the query that scrolling sends fetches the rest. */
const scrollSource: CrawlSource = {
  name: 'scroll',
  needs: 'browser',
  browser: { scroll: 'end', click: ['[data-test="show-more"]', 'button[data-test^="see-all"]'] },
  captures: [{ name: 'feed', path: '/frontend/graphql', type: /json/i }],
  request(input, site) {
    if (site.cursor !== null) return buildInterfaceRequest(input, site);
    const { term } = readBoardPlace(input, site);
    return { origin: 'web', path: `${buildTermPath(term)}${input.featured ? '/featured' : '/all'}` };
  },
  parse: (source, input, { cursor }) =>
    buildAnswer(
      cursor === null ? parseScrolledPage(source, input) : parseInterfaceBoard(parseJsonAnswer(source), source, input),
    ),
};

/** The list that the crawl reads. It has no route of its own. */
const boardPages = launches({
  path: '/leaderboard/crawl',
  summary: 'A page of the whole leaderboard of a day, week, month or year',
  internal: true,
  input: LeaderboardInput,
  record: Board,
  list: 'products',
  sources: [interfaceSource, apiSource, scrollSource],
  expected: ['products.tagline', 'products.upvotes', 'products.topics', 'products.launched_at'],
  canary: { date: '2026-03-07' },
});

export const leaderboardCrawl = declareListCrawl(boardPages, {
  method: 'GET',
  summary: 'All launches of a day, week, month or year, as a job',
  by: 'id',
  bound: { name: 'max_results', default: 1000, most: 5000 },
});

function buildAnswer(parsed: ParsedBoard | SiteAnswer) {
  if (!('board' in parsed)) return parsed;
  const { board, next } = parsed;
  const token =
    next === null || next === undefined ? null : formatBoardCursor(findTerm(board.period, board.start_date), next);
  return reportTopicFilter(pageOf(board, token), board);
}

/** Parses the page of a leaderboard together with the answers that it loaded while scrolling. */
function parseScrolledPage(source: SourcePage, input: LeaderboardInput): ParsedBoard | SiteAnswer {
  const first = parseBoardPage(source, input);
  const term = parseTermUrl(source.requested);
  if (!('board' in first) || term === null) return first;
  const loaded = source.captures.flatMap(({ text }) => findFeed(tryParse(text)) ?? []);
  const { headers } = source;
  const more = buildBoard(
    loaded.flatMap(({ posts }) => posts),
    { input, term, filter: 'client', headers },
  );
  const known = new Set(first.board.products.map(({ id }) => id));
  const products = [...first.board.products, ...more.products.filter(({ id }) => !known.has(id))];
  const next = loaded.length === 0 ? first.next : loaded.at(-1)?.next;
  if (next === undefined) return unusable('where the leaderboard ends');
  return { board: { ...first.board, products }, next };
}
