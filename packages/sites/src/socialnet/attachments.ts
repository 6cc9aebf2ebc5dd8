import { findObjects } from '#extract/json/search.ts';
import { first } from '#extract/values/first.ts';
import { at, integer, line, list, mediaUrl, seconds, url } from '#extract/values/raw.ts';
import { imageOf } from './media.ts';
import type { ShownImage } from './media.ts';
import { authorOf } from './author.ts';
import type { Author, Post } from './post-record.ts';
import { SOCIAL_WEB } from './site.ts';

/** What hangs on a post. */
type Attached = Pick<Post, 'images' | 'video' | 'link'> & {
  /** What it makes of the post. */
  readonly kind: Exclude<Post['type'], 'share'>;
  /** The numbers of its pictures and videos. */
  readonly ids: readonly string[];
  /** Whose the video is. */
  readonly owner: Author | null;
};

/** The pictures, the video and the link of a post's attachments. */
export function attachedOf(attachments: unknown): Attached {
  const drawn = list(attachments).map((one) => at(one, 'styles', 'attachment') ?? one);
  const media = drawn.flatMap(mediaOf);
  const video = media.find(isVideo);
  const link = drawn.map(linkOf).find((one) => one !== null) ?? null;
  const images = media.filter((one) => !isVideo(one)).flatMap((one) => pictureOf(one) ?? []);
  const targets = list(attachments).map((one) => line(at(one, 'target', '__typename')));
  return {
    images,
    video: video === undefined ? null : videoOf(video),
    link,
    kind: kindOf({ video, link, images, isEvent: targets.includes('Event') }),
    ids: media.flatMap((one) => line(at(one, 'id')) ?? []),
    owner: authorOf(at(video, 'owner')),
  };
}

type Shape = Pick<Post, 'images' | 'link'> & { readonly video: unknown; readonly isEvent: boolean };

function kindOf({ video, link, images, isEvent }: Shape): Attached['kind'] {
  if (isEvent) return 'event';
  if (video !== undefined)
    return line(at(video, 'url') ?? at(video, 'permalink_url'))?.includes('/reel/') ? 'reel' : 'video';
  return link !== null ? 'link' : images.length > 0 ? 'photo' : 'post';
}

/** The one picture or video of an attachment, or all of an album: of its lists the longest. */
function mediaOf(attachment: unknown): readonly unknown[] {
  const album = Object.entries(Object(attachment))
    .filter(([name]) => name.endsWith('subattachments'))
    .map(([, value]) => list(at(value, 'nodes')))
    .toSorted((one, other) => other.length - one.length)[0];
  const nodes = album?.map((one) => at(one, 'media')) ?? [];
  const one = at(attachment, 'media');
  return (nodes.length > 0 ? nodes : [one]).filter((each) => each !== undefined);
}

function isVideo(media: unknown): boolean {
  return line(at(media, '__typename')) === 'Video' || at(media, 'playable_duration_in_ms') !== undefined;
}

function pictureOf(media: unknown): ShownImage | null {
  const picture = ['viewer_image', 'photo_image', 'large_share_image', 'image'].map((name) => at(media, name));
  const [prefetched] = list(at(media, 'prefetch_uris_v2'));
  return first(...[...picture, prefetched].map((one) => () => imageOf(one, at(media, 'accessibility_caption'))));
}

/** A video by the best address that its page gives. */
export function videoOf(media: unknown): NonNullable<Post['video']> {
  const progressive = findObjects(at(media, 'videoDeliveryResponseFragment'), (one) =>
    Object.hasOwn(one, 'progressive_url'),
  );
  const legacy = at(media, 'videoDeliveryLegacyFields') ?? media;
  const addresses = [
    ...progressive.map((one) => one['progressive_url']).toReversed(),
    ...['browser_native_hd_url', 'browser_native_sd_url', 'playable_url_quality_hd', 'playable_url'].map((name) =>
      at(legacy, name),
    ),
  ];
  const length = integer(at(media, 'playable_duration_in_ms')) ?? seconds(at(media, 'length_in_second'));
  return {
    url: first(...addresses.map((one) => () => mediaUrl(one, SOCIAL_WEB))),
    thumbnail_url: mediaUrl(
      at(media, 'preferred_thumbnail', 'image', 'uri') ??
        at(media, 'thumbnailImage', 'uri') ??
        at(media, 'image', 'uri'),
      SOCIAL_WEB,
    ),
    duration_ms: length === null || length < 0 ? null : length,
  };
}

/** A link to another site. */
function linkOf(attachment: unknown): Post['link'] {
  const address = url(
    at(attachment, 'story_attachment_link_renderer', 'attachment', 'web_link', 'url') ??
      at(attachment, 'target', 'external_url') ??
      at(attachment, 'web_link', 'url') ??
      at(attachment, 'url'),
    SOCIAL_WEB,
  );
  if (address === null || /(?:^|\.)facebook\.com$/.test(new URL(address).hostname)) return null;
  return { url: address, title: line(at(attachment, 'title_with_entities', 'text')) };
}
