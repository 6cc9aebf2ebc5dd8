import { z } from 'zod';
import { isJsonObject } from '#extract/values/json-object.ts';
import { at, boolean, line, list, mediaUrl, moment, natural, url } from '#extract/values/raw.ts';
import { LAUNCHES_HOME } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

export const Topic = z.object({ name: z.string(), slug: z.string() });

/** One launch on a leaderboard. */
export const Launch = z.object({
  rank: Count.describe('On this leaderboard; null while the site shuffles'),
  rank_is_final: z.boolean().describe('Whether the leaderboard has ended'),
  id: z.string(),
  name: z.string(),
  tagline: Text,
  slug: z.string(),
  url: z.string(),
  product: z.object({ id: Text, slug: z.string(), url: z.string() }).nullable(),
  upvotes: Count,
  launch_day_upvotes: Count,
  upvotes_hidden: z.boolean().nullable().describe('Whether the site shows no counts yet'),
  comment_count: Count,
  topics: z.array(Topic).readonly().nullable(),
  thumbnail_url: Text,
  launched_at: Text,
  is_featured: z.boolean().nullable(),
  daily_rank: Count,
  weekly_rank: Count,
  monthly_rank: Count,
  redirect_url: Text.describe('Leads to the site of the product'),
});

export type Launch = z.output<typeof Launch>;

/** A launch in the site's own data, its rank left open; null for anything else, such as an advertisement. */
export function toLaunch(post: unknown): Launch | null {
  const [id, name, slug] = [line(at(post, 'id')), line(at(post, 'name')), line(at(post, 'slug'))];
  const isOther = (line(at(post, '__typename')) ?? 'Post') !== 'Post';
  if (isOther || id === null || name === null || slug === null || !isJsonObject(post)) return null;
  const votes = natural(at(post, 'votesCount')) ?? natural(at(post, 'latestScore'));
  return {
    rank: null,
    rank_is_final: false,
    id,
    name,
    tagline: line(at(post, 'tagline')),
    slug,
    url: `${LAUNCHES_HOME}/posts/${encodeURIComponent(slug)}`,
    product: toProductLink(at(post, 'product')),
    upvotes: votes,
    launch_day_upvotes: natural(at(post, 'launchDayScore')),
    upvotes_hidden: boolean(at(post, 'hideVotesCount')),
    comment_count: natural(at(post, 'commentsCount')),
    topics: topicsOf(at(post, 'topics')),
    thumbnail_url: pictureOf(at(post, 'thumbnailImageUuid')) ?? mediaUrl(at(post, 'thumbnail', 'url'), LAUNCHES_HOME),
    launched_at: moment(at(post, 'featuredAt') ?? at(post, 'createdAt')),
    is_featured: Object.hasOwn(post, 'featuredAt') ? post['featuredAt'] !== null : null,
    daily_rank: natural(at(post, 'dailyRank')),
    weekly_rank: natural(at(post, 'weeklyRank')),
    monthly_rank: natural(at(post, 'monthlyRank')),
    redirect_url: url(at(post, 'shortenedUrl'), LAUNCHES_HOME),
  };
}

/** The nodes of one of the site's lists. */
export function nodesOf(connection: unknown): readonly unknown[] {
  return list(at(connection, 'edges')).flatMap((edge) => at(edge, 'node') ?? []);
}

/** The topics of a thing; null where it does not say. */
export function topicsOf(connection: unknown): readonly z.output<typeof Topic>[] | null {
  if (at(connection, 'edges') === undefined) return null;
  return nodesOf(connection).flatMap((node) => {
    const [name, slug] = [line(at(node, 'name')), line(at(node, 'slug'))];
    return name === null || slug === null ? [] : [{ name, slug }];
  });
}

/** The address of a picture by its name. */
export function pictureOf(uuid: unknown): string | null {
  const name = line(uuid);
  return name === null || !/^[\w-]+(?:\.\w{1,5})?$/.test(name) ? null : `https://ph-files.imgix.net/${name}`;
}

function toProductLink(product: unknown): Launch['product'] {
  const slug = line(at(product, 'slug'));
  if (slug === null) return null;
  return { id: line(at(product, 'id')), slug, url: `${LAUNCHES_HOME}/products/${encodeURIComponent(slug)}` };
}
