import { blocked, more, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest, SiteView } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { variableOf } from '#extract/dom/scripts.ts';
import { tryParse } from '#extract/values/json.ts';
import { Choice, chooseTrack, parametersOf } from './subtitle-tracks.ts';
import { toSrt, toVtt } from './subtitle-file.ts';
import { readTimedText } from './timed-text.ts';
import type { SubtitleSegment, Subtitles, SubtitlesInput } from './subtitles-input.ts';
import { contextOf, idOf } from './videos-input.ts';

export type SubtitleSource = EndpointSource<typeof SubtitlesInput, typeof Subtitles>;

/** Names and reasons are read in English. */
export const IN_ENGLISH = { country: 'US', language: 'en-US' } as const;
const FIELDS =
  'playabilityStatus,videoDetails.videoId,captions.playerCaptionsTracklistRenderer(captionTracks(baseUrl,languageCode,name,kind,isTranslatable),translationLanguages)';

/** The watch page, whose player says where the subtitles are. */
export const watchSubtitles: SubtitleSource = {
  name: 'watch',
  request: askWatch,
  parse(page, input, site) {
    if (page.carry !== undefined) return readFile(page.body, { choice: Choice.parse(page.carry), input, site });
    return askFile(choiceIn(page, { input, site }));
  },
};

/** The player of the site's own app, whose subtitles need no proof of a browser. */
export const appSubtitles: SubtitleSource = {
  name: 'app',
  request: (input, site) => {
    const { client } = contextOf(IN_ENGLISH, site);
    const app = { ...client, clientName: 'ANDROID', clientVersion: site.constants['app_version'] ?? '' };
    return {
      origin: 'web',
      path: '/youtubei/v1/player',
      query: { prettyPrint: false, $fields: FIELDS },
      post: { json: { context: { client: app }, videoId: idOf(input, site), contentCheckOk: true, racyCheckOk: true } },
      language: IN_ENGLISH.language,
    };
  },
  parse(page, input, site) {
    if (page.carry !== undefined) return readFile(page.body, { choice: Choice.parse(page.carry), input, site });
    const player = tryParse(page.body);
    if (player === undefined) return unusable('an answer of the player');
    return askFile(chooseTrack(player, { id: idOf(input, site), input, site }));
  },
};

/** The watch page in a browser, where the player asks for the subtitles itself. */
export const shownSubtitles: SubtitleSource = {
  name: 'browser',
  needs: 'browser',
  browser: { click: ['.ytp-subtitles-button'] },
  captures: [{ name: 'subtitles', path: '/api/timedtext' }],
  request: askWatch,
  parse(page, input, site) {
    const choice = choiceIn(page, { input, site });
    if (!('track' in choice)) return choice;
    const wanted = parametersOf(choice.track.path);
    const shown = page.captures.find(({ url }) => {
      const has = new URL(url).searchParams;
      const isSame = ['v', 'lang', 'kind'].every((name) => has.get(name) === wanted.get(name));
      return isSame && has.get('tlang') === (choice.translation?.language_code ?? null);
    });
    if (shown !== undefined) return readFile(shown.text, { choice, input, site });
    return page.captures.length === 0 ? blocked('no_subtitles_shown') : unusable('the player shows other subtitles');
  },
};

export function askWatch(input: SubtitlesInput, site: SiteView): SiteRequest {
  const { country: gl, language } = IN_ENGLISH;
  return { origin: 'web', path: '/watch', query: { v: idOf(input, site), hl: language, gl }, language };
}

type SubtitlesAsked = { readonly input: SubtitlesInput; readonly site: SiteView };

/** The choice among the subtitles of a watch page. */
export function choiceIn(
  page: { readonly body: string; readonly url: string },
  { input, site }: SubtitlesAsked,
): Choice | SiteAnswer {
  const player = variableOf(parsePage(page.body, page.url), 'ytInitialPlayerResponse');
  if (player === undefined) return unusable('no player in the page');
  return chooseTrack(player, { id: idOf(input, site), input, site });
}

/** Asks for the file of the subtitles; one that needs the proof of a browser would come empty. */
function askFile(choice: Choice | SiteAnswer): SiteAnswer {
  if (!('track' in choice)) return choice;
  const query = parametersOf(choice.track.path);
  if (query.get('exp')?.split(',').includes('xpe') === true) return blocked('proof_of_a_browser');
  query.set('fmt', 'json3');
  if (choice.translation !== null) query.set('tlang', choice.translation.language_code);
  const path = choice.track.path.split('?')[0] ?? '';
  return more({ origin: 'web', path: `${path}?${query}`, language: IN_ENGLISH.language }, choice);
}

type FileReading = SubtitlesAsked & { readonly choice: Choice };

function readFile(body: string, { choice, input, site }: FileReading): Subtitles | SiteAnswer {
  // The site answers so where it wants the proof of a browser; it never says so that there are none.
  if (body.trim() === '') return blocked('empty_subtitles');
  const segments = readTimedText(body);
  if (segments === null || segments.length === 0) return unusable('the text of the subtitles');
  return toSubtitles(segments, { choice, input, site });
}

/** The record of subtitles in the form that was asked for. */
export function toSubtitles(segments: readonly SubtitleSegment[], { choice, input, site }: FileReading): Subtitles {
  const { track, translation, available } = choice;
  const { format } = input;
  return {
    video_id: idOf(input, site),
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
