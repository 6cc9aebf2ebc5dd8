import { z } from 'zod';
import { answerEmpty, notFound, notInSource, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference, findPathKind, type PathKinds, refuseLinkKind } from '#sites/framework/site.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { splitPath } from '#extract/urls/url-parts.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import {
  getPath,
  toBoolean,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toNatural,
  secondsToMs,
  toText,
} from '#extract/values/raw.ts';
import { HOME } from './site.ts';

export const AccountInput = z.object({
  username: z.string().min(1).max(100).optional().describe('With or without @; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the profile'),
});

export type AccountInput = z.output<typeof AccountInput>;

export const VideoInput = z.object({
  id: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('The number of the video, or its address; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the video'),
});

export type VideoInput = z.output<typeof VideoInput>;
export type SiteLocator = Pick<SiteContext, 'locate'>;

const USERNAME = /^[\w.]{2,24}$/;
const VIDEO_ID = /^\d{10,25}$/;

const PATH_KINDS: PathKinds = [
  [/^\/@[^/]*\/video\//, 'a video'],
  [/^\/@[^/]*\/photo\//, 'a series of pictures'],
  [/^\/@[^/]*\/live\b/, 'a broadcast'],
  [/^\/@/, 'a profile'],
  [/^\/tag\//, 'a hashtag'],
  [/^\/music\//, 'a sound'],
  [/^\/(?:search|discover)\b/, 'a search'],
  [/^\/t\//, 'what somebody shares'],
];

/** Refuses an address of another kind, and names that kind. Throws `invalid_request`. */
export function refuseAddress(parameter: string, path: string | undefined, wanted: string): never {
  return refuseLinkKind({ parameter, kind: findPathKind(PATH_KINDS, path ?? ''), wanted });
}

/** Reads the wanted username, in lower case. Throws `not_found`, and `invalid_request` for an address of another kind. */
export function readUsername({ username, url }: AccountInput, site: SiteLocator): string {
  if (username !== undefined) {
    const name = username.trim().replace(/^@/, '').toLowerCase();
    return USERNAME.test(name) ? name : refuseReference('username', 'is not a user name of this site');
  }
  const [first = ''] = splitPath(site.locate(url ?? '')?.path);
  const name = first.slice(1).toLowerCase();
  return first.startsWith('@') && USERNAME.test(name)
    ? name
    : refuseAddress('url', site.locate(url ?? '')?.path, 'a profile');
}

/** Reads the id of the wanted video. Throws `not_found`, and `invalid_request` for an address of another kind. */
export function readVideoId({ id, url }: VideoInput, site: SiteLocator): string {
  const reference = (id ?? url ?? '').trim();
  if (VIDEO_ID.test(reference)) return reference;
  const parts = splitPath(site.locate(reference)?.path);
  const kind = parts.findIndex((part) => part === 'video' || part === 'photo');
  const videoId = kind === -1 ? '' : (parts[kind + 1] ?? '');
  const legacy = /^(\d{10,25})\.html$/.exec(parts[0] === 'v' ? (parts[1] ?? '') : '')?.[1];
  if (VIDEO_ID.test(videoId)) return videoId;
  const name = id === undefined ? 'url' : 'id';
  if (legacy !== undefined) return legacy;
  return reference.includes('://')
    ? refuseAddress(name, site.locate(reference)?.path, 'a video')
    : refuseReference(name, 'is not a video of this site');
}

export const Text = z.string().nullable();
export const Count = z.int().min(0).nullable();
export const Author = z.object({
  id: Text,
  username: Text,
  name: Text,
  verified: z.boolean().nullable(),
  avatar_url: Text,
});

type VideoAuthor = z.output<typeof Author>;

/** A short video, or a series of pictures. */
export const Video = z.object({
  id: z.string(),
  url: z.string(),
  type: z.enum(['video', 'photos']),
  description: Text,
  author: Author,
  created_at: Text,
  duration_ms: Count,
  width: Count,
  height: Count,
  cover_url: Text,
  video_url: Text,
  images: z.array(z.string()).readonly().describe('Pictures of a slide show'),
  music: z
    .object({ id: Text, title: Text, author: Text, duration_ms: Count, is_original: z.boolean().nullable() })
    .nullable(),
  view_count: Count,
  like_count: Count,
  comment_count: Count,
  share_count: Count,
  save_count: Count,
  repost_count: Count,
  hashtags: z.array(z.string()).readonly(),
  mentions: z.array(z.string()).readonly(),
  subtitles: z
    .array(z.object({ language: z.string(), format: Text, url: z.string() }))
    .readonly()
    .nullable(),
  language: Text,
  country: Text,
  is_ad: z.boolean().nullable(),
});

export type Video = z.output<typeof Video>;

/** Reads the section of a page's data with this name, such as `webapp.user-detail`. Undefined if there is none. */
export function readPageData({ body, url }: SourcePage, name: string): unknown {
  const data = findJsonScript(parsePage(body, url), { id: '__UNIVERSAL_DATA_FOR_REHYDRATION__' });
  return getPath(data, '__DEFAULT_SCOPE__', name);
}

/** Reads the state of a page in the format used before 2024. */
export function readLegacyState({ body, url }: SourcePage): unknown {
  return findJsonScript(parsePage(body, url), { id: 'SIGI_STATE' });
}

const REFUSAL_REASONS: ReadonlyMap<number, string> = new Map([
  [10202, 'there is no such account'],
  [10221, 'the account is banned or gone'],
  [10222, 'the account is private'],
  [10204, 'the video is not available'],
  [10215, 'the video is private'],
  [10216, 'the video is private'],
  [10231, 'the video is not shown in this country'],
]);

/** Converts an error code of the site to an answer. Null if there is no error. */
export function readRefusal(part: unknown): SiteAnswer | null {
  const code = toInteger(getPath(part, 'statusCode'));
  if (code === null || code === 0) return null;
  const reason = REFUSAL_REASONS.get(code);
  return reason === undefined ? notInSource(`the site answers ${code}`) : notFound(reason);
}

/** Parses the captured responses of a page: those of its list, or those of the named rule. */
export function parseCaptures({ captures }: SourcePage, rule?: string): readonly unknown[] {
  const wanted = captures.filter(({ name }) => (rule === undefined ? name !== 'detail' : name === rule));
  return wanted.map(({ text: content }) => parseJsonValue(content)).filter((answer) => answer !== undefined);
}

/**
 * Reads the videos that a page loaded while it was scrolled. `isMeant` selects those of the wanted profile or hashtag,
 * because a page suggests others, too.
 */
export function readVideos(
  page: SourcePage,
  isMeant: (clip: Video) => boolean,
): { readonly clips: readonly Video[]; readonly hasMore: boolean } | SiteAnswer {
  const answers = parseCaptures(page);
  if (answers.length === 0) return unusable('no list of videos: the page loaded none');
  const videos = new Map<string, Video>();
  for (const answer of answers)
    for (const holder of findObjectsWith(answer, 'id', 'video')) {
      const clip = parseVideo(holder);
      if (clip !== null && isMeant(clip) && !videos.has(clip.id)) videos.set(clip.id, clip);
    }
  if (videos.size > 0) return { clips: [...videos.values()], hasMore: hasMore(answers) };
  return answers.every(isEmptyAnswer) ? answerEmpty() : unusable('no readable videos');
}

/** Whether the last response of a list reports that there is more. */
export function hasMore(answers: readonly unknown[]): boolean {
  const last = getPath(answers.at(-1), 'hasMore') ?? getPath(answers.at(-1), 'has_more');
  return last === true || last === 1;
}

/** Whether the interface answers without an error and with nothing. */
export function isEmptyAnswer(answer: unknown): boolean {
  const code = toInteger(getPath(answer, 'statusCode') ?? getPath(answer, 'status_code'));
  const lists = ['itemList', 'item_list', 'data', 'comments'].map((name) => getPath(answer, name));
  return code === 0 && lists.every((one) => toArray(one).length === 0) && !hasMore([answer]);
}

/** Parses a video of a page or list. Null if it has no id. */
export function parseVideo(raw: unknown): Video | null {
  const id = toLine(getPath(raw, 'id'));
  const author = parseAuthor(raw);
  const hasContent = getPath(raw, 'desc') !== undefined || getPath(raw, 'video') !== undefined;
  if (id === null || !/^\d{5,25}$/.test(id) || !hasContent) return null;
  const video = getPath(raw, 'video');
  const stat = (name: string): number | null =>
    toNatural(getPath(raw, 'statsV2', name)) ?? toNatural(getPath(raw, 'stats', name));
  const extras = [
    ...toArray(getPath(raw, 'textExtra')),
    ...toArray(getPath(raw, 'contents')).flatMap((one) => toArray(getPath(one, 'textExtra'))),
  ];
  const tags = [
    ...extras.map((one) => getPath(one, 'hashtagName')),
    ...toArray(getPath(raw, 'challenges')).map((one) => getPath(one, 'title')),
  ];
  const images = toArray(getPath(raw, 'imagePost', 'images')).flatMap(
    (one) => toMediaUrl(getPath(one, 'imageURL', 'urlList', 0), HOME) ?? [],
  );
  return {
    id,
    url: `${HOME}/@${author.username ?? ''}/${images.length > 0 ? 'photo' : 'video'}/${id}`,
    type: images.length > 0 ? 'photos' : 'video',
    description: toText(getPath(raw, 'desc')),
    author,
    created_at: parseTime(getPath(raw, 'createTime')),
    duration_ms: images.length > 0 ? null : secondsToMs(getPath(video, 'duration')),
    width: parsePositive(getPath(video, 'width')),
    height: parsePositive(getPath(video, 'height')),
    cover_url: toMediaUrl(getPath(video, 'originCover') ?? getPath(video, 'cover'), HOME),
    video_url: toMediaUrl(toLine(getPath(video, 'playAddr')), HOME),
    images,
    music: parseMusic(getPath(raw, 'music')),
    view_count: stat('playCount'),
    like_count: stat('diggCount'),
    comment_count: stat('commentCount'),
    share_count: stat('shareCount'),
    save_count: stat('collectCount'),
    repost_count: stat('repostCount'),
    hashtags: listUnique(tags),
    mentions: listUnique(extras.map((one) => getPath(one, 'userUniqueId'))),
    subtitles: parseSubtitles(video),
    language: parseLanguage(getPath(raw, 'textLanguage')),
    country: toLine(getPath(raw, 'locationCreated')),
    is_ad: toBoolean(getPath(raw, 'isAd')),
  };
}

/** Parses the author, which is an object, or in older lists a name next to other members. */
function parseAuthor(raw: unknown): VideoAuthor {
  const author = getPath(raw, 'author');
  const flat = typeof author === 'string';
  return {
    id: toLine(flat ? getPath(raw, 'authorId') : getPath(author, 'id')),
    username: toLine(flat ? author : getPath(author, 'uniqueId')),
    name: toLine(flat ? getPath(raw, 'nickname') : getPath(author, 'nickname')),
    verified: flat ? null : toBoolean(getPath(author, 'verified')),
    avatar_url: toMediaUrl(
      flat ? getPath(raw, 'avatarThumb') : (getPath(author, 'avatarLarger') ?? getPath(author, 'avatarThumb')),
      HOME,
    ),
  };
}

function parseMusic(raw: unknown): Video['music'] {
  const [id, title] = [toLine(getPath(raw, 'id')), toLine(getPath(raw, 'title'))];
  if (id === null && title === null) return null;
  return {
    id,
    title,
    author: toLine(getPath(raw, 'authorName')),
    duration_ms: secondsToMs(getPath(raw, 'duration')),
    is_original: toBoolean(getPath(raw, 'original')),
  };
}

function parseSubtitles(video: unknown): Video['subtitles'] {
  const subtitleInfos = getPath(video, 'subtitleInfos');
  if (!Array.isArray(subtitleInfos)) return null;
  return toArray(subtitleInfos).flatMap((one) => {
    const language = toLine(getPath(one, 'LanguageCodeName'));
    const address = toMediaUrl(getPath(one, 'Url'), HOME);
    return language === null || address === null
      ? []
      : [{ language, format: toLine(getPath(one, 'Format')), url: address }];
  });
}

/** Parses a Unix timestamp, which is 0 if the time is unknown. */
export function parseTime(raw: unknown): string | null {
  const count = toInteger(raw);
  return count === null || count === 0 ? null : toTimestamp(count);
}

function parsePositive(raw: unknown): number | null {
  const value = toInteger(raw);
  return value === null || value <= 0 ? null : value;
}

export function parseLanguage(raw: unknown): string | null {
  const code = toLine(raw);
  return code === 'un' ? null : code;
}

function listUnique(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.flatMap((value) => toLine(value) ?? []))];
}
