import type { Sending, SiteView } from '#features/sites/request.ts';
import { refuseReference } from '#features/sites/site.ts';
import { countOf } from '#extract/values/raw.ts';

const LOGIN = /^[a-z0-9](?:[a-z0-9-]{0,38})$/;

/** The login, in lower case, of a name with or without `@` or of a profile's URL. Throws `not_found`, and `invalid_request` for another address. */
export function loginOf(
  { username, url: address }: { readonly username?: string; readonly url?: string },
  site: SiteView,
): string {
  if (username !== undefined) {
    const login = username.replace(/^@/, '').toLowerCase();
    return LOGIN.test(login) ? login : refuseReference('username', 'is not a login of this site');
  }
  const place = site.locate(address ?? '');
  const [, first = '', second = ''] = place?.path.toLowerCase().split(/[/?]/) ?? [];
  const login = place?.origin === 'api' && first === 'users' ? second : first;
  return place !== null && LOGIN.test(login) ? login : refuseReference('url', 'is not a profile of this site');
}

/** The headers of the documented API; with the operator's token it allows more requests. */
export function apiHeaders({ credentials }: Sending): Readonly<Record<string, string>> {
  const { token } = credentials;
  return {
    accept: 'application/vnd.github+json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

/** A count of the documented interface, which rounds none; null when it is none, or negative. */
export function exact(raw: unknown): number | null {
  return countOf(raw, null)?.value ?? null;
}
