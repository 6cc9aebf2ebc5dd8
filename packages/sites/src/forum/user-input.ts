import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { FORUM_PLACES } from './site.ts';
import { Comment, ForumPost } from './fields.ts';
import { checkTime, Time } from './listing.ts';

export const UserInput = z.object({
  username: z.string().min(1).max(300).optional().describe('The name, `ilse_miller` or `u/ilse_miller`'),
  url: z.url().max(2000).optional().describe('Address of the profile'),
  sort: z.enum(['new', 'hot', 'top', 'controversial']).default('new').describe('Order of posts and comments'),
  time: Time,
});

export type UserInput = z.output<typeof UserInput>;

const Count = z.int().nullable();
const Flag = z.boolean().nullable();

export const ForumUser = z.object({
  name: z.string(),
  id: z.string().nullable(),
  created_at: z.string().nullable(),
  link_karma: Count,
  comment_karma: Count,
  total_karma: Count,
  is_moderator: Flag,
  is_employee: Flag,
  is_suspended: Flag,
  icon_url: z.string().nullable(),
});

export type ForumUser = z.input<typeof ForumUser>;

/** A comment apart from its post, and which post that is. */
const UserComment = Comment.extend({
  kind: z.literal('comment'),
  subreddit: z.string().nullable(),
  post_title: z.string().nullable(),
  post_url: z.string().nullable(),
});

export const UserItem = z.discriminatedUnion('kind', [ForumPost.extend({ kind: z.literal('post') }), UserComment]);
export type UserItem = z.input<typeof UserItem>;

export const UserPage = z.object({
  user: ForumUser.nullable().describe('Null on the pages after the first, and where the source does not tell'),
  items: z.array(UserItem).readonly(),
});

export type UserPage = z.input<typeof UserPage>;

const NAME = /^(?:\/?u(?:ser)?\/)?([A-Za-z0-9_-]{3,20})\/?$/;
const IN_PATH = /^\/u(?:ser)?\/([A-Za-z0-9_-]{3,20})(?:\/(?:overview|submitted|comments|about))?\/?$/;

/** The name of the wanted person as it was written. Throws `not_found`, and `invalid_request` for another address. */
export function personOf(input: UserInput, site: SiteView): string {
  checkTime(input);
  const { username, url } = input;
  const given = username ?? url ?? '';
  const place = site.locate(given);
  const path = place?.path.replace(/[?#].*$/s, '');
  const [, name] = (given.includes('://') ? IN_PATH.exec(path ?? '') : NAME.exec(given.trim())) ?? [];
  if (name !== undefined) return name;
  const parameter = username === undefined ? 'url' : 'username';
  if (place === null) return refuseReference(parameter, 'is nobody of this site');
  return refusePlace({ parameter, place, kinds: FORUM_PLACES, wanted: 'a person' });
}

/** A person of whom no more is known than the name. */
export function bareUser(name: string): ForumUser {
  return {
    name,
    id: null,
    created_at: null,
    link_karma: null,
    comment_karma: null,
    total_karma: null,
    is_moderator: null,
    is_employee: null,
    is_suspended: null,
    icon_url: null,
  };
}

/** Whether all of the posts and comments are of one person. */
export function areBy(name: string, items: readonly UserItem[]): boolean {
  return items.every((one) => authorOf(one)?.toLowerCase() === name.toLowerCase());
}

function authorOf(item: UserItem): string | null {
  return item.kind === 'post' ? (item.author?.name ?? null) : item.author;
}

/** What a list of comments from many posts leaves open of each. */
export const APART = { kind: 'comment', depth: null, reply_count: null } as const;
