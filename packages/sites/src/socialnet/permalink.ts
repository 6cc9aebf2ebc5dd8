import type { SiteRequest } from '#sites/framework/request.ts';
import { SOCIAL_WEB } from './site.ts';

/** The address of one post: its kind, the number that it goes by there, and how it is asked for. */
export type Permalink = {
  readonly kind: 'post' | 'group' | 'photo' | 'video' | 'reel' | 'share';
  /** A number or the site's veiled one (`pfbid…`); null where the address leads on to the one that has it. */
  readonly id: string | null;
  readonly request: SiteRequest;
};

const ID = /^(?:\d{5,25}|pfbid[A-Za-z0-9]{10,200})$/;
const NAME = /^[A-Za-z0-9.-]{1,100}$/;

/** The post that a path of the site leads to; null for any other. */
export function permalinkAt(path: string): Permalink | null {
  const parts = URL.parse(path, 'http://site');
  if (parts === null) return null;
  const { searchParams: query } = parts;
  const [first = '', second = '', ...rest] = parts.pathname.split('/').filter(Boolean);
  const last = rest.at(-1) ?? '';
  switch (first) {
    case 'permalink.php':
    case 'story.php':
      return toStory(query.get('story_fbid'), query.get('id'));
    case 'groups':
      return toGroup(second, /^(?:permalink|posts)$/.test(rest[0] ?? '') ? last : query.get('multi_permalinks'));
    case 'photo':
    case 'photo.php':
      return toPhoto(query.get('fbid'));
    case 'watch':
      return toVideo(query.get('v'));
    case 'reel':
      return toPlace('reel', second, { origin: 'web', path: `/reel/${second}/` });
    case 'share':
      return toShare([second, ...rest]);
    default:
      if (!NAME.test(first)) return null;
      if (second === 'posts') return toPlace('post', last, { origin: 'web', path: `/${first}/posts/${last}/` });
      if (second === 'photos') return toPhoto(last);
      return second === 'videos' ? toVideo(last) : null;
  }
}

/** The plain address of a post, without what its links carry. */
export function plainAddress({ request: { path, query = {} } }: Permalink): string {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `${SOCIAL_WEB}${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`;
}

function toPlace(kind: Permalink['kind'], id: string | null, request: SiteRequest): Permalink | null {
  return id !== null && ID.test(id) ? { kind, id, request } : null;
}

function toStory(id: string | null, owner: string | null): Permalink | null {
  if (owner === null || !/^\d{5,20}$/.test(owner)) return null;
  return toPlace('post', id, { origin: 'web', path: '/permalink.php', query: { story_fbid: id, id: owner } });
}

function toGroup(group: string, id: string | null): Permalink | null {
  return NAME.test(group) ? toPlace('group', id, { origin: 'web', path: `/groups/${group}/posts/${id}/` }) : null;
}

function toPhoto(id: string | null): Permalink | null {
  return toPlace('photo', id, { origin: 'web', path: '/photo/', query: { fbid: id } });
}

function toVideo(id: string | null): Permalink | null {
  return toPlace('video', id, { origin: 'web', path: '/watch/', query: { v: id } });
}

/** Short addresses, with or without a letter for the kind. */
function toShare(segments: readonly string[]): Permalink | null {
  if (segments.length === 0 || segments.length > 2 || !segments.every((one) => /^[A-Za-z0-9_-]{1,40}$/.test(one)))
    return null;
  return { kind: 'share', id: null, request: { origin: 'web', path: `/share/${segments.join('/')}/` } };
}
