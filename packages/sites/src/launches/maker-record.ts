import { z } from 'zod';
import { refuseReference } from '#sites/framework/site.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { LAUNCHES_PLACES } from './site.ts';
import type { SiteView } from '#sites/framework/request.ts';
import { ProfileLink } from './links.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

export const MakerInput = z.object({
  username: z.string().min(1).max(100).optional().describe('With or without @; wins over url'),
  url: z.url().max(2000).optional().describe('The profile'),
});

export type MakerInput = z.output<typeof MakerInput>;

/** A person who makes products. */
export const Maker = z.object({
  id: Text,
  username: z.string(),
  name: z.string(),
  headline: Text,
  about: Text,
  url: z.string(),
  avatar_url: Text,
  followers: Count,
  following: Count,
  links: z.array(ProfileLink).readonly().nullable(),
  products: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        slug: z.string(),
        tagline: Text,
        url: z.string(),
        upvotes: Count,
        launched_at: Text,
      }),
    )
    .readonly()
    .nullable(),
  joined_at: Text,
  badges: z.array(z.string()).readonly().nullable(),
  streak_days: Count,
});

export type Maker = z.output<typeof Maker>;

const USERNAME = /^[a-z0-9_][a-z0-9_.-]{0,60}$/;

/** The name in lower case of the person that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function usernameOf({ username, url }: MakerInput, site: Pick<SiteView, 'locate'>): string {
  const given = username?.trim().replace(/^@/, '').toLowerCase();
  if (given !== undefined) return USERNAME.test(given) ? given : refuseReference('username', 'is no name of this site');
  const place = site.locate(url ?? '');
  const found = /^\/@([^/?#]+)/.exec(place?.path ?? '')?.[1]?.toLowerCase() ?? '';
  if (USERNAME.test(found)) return found;
  return refusePlace({ parameter: 'url', place, kinds: LAUNCHES_PLACES, wanted: 'a profile' });
}
