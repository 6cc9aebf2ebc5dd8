import type { Reply } from '#demo/reply.ts';
import { json } from './site-pages.ts';
import type { SiteCall, SitePages } from './site-pages.ts';

const MILLER = {
  login: 'ilse-miller',
  id: 70112,
  type: 'User',
  name: 'Ilse Harrow',
  company: 'Harrow Mill',
  blog: 'https://harrow-mill.example/',
  location: 'By the weir',
  hireable: null,
  bio: 'Grinds rye, writes about it.',
  public_repos: 12,
  public_gists: 3,
  followers: 1204,
  following: 17,
  created_at: '2013-04-02T08:15:00Z',
  updated_at: '2026-11-02T19:40:12Z',
};

/** A code host: people with repositories. */
export const codehostPages: SitePages = {
  site: 'codehost',
  origins: {
    api: ({ url, origins }) => answerApi(url, origins),
    web: () => null,
  },
};

function answerApi(url: URL, origins: SiteCall['origins']): Reply | null {
  const [, kind, login = ''] = url.pathname.split('/');
  if (kind !== 'users') return null;
  if (login === 'spent') {
    const headers = { 'x-ratelimit-remaining': '0', 'retry-after': '1800' };
    return json({ message: 'API rate limit exceeded' }, 403, headers);
  }
  if (login !== MILLER.login) return json({ message: 'Not Found' }, 404);
  const { web = '', api = '' } = origins;
  return json({
    ...MILLER,
    url: `${api}/users/${MILLER.login}`,
    html_url: `${web}/${MILLER.login}`,
    avatar_url: `${web}/avatars/${MILLER.id}.png`,
  });
}
