import { z } from 'zod';
import { notFound } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { parseOffset, countScrollRounds, buildScrolledPage } from '#sites/framework/scrolled-list.ts';
import { readLineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { splitPath } from '#extract/urls/url-parts.ts';
import { getPath, toInteger, toLine, toNatural, toText } from '#extract/values/raw.ts';
import {
  Video,
  parseCaptures,
  readVideos,
  readPageData,
  readRefusal,
  refuseAddress,
  type SiteLocator,
} from './shared.ts';
import { tiktok } from './site.ts';

const Count = z.int().min(0).nullable();

const Hashtag = z.object({
  id: z.string().nullable(),
  name: z.string(),
  description: z.string().nullable(),
  view_count: Count,
  video_count: Count,
});

const HashtagInput = z.object({
  hashtag: z.string().min(1).max(150).optional().describe('With or without #; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the hashtag'),
});

type HashtagInput = z.output<typeof HashtagInput>;

export const tiktokHashtag = tiktok({
  path: '/hashtag',
  summary: 'A hashtag and its short videos, in a browser session',
  input: HashtagInput,
  record: z.object({ hashtag: Hashtag.nullable(), videos: z.array(Video).readonly() }),
  anyOf: ['hashtag', 'url'],
  aliases: { hashtag: ['name', 'tag'], limit: ['per_page'] },
  list: 'videos',
  limit: { default: 20, max: 100 },
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
    path: `/tag/${encodeURIComponent(readTag(input, site))}`,
    rounds: countScrollRounds(site),
  }),
  parse(page, input, site) {
    const name = readTag(input, site);
    const details = [readPageData(page, 'webapp.challenge-detail'), ...parseCaptures(page, 'detail')];
    const read = readVideos(page, ({ hashtags }) => hashtags.some((one) => one.toLowerCase() === name));
    if (!('clips' in read)) {
      if (isUnknown(page, details)) return notFound('there is no such hashtag');
      return details.map(readRefusal).find((one) => one !== null) ?? read;
    }
    const about = details.map((one) => parseHashtag(one, name)).find((one) => one !== null) ?? null;
    return buildScrolledPage(read.clips, { ...read, given: parseOffset(site) }, (videos) => ({
      hashtag: about,
      videos,
    }));
  },
});

/** Parses the hashtag of a page. Null if it has none, or another one. */
function parseHashtag(part: unknown, name: string): z.output<typeof Hashtag> | null {
  const info = getPath(part, 'challengeInfo');
  const title = toLine(getPath(info, 'challenge', 'title'));
  if (title?.toLowerCase() !== name) return null;
  const stat = (of: string): number | null =>
    toNatural(getPath(info, 'statsV2', of)) ?? toNatural(getPath(info, 'stats', of));
  return {
    id: toLine(getPath(info, 'challenge', 'id')),
    name: title,
    description: toText(getPath(info, 'challenge', 'desc')),
    view_count: stat('viewCount'),
    video_count: stat('videoCount'),
  };
}

/** Status codes for an unknown name. */
const UNKNOWN_CODES: ReadonlySet<number | null> = new Set([10202, 10205]);

/** The message of the page of an unknown hashtag. */
const GONE_TEXT = /couldn['’]t find this hashtag/i;

/** Whether the site has no such hashtag: by a status code, by data without an id, or by a message. */
function isUnknown(page: SourcePage, details: readonly unknown[]): boolean {
  if (details.some((one) => UNKNOWN_CODES.has(toInteger(getPath(one, 'statusCode'))))) return true;
  const infos = details.map((one) => getPath(one, 'challengeInfo')).filter((one) => one !== undefined);
  if (infos.some((one) => toLine(getPath(one, 'challenge', 'id')) !== null)) return false;
  return infos.length > 0 || GONE_TEXT.test(readLineAt(parsePage(page.body, page.url), 'main, #app') ?? '');
}

/** Reads the wanted hashtag, in lower case. Throws `not_found`, and `invalid_request` for an address of another kind. */
function readTag({ hashtag: reference, url }: HashtagInput, site: SiteLocator): string {
  const parts = reference === undefined ? splitPath(site.locate(url ?? '')?.path) : ['tag', reference];
  const tag = parts[0] === 'tag' ? (parts[1] ?? '').trim().replace(/^#/, '').toLowerCase() : '';
  if (/^[\p{L}\p{M}\p{N}_]{1,100}$/u.test(tag)) return tag;
  return reference === undefined
    ? refuseAddress('url', site.locate(url ?? '')?.path, 'a hashtag')
    : refuseReference('hashtag', 'is not a hashtag of this site');
}
