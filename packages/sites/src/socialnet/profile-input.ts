import { z } from 'zod';
import type { SiteRequest, SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refuseAddress } from './address-kinds.ts';
import { permalinkAt } from './permalink.ts';
import { profileAt, PROFILE_NUMBER } from './profile-path.ts';
import type { AskedProfile } from './profile-path.ts';
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

/** The page that is asked for. Throws `not_found`, and `invalid_request` for another address. */
export function askedProfileOf({ id, username, url }: ProfileInput, site: Pick<SiteView, 'locate'>): AskedProfile {
  if (id !== undefined)
    return PROFILE_NUMBER.test(id.trim()) ? { id: id.trim() } : refuseReference('id', 'is no number of a page');
  if (username !== undefined) {
    const name = username.trim().replace(/^@/, '');
    return (name.includes('/') ? null : profileAt(`/${name}`)) ?? refuseReference('username', 'is no name of a page');
  }
  const path = site.locate(url ?? '')?.path ?? '';
  // The address of a post begins with the name of its page too.
  return (permalinkAt(path) === null ? profileAt(path) : null) ?? refuseAddress(path, 'a page');
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
