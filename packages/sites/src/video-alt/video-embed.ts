import { isJsonObject } from '#extract/values/json-object.ts';
import { at, integer, line, list, mediaUrl, moment, seconds } from '#extract/values/raw.ts';
import { addressOf, channelOf, linkedPath, plainLine } from './address.ts';
import { VIDEO_ALT_HOME } from './site.ts';
import type { AltVideo, KnownAltVideo } from './video-record.ts';

/** What a video's live state is by its number. */
const LIVE = ['ended', 'upcoming', 'live'] as const;

/** What the player is told of a video; null for another video, or none. */
export function fromEmbed(raw: unknown, embedId: string): KnownAltVideo | null {
  const title = plainLine(at(raw, 'title'));
  // The addresses that it counts views by name the video.
  const counted = line(at(raw, 'evt', 'v'));
  if (title === null || (counted !== null && !counted.includes(`.${embedId.slice(1)}.`))) return null;
  const height = integer(at(raw, 'h'));
  const streams = [...Object.keys(objectAt(raw, 'u')), ...Object.keys(objectAt(raw, 'ua'))];
  const state = integer(at(raw, 'live'));
  const hasBeenLive = at(raw, 'livestream_has_dvr') !== null && at(raw, 'livestream_has_dvr') !== undefined;
  return {
    url: addressOf(line(at(raw, 'l'))) ?? `${VIDEO_ALT_HOME}/embed/${embedId}/`,
    title,
    channel: channelOf(linkedPath(line(at(raw, 'author', 'url'))), {
      name: plainLine(at(raw, 'author', 'name')),
      verified: null,
    }),
    thumbnail_url: mediaUrl(at(raw, 'i') ?? at(raw, 't', 0, 'i'), VIDEO_ALT_HOME),
    duration_ms: seconds(at(raw, 'duration')),
    published_at: moment(at(raw, 'pubDate')),
    is_live: state === null ? null : state === 2,
    embed_id: embedId,
    video_numeric_id: integer(at(raw, 'vid')) === null ? null : line(at(raw, 'vid')),
    width: integer(at(raw, 'w')),
    height,
    quality_text: height === null || height === 0 ? null : `${height}p`,
    subtitles: subtitlesOf(at(raw, 'cc')),
    live: state === null || (state === 0 && !hasBeenLive) ? null : liveOf(state, null, null),
    streams_available: streams.length > 0,
  };
}

/** How a broadcast does: the answer of the site's counter of viewers; null for that of another video. */
export function fromCounter(raw: unknown, numericId: string | null): KnownAltVideo | null {
  const data = at(raw, 'data');
  const state = integer(at(data, 'livestream_status'));
  if (state === null || line(at(data, 'video_id')) !== numericId) return null;
  const viewers = integer(at(data, 'num_watching_now')) ?? integer(at(data, 'viewer_count'));
  const live = liveOf(state, viewers, moment(at(data, 'scheduled_on_ts')));
  return live === null ? null : { live, is_live: live.status === 'live' };
}

function liveOf(state: number, viewers: number | null, scheduled: string | null): AltVideo['live'] {
  const status = LIVE[state];
  return status === undefined ? null : { status, viewers, scheduled_at: scheduled };
}

/** By their languages; of none it is a list. */
function subtitlesOf(raw: unknown): KnownAltVideo['subtitles'] {
  if (Array.isArray(raw)) return list(raw).length === 0 ? [] : null;
  if (!isJsonObject(raw)) return null;
  return Object.entries(raw).flatMap(([code, one]) => {
    const found = mediaUrl(at(one, 'path'), VIDEO_ALT_HOME);
    return found === null ? [] : [{ language_code: code, name: line(at(one, 'language')), url: found }];
  });
}

function objectAt(raw: unknown, name: string): object {
  const found = at(raw, name);
  return isJsonObject(found) ? found : {};
}
