import { z } from 'zod';
import { pathParts } from '#extract/urls/path-parts.ts';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { placeKindAt, refuseKind } from '#sites/place-kinds.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';

export const ClipAuthorInput = z.object({
  username: z.string().min(1).max(100).optional().describe('With or without @; wins over url'),
  url: z.url().max(2000).optional().describe('The page of the profile'),
});

export const ClipInput = z.object({
  id: z.string().min(1).max(2000).optional().describe('The number of the video, or its address; wins over url'),
  url: z.url().max(2000).optional().describe('The page of the video'),
});

export const ClipSearchInput = z.object({
  search: z.string().trim().min(1).max(300).describe('Words to search for'),
});

export const HashtagInput = z.object({
  hashtag: z.string().min(1).max(150).optional().describe('With or without #; wins over url'),
  url: z.url().max(2000).optional().describe('The page of the hashtag'),
});

type ClipAuthorInput = z.output<typeof ClipAuthorInput>;
export type ClipInput = z.output<typeof ClipInput>;
export type HashtagInput = z.output<typeof HashtagInput>;
type Locating = Pick<SiteView, 'locate'>;

const NAME = /^[\w.]{2,24}$/;
const ID = /^\d{10,25}$/;

const PLACES: PlaceKinds = [
  [/^\/@[^/]*\/video\//, 'a video'],
  [/^\/@[^/]*\/photo\//, 'a series of pictures'],
  [/^\/@[^/]*\/live\b/, 'a broadcast'],
  [/^\/@/, 'a profile'],
  [/^\/tag\//, 'a hashtag'],
  [/^\/music\//, 'a sound'],
  [/^\/(?:search|discover)\b/, 'a search'],
  [/^\/t\//, 'what somebody shares'],
];

/** Refuses an address that leads to something else than is wanted, and says to what. Throws `invalid_request`. */
function refuseClipAddress(parameter: string, path: string | undefined, wanted: string): never {
  return refuseKind({ parameter, kind: placeKindAt(PLACES, path ?? ''), wanted });
}

/** The name of the person who is meant, in lower case. Throws `not_found`, and `invalid_request` for another address. */
export function clipAuthorOf({ username, url }: ClipAuthorInput, site: Locating): string {
  if (username !== undefined) {
    const name = username.trim().replace(/^@/, '').toLowerCase();
    return NAME.test(name) ? name : refuseReference('username', 'is no name of this site');
  }
  const [first = ''] = pathParts(site.locate(url ?? '')?.path);
  const name = first.slice(1).toLowerCase();
  return first.startsWith('@') && NAME.test(name)
    ? name
    : refuseClipAddress('url', site.locate(url ?? '')?.path, 'a profile');
}

/** The number of the video that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function clipIdOf({ id, url }: ClipInput, site: Locating): string {
  const given = (id ?? url ?? '').trim();
  if (ID.test(given)) return given;
  const parts = pathParts(site.locate(given)?.path);
  const kind = parts.findIndex((part) => part === 'video' || part === 'photo');
  const found = kind === -1 ? '' : (parts[kind + 1] ?? '');
  const legacy = /^(\d{10,25})\.html$/.exec(parts[0] === 'v' ? (parts[1] ?? '') : '')?.[1];
  if (ID.test(found)) return found;
  const name = id === undefined ? 'url' : 'id';
  if (legacy !== undefined) return legacy;
  return given.includes('://')
    ? refuseClipAddress(name, site.locate(given)?.path, 'a video')
    : refuseReference(name, 'names no video of this site');
}

/** The hashtag that is meant, in lower case. Throws `not_found`, and `invalid_request` for another address. */
export function clipTagOf({ hashtag, url }: HashtagInput, site: Locating): string {
  const parts = hashtag === undefined ? pathParts(site.locate(url ?? '')?.path) : ['tag', hashtag];
  const tag = parts[0] === 'tag' ? (parts[1] ?? '').trim().replace(/^#/, '').toLowerCase() : '';
  if (/^[\p{L}\p{M}\p{N}_]{1,100}$/u.test(tag)) return tag;
  return hashtag === undefined
    ? refuseClipAddress('url', site.locate(url ?? '')?.path, 'a hashtag')
    : refuseReference('hashtag', 'is no hashtag of this site');
}
