import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { FORUM_PLACES } from './site.ts';
import { Comment, ForumPost } from './fields.ts';

export const PostInput = z.object({
  id: z.string().min(1).optional().describe('Number of the post, `2gmzqe` or `t3_2gmzqe`; wins over url'),
  url: z.url().max(2000).optional().describe('Address of the post'),
  subreddit: z
    .string()
    .regex(/^(?:r\/)?(?:u_)?[A-Za-z0-9_-]{2,21}$/, 'must be the name of a community, such as programming')
    .optional()
    .describe('The community that it is in'),
  sort: z.enum(['best', 'top', 'new', 'controversial', 'old', 'qa']).default('best').describe('Order of the comments'),
  comment_limit: z.int().min(1).max(500).default(100).describe('Top-level comments that are asked for'),
});

export type PostInput = z.output<typeof PostInput>;

export const PostPage = z.object({
  post: ForumPost,
  comments: z.array(Comment).nullable().describe('Top-level comments; null where the source has none'),
  comments_truncated: z.boolean().describe('Whether there are more than these'),
});

export type PostPage = z.output<typeof PostPage>;

const ID = /^(?:t3_)?([0-9a-z]{2,13})$/i;
const IN_PATH = /^\/(?:(?:r|user|u)\/[^/]+\/)?(?:comments|gallery)\/([0-9a-z]{2,13})(?:\/|$)/i;
const SHARED = /^\/(?:r|u|user)\/[^/]+\/s\/[A-Za-z0-9]{1,40}\/?$/;

/** The number of the wanted post, or the path of a shared link that leads to it. Throws `not_found`, and `invalid_request` for another address. */
export function wantedOf(input: PostInput, site: SiteView): { readonly id: string } | { readonly share: string } {
  if (input.id !== undefined && !input.id.includes('/')) {
    return { id: ID.exec(input.id.trim())?.[1]?.toLowerCase() ?? refuseReference('id', 'is no number of a post') };
  }
  const name = input.id === undefined ? 'url' : 'id';
  const place = site.locate(input.id ?? input.url ?? '');
  if (place === null) return refuseReference(name, 'is no address of this site');
  const path = place.path.replace(/[?#].*$/s, '');
  if (SHARED.test(path)) return { share: path };
  const named = place.origin === 'short' ? ID.exec(path.slice(1))?.[1] : idInPath(path);
  if (named !== undefined) return { id: named.toLowerCase() };
  return refusePlace({ parameter: name, place, kinds: FORUM_PLACES, wanted: 'a post' });
}

/** The post that a page is about by its address; null when that names none. */
export function idOfUrl(address: string): string | null {
  return idInPath(URL.parse(address)?.pathname ?? '')?.toLowerCase() ?? null;
}

/** Where a post and its comments are, with or without its community. */
export function postPathOf({ subreddit }: PostInput, id: string): string {
  const name = subreddit?.replace(/^r\//, '');
  return name === undefined ? `/comments/${id}` : `/r/${encodeURIComponent(name)}/comments/${id}`;
}

/** How the site words an order of comments. */
export function sortOf({ sort }: PostInput): string {
  return sort === 'best' ? 'confidence' : sort;
}

function idInPath(path: string): string | undefined {
  return IN_PATH.exec(path)?.[1];
}
