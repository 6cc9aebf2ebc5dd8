import { refuse } from '#engine/sites/site.ts';
import type { SiteView } from '#engine/sites/request.ts';

const LOGIN = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/;

/** The login of a name, with or without `@`, or of a profile's URL. Throws `invalid_request`. */
export function loginOf(
  { username, url }: { readonly username?: string; readonly url?: string },
  site: SiteView,
): string {
  if (username !== undefined) {
    const login = username.replace(/^@/, '');
    return LOGIN.test(login) ? login : refuse('username', 'is not a login of this site');
  }
  const place = site.locate(url ?? '');
  const [, first = '', second = ''] = place?.path.split(/[/?]/) ?? [];
  const login = place?.origin === 'api' && first === 'users' ? second : first;
  return place !== null && LOGIN.test(login) ? login : refuse('url', 'is not a profile of this site');
}
