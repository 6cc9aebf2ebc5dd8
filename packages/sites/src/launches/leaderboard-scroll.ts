import { unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { tryParse } from '#extract/values/json.ts';
import { termAt, toBoard } from './board.ts';
import { feedIn } from './feed.ts';
import type { LeaderboardInput } from './leaderboard-input.ts';
import { readLeaderboardPage } from './leaderboard-page.ts';
import type { ReadBoard } from './leaderboard-page.ts';

/** Reads the page of a leaderboard with what it loaded as it was scrolled, as far as that says where it ended. */
export function readScrolledPage(source: SourcePage, input: LeaderboardInput): ReadBoard | SiteAnswer {
  const first = readLeaderboardPage(source, input);
  const term = termAt(source.requested);
  if (!('board' in first) || term === null) return first;
  const loaded = source.captures.flatMap(({ text }) => feedIn(tryParse(text)) ?? []);
  const { headers } = source;
  const more = toBoard(
    loaded.flatMap(({ posts }) => posts),
    { input, term, filter: 'client', headers },
  );
  const known = new Set(first.board.products.map(({ id }) => id));
  const products = [...first.board.products, ...more.products.filter(({ id }) => !known.has(id))];
  const next = loaded.length === 0 ? first.next : loaded.at(-1)?.next;
  if (next === undefined) return unusable('where the leaderboard ends');
  return { board: { ...first.board, products }, next };
}
