import { next, player } from './interface.ts';
import { video, HOME } from './site.ts';
import { VideoAnswer } from './video-record.ts';
import { VideoInput, idOf } from './videos-input.ts';
import { watch } from './watch-page.ts';
import { unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, mediaUrl, url } from '#extract/values/raw.ts';
import { toVideo } from './to-video.ts';

/** The oEmbed answer for a video. */
const oembed: EndpointSource<typeof VideoInput, typeof VideoAnswer> = {
  name: 'oembed',
  lacks: 'what embeds are told is title, channel and picture alone',
  request: (input, site) => ({
    origin: 'web',
    path: '/oembed',
    query: { url: `${HOME}/watch?v=${idOf(input, site)}`, format: 'json' },
  }),
  parse(page, input, site) {
    const id = idOf(input, site);
    const raw = tryParse(page.body);
    const title = line(at(raw, 'title'));
    const picture = mediaUrl(at(raw, 'thumbnail_url'), page.url);
    // Nothing but the picture's address tells whose answer it is.
    if (title === null || picture?.includes(`/${id}/`) !== true) return unusable('the video asked for');
    const home = url(at(raw, 'author_url'), page.url);
    const handle = /\/(@[^/?#]+)$/.exec(home ?? '')?.[1] ?? null;
    const channel = { name: line(at(raw, 'author_name')), url: home, handle };
    const thumbnails = [{ url: picture, width: null, height: null }];
    return { video: toVideo({ id, base: page.url, source: 'oembed' }, [{ title, channel, thumbnails }]) };
  },
};

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
