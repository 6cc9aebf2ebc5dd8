import { z } from 'zod';
import { givenBefore, roundsFor, scrolledPage } from '#sites/scrolled-list.ts';
import { notFound } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { at, integer, line, natural, text } from '#extract/values/raw.ts';
import { clipTagOf, HashtagInput } from './clip-input.ts';
import { answersIn, readClips } from './clip-lists.ts';
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

/** Codes for a name that the site does not know. */
const UNKNOWN: ReadonlySet<number | null> = new Set([10202, 10205]);
/** What the page shows in the place of the videos. */
const GONE = /couldn['’]t find this hashtag/i;

/** Whether the site says that it has no such hashtag: by a code, by its data without a number, or in words. */
function isUnknown(page: SourcePage, details: readonly unknown[]): boolean {
  if (details.some((one) => UNKNOWN.has(integer(at(one, 'statusCode'))))) return true;
  const told = details.map((one) => at(one, 'challengeInfo')).filter((one) => one !== undefined);
  if (told.some((one) => line(at(one, 'challenge', 'id')) !== null)) return false;
  return told.length > 0 || GONE.test(lineAt(parsePage(page.body, page.url), 'main, #app') ?? '');
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
  captures: [
    { name: 'videos', path: '/api/challenge/item_list/' },
    { name: 'detail', path: '/api/challenge/detail/' },
  ],
  request: (input, site) => ({
    origin: 'web',
    path: `/tag/${encodeURIComponent(clipTagOf(input, site))}`,
    rounds: roundsFor(site),
  }),
  parse(page, input, site) {
    const name = clipTagOf(input, site);
    const details = [pageScope(page, 'webapp.challenge-detail'), ...answersIn(page, 'detail')];
    const read = readClips(page, ({ hashtags }) => hashtags.some((one) => one.toLowerCase() === name));
    if (!('clips' in read)) {
      if (isUnknown(page, details)) return notFound('there is no such hashtag');
      return details.map(clipRefusal).find((one) => one !== null) ?? read;
    }
    const about = details.map((one) => readHashtag(one, name)).find((one) => one !== null) ?? null;
    return scrolledPage(read.clips, { ...read, given: givenBefore(site) }, (videos) => ({ hashtag: about, videos }));
  },
});
