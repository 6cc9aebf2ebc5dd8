import { video } from './site.ts';
import { appSubtitles, shownSubtitles, watchSubtitles } from './subtitle-sources.ts';
import { Subtitles, SubtitlesInput } from './subtitles-input.ts';
import { transcript } from './transcript.ts';

/** The subtitles of a video, in one language. */
export const subtitles = video({
  path: '/subtitles',
  summary: 'Subtitles of one video with their times, as plain text or as a file',
  input: SubtitlesInput,
  record: Subtitles,
  aliases: { video_id: ['id', 'url'], language: ['language_code', 'lang'], origin: ['subtitle_origin'] },
  sources: [watchSubtitles, appSubtitles, transcript, shownSubtitles],
  expected: ['text', 'language_name', 'available'],
  canary: { video_id: 'jNQXAC9IVRw' },
});
