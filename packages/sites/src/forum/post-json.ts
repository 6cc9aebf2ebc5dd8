import { notHere, unusable } from '#sites/framework/answers.ts';
import { readRich } from '#extract/dom/elements.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { tryParse } from '#extract/values/json.ts';
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
import {
  authorName,
  bareComment,
  barePost,
  type Comment,
  idOfFullname,
  type ForumPost,
  type PostType,
} from './fields.ts';
import { type JsonCall, jsonSources } from './json-sources.ts';
import { WEB } from './site.ts';
import { idOfUrl, postPathOf, type PostInput, type PostPage, sortOf, wantedOf } from './post-input.ts';

/** A post and its comments; a shared link leads to it by its page. */
export const postJson = jsonSources<PostInput, PostPage>({
  first(input, site) {
    const wanted = wantedOf(input, site);
    return 'share' in wanted ? { page: wanted.share } : askFor(input, wanted.id);
  },
  read(call) {
    const { input, site, kept, url: address, ask } = call;
    if (kept !== undefined || !('share' in wantedOf(input, site))) return readPost(call);
    const id = idOfUrl(address);
    return id === null ? notHere('the shared link leads to no post') : ask(askFor(input, id), id);
  },
});

function askFor(input: PostInput, id: string) {
  return { path: postPathOf(input, id), query: { limit: input.comment_limit, depth: 1, sort: sortOf(input) } };
}

function readPost({ body, input, site, kept }: JsonCall<PostInput>) {
  const raw = tryParse(body);
  const wanted = wantedOf(input, site);
  const data = at(raw, 0, 'data', 'children', 0, 'data');
  const id = line(at(data, 'id'));
  const title = line(at(data, 'title'));
  if (id === null || title === null) return unusable('no post in the answer');
  if (id !== ('id' in wanted ? wanted.id : kept)) return unusable(`another post: ${id}`);
  const children = list(at(raw, 1, 'data', 'children'));
  const comments = children
    .filter((child) => at(child, 'kind') === 't1')
    .map((child) => toApiComment(at(child, 'data')));
  const known = comments.filter((comment) => comment !== null);
  const total = integer(at(data, 'num_comments')) ?? 0;
  if (total > 0 && children.length === 0) return unusable('comments are counted and none is there');
  return {
    post: toApiPost(data, { id, title }),
    comments: known.slice(0, input.comment_limit),
    comments_truncated: known.length > input.comment_limit || children.some((child) => at(child, 'kind') === 'more'),
  };
}

/** A post as the interface gives it, in a list or alone. */
export function toApiPost(data: unknown, { id, title }: { readonly id: string; readonly title: string }): ForumPost {
  const address = url(at(data, 'permalink'), WEB) ?? WEB;
  const body = readRich(text(at(data, 'selftext_html')) ?? '', WEB);
  const author = authorName(line(at(data, 'author')));
  const name = line(at(data, 'subreddit'));
  const type = typeOf(data);
  return {
    ...barePost(id, title, address),
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
    link_url: type === 'text' ? null : url(at(data, 'url'), WEB),
    domain: line(at(data, 'domain')),
    media: mediaOf(data),
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

function typeOf(data: unknown): PostType {
  if (line(at(data, 'crosspost_parent')) !== null) return 'crosspost';
  if (isJsonObject(at(data, 'poll_data'))) return 'poll';
  if (at(data, 'is_self') === true) return 'text';
  if (at(data, 'is_gallery') === true) return 'gallery';
  if (at(data, 'is_video') === true) return 'video';
  const hint = line(at(data, 'post_hint'));
  return hint === 'image' ? 'image' : hint?.endsWith(':video') === true ? 'video' : 'link';
}

type Media = NonNullable<ForumPost['media']>[number];

function mediaOf(data: unknown): readonly Media[] {
  const video = at(data, 'media', 'reddit_video');
  const gallery = list(at(data, 'gallery_data', 'items')).map((item) =>
    at(data, 'media_metadata', line(at(item, 'media_id')) ?? '', 's'),
  );
  const found = [
    toMedia('video', [at(video, 'fallback_url'), at(video, 'width'), at(video, 'height')]),
    ...gallery.map((one) => toMedia('image', [at(one, 'u') ?? at(one, 'gif'), at(one, 'x'), at(one, 'y')])),
    typeOf(data) === 'image' ? previewOf(data) : null,
  ];
  return found.filter((one) => one !== null);
}

function previewOf(data: unknown): Media | null {
  const source = at(data, 'preview', 'images', 0, 'source');
  return toMedia('image', [at(data, 'url') ?? at(source, 'url'), at(source, 'width'), at(source, 'height')]);
}

function toMedia(type: Media['type'], [address, width, height]: readonly unknown[]): Media | null {
  const found = mediaUrl(address, WEB);
  return found === null ? null : { type, url: found, width: integer(width), height: integer(height) };
}

/** A comment as the interface gives it. */
export function toApiComment(data: unknown): Comment | null {
  const id = line(at(data, 'id'));
  if (id === null) return null;
  const isHidden = boolean(at(data, 'score_hidden'));
  const children = list(at(data, 'replies', 'data', 'children'));
  const replies = children.map((child) =>
    at(child, 'kind') === 't1' ? 1 : list(at(child, 'data', 'children')).length,
  );
  return {
    ...bareComment(id),
    author: authorName(line(at(data, 'author'))),
    created_at: moment(at(data, 'created_utc')),
    edited_at: moment(at(data, 'edited')),
    score: isHidden === true ? null : integer(at(data, 'score')),
    score_hidden: isHidden,
    text_html: readRich(text(at(data, 'body_html')) ?? '', WEB)?.html ?? null,
    text: text(at(data, 'body')),
    permalink: url(
      at(data, 'permalink') ?? `/comments/${idOfFullname('t3', line(at(data, 'link_id'))) ?? ''}/_/${id}/`,
      WEB,
    ),
    reply_count: replies.reduce((sum, count) => sum + count, 0),
    is_op: boolean(at(data, 'is_submitter')),
    is_stickied: boolean(at(data, 'stickied')),
    distinguished: line(at(data, 'distinguished')),
  };
}
