import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { pathParts } from '#extract/urls/path-parts.ts';
import { refuseReference } from '#sites/framework/site.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import type { Network } from './site.ts';

export const MicroAccountInput = z.object({
  username: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('A name (harrow), a name with its domain (harrow.example), or a name at a server (harrow@mills.example)'),
  url: z.url().max(2000).optional().describe('The page of the profile; username wins over it'),
});

export type MicroAccountInput = z.output<typeof MicroAccountInput>;

/** The network of an account, and the name by which it is asked for there. */
export type MicroAccount = { readonly network: Network; readonly name: string };

type Locating = Pick<SiteView, 'locate'>;

const X_NAME = /^[A-Za-z0-9_]{1,15}$/;
const DOMAIN_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z][a-z0-9-]{0,61}$/i;
const DID = /^did:(?:plc|web):[\w.:%-]{1,200}$/;
const AT_SERVER = /^\w(?:[\w.-]{0,60}\w)?(?:@[a-z0-9](?:[a-z0-9.-]{0,200}[a-z0-9]))?$/i;
/** First parts of paths that are no names. */
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
/** What else than a profile the paths of the networks lead to. */
const PLACES: PlaceKinds = [
  [/^\/(?:profile\/)?[^/?]+\/(?:status|statuses|post|\d+)(?:[/?]|$)/, 'a post'],
  [/^\/search(?:[/?]|$)/, 'a search'],
  [/^\/hashtag\//, 'a hashtag'],
  [/^\/i\/lists\//, 'a list'],
  [/^\/i\/communities\//, 'a community'],
  [/^\/(?:home|explore|settings|messages|notifications)(?:[/?]|$)/, 'a page for members'],
];
const POST_PLACES: PlaceKinds = [
  ...PLACES,
  [/^\/(?:profile\/)?[^/?]+\/?(?:\?|$)|^\/[^/?]+\/(?:followers|following|media|with_replies)/, 'a profile'],
];
/** What follows the name in the path of a post: a word, or a number alone. */
const POST_STEP = /^(?:status|statuses|post|\d+)$/;

/** The account that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function microblogAccountOf({ username, url }: MicroAccountInput, site: Locating): MicroAccount {
  if (username !== undefined && !/^https?:/.test(username)) {
    return named(username.trim()) ?? refuseReference('username', 'is no name of an account');
  }
  const place = site.locate(username ?? url ?? '');
  const [first = '', second = '', third = ''] = pathParts(place?.path);
  const [name, next] = place?.origin === 'bluesky' ? [first === 'profile' ? second : '', third] : [first, second];
  const account = place === null || POST_STEP.test(next) ? null : at(place.origin, name);
  if (account !== null) return account;
  const parameter = username === undefined ? 'url' : 'username';
  return refusePlace({ parameter, place, kinds: PLACES, wanted: 'a profile' });
}

function named(given: string): MicroAccount | null {
  const name = given.replace(/^@/, '');
  if (name.includes('@')) return AT_SERVER.test(name) ? { network: 'mastodon', name } : null;
  if (X_NAME.test(name)) return { network: 'x', name };
  return DOMAIN_NAME.test(name) || DID.test(name) ? { network: 'bluesky', name: name.toLowerCase() } : null;
}

function at(origin: string, name: string): MicroAccount | null {
  if (origin === 'web') return X_NAME.test(name) && !RESERVED.has(name) ? { network: 'x', name } : null;
  if (origin === 'bluesky') return DOMAIN_NAME.test(name) || DID.test(name) ? { network: 'bluesky', name } : null;
  const bare = name.replace(/^@/, '');
  return origin === 'mastodon' && name !== bare && AT_SERVER.test(bare) ? { network: 'mastodon', name: bare } : null;
}

export const MicroPostInput = z.object({
  id: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('A number, an at:// address, or the address of the post; wins over url'),
  url: z.url().max(2000).optional().describe('The page of the post'),
});

export type MicroPostInput = z.output<typeof MicroPostInput>;

/** The network of a post and its id; `by` is the name in its address. */
export type MicroPostPlace = { readonly network: Network; readonly id: string; readonly by: string | null };

const AT_URI = /^at:\/\/([^/]{1,250})\/app\.bsky\.feed\.post\/([\w.~-]{1,100})$/;

/** The post that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function postPlaceOf({ id, url }: MicroPostInput, site: Locating): MicroPostPlace {
  const given = (id ?? url ?? '').trim();
  if (/^\d{1,20}$/.test(given)) return { network: 'x', id: given, by: null };
  const [, by, key] = AT_URI.exec(given) ?? [];
  if (by !== undefined && key !== undefined) return { network: 'bluesky', id: key, by };
  const place = site.locate(given);
  const [first = '', second = '', third = '', fourth = ''] = pathParts(place?.path);
  if (place?.origin === 'web') {
    const number = [second, third].includes('status') ? (second === 'status' ? third : fourth) : '';
    if (/^\d{1,20}$/.test(number)) return { network: 'x', id: number, by: X_NAME.test(first) ? first : null };
  }
  if (place?.origin === 'bluesky' && first === 'profile' && third === 'post' && at('bluesky', second) !== null)
    if (/^[\w.~-]{1,100}$/.test(fourth)) return { network: 'bluesky', id: fourth, by: second };
  if (place?.origin === 'mastodon' && first.startsWith('@') && /^\d{1,25}$/.test(second))
    return { network: 'mastodon', id: second, by: first.slice(1) };
  const parameter = id === undefined ? 'url' : 'id';
  if (place === null) return refuseReference(parameter, 'names no post of this site');
  return refusePlace({ parameter, place, kinds: POST_PLACES, wanted: 'a post' });
}

/** Whether a source serves a network: the others are passed over. Bad input is refused by the request of the first. */
export function servesAccounts(network: Network) {
  return (site: Locating, input: MicroAccountInput): boolean => microblogAccountOf(input, site).network === network;
}

export function servesPosts(network: Network) {
  return (site: Locating, input: MicroPostInput): boolean => postPlaceOf(input, site).network === network;
}
