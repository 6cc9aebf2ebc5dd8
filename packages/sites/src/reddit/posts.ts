import { z } from 'zod';
import type { XmlElement } from '#extract/converters/xml.ts';
import { attributeAt, lineAt, one, readRich, richOf } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import {
  at,
  boolean,
  decimal,
  integer,
  line,
  list,
  mediaUrl,
  moment,
  natural,
  text,
  url,
} from '#extract/values/raw.ts';
import { HOME } from './site.ts';

const Text = z.string().nullable();
const Flag = z.boolean().nullable();
const Count = z.int().min(0).nullable();

const POST_TYPES = ['text', 'link', 'image', 'gallery', 'video', 'poll', 'crosspost'] as const;
type PostType = (typeof POST_TYPES)[number];

export const Post = z.object({
  id: z.string(),
  fullname: z.string(),
  title: z.string(),
  url: z.string().describe('Permalink of the post'),
  author: z.object({ name: z.string(), id: Text }).nullable(),
  subreddit: z.object({ name: z.string(), id: Text, prefixed: z.string(), subscribers: Count }).nullable(),
  created_at: Text,
  edited_at: Text,
  score: z.int().nullable(),
  upvote_ratio: z.number().nullable(),
  comment_count: Count,
  flair: Text,
  type: z.enum(POST_TYPES).nullable(),
  text_html: Text,
  text: Text,
  link_url: Text,
  domain: Text,
  media: z
    .array(z.object({ type: z.enum(['image', 'video']), url: z.string(), width: Count, height: Count }))
    .readonly()
    .nullable(),
  is_nsfw: Flag,
  is_spoiler: Flag,
  is_locked: Flag,
  is_stickied: Flag,
  is_archived: Flag,
  is_removed: Flag,
  crosspost_parent: Text,
  award_count: Count,
});

export type Post = z.input<typeof Post>;

export const Comment = z.object({
  id: z.string(),
  fullname: z.string(),
  author: Text,
  created_at: Text,
  edited_at: Text,
  score: z.int().nullable(),
  score_hidden: Flag,
  text_html: Text,
  text: Text,
  depth: Count,
  permalink: Text,
  reply_count: Count,
  is_op: Flag,
  is_stickied: Flag,
  distinguished: Text,
});

export type Comment = z.input<typeof Comment>;

/** Creates a post with nothing but its id, title and address; the community follows from the address. */
export function createPost(id: string, title: string, address: string): Post {
  const [, prefixed = null] = /\/((?:r|user)\/[^/]+)\/comments\//.exec(address) ?? [];
  const [kind, name = ''] = prefixed?.split('/') ?? [];
  return {
    id,
    fullname: `t3_${id}`,
    title,
    url: address,
    author: null,
    subreddit: kind === 'r' ? { name, id: null, prefixed: `r/${name}`, subscribers: null } : null,
    created_at: null,
    edited_at: null,
    score: null,
    upvote_ratio: null,
    comment_count: null,
    flair: null,
    type: null,
    text_html: null,
    text: null,
    link_url: null,
    domain: null,
    media: null,
    is_nsfw: null,
    is_spoiler: null,
    is_locked: null,
    is_stickied: null,
    is_archived: null,
    is_removed: null,
    crosspost_parent: null,
    award_count: null,
  };
}

/** Creates a comment with nothing but its id. */
export function createComment(id: string): Comment {
  return {
    id,
    fullname: `t1_${id}`,
    author: null,
    created_at: null,
    edited_at: null,
    score: null,
    score_hidden: null,
    text_html: null,
    text: null,
    depth: 0,
    permalink: null,
    reply_count: null,
    is_op: null,
    is_stickied: null,
    distinguished: null,
  };
}

/** Parses `t3_2gmzqe` to `2gmzqe`; null for an id of another kind. */
export function parseFullname(kind: 't1' | 't3', fullname: string | null): string | null {
  return /^(t[13])_([0-9a-z]{1,13})$/.exec(fullname ?? '')?.[1] === kind ? (fullname ?? '').slice(3) : null;
}

/** Reads the name of an author; null for a deleted account. */
export function readAuthorName(name: string | null): string | null {
  return name === null || name === '[deleted]' ? null : name;
}

/** Converts a post of the API, from a list or on its own. */
export function toApiPost(data: unknown, { id, title }: { readonly id: string; readonly title: string }): Post {
  const address = url(at(data, 'permalink'), HOME) ?? HOME;
  const body = readRich(text(at(data, 'selftext_html')) ?? '', HOME);
  const author = readAuthorName(line(at(data, 'author')));
  const name = line(at(data, 'subreddit'));
  const type = findApiType(data);
  return {
    ...createPost(id, title, address),
    author: author === null ? null : { name: author, id: line(at(data, 'author_fullname')) },
    subreddit:
      name === null
        ? null
        : {
            name,
            id: line(at(data, 'subreddit_id')),
            prefixed: line(at(data, 'subreddit_name_prefixed')) ?? `r/${name}`,
            subscribers: integer(at(data, 'subreddit_subscribers')),
          },
    created_at: moment(at(data, 'created_utc')),
    edited_at: moment(at(data, 'edited')),
    score: at(data, 'hide_score') === true ? null : integer(at(data, 'score')),
    upvote_ratio: decimal(at(data, 'upvote_ratio')),
    comment_count: natural(at(data, 'num_comments')),
    flair: line(at(data, 'link_flair_text')),
    type,
    text_html: body?.html ?? null,
    text: text(at(data, 'selftext')),
    link_url: type === 'text' ? null : url(at(data, 'url'), HOME),
    domain: line(at(data, 'domain')),
    media: readApiMedia(data),
    is_nsfw: boolean(at(data, 'over_18')),
    is_spoiler: boolean(at(data, 'spoiler')),
    is_locked: boolean(at(data, 'locked')),
    is_stickied: boolean(at(data, 'stickied')),
    is_archived: boolean(at(data, 'archived')),
    is_removed: line(at(data, 'removed_by_category')) !== null,
    crosspost_parent: line(at(data, 'crosspost_parent')),
    award_count: natural(at(data, 'total_awards_received')),
  };
}

function findApiType(data: unknown): PostType {
  if (line(at(data, 'crosspost_parent')) !== null) return 'crosspost';
  if (isJsonObject(at(data, 'poll_data'))) return 'poll';
  if (at(data, 'is_self') === true) return 'text';
  if (at(data, 'is_gallery') === true) return 'gallery';
  if (at(data, 'is_video') === true) return 'video';
  const hint = line(at(data, 'post_hint'));
  return hint === 'image' ? 'image' : hint?.endsWith(':video') === true ? 'video' : 'link';
}

type Media = NonNullable<Post['media']>[number];

function readApiMedia(data: unknown): readonly Media[] {
  const video = at(data, 'media', 'reddit_video');
  const gallery = list(at(data, 'gallery_data', 'items')).map((item) =>
    at(data, 'media_metadata', line(at(item, 'media_id')) ?? '', 's'),
  );
  const found = [
    toMedia('video', [at(video, 'fallback_url'), at(video, 'width'), at(video, 'height')]),
    ...gallery.map((item) => toMedia('image', [at(item, 'u') ?? at(item, 'gif'), at(item, 'x'), at(item, 'y')])),
    findApiType(data) === 'image' ? readPreview(data) : null,
  ];
  return found.filter((media) => media !== null);
}

function readPreview(data: unknown): Media | null {
  const source = at(data, 'preview', 'images', 0, 'source');
  return toMedia('image', [at(data, 'url') ?? at(source, 'url'), at(source, 'width'), at(source, 'height')]);
}

function toMedia(type: Media['type'], [address, width, height]: readonly unknown[]): Media | null {
  const found = mediaUrl(address, HOME);
  return found === null ? null : { type, url: found, width: integer(width), height: integer(height) };
}

/** Converts a comment of the API. */
export function toApiComment(data: unknown): Comment | null {
  const id = line(at(data, 'id'));
  if (id === null) return null;
  const isHidden = boolean(at(data, 'score_hidden'));
  const children = list(at(data, 'replies', 'data', 'children'));
  const replies = children.map((child) =>
    at(child, 'kind') === 't1' ? 1 : list(at(child, 'data', 'children')).length,
  );
  return {
    ...createComment(id),
    author: readAuthorName(line(at(data, 'author'))),
    created_at: moment(at(data, 'created_utc')),
    edited_at: moment(at(data, 'edited')),
    score: isHidden === true ? null : integer(at(data, 'score')),
    score_hidden: isHidden,
    text_html: readRich(text(at(data, 'body_html')) ?? '', HOME)?.html ?? null,
    text: text(at(data, 'body')),
    permalink: url(
      at(data, 'permalink') ?? `/comments/${parseFullname('t3', line(at(data, 'link_id'))) ?? ''}/_/${id}/`,
      HOME,
    ),
    reply_count: replies.reduce((sum, count) => sum + count, 0),
    is_op: boolean(at(data, 'is_submitter')),
    is_stickied: boolean(at(data, 'stickied')),
    distinguished: line(at(data, 'distinguished')),
  };
}

/** Reads one post of a list; null without an id or a title. */
export function readListedPost(data: unknown): Post | null {
  const id = line(at(data, 'id'));
  const title = line(at(data, 'title'));
  return id === null || title === null ? null : toApiPost(data, { id, title });
}

/** Checks for the header that every page of old.reddit.com has. */
export function isOldPage(page: ParsedPage): boolean {
  return one(page, '#header') !== 0;
}

/** Reads an attribute as one line; null without an element. */
export function readAttribute(page: ParsedPage, node: number, name: string): string | null {
  return node === 0 ? null : line(attributeOf(page.tree, node, name));
}

/** Converts a post of old.reddit.com, from a list or on its own. */
export function toOldPost(
  page: ParsedPage,
  node: number,
  { id, title }: { readonly id: string; readonly title: string },
): Post {
  const readData = (name: string) => readAttribute(page, node, `data-${name}`);
  const classes = ` ${readAttribute(page, node, 'class') ?? ''} `;
  const body = richOf(page, one(page, '.expando .usertext-body .md', node));
  const author = readAuthorName(readData('author'));
  const name = readData('subreddit');
  const type = findOldType(readData, classes);
  const upvoted = /\((\d{1,3})% upvoted\)/.exec(lineAt(page, '.linkinfo .score') ?? '')?.[1];
  return {
    ...createPost(id, title, url(readData('permalink'), HOME) ?? `${HOME}/comments/${id}/`),
    author: author === null ? null : { name: author, id: readData('author-fullname') },
    subreddit:
      name === null
        ? null
        : {
            name,
            id: readData('subreddit-fullname'),
            prefixed: readData('subreddit-prefixed') ?? `r/${name}`,
            subscribers: integer(lineAt(page, '.side .subscribers .number')),
          },
    created_at: moment(readData('timestamp')) ?? moment(attributeAt(page, 'time.live-timestamp', 'datetime', node)),
    edited_at: moment(attributeAt(page, 'time.edited-timestamp', 'datetime', node)),
    score: integer(readData('score')),
    upvote_ratio: upvoted === undefined ? null : Number(upvoted) / 100,
    comment_count: natural(readData('comments-count')),
    flair: lineAt(page, '.linkflairlabel', node),
    type,
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    link_url: type === 'text' ? null : url(readData('url'), HOME),
    domain: readData('domain'),
    media: null,
    is_nsfw: readFlag(readData('nsfw')),
    is_spoiler: readFlag(readData('spoiler')),
    is_locked: classes.includes(' locked ') || one(page, '.locked-infobar') !== 0,
    is_stickied: classes.includes(' stickied '),
    is_archived: one(page, '.archived-infobar') !== 0,
    is_removed: readData('author') === '[deleted]' && body?.text === '[removed]',
  };
}

function findOldType(readData: (name: string) => string | null, classes: string): PostType {
  if (classes.includes(' self ')) return readData('is-poll') === 'true' ? 'poll' : 'text';
  if (readData('crosspost-root-author') !== null) return 'crosspost';
  if (readData('is-gallery') === 'true') return 'gallery';
  const domain = readData('domain');
  return domain === 'v.redd.it' ? 'video' : domain === 'i.redd.it' ? 'image' : 'link';
}

function readFlag(word: string | null): boolean | null {
  return word === 'true' ? true : word === 'false' ? false : null;
}

/** Converts a comment of old.reddit.com. */
export function toOldComment(page: ParsedPage, node: number): Comment | null {
  const id = parseFullname('t1', readAttribute(page, node, 'data-fullname'));
  const entry = one(page, ':scope > .entry', node);
  if (id === null || entry === 0) return null;
  const body = richOf(page, one(page, '.usertext-body .md', entry));
  const author = one(page, '.tagline > .author', entry);
  const standing = ` ${readAttribute(page, author, 'class') ?? ''} `;
  const score = one(page, '.score.unvoted', entry);
  return {
    ...createComment(id),
    author: readAuthorName(
      readAttribute(page, node, 'data-author') ?? (author === 0 ? null : lineAt(page, '.author', entry)),
    ),
    created_at: moment(
      attributeAt(page, 'time.live-timestamp', 'datetime', entry) ?? attributeAt(page, 'time', 'datetime', entry),
    ),
    edited_at: moment(attributeAt(page, 'time.edited-timestamp', 'datetime', entry)),
    score: integer(readAttribute(page, score, 'title')),
    score_hidden: score === 0,
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    permalink: url(readAttribute(page, node, 'data-permalink') ?? attributeAt(page, 'a.bylink', 'href', entry), HOME),
    reply_count: natural(readAttribute(page, node, 'data-replies')),
    is_op: standing.includes(' submitter '),
    is_stickied: one(page, '.stickied-tagline', entry) !== 0,
    distinguished: standing.includes(' moderator ') ? 'moderator' : standing.includes(' admin ') ? 'admin' : null,
  };
}

/** Reads one post of a list on old.reddit.com; null without an id or a title. */
export function readListItem(page: ParsedPage, node: number): Post | null {
  const id = parseFullname('t3', readAttribute(page, node, 'data-fullname'));
  const title = lineAt(page, 'a.title', node);
  if (id === null || title === null) return null;
  // A list does not show which posts are archived or removed.
  return { ...toOldPost(page, node, { id, title }), is_archived: null, is_removed: null };
}

/** Reads a post from its `shreddit-post` element, in a list or on its own; null for an element without id or title. */
export function readNewPost(page: ParsedPage, node: number): Post | null {
  const readPostAttribute = (name: string) => line(attributeOf(page.tree, node, name));
  const id = parseFullname('t3', readPostAttribute('id'));
  const title = readPostAttribute('post-title') ?? lineAt(page, '[slot=title]', node);
  if (id === null || title === null) return null;
  const body = richOf(page, one(page, '[slot=text-body] [property="schema:articleBody"]', node));
  const author = readAuthorName(readPostAttribute('author'));
  const type =
    POST_TYPES.find((known) => known === readPostAttribute('post-type')) ??
    (readPostAttribute('post-type') === 'gif' ? 'image' : null);
  const bare = createPost(id, title, url(readPostAttribute('permalink'), HOME) ?? `${HOME}/comments/${id}/`);
  const header = one(page, 'shreddit-subreddit-header');
  const prefixed = readPostAttribute('subreddit-prefixed-name') ?? bare.subreddit?.prefixed ?? null;
  return {
    ...bare,
    author: author === null ? null : { name: author, id: readPostAttribute('author-id') },
    subreddit:
      prefixed === null
        ? null
        : {
            name: readPostAttribute('subreddit-name') ?? prefixed.replace(/^r\//, ''),
            id: readPostAttribute('subreddit-id'),
            prefixed,
            subscribers: header === 0 ? null : integer(attributeOf(page.tree, header, 'subscribers')),
          },
    created_at: moment(readPostAttribute('created-timestamp')),
    score: integer(readPostAttribute('score')),
    comment_count: natural(readPostAttribute('comment-count')),
    flair: lineAt(page, 'shreddit-post-flair', node),
    type,
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    link_url: type === 'text' ? null : url(readPostAttribute('content-href'), HOME),
    domain: readPostAttribute('domain'),
    is_nsfw: attributeOf(page.tree, node, 'nsfw') !== null,
    is_spoiler: attributeOf(page.tree, node, 'spoiler') !== null,
    is_locked: attributeOf(page.tree, node, 'is-locked') !== null,
    is_stickied: attributeOf(page.tree, node, 'is-stickied') !== null,
    is_archived: attributeOf(page.tree, node, 'is-archived') !== null,
    award_count: natural(readPostAttribute('award-count')),
  };
}

export function findEntries(feed: XmlElement | null): readonly XmlElement[] {
  return (feed?.children ?? []).filter(({ name }) => name === 'entry');
}

export function toFeedPost(entry: XmlElement, { id, title }: { readonly id: string; readonly title: string }): Post {
  const body = readRich(readFeedText(entry, 'content') ?? '', HOME);
  const author = readFeedAuthor(entry);
  return {
    ...createPost(id, title, readFeedLink(entry) ?? `${HOME}/comments/${id}/`),
    author: author === null ? null : { name: author, id: null },
    created_at: moment(readFeedText(entry, 'published') ?? readFeedText(entry, 'updated')),
    text_html: body?.html ?? null,
    text: body?.text ?? null,
  };
}

/** Converts a comment of a feed. A feed does not distinguish replies from top-level comments, so the depth is null. */
export function toFeedComment(entry: XmlElement): Comment | null {
  const id = parseFullname('t1', readFeedText(entry, 'id'));
  if (id === null) return null;
  const body = readRich(readFeedText(entry, 'content') ?? '', HOME);
  return {
    ...createComment(id),
    depth: null,
    author: readFeedAuthor(entry),
    created_at: moment(readFeedText(entry, 'updated')),
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    permalink: readFeedLink(entry),
  };
}

function findChild(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

export function readFeedText(element: XmlElement, name: string): string | null {
  return line(findChild(element, name)?.text);
}

function readFeedAuthor(entry: XmlElement): string | null {
  return readAuthorName(line(findChild(findChild(entry, 'author'), 'name')?.text)?.replace(/^\/u\//, '') ?? null);
}

function readFeedLink(entry: XmlElement): string | null {
  return url(findChild(entry, 'link')?.attributes.get('href'), HOME);
}

/** Reads one post of a feed; null for another entry. */
export function readFeedPost(entry: XmlElement): Post | null {
  const id = parseFullname('t3', readFeedText(entry, 'id'));
  const title = readFeedText(entry, 'title');
  return id === null || title === null ? null : toFeedPost(entry, { id, title });
}
