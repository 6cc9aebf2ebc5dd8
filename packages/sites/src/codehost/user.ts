import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { attributeAt, lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, countOf, homepage, line, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { apiHeaders, exact, loginOf } from './fields.ts';
import { codehost } from './site.ts';

const input = z.object({
  username: z.string().min(1).max(40).optional().describe('The login, with or without @'),
  url: z.url().max(2000).optional().describe('The profile'),
});

const record = z.object({
  user: z.object({
    id: z.string().nullable(),
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
    counts_approximate: z.boolean(),
  }),
});

type UserSource = EndpointSource<typeof input, typeof record>;

const api: UserSource = {
  name: 'api',
  request: (given, site) => ({ origin: 'api', path: `/users/${loginOf(given, site)}`, headers: apiHeaders(site) }),
  parse(page, given, site) {
    const raw = tryParse(page.body);
    const login = text(at(raw, 'login'));
    if (login?.toLowerCase() !== loginOf(given, site)) return unusable('the login asked for');
    return {
      user: {
        id: text(at(raw, 'id')),
        login,
        name: line(at(raw, 'name')),
        type: typeOf(at(raw, 'type')),
        url: url(at(raw, 'html_url'), page.url) ?? page.url,
        avatar_url: mediaUrl(at(raw, 'avatar_url'), page.url),
        bio: text(at(raw, 'bio')),
        company: line(at(raw, 'company')),
        location: line(at(raw, 'location')),
        blog_url: homepage(at(raw, 'blog'), page.url),
        followers: exact(at(raw, 'followers')),
        following: exact(at(raw, 'following')),
        public_repos: exact(at(raw, 'public_repos')),
        public_gists: exact(at(raw, 'public_gists')),
        hireable: boolean(at(raw, 'hireable')),
        created_at: moment(at(raw, 'created_at')),
        updated_at: moment(at(raw, 'updated_at')),
        counts_approximate: false,
      },
    };
  },
};

const profile: UserSource = {
  name: 'profile',
  lacks: 'the profile page does not say when the account was made, nor how many gists it has',
  request: (given, site) => ({ origin: 'web', path: `/${loginOf(given, site)}` }),
  parse(page, given, site) {
    const html = parsePage(page.body, page.url);
    const login = lineAt(html, '.p-nickname[itemprop=additionalName]')?.split(' ')[0] ?? null;
    if (login?.toLowerCase() !== loginOf(given, site)) return unusable('the login asked for');
    const followers = countAt(html, 'a[href$="tab=followers"] .text-bold');
    const following = countAt(html, 'a[href$="tab=following"] .text-bold');
    const repos = countAt(html, 'a[href$="tab=repositories"] .Counter');
    return {
      user: {
        id: attributeAt(html, 'meta[name=octolytics-dimension-user_id]', 'content'),
        login,
        name: lineAt(html, '.p-name[itemprop=name]'),
        type: 'User',
        url: page.url,
        avatar_url: mediaUrl(attributeAt(html, 'img.avatar-user', 'src'), page.url),
        bio: attributeAt(html, '[data-bio-text]', 'data-bio-text') ?? lineAt(html, '[data-bio-text]'),
        company: lineAt(html, 'li[itemprop=worksFor]'),
        location: lineAt(html, 'li[itemprop=homeLocation] .p-label') ?? lineAt(html, 'li[itemprop=homeLocation]'),
        blog_url: url(
          attributeAt(html, 'li[itemprop=url][data-test-selector=profile-website-url] a', 'href'),
          page.url,
        ),
        followers: followers?.value ?? null,
        following: following?.value ?? null,
        public_repos: repos?.value ?? null,
        public_gists: null,
        hireable: null,
        created_at: null,
        updated_at: null,
        counts_approximate: [followers, following, repos].some((one) => one?.approximate === true),
      },
    };
  },
};

export const user = codehost({
  path: '/user',
  summary: 'Public user profile',
  input,
  record,
  anyOf: ['username', 'url'],
  aliases: { username: ['login', 'user'] },
  sources: [api, profile],
  expected: ['user.name', 'user.followers', 'user.public_repos', 'user.created_at'],
  canary: { username: 'octocat' },
});

function typeOf(raw: unknown): 'User' | 'Organization' | null {
  return raw === 'User' || raw === 'Organization' ? raw : null;
}

function countAt(html: ParsedPage, selector: string) {
  return countOf(attributeAt(html, selector, 'title') ?? lineAt(html, selector), 'en-US');
}
