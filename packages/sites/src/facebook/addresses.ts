import { z } from 'zod';
import type { SiteRequest, SiteContext } from '#sites/framework/request.ts';
import { refuseReference, findPathKind, type PathKinds, refuseLinkKind } from '#sites/framework/site.ts';
import { HOME } from './site.ts';

export const ProfileInput = z.object({
  id: z.string().min(1).max(30).optional().describe('Number of the page; takes precedence over the other parameters'),
  username: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The last segment of its address, with or without @; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the page'),
});

export type ProfileInput = z.output<typeof ProfileInput>;

/** Reads which profile the caller wants. Throws `not_found`, and `invalid_request` for an address of another kind. */
export function readProfileReference(
  { id, username, url }: ProfileInput,
  site: Pick<SiteContext, 'locate'>,
): ProfileReference {
  if (id !== undefined)
    return PROFILE_NUMBER.test(id.trim()) ? { id: id.trim() } : refuseReference('id', 'is not the number of a page');
  if (username !== undefined) {
    const name = username.trim().replace(/^@/, '');
    return (
      (name.includes('/') ? null : parseProfilePath(`/${name}`)) ??
      refuseReference('username', 'is not the name of a page')
    );
  }
  const path = site.locate(url ?? '')?.path ?? '';
  // The address of a post begins with the name of its page, so posts are excluded first.
  return (parsePermalink(path) === null ? parseProfilePath(path) : null) ?? refuseAddress(path, 'a page');
}

/** Builds the request for the page of a profile. */
export function buildProfileRequest(profile: ProfileReference): SiteRequest {
  return 'id' in profile
    ? { origin: 'web', path: '/profile.php', query: { id: profile.id } }
    : { origin: 'web', path: `/${profile.name}/` };
}

/** Builds the request for the Page Plugin, with the newest posts of the page. */
export function buildEmbedRequest(profile: ProfileReference): SiteRequest {
  const href = 'id' in profile ? `${HOME}/profile.php?id=${profile.id}` : `${HOME}/${profile.name}/`;
  return { origin: 'web', path: '/plugins/page.php', query: { href, tabs: 'timeline', width: 500, height: 3000 } };
}

/** Whether two names lead to the same page. The site ignores case and dots. */
export function isSameName(one: string, other: string): boolean {
  return normalizeName(one) === normalizeName(other);
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll('.', '');
}

export const GroupInput = z.object({
  id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Number of the group, or the name in its address; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the group'),
});

const GROUP_NAME = /^[A-Za-z0-9][A-Za-z0-9.]{1,99}$/;

/** Paths below `/groups/` that are not groups. */
const RESERVED_GROUP_NAMES = /^(?:categories|create|discover|feed|joins|notifications|requests|search)$/i;

/** Reads the id or name of the wanted group. Throws `not_found`, and `invalid_request` for an address of another kind. */
export function readGroupName({ id, url }: z.output<typeof GroupInput>, site: Pick<SiteContext, 'locate'>): string {
  if (id !== undefined) {
    const word = id.trim();
    return isGroupName(word) ? word : refuseReference('id', 'is not the number or name of a group');
  }
  const path = site.locate(url ?? '')?.path ?? '';
  const word = parsePermalink(path) === null ? parseGroupPath(path) : null;
  return word ?? refuseAddress(path, 'a group');
}

/** Finds the id or name of a group in a path. Null for any other path. */
export function parseGroupPath(path: string): string | null {
  const word = /^\/groups\/([^/?#]+)/.exec(path)?.[1] ?? '';
  return isGroupName(word) ? word : null;
}

function isGroupName(word: string): boolean {
  return GROUP_NAME.test(word) && !RESERVED_GROUP_NAMES.test(word);
}

/** The id of a page, or the name in its address. */
export type ProfileReference = { readonly id: string } | { readonly name: string };

const PROFILE_NUMBER = /^\d{5,20}$/;
const PROFILE_NAME = /^(?=[^.-])[A-Za-z0-9.-]{2,100}$/;

/** First segments of addresses that are not names of pages. */
const RESERVED_PROFILE_NAMES =
  /^(?:ads|business|checkpoint|dialog|directory|events|gaming|groups|hashtag|help|home|legal|login|marketplace|media|messages|notes|permalink|photo|photos|places|plugins|policies|privacy|public|recover|reel|reels|search|settings|share|sharer|stories|story|terms|video|watch)(?:\.php)?$/i;

/** Finds the page to which a path belongs. Null for any other path. */
export function parseProfilePath(path: string): ProfileReference | null {
  const parts = URL.parse(path, 'http://site');
  const segments = parts?.pathname.split('/').filter(Boolean) ?? [];
  const [first = ''] = segments;
  if (first === 'profile.php') return parseProfileNumber(parts?.searchParams.get('id'));
  if (/^(?:people|pages|p)$/.test(first)) return parseProfileNumber(/(?:^|-)(\d+)$/.exec(segments.at(-1) ?? '')?.[1]);
  // Older addresses of pages without a name end with their id.
  const tail = /-(\d{9,20})$/.exec(first)?.[1];
  if (tail !== undefined) return { id: tail };
  if (PROFILE_NUMBER.test(first)) return { id: first };
  return PROFILE_NAME.test(first) && !RESERVED_PROFILE_NAMES.test(first) ? { name: first } : null;
}

function parseProfileNumber(id: string | null | undefined): ProfileReference | null {
  return PROFILE_NUMBER.test(id ?? '') ? { id: id ?? '' } : null;
}

/** Builds the request for one tab of a profile. */
export function buildTabRequest(profile: ProfileReference, tab: string): SiteRequest {
  return 'id' in profile
    ? { origin: 'web', path: '/profile.php', query: { id: profile.id, sk: tab } }
    : { origin: 'web', path: `/${profile.name}/${tab}/` };
}

/** The address of a post: its kind, its id, and the request for it. */
export type Permalink = {
  readonly kind: 'post' | 'group' | 'photo' | 'video' | 'reel' | 'share';
  /** A number, or an obfuscated id (`pfbid…`). Null for a share address, which redirects to the one with the id. */
  readonly id: string | null;
  readonly request: SiteRequest;
};

const POST_ID = /^(?:\d{5,25}|pfbid[A-Za-z0-9]{10,200})$/;
const OWNER_NAME = /^[A-Za-z0-9.-]{1,100}$/;

/** Parses the path of a post. Null for any other path. */
export function parsePermalink(path: string): Permalink | null {
  const parts = URL.parse(path, 'http://site');
  if (parts === null) return null;
  const { searchParams: query } = parts;
  const [first = '', second = '', ...rest] = parts.pathname.split('/').filter(Boolean);
  const last = rest.at(-1) ?? '';
  switch (first) {
    case 'permalink.php':
    case 'story.php':
      return buildStoryLink(query.get('story_fbid'), query.get('id'));
    case 'groups':
      return buildGroupLink(second, /^(?:permalink|posts)$/.test(rest[0] ?? '') ? last : query.get('multi_permalinks'));
    case 'photo':
    case 'photo.php':
      return buildPhotoLink(query.get('fbid'));
    case 'watch':
      return buildVideoLink(query.get('v'));
    case 'reel':
      return buildPermalink('reel', second, { origin: 'web', path: `/reel/${second}/` });
    case 'share':
      return buildShareLink([second, ...rest]);
    default:
      if (!OWNER_NAME.test(first)) return null;
      if (second === 'posts') return buildPermalink('post', last, { origin: 'web', path: `/${first}/posts/${last}/` });
      if (second === 'photos') return buildPhotoLink(last);
      return second === 'videos' ? buildVideoLink(last) : null;
  }
}

/** Formats the address of a post without tracking parameters. */
export function formatPermalink({ request: { path, query = {} } }: Permalink): string {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `${HOME}${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`;
}

function buildPermalink(kind: Permalink['kind'], id: string | null, request: SiteRequest): Permalink | null {
  return id !== null && POST_ID.test(id) ? { kind, id, request } : null;
}

function buildStoryLink(id: string | null, owner: string | null): Permalink | null {
  if (owner === null || !/^\d{5,20}$/.test(owner)) return null;
  return buildPermalink('post', id, { origin: 'web', path: '/permalink.php', query: { story_fbid: id, id: owner } });
}

function buildGroupLink(group: string, id: string | null): Permalink | null {
  return OWNER_NAME.test(group)
    ? buildPermalink('group', id, { origin: 'web', path: `/groups/${group}/posts/${id}/` })
    : null;
}

function buildPhotoLink(id: string | null): Permalink | null {
  return buildPermalink('photo', id, { origin: 'web', path: '/photo/', query: { fbid: id } });
}

function buildVideoLink(id: string | null): Permalink | null {
  return buildPermalink('video', id, { origin: 'web', path: '/watch/', query: { v: id } });
}

/** Builds the link for a short address, with or without the letter of its kind. */
function buildShareLink(segments: readonly string[]): Permalink | null {
  if (segments.length === 0 || segments.length > 2 || !segments.every((one) => /^[A-Za-z0-9_-]{1,40}$/.test(one)))
    return null;
  return { kind: 'share', id: null, request: { origin: 'web', path: `/share/${segments.join('/')}/` } };
}

const POST_KINDS: Readonly<Record<Permalink['kind'], string>> = {
  post: 'a post',
  group: 'a post of a group',
  photo: 'a photo',
  video: 'a video',
  reel: 'a reel',
  share: 'what somebody shares',
};

/** The kinds of the site's other addresses. Narrower kinds come first. */
const PATH_KINDS: PathKinds = [
  [/^\/groups\/[^/?]+/, 'a group'],
  [/^\/events\/(?:.*\/)?\d{5,20}\/?(?:\?|$)/, 'an event'],
  [/^\/events\b/, 'a list of events'],
  [/^\/marketplace\/(?:[^/]+\/)?item\//, 'a listing'],
  [/^\/marketplace\b/, 'the marketplace'],
  [/^\/ads\/library\b/, 'the library of ads'],
  [/^\/media\/set\b/, 'an album'],
  [/^\/stories\//, 'a story'],
  [/^\/hashtag\//, 'a hashtag'],
  [/^\/(?:login|checkpoint)\b/, 'the form to log in'],
];

/** Describes to what a path leads. Null if the kind is unknown. */
function describeKind(path: string): string | null {
  const post = parsePermalink(path);
  if (post !== null) return POST_KINDS[post.kind];
  return findPathKind(PATH_KINDS, path) ?? (parseProfilePath(path) === null ? null : 'a page');
}

/** Refuses an address of another kind, and names that kind. Throws `invalid_request`. */
export function refuseAddress(path: string, wanted: string): never {
  return refuseLinkKind({ parameter: 'url', kind: describeKind(path), wanted });
}
