import { z } from 'zod';
import {
  getPath,
  toBoolean,
  toCount,
  toHomepageUrl,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import type { RequestContext, SiteContext } from '#sites/framework/request.ts';
import { refuseReference, type PathKinds, refuseLink } from '#sites/framework/site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Flag = z.boolean().nullable();

/** A repository as lists show it. */
export const RepoSummary = z.object({
  id: Text,
  name: z.string(),
  full_name: z.string(),
  url: z.string(),
  description: Text,
  homepage: Text,
  owner: z.object({ login: z.string(), type: Text, url: z.string(), avatar_url: Text }),
  stars: Count,
  forks: Count,
  open_issues: Count,
  language: Text,
  topics: z.array(z.string()).readonly().nullable(),
  license: z.object({ key: Text, name: Text, spdx_id: Text }).nullable(),
  default_branch: Text,
  is_fork: Flag,
  is_archived: Flag,
  is_template: Flag,
  visibility: Text,
  size_kb: Count,
  created_at: Text,
  updated_at: Text,
  pushed_at: Text,
  counts_approximate: z.boolean(),
});

export type RepoSummary = z.output<typeof RepoSummary>;

/** Parses a repository of the API. Null if the value is not a repository. */
export function parseRepoSummary(raw: unknown, base: string): RepoSummary | null {
  const name = toLine(getPath(raw, 'name'));
  const login = toLine(getPath(raw, 'owner', 'login'));
  if (name === null || login === null) return null;
  const address = toCleanUrl(getPath(raw, 'html_url'), base) ?? toCleanUrl(`/${login}/${name}`, base) ?? base;
  return {
    id: toText(getPath(raw, 'id')),
    name,
    full_name: toLine(getPath(raw, 'full_name')) ?? `${login}/${name}`,
    url: address,
    description: toText(getPath(raw, 'description')),
    homepage: toHomepageUrl(getPath(raw, 'homepage'), base),
    owner: {
      login,
      type: toLine(getPath(raw, 'owner', 'type')),
      url: toCleanUrl(getPath(raw, 'owner', 'html_url'), base) ?? new URL(`/${login}`, address).href,
      avatar_url: toMediaUrl(getPath(raw, 'owner', 'avatar_url'), base),
    },
    // The API's `watchers` has always been the number of stars.
    stars: parseExactCount(getPath(raw, 'stargazers_count') ?? getPath(raw, 'watchers')),
    forks: parseExactCount(getPath(raw, 'forks_count') ?? getPath(raw, 'forks')),
    open_issues: parseExactCount(getPath(raw, 'open_issues_count') ?? getPath(raw, 'open_issues')),
    language: toLine(getPath(raw, 'language')),
    topics: Array.isArray(getPath(raw, 'topics')) ? parseTexts(getPath(raw, 'topics')) : null,
    license: parseLicense(getPath(raw, 'license')),
    default_branch: toLine(getPath(raw, 'default_branch')),
    is_fork: toBoolean(getPath(raw, 'fork')),
    is_archived: toBoolean(getPath(raw, 'archived')),
    is_template: toBoolean(getPath(raw, 'is_template')),
    visibility: toLine(getPath(raw, 'visibility')) ?? parseVisibility(toBoolean(getPath(raw, 'private'))),
    size_kb: parseExactCount(getPath(raw, 'size')),
    created_at: toTimestamp(getPath(raw, 'created_at')),
    updated_at: toTimestamp(getPath(raw, 'updated_at')),
    pushed_at: toTimestamp(getPath(raw, 'pushed_at')),
    counts_approximate: false,
  };
}

/** Older answers report only whether the repository is private. */
function parseVisibility(isPrivate: boolean | null): string | null {
  return isPrivate === null ? null : isPrivate ? 'private' : 'public';
}

function parseLicense(raw: unknown): RepoSummary['license'] {
  const name = toLine(getPath(raw, 'name'));
  const spdx = toLine(getPath(raw, 'spdx_id'));
  if (name === null && spdx === null) return null;
  // The API reports a licence that it does not recognize as NOASSERTION.
  return { key: toLine(getPath(raw, 'key')), name, spdx_id: spdx === 'NOASSERTION' ? null : spdx };
}

function parseTexts(raw: unknown): readonly string[] {
  return toArray(raw)
    .map(toLine)
    .filter((one) => one !== null);
}

/** Parses a count of the API, which never rounds. Null if it is missing or negative. */
export function parseExactCount(raw: unknown): number | null {
  return toCount(raw, null)?.value ?? null;
}

const LOGIN = /^[a-z0-9](?:[a-z0-9-]{0,38})$/;

/** First path segments of the site's own pages. No account can have one of these names. */
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

/** The kinds of the site's paths. */
export const PATH_KINDS: PathKinds = [
  [/^\/search(?:[/?]|$)/, 'a search'],
  [/^\/trending(?:[/?]|$)/, 'a list of repositories'],
  [/^\/(?:topics|collections|explore|stars)(?:[/?]|$)/, 'a list of repositories'],
  [/^\/orgs\/[^/?]+\/?/, 'an organisation'],
  [new RegExp(`^/(?:${[...OWN_PAGES].join('|')})(?:[/?]|$)`), 'a page of the site itself'],
  [/^\/[^/?]+\/[^/?]+/, 'a repository'],
  [/^\/[^/?]+\/?(?:\?|$)/, 'a profile'],
];

/** Whether a name belongs to a page of the site itself, such as its lists and its marketplace. */
export function isOwnPage(name: string): boolean {
  return OWN_PAGES.has(name.toLowerCase());
}

/**
 * Reads the login, in lower case, from a name or a profile's URL. Throws `not_found`, or `invalid_request` for
 * another address.
 */
export function readLogin(
  { username, url: address }: { readonly username?: string; readonly url?: string },
  site: SiteContext,
): string {
  if (username !== undefined) {
    const login = username.replace(/^@/, '').toLowerCase();
    return LOGIN.test(login) ? login : refuseReference('username', 'is not a login of this site');
  }
  const place = site.locate(address ?? '');
  const steps = place?.path.toLowerCase().split(/[?#]/)[0]?.split('/').filter(Boolean) ?? [];
  const isNamed = steps[0] === 'orgs' || (place?.origin === 'api' && steps[0] === 'users');
  const [login = '', ...rest] = isNamed ? steps.slice(1) : steps;
  // Repositories and the site's own pages are not profiles.
  const isProfile = LOGIN.test(login) && (isNamed || (rest.length === 0 && !isOwnPage(login)));
  return isProfile ? login : refuseLink({ parameter: 'url', place, kinds: PATH_KINDS, wanted: 'a profile' });
}

/** Headers of the API. It allows more requests with the operator's token. */
export function buildApiHeaders({ credentials }: RequestContext): Readonly<Record<string, string>> {
  const { token } = credentials;
  return {
    accept: 'application/vnd.github+json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}
