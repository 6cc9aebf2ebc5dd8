import { z } from 'zod';
import type { XmlElement } from '#extract/converters/xml.ts';
import { readAttributeAt, readLineAt, selectFirst, parseRichText, readRichText } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import {
  getPath,
  toBoolean,
  toNumber,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toNatural,
  toText,
  toCleanUrl,
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
  const address = toCleanUrl(getPath(data, 'permalink'), HOME) ?? HOME;
  const body = parseRichText(toText(getPath(data, 'selftext_html')) ?? '', HOME);
  const author = readAuthorName(toLine(getPath(data, 'author')));
  const name = toLine(getPath(data, 'subreddit'));
  const type = findApiType(data);
  return {
    ...createPost(id, title, address),
    author: author === null ? null : { name: author, id: toLine(getPath(data, 'author_fullname')) },
    subreddit:
      name === null
        ? null
        : {
            name,
            id: toLine(getPath(data, 'subreddit_id')),
            prefixed: toLine(getPath(data, 'subreddit_name_prefixed')) ?? `r/${name}`,
            subscribers: toInteger(getPath(data, 'subreddit_subscribers')),
          },
    created_at: toTimestamp(getPath(data, 'created_utc')),
    edited_at: toTimestamp(getPath(data, 'edited')),
    score: getPath(data, 'hide_score') === true ? null : toInteger(getPath(data, 'score')),
    upvote_ratio: toNumber(getPath(data, 'upvote_ratio')),
    comment_count: toNatural(getPath(data, 'num_comments')),
    flair: toLine(getPath(data, 'link_flair_text')),
    type,
    text_html: body?.html ?? null,
    text: toText(getPath(data, 'selftext')),
    link_url: type === 'text' ? null : toCleanUrl(getPath(data, 'url'), HOME),
    domain: toLine(getPath(data, 'domain')),
    media: readApiMedia(data),
    is_nsfw: toBoolean(getPath(data, 'over_18')),
    is_spoiler: toBoolean(getPath(data, 'spoiler')),
    is_locked: toBoolean(getPath(data, 'locked')),
    is_stickied: toBoolean(getPath(data, 'stickied')),
    is_archived: toBoolean(getPath(data, 'archived')),
    is_removed: toLine(getPath(data, 'removed_by_category')) !== null,
    crosspost_parent: toLine(getPath(data, 'crosspost_parent')),
    award_count: toNatural(getPath(data, 'total_awards_received')),
  };
}

function findApiType(data: unknown): PostType {
  if (toLine(getPath(data, 'crosspost_parent')) !== null) return 'crosspost';
  if (isJsonObject(getPath(data, 'poll_data'))) return 'poll';
  if (getPath(data, 'is_self') === true) return 'text';
  if (getPath(data, 'is_gallery') === true) return 'gallery';
  if (getPath(data, 'is_video') === true) return 'video';
  const hint = toLine(getPath(data, 'post_hint'));
  return hint === 'image' ? 'image' : hint?.endsWith(':video') === true ? 'video' : 'link';
}

type Media = NonNullable<Post['media']>[number];

function readApiMedia(data: unknown): readonly Media[] {
  const video = getPath(data, 'media', 'reddit_video');
  const gallery = toArray(getPath(data, 'gallery_data', 'items')).map((item) =>
    getPath(data, 'media_metadata', toLine(getPath(item, 'media_id')) ?? '', 's'),
  );
  const found = [
    toMedia('video', [getPath(video, 'fallback_url'), getPath(video, 'width'), getPath(video, 'height')]),
    ...gallery.map((item) =>
      toMedia('image', [getPath(item, 'u') ?? getPath(item, 'gif'), getPath(item, 'x'), getPath(item, 'y')]),
    ),
    findApiType(data) === 'image' ? readPreview(data) : null,
  ];
  return found.filter((media) => media !== null);
}

function readPreview(data: unknown): Media | null {
  const source = getPath(data, 'preview', 'images', 0, 'source');
  return toMedia('image', [
    getPath(data, 'url') ?? getPath(source, 'url'),
    getPath(source, 'width'),
    getPath(source, 'height'),
  ]);
}

function toMedia(type: Media['type'], [address, width, height]: readonly unknown[]): Media | null {
  const mediaUrl = toMediaUrl(address, HOME);
  return mediaUrl === null ? null : { type, url: mediaUrl, width: toInteger(width), height: toInteger(height) };
}

/** Converts a comment of the API. */
export function toApiComment(data: unknown): Comment | null {
  const id = toLine(getPath(data, 'id'));
  if (id === null) return null;
  const isHidden = toBoolean(getPath(data, 'score_hidden'));
  const children = toArray(getPath(data, 'replies', 'data', 'children'));
  const replies = children.map((child) =>
    getPath(child, 'kind') === 't1' ? 1 : toArray(getPath(child, 'data', 'children')).length,
  );
  return {
    ...createComment(id),
    author: readAuthorName(toLine(getPath(data, 'author'))),
    created_at: toTimestamp(getPath(data, 'created_utc')),
    edited_at: toTimestamp(getPath(data, 'edited')),
    score: isHidden === true ? null : toInteger(getPath(data, 'score')),
    score_hidden: isHidden,
    text_html: parseRichText(toText(getPath(data, 'body_html')) ?? '', HOME)?.html ?? null,
    text: toText(getPath(data, 'body')),
    permalink: toCleanUrl(
      getPath(data, 'permalink') ?? `/comments/${parseFullname('t3', toLine(getPath(data, 'link_id'))) ?? ''}/_/${id}/`,
      HOME,
    ),
    reply_count: replies.reduce((sum, count) => sum + count, 0),
    is_op: toBoolean(getPath(data, 'is_submitter')),
    is_stickied: toBoolean(getPath(data, 'stickied')),
    distinguished: toLine(getPath(data, 'distinguished')),
  };
}

/** Reads one post of a list; null without an id or a title. */
export function readListedPost(data: unknown): Post | null {
  const id = toLine(getPath(data, 'id'));
  const title = toLine(getPath(data, 'title'));
  return id === null || title === null ? null : toApiPost(data, { id, title });
}

/** Checks for the header that every page of old.reddit.com has. */
export function isOldPage(page: ParsedPage): boolean {
  return selectFirst(page, '#header') !== 0;
}

/** Reads an attribute as one line; null without an element. */
export function readAttribute(page: ParsedPage, node: number, name: string): string | null {
  return node === 0 ? null : toLine(getAttribute(page.tree, node, name));
}

/** Converts a post of old.reddit.com, from a list or on its own. */
export function toOldPost(
  page: ParsedPage,
  node: number,
  { id, title }: { readonly id: string; readonly title: string },
): Post {
  const readData = (name: string) => readAttribute(page, node, `data-${name}`);
  const classes = ` ${readAttribute(page, node, 'class') ?? ''} `;
  const body = readRichText(page, selectFirst(page, '.expando .usertext-body .md', node));
  const author = readAuthorName(readData('author'));
  const name = readData('subreddit');
  const type = findOldType(readData, classes);
  const upvoted = /\((\d{1,3})% upvoted\)/.exec(readLineAt(page, '.linkinfo .score') ?? '')?.[1];
  return {
    ...createPost(id, title, toCleanUrl(readData('permalink'), HOME) ?? `${HOME}/comments/${id}/`),
    author: author === null ? null : { name: author, id: readData('author-fullname') },
    subreddit:
      name === null
        ? null
        : {
            name,
            id: readData('subreddit-fullname'),
            prefixed: readData('subreddit-prefixed') ?? `r/${name}`,
            subscribers: toInteger(readLineAt(page, '.side .subscribers .number')),
          },
    created_at:
      toTimestamp(readData('timestamp')) ?? toTimestamp(readAttributeAt(page, 'time.live-timestamp', 'datetime', node)),
    edited_at: toTimestamp(readAttributeAt(page, 'time.edited-timestamp', 'datetime', node)),
    score: toInteger(readData('score')),
    upvote_ratio: upvoted === undefined ? null : Number(upvoted) / 100,
    comment_count: toNatural(readData('comments-count')),
    flair: readLineAt(page, '.linkflairlabel', node),
    type,
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    link_url: type === 'text' ? null : toCleanUrl(readData('url'), HOME),
    domain: readData('domain'),
    media: null,
    is_nsfw: readFlag(readData('nsfw')),
    is_spoiler: readFlag(readData('spoiler')),
    is_locked: classes.includes(' locked ') || selectFirst(page, '.locked-infobar') !== 0,
    is_stickied: classes.includes(' stickied '),
    is_archived: selectFirst(page, '.archived-infobar') !== 0,
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
  const entry = selectFirst(page, ':scope > .entry', node);
  if (id === null || entry === 0) return null;
  const body = readRichText(page, selectFirst(page, '.usertext-body .md', entry));
  const author = selectFirst(page, '.tagline > .author', entry);
  const standing = ` ${readAttribute(page, author, 'class') ?? ''} `;
  const score = selectFirst(page, '.score.unvoted', entry);
  return {
    ...createComment(id),
    author: readAuthorName(
      readAttribute(page, node, 'data-author') ?? (author === 0 ? null : readLineAt(page, '.author', entry)),
    ),
    created_at: toTimestamp(
      readAttributeAt(page, 'time.live-timestamp', 'datetime', entry) ??
        readAttributeAt(page, 'time', 'datetime', entry),
    ),
    edited_at: toTimestamp(readAttributeAt(page, 'time.edited-timestamp', 'datetime', entry)),
    score: toInteger(readAttribute(page, score, 'title')),
    score_hidden: score === 0,
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    permalink: toCleanUrl(
      readAttribute(page, node, 'data-permalink') ?? readAttributeAt(page, 'a.bylink', 'href', entry),
      HOME,
    ),
    reply_count: toNatural(readAttribute(page, node, 'data-replies')),
    is_op: standing.includes(' submitter '),
    is_stickied: selectFirst(page, '.stickied-tagline', entry) !== 0,
    distinguished: standing.includes(' moderator ') ? 'moderator' : standing.includes(' admin ') ? 'admin' : null,
  };
}

/** Reads one post of a list on old.reddit.com; null without an id or a title. */
export function readListItem(page: ParsedPage, node: number): Post | null {
  const id = parseFullname('t3', readAttribute(page, node, 'data-fullname'));
  const title = readLineAt(page, 'a.title', node);
  if (id === null || title === null) return null;
  // A list does not show which posts are archived or removed.
  return { ...toOldPost(page, node, { id, title }), is_archived: null, is_removed: null };
}

/** Reads a post from its `shreddit-post` element, in a list or on its own; null for an element without id or title. */
export function readNewPost(page: ParsedPage, node: number): Post | null {
  const readPostAttribute = (name: string) => toLine(getAttribute(page.tree, node, name));
  const id = parseFullname('t3', readPostAttribute('id'));
  const title = readPostAttribute('post-title') ?? readLineAt(page, '[slot=title]', node);
  if (id === null || title === null) return null;
  const body = readRichText(page, selectFirst(page, '[slot=text-body] [property="schema:articleBody"]', node));
  const author = readAuthorName(readPostAttribute('author'));
  const type =
    POST_TYPES.find((known) => known === readPostAttribute('post-type')) ??
    (readPostAttribute('post-type') === 'gif' ? 'image' : null);
  const bare = createPost(id, title, toCleanUrl(readPostAttribute('permalink'), HOME) ?? `${HOME}/comments/${id}/`);
  const header = selectFirst(page, 'shreddit-subreddit-header');
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
            subscribers: header === 0 ? null : toInteger(getAttribute(page.tree, header, 'subscribers')),
          },
    created_at: toTimestamp(readPostAttribute('created-timestamp')),
    score: toInteger(readPostAttribute('score')),
    comment_count: toNatural(readPostAttribute('comment-count')),
    flair: readLineAt(page, 'shreddit-post-flair', node),
    type,
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    link_url: type === 'text' ? null : toCleanUrl(readPostAttribute('content-href'), HOME),
    domain: readPostAttribute('domain'),
    is_nsfw: getAttribute(page.tree, node, 'nsfw') !== null,
    is_spoiler: getAttribute(page.tree, node, 'spoiler') !== null,
    is_locked: getAttribute(page.tree, node, 'is-locked') !== null,
    is_stickied: getAttribute(page.tree, node, 'is-stickied') !== null,
    is_archived: getAttribute(page.tree, node, 'is-archived') !== null,
    award_count: toNatural(readPostAttribute('award-count')),
  };
}

export function findEntries(feed: XmlElement | null): readonly XmlElement[] {
  return (feed?.children ?? []).filter(({ name }) => name === 'entry');
}

export function toFeedPost(entry: XmlElement, { id, title }: { readonly id: string; readonly title: string }): Post {
  const body = parseRichText(readFeedText(entry, 'content') ?? '', HOME);
  const author = readFeedAuthor(entry);
  return {
    ...createPost(id, title, readFeedLink(entry) ?? `${HOME}/comments/${id}/`),
    author: author === null ? null : { name: author, id: null },
    created_at: toTimestamp(readFeedText(entry, 'published') ?? readFeedText(entry, 'updated')),
    text_html: body?.html ?? null,
    text: body?.text ?? null,
  };
}

/** Converts a comment of a feed. A feed does not distinguish replies from top-level comments, so the depth is null. */
export function toFeedComment(entry: XmlElement): Comment | null {
  const id = parseFullname('t1', readFeedText(entry, 'id'));
  if (id === null) return null;
  const body = parseRichText(readFeedText(entry, 'content') ?? '', HOME);
  return {
    ...createComment(id),
    depth: null,
    author: readFeedAuthor(entry),
    created_at: toTimestamp(readFeedText(entry, 'updated')),
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    permalink: readFeedLink(entry),
  };
}

function findChild(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

export function readFeedText(element: XmlElement, name: string): string | null {
  return toLine(findChild(element, name)?.text);
}

function readFeedAuthor(entry: XmlElement): string | null {
  return readAuthorName(toLine(findChild(findChild(entry, 'author'), 'name')?.text)?.replace(/^\/u\//, '') ?? null);
}

function readFeedLink(entry: XmlElement): string | null {
  return toCleanUrl(findChild(entry, 'link')?.attributes.get('href'), HOME);
}

/** Reads one post of a feed; null for another entry. */
export function readFeedPost(entry: XmlElement): Post | null {
  const id = parseFullname('t3', readFeedText(entry, 'id'));
  const title = readFeedText(entry, 'title');
  return id === null || title === null ? null : toFeedPost(entry, { id, title });
}
