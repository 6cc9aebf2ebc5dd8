import { z } from 'zod';
import type { SiteRequest, SiteView } from '#features/sites/request.ts';
import { refuseReference } from '#features/sites/site.ts';
import { permalinkAt } from './permalink.ts';
import { SOCIAL_WEB } from './site.ts';

export const ProfileInput = z.object({
  id: z.string().min(1).max(30).optional().describe('Number of the page; wins over the others'),
  username: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The last part of its address, with or without @; wins over url'),
  url: z.url().max(2000).optional().describe('Address of the page'),
});

export type ProfileInput = z.output<typeof ProfileInput>;

/** Whose page is meant: a number, or the name of its address. */
export type AskedProfile = { readonly id: string } | { readonly name: string };

const NUMBER = /^\d{5,20}$/;
const NAME = /^(?=[^.-])[A-Za-z0-9.-]{2,100}$/;
/** First parts of addresses that are no names. */
const TAKEN =
  /^(?:ads|business|checkpoint|events|gaming|groups|hashtag|help|home|legal|login|marketplace|media|messages|notes|permalink|photo|photos|places|plugins|policies|privacy|public|recover|reel|reels|search|settings|share|sharer|stories|story|terms|watch)(?:\.php)?$/i;

/** The page that is asked for. Throws `not_found`, and `invalid_request` for another address. */
export function askedProfileOf({ id, username, url }: ProfileInput, site: Pick<SiteView, 'locate'>): AskedProfile {
  if (id !== undefined)
    return NUMBER.test(id.trim()) ? { id: id.trim() } : refuseReference('id', 'is no number of a page');
  if (username !== undefined) {
    const name = username.trim().replace(/^@/, '');
    return (name.includes('/') ? null : profileAt(`/${name}`)) ?? refuseReference('username', 'is no name of a page');
  }
  const path = site.locate(url ?? '')?.path ?? '';
  // The address of a post begins with the name of its page too.
  return (permalinkAt(path) === null ? profileAt(path) : null) ?? refuseReference('url', 'is no address of a page');
}

/** Whose page a path of the site is; null for any other. */
export function profileAt(path: string): AskedProfile | null {
  const parts = URL.parse(path, 'http://site');
  const segments = parts?.pathname.split('/').filter(Boolean) ?? [];
  const [first = ''] = segments;
  if (first === 'profile.php') return numbered(parts?.searchParams.get('id'));
  if (/^(?:people|pages|p)$/.test(first)) return numbered(/(?:^|-)(\d+)$/.exec(segments.at(-1) ?? '')?.[1]);
  // Older addresses of pages without a name end with their number.
  const tail = /-(\d{9,20})$/.exec(first)?.[1];
  if (tail !== undefined) return { id: tail };
  if (NUMBER.test(first)) return { id: first };
  return NAME.test(first) && !TAKEN.test(first) ? { name: first } : null;
}

function numbered(id: string | null | undefined): AskedProfile | null {
  return NUMBER.test(id ?? '') ? { id: id ?? '' } : null;
}

/** The request for its page. */
export function requestFor(profile: AskedProfile): SiteRequest {
  return 'id' in profile
    ? { origin: 'web', path: '/profile.php', query: { id: profile.id } }
    : { origin: 'web', path: `/${profile.name}/` };
}

/** The request for the embed of the page with its newest posts, which the site lets other sites show. */
export function embedFor(profile: AskedProfile): SiteRequest {
  const href = 'id' in profile ? `${SOCIAL_WEB}/profile.php?id=${profile.id}` : `${SOCIAL_WEB}/${profile.name}/`;
  return { origin: 'web', path: '/plugins/page.php', query: { href, tabs: 'timeline', width: 500, height: 3000 } };
}

/** Whether two names lead to the same page: case and dots make no difference. */
export function isSameName(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('.', '');
}
