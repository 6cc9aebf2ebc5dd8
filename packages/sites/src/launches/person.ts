import { z } from 'zod';
import { at, line, mediaUrl } from '#extract/values/raw.ts';
import { LAUNCHES_HOME } from './site.ts';

const Text = z.string().nullable();

/** A member of the site who made or found a product. */
export const Person = z.object({
  id: Text,
  username: z.string(),
  name: Text,
  headline: Text,
  avatar_url: Text,
  url: z.string(),
});

export type Person = z.output<typeof Person>;

/** A person in the site's own data, who may stand in what relates them to a product; null for none. */
export function toPerson(raw: unknown): Person | null {
  const user = at(raw, 'user') ?? raw;
  const username = line(at(user, 'username'));
  if (username === null) return null;
  return {
    id: line(at(user, 'id')),
    username,
    name: line(at(user, 'name')),
    headline: line(at(user, 'headline')),
    avatar_url: avatarOf(user),
    url: profileOf(username),
  };
}

/** The picture of a person, which the site knows by their number. */
export function avatarOf(user: unknown): string | null {
  const stated = at(user, 'avatarUrl') ?? at(user, 'profileImage');
  const id = line(at(user, 'id'));
  return (
    mediaUrl(stated, LAUNCHES_HOME) ??
    (id !== null && /^\d+$/.test(id) ? `https://ph-avatars.imgix.net/${id}/original` : null)
  );
}

export function profileOf(username: string): string {
  return `${LAUNCHES_HOME}/@${encodeURIComponent(username)}`;
}
