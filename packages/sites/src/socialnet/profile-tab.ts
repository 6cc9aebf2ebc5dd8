import type { SiteRequest } from '#sites/framework/request.ts';
import type { AskedProfile } from './profile-path.ts';

/** The request for one tab of a profile, by its name and by the word for it after a number. */
export function tabOf(profile: AskedProfile, tab: string): SiteRequest {
  return 'id' in profile
    ? { origin: 'web', path: '/profile.php', query: { id: profile.id, sk: tab } }
    : { origin: 'web', path: `/${profile.name}/${tab}/` };
}
