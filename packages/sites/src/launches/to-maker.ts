import type { JsonObject } from '#extract/values/json-object.ts';
import { at, line, list, moment, natural, text } from '#extract/values/raw.ts';
import { nodesOf } from './launch.ts';
import { toLinks } from './links.ts';
import type { Maker } from './maker-record.ts';
import { avatarOf, profileOf } from './person.ts';
import { LAUNCHES_HOME } from './site.ts';

/** The record of a person in the site's own data; null where their names are not known. */
export function toMaker(user: JsonObject): Maker | null {
  const [username, name] = [line(user['username']), line(user['name'])];
  if (username === null || name === null) return null;
  const made = [user['products'], user['madePosts'], user['submittedPosts']].find(
    (one) => at(one, 'edges') !== undefined,
  );
  const badges = at(user['badges'], 'edges') === undefined ? null : nodesOf(user['badges']);
  return {
    id: line(user['id']),
    username,
    name,
    headline: line(user['headline']),
    about: text(user['about']),
    url: profileOf(username),
    avatar_url: avatarOf(user),
    followers: natural(user['followersCount']) ?? natural(at(user, 'followers', 'totalCount')),
    following:
      natural(user['followingsCount']) ??
      natural(user['followingCount']) ??
      natural(at(user, 'following', 'totalCount')),
    links: linksOf(user),
    products: made === undefined ? null : nodesOf(made).flatMap((one) => toMade(one) ?? []),
    joined_at: moment(user['createdAt']),
    badges: badges?.flatMap((one) => line(at(one, 'name')) ?? []) ?? null,
    streak_days: natural(at(user, 'visitStreak', 'duration')) ?? natural(user['visitStreakDuration']),
  };
}

function linksOf(user: JsonObject): Maker['links'] {
  const twitter = line(user['twitterUsername']);
  const known = ['links', 'websiteUrl', 'twitterUsername'].some((name) => user[name] !== undefined);
  if (!known) return null;
  const listed = [...list(user['links']), ...nodesOf(user['links'])].map((one) => at(one, 'url') ?? one);
  const handle = twitter === null ? [] : [`https://twitter.com/${encodeURIComponent(twitter.replace(/^@/, ''))}`];
  return toLinks([...listed, user['websiteUrl'], ...handle]);
}

/** A product, or a launch of one. */
function toMade(made: unknown): NonNullable<Maker['products']>[number] | null {
  const [id, name, slug] = [line(at(made, 'id')), line(at(made, 'name')), line(at(made, 'slug'))];
  if (id === null || name === null || slug === null) return null;
  const votes = at(made, 'votesCount') ?? at(made, 'latestScore') ?? at(made, 'latestLaunch', 'latestScore');
  const kind = line(at(made, '__typename')) === 'Product' ? 'products' : 'posts';
  return {
    id,
    name,
    slug,
    tagline: line(at(made, 'tagline')),
    url: `${LAUNCHES_HOME}/${kind}/${encodeURIComponent(slug)}`,
    upvotes: natural(votes),
    launched_at: moment(at(made, 'featuredAt') ?? at(made, 'createdAt') ?? at(made, 'latestLaunch', 'createdAt')),
  };
}
