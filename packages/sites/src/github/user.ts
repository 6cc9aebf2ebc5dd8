import { z } from 'zod';
import { readAttributeAt, readLineAt } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import {
  getPath,
  toBoolean,
  toCount,
  toHomepageUrl,
  toLine,
  toMediaUrl,
  toTimestamp,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
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
  const raw = parseJsonValue(page.body);
  const login = toText(getPath(raw, 'login'));
  if (login?.toLowerCase() !== readLogin(input, site)) return unusable('the requested login is missing');
  return {
    user: {
      id: toText(getPath(raw, 'id')),
      login,
      name: toLine(getPath(raw, 'name')),
      type: parseType(getPath(raw, 'type')),
      url: toCleanUrl(getPath(raw, 'html_url'), page.url) ?? page.url,
      avatar_url: toMediaUrl(getPath(raw, 'avatar_url'), page.url),
      bio: toText(getPath(raw, 'bio')),
      company: toLine(getPath(raw, 'company')),
      location: toLine(getPath(raw, 'location')),
      blog_url: toHomepageUrl(getPath(raw, 'blog'), page.url),
      followers: parseExactCount(getPath(raw, 'followers')),
      following: parseExactCount(getPath(raw, 'following')),
      public_repos: parseExactCount(getPath(raw, 'public_repos')),
      public_gists: parseExactCount(getPath(raw, 'public_gists')),
      hireable: toBoolean(getPath(raw, 'hireable')),
      created_at: toTimestamp(getPath(raw, 'created_at')),
      updated_at: toTimestamp(getPath(raw, 'updated_at')),
      counts_approximate: false,
    },
  };
}

function parseProfile(page: SourcePage, input: UserInput, site: SiteContext): ReturnType<UserSource['parse']> {
  const html = parsePage(page.body, page.url);
  const login = readLineAt(html, '.p-nickname[itemprop=additionalName]')?.split(' ')[0] ?? null;
  if (login?.toLowerCase() !== readLogin(input, site)) return unusable('the requested login is missing');
  const followers = parseCount(html, 'a[href$="tab=followers"] .text-bold');
  const following = parseCount(html, 'a[href$="tab=following"] .text-bold');
  const repos = parseCount(html, 'a[href$="tab=repositories"] .Counter');
  return {
    user: {
      id: readAttributeAt(html, 'meta[name=octolytics-dimension-user_id]', 'content'),
      login,
      name: readLineAt(html, '.p-name[itemprop=name]'),
      type: 'User',
      url: page.url,
      avatar_url: toMediaUrl(readAttributeAt(html, 'img.avatar-user', 'src'), page.url),
      bio: readAttributeAt(html, '[data-bio-text]', 'data-bio-text') ?? readLineAt(html, '[data-bio-text]'),
      company: readLineAt(html, 'li[itemprop=worksFor]'),
      location: readLineAt(html, 'li[itemprop=homeLocation] .p-label') ?? readLineAt(html, 'li[itemprop=homeLocation]'),
      blog_url: toCleanUrl(
        readAttributeAt(html, 'li[itemprop=url][data-test-selector=profile-website-url] a', 'href'),
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
}

function parseType(raw: unknown): 'User' | 'Organization' | null {
  return raw === 'User' || raw === 'Organization' ? raw : null;
}

function parseCount(html: ParsedPage, selector: string) {
  return toCount(readAttributeAt(html, selector, 'title') ?? readLineAt(html, selector), 'en-US');
}
