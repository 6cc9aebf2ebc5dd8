import { z } from 'zod';
import { givenBefore, roundsFor, scrolledPage } from '#sites/scrolled-list.ts';
import { at, line, natural, text } from '#extract/values/raw.ts';
import { clipTagOf, HashtagInput } from './clip-input.ts';
import { readClips } from './clip-lists.ts';
import { Clip } from './clip-record.ts';
import { clipRefusal, pageScope } from './page-data.ts';
import { shortvideo } from './site.ts';

const Count = z.int().min(0).nullable();
const Hashtag = z.object({
  id: z.string().nullable(),
  name: z.string(),
  description: z.string().nullable(),
  view_count: Count,
  video_count: Count,
});

/** What a page says of its hashtag; null where it says nothing, or speaks of another. */
function readHashtag(part: unknown, name: string): z.output<typeof Hashtag> | null {
  const info = at(part, 'challengeInfo');
  const title = line(at(info, 'challenge', 'title'));
  if (title?.toLowerCase() !== name) return null;
  const stat = (of: string): number | null => natural(at(info, 'statsV2', of)) ?? natural(at(info, 'stats', of));
  return {
    id: line(at(info, 'challenge', 'id')),
    name: title,
    description: text(at(info, 'challenge', 'desc')),
    view_count: stat('viewCount'),
    video_count: stat('videoCount'),
  };
}

export const hashtag = shortvideo({
  path: '/hashtag',
  summary: 'A hashtag and the short videos under it, as its page loads them in a browser',
  input: HashtagInput,
  record: z.object({ hashtag: Hashtag.nullable(), videos: z.array(Clip).readonly() }),
  anyOf: ['hashtag', 'url'],
  aliases: { hashtag: ['name', 'tag'], limit: ['per_page'] },
  list: 'videos',
  limit: { default: 20, most: 100 },
  expected: ['hashtag.view_count', 'videos.description', 'videos.created_at', 'videos.view_count'],
  canary: { hashtag: 'windmill' },
  needs: 'browser',
  browser: { more: 'end' },
  captures: [{ name: 'videos', path: '/api/challenge/item_list/' }],
  request: (input, site) => ({
    origin: 'web',
    path: `/tag/${encodeURIComponent(clipTagOf(input, site))}`,
    rounds: roundsFor(site),
  }),
  parse(page, input, site) {
    const name = clipTagOf(input, site);
    const part = pageScope(page, 'webapp.challenge-detail');
    const refused = clipRefusal(part);
    if (refused !== null) return refused;
    const read = readClips(page, ({ hashtags }) => hashtags.some((one) => one.toLowerCase() === name));
    if (!('clips' in read)) return read;
    const about = readHashtag(part, name);
    return scrolledPage(read.clips, { ...read, given: givenBefore(site) }, (videos) => ({ hashtag: about, videos }));
  },
});
