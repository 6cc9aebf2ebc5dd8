import { pageOf } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { crawlOf } from '#sites/framework/list-crawl.ts';
import { Board, withGap } from './board.ts';
import { hasToken } from './graph-api.ts';
import { askApiForBoard, readApiBoard } from './leaderboard-api.ts';
import { LeaderboardInput } from './leaderboard-input.ts';
import {
  answerIn,
  askInterface,
  knowsQuery,
  boardPlaceOf,
  readInterface,
  toBoardToken,
} from './leaderboard-interface.ts';
import type { ReadBoard } from './leaderboard-page.ts';
import { readScrolledPage } from './leaderboard-scroll.ts';
import { launches } from './site.ts';
import { pathOfTerm, termOf } from './term.ts';

type WholeBoardSource = EndpointSource<typeof LeaderboardInput, typeof Board>;

function toAnswer(read: ReadBoard | SiteAnswer) {
  if (!('board' in read)) return read;
  const { board, next } = read;
  const token = next === null || next === undefined ? null : toBoardToken(termOf(board.period, board.start_date), next);
  return withGap(pageOf(board, token), board);
}

const asked: WholeBoardSource = {
  name: 'interface',
  when: (site, input) => knowsQuery(input, site),
  request: askInterface,
  parse: (given, input) => toAnswer(readInterface(answerIn(given), given, input)),
};

const api: WholeBoardSource = {
  name: 'api',
  lacks: 'the documented interface gives no ranks',
  when: hasToken,
  request: askApiForBoard,
  parse: (given, input) => toAnswer(readApiBoard(given, input)),
};

/** The page, scrolled to its end; where the end does not come, the rest is asked for by the query that scrolling sends. */
const scrolled: WholeBoardSource = {
  name: 'scroll',
  needs: 'browser',
  browser: { scroll: 'end', click: ['[data-test="show-more"]', 'button[data-test^="see-all"]'] },
  captures: [{ name: 'feed', path: '/frontend/graphql', type: /json/i }],
  request(input, site) {
    if (site.cursor !== null) return askInterface(input, site);
    const { term } = boardPlaceOf(input, site);
    return { origin: 'web', path: `${pathOfTerm(term)}${input.featured ? '/featured' : '/all'}` };
  },
  parse: (given, input, { cursor }) =>
    toAnswer(cursor === null ? readScrolledPage(given, input) : readInterface(answerIn(given), given, input)),
};

/** The list that the crawl reads: nothing else asks for it. */
const whole = launches({
  path: '/leaderboard/crawl',
  summary: 'A page of the whole leaderboard of a day, week, month or year',
  internal: true,
  input: LeaderboardInput,
  record: Board,
  list: 'products',
  sources: [asked, api, scrolled],
  expected: ['products.tagline', 'products.upvotes', 'products.topics', 'products.launched_at'],
  canary: { date: '2026-03-07' },
});

export const leaderboardCrawl = crawlOf(whole, {
  method: 'GET',
  summary: 'All launches of a day, week, month or year, as a job',
  by: 'id',
  bound: { name: 'max_results', default: 1000, most: 5000 },
});
