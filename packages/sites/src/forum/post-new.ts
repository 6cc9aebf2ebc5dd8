import { more, partly, unusable } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { canonicalOf, openGraph } from '#extract/dom/described.ts';
import { all, attributeAt, lineAt, one, richOf } from '#extract/dom/elements.ts';
import { parsePage, type ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { first } from '#extract/values/first.ts';
import { countOf, integer, line, moment, natural, url } from '#extract/values/raw.ts';
import { authorName, bareComment, barePost, Comment, idOfFullname, ForumPost, POST_TYPES } from './fields.ts';
import { idOfUrl, postPathOf, type PostInput, sortOf, wantedOf } from './post-input.ts';
import { WEB } from './site.ts';

/** The page of custom elements; its comments come from a page of their own. */
export const newPage = {
  name: 'new',
  request: (input: PostInput, site: Sending): SiteRequest => {
    const wanted = wantedOf(input, site);
    return { origin: 'web', path: 'share' in wanted ? wanted.share : `${postPathOf(input, wanted.id)}/` };
  },
  parse: (source: SourcePage, input: PostInput, site: SiteView) => {
    const page = parsePage(source.body, source.url);
    if (source.carry !== undefined) return withComments(page, source.carry, input);
    const node = one(page, 'shreddit-post');
    const post = node === 0 ? readShared(page) : readPost(page, node);
    if (post === null) return unusable('no post in the page');
    const wanted = wantedOf(input, site);
    if ('id' in wanted && wanted.id !== post.id) return unusable(`another post: ${post.id}`);
    if (post.comment_count === 0) return { post, comments: [], comments_truncated: false };
    // An older page has neither the elements nor the community that its comments are asked for by.
    const bare = partly({ post, comments: null, comments_truncated: true }, LACKS);
    if (node === 0 || post.subreddit === null) return bare;
    const path = `/svc/shreddit/comments/${post.subreddit.prefixed}/${post.fullname}`;
    return more({ origin: 'web', path, query: { 'render-mode': 'partial', sort: sortOf(input) } }, post, bare);
  },
};

const LACKS = 'comments: the page does not carry them';

function withComments(page: ParsedPage, carry: unknown, input: PostInput) {
  const post = ForumPost.parse(carry);
  const nodes = all(page, 'shreddit-comment').filter((node) => attributeOf(page.tree, node, 'depth') === '0');
  const comments = nodes
    .map((node) => toComment(page, node, post.author?.name ?? null))
    .filter((comment) => comment !== null);
  // The post is there; the sources after this one know less of it.
  if (comments.length === 0) return partly({ post, comments: null, comments_truncated: true }, LACKS);
  const isCut = one(page, 'faceplate-partial[src*="more-comments"]') !== 0 || comments.length > input.comment_limit;
  return { post, comments: comments.slice(0, input.comment_limit), comments_truncated: isCut };
}

/** A post as its element tells it, in a list or alone; null for what is none. */
export function readPost(page: ParsedPage, node: number): ForumPost | null {
  const said = (name: string) => line(attributeOf(page.tree, node, name));
  const id = idOfFullname('t3', said('id'));
  const title = said('post-title') ?? lineAt(page, '[slot=title]', node);
  if (id === null || title === null) return null;
  const body = richOf(page, one(page, '[slot=text-body] [property="schema:articleBody"]', node));
  const author = authorName(said('author'));
  const type =
    POST_TYPES.find((known) => known === said('post-type')) ?? (said('post-type') === 'gif' ? 'image' : null);
  const bare = barePost(id, title, url(said('permalink'), WEB) ?? `${WEB}/comments/${id}/`);
  const header = one(page, 'shreddit-subreddit-header');
  const prefixed = said('subreddit-prefixed-name') ?? bare.subreddit?.prefixed ?? null;
  return {
    ...bare,
    author: author === null ? null : { name: author, id: said('author-id') },
    subreddit:
      prefixed === null
        ? null
        : {
            name: said('subreddit-name') ?? prefixed.replace(/^r\//, ''),
            id: said('subreddit-id'),
            prefixed,
            subscribers: header === 0 ? null : integer(attributeOf(page.tree, header, 'subscribers')),
          },
    created_at: moment(said('created-timestamp')),
    score: integer(said('score')),
    comment_count: natural(said('comment-count')),
    flair: lineAt(page, 'shreddit-post-flair', node),
    type,
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    link_url: type === 'text' ? null : url(said('content-href'), WEB),
    domain: said('domain'),
    is_nsfw: attributeOf(page.tree, node, 'nsfw') !== null,
    is_spoiler: attributeOf(page.tree, node, 'spoiler') !== null,
    is_locked: attributeOf(page.tree, node, 'is-locked') !== null,
    is_stickied: attributeOf(page.tree, node, 'is-stickied') !== null,
    is_archived: attributeOf(page.tree, node, 'is-archived') !== null,
    award_count: natural(said('award-count')),
  };
}

/** The post of a page without its elements, from its OpenGraph properties. */
function readShared(page: ParsedPage): ForumPost | null {
  const address = first(
    () => openGraph(page, 'og:url'),
    () => canonicalOf(page),
  );
  const id = idOfUrl(address ?? '');
  const title = first(
    () => /^(?:r\/[^ ]+|[^ ]+) - (.+)$/.exec(openGraph(page, 'og:title') ?? '')?.[1],
    () => /^(.+) : [A-Za-z0-9_]+$/.exec(lineAt(page, 'title') ?? '')?.[1],
  );
  if (id === null || title === null) return null;
  const said = /([\d.,]+[kKmM]?) votes and ([\d.,]+[kKmM]?) comments/.exec(openGraph(page, 'og:description') ?? '');
  return {
    ...barePost(id, title, url(address, WEB) ?? `${WEB}/comments/${id}/`),
    score: exactly(said?.[1]),
    comment_count: exactly(said?.[2]),
  };
}

/** A rounded number is none that a field of exact ones can hold. */
function exactly(written: string | undefined): number | null {
  const read = countOf(written, 'en');
  return read?.approximate === false ? read.value : null;
}

function toComment(page: ParsedPage, node: number, asker: string | null): Comment | null {
  const said = (name: string) => line(attributeOf(page.tree, node, name));
  const id = idOfFullname('t1', said('thingid'));
  if (id === null) return null;
  const body = richOf(page, one(page, ':scope > [slot=comment]', node));
  const author = authorName(said('author'));
  const isHidden = said('score-hidden') !== null || said('score') === null;
  return {
    ...bareComment(id),
    author,
    created_at: moment(said('created') ?? attributeAt(page, 'time', 'datetime', node)),
    score: isHidden ? null : integer(said('score')),
    score_hidden: isHidden,
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    permalink: url(said('permalink'), WEB),
    reply_count: all(page, 'shreddit-comment', node).filter(
      (inner) => attributeOf(page.tree, inner, 'parentid') === `t1_${id}`,
    ).length,
    is_op: author !== null && author === asker,
  };
}
