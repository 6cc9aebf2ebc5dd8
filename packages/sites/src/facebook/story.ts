import { z } from 'zod';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { findObjects, findObjectsWith } from '#extract/json/find-objects.ts';
import type { Count } from '#extract/values/numbers.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import {
  getPath,
  toCount,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  secondsToMs,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { parseProfilePath } from './addresses.ts';
import { Image, parseImage } from './shared.ts';
import { parseSiteUrl, HOME } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Author = z.object({ id: Text, name: z.string(), url: Text, username: Text });

export type Author = z.input<typeof Author>;

/** The post that another post shares, without its counts. */
const SharedPost = z.object({
  id: Text,
  url: Text,
  text: Text,
  author: Author.nullable(),
  created_at: Text,
  images: z.array(Image).readonly(),
});

export const Post = z.object({
  id: z.string(),
  url: z.string(),
  text: Text,
  author: Author.nullable(),
  created_at: Text,
  type: z.enum(['post', 'photo', 'video', 'reel', 'event', 'share', 'link']),
  images: z.array(Image).readonly(),
  video: z.object({ url: Text, thumbnail_url: Text, duration_ms: Count }).nullable(),
  link: z.object({ url: z.string(), title: Text }).nullable(),
  shared_post: SharedPost.nullable(),
  stats: z.object({ reactions: Count, comments: Count, shares: Count, views: Count.describe('Only of a video') }),
  pinned: z.boolean().nullable().describe('Whether it is pinned to the top of its page; null if unknown'),
  counts_approximate: z.boolean(),
});

export type Post = z.input<typeof Post>;

/** A post with the fields that only its own page has. */
export const SinglePost = Post.extend({
  group: z.object({ id: Text, name: Text, url: Text }).nullable().describe('The group in which it was posted'),
  top_comments: z
    .array(z.object({ author_name: Text, text: z.string() }))
    .readonly()
    .nullable()
    .describe('The comments that the page shows; null if it shows none'),
});

export type SinglePost = z.input<typeof SinglePost>;

/** A post without any data. */
export const EMPTY_POST = {
  text: null,
  author: null,
  created_at: null,
  images: [],
  video: null,
  link: null,
  shared_post: null,
  stats: { reactions: null, comments: null, shares: null, views: null },
  pinned: null,
  counts_approximate: false,
} as const;

/** A parsed post, with its ids: its own, and those of its attachments. */
type ParsedStory = { readonly post: Post; readonly ids: readonly string[] };

type StoryContext = {
  readonly feedback: Feedback;
  /** Whether the post is pinned, which the list that contains the story reports. */
  readonly pinned: boolean | null;
  /** The id and address to use if the story has none. */
  readonly fallback?: { readonly id: string; readonly url: string };
};

/** Parses a story, with its counts. Null if it has no id or address. */
export function readStory(story: JsonObject, { feedback, pinned, fallback }: StoryContext): ParsedStory | null {
  const content = findContent(story);
  const fields = parseStoryFields(story, content);
  const [id, address] = [fields.id ?? fallback?.id, fields.url ?? fallback?.url];
  if (id === undefined || address === undefined) return null;
  const shared = getPath(content, 'attached_story') ?? getPath(story, 'attached_story');
  const attached = parseAttachments(dropEmptyList(getPath(content, 'attachments')) ?? getPath(story, 'attachments'));
  const isShare = getPath(shared, 'actors') !== undefined || findContent(shared) !== shared;
  const numbers = [id, ...attached.ids];
  const { counts_approximate: isApproximate, ...stats } = findStats(feedback, numbers);
  const { images, video, link, kind } = attached;
  const post: Post = {
    ...fields,
    id,
    url: address,
    author: fields.author ?? attached.owner,
    type: isShare ? 'share' : kind,
    images,
    video,
    link,
    shared_post: isShare ? parseSharedPost(shared) : null,
    stats: video === null ? { ...stats, views: null } : stats,
    pinned,
    counts_approximate: isApproximate,
  };
  return { post, ids: numbers };
}

/** Finds the object with the content of a story. */
function findContent(story: unknown): unknown {
  return getPath(story, 'comet_sections', 'content', 'story') ?? story;
}

function parseStoryFields(story: unknown, content: unknown) {
  const address =
    getPath(content, 'wwwURL') ?? getPath(story, 'wwwURL') ?? getPath(story, 'permalink_url') ?? getPath(story, 'url');
  const [dated] = findObjectsWith(
    getPath(story, 'comet_sections', 'context_layout') ?? getPath(content, 'comet_sections', 'context_layout'),
    'creation_time',
  );
  return {
    id: toLine(getPath(story, 'post_id')) ?? toLine(getPath(content, 'post_id')) ?? findTargetId(story),
    url: parseSiteUrl(address),
    text: findMessage(story, content),
    author: parseAuthor(toArray(getPath(content, 'actors'))[0] ?? toArray(getPath(story, 'actors'))[0]),
    created_at:
      toTimestamp(getPath(story, 'creation_time')) ??
      toTimestamp(getPath(content, 'creation_time')) ??
      toTimestamp(dated?.['creation_time']),
  };
}

/** Finds the id of the story in its feedback. */
function findTargetId(story: unknown): string | null {
  const [target] = findObjectsWith(getPath(story, 'comet_sections', 'feedback'), 'subscription_target_id');
  return toLine(target?.['subscription_target_id']);
}

function findMessage(story: unknown, content: unknown): string | null {
  const sections = getPath(content, 'comet_sections');
  return (
    toText(getPath(sections, 'message', 'story', 'message', 'text')) ??
    toText(getPath(sections, 'message_container', 'story', 'message', 'text')) ??
    toText(getPath(content, 'message', 'text')) ??
    toText(getPath(story, 'message', 'text'))
  );
}

function parseSharedPost(story: unknown): Post['shared_post'] {
  if (!isJsonObject(story)) return null;
  const content = findContent(story);
  const { images } = parseAttachments(dropEmptyList(getPath(content, 'attachments')) ?? getPath(story, 'attachments'));
  return { ...parseStoryFields(story, content), images };
}

function dropEmptyList(raw: unknown): unknown {
  return toArray(raw).length > 0 ? raw : undefined;
}

/** The attachments of a post. */
type Attachments = Pick<Post, 'images' | 'video' | 'link'> & {
  /** The kind of post that the attachments imply. */
  readonly kind: Exclude<Post['type'], 'share'>;
  /** The ids of the pictures and videos. */
  readonly ids: readonly string[];
  /** The owner of the video. */
  readonly owner: Author | null;
};

/** Parses the pictures, the video and the link of a post. */
export function parseAttachments(attachments: unknown): Attachments {
  const drawn = toArray(attachments).map((one) => getPath(one, 'styles', 'attachment') ?? one);
  const media = drawn.flatMap(listMedia);
  const video = media.find(isVideo);
  const link = drawn.map(parseLink).find((one) => one !== null) ?? null;
  const images = media.filter((one) => !isVideo(one)).flatMap((one) => parsePicture(one) ?? []);
  const targets = toArray(attachments).map((one) => toLine(getPath(one, 'target', '__typename')));
  return {
    images,
    video: video === undefined ? null : parseVideo(video),
    link,
    kind: classifyAttachments({ video, link, images, isEvent: targets.includes('Event') }),
    ids: media.flatMap((one) => toLine(getPath(one, 'id')) ?? []),
    owner: parseAuthor(getPath(video, 'owner')),
  };
}

type AttachmentParts = Pick<Post, 'images' | 'link'> & { readonly video: unknown; readonly isEvent: boolean };

function classifyAttachments({ video, link, images, isEvent }: AttachmentParts): Attachments['kind'] {
  if (isEvent) return 'event';
  if (video !== undefined)
    return toLine(getPath(video, 'url') ?? getPath(video, 'permalink_url'))?.includes('/reel/') ? 'reel' : 'video';
  return link !== null ? 'link' : images.length > 0 ? 'photo' : 'post';
}

/** Lists the picture or video of an attachment, or those of an album, which are in the longest of its lists. */
function listMedia(attachment: unknown): readonly unknown[] {
  const album = Object.entries(Object(attachment))
    .filter(([name]) => name.endsWith('subattachments'))
    .map(([, value]) => toArray(getPath(value, 'nodes')))
    .toSorted((one, other) => other.length - one.length)[0];
  const nodes = album?.map((one) => getPath(one, 'media')) ?? [];
  const media = getPath(attachment, 'media');
  return (nodes.length > 0 ? nodes : [media]).filter((each) => each !== undefined);
}

function isVideo(media: unknown): boolean {
  return toLine(getPath(media, '__typename')) === 'Video' || getPath(media, 'playable_duration_in_ms') !== undefined;
}

function parsePicture(media: unknown): Image | null {
  const picture = ['viewer_image', 'photo_image', 'large_share_image', 'image'].map((name) => getPath(media, name));
  const [prefetched] = toArray(getPath(media, 'prefetch_uris_v2'));
  return findFirstValue(
    ...[...picture, prefetched].map((one) => () => parseImage(one, getPath(media, 'accessibility_caption'))),
  );
}

/** Parses a video. Of its addresses, the one with the best quality is used. */
export function parseVideo(media: unknown): NonNullable<Post['video']> {
  const progressive = findObjects(getPath(media, 'videoDeliveryResponseFragment'), (one) =>
    Object.hasOwn(one, 'progressive_url'),
  );
  const legacy = getPath(media, 'videoDeliveryLegacyFields') ?? media;
  const addresses = [
    ...progressive.map((one) => one['progressive_url']).toReversed(),
    ...['browser_native_hd_url', 'browser_native_sd_url', 'playable_url_quality_hd', 'playable_url'].map((name) =>
      getPath(legacy, name),
    ),
  ];
  const length =
    toInteger(getPath(media, 'playable_duration_in_ms')) ?? secondsToMs(getPath(media, 'length_in_second'));
  return {
    url: findFirstValue(...addresses.map((one) => () => toMediaUrl(one, HOME))),
    thumbnail_url: toMediaUrl(
      getPath(media, 'preferred_thumbnail', 'image', 'uri') ??
        getPath(media, 'thumbnailImage', 'uri') ??
        getPath(media, 'image', 'uri'),
      HOME,
    ),
    duration_ms: length === null || length < 0 ? null : length,
  };
}

/** Parses a link to another site. */
function parseLink(attachment: unknown): Post['link'] {
  const address = toCleanUrl(
    getPath(attachment, 'story_attachment_link_renderer', 'attachment', 'web_link', 'url') ??
      getPath(attachment, 'target', 'external_url') ??
      getPath(attachment, 'web_link', 'url') ??
      getPath(attachment, 'url'),
    HOME,
  );
  if (address === null || /(?:^|\.)facebook\.com$/.test(new URL(address).hostname)) return null;
  return { url: address, title: toLine(getPath(attachment, 'title_with_entities', 'text')) };
}

/** Parses an author. Null if there is no name. */
export function parseAuthor(raw: unknown): Author | null {
  const name = toLine(getPath(raw, 'name'));
  if (name === null) return null;
  const address = parseSiteUrl(getPath(raw, 'url') ?? getPath(raw, 'profile_url'));
  const profile = address === null ? null : parseProfilePath(address.slice(new URL(address).origin.length));
  return {
    id: toLine(getPath(raw, 'id')),
    name,
    url: address,
    username: profile !== null && 'name' in profile ? profile.name : null,
  };
}

/** Members that only objects with counts have. */
const FEEDBACK_MEMBERS = [
  'i18n_reaction_count',
  'reaction_count',
  'comment_rendering_instance',
  'total_comment_count',
  'share_count',
  'video_view_count',
  'share_count_reduced',
  'likers',
  'reactors',
] as const;

/** The objects with counts, by the ids of their posts. */
export type Feedback = ReadonlyMap<string, readonly JsonObject[]>;

/** Indexes all objects with counts of a page. They may be outside the data of their post. */
export function indexFeedback(page: ParsedPage): Feedback {
  const known = new Map<string, JsonObject[]>();
  for (const feedback of new Set(FEEDBACK_MEMBERS.flatMap((name) => listObjectsWith(page, name)))) {
    const target = toLine(feedback['subscription_target_id']) ?? toLine(feedback['share_fbid']);
    const reel = /\/reel\/(\d{5,25})\b/.exec(toLine(feedback['url']) ?? '')?.[1] ?? null;
    for (const id of new Set([target, toLine(feedback['id']), reel])) {
      if (id === null) continue;
      const others = known.get(id);
      if (others === undefined) known.set(id, [feedback]);
      else others.push(feedback);
    }
  }
  return known;
}

/** Finds the counts of a post by the first indexed id, either plain or as base64 of `feedback:` and the id. */
export function findStats(feedback: Feedback, ids: readonly string[]) {
  const known =
    ids
      .map((id) => [
        ...(feedback.get(id) ?? []),
        ...(feedback.get(Buffer.from(`feedback:${id}`).toString('base64')) ?? []),
      ])
      .find((one) => one.length > 0) ?? [];
  const reactions = findCount(
    known,
    (one) =>
      getPath(one, 'reaction_count', 'count') ??
      one['i18n_reaction_count'] ??
      getPath(one, 'likers', 'count') ??
      getPath(one, 'reactors', 'count'),
  );
  const comments = findCount(
    known,
    (one) =>
      getPath(one, 'comment_rendering_instance', 'comments', 'total_count') ??
      one['total_comment_count'] ??
      getPath(one, 'comment_count', 'total_count'),
  );
  const shares = findCount(
    known,
    (one) => getPath(one, 'share_count', 'count') ?? one['i18n_share_count'] ?? one['share_count_reduced'],
  );
  const views = findCount(known, (one) => one['video_view_count'] ?? one['play_count_reduced']);
  return {
    reactions: reactions?.value ?? null,
    comments: comments?.value ?? null,
    shares: shares?.value ?? null,
    views: views?.value ?? null,
    counts_approximate: [reactions, comments, shares].some((one) => one?.approximate === true),
  };
}

/** Finds the first exact count, else the first count. */
function findCount(known: readonly JsonObject[], pick: (one: JsonObject) => unknown): Count | null {
  const counts = known.flatMap((one) => toCount(pick(one), 'en-US') ?? []);
  return counts.find(({ approximate }) => !approximate) ?? counts[0] ?? null;
}
