import { z } from 'zod';
import { refuseLink, refuseReference } from '#sites/framework/site.ts';
import { blocked, requestMore, buildPage, markPartial, unusable } from '#sites/framework/answers.ts';
import type { RequestContext, SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { parseXml } from '#extract/converters/xml.ts';
import { selectAll, readAttributeAt, readLineAt, selectFirst } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import {
  getPath,
  toBoolean,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toText,
} from '#extract/values/raw.ts';
import {
  findEntries,
  Post,
  isOldPage,
  readAttribute,
  readFeedPost,
  readFeedText,
  readListedPost,
  readListItem,
  readNewPost,
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

const SubredditInput = z.object({
  subreddit: z.string().min(1).max(300).optional().describe('Name of the community, such as `milling` or `r/milling`'),
  url: z.url().max(2000).optional().describe('Address of the community'),
  sort: z.enum(['hot', 'new', 'top', 'rising', 'controversial']).default('hot').describe('Order of the posts'),
  time: RankingPeriod,
});

type SubredditInput = z.output<typeof SubredditInput>;

const Subreddit = z.object({
  name: z.string(),
  id: z.string().nullable(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  subscribers: z.int().min(0).nullable(),
  active_users: z.int().min(0).nullable().describe('Number of users who are online now'),
  created_at: z.string().nullable(),
  is_nsfw: z.boolean().nullable(),
  icon_url: z.string().nullable(),
});

type Subreddit = z.input<typeof Subreddit>;

const SubredditPage = z.object({
  subreddit: Subreddit.nullable().describe('Null on the pages after the first'),
  posts: z.array(Post).readonly(),
});

type SubredditPage = z.input<typeof SubredditPage>;

/** A list of posts as JSON; for its first page also the community's own description. */
const jsonSources = buildApiSources<SubredditInput, SubredditPage>({
  first: (input, site) => ({
    path: `/r/${findCommunity(input, site)}/${input.sort}`,
    query: buildListQuery(input, site),
  }),
  read: (call) => (call.state === undefined ? readPosts(call) : readAbout(call)),
});

/** The page of old.reddit.com: posts and most facts about the community in one request. */
const oldPageSource = {
  name: 'old',
  lacks: 'texts of the posts, and description and icon of the community, which the old page does not have',
  request: (input: SubredditInput, site: RequestContext): SiteRequest => ({
    origin: 'old',
    path: `/r/${findCommunity(input, site)}/${input.sort}/`,
    query: buildListQuery(input, site),
  }),
  parse: (source: SourcePage, input: SubredditInput, site: SiteContext) => {
    const page = parsePage(source.body, source.url);
    const name = findCommunity(input, site);
    const table = selectFirst(page, '#siteTable');
    if (table === 0) return isOldPage(page) ? unusable('no list of posts') : blocked('no_page');
    const nodes = selectAll(page, ':scope > .thing.link', table).filter((node) => !isAdvert(page, node));
    const posts = nodes.flatMap((node) => readListItem(page, node) ?? []);
    if (posts.length === 0 && (nodes.length > 0 || selectFirst(page, '#noresults') === 0))
      return unusable('no readable posts');
    const shown = readLineAt(page, '.side .redditname') ?? (posts.length === 0 ? null : name);
    if (shown?.toLowerCase() !== name.toLowerCase() || !isOfCommunity(name, posts))
      return unusable('posts of another community');
    const nextLink = readAttributeAt(page, '.next-button a', 'href');
    const { elements, next } = limitList(site, { elements: posts, next: parseNextCursor(nextLink, HOME) });
    if (site.cursor !== null) return buildPage({ subreddit: null, posts: elements }, next);
    return buildPage({ subreddit: readSidebar(page, createSubreddit(name, elements), input), posts: elements }, next);
  },
};

const HEAD_GAP = 'activity, age and icon of the community, which the page does not have';

/** The fragment that loads more posts, then the page itself, whose head describes the community. */
const newPageSource = {
  name: 'new',
  lacks: HEAD_GAP,
  request: (input: SubredditInput, site: RequestContext): SiteRequest => ({
    origin: 'web',
    path: `/svc/shreddit/community-more-posts/${input.sort}/`,
    query: { after: site.cursor, t: input.time?.toUpperCase(), name: findCommunity(input, site) },
  }),
  parse: (source: SourcePage, input: SubredditInput, site: SiteContext) => {
    const page = parsePage(source.body, source.url);
    if (source.carry !== undefined) return addHead(page, source.carry);
    const name = findCommunity(input, site);
    const posts = selectAll(page, 'shreddit-post').flatMap((node) => readNewPost(page, node) ?? []);
    if (posts.length === 0) return unusable('no readable posts');
    if (!isOfCommunity(name, posts)) return unusable('posts of another community');
    const next = parseNextCursor(readAttributeAt(page, 'faceplate-partial[src*="community-more-posts"]', 'src'), HOME);
    if (site.cursor !== null) return buildPage({ subreddit: null, posts }, next);
    const bare = { subreddit: createSubreddit(name, posts), posts };
    const without = markPartial(buildPage(bare, next), 'the description of the community');
    return requestMore({ origin: 'web', path: `/r/${name}/` }, { page: bare, next }, without);
  },
};

/** The public feed of a community. */
const feedSource = {
  name: 'atom',
  lacks: 'scores and counts, which the feed does not have',
  request: (input: SubredditInput, site: RequestContext): SiteRequest => ({
    origin: 'web',
    path: `/r/${findCommunity(input, site)}/${input.sort}/.rss`,
    query: buildListQuery(input, site),
  }),
  parse: (page: SourcePage, input: SubredditInput, site: SiteContext) => {
    const name = findCommunity(input, site);
    const feed = parseXml(page.body);
    const posts = findEntries(feed).flatMap((entry) => readFeedPost(entry) ?? []);
    if (feed === null || posts.length === 0) return unusable('no post in the feed');
    if (!isOfCommunity(name, posts)) return unusable('posts of another community');
    const next = findFeedCursor(site, posts);
    if (site.cursor !== null) return buildPage({ subreddit: null, posts }, next);
    const about = {
      ...createSubreddit(name, posts),
      title: readFeedText(feed, 'title'),
      description: readFeedText(feed, 'subtitle'),
      icon_url: toMediaUrl(readFeedText(feed, 'logo'), HOME),
    };
    return buildPage({ subreddit: about, posts }, next);
  },
};

/** A community and its posts. */
export const redditSubreddit = reddit({
  path: '/subreddit',
  summary: 'A community and its posts, one page per request',
  input: SubredditInput,
  anyOf: ['subreddit', 'url'],
  aliases: { subreddit: ['name', 'community'], limit: ['per_page'] },
  record: SubredditPage,
  list: 'posts',
  limit: { default: PAGE_SIZE, max: 100 },
  expected: ['posts.author', 'posts.created_at', 'posts.score', 'posts.comment_count', 'posts.type'],
  canary: { subreddit: 'programming' },
  sources: [jsonSources.oauth, jsonSources.json, oldPageSource, newPageSource, feedSource],
});

const COMMUNITY_NAME = /^(?:\/?r\/)?((?:u_[A-Za-z0-9_-]{3,20})|[A-Za-z0-9_]{2,21})\/?$/;
const COMMUNITY_PATH =
  /^\/r\/(u_[A-Za-z0-9_-]{3,20}|[A-Za-z0-9_]{2,21})(?:\/(?:hot|new|top|rising|controversial|about))?\/?$/;
/** Names of lists of all communities, which are not communities themselves. */
const COLLECTIONS: ReadonlySet<string> = new Set(['all', 'popular', 'friends', 'mod', 'random']);

/** Finds the name of the requested community, as the caller wrote it. Throws `not_found`, and `invalid_request` for another address. */
function findCommunity(input: SubredditInput, site: SiteContext): string {
  assertPeriodFitsSort(input);
  const { subreddit: name, url } = input;
  const member = name === undefined ? 'url' : 'subreddit';
  const reference = name ?? url ?? '';
  const place = site.locate(reference);
  const path = place?.path.replace(/[?#].*$/s, '');
  const [, community] =
    (reference.includes('://') ? COMMUNITY_PATH.exec(path ?? '') : COMMUNITY_NAME.exec(reference.trim())) ?? [];
  if (community === undefined && place !== null)
    return refuseLink({ parameter: member, place, kinds: PATH_KINDS, wanted: 'a community' });
  if (community === undefined) return refuseReference(member, 'is not a community of this site');
  return COLLECTIONS.has(community.toLowerCase())
    ? refuseReference(member, 'is a list of several communities, not a community')
    : community;
}

/** Creates a community from the data of its posts. */
function createSubreddit(name: string, posts: readonly z.input<typeof Post>[]): Subreddit {
  const knownCommunity = posts.find((post) => post.subreddit !== null)?.subreddit;
  return {
    name: knownCommunity?.name ?? name,
    id: knownCommunity?.id ?? null,
    title: null,
    description: null,
    subscribers: knownCommunity?.subscribers ?? null,
    active_users: null,
    created_at: null,
    is_nsfw: null,
    icon_url: null,
  };
}

/** Checks that all posts belong to the community. */
function isOfCommunity(name: string, posts: readonly z.input<typeof Post>[]): boolean {
  return posts.every((post) => {
    const shown = post.subreddit?.name ?? /\/user\/([^/]+)\/comments\//.exec(post.url)?.[1]?.replace(/^/, 'u_');
    return shown?.toLowerCase() === name.toLowerCase();
  });
}

/** The list of posts, stored while the community itself is requested. */
const PostList = z.object({ page: SubredditPage, next: z.string().nullable() });

function readPosts({ body, input, site, ask }: ApiCall<SubredditInput>) {
  const raw = parseJsonValue(body);
  const name = findCommunity(input, site);
  const children = getPath(raw, 'data', 'children');
  if (getPath(raw, 'kind') !== 'Listing' || !Array.isArray(children)) return unusable('no list of posts');
  const posts = toArray(children).flatMap((child) =>
    getPath(child, 'kind') === 't3' ? (readListedPost(getPath(child, 'data')) ?? []) : [],
  );
  if (posts.length === 0 && children.length > 0) return unusable('no readable posts');
  if (!isOfCommunity(name, posts)) return unusable('posts of another community');
  const { elements, next } = limitList(site, { elements: posts, next: toLine(getPath(raw, 'data', 'after')) });
  if (site.cursor !== null) return buildPage({ subreddit: null, posts: elements }, next);
  const page = { subreddit: createSubreddit(name, elements), posts: elements };
  return ask(
    { path: `/r/${name}/about` },
    { page, next },
    markPartial(buildPage(page, next), 'the description of the community'),
  );
}

function readAbout({ body, state }: ApiCall<SubredditInput>) {
  const raw = parseJsonValue(body);
  const { page, next } = PostList.parse(state);
  const name = page.subreddit?.name ?? '';
  const about = getPath(raw, 'kind') === 't5' ? toApiSubreddit(getPath(raw, 'data')) : null;
  if (about?.name.toLowerCase() !== name.toLowerCase()) return unusable('the requested community is missing');
  return buildPage({ ...page, subreddit: about }, next);
}

function toApiSubreddit(data: unknown): Subreddit | null {
  const name = toLine(getPath(data, 'display_name'));
  if (name === null) return null;
  return {
    name,
    id: toLine(getPath(data, 'name')),
    title: toLine(getPath(data, 'title')),
    description: toText(getPath(data, 'public_description')),
    subscribers: toInteger(getPath(data, 'subscribers')),
    active_users: toInteger(getPath(data, 'active_user_count') ?? getPath(data, 'accounts_active')),
    created_at: toTimestamp(getPath(data, 'created_utc')),
    is_nsfw: toBoolean(getPath(data, 'over18')),
    icon_url: toMediaUrl(toLine(getPath(data, 'community_icon')) ?? toLine(getPath(data, 'icon_img')), HOME),
  };
}

function isAdvert(page: ParsedPage, node: number): boolean {
  return readAttribute(page, node, 'data-promoted') === 'true';
}

function readSidebar(page: ParsedPage, bare: Subreddit, { sort }: SubredditInput): Subreddit {
  return {
    ...bare,
    // The page title is the community's title in the default order only.
    title: sort === 'hot' ? readLineAt(page, 'title') : null,
    subscribers: toInteger(readLineAt(page, '.side .subscribers .number')),
    active_users: toInteger(readLineAt(page, '.side .users-online .number')),
    created_at: toTimestamp(readAttributeAt(page, '.side .age time', 'datetime')),
  };
}

const CarriedPage = z.object({ page: SubredditPage, next: z.string().nullable() });

function addHead(page: ParsedPage, carry: unknown) {
  const { page: carriedPage, next } = CarriedPage.parse(carry);
  const head = selectFirst(page, 'shreddit-subreddit-header');
  const readHeadAttribute = (name: string) => (head === 0 ? null : getAttribute(page.tree, head, name));
  const { subreddit: known } = carriedPage;
  if (known === null || toLine(readHeadAttribute('name'))?.toLowerCase() !== known.name.toLowerCase())
    return unusable('the requested community is missing');
  const about = {
    ...known,
    title: toLine(readHeadAttribute('display-name')),
    description: toText(readHeadAttribute('description')),
    subscribers: toInteger(readHeadAttribute('subscribers')),
  };
  return buildPage({ ...carriedPage, subreddit: about }, next);
}
