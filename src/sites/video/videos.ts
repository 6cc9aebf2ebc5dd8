import { next, player } from './interface.ts';
import { oembed } from './oembed.ts';
import { video } from './site.ts';
import { VideoAnswer } from './video-record.ts';
import { VideoInput } from './videos-input.ts';
import { watch } from './watch-page.ts';

export const videos = video({
  path: '/videos/{video_id}',
  summary: 'Metadata of one video',
  input: VideoInput,
  record: VideoAnswer,
  aliases: { country: ['geo'], language: ['locale'] },
  sources: [watch, player, next, oembed],
  expected: ['video.channel.id', 'video.published_at', 'video.view_count', 'video.duration_ms', 'video.thumbnails'],
  canary: { video_id: 'jNQXAC9IVRw' },
});
