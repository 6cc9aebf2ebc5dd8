import { z } from 'zod';
import { partly } from '#sites/framework/answers.ts';
import type { SiteRecord } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { Launch, toLaunch } from './launch.ts';
import type { LeaderboardInput } from './leaderboard-input.ts';
import { dayAt } from './pacific.ts';
import { LAUNCHES_HOME } from './site.ts';
import { pathOfTerm, PERIODS, readTerm } from './term.ts';
import type { Term } from './term.ts';

/** A leaderboard, or a page of it. */
export const Board = z.object({
  period: z.enum(PERIODS),
  date: z.string().describe('Its first day'),
  start_date: z.string(),
  end_date: z.string(),
  topic: z.string().nullable(),
  topic_filter: z.enum(['client', 'site']).nullable().describe('Whether we left out other topics, or the site did'),
  url: z.string(),
  products: z.array(Launch).readonly(),
});

export type Board = z.output<typeof Board>;

export type Boarding = {
  readonly input: LeaderboardInput;
  readonly term: Term;
  readonly filter: 'client' | 'site';
  readonly headers: SourcePage['headers'];
};

/** The launches among the posts of a leaderboard, ranked as it ranks them, each once. */
export function toBoard(posts: readonly unknown[], { input, term, filter, headers }: Boarding): Board {
  const { topic = null, featured } = input;
  const isOver = dayAt(Date.parse(headers['date'] ?? '') || 0) > term.end;
  const all = new Map<string, Launch>();
  for (const post of posts) {
    const launch = toLaunch(post);
    if (launch !== null && !all.has(launch.id)) all.set(launch.id, ranked(launch, term, isOver));
  }
  const isOfTopic = ({ topics }: Launch): boolean => topics?.some(({ slug }) => slug === topic) === true;
  return {
    period: term.period,
    date: term.start,
    start_date: term.start,
    end_date: term.end,
    topic,
    topic_filter: topic === null ? null : filter,
    url: `${LAUNCHES_HOME}${pathOfTerm(term)}${featured ? '/featured' : '/all'}`,
    products: [...all.values()].filter((one) => topic === null || filter === 'site' || isOfTopic(one)),
  };
}

/** Says of a leaderboard that was filtered by us that it was. */
export function withGap<T extends object>(record: T | SiteRecord<T>, { topic_filter: filter }: Board) {
  return filter === 'client' ? partly(record, 'topic: applied to the launches of this page alone') : record;
}

/** While counts are hidden, the site shuffles. */
function ranked(launch: Launch, { period }: Term, isOver: boolean): Launch {
  const ranks = { daily: launch.daily_rank, weekly: launch.weekly_rank, monthly: launch.monthly_rank, yearly: null };
  const rank = launch.upvotes_hidden === true ? null : ranks[period];
  return { ...launch, rank, rank_is_final: rank !== null && isOver };
}

const PATH = /^\/leaderboard\/(daily|weekly|monthly|yearly)\/(\d{4})(?:\/(\d{1,2}))?(?:\/(\d{1,2}))?(?:\/|$)/;

/** The leaderboard that an address of the site is of; null for none. */
export function termAt(address: string): Term | null {
  const [, named, ...numbers] = PATH.exec(URL.parse(address, LAUNCHES_HOME)?.pathname ?? '') ?? [];
  const period = PERIODS.find((one) => one === named);
  const [year, second, day] = numbers.map((one) => (one === undefined ? undefined : Number(one)));
  if (period === undefined || year === undefined) return null;
  const part = period === 'weekly' ? { week: second } : { month: second };
  try {
    return readTerm({ period, year, ...part, day }, 0);
  } catch {
    return null;
  }
}

export function isSameTerm(one: Term, other: Term | null): boolean {
  return one.period === other?.period && one.start === other.start;
}
