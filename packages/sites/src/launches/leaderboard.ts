import { z } from 'zod';
import { partly } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { Board, withGap } from './board.ts';
import { hasToken } from './graph-api.ts';
import { askApiForBoard, readApiBoard } from './leaderboard-api.ts';
import { isAtHome, readHomePage } from './leaderboard-home.ts';
import { LeaderboardInput } from './leaderboard-input.ts';
import { answerIn, askInterface, knowsQuery, readInterface } from './leaderboard-interface.ts';
import { readLeaderboardPage } from './leaderboard-page.ts';
import type { ReadBoard } from './leaderboard-page.ts';
import { launches } from './site.ts';
import { pathOfTerm, readTerm } from './term.ts';

const Leaderboard = Board.extend({
  truncated: z.literal(true).describe('The first launches alone; launches/leaderboard/crawl has all'),
  count: z.int().min(0),
});

type BoardSource = EndpointSource<typeof LeaderboardInput, typeof Leaderboard>;

function toRecord(board: Board) {
  return { ...board, truncated: true as const, count: board.products.length };
}

function toAnswer(read: ReadBoard | SiteAnswer) {
  return 'board' in read ? withGap(toRecord(read.board), read.board) : read;
}

const page: BoardSource = {
  name: 'page',
  request: (input, { now }) => ({
    origin: 'web',
    path: `${pathOfTerm(readTerm(input, now))}${input.featured ? '/featured' : '/all'}`,
  }),
  parse: (given, input) => toAnswer(readLeaderboardPage(given, input)),
};

const asked: BoardSource = {
  name: 'interface',
  when: (site, input) => knowsQuery(input, site),
  request: askInterface,
  parse: (given, input) => toAnswer(readInterface(answerIn(given), given, input)),
};

const api: BoardSource = {
  name: 'api',
  lacks: 'the documented interface gives no ranks',
  when: hasToken,
  request: askApiForBoard,
  parse: (given, input) => toAnswer(readApiBoard(given, input)),
};

const home: BoardSource = {
  name: 'home',
  when: (site, input) => isAtHome(input, site),
  request: () => ({ origin: 'web', path: '/' }),
  parse(given, input) {
    const board = readHomePage(given, input);
    if (!('products' in board)) return board;
    const answer = withGap(toRecord(board), board);
    return input.featured ? answer : partly(answer, 'the home page shows only what the site features');
  },
};

export const leaderboard = launches({
  path: '/leaderboard',
  summary: 'The top launches of a day, week, month or year',
  input: LeaderboardInput,
  record: Leaderboard,
  sources: [page, asked, api, home],
  expected: ['products.tagline', 'products.upvotes', 'products.topics', 'products.launched_at'],
  canary: { date: '2026-03-07' },
});
