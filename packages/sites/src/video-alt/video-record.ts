import { z } from 'zod';
import { videoAddressOf } from './address.ts';
import { VIDEO_ALT_HOME } from './site.ts';
import { VideoSummary } from './summary-record.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

export const AltVideo = VideoSummary.extend({
  embed_id: Text,
  embed_url: Text,
  video_numeric_id: Text,
  description_html: Text,
  description_text: Text,
  category: Text,
  tags: z.array(z.string()).readonly().nullable(),
  uploaded_at: Text,
  width: Count,
  height: Count,
  quality_text: Text,
  license: Text,
  subtitles: z
    .array(z.object({ language_code: z.string(), name: Text, url: z.string() }))
    .readonly()
    .nullable(),
  live: z.object({ status: z.enum(['live', 'upcoming', 'ended']), viewers: Count, scheduled_at: Text }).nullable(),
  streams_available: z.boolean().nullable().describe('Whether the player is given streams'),
});

export type AltVideo = z.output<typeof AltVideo>;

export const AltVideoAnswer = z.object({ video: AltVideo });

/** A partial record of a video; members that are left out are unknown. */
export type KnownAltVideo = Partial<AltVideo>;

/** One record of what several answers say, the first that says something before the rest; null without address or title. */
export function toAltVideo(known: readonly KnownAltVideo[]): AltVideo | null {
  const first = <Name extends keyof AltVideo>(name: Name): AltVideo[Name] | null =>
    known.find((one) => one[name] !== null && one[name] !== undefined)?.[name] ?? null;
  const url = first('url');
  const title = first('title');
  const address = videoAddressOf(URL.parse(url ?? '')?.pathname ?? '');
  const embedId = first('embed_id');
  const [type, id] =
    address === null || address.kind === 'embed' ? [first('type'), first('id')] : [address.kind, address.id];
  if (url === null || title === null || id === null) return null;
  const length = first('duration_ms');
  return {
    type: type ?? 'video',
    id,
    url,
    title,
    channel: first('channel'),
    thumbnail_url: first('thumbnail_url'),
    // Of a broadcast that goes on it is 0.
    duration_ms: length === 0 ? null : length,
    duration_text: first('duration_text'),
    view_count: first('view_count'),
    like_count: first('like_count'),
    dislike_count: first('dislike_count'),
    comment_count: first('comment_count'),
    published_at: first('published_at'),
    published_text: first('published_text'),
    is_live: first('is_live'),
    earned_amount: first('earned_amount'),
    counts_approximate: first('counts_approximate') ?? false,
    embed_id: embedId,
    embed_url: first('embed_url') ?? (embedId === null ? null : `${VIDEO_ALT_HOME}/embed/${embedId}/`),
    video_numeric_id: first('video_numeric_id'),
    description_html: first('description_html'),
    description_text: first('description_text'),
    category: first('category'),
    tags: first('tags'),
    uploaded_at: first('uploaded_at'),
    width: first('width'),
    height: first('height'),
    quality_text: first('quality_text'),
    license: first('license'),
    subtitles: first('subtitles'),
    live: first('live'),
    streams_available: first('streams_available'),
  };
}
