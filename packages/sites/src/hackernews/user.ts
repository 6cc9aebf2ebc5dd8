import { z } from 'zod';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toInteger, toLine, toArray, toTimestamp } from '#extract/values/raw.ts';
import { notFound, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference, refuseLink } from '#sites/framework/site.ts';
import { parseItemId, parseItemText } from './shared.ts';
import { hackerNews, HOME, PATH_KINDS } from './site.ts';

const UserInput = z.object({
  username: z.string().min(1).max(100).optional().describe('The user name, which is case-sensitive'),
  url: z.url().max(2000).optional().describe('Address of the profile'),
});

type UserInput = z.output<typeof UserInput>;

const UserAnswer = z.object({
  user: z.object({
    username: z.string(),
    url: z.string(),
    karma: z.int().nullable(),
    created_at: z.string().nullable(),
    about_html: z.string().nullable(),
    about_text: z.string().nullable(),
    submission_count: z.int().min(0).nullable().describe('Stories, comments and votes of polls'),
    submission_ids: z.array(z.string()).readonly().nullable().describe('The newest 100'),
  }),
});

type UserSource = EndpointSource<typeof UserInput, typeof UserAnswer>;

const apiSource: UserSource = {
  name: 'api',
  request: (input, site) => ({ origin: 'api', path: `/v0/user/${readUsername(input, site)}.json` }),
  parse: parseApiAnswer,
};

const indexSource: UserSource = {
  name: 'index',
  lacks: 'the search index does not have the submissions of the person',
  request: (input, site) => ({ origin: 'search', path: `/api/v1/users/${readUsername(input, site)}` }),
  parse({ body }, input, site) {
    const raw = parseJsonValue(body);
    const name = toLine(getPath(raw, 'username'));
    if (name !== readUsername(input, site)) return unusable('the requested person is missing');
    return { user: { ...parseUser(name, raw), submission_count: null, submission_ids: null } };
  },
};

export const hackerNewsUser = hackerNews({
  path: '/user',
  summary: 'A person of the forum by name or url',
  input: UserInput,
  anyOf: ['username', 'url'],
  aliases: { username: ['id', 'login'] },
  record: UserAnswer,
  sources: [apiSource, indexSource],
  expected: ['user.karma', 'user.created_at'],
  canary: { username: 'pg' },
});

function parseApiAnswer({ body }: SourcePage, input: UserInput, site: SiteContext): ReturnType<UserSource['parse']> {
  const raw = parseJsonValue(body);
  if (raw === null) return notFound('there is no user with that name');
  const name = toLine(getPath(raw, 'id'));
  if (name !== readUsername(input, site)) return unusable('the requested person is missing');
  const submitted = getPath(raw, 'submitted');
  const ids = Array.isArray(submitted) ? toArray(submitted).flatMap((one) => parseItemId(one) ?? []) : null;
  const shown = ids?.slice(0, MAX_IDS) ?? null;
  return { user: { ...parseUser(name, raw), submission_count: ids?.length ?? null, submission_ids: shown } };
}

const MAX_IDS = 100;

function readUsername({ username, url }: UserInput, site: SiteContext): string {
  const place = username === undefined ? site.locate(url ?? '') : null;
  const named = place?.origin === 'web' && place.path.startsWith('/user?') ? place.path.slice('/user?'.length) : '';
  const name = username?.trim() ?? new URLSearchParams(named).get('id') ?? '';
  if (/^[\w-]{1,30}$/.test(name)) return name;
  if (username !== undefined) return refuseReference('username', 'is not a user of this forum');
  return refuseLink({ parameter: 'url', place, kinds: PATH_KINDS, wanted: 'a person' });
}

function parseUser(username: string, raw: unknown) {
  const { text_html: html, text } = parseItemText(getPath(raw, 'about'));
  return {
    username,
    url: `${HOME}/user?id=${username}`,
    karma: toInteger(getPath(raw, 'karma')),
    created_at: toTimestamp(getPath(raw, 'created')) ?? toTimestamp(getPath(raw, 'created_at')),
    about_html: html,
    about_text: text,
  };
}
