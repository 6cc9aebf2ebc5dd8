import { z } from 'zod';
import { getPath } from '#extract/values/raw.ts';
import { unusable } from '#sites/framework/answers.ts';
import { parseOffset, countScrollRounds, buildScrolledPage } from '#sites/framework/scrolled-list.ts';
import {
  Video,
  AccountInput,
  VideoInput,
  parseVideo,
  readVideoId,
  readVideos,
  readLegacyState,
  readPageData,
  readRefusal,
  readUsername,
} from './shared.ts';
import { tiktok } from './site.ts';

export const tiktokVideos = tiktok({
  path: '/videos',
  summary: 'The short videos of a profile, in a browser session',
  input: AccountInput,
  record: z.object({ videos: z.array(Video).readonly() }),
  anyOf: ['username', 'url'],
  aliases: { username: ['handle', 'user'], limit: ['per_page'] },
  list: 'videos',
  limit: { default: 20, max: 100 },
  expected: ['videos.description', 'videos.created_at', 'videos.view_count', 'videos.cover_url'],
  canary: { username: 'tiktok' },
  needs: 'browser',
  browser: { more: 'end' },
  captures: [{ name: 'videos', path: '/api/post/item_list/' }],
  request: (input, site) => ({
    origin: 'web',
    path: `/@${readUsername(input, site)}`,
    rounds: countScrollRounds(site),
  }),
  parse(page, input, site) {
    const name = readUsername(input, site);
    const refused = readRefusal(readPageData(page, 'webapp.user-detail'));
    if (refused !== null) return refused;
    const read = readVideos(page, ({ author }) => author.username?.toLowerCase() === name);
    if (!('clips' in read)) return read;
    return buildScrolledPage(read.clips, { ...read, given: parseOffset(site) }, (videos) => ({ videos }));
  },
});

export const tiktokVideo = tiktok({
  path: '/video',
  summary: 'A short video by id or url',
  input: VideoInput,
  record: z.object({ video: Video }),
  anyOf: ['id', 'url'],
  expected: ['video.description', 'video.author.username', 'video.created_at', 'video.view_count', 'video.cover_url'],
  canary: { id: '6718335390845095173' },
  // The site accepts any username before the id.
  request: (input, site) => ({ origin: 'web', path: `/@_/video/${readVideoId(input, site)}` }),
  parse(page, input, site) {
    const id = readVideoId(input, site);
    const part = readPageData(page, 'webapp.video-detail');
    const video = parseVideo(
      getPath(part, 'itemInfo', 'itemStruct') ?? getPath(readLegacyState(page), 'ItemModule', id),
    );
    if (video === null) return readRefusal(part) ?? unusable('no video');
    return video.id === id ? { video } : unusable(`another video: ${video.id}`);
  },
});

const SearchInput = z.object({
  search: z.string().trim().min(1).max(300).describe('Words to search for'),
});

export const tiktokSearch = tiktok({
  path: '/search',
  summary: 'Search short videos, in a browser session',
  input: SearchInput,
  record: z.object({ results: z.array(Video).readonly() }),
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'results',
  limit: { default: 20, max: 100 },
  expected: ['results.description', 'results.created_at', 'results.view_count', 'results.author.username'],
  canary: { search: 'windmill' },
  needs: 'browser',
  browser: { more: 'end' },
  captures: [{ name: 'results', path: /^\/api\/search\/(?:item|general)\/full\/$/ }],
  request: ({ search }, site) => ({
    origin: 'web',
    path: '/search/video',
    query: { q: search },
    rounds: countScrollRounds(site),
  }),
  parse(page, _input, site) {
    const read = readVideos(page, () => true);
    if (!('clips' in read)) return read;
    return buildScrolledPage(read.clips, { ...read, given: parseOffset(site) }, (results) => ({ results }));
  },
});
