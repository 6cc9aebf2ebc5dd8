import { z } from 'zod';
import { blocked, notFound, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { SiteView } from '#sites/framework/request.ts';
import { at, boolean, line, list } from '#extract/values/raw.ts';
import { refusalOf, wording } from './playability.ts';
import { SubtitleTrack } from './subtitles-input.ts';
import type { SubtitlesInput } from './subtitles-input.ts';

const OfferedTrack = SubtitleTrack.extend({
  /** Its address on the site: a path with its query. */
  path: z.string(),
});

type OfferedTrack = z.output<typeof OfferedTrack>;

/** The subtitles that were chosen, and all that there are. */
export const Choice = z.object({
  track: OfferedTrack,
  /** The language that they are to be translated to; null for none. */
  translation: z.object({ language_code: z.string(), language_name: z.string().nullable() }).nullable(),
  available: z.array(SubtitleTrack),
});

export type Choice = z.output<typeof Choice>;

/** Names in a message that says which subtitles there are. */
const MOST_NAMED = 40;

/** Chooses the wanted subtitles of a player's answer; an answer where there are none, or the player is not that of the video. */
export function chooseTrack(
  player: unknown,
  { id, input, site }: { readonly id: string; readonly input: SubtitlesInput; readonly site: SiteView },
): Choice | SiteAnswer {
  const refusal = refusalOf(player);
  if (refusal !== null) return refusal;
  if (at(player, 'videoDetails', 'videoId') !== id) return unusable('the player of the video asked for');
  const captions = at(player, 'captions', 'playerCaptionsTracklistRenderer');
  const raw = list(at(captions, 'captionTracks'));
  const tracks = raw.flatMap((one) => trackOf(one, { id, site }) ?? []);
  if (tracks.length === 0) {
    if (raw.length > 0) return unusable('subtitles of the video asked for');
    const isOpen = at(player, 'playabilityStatus', 'status') !== 'LOGIN_REQUIRED';
    return isOpen ? notFound('this video has no subtitles') : blocked('login_required');
  }
  const available = tracks.map((track) => SubtitleTrack.parse(track));
  const track = choose(tracks, input);
  if (track === null) return notFound(`no such subtitles; there are ${sayTracks(available)}`);
  const { translate_to: to } = input;
  if (to === undefined) return { track, translation: null, available };
  if (track.is_translatable === false)
    return notFound(`the site does not translate the subtitles in ${track.language_code}`);
  const languages = list(at(captions, 'translationLanguages'));
  const language = languages.find((one) => line(at(one, 'languageCode'))?.toLowerCase() === to.toLowerCase());
  if (languages.length > 0 && language === undefined) return notFound(`the site does not translate subtitles to ${to}`);
  const code = line(at(language, 'languageCode')) ?? to;
  return {
    track,
    translation: { language_code: code, language_name: wording(at(language, 'languageName')) },
    available,
  };
}

function trackOf(raw: unknown, { id, site }: { readonly id: string; readonly site: SiteView }): OfferedTrack | null {
  const code = line(at(raw, 'languageCode'));
  const place = site.locate(line(at(raw, 'baseUrl')) ?? '');
  if (code === null || place === null || parametersOf(place.path).get('v') !== id) return null;
  return {
    path: place.path,
    language_code: code,
    language_name: wording(at(raw, 'name')),
    origin: at(raw, 'kind') === 'asr' ? 'auto_generated' : 'uploader_provided',
    is_translatable: boolean(at(raw, 'isTranslatable')),
  };
}

/** Those in the very language, else in the same without its region, else in another region; the uploader's first. */
function choose(tracks: readonly OfferedTrack[], { language, origin }: SubtitlesInput): OfferedTrack | null {
  const made = tracks.filter((track) => origin === 'any' || track.origin === origin);
  const sorted = made.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (language === undefined) return sorted[0] ?? null;
  const wanted = language.toLowerCase();
  return (
    sorted.find((track) => codeOf(track) === wanted) ??
    sorted.find((track) => wanted.startsWith(`${codeOf(track)}-`)) ??
    sorted.find((track) => codeOf(track).startsWith(`${wanted}-`)) ??
    null
  );
}

function codeOf({ language_code: code }: SubtitleTrack): string {
  return code.toLowerCase();
}

function rankOf({ origin }: SubtitleTrack): number {
  return origin === 'uploader_provided' ? 0 : 1;
}

function sayTracks(tracks: readonly SubtitleTrack[]): string {
  return tracks
    .slice(0, MOST_NAMED)
    .map(({ language_code: code, origin }) => `${code} (${origin})`)
    .join(', ');
}

/** The parameters of a path of the site. */
export function parametersOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1] ?? '');
}
