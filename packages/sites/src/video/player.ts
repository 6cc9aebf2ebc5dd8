import {
  at,
  boolean,
  integer,
  line,
  list,
  mediaUrl,
  moment,
  natural,
  seconds,
  text,
  url,
} from '#extract/values/raw.ts';
import { availabilityOf, wording } from './playability.ts';
import type { VideoRecord } from './video-record.ts';

/** A partial record of a video; members that are left out are unknown. */
export type KnownVideo = Partial<Omit<VideoRecord, 'channel'>> & {
  readonly channel?: Partial<VideoRecord['channel']>;
  /** The counts that the page shows shortened. */
  readonly rounded?: readonly string[];
};

type PlayerContext = { readonly id: string; readonly country: string; readonly base: string };

/** The video of a player response; null when it is another video, or none. */
export function fromPlayer(player: unknown, { id, country, base }: PlayerContext): KnownVideo | null {
  const details = at(player, 'videoDetails');
  const facts = at(player, 'microformat', 'playerMicroformatRenderer');
  const shown = at(details, 'videoId') ?? at(facts, 'externalVideoId');
  // The title of the microformat may be in another language than the one that was asked for.
  const title = line(at(details, 'title')) ?? wording(at(facts, 'title'));
  if (shown !== id || title === null) return null;
  const isLive = boolean(at(details, 'isLive')) ?? boolean(at(facts, 'liveBroadcastDetails', 'isLiveNow'));
  const owner = url(at(facts, 'ownerProfileUrl'), base)?.replace(/^http:/, 'https:') ?? null;
  const length = seconds(at(details, 'lengthSeconds') ?? at(facts, 'lengthSeconds'));
  const canonical = line(at(facts, 'canonicalUrl'));
  return {
    title,
    description: text(at(details, 'shortDescription')) ?? text(at(facts, 'description', 'simpleText')),
    channel: {
      id: line(at(details, 'channelId')) ?? line(at(facts, 'externalChannelId')),
      name: line(at(details, 'author')) ?? line(at(facts, 'ownerChannelName')),
      handle: /\/(@[^/?#]+)$/.exec(owner ?? '')?.[1] ?? null,
      url: owner,
    },
    published_at: moment(at(facts, 'publishDate')),
    uploaded_at: moment(at(facts, 'uploadDate')),
    // Of a broadcast that goes on it is 0.
    duration_ms: length === 0 ? null : length,
    view_count: natural(at(details, 'viewCount') ?? at(facts, 'viewCount')),
    like_count: natural(at(facts, 'likeCount')),
    category: line(at(facts, 'category')),
    tags: details === undefined ? null : list(at(details, 'keywords')).flatMap((word) => line(word) ?? []),
    thumbnails: thumbnailsOf(at(details, 'thumbnail') ?? at(facts, 'thumbnail'), base),
    // Of a finished or ordinary video the member is left out.
    is_live: isLive ?? (details === undefined ? null : false),
    is_live_content: boolean(at(details, 'isLiveContent')),
    live: liveOf(player),
    is_unlisted: boolean(at(facts, 'isUnlisted')),
    is_family_safe: boolean(at(facts, 'isFamilySafe')),
    is_short: canonical === null ? null : canonical.includes('/shorts/'),
    available_countries: countriesOf(facts),
    subtitles: subtitlesOf(player),
    embeddable: boolean(at(player, 'playabilityStatus', 'playableInEmbed')),
    availability: availabilityOf(player, country),
  };
}

function countriesOf(facts: unknown): readonly string[] | null {
  const found = at(facts, 'availableCountries');
  return Array.isArray(found) ? found.flatMap((one) => line(one) ?? []) : null;
}

function liveOf(player: unknown): VideoRecord['live'] {
  const facts = at(player, 'microformat', 'playerMicroformatRenderer', 'liveBroadcastDetails');
  const slate = at(player, 'playabilityStatus', 'liveStreamability', 'liveStreamabilityRenderer', 'offlineSlate');
  const planned = moment(at(slate, 'liveStreamOfflineSlateRenderer', 'scheduledStartTime'));
  if (facts === undefined && planned === null) return null;
  const start = moment(at(facts, 'startTimestamp'));
  return planned === null
    ? { started_at: start, ended_at: moment(at(facts, 'endTimestamp')), scheduled_at: null }
    : { started_at: null, ended_at: null, scheduled_at: planned };
}

function subtitlesOf(player: unknown): VideoRecord['subtitles'] {
  // A player that cannot play the video does not say.
  if (at(player, 'playabilityStatus', 'status') !== 'OK') return null;
  const tracks = list(at(player, 'captions', 'playerCaptionsTracklistRenderer', 'captionTracks'));
  return tracks.flatMap((track) => {
    const code = line(at(track, 'languageCode'));
    if (code === null) return [];
    const origin = at(track, 'kind') === 'asr' ? ('auto_generated' as const) : ('uploader_provided' as const);
    return [{ language_code: code, name: wording(at(track, 'name')), origin }];
  });
}

/** The pictures of a video or a channel, as the site offers them. */
export function thumbnailsOf(raw: unknown, base: string): NonNullable<VideoRecord['thumbnails']> {
  return list(at(raw, 'thumbnails')).flatMap((one) => {
    const address = mediaUrl(at(one, 'url'), base);
    return address === null
      ? []
      : [{ url: address, width: integer(at(one, 'width')), height: integer(at(one, 'height')) }];
  });
}
