import { z } from 'zod';
import { blocked, requestMore, notFound, notInSource, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest, SiteContext } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { findVariable } from '#extract/dom/scripts.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toBoolean, toInteger, toLine, toArray } from '#extract/values/raw.ts';
import { buildContext, findRefusal, findVideoId, readText, VideoInput } from './shared.ts';
import { youtube } from './site.ts';
import { readTimedText, SubtitleSegment, toSrt, toVtt } from './subtitle-files.ts';

const Language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language such as en or pt-BR');
const Origin = z.enum(['uploader_provided', 'auto_generated']);

const SubtitlesInput = z.object({
  video_id: VideoInput.shape.video_id,
  language: Language.optional().describe(
    'Language of the subtitles, BCP 47; otherwise the first of the uploader, else those made by the site',
  ),
  origin: z
    .enum([...Origin.options, 'any'])
    .default('any')
    .describe('Origin of the subtitles; any prefers those of the uploader'),
  translate_to: Language.optional().describe('Language to translate them to, by the site'),
  format: z
    .enum(['segments', 'text', 'srt', 'vtt'])
    .default('segments')
    .describe('Format in addition to the plain text: segments with their times, none, or a subtitle file'),
});

type SubtitlesInput = z.output<typeof SubtitlesInput>;

/** A subtitle track of the player. */
const SubtitleTrack = z.object({
  language_code: z.string(),
  language_name: z.string().nullable(),
  origin: Origin,
  is_translatable: z.boolean().nullable(),
});

type SubtitleTrack = z.output<typeof SubtitleTrack>;

const Subtitles = z.object({
  video_id: z.string(),
  language_code: z.string(),
  language_name: z.string().nullable(),
  origin: Origin,
  is_translated: z.boolean(),
  format: SubtitlesInput.shape.format.unwrap(),
  segments: z.array(SubtitleSegment).readonly().nullable().describe('Only for format=segments, else null'),
  text: z.string().describe('The whole text, one line per segment'),
  content: z.string().nullable().describe('The subtitle file for format=srt and format=vtt, else null'),
  available: z.array(SubtitleTrack).readonly().nullable().describe('All subtitles of the video'),
});

type Subtitles = z.output<typeof Subtitles>;

type SubtitleSource = EndpointSource<typeof SubtitlesInput, typeof Subtitles>;

/** The watch page, whose player response has the addresses of the subtitles. */
const watchSource: SubtitleSource = {
  name: 'watch',
  request: buildWatchRequest,
  parse(page, input, site) {
    if (page.carry !== undefined) return readFile(page.body, { choice: Choice.parse(page.carry), input, site });
    return requestFile(readChoice(page, { input, site }));
  },
};

/** The player of the site's app, whose subtitles need no proof of a browser. */
const appSource: SubtitleSource = {
  name: 'app',
  request: (input, site) => {
    const { client } = buildContext(ENGLISH, site);
    const app = { ...client, clientName: 'ANDROID', clientVersion: site.constants['app_version'] ?? '' };
    return {
      origin: 'web',
      path: '/youtubei/v1/player',
      query: { prettyPrint: false, $fields: FIELDS },
      post: {
        json: { context: { client: app }, videoId: findVideoId(input, site), contentCheckOk: true, racyCheckOk: true },
      },
      language: ENGLISH.language,
    };
  },
  parse(page, input, site) {
    if (page.carry !== undefined) return readFile(page.body, { choice: Choice.parse(page.carry), input, site });
    const player = parseJsonValue(page.body);
    if (player === undefined) return unusable('no answer of the player');
    return requestFile(chooseTrack(player, { id: findVideoId(input, site), input, site }));
  },
};

/** The panel next to the video that shows the subtitles as a transcript. */
const transcriptSource: SubtitleSource = {
  name: 'transcript',
  request: buildWatchRequest,
  parse(page, input, site) {
    const id = findVideoId(input, site);
    if (page.carry !== undefined) {
      const segments = readTranscript(parseJsonValue(page.body), id);
      if (segments.length === 0) return unusable('the transcript of the requested video is missing');
      return toSubtitles(segments, { choice: Choice.parse(page.carry), input, site });
    }
    const choice = readChoice(page, { input, site });
    if (!('track' in choice)) return choice;
    if (choice.translation !== null) return notInSource('a transcript is not translated');
    const json = { context: buildContext(ENGLISH, site), params: toTranscriptParams(id, choice.track) };
    const request = {
      origin: 'web',
      path: '/youtubei/v1/get_transcript',
      query: { prettyPrint: false },
      post: { json },
    };
    return requestMore({ ...request, language: ENGLISH.language }, choice);
  },
};

/** The watch page in a browser, where the player loads the subtitles itself. */
const browserSource: SubtitleSource = {
  name: 'browser',
  needs: 'browser',
  browser: { click: ['.ytp-subtitles-button'] },
  captures: [{ name: 'subtitles', path: '/api/timedtext' }],
  request: buildWatchRequest,
  parse(page, input, site) {
    const choice = readChoice(page, { input, site });
    if (!('track' in choice)) return choice;
    const wanted = parseParameters(choice.track.path);
    const shown = page.captures.find(({ url }) => {
      const has = new URL(url).searchParams;
      const isSame = ['v', 'lang', 'kind'].every((name) => has.get(name) === wanted.get(name));
      return isSame && has.get('tlang') === (choice.translation?.language_code ?? null);
    });
    if (shown !== undefined) return readFile(shown.text, { choice, input, site });
    return page.captures.length === 0 ? blocked('no_subtitles_shown') : unusable('the player shows other subtitles');
  },
};

/** The subtitles of a video in one language. */
export const youtubeSubtitles = youtube({
  path: '/subtitles',
  summary: 'Subtitles of one video with their times, as plain text or as a file',
  input: SubtitlesInput,
  record: Subtitles,
  aliases: { video_id: ['id', 'url'], language: ['language_code', 'lang'], origin: ['subtitle_origin'] },
  sources: [watchSource, appSource, transcriptSource, browserSource],
  expected: ['text', 'language_name', 'available'],
  canary: { video_id: 'jNQXAC9IVRw' },
});

/** The language and country of player requests, so that names and reasons are in English. */
const ENGLISH = { country: 'US', language: 'en-US' } as const;
const FIELDS =
  'playabilityStatus,videoDetails.videoId,captions.playerCaptionsTracklistRenderer(captionTracks(baseUrl,languageCode,name,kind,isTranslatable),translationLanguages)';

function buildWatchRequest(input: SubtitlesInput, site: SiteContext): SiteRequest {
  const { country: gl, language } = ENGLISH;
  return { origin: 'web', path: '/watch', query: { v: findVideoId(input, site), hl: language, gl }, language };
}

type SubtitlesRequest = { readonly input: SubtitlesInput; readonly site: SiteContext };

/** Selects the requested subtitles of a watch page. */
function readChoice(
  page: { readonly body: string; readonly url: string },
  { input, site }: SubtitlesRequest,
): Choice | SiteAnswer {
  const player = findVariable(parsePage(page.body, page.url), 'ytInitialPlayerResponse');
  if (player === undefined) return unusable('no player in the page');
  return chooseTrack(player, { id: findVideoId(input, site), input, site });
}

/** Requests the subtitle file. A file that needs a proof of a browser would be empty, so it is not requested. */
function requestFile(choice: Choice | SiteAnswer): SiteAnswer {
  if (!('track' in choice)) return choice;
  const query = parseParameters(choice.track.path);
  if (query.get('exp')?.split(',').includes('xpe') === true) return blocked('proof_of_a_browser');
  query.set('fmt', 'json3');
  if (choice.translation !== null) query.set('tlang', choice.translation.language_code);
  const path = choice.track.path.split('?')[0] ?? '';
  return requestMore({ origin: 'web', path: `${path}?${query}`, language: ENGLISH.language }, choice);
}

type FileReading = SubtitlesRequest & { readonly choice: Choice };

function readFile(body: string, { choice, input, site }: FileReading): Subtitles | SiteAnswer {
  // An empty file means that the site wants a proof of a browser, never that there are no subtitles.
  if (body.trim() === '') return blocked('empty_subtitles');
  const segments = readTimedText(body);
  if (segments === null || segments.length === 0) return unusable('the text of the subtitles is missing');
  return toSubtitles(segments, { choice, input, site });
}

/** Converts subtitles to the record in the requested format. */
function toSubtitles(segments: readonly SubtitleSegment[], { choice, input, site }: FileReading): Subtitles {
  const { track, translation, available } = choice;
  const { format } = input;
  return {
    video_id: findVideoId(input, site),
    language_code: translation?.language_code ?? track.language_code,
    language_name: translation === null ? track.language_name : translation.language_name,
    origin: track.origin,
    is_translated: translation !== null,
    format,
    segments: format === 'segments' ? segments : null,
    text: segments.map(({ text }) => text).join('\n'),
    content: format === 'srt' ? toSrt(segments) : format === 'vtt' ? toVtt(segments) : null,
    available,
  };
}

const PANEL = 'engagement-panel-searchable-transcript-search-panel';

/** Reads the segments of a transcript, each of which names its video. */
function readTranscript(answer: unknown, id: string): readonly SubtitleSegment[] {
  const renderers = findObjectsWith(answer, 'transcriptSegmentRenderer').map((one) => one['transcriptSegmentRenderer']);
  const segments = renderers.filter(isJsonObject).flatMap((one) => {
    const start = toInteger(one['startMs']);
    const end = toInteger(one['endMs']);
    const segmentText = readText(one['snippet']);
    const target = toLine(getPath(one, 'targetId'));
    if (start === null || segmentText === null || (target !== null && !target.startsWith(`${id}.`))) return [];
    return [{ start_ms: start, duration_ms: end === null || end < start ? null : end - start, text: segmentText }];
  });
  return segments.toSorted((one, other) => one.start_ms - other.start_ms);
}

/** Encodes the parameter of the panel: a protobuf of the video, its subtitles and the panel, as base64. */
function toTranscriptParams(id: string, { language_code: code, origin }: SubtitleTrack): string {
  const kind = origin === 'auto_generated' ? 'asr' : '';
  const chosen = Buffer.concat([encodeText(1, kind), encodeText(2, code), encodeText(3, '')]).toString('base64');
  const whole = [
    encodeText(1, id),
    encodeText(2, encodeURIComponent(chosen)),
    encodeNumber(3, 1),
    encodeText(5, PANEL),
    encodeNumber(6, 1),
    encodeNumber(7, 1),
    encodeNumber(8, 1),
  ];
  return encodeURIComponent(Buffer.concat(whole).toString('base64'));
}

/** Encodes a text of fewer than 128 bytes. */
function encodeText(number: number, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

function encodeNumber(number: number, value: number): Buffer {
  return Buffer.from([number << 3, value]);
}

const OfferedTrack = SubtitleTrack.extend({
  /** The path of the subtitle file, with its query. */
  path: z.string(),
});

type OfferedTrack = z.output<typeof OfferedTrack>;

/** The selected subtitles and all available ones. */
const Choice = z.object({
  track: OfferedTrack,
  /** The target language of a translation; null for none. */
  translation: z.object({ language_code: z.string(), language_name: z.string().nullable() }).nullable(),
  available: z.array(SubtitleTrack),
});

type Choice = z.output<typeof Choice>;

/** The number of tracks listed in an error message. */
const MAX_LISTED_TRACKS = 40;

/** Selects the requested subtitles of a player response; an answer if there are none or the player is of another video. */
function chooseTrack(
  player: unknown,
  { id, input, site }: { readonly id: string; readonly input: SubtitlesInput; readonly site: SiteContext },
): Choice | SiteAnswer {
  const refusal = findRefusal(player);
  if (refusal !== null) return refusal;
  if (getPath(player, 'videoDetails', 'videoId') !== id)
    return unusable('the player of the requested video is missing');
  const captions = getPath(player, 'captions', 'playerCaptionsTracklistRenderer');
  const raw = toArray(getPath(captions, 'captionTracks'));
  const tracks = raw.flatMap((one) => toTrack(one, { id, site }) ?? []);
  if (tracks.length === 0) {
    if (raw.length > 0) return unusable('no subtitles of the requested video');
    const isOpen = getPath(player, 'playabilityStatus', 'status') !== 'LOGIN_REQUIRED';
    return isOpen ? notFound('this video has no subtitles') : blocked('login_required');
  }
  const available = tracks.map((track) => SubtitleTrack.parse(track));
  const track = selectTrack(tracks, input);
  if (track === null) return notFound(`no such subtitles; there are ${formatTracks(available)}`);
  const { translate_to: to } = input;
  if (to === undefined) return { track, translation: null, available };
  if (track.is_translatable === false)
    return notFound(`the site does not translate the subtitles in ${track.language_code}`);
  const languages = toArray(getPath(captions, 'translationLanguages'));
  const language = languages.find((one) => toLine(getPath(one, 'languageCode'))?.toLowerCase() === to.toLowerCase());
  if (languages.length > 0 && language === undefined) return notFound(`the site does not translate subtitles to ${to}`);
  const code = toLine(getPath(language, 'languageCode')) ?? to;
  return {
    track,
    translation: { language_code: code, language_name: readText(getPath(language, 'languageName')) },
    available,
  };
}

function toTrack(raw: unknown, { id, site }: { readonly id: string; readonly site: SiteContext }): OfferedTrack | null {
  const code = toLine(getPath(raw, 'languageCode'));
  const place = site.locate(toLine(getPath(raw, 'baseUrl')) ?? '');
  if (code === null || place === null || parseParameters(place.path).get('v') !== id) return null;
  return {
    path: place.path,
    language_code: code,
    language_name: readText(getPath(raw, 'name')),
    origin: getPath(raw, 'kind') === 'asr' ? 'auto_generated' : 'uploader_provided',
    is_translatable: toBoolean(getPath(raw, 'isTranslatable')),
  };
}

/** Selects a track in the exact language, else without its region, else in another region; tracks of the uploader first. */
function selectTrack(tracks: readonly OfferedTrack[], { language, origin }: SubtitlesInput): OfferedTrack | null {
  const made = tracks.filter((track) => origin === 'any' || track.origin === origin);
  const sorted = made.toSorted((one, other) => rankTrack(one) - rankTrack(other));
  if (language === undefined) return sorted[0] ?? null;
  const wanted = language.toLowerCase();
  return (
    sorted.find((track) => readCode(track) === wanted) ??
    sorted.find((track) => wanted.startsWith(`${readCode(track)}-`)) ??
    sorted.find((track) => readCode(track).startsWith(`${wanted}-`)) ??
    null
  );
}

function readCode({ language_code: code }: SubtitleTrack): string {
  return code.toLowerCase();
}

function rankTrack({ origin }: SubtitleTrack): number {
  return origin === 'uploader_provided' ? 0 : 1;
}

function formatTracks(tracks: readonly SubtitleTrack[]): string {
  return tracks
    .slice(0, MAX_LISTED_TRACKS)
    .map(({ language_code: code, origin }) => `${code} (${origin})`)
    .join(', ');
}

/** Parses the query of a path. */
function parseParameters(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1] ?? '');
}
