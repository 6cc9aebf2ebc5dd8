import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import { at } from '#extract/values/raw.ts';
import { clipIdOf, ClipInput } from './clip-input.ts';
import { Clip } from './clip-record.ts';
import { oldStateOf, clipRefusal, pageScope } from './page-data.ts';
import { readClip } from './read-clip.ts';
import { shortvideo } from './site.ts';

export const clip = shortvideo({
  path: '/video',
  summary: 'A short video',
  input: ClipInput,
  record: z.object({ video: Clip }),
  anyOf: ['id', 'url'],
  expected: ['video.description', 'video.author.username', 'video.created_at', 'video.view_count', 'video.cover_url'],
  canary: { id: '6718335390845095173' },
  // The site takes any name before the number.
  request: (input, site) => ({ origin: 'web', path: `/@_/video/${clipIdOf(input, site)}` }),
  parse(page, input, site) {
    const id = clipIdOf(input, site);
    const part = pageScope(page, 'webapp.video-detail');
    const video = readClip(at(part, 'itemInfo', 'itemStruct') ?? at(oldStateOf(page), 'ItemModule', id));
    if (video === null) return clipRefusal(part) ?? unusable('a video');
    return video.id === id ? { video } : unusable(`another video: ${video.id}`);
  },
});
