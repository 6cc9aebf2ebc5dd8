import type { KnownVideo } from './player.ts';
import type { VideoRecord } from './video-record.ts';

/** A record of what was found, the most exact first; a later finding only fills what the earlier ones left open. */
export function toVideo(
  { id, base, source }: { readonly id: string; readonly base: string; readonly source: string },
  known: readonly KnownVideo[],
): VideoRecord {
  function pick<K extends keyof KnownVideo>(name: K): NonNullable<KnownVideo[K]> | null {
    for (const one of known) {
      const value = one[name];
      if (value !== null && value !== undefined) return value;
    }
    return null;
  }

  function ofChannel<K extends keyof VideoRecord['channel']>(name: K): NonNullable<VideoRecord['channel'][K]> | null {
    for (const { channel } of known) {
      const value = channel?.[name];
      if (value !== null && value !== undefined) return value;
    }
    return null;
  }

  const channelId = ofChannel('id');
  const url = new URL('/watch', base);
  url.searchParams.set('v', id);
  return {
    id,
    url: url.href,
    title: pick('title') ?? '',
    description: pick('description'),
    channel: {
      id: channelId,
      name: ofChannel('name'),
      handle: ofChannel('handle'),
      url: ofChannel('url') ?? (channelId === null ? null : new URL(`/channel/${channelId}`, base).href),
      avatar_url: ofChannel('avatar_url'),
      subscriber_count: ofChannel('subscriber_count'),
      subscriber_count_text: ofChannel('subscriber_count_text'),
      verified: ofChannel('verified'),
    },
    published_at: pick('published_at'),
    uploaded_at: pick('uploaded_at'),
    duration_ms: pick('duration_ms'),
    view_count: pick('view_count'),
    like_count: pick('like_count'),
    comment_count: pick('comment_count'),
    category: pick('category'),
    tags: pick('tags'),
    thumbnails: pick('thumbnails'),
    is_live: pick('is_live'),
    is_live_content: pick('is_live_content'),
    live: pick('live'),
    is_unlisted: pick('is_unlisted'),
    is_family_safe: pick('is_family_safe'),
    is_short: pick('is_short'),
    available_countries: pick('available_countries'),
    license: pick('license'),
    chapters: pick('chapters'),
    subtitles: pick('subtitles'),
    embeddable: pick('embeddable'),
    availability: pick('availability'),
    counts_approximate: COUNTS.some((name) => isRounded(known, name)),
    data_source: source,
  };
}

const COUNTS = ['view_count', 'like_count', 'comment_count', 'subscriber_count'] as const;

/** Whether the finding that a count is taken from had it shortened. */
function isRounded(known: readonly KnownVideo[], name: (typeof COUNTS)[number]): boolean {
  const from = known.find((one) => typeof (name === 'subscriber_count' ? one.channel?.[name] : one[name]) === 'number');
  return from?.rounded?.includes(name) === true;
}
