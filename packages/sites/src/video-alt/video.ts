import { videoAlt } from './site.ts';
import { AltVideoInput } from './video-input.ts';
import { AltVideoAnswer } from './video-record.ts';
import { oembedAlt, pageAlt } from './video-sources.ts';

/** One video, with what its page and its player say of it. */
export const altVideo = videoAlt({
  path: '/video',
  summary: 'One video or short by its url',
  input: AltVideoInput,
  record: AltVideoAnswer,
  aliases: { url: ['id'] },
  sources: [pageAlt, oembedAlt],
  expected: ['video.channel', 'video.published_at', 'video.view_count', 'video.embed_id', 'video.thumbnail_url'],
  canary: {
    url: 'https://rumble.com/v54v7p6-governor-desantis-announces-infrastructure-and-workforce-training-grants-in.html',
  },
});
