import { more, notHere, unusable } from '#sites/framework/answers.ts';
import { findWith } from '#extract/json/search.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, integer, line } from '#extract/values/raw.ts';
import { wording } from './playability.ts';
import { askWatch, choiceIn, IN_ENGLISH, toSubtitles } from './subtitle-sources.ts';
import type { SubtitleSource } from './subtitle-sources.ts';
import { Choice } from './subtitle-tracks.ts';
import type { SubtitleSegment, SubtitleTrack } from './subtitles-input.ts';
import { contextOf, idOf } from './videos-input.ts';

const PANEL = 'engagement-panel-searchable-transcript-search-panel';

/** The panel beside the video that shows the subtitles as a text. */
export const transcript: SubtitleSource = {
  name: 'transcript',
  request: askWatch,
  parse(page, input, site) {
    const id = idOf(input, site);
    if (page.carry !== undefined) {
      const segments = segmentsOf(tryParse(page.body), id);
      if (segments.length === 0) return unusable('the transcript of the video asked for');
      return toSubtitles(segments, { choice: Choice.parse(page.carry), input, site });
    }
    const choice = choiceIn(page, { input, site });
    if (!('track' in choice)) return choice;
    if (choice.translation !== null) return notHere('a transcript is not translated');
    const json = { context: contextOf(IN_ENGLISH, site), params: toTranscriptParams(id, choice.track) };
    const request = {
      origin: 'web',
      path: '/youtubei/v1/get_transcript',
      query: { prettyPrint: false },
      post: { json },
    };
    return more({ ...request, language: IN_ENGLISH.language }, choice);
  },
};

/** Each names the video that it is of. */
function segmentsOf(answer: unknown, id: string): readonly SubtitleSegment[] {
  const found = findWith(answer, 'transcriptSegmentRenderer').map((one) => one['transcriptSegmentRenderer']);
  const segments = found.filter(isJsonObject).flatMap((one) => {
    const start = integer(one['startMs']);
    const end = integer(one['endMs']);
    const said = wording(one['snippet']);
    const target = line(at(one, 'targetId'));
    if (start === null || said === null || (target !== null && !target.startsWith(`${id}.`))) return [];
    return [{ start_ms: start, duration_ms: end === null || end < start ? null : end - start, text: said }];
  });
  return segments.toSorted((one, other) => one.start_ms - other.start_ms);
}

/** What the panel is asked with: a protobuf of the video, its subtitles and the panel, as base64. */
export function toTranscriptParams(id: string, { language_code: code, origin }: SubtitleTrack): string {
  const kind = origin === 'auto_generated' ? 'asr' : '';
  const chosen = Buffer.concat([textField(1, kind), textField(2, code), textField(3, '')]).toString('base64');
  const whole = [
    textField(1, id),
    textField(2, encodeURIComponent(chosen)),
    numberField(3, 1),
    textField(5, PANEL),
    numberField(6, 1),
    numberField(7, 1),
    numberField(8, 1),
  ];
  return encodeURIComponent(Buffer.concat(whole).toString('base64'));
}

/** All of these texts are shorter than 128 bytes. */
function textField(number: number, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

function numberField(number: number, value: number): Buffer {
  return Buffer.from([number << 3, value]);
}
