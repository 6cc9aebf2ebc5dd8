import { z } from 'zod';
import { unusable } from '#engine/sites/answers.ts';
import { memberOf, tryParse } from '#extract/values/json.ts';
import { loginOf } from './fields.ts';
import { codehost } from './site.ts';

const input = z.object({
  username: z.string().min(1).max(40).optional().describe('The login, with or without @'),
  url: z.url().max(2000).optional().describe('The profile'),
});

const record = z.object({
  user: z.object({
    id: z.string(),
    login: z.string(),
    name: z.string().nullable(),
    type: z.enum(['User', 'Organization']).nullable(),
    url: z.string(),
    avatar_url: z.string().nullable(),
    bio: z.string().nullable(),
    company: z.string().nullable(),
    location: z.string().nullable(),
    blog_url: z.string().nullable(),
    followers: z.int().nullable(),
    following: z.int().nullable(),
    public_repos: z.int().nullable(),
    public_gists: z.int().nullable(),
    hireable: z.boolean().nullable(),
    created_at: z.string().nullable(),
    updated_at: z.string().nullable(),
  }),
});

export const user = codehost({
  path: '/user',
  summary: 'Public user profile',
  input,
  record,
  anyOf: ['username', 'url'],
  aliases: { username: ['login', 'user'] },
  expected: ['user.name', 'user.followers', 'user.public_repos', 'user.created_at'],
  canary: { username: 'octocat' },
  request: (given, site) => ({
    origin: 'api',
    path: `/users/${loginOf(given, site)}`,
    headers: {
      accept: 'application/vnd.github+json',
      ...(site.credentials['token'] === undefined ? {} : { authorization: `Bearer ${site.credentials['token']}` }),
    },
  }),
  parse(page, given, site) {
    const raw = tryParse(page.body);
    const login = text(memberOf(raw, 'login'));
    const id = memberOf(raw, 'id');
    if (login === null || typeof id !== 'number') return unusable('no login');
    if (login.toLowerCase() !== loginOf(given, site).toLowerCase()) return unusable('another user');
    return {
      user: {
        id: String(id),
        login,
        name: text(memberOf(raw, 'name')),
        type: memberOf(raw, 'type') === 'Organization' ? ('Organization' as const) : ('User' as const),
        url: text(memberOf(raw, 'html_url')) ?? `https://github.com/${login}`,
        avatar_url: text(memberOf(raw, 'avatar_url')),
        bio: text(memberOf(raw, 'bio')),
        company: text(memberOf(raw, 'company')),
        location: text(memberOf(raw, 'location')),
        blog_url: text(memberOf(raw, 'blog')),
        followers: count(memberOf(raw, 'followers')),
        following: count(memberOf(raw, 'following')),
        public_repos: count(memberOf(raw, 'public_repos')),
        public_gists: count(memberOf(raw, 'public_gists')),
        hireable: null,
        created_at: text(memberOf(raw, 'created_at')),
        updated_at: text(memberOf(raw, 'updated_at')),
      },
    };
  },
});

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}
