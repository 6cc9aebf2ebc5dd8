import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { FORUM_PLACES } from './site.ts';
import { ForumPost } from './fields.ts';
import { checkTime, Time } from './listing.ts';

export const SubredditInput = z.object({
  subreddit: z.string().min(1).max(300).optional().describe('Name of the community, `milling` or `r/milling`'),
  url: z.url().max(2000).optional().describe('Address of the community'),
  sort: z.enum(['hot', 'new', 'top', 'rising', 'controversial']).default('hot').describe('Order of the posts'),
  time: Time,
});

export type SubredditInput = z.output<typeof SubredditInput>;

export const Subreddit = z.object({
  name: z.string(),
  id: z.string().nullable(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  subscribers: z.int().min(0).nullable(),
  active_users: z.int().min(0).nullable().describe('Readers who are there now'),
  created_at: z.string().nullable(),
  is_nsfw: z.boolean().nullable(),
  icon_url: z.string().nullable(),
});

export type Subreddit = z.input<typeof Subreddit>;

export const SubredditPage = z.object({
  subreddit: Subreddit.nullable().describe('Null on the pages after the first'),
  posts: z.array(ForumPost).readonly(),
});

export type SubredditPage = z.input<typeof SubredditPage>;

const NAME = /^(?:\/?r\/)?((?:u_[A-Za-z0-9_-]{3,20})|[A-Za-z0-9_]{2,21})\/?$/;
const IN_PATH = /^\/r\/(u_[A-Za-z0-9_-]{3,20}|[A-Za-z0-9_]{2,21})(?:\/(?:hot|new|top|rising|controversial|about))?\/?$/;
/** Lists of all communities, which are none. */
const COLLECTIONS: ReadonlySet<string> = new Set(['all', 'popular', 'friends', 'mod', 'random']);

/** The name of the wanted community as it was written. Throws `not_found`, and `invalid_request` for another address. */
export function communityOf(input: SubredditInput, site: SiteView): string {
  checkTime(input);
  const { subreddit, url } = input;
  const member = subreddit === undefined ? 'url' : 'subreddit';
  const given = subreddit ?? url ?? '';
  const place = site.locate(given);
  const path = place?.path.replace(/[?#].*$/s, '');
  const [, name] = (given.includes('://') ? IN_PATH.exec(path ?? '') : NAME.exec(given.trim())) ?? [];
  if (name === undefined && place !== null)
    return refusePlace({ parameter: member, place, kinds: FORUM_PLACES, wanted: 'a community' });
  if (name === undefined) return refuseReference(member, 'is no community of this site');
  return COLLECTIONS.has(name.toLowerCase())
    ? refuseReference(member, 'is a list of many communities and none itself')
    : name;
}

/** A community of which no more is known than its posts tell. */
export function bareSubreddit(name: string, posts: readonly z.input<typeof ForumPost>[]): Subreddit {
  const told = posts.find((one) => one.subreddit !== null)?.subreddit;
  return {
    name: told?.name ?? name,
    id: told?.id ?? null,
    title: null,
    description: null,
    subscribers: told?.subscribers ?? null,
    active_users: null,
    created_at: null,
    is_nsfw: null,
    icon_url: null,
  };
}

/** Whether all of the posts are of the community. */
export function areOf(name: string, posts: readonly z.input<typeof ForumPost>[]): boolean {
  return posts.every(({ subreddit, url }) => {
    const shown = subreddit?.name ?? /\/user\/([^/]+)\/comments\//.exec(url)?.[1]?.replace(/^/, 'u_');
    return shown?.toLowerCase() === name.toLowerCase();
  });
}
