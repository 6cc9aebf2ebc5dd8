import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import { at } from '#extract/values/raw.ts';
import { Clip, ClipInput, parseClip, readClipId, readLegacyState, readPageData, readRefusal } from './shared.ts';
import { shortvideo } from './site.ts';

export const clip = shortvideo({
  path: '/video',
  summary: 'A short video',
  input: ClipInput,
  record: z.object({ video: Clip }),
  anyOf: ['id', 'url'],
  expected: ['video.description', 'video.author.username', 'video.created_at', 'video.view_count', 'video.cover_url'],
  canary: { id: '6718335390845095173' },
  // The site accepts any username before the id.
  request: (input, site) => ({ origin: 'web', path: `/@_/video/${readClipId(input, site)}` }),
  parse(page, input, site) {
    const id = readClipId(input, site);
    const part = readPageData(page, 'webapp.video-detail');
    const video = parseClip(at(part, 'itemInfo', 'itemStruct') ?? at(readLegacyState(page), 'ItemModule', id));
    if (video === null) return readRefusal(part) ?? unusable('a video');
    return video.id === id ? { video } : unusable(`another video: ${video.id}`);
  },
});
