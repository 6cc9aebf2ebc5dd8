import { z } from 'zod';
import { findCanonicalUrl, listEntities } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listVariables } from '#extract/dom/scripts.ts';
import { findObjects, findObjectsWith, mergeFragments } from '#extract/json/find-objects.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toLine, toArray, toTimestamp, toNatural, toText } from '#extract/values/raw.ts';
import { notFound, notInSource, markPartial, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { RequestContext, SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference, refuseLink } from '#sites/framework/site.ts';
import {
  buildApiRequest,
  buildAvatarUrl,
  buildLinks,
  buildProfileUrl,
  hasToken,
  listNodes,
  ProfileLink,
  readQueryError,
} from './shared.ts';
import { DATA_MARK, productHunt, HOME, PATH_KINDS } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

const MakerInput = z.object({
  username: z.string().min(1).max(100).optional().describe('With or without @; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the profile'),
});

type MakerInput = z.output<typeof MakerInput>;

/** A person who makes products. */
const Maker = z.object({
  id: Text,
  username: z.string(),
  name: z.string(),
  headline: Text,
  about: Text,
  url: z.string(),
  avatar_url: Text,
  followers: Count,
  following: Count,
  links: z.array(ProfileLink).readonly().nullable(),
  products: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        slug: z.string(),
        tagline: Text,
        url: z.string(),
        upvotes: Count,
        launched_at: Text,
      }),
    )
    .readonly()
    .nullable(),
  joined_at: Text,
  badges: z.array(z.string()).readonly().nullable(),
  streak_days: Count,
});

type Maker = z.output<typeof Maker>;

const MakerAnswer = z.object({ maker: Maker });

type MakerSource = EndpointSource<typeof MakerInput, typeof MakerAnswer>;

const pageSource: MakerSource = {
  name: 'page',
  request: (input, site) => ({ origin: 'web', path: `/@${encodeURIComponent(readUsername(input, site))}` }),
  parse: (source, input, site) => buildAnswer(parseProfilePage(source, readUsername(input, site))),
};

const apiSource: MakerSource = {
  name: 'api',
  lacks: 'the documented interface has no description, badges and streak of the person, and only the first 20 products',
  when: hasToken,
  request: (input, site) => buildMakerApiRequest(readUsername(input, site), site),
  parse: (source, input, site) => buildAnswer(parseApiMaker(source, readUsername(input, site))),
};

export const productHuntMaker = productHunt({
  path: '/maker',
  summary: 'A person with the products that they made',
  input: MakerInput,
  record: MakerAnswer,
  anyOf: ['username', 'url'],
  sources: [pageSource, apiSource],
  expected: ['maker.headline', 'maker.followers', 'maker.products'],
  canary: { username: 'rrhoover' },
});

const USERNAME = /^[a-z0-9_][a-z0-9_.-]{0,60}$/;

/** Reads the username in lower case from the input. Throws `not_found`, or `invalid_request` for another address. */
function readUsername({ username, url }: MakerInput, site: Pick<SiteContext, 'locate'>): string {
  const name = username?.trim().replace(/^@/, '').toLowerCase();
  if (name !== undefined)
    return USERNAME.test(name) ? name : refuseReference('username', 'is not a user name of this site');
  const place = site.locate(url ?? '');
  const nameInPath = /^\/@([^/?#]+)/.exec(place?.path ?? '')?.[1]?.toLowerCase() ?? '';
  if (USERNAME.test(nameInPath)) return nameInPath;
  return refuseLink({ parameter: 'url', place, kinds: PATH_KINDS, wanted: 'a profile' });
}

const DESCRIPTION_ONLY = 'the page had only its structured data';

function buildAnswer(parsed: Maker | SiteAnswer) {
  if (!('username' in parsed)) return parsed;
  return parsed.id === null ? markPartial({ maker: parsed }, DESCRIPTION_ONLY) : { maker: parsed };
}

/** Parses a profile: the data in its scripts, and its structured data. */
function parseProfilePage(source: SourcePage, username: string): Maker | SiteAnswer {
  const page = parsePage(source.body, source.url);
  const shown = parseUsernameUrl(findCanonicalUrl(page) ?? '') ?? parseUsernameUrl(source.url);
  if (shown !== username) return unusable('the requested person is missing');
  const data = listVariables(page, DATA_MARK);
  const known = [...findObjects(data, (user) => hasUsername(user, username)), ...listDescribedPeople(page, username)];
  if (known.length > 0) return parseMaker(mergeFragments(known)) ?? unusable('the name of the person is missing');
  const isNobody = findObjectsWith(data, 'profile').some((one) => one['profile'] === null);
  return isNobody ? notFound('there is no such person') : unusable('no person');
}

/** Whether a person in the site's data has the username, which is in lower case. */
function hasUsername(user: JsonObject, username: string): boolean {
  return toLine(user['username'])?.toLowerCase() === username;
}

function parseUsernameUrl(address: string): string | null {
  return /^\/@([^/?#]+)/.exec(URL.parse(address, HOME)?.pathname ?? '')?.[1]?.toLowerCase() ?? null;
}

/** Lists the person of the profile's structured data, in the form of the site's own data. */
function listDescribedPeople(page: ParsedPage, username: string): readonly JsonObject[] {
  const people = listEntities(page, 'Person').map(({ members }) => members);
  return people
    .filter((person) => parseUsernameUrl(toLine(person['url']) ?? '') === username)
    .map(({ name, description, image, sameAs }) => ({
      username,
      name,
      headline: description,
      avatarUrl: image,
      links: sameAs,
    }));
}

const QUERY = `query Maker($username: String!) { user(username: $username) {
  id username name headline websiteUrl twitterUsername profileImage createdAt
  followers { totalCount } following { totalCount }
  madePosts(first: 20) { edges { node { __typename id name slug tagline votesCount createdAt featuredAt } } } } }`;

function buildMakerApiRequest(username: string, site: RequestContext): SiteRequest {
  return buildApiRequest(site, QUERY, { username });
}

function parseApiMaker(source: SourcePage, username: string): Maker | SiteAnswer {
  const answer = parseJsonValue(source.body);
  const refused = readQueryError(answer);
  if (refused !== null) return refused;
  const data = getPath(answer, 'data');
  const user = getPath(data, 'user');
  if (!isJsonObject(user)) return isJsonObject(data) ? notInSource('there is no such person') : unusable('no person');
  const maker = hasUsername(user, username) ? parseMaker(user) : null;
  return maker ?? unusable('the requested person is missing');
}

/** Parses a person in the site's data. Null if the name or the username is missing. */
function parseMaker(user: JsonObject): Maker | null {
  const [username, name] = [toLine(user['username']), toLine(user['name'])];
  if (username === null || name === null) return null;
  const made = [user['products'], user['madePosts'], user['submittedPosts']].find(
    (one) => getPath(one, 'edges') !== undefined,
  );
  const badges = getPath(user['badges'], 'edges') === undefined ? null : listNodes(user['badges']);
  return {
    id: toLine(user['id']),
    username,
    name,
    headline: toLine(user['headline']),
    about: toText(user['about']),
    url: buildProfileUrl(username),
    avatar_url: buildAvatarUrl(user),
    followers: toNatural(user['followersCount']) ?? toNatural(getPath(user, 'followers', 'totalCount')),
    following:
      toNatural(user['followingsCount']) ??
      toNatural(user['followingCount']) ??
      toNatural(getPath(user, 'following', 'totalCount')),
    links: parseMakerLinks(user),
    products: made === undefined ? null : listNodes(made).flatMap((one) => parseMadeProduct(one) ?? []),
    joined_at: toTimestamp(user['createdAt']),
    badges: badges?.flatMap((one) => toLine(getPath(one, 'name')) ?? []) ?? null,
    streak_days: toNatural(getPath(user, 'visitStreak', 'duration')) ?? toNatural(user['visitStreakDuration']),
  };
}

function parseMakerLinks(user: JsonObject): Maker['links'] {
  const twitter = toLine(user['twitterUsername']);
  const known = ['links', 'websiteUrl', 'twitterUsername'].some((name) => user[name] !== undefined);
  if (!known) return null;
  const listed = [...toArray(user['links']), ...listNodes(user['links'])].map((one) => getPath(one, 'url') ?? one);
  const handle = twitter === null ? [] : [`https://twitter.com/${encodeURIComponent(twitter.replace(/^@/, ''))}`];
  return buildLinks([...listed, user['websiteUrl'], ...handle]);
}

/** A product, or a launch of one. */
function parseMadeProduct(made: unknown): NonNullable<Maker['products']>[number] | null {
  const [id, name, slug] = [toLine(getPath(made, 'id')), toLine(getPath(made, 'name')), toLine(getPath(made, 'slug'))];
  if (id === null || name === null || slug === null) return null;
  const votes =
    getPath(made, 'votesCount') ?? getPath(made, 'latestScore') ?? getPath(made, 'latestLaunch', 'latestScore');
  const kind = toLine(getPath(made, '__typename')) === 'Product' ? 'products' : 'posts';
  return {
    id,
    name,
    slug,
    tagline: toLine(getPath(made, 'tagline')),
    url: `${HOME}/${kind}/${encodeURIComponent(slug)}`,
    upvotes: toNatural(votes),
    launched_at: toTimestamp(
      getPath(made, 'featuredAt') ?? getPath(made, 'createdAt') ?? getPath(made, 'latestLaunch', 'createdAt'),
    ),
  };
}
