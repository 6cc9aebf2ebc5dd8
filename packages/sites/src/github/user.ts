import { z } from 'zod';
import { attributeAt, lineAt } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, countOf, homepage, line, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { buildApiHeaders, parseExactCount, readLogin } from './shared.ts';
import { github } from './site.ts';

const UserInput = z.object({
  username: z.string().min(1).max(40).optional().describe('The login, with or without @'),
  url: z.url().max(2000).optional().describe('Address of the profile'),
});

type UserInput = z.output<typeof UserInput>;

const UserAnswer = z.object({
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

type UserSource = EndpointSource<typeof UserInput, typeof UserAnswer>;

const apiSource: UserSource = {
  name: 'api',
  request: (input, site) => ({
    origin: 'api',
    path: `/users/${readLogin(input, site)}`,
    headers: buildApiHeaders(site),
  }),
  parse: parseApiAnswer,
};

const profileSource: UserSource = {
  name: 'profile',
  lacks: 'the profile page does not show the creation time and the number of gists',
  request: (input, site) => ({ origin: 'web', path: `/${readLogin(input, site)}` }),
  parse: parseProfile,
};

export const githubUser = github({
  path: '/user',
  summary: 'Public user profile',
  input: UserInput,
  record: UserAnswer,
  anyOf: ['username', 'url'],
  aliases: { username: ['login', 'user'] },
  sources: [apiSource, profileSource],
  expected: ['user.name', 'user.followers', 'user.public_repos', 'user.created_at'],
  canary: { username: 'octocat' },
});

function parseApiAnswer(page: SourcePage, input: UserInput, site: SiteContext): ReturnType<UserSource['parse']> {
  const raw = tryParse(page.body);
  const login = text(at(raw, 'login'));
  if (login?.toLowerCase() !== readLogin(input, site)) return unusable('the requested login');
  return {
    user: {
      id: text(at(raw, 'id')),
      login,
      name: line(at(raw, 'name')),
      type: parseType(at(raw, 'type')),
      url: url(at(raw, 'html_url'), page.url) ?? page.url,
      avatar_url: mediaUrl(at(raw, 'avatar_url'), page.url),
      bio: text(at(raw, 'bio')),
      company: line(at(raw, 'company')),
      location: line(at(raw, 'location')),
      blog_url: homepage(at(raw, 'blog'), page.url),
      followers: parseExactCount(at(raw, 'followers')),
      following: parseExactCount(at(raw, 'following')),
      public_repos: parseExactCount(at(raw, 'public_repos')),
      public_gists: parseExactCount(at(raw, 'public_gists')),
      hireable: boolean(at(raw, 'hireable')),
      created_at: moment(at(raw, 'created_at')),
      updated_at: moment(at(raw, 'updated_at')),
      counts_approximate: false,
    },
  };
}

function parseProfile(page: SourcePage, input: UserInput, site: SiteContext): ReturnType<UserSource['parse']> {
  const html = parsePage(page.body, page.url);
  const login = lineAt(html, '.p-nickname[itemprop=additionalName]')?.split(' ')[0] ?? null;
  if (login?.toLowerCase() !== readLogin(input, site)) return unusable('the requested login');
  const followers = parseCount(html, 'a[href$="tab=followers"] .text-bold');
  const following = parseCount(html, 'a[href$="tab=following"] .text-bold');
  const repos = parseCount(html, 'a[href$="tab=repositories"] .Counter');
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
      blog_url: url(attributeAt(html, 'li[itemprop=url][data-test-selector=profile-website-url] a', 'href'), page.url),
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
}

function parseType(raw: unknown): 'User' | 'Organization' | null {
  return raw === 'User' || raw === 'Organization' ? raw : null;
}

function parseCount(html: ParsedPage, selector: string) {
  return countOf(attributeAt(html, selector, 'title') ?? lineAt(html, selector), 'en-US');
}
