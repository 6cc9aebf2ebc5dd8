import { unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SourcePage } from '#sites/framework/request.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, integer } from '#extract/values/raw.ts';
import { toBoard } from './board.ts';
import { feedIn } from './feed.ts';
import { queryRefusalOf } from './graph-api.ts';
import type { LeaderboardInput } from './leaderboard-input.ts';
import type { ReadBoard } from './leaderboard-page.ts';
import { PERIODS, readTerm, termOf } from './term.ts';
import type { Period, Term } from './term.ts';

const QUERIES: Readonly<Record<Period, string>> = {
  daily: 'LeaderboardDailyPage',
  weekly: 'LeaderboardWeeklyPage',
  monthly: 'LeaderboardMonthlyPage',
  yearly: 'LeaderboardYearlyPage',
};
const RANKS: Readonly<Record<Period, string>> = {
  daily: 'DAILY_RANK',
  weekly: 'WEEKLY_RANK',
  monthly: 'MONTHLY_RANK',
  yearly: 'YEARLY_RANK',
};

/** Where a page of a leaderboard begins: its first day, which another day would change, and the site's own token. */
export type Place = { readonly term: Term; readonly after: string | null };

export function boardPlaceOf(input: LeaderboardInput, { cursor, now }: Pick<Sending, 'cursor' | 'now'>): Place {
  const [, day, after] = /^(\d{4}-\d{2}-\d{2}) (.+)$/.exec(cursor ?? '') ?? [];
  if (day === undefined || after === undefined) return { term: readTerm(input, now), after: null };
  return { term: termOf(input.period, day), after };
}

export function toBoardToken({ start }: Term, next: string): string {
  return `${start} ${next}`;
}

/** The query that the site's own pages send as one scrolls; it is known by its hash alone. */
export function askInterface(input: LeaderboardInput, site: Sending): SiteRequest {
  const { term, after } = boardPlaceOf(input, site);
  const { period, numbers } = term;
  const { featured } = input;
  const order = featured ? RANKS[period] : 'VOTES';
  const hash = site.constants[`${period}_hash`] ?? '';
  return {
    origin: 'web',
    path: '/frontend/graphql',
    query: {
      operationName: QUERIES[period],
      variables: JSON.stringify({ featured, ...numbers, order, cursor: after }),
      extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash } }),
    },
    headers: { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' },
  };
}

/** Whether the operator left the hash of the query in place. */
export function knowsQuery({ period }: LeaderboardInput, { constants }: Pick<Sending, 'constants'>): boolean {
  return (constants[`${period}_hash`] ?? '') !== '';
}

/** Reads a page of a leaderboard from the answer to that query. */
export function readInterface(data: unknown, source: SourcePage, input: LeaderboardInput): ReadBoard | SiteAnswer {
  const refused = queryRefusalOf(data);
  if (refused !== null) return refused;
  const term = termAsked(source.requested, input);
  const feed = feedIn(data);
  if (term === null || feed === null || feed.next === undefined) return unusable('a leaderboard');
  const board = toBoard(feed.posts, { input, term, filter: 'client', headers: source.headers });
  if (board.products.length === 0 && board.topic === null && feed.posts.length > 0)
    return unusable('launches that can be read');
  return { board, next: feed.next };
}

function termAsked(address: string, { period }: LeaderboardInput): Term | null {
  const numbers = tryParse(URL.parse(address)?.searchParams.get('variables') ?? '');
  const [year, month, week, day] = ['year', 'month', 'week', 'day'].map(
    (name) => integer(at(numbers, name)) ?? undefined,
  );
  return PERIODS.includes(period) && year !== undefined ? readTerm({ period, year, month, week, day }, 0) : null;
}

/** The answer to a query as a body; a browser shows it as the text of a page. */
export function answerIn({ body }: SourcePage): unknown {
  const shown = /<pre[^>]*>([^<]*)<\/pre>/.exec(body)?.[1];
  return tryParse(body) ?? tryParse(shown ?? '');
}
