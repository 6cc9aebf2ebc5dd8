import { z } from 'zod';
import { givenBefore, roundsFor, scrolledPage } from '#sites/scrolled-list.ts';
import { Clip, ClipAuthorInput, readClips, readPageData, readRefusal, readUsername } from './shared.ts';
import { shortvideo } from './site.ts';

export const clips = shortvideo({
  path: '/videos',
  summary: 'The short videos of a profile, as its page loads them in a browser',
  input: ClipAuthorInput,
  record: z.object({ videos: z.array(Clip).readonly() }),
  anyOf: ['username', 'url'],
  aliases: { username: ['handle', 'user'], limit: ['per_page'] },
  list: 'videos',
  limit: { default: 20, most: 100 },
  expected: ['videos.description', 'videos.created_at', 'videos.view_count', 'videos.cover_url'],
  canary: { username: 'tiktok' },
  needs: 'browser',
  browser: { more: 'end' },
  captures: [{ name: 'videos', path: '/api/post/item_list/' }],
  request: (input, site) => ({ origin: 'web', path: `/@${readUsername(input, site)}`, rounds: roundsFor(site) }),
  parse(page, input, site) {
    const name = readUsername(input, site);
    const refused = readRefusal(readPageData(page, 'webapp.user-detail'));
    if (refused !== null) return refused;
    const read = readClips(page, ({ author }) => author.username?.toLowerCase() === name);
    if (!('clips' in read)) return read;
    return scrolledPage(read.clips, { ...read, given: givenBefore(site) }, (videos) => ({ videos }));
  },
});
