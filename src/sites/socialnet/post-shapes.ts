import { openGraph } from '#extract/dom/described.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { merged } from '#extract/json/search.ts';
import { isJsonObject } from '#kernel/json.ts';
import type { JsonObject } from '#kernel/json.ts';
import { at, line, list, moment, text, url } from '#extract/values/raw.ts';
import { videoOf } from './attachments.ts';
import { authorOf } from './author.ts';
import { statsOf } from './feedback.ts';
import { imageOf } from './media.ts';
import { permalinkAt } from './permalink.ts';
import type { FoundPost, PostPlace } from './post-place.ts';
import type { Post } from './post-record.ts';
import { SOCIAL_WEB } from './site.ts';

const NOTHING = {
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

/** A photo on its own page: the picture, and beside it what was written under it. */
export function photoIn({ page, wanted, feedback, address }: PostPlace): FoundPost | null {
  const shown = objectsWith(page, 'currMedia').map((one) => one['currMedia']);
  const own = shown.filter(isJsonObject).filter((one) => wanted.has(line(one['id']) ?? ''));
  const told = objectsWith(page, 'message_preferred_body', 'container_story');
  const about = told.filter((one) =>
    one['id'] === undefined ? told.length === 1 && own.length > 0 : wanted.has(line(one['id']) ?? ''),
  );
  const fragments = [...about, ...own];
  const raw = merged(fragments);
  const [id = null] = fragments.map((one) => line(one['id'])).filter((one) => one !== null);
  if (id === null) return null;
  const pictures = [at(raw, 'image'), at(raw, 'viewer_image'), list(raw['prefetch_uris_v2'])[0]];
  const [image] = pictures.flatMap((one) => imageOf(one, raw['accessibility_caption']) ?? []);
  const { counts_approximate: isApproximate, ...stats } = statsOf(feedback, [
    id,
    line(at(raw, 'container_story', 'post_id')) ?? id,
  ]);
  const post: Post = {
    ...NOTHING,
    id,
    url: address,
    text: text(at(raw, 'message_preferred_body', 'text')) ?? text(at(raw, 'message', 'text')),
    author: authorOf(raw['owner']),
    created_at: moment(raw['created_time']),
    type: 'photo',
    images: image === undefined ? [] : [image],
    stats: { ...stats, views: null },
    counts_approximate: isApproximate,
  };
  return { post, raw };
}

/** A reel on its own page; others follow it there. */
export function reelIn({ page, wanted, feedback, address }: PostPlace): FoundPost | null {
  const raw = objectsWith(page, 'short_form_video_context').find((one) => videoIds(one).some((id) => wanted.has(id)));
  if (raw === undefined) return null;
  const context = raw['short_form_video_context'];
  const [id = ''] = videoIds(raw).filter((one) => wanted.has(one));
  const { counts_approximate: isApproximate, ...stats } = statsOf(feedback, [line(raw['post_id']) ?? id, id]);
  const post: Post = {
    ...NOTHING,
    id,
    url: url(at(context, 'shareable_url'), SOCIAL_WEB) ?? address,
    text: text(at(raw, 'message', 'text')),
    author:
      authorOf(at(context, 'video_owner')) ??
      authorOf(at(context, 'playback_video', 'owner')) ??
      authorOf(list(raw['actors'])[0]),
    created_at: moment(raw['creation_time']),
    type: 'reel',
    video: videoOf(at(context, 'playback_video') ?? at(context, 'video')),
    stats,
    counts_approximate: isApproximate,
  };
  return { post, raw };
}

function videoIds(reel: JsonObject): readonly string[] {
  const context = reel['short_form_video_context'];
  return [at(context, 'playback_video', 'id'), at(context, 'video', 'id')].flatMap((one) => line(one) ?? []);
}

/** What a page tells those who share it. */
export function sharedAs({ page, wanted, address }: PostPlace): Post | null {
  const place = URL.parse(openGraph(page, 'og:url') ?? '', page.url);
  const link = place === null ? null : permalinkAt(`${place.pathname}${place.search}`);
  const said = openGraph(page, 'og:description') ?? openGraph(page, 'og:title');
  if (link?.id === undefined || link.id === null || !wanted.has(link.id) || said === null) return null;
  const image = imageOf({ uri: openGraph(page, 'og:image') }, openGraph(page, 'og:image:alt'));
  return {
    ...NOTHING,
    id: link.id,
    url: address,
    text: said,
    type: link.kind === 'group' || link.kind === 'share' ? 'post' : link.kind,
    images: image === null ? [] : [image],
  };
}
