import { at, line } from '#extract/values/raw.ts';
import type { Author } from './post-record.ts';
import { profileAt } from './profile-path.ts';
import { linkAt } from './site.ts';

/** Who wrote something; null without a name. */
export function authorOf(raw: unknown): Author | null {
  const name = line(at(raw, 'name'));
  if (name === null) return null;
  const address = linkAt(at(raw, 'url') ?? at(raw, 'profile_url'));
  const profile = address === null ? null : profileAt(address.slice(new URL(address).origin.length));
  return {
    id: line(at(raw, 'id')),
    name,
    url: address,
    username: profile !== null && 'name' in profile ? profile.name : null,
  };
}
