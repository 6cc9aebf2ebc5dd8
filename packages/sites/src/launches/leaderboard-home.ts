import { unusable } from '#sites/framework/answers.ts';
import type { Sending, SourcePage } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { variablesOf } from '#extract/dom/scripts.ts';
import { findWith } from '#extract/json/search.ts';
import { at, line, list } from '#extract/values/raw.ts';
import { isSameTerm, toBoard } from './board.ts';
import type { Board } from './board.ts';
import type { LeaderboardInput } from './leaderboard-input.ts';
import { dayAt, daysAfter } from './pacific.ts';
import { DATA } from './site.ts';
import { PERIODS, readTerm, termOf } from './term.ts';

/** Whether the home page shows the leaderboard: of today, yesterday, the week or the month before this. */
export function isAtHome(input: LeaderboardInput, { now }: Pick<Sending, 'now'>): boolean {
  const today = dayAt(now);
  const { start: week } = termOf('weekly', today);
  const { start: month } = termOf('monthly', today);
  const shown = [
    termOf('daily', today),
    termOf('daily', daysAfter(today, -1)),
    termOf('weekly', daysAfter(week, -1)),
    termOf('monthly', daysAfter(month, -1)),
  ];
  const wanted = readTerm(input, now);
  return shown.some((one) => isSameTerm(wanted, one));
}

/** Reads the leaderboard that is one of the sections of the home page. */
export function readHomePage(source: SourcePage, input: LeaderboardInput): Board | ReturnType<typeof unusable> {
  const sections = findWith(variablesOf(parsePage(source.body, source.url), DATA), 'items', 'period', 'date');
  const isDated = input.date !== undefined || input.year !== undefined;
  for (const section of sections) {
    const period = PERIODS.find((one) => one === line(section['period']));
    const day = /^\d{4}-\d{2}-\d{2}/.exec(line(section['date']) ?? '')?.[0];
    if (period === undefined || day === undefined || period !== input.period) continue;
    const term = termOf(period, day);
    const isWanted = isDated ? isSameTerm(term, readTerm(input, 0)) : section['id'] === 'FEATURED-0';
    if (!isWanted) continue;
    const isShuffled = section['randomization'] === true;
    const posts = list(section['items']).filter((item) => line(at(item, '__typename')) === 'Post');
    const board = toBoard(posts, { input, term, filter: 'client', headers: source.headers });
    if (posts.length === 0 || (board.products.length === 0 && board.topic === null)) break;
    const products = isShuffled
      ? board.products.map((one) => ({ ...one, rank: null, rank_is_final: false }))
      : board.products;
    return { ...board, products };
  }
  return unusable('this leaderboard on the home page');
}
