import { z } from 'zod';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import {
  getPath,
  toBoolean,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toNatural,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { rateLimited, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { RequestContext, SiteRequest } from '#sites/framework/request.ts';
import { HOME } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

export const Topic = z.object({ name: z.string(), slug: z.string() });

/** One launch on a leaderboard. */
export const Launch = z.object({
  rank: Count.describe('Rank on this leaderboard; null while the site shuffles the order'),
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
  redirect_url: Text.describe('Address that redirects to the site of the product'),
});

export type Launch = z.output<typeof Launch>;

/** A member of the site who made or submitted a product. */
export const Person = z.object({
  id: Text,
  username: z.string(),
  name: Text,
  headline: Text,
  avatar_url: Text,
  url: z.string(),
});

export type Person = z.output<typeof Person>;

/** A page on another site that belongs to a product or a person. */
export const ProfileLink = z.object({
  type: z.string().describe('website, or the name of the linked site'),
  url: z.string(),
});

export type ProfileLink = z.output<typeof ProfileLink>;

/** Parses a launch in the site's data, without its rank. Null for anything else, such as an advertisement. */
export function parseLaunch(post: unknown): Launch | null {
  const [id, name, slug] = [toLine(getPath(post, 'id')), toLine(getPath(post, 'name')), toLine(getPath(post, 'slug'))];
  const isOther = (toLine(getPath(post, '__typename')) ?? 'Post') !== 'Post';
  if (isOther || id === null || name === null || slug === null || !isJsonObject(post)) return null;
  const votes = toNatural(getPath(post, 'votesCount')) ?? toNatural(getPath(post, 'latestScore'));
  return {
    rank: null,
    rank_is_final: false,
    id,
    name,
    tagline: toLine(getPath(post, 'tagline')),
    slug,
    url: `${HOME}/posts/${encodeURIComponent(slug)}`,
    product: parseProductLink(getPath(post, 'product')),
    upvotes: votes,
    launch_day_upvotes: toNatural(getPath(post, 'launchDayScore')),
    upvotes_hidden: toBoolean(getPath(post, 'hideVotesCount')),
    comment_count: toNatural(getPath(post, 'commentsCount')),
    topics: parseTopics(getPath(post, 'topics')),
    thumbnail_url:
      buildPictureUrl(getPath(post, 'thumbnailImageUuid')) ?? toMediaUrl(getPath(post, 'thumbnail', 'url'), HOME),
    launched_at: toTimestamp(getPath(post, 'featuredAt') ?? getPath(post, 'createdAt')),
    is_featured: Object.hasOwn(post, 'featuredAt') ? post['featuredAt'] !== null : null,
    daily_rank: toNatural(getPath(post, 'dailyRank')),
    weekly_rank: toNatural(getPath(post, 'weeklyRank')),
    monthly_rank: toNatural(getPath(post, 'monthlyRank')),
    redirect_url: toCleanUrl(getPath(post, 'shortenedUrl'), HOME),
  };
}

/** Lists the nodes of a GraphQL connection. */
export function listNodes(connection: unknown): readonly unknown[] {
  return toArray(getPath(connection, 'edges')).flatMap((edge) => getPath(edge, 'node') ?? []);
}

/** Parses the topics of a product or launch. Null if the data has none. */
export function parseTopics(connection: unknown): readonly z.output<typeof Topic>[] | null {
  if (getPath(connection, 'edges') === undefined) return null;
  return listNodes(connection).flatMap((node) => {
    const [name, slug] = [toLine(getPath(node, 'name')), toLine(getPath(node, 'slug'))];
    return name === null || slug === null ? [] : [{ name, slug }];
  });
}

/** Builds the URL of a picture from its name. */
export function buildPictureUrl(uuid: unknown): string | null {
  const name = toLine(uuid);
  return name === null || !/^[\w-]+(?:\.\w{1,5})?$/.test(name) ? null : `https://ph-files.imgix.net/${name}`;
}

function parseProductLink(product: unknown): Launch['product'] {
  const slug = toLine(getPath(product, 'slug'));
  if (slug === null) return null;
  return { id: toLine(getPath(product, 'id')), slug, url: `${HOME}/products/${encodeURIComponent(slug)}` };
}

/** Parses a person, or the relation of a person to a product. Null if there is no person. */
export function parsePerson(raw: unknown): Person | null {
  const user = getPath(raw, 'user') ?? raw;
  const username = toLine(getPath(user, 'username'));
  if (username === null) return null;
  return {
    id: toLine(getPath(user, 'id')),
    username,
    name: toLine(getPath(user, 'name')),
    headline: toLine(getPath(user, 'headline')),
    avatar_url: buildAvatarUrl(user),
    url: buildProfileUrl(username),
  };
}

/** Finds the picture of a person. Its URL follows from the person's id if the data has no picture. */
export function buildAvatarUrl(user: unknown): string | null {
  const stated = getPath(user, 'avatarUrl') ?? getPath(user, 'profileImage');
  const id = toLine(getPath(user, 'id'));
  return (
    toMediaUrl(stated, HOME) ?? (id !== null && /^\d+$/.test(id) ? `https://ph-avatars.imgix.net/${id}/original` : null)
  );
}

export function buildProfileUrl(username: string): string {
  return `${HOME}/@${encodeURIComponent(username)}`;
}

const LINK_TYPES: Readonly<Record<string, string>> = {
  'twitter.com': 'twitter',
  'x.com': 'twitter',
  'github.com': 'github',
  'linkedin.com': 'linkedin',
  'facebook.com': 'facebook',
  'instagram.com': 'instagram',
  'threads.net': 'threads',
  'threads.com': 'threads',
  'youtube.com': 'youtube',
  'medium.com': 'medium',
  'dribbble.com': 'dribbble',
  'bsky.app': 'bluesky',
  'apps.apple.com': 'app_store',
  'play.google.com': 'play_store',
};

/** Removes the tracking parameter that the site adds to outbound links. */
export function cleanOutboundUrl(raw: unknown): string | null {
  const address = URL.parse(toCleanUrl(raw, HOME) ?? '');
  if (address?.searchParams.get('ref') === 'producthunt') address.searchParams.delete('ref');
  return address?.href ?? null;
}

/** Builds typed links without duplicates. Values that are not URLs are left out. */
export function buildLinks(addresses: readonly unknown[]): readonly ProfileLink[] {
  const urls = addresses.flatMap((address) => cleanOutboundUrl(address) ?? []);
  return [...new Set(urls)].map((one) => ({
    type: LINK_TYPES[new URL(one).hostname.replace(/^(?:www|m)\./, '')] ?? 'website',
    url: one,
  }));
}

/** Builds a query to the API. Every query needs a token. */
export function buildApiRequest(
  { credentials }: Pick<RequestContext, 'credentials'>,
  query: string,
  variables: JsonObject,
): SiteRequest {
  return {
    origin: 'api',
    path: '/v2/api/graphql',
    headers: { accept: 'application/json', authorization: `Bearer ${credentials['token'] ?? ''}` },
    post: { json: { query: query.replaceAll(/\s+/g, ' '), variables } },
  };
}

export function hasToken({ credentials }: Pick<RequestContext, 'credentials'>): boolean {
  return credentials['token'] !== undefined;
}

/** Reads the rate limit or the error in the answer to a query. Null if the query succeeded. */
export function readQueryError(data: unknown): SiteAnswer | null {
  const [error] = toArray(getPath(data, 'errors'));
  if (error === undefined) return null;
  const wording =
    toLine(getPath(error, 'message')) ??
    toLine(getPath(error, 'error_description')) ??
    toLine(getPath(error, 'error')) ??
    '';
  if (/rate.?limit|complexity/i.test(wording)) return rateLimited(toInteger(getPath(error, 'details', 'reset_in')));
  return unusable(`the query failed: ${wording.slice(0, 100)}`);
}
