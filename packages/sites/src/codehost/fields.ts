import type { Sending, SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { countOf } from '#extract/values/raw.ts';

const LOGIN = /^[a-z0-9](?:[a-z0-9-]{0,38})$/;

/** First steps of paths that are pages of the site itself, whose names no account can have. */
const OWN_PAGES: ReadonlySet<string> = new Set([
  'about',
  'account',
  'apps',
  'codespaces',
  'collections',
  'contact',
  'copilot',
  'customer-stories',
  'dashboard',
  'enterprise',
  'events',
  'explore',
  'features',
  'issues',
  'join',
  'login',
  'logout',
  'marketplace',
  'new',
  'notifications',
  'organizations',
  'orgs',
  'pricing',
  'pulls',
  'search',
  'security',
  'sessions',
  'settings',
  'signup',
  'site',
  'sponsors',
  'stars',
  'team',
  'topics',
  'trending',
  'watching',
]);

/** What the paths of the site lead to. */
export const CODEHOST_PLACES: PlaceKinds = [
  [/^\/search(?:[/?]|$)/, 'a search'],
  [/^\/trending(?:[/?]|$)/, 'a list of repositories'],
  [/^\/(?:topics|collections|explore|stars)(?:[/?]|$)/, 'a list of repositories'],
  [/^\/orgs\/[^/?]+\/?/, 'an organisation'],
  [new RegExp(`^/(?:${[...OWN_PAGES].join('|')})(?:[/?]|$)`), 'a page of the site itself'],
  [/^\/[^/?]+\/[^/?]+/, 'a repository'],
  [/^\/[^/?]+\/?(?:\?|$)/, 'a profile'],
];

/** Whether a name is that of a page of the site, such as its lists and its shop. */
export function isOwnPage(name: string): boolean {
  return OWN_PAGES.has(name.toLowerCase());
}

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
  const steps = place?.path.toLowerCase().split(/[?#]/)[0]?.split('/').filter(Boolean) ?? [];
  const isNamed = steps[0] === 'orgs' || (place?.origin === 'api' && steps[0] === 'users');
  const [login = '', ...rest] = isNamed ? steps.slice(1) : steps;
  // A repository, or a page of the site itself, is no profile.
  const isProfile = LOGIN.test(login) && (isNamed || (rest.length === 0 && !isOwnPage(login)));
  return isProfile ? login : refusePlace({ parameter: 'url', place, kinds: CODEHOST_PLACES, wanted: 'a profile' });
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
