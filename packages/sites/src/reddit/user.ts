import { z } from 'zod';
import { refuseLink, refuseReference } from '#sites/framework/site.ts';
import { blocked, buildPage, unusable } from '#sites/framework/answers.ts';
import type { RequestContext, SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { parseXml, type XmlElement } from '#extract/converters/xml.ts';
import { selectAll, readAttributeAt, readLineAt, selectFirst } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import {
  getPath,
  toBoolean,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toCleanUrl,
} from '#extract/values/raw.ts';
import {
  Comment,
  findEntries,
  Post,
  isOldPage,
  readAttribute,
  readFeedPost,
  readFeedText,
  readListedPost,
  readListItem,
  toApiComment,
  toFeedComment,
  toOldComment,
} from './posts.ts';
import {
  buildListQuery,
  assertPeriodFitsSort,
  buildApiSources,
  findFeedCursor,
  type ApiCall,
  limitList,
  PAGE_SIZE,
  parseNextCursor,
  RankingPeriod,
} from './shared.ts';
import { reddit, PATH_KINDS, HOME } from './site.ts';

const UserInput = z.object({
  username: z.string().min(1).max(300).optional().describe('User name, such as `ilse_miller` or `u/ilse_miller`'),
  url: z.url().max(2000).optional().describe('Address of the profile'),
  sort: z.enum(['new', 'hot', 'top', 'controversial']).default('new').describe('Order of posts and comments'),
  time: RankingPeriod,
});

type UserInput = z.output<typeof UserInput>;

const Count = z.int().nullable();
const Flag = z.boolean().nullable();

const User = z.object({
  name: z.string(),
  id: z.string().nullable(),
  created_at: z.string().nullable(),
  link_karma: Count,
  comment_karma: Count,
  total_karma: Count,
  is_moderator: Flag,
  is_employee: Flag,
  is_suspended: Flag,
  icon_url: z.string().nullable(),
});

type User = z.input<typeof User>;

/** A comment in a list of a person's comments, with the post that it belongs to. */
const UserComment = Comment.extend({
  kind: z.literal('comment'),
  subreddit: z.string().nullable(),
  post_title: z.string().nullable(),
  post_url: z.string().nullable(),
});

const UserItem = z.discriminatedUnion('kind', [Post.extend({ kind: z.literal('post') }), UserComment]);

type UserItem = z.input<typeof UserItem>;

const UserPage = z.object({
  user: User.nullable().describe('Null on pages after the first, and if the source does not have it'),
  items: z.array(UserItem).readonly(),
});

type UserPage = z.input<typeof UserPage>;

/** The profile of a person, then their posts and comments; later pages request the latter only. */
const jsonSources = buildApiSources<UserInput, UserPage>({
  first: (input, site) =>
    site.cursor === null ? { path: `/user/${findPerson(input, site)}/about` } : buildOverviewQuery(input, site),
  read: (call) => {
    const raw = parseJsonValue(call.body);
    return getPath(raw, 'kind') === 't2' && call.state === undefined ? readAbout(raw, call) : readItems(raw, call);
  },
});

/** The page of a person on old.reddit.com: posts, comments and karma. */
const oldPageSource = {
  name: 'old',
  lacks: 'texts of the posts, and id, icon and status of the person, which the old page does not have',
  request: (input: UserInput, site: RequestContext): SiteRequest => ({
    origin: 'old',
    path: `/user/${findPerson(input, site)}/`,
    query: { ...buildListQuery(input, site), sort: input.sort },
  }),
  parse: (source: SourcePage, input: UserInput, site: SiteContext) => {
    const page = parsePage(source.body, source.url);
    const table = selectFirst(page, '#siteTable');
    if (table === 0) return isOldPage(page) ? unusable('no list of posts and comments') : blocked('no_page');
    const nodes = selectAll(page, ':scope > .thing.link, :scope > .thing.comment', table);
    const items = nodes.flatMap((node) => readOldItem(page, node) ?? []);
    if (items.length === 0 && (nodes.length > 0 || selectFirst(page, '#noresults') === 0))
      return unusable('no readable posts and comments');
    const name = findPerson(input, site);
    const shown = readLineAt(page, '.side .titlebox h1');
    if (shown?.toLowerCase() !== name.toLowerCase() || !isByPerson(name, items))
      return unusable('the requested person is missing');
    const { elements, next } = limitList(site, {
      elements: items,
      next: parseNextCursor(readAttributeAt(page, '.next-button a', 'href'), HOME),
    });
    return buildPage({ user: site.cursor === null ? readOldUser(page, shown) : null, items: elements }, next);
  },
};

/** The public feed of a person. */
const feedSource = {
  name: 'atom',
  lacks: 'scores, counts and the person, which the feed does not have',
  request: (input: UserInput, site: RequestContext): SiteRequest => ({
    origin: 'web',
    path: `/user/${findPerson(input, site)}/.rss`,
    query: { ...buildListQuery(input, site), sort: input.sort },
  }),
  parse: (page: SourcePage, input: UserInput, site: SiteContext) => {
    const items = findEntries(parseXml(page.body)).flatMap((entry) => readFeedItem(entry) ?? []);
    if (items.length === 0) return unusable('nothing in the feed');
    if (!isByPerson(findPerson(input, site), items)) return unusable('posts and comments of another person');
    return buildPage({ user: null, items }, findFeedCursor(site, items));
  },
};

/** A person with their posts and comments. */
export const redditUser = reddit({
  path: '/user',
  summary: "A person's profile, posts and comments, one page per request",
  input: UserInput,
  anyOf: ['username', 'url'],
  aliases: { limit: ['per_page'] },
  record: UserPage,
  list: 'items',
  limit: { default: PAGE_SIZE, max: 100 },
  expected: ['items.author', 'items.created_at', 'items.score', 'items.subreddit'],
  canary: { username: 'spez' },
  sources: [jsonSources.oauth, jsonSources.json, oldPageSource, feedSource],
});

const USER_NAME = /^(?:\/?u(?:ser)?\/)?([A-Za-z0-9_-]{3,20})\/?$/;
const USER_PATH = /^\/u(?:ser)?\/([A-Za-z0-9_-]{3,20})(?:\/(?:overview|submitted|comments|about))?\/?$/;

/** Finds the name of the requested person, as the caller wrote it. Throws `not_found`, and `invalid_request` for another address. */
function findPerson(input: UserInput, site: SiteContext): string {
  assertPeriodFitsSort(input);
  const { username } = input;
  const reference = username ?? input.url ?? '';
  const place = site.locate(reference);
  const path = place?.path.replace(/[?#].*$/s, '');
  const [, name] = (reference.includes('://') ? USER_PATH.exec(path ?? '') : USER_NAME.exec(reference.trim())) ?? [];
  if (name !== undefined) return name;
  const parameter = username === undefined ? 'url' : 'username';
  if (place === null) return refuseReference(parameter, 'is not a user of this site');
  return refuseLink({ parameter, place, kinds: PATH_KINDS, wanted: 'a person' });
}

/** Creates a person with nothing but a name. */
function createUser(name: string): User {
  return {
    name,
    id: null,
    created_at: null,
    link_karma: null,
    comment_karma: null,
    total_karma: null,
    is_moderator: null,
    is_employee: null,
    is_suspended: null,
    icon_url: null,
  };
}

/** Checks that one person wrote all posts and comments. */
function isByPerson(name: string, items: readonly UserItem[]): boolean {
  return items.every((item) => findAuthor(item)?.toLowerCase() === name.toLowerCase());
}

function findAuthor(item: UserItem): string | null {
  return item.kind === 'post' ? (item.author?.name ?? null) : item.author;
}

/** The members that a list of comments from many posts does not tell. */
const SINGLE_COMMENT = { kind: 'comment', depth: null, reply_count: null } as const;

function buildOverviewQuery(input: UserInput, site: ApiCall<UserInput>['site']) {
  return {
    path: `/user/${findPerson(input, site)}/overview`,
    query: { ...buildListQuery(input, site), sort: input.sort },
  };
}

function readAbout(raw: unknown, { input, site, ask }: ApiCall<UserInput>) {
  const user = toApiUser(getPath(raw, 'data'));
  if (user?.name.toLowerCase() !== findPerson(input, site).toLowerCase())
    return unusable('the requested person is missing');
  // The site shows no posts of a suspended person.
  return user.is_suspended === true ? buildPage({ user, items: [] }, null) : ask(buildOverviewQuery(input, site), user);
}

function readItems(raw: unknown, { input, site, state }: ApiCall<UserInput>) {
  const children = getPath(raw, 'data', 'children');
  if (getPath(raw, 'kind') !== 'Listing' || !Array.isArray(children)) return unusable('no list of posts and comments');
  const items = toArray(children).flatMap((child) => readApiItem(child) ?? []);
  if (items.length === 0 && children.length > 0) return unusable('no readable posts and comments');
  if (!isByPerson(findPerson(input, site), items)) return unusable('posts and comments of another person');
  const { elements, next } = limitList(site, { elements: items, next: toLine(getPath(raw, 'data', 'after')) });
  return buildPage({ user: state === undefined ? null : User.parse(state), items: elements }, next);
}

function readApiItem(child: unknown): UserItem | null {
  const data = getPath(child, 'data');
  if (getPath(child, 'kind') === 't3') {
    const post = readListedPost(data);
    return post === null ? null : { kind: 'post', ...post };
  }
  const comment = getPath(child, 'kind') === 't1' ? toApiComment(data) : null;
  if (comment === null) return null;
  return {
    ...comment,
    ...SINGLE_COMMENT,
    subreddit: toLine(getPath(data, 'subreddit')),
    post_title: toLine(getPath(data, 'link_title')),
    post_url: toCleanUrl(getPath(data, 'link_permalink'), HOME),
  };
}

function toApiUser(data: unknown): User | null {
  const name = toLine(getPath(data, 'name'));
  if (name === null) return null;
  const id = toLine(getPath(data, 'id'));
  return {
    name,
    id: id === null ? null : `t2_${id}`,
    created_at: toTimestamp(getPath(data, 'created_utc')),
    link_karma: toInteger(getPath(data, 'link_karma')),
    comment_karma: toInteger(getPath(data, 'comment_karma')),
    total_karma: toInteger(getPath(data, 'total_karma')),
    is_moderator: toBoolean(getPath(data, 'is_mod')),
    is_employee: toBoolean(getPath(data, 'is_employee')),
    is_suspended: toBoolean(getPath(data, 'is_suspended')) ?? false,
    icon_url: toMediaUrl(toLine(getPath(data, 'snoovatar_img')) ?? toLine(getPath(data, 'icon_img')), HOME),
  };
}

function readOldItem(page: ParsedPage, node: number): UserItem | null {
  const classes = ` ${readAttribute(page, node, 'class') ?? ''} `;
  if (classes.includes(' link ')) {
    const post = readListItem(page, node);
    return post === null ? null : { kind: 'post', ...post };
  }
  const comment = toOldComment(page, node);
  if (comment === null) return null;
  return {
    ...comment,
    ...SINGLE_COMMENT,
    subreddit: readAttribute(page, node, 'data-subreddit'),
    post_title: readLineAt(page, '.parent a.title', node),
    post_url: toCleanUrl(readAttributeAt(page, '.parent a.title', 'href', node), HOME),
  };
}

function readOldUser(page: ParsedPage, name: string): User {
  const posts = toInteger(readLineAt(page, '.side .titlebox .karma'));
  const comments = toInteger(readLineAt(page, '.side .titlebox .comment-karma'));
  return {
    ...createUser(name),
    created_at: toTimestamp(readAttributeAt(page, '.side .age time', 'datetime')),
    link_karma: posts,
    comment_karma: comments,
    is_suspended: false,
  };
}

function readFeedItem(entry: XmlElement): UserItem | null {
  const post = readFeedPost(entry);
  if (post !== null) return { kind: 'post', ...post };
  const comment = toFeedComment(entry);
  if (comment === null) return null;
  const [, name = null] = /\/r\/([^/]+)\/comments\//.exec(comment.permalink ?? '') ?? [];
  return {
    ...comment,
    ...SINGLE_COMMENT,
    subreddit: name,
    post_title: readFeedText(entry, 'title')?.replace(/^\/u\/\S+ on /, '') ?? null,
    post_url: comment.permalink?.replace(/[^/]+\/?$/, '') ?? null,
  };
}
