import { z } from 'zod';
import { refuseLink, refuseReference } from '#sites/framework/site.ts';
import { blocked, requestMore, notInSource, markPartial, unusable } from '#sites/framework/answers.ts';
import type { RequestContext, SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { parseXml } from '#extract/converters/xml.ts';
import {
  findCanonicalUrl,
  findOpenGraph,
  selectAll,
  readAttributeAt,
  readLineAt,
  selectFirst,
  readRichText,
} from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toCount, toInteger, toLine, toArray, toTimestamp, toCleanUrl } from '#extract/values/raw.ts';
import {
  Comment,
  createComment,
  createPost,
  findEntries,
  Post,
  isOldPage,
  parseFullname,
  readAttribute,
  readAuthorName,
  readFeedText,
  readNewPost,
  toApiComment,
  toApiPost,
  toFeedComment,
  toFeedPost,
  toOldComment,
  toOldPost,
} from './posts.ts';
import { buildApiSources, type ApiCall } from './shared.ts';
import { reddit, PATH_KINDS, HOME } from './site.ts';

const PostInput = z.object({
  id: z.string().min(1).optional().describe('Id of the post, `2gmzqe` or `t3_2gmzqe`; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the post'),
  subreddit: z
    .string()
    .regex(/^(?:r\/)?(?:u_)?[A-Za-z0-9_-]{2,21}$/, 'must be the name of a community, such as programming')
    .optional()
    .describe('Name of its community'),
  sort: z.enum(['best', 'top', 'new', 'controversial', 'old', 'qa']).default('best').describe('Order of the comments'),
  comment_limit: z.int().min(1).max(500).default(100).describe('Maximum number of top-level comments'),
});

type PostInput = z.output<typeof PostInput>;

const PostPage = z.object({
  post: Post,
  comments: z.array(Comment).nullable().describe('Top-level comments; null if the source has none'),
  comments_truncated: z.boolean().describe('Whether there are more than these'),
});

type PostPage = z.output<typeof PostPage>;

/** A post and its comments as JSON. The page of a shared link is fetched first, because only its final address has the id. */
const jsonSources = buildApiSources<PostInput, PostPage>({
  first(input, site) {
    const target = findPost(input, site);
    return 'share' in target ? { page: target.share } : buildQuery(input, target.id);
  },
  read(call) {
    const { input, site, state, url: address, ask } = call;
    if (state !== undefined || !('share' in findPost(input, site))) return readPostAnswer(call);
    const id = parseUrlId(address);
    return id === null ? notInSource('the shared link leads to no post') : ask(buildQuery(input, id), id);
  },
});

/** The page of old.reddit.com, with post and comments in one request. */
const oldPageSource = {
  name: 'old',
  request: (input: PostInput, site: RequestContext): SiteRequest => {
    const target = findPost(input, site);
    if ('share' in target) return { origin: 'old', path: target.share };
    const query = { limit: input.comment_limit, sort: toSiteOrder(input) };
    return { origin: 'old', path: `${buildPostPath(input, target.id)}/`, query };
  },
  parse: (source: SourcePage, input: PostInput, site: SiteContext) => {
    const page = parsePage(source.body, source.url);
    const things = selectFirst(page, '#siteTable');
    const thing = things === 0 ? 0 : selectFirst(page, ':scope > .thing.link', things);
    const id = parseFullname('t3', readAttribute(page, thing, 'data-fullname'));
    const title = thing === 0 ? null : readLineAt(page, 'a.title', thing);
    if (selectFirst(page, '.commentarea') === 0)
      return isOldPage(page) ? notInSource('no post at this address') : blocked('no_page');
    if (id === null || title === null) return unusable('no post in the page');
    const target = findPost(input, site);
    if ('id' in target && target.id !== id) return unusable(`another post: ${id}`);
    const post = toOldPost(page, thing, { id, title });
    const table = selectFirst(page, '.commentarea > .sitetable');
    const nodes = table === 0 ? [] : selectAll(page, ':scope > .thing.comment', table);
    const comments = nodes.map((node) => toOldComment(page, node)).filter((comment) => comment !== null);
    const rest = table === 0 ? 0 : selectFirst(page, ':scope > .thing.morechildren', table);
    if ((post.comment_count ?? 0) > 0 && comments.length === 0 && rest === 0)
      return unusable('comments are counted, but none is present');
    return {
      post,
      comments: comments.slice(0, input.comment_limit),
      comments_truncated: rest !== 0 || comments.length > input.comment_limit,
    };
  },
};

/** The page with custom elements (`shreddit-…`). Its comments are a request of their own. */
const newPageSource = {
  name: 'new',
  request: (input: PostInput, site: RequestContext): SiteRequest => {
    const target = findPost(input, site);
    return { origin: 'web', path: 'share' in target ? target.share : `${buildPostPath(input, target.id)}/` };
  },
  parse: (source: SourcePage, input: PostInput, site: SiteContext) => {
    const page = parsePage(source.body, source.url);
    if (source.carry !== undefined) return addComments(page, source.carry, input);
    const node = selectFirst(page, 'shreddit-post');
    const post = node === 0 ? readOpenGraph(page) : readNewPost(page, node);
    if (post === null) return unusable('no post in the page');
    const target = findPost(input, site);
    if ('id' in target && target.id !== post.id) return unusable(`another post: ${post.id}`);
    if (post.comment_count === 0) return { post, comments: [], comments_truncated: false };
    // An older page has neither the elements nor the community, which the request for comments needs.
    const bare = markPartial({ post, comments: null, comments_truncated: true }, NO_COMMENTS);
    if (node === 0 || post.subreddit === null) return bare;
    const path = `/svc/shreddit/comments/${post.subreddit.prefixed}/${post.fullname}`;
    return requestMore(
      { origin: 'web', path, query: { 'render-mode': 'partial', sort: toSiteOrder(input) } },
      post,
      bare,
    );
  },
};

/** The public feed of a post. */
const feedSource = {
  name: 'atom',
  lacks: 'scores and counts, which the feed does not have',
  request: (input: PostInput, site: RequestContext): SiteRequest => {
    const target = findPost(input, site);
    if ('share' in target) return { origin: 'web', path: target.share };
    const query = { limit: input.comment_limit, sort: toSiteOrder(input) };
    return { origin: 'web', path: `${buildPostPath(input, target.id)}/.rss`, query };
  },
  parse: (page: SourcePage, input: PostInput, site: SiteContext) => {
    const target = findPost(input, site);
    if ('share' in target) return notInSource('a shared link has no feed');
    const entries = findEntries(parseXml(page.body));
    const post = entries.find((entry) => parseFullname('t3', readFeedText(entry, 'id')) === target.id);
    const title = post === undefined ? null : readFeedText(post, 'title');
    if (post === undefined || title === null) return unusable('no post in the feed');
    const comments = entries.map(toFeedComment).filter((comment) => comment !== null);
    return {
      post: toFeedPost(post, { id: target.id, title }),
      comments: comments.slice(0, input.comment_limit),
      comments_truncated: true,
    };
  },
};

/** A post with its top-level comments. */
export const redditPost = reddit({
  path: '/post',
  summary: 'A post and its top-level comments by id or url',
  input: PostInput,
  anyOf: ['id', 'url'],
  record: PostPage,
  expected: ['post.author', 'post.created_at', 'post.score', 'post.comment_count', 'post.type', 'post.subreddit'],
  canary: { id: '2gmzqe' },
  sources: [jsonSources.oauth, jsonSources.json, oldPageSource, newPageSource, feedSource],
});

const POST_ID = /^(?:t3_)?([0-9a-z]{2,13})$/i;
const POST_PATH = /^\/(?:(?:r|user|u)\/[^/]+\/)?(?:comments|gallery)\/([0-9a-z]{2,13})(?:\/|$)/i;
const SHARED_PATH = /^\/(?:r|u|user)\/[^/]+\/s\/[A-Za-z0-9]{1,40}\/?$/;

/** Finds the id of the requested post, or the path of a shared link to it. Throws `not_found`, and `invalid_request` for another address. */
function findPost(input: PostInput, site: SiteContext): { readonly id: string } | { readonly share: string } {
  if (input.id !== undefined && !input.id.includes('/')) {
    return {
      id: POST_ID.exec(input.id.trim())?.[1]?.toLowerCase() ?? refuseReference('id', 'is not the id of a post'),
    };
  }
  const name = input.id === undefined ? 'url' : 'id';
  const place = site.locate(input.id ?? input.url ?? '');
  if (place === null) return refuseReference(name, 'is not an address of this site');
  const path = place.path.replace(/[?#].*$/s, '');
  if (SHARED_PATH.test(path)) return { share: path };
  const named = place.origin === 'short' ? POST_ID.exec(path.slice(1))?.[1] : parsePathId(path);
  if (named !== undefined) return { id: named.toLowerCase() };
  return refuseLink({ parameter: name, place, kinds: PATH_KINDS, wanted: 'a post' });
}

/** Parses the id of a post from the address of its page; null for any other page. */
function parseUrlId(address: string): string | null {
  return parsePathId(URL.parse(address)?.pathname ?? '')?.toLowerCase() ?? null;
}

/** Builds the path of a post, with or without its community. */
function buildPostPath({ subreddit }: PostInput, id: string): string {
  const name = subreddit?.replace(/^r\//, '');
  return name === undefined ? `/comments/${id}` : `/r/${encodeURIComponent(name)}/comments/${id}`;
}

/** Converts an order of comments to the site's own name. */
function toSiteOrder({ sort }: PostInput): string {
  return sort === 'best' ? 'confidence' : sort;
}

function parsePathId(path: string): string | undefined {
  return POST_PATH.exec(path)?.[1];
}

function buildQuery(input: PostInput, id: string) {
  return { path: buildPostPath(input, id), query: { limit: input.comment_limit, depth: 1, sort: toSiteOrder(input) } };
}

function readPostAnswer({ body, input, site, state }: ApiCall<PostInput>) {
  const raw = parseJsonValue(body);
  const target = findPost(input, site);
  const data = getPath(raw, 0, 'data', 'children', 0, 'data');
  const id = toLine(getPath(data, 'id'));
  const title = toLine(getPath(data, 'title'));
  if (id === null || title === null) return unusable('no post in the answer');
  if (id !== ('id' in target ? target.id : state)) return unusable(`another post: ${id}`);
  const children = toArray(getPath(raw, 1, 'data', 'children'));
  const comments = children
    .filter((child) => getPath(child, 'kind') === 't1')
    .map((child) => toApiComment(getPath(child, 'data')));
  const known = comments.filter((comment) => comment !== null);
  const total = toInteger(getPath(data, 'num_comments')) ?? 0;
  if (total > 0 && children.length === 0) return unusable('comments are counted, but none is present');
  return {
    post: toApiPost(data, { id, title }),
    comments: known.slice(0, input.comment_limit),
    comments_truncated:
      known.length > input.comment_limit || children.some((child) => getPath(child, 'kind') === 'more'),
  };
}

const NO_COMMENTS = 'comments: the page does not carry them';

function addComments(page: ParsedPage, carry: unknown, input: PostInput) {
  const known = Post.parse(carry);
  const nodes = selectAll(page, 'shreddit-comment').filter((node) => getAttribute(page.tree, node, 'depth') === '0');
  const comments = nodes
    .map((node) => readNewComment(page, node, known.author?.name ?? null))
    .filter((comment) => comment !== null);
  // The later sources know less of the post, so this answer is returned without comments.
  if (comments.length === 0) return markPartial({ post: known, comments: null, comments_truncated: true }, NO_COMMENTS);
  const isCut =
    selectFirst(page, 'faceplate-partial[src*="more-comments"]') !== 0 || comments.length > input.comment_limit;
  return { post: known, comments: comments.slice(0, input.comment_limit), comments_truncated: isCut };
}

/** Reads the post of a page without custom elements from its OpenGraph properties. */
function readOpenGraph(page: ParsedPage): Post | null {
  const address = findFirstValue(
    () => findOpenGraph(page, 'og:url'),
    () => findCanonicalUrl(page),
  );
  const id = parseUrlId(address ?? '');
  const title = findFirstValue(
    () => /^(?:r\/[^ ]+|[^ ]+) - (.+)$/.exec(findOpenGraph(page, 'og:title') ?? '')?.[1],
    () => /^(.+) : [A-Za-z0-9_]+$/.exec(readLineAt(page, 'title') ?? '')?.[1],
  );
  if (id === null || title === null) return null;
  const counts = /([\d.,]+[kKmM]?) votes and ([\d.,]+[kKmM]?) comments/.exec(
    findOpenGraph(page, 'og:description') ?? '',
  );
  return {
    ...createPost(id, title, toCleanUrl(address, HOME) ?? `${HOME}/comments/${id}/`),
    score: readExactCount(counts?.[1]),
    comment_count: readExactCount(counts?.[2]),
  };
}

/** Reads a count; null for a rounded one, because the record holds exact counts only. */
function readExactCount(written: string | undefined): number | null {
  const read = toCount(written, 'en');
  return read?.approximate === false ? read.value : null;
}

function readNewComment(page: ParsedPage, node: number, poster: string | null): Comment | null {
  const readCommentAttribute = (name: string) => toLine(getAttribute(page.tree, node, name));
  const id = parseFullname('t1', readCommentAttribute('thingid'));
  if (id === null) return null;
  const body = readRichText(page, selectFirst(page, ':scope > [slot=comment]', node));
  const author = readAuthorName(readCommentAttribute('author'));
  const isHidden = readCommentAttribute('score-hidden') !== null || readCommentAttribute('score') === null;
  return {
    ...createComment(id),
    author,
    created_at: toTimestamp(readCommentAttribute('created') ?? readAttributeAt(page, 'time', 'datetime', node)),
    score: isHidden ? null : toInteger(readCommentAttribute('score')),
    score_hidden: isHidden,
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    permalink: toCleanUrl(readCommentAttribute('permalink'), HOME),
    reply_count: selectAll(page, 'shreddit-comment', node).filter(
      (inner) => getAttribute(page.tree, inner, 'parentid') === `t1_${id}`,
    ).length,
    is_op: author !== null && author === poster,
  };
}
