import { unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SourcePage } from '#sites/framework/request.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { tryParse } from '#extract/values/json.ts';
import { at } from '#extract/values/raw.ts';
import { toBoard } from './board.ts';
import { feedIn } from './feed.ts';
import { askApi, queryRefusalOf } from './graph-api.ts';
import type { LeaderboardInput } from './leaderboard-input.ts';
import { boardPlaceOf } from './leaderboard-interface.ts';
import type { ReadBoard } from './leaderboard-page.ts';
import { daysAfter, startOf } from './pacific.ts';
import { termOf } from './term.ts';

const POST = `__typename id name slug tagline url votesCount commentsCount createdAt featuredAt
  thumbnail { url } topics(first: 10) { edges { node { name slug } } }`;
const ON_A_PAGE = 20;

/** The documented interface, for those who have a token. The answer is named after the day, so that it says what it is. */
export function askApiForBoard(input: LeaderboardInput, site: Sending): SiteRequest {
  const { term, after } = boardPlaceOf(input, site);
  const name = `from_${term.start.replaceAll('-', '_')}`;
  const { topic, featured } = input;
  const query = `query Leaderboard($from: DateTime!, $until: DateTime!, $topic: String, $featured: Boolean, $after: String) {
  ${name}: posts(order: RANKING, postedAfter: $from, postedBefore: $until, topic: $topic, featured: $featured, first: ${ON_A_PAGE}, after: $after) {
    edges { node { ${POST} } } pageInfo { endCursor hasNextPage } } }`;
  return askApi(site, query, {
    from: startOf(term.start),
    until: startOf(daysAfter(term.end, 1)),
    topic: topic ?? null,
    featured: featured ? true : null,
    after,
  });
}

/** Reads a page of a leaderboard from the answer of the documented interface. */
export function readApiBoard(source: SourcePage, input: LeaderboardInput): ReadBoard | SiteAnswer {
  const answer = tryParse(source.body);
  const refused = queryRefusalOf(answer);
  if (refused !== null) return refused;
  const data = at(answer, 'data');
  const [name, feed] = isJsonObject(data) ? (Object.entries(data)[0] ?? []) : [];
  const day = /^from_(\d{4})_(\d{2})_(\d{2})$/.exec(name ?? '');
  const read = feedIn({ homefeedItems: feed });
  if (day === null || read === null || read.next === undefined) return unusable('a leaderboard');
  const term = termOf(input.period, day.slice(1).join('-'));
  return { board: toBoard(read.posts, { input, term, filter: 'site', headers: source.headers }), next: read.next };
}
