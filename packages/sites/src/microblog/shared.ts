import { z } from 'zod';
import { type PathKinds, refuseLink, refuseReference } from '#sites/framework/site.ts';
import type { SiteContext } from '#sites/framework/request.ts';
import { splitPath } from '#extract/urls/url-parts.ts';
import type { Network } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

/** An account of one of the networks. */
export const Profile = z.object({
  id: z.string(),
  username: z.string(),
  name: Text,
  url: z.string(),
  network: z.enum(['x', 'bluesky', 'mastodon']),
  description: Text,
  location: Text,
  website: Text,
  followers: Count,
  following: Count,
  post_count: Count,
  created_at: Text,
  verified: z.boolean().nullable(),
  avatar_url: Text,
  banner_url: Text,
  is_protected: z.boolean().nullable(),
});

export type Profile = z.output<typeof Profile>;

export const Author = z.object({
  id: Text,
  username: z.string(),
  name: Text,
  verified: z.boolean().nullable(),
  avatar_url: Text,
});

export type Author = z.output<typeof Author>;

export const Media = z.object({
  type: z.enum(['image', 'video', 'gif', 'audio']),
  url: z.string(),
  thumbnail_url: Text,
  width: Count,
  height: Count,
  duration_ms: Count,
  description: Text,
});

export type Media = z.output<typeof Media>;

/** A short post. A repost in a list is the post that was reposted. */
export const Post = z.object({
  id: z.string(),
  url: z.string(),
  text: Text,
  author: Author,
  created_at: Text,
  language: Text,
  reply_count: Count,
  repost_count: Count,
  quote_count: Count,
  like_count: Count,
  view_count: Count,
  bookmark_count: Count,
  media: z.array(Media).readonly(),
  links: z.array(z.string()).readonly(),
  hashtags: z.array(z.string()).readonly(),
  mentions: z.array(z.string()).readonly(),
  quoted_post: z.object({ id: z.string(), url: z.string(), text: Text, author: Author }).nullable(),
  in_reply_to: z.object({ id: Text, username: Text }).nullable(),
  is_repost: z.boolean().describe('Whether the account of the list reposted it'),
});

export type Post = z.output<typeof Post>;

export const ProfileAnswer = z.object({ profile: Profile });
export const PostAnswer = z.object({ post: Post });
export const PostList = z.object({ posts: z.array(Post).readonly() });
export const SearchAnswer = z.object({ results: z.array(Post).readonly() });

/** Converts a post to its quoted form; null if it is not visible. */
export function toQuoted(post: Post | null): Post['quoted_post'] {
  return post === null ? null : { id: post.id, url: post.url, text: post.text, author: post.author };
}

export const AccountInput = z.object({
  username: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('A name (harrow), a name with its domain (harrow.example), or a name at a server (harrow@mills.example)'),
  url: z.url().max(2000).optional().describe('Address of the profile; username takes precedence'),
});

export type AccountInput = z.output<typeof AccountInput>;

/** The network of an account and its name there. */
type Account = { readonly network: Network; readonly name: string };

export type SiteLocator = Pick<SiteContext, 'locate'>;

export const X_NAME = /^[A-Za-z0-9_]{1,15}$/;
const DOMAIN_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z][a-z0-9-]{0,61}$/i;
const DID = /^did:(?:plc|web):[\w.:%-]{1,200}$/;
const AT_SERVER = /^\w(?:[\w.-]{0,60}\w)?(?:@[a-z0-9](?:[a-z0-9.-]{0,200}[a-z0-9]))?$/i;
/** First segments of paths that are not account names. */
const RESERVED: ReadonlySet<string> = new Set([
  'i',
  'home',
  'search',
  'explore',
  'hashtag',
  'intent',
  'login',
  'share',
  'compose',
  'messages',
  'notifications',
  'privacy',
  'settings',
  'signup',
  'tos',
]);
/** Kinds of pages other than profiles, for error messages. */
export const PATH_KINDS: PathKinds = [
  [/^\/(?:profile\/)?[^/?]+\/(?:status|statuses|post|\d+)(?:[/?]|$)/, 'a post'],
  [/^\/search(?:[/?]|$)/, 'a search'],
  [/^\/hashtag\//, 'a hashtag'],
  [/^\/i\/lists\//, 'a list'],
  [/^\/i\/communities\//, 'a community'],
  [/^\/(?:home|explore|settings|messages|notifications)(?:[/?]|$)/, 'a page for members'],
];

/** The segment after the name in the path of a post. */
const POST_STEP = /^(?:status|statuses|post|\d+)$/;

/** Finds the requested account. Throws `not_found`, and `invalid_request` for another address. */
export function findAccount({ username, url }: AccountInput, site: SiteLocator): Account {
  if (username !== undefined && !/^https?:/.test(username)) {
    return parseAccountName(username.trim()) ?? refuseReference('username', 'is not the name of an account');
  }
  const place = site.locate(username ?? url ?? '');
  const [first = '', second = '', third = ''] = splitPath(place?.path);
  const [name, next] = place?.origin === 'bluesky' ? [first === 'profile' ? second : '', third] : [first, second];
  const account = place === null || POST_STEP.test(next) ? null : findAccountAt(place.origin, name);
  if (account !== null) return account;
  const parameter = username === undefined ? 'url' : 'username';
  return refuseLink({ parameter, place, kinds: PATH_KINDS, wanted: 'a profile' });
}

function parseAccountName(given: string): Account | null {
  const name = given.replace(/^@/, '');
  if (name.includes('@')) return AT_SERVER.test(name) ? { network: 'mastodon', name } : null;
  if (X_NAME.test(name)) return { network: 'x', name };
  return DOMAIN_NAME.test(name) || DID.test(name) ? { network: 'bluesky', name: name.toLowerCase() } : null;
}

export function findAccountAt(origin: string, name: string): Account | null {
  if (origin === 'web') return X_NAME.test(name) && !RESERVED.has(name) ? { network: 'x', name } : null;
  if (origin === 'bluesky') return DOMAIN_NAME.test(name) || DID.test(name) ? { network: 'bluesky', name } : null;
  const bare = name.replace(/^@/, '');
  return origin === 'mastodon' && name !== bare && AT_SERVER.test(bare) ? { network: 'mastodon', name: bare } : null;
}

export const PostInput = z.object({
  id: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('A number, an at:// URI, or the address of the post; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the post'),
});

export type PostInput = z.output<typeof PostInput>;

/** The network and id of a post; `by` is the account name in its address. */
export type PostReference = { readonly network: Network; readonly id: string; readonly by: string | null };

/** Creates the `when` of a source that serves one network. */
export function matchAccounts(network: Network) {
  return (site: SiteLocator, input: AccountInput): boolean => findAccount(input, site).network === network;
}

export function listUnique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
