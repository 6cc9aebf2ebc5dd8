import { blocked, notHere, unusable } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { all, attributeAt, lineAt, one, richOf } from '#extract/dom/elements.ts';
import { parsePage, type ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { integer, line, moment, natural, url } from '#extract/values/raw.ts';
import {
  authorName,
  bareComment,
  barePost,
  type Comment,
  idOfFullname,
  type ForumPost,
  type PostType,
} from './fields.ts';
import { postPathOf, type PostInput, sortOf, wantedOf } from './post-input.ts';
import { WEB } from './site.ts';

/** The plain page: post and comments in one request. */
export const oldPage = {
  name: 'old',
  request: (input: PostInput, site: Sending): SiteRequest => {
    const wanted = wantedOf(input, site);
    if ('share' in wanted) return { origin: 'old', path: wanted.share };
    const query = { limit: input.comment_limit, sort: sortOf(input) };
    return { origin: 'old', path: `${postPathOf(input, wanted.id)}/`, query };
  },
  parse: (source: SourcePage, input: PostInput, site: SiteView) => {
    const page = parsePage(source.body, source.url);
    const things = one(page, '#siteTable');
    const thing = things === 0 ? 0 : one(page, ':scope > .thing.link', things);
    const id = idOfFullname('t3', attributeIn(page, thing, 'data-fullname'));
    const title = thing === 0 ? null : lineAt(page, 'a.title', thing);
    if (one(page, '.commentarea') === 0) return isPage(page) ? notHere('no post at this address') : blocked('no_page');
    if (id === null || title === null) return unusable('no post in the page');
    const wanted = wantedOf(input, site);
    if ('id' in wanted && wanted.id !== id) return unusable(`another post: ${id}`);
    const post = toOldPost(page, thing, { id, title });
    const table = one(page, '.commentarea > .sitetable');
    const nodes = table === 0 ? [] : all(page, ':scope > .thing.comment', table);
    const comments = nodes.map((node) => toOldComment(page, node)).filter((comment) => comment !== null);
    const rest = table === 0 ? 0 : one(page, ':scope > .thing.morechildren', table);
    if ((post.comment_count ?? 0) > 0 && comments.length === 0 && rest === 0)
      return unusable('comments are counted and none is there');
    return {
      post,
      comments: comments.slice(0, input.comment_limit),
      comments_truncated: rest !== 0 || comments.length > input.comment_limit,
    };
  },
};

/** Whether it is a page of the plain site at all. */
export function isPage(page: ParsedPage): boolean {
  return one(page, '#header') !== 0;
}

/** An attribute on one line; null of no element. */
export function attributeIn(page: ParsedPage, node: number, name: string): string | null {
  return node === 0 ? null : line(attributeOf(page.tree, node, name));
}

/** A post as the plain pages show it, in a list or alone. */
export function toOldPost(
  page: ParsedPage,
  node: number,
  { id, title }: { readonly id: string; readonly title: string },
): ForumPost {
  const said = (name: string) => attributeIn(page, node, `data-${name}`);
  const classes = ` ${attributeIn(page, node, 'class') ?? ''} `;
  const body = richOf(page, one(page, '.expando .usertext-body .md', node));
  const author = authorName(said('author'));
  const name = said('subreddit');
  const type = typeOf(said, classes);
  const upvoted = /\((\d{1,3})% upvoted\)/.exec(lineAt(page, '.linkinfo .score') ?? '')?.[1];
  return {
    ...barePost(id, title, url(said('permalink'), WEB) ?? `${WEB}/comments/${id}/`),
    author: author === null ? null : { name: author, id: said('author-fullname') },
    subreddit:
      name === null
        ? null
        : {
            name,
            id: said('subreddit-fullname'),
            prefixed: said('subreddit-prefixed') ?? `r/${name}`,
            subscribers: integer(lineAt(page, '.side .subscribers .number')),
          },
    created_at: moment(said('timestamp')) ?? moment(attributeAt(page, 'time.live-timestamp', 'datetime', node)),
    edited_at: moment(attributeAt(page, 'time.edited-timestamp', 'datetime', node)),
    score: integer(said('score')),
    upvote_ratio: upvoted === undefined ? null : Number(upvoted) / 100,
    comment_count: natural(said('comments-count')),
    flair: lineAt(page, '.linkflairlabel', node),
    type,
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    link_url: type === 'text' ? null : url(said('url'), WEB),
    domain: said('domain'),
    media: null,
    is_nsfw: flag(said('nsfw')),
    is_spoiler: flag(said('spoiler')),
    is_locked: classes.includes(' locked ') || one(page, '.locked-infobar') !== 0,
    is_stickied: classes.includes(' stickied '),
    is_archived: one(page, '.archived-infobar') !== 0,
    is_removed: said('author') === '[deleted]' && body?.text === '[removed]',
  };
}

function typeOf(said: (name: string) => string | null, classes: string): PostType {
  if (classes.includes(' self ')) return said('is-poll') === 'true' ? 'poll' : 'text';
  if (said('crosspost-root-author') !== null) return 'crosspost';
  if (said('is-gallery') === 'true') return 'gallery';
  const domain = said('domain');
  return domain === 'v.redd.it' ? 'video' : domain === 'i.redd.it' ? 'image' : 'link';
}

function flag(word: string | null): boolean | null {
  return word === 'true' ? true : word === 'false' ? false : null;
}

/** A comment as the plain pages show it. */
export function toOldComment(page: ParsedPage, node: number): Comment | null {
  const id = idOfFullname('t1', attributeIn(page, node, 'data-fullname'));
  const entry = one(page, ':scope > .entry', node);
  if (id === null || entry === 0) return null;
  const body = richOf(page, one(page, '.usertext-body .md', entry));
  const author = one(page, '.tagline > .author', entry);
  const standing = ` ${attributeIn(page, author, 'class') ?? ''} `;
  const score = one(page, '.score.unvoted', entry);
  return {
    ...bareComment(id),
    author: authorName(
      attributeIn(page, node, 'data-author') ?? (author === 0 ? null : lineAt(page, '.author', entry)),
    ),
    created_at: moment(
      attributeAt(page, 'time.live-timestamp', 'datetime', entry) ?? attributeAt(page, 'time', 'datetime', entry),
    ),
    edited_at: moment(attributeAt(page, 'time.edited-timestamp', 'datetime', entry)),
    score: integer(attributeIn(page, score, 'title')),
    score_hidden: score === 0,
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    permalink: url(attributeIn(page, node, 'data-permalink') ?? attributeAt(page, 'a.bylink', 'href', entry), WEB),
    reply_count: natural(attributeIn(page, node, 'data-replies')),
    is_op: standing.includes(' submitter '),
    is_stickied: one(page, '.stickied-tagline', entry) !== 0,
    distinguished: standing.includes(' moderator ') ? 'moderator' : standing.includes(' admin ') ? 'admin' : null,
  };
}
