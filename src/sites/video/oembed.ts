import { unusable } from '#engine/sites/answers.ts';
import type { Source } from '#engine/sites/endpoint.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, mediaUrl, url } from '#extract/values/raw.ts';
import { HOME } from './site.ts';
import { toVideo } from './to-video.ts';
import type { VideoAnswer } from './video-record.ts';
import { idOf } from './videos-input.ts';
import type { VideoInput } from './videos-input.ts';

/** What the site tells those who embed a video. */
export const oembed: Source<typeof VideoInput, typeof VideoAnswer> = {
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
