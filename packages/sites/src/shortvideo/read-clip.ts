import {
  at,
  boolean,
  homepage,
  integer,
  line,
  list,
  mediaUrl,
  moment,
  natural,
  seconds,
  text,
} from '#extract/values/raw.ts';
import type { Clip, ClipAuthor, ClipComment, ClipProfile } from './clip-record.ts';
import { CLIP_HOME } from './site.ts';

/** A person, with the counts that stand beside: those of the second version are exact. */
export function readClipProfile(info: unknown): ClipProfile | null {
  const user = at(info, 'user');
  const id = line(at(user, 'id'));
  const username = line(at(user, 'uniqueId'));
  if (id === null || username === null) return null;
  const stat = (name: string): number | null => natural(at(info, 'statsV2', name)) ?? natural(at(info, 'stats', name));
  return {
    id,
    username,
    name: line(at(user, 'nickname')),
    url: `${CLIP_HOME}/@${username}`,
    description: text(at(user, 'signature')),
    website: homepage(at(user, 'bioLink', 'link'), CLIP_HOME),
    avatar_url: mediaUrl(at(user, 'avatarLarger') ?? at(user, 'avatarMedium'), CLIP_HOME),
    verified: boolean(at(user, 'verified')),
    is_private: boolean(at(user, 'privateAccount')),
    language: line(at(user, 'language')),
    followers: stat('followerCount'),
    following: stat('followingCount'),
    like_count: stat('heartCount') ?? stat('heart'),
    video_count: stat('videoCount'),
    created_at: momentOf(at(user, 'createTime')),
  };
}

/** A video as pages and lists have it; null without an id. */
export function readClip(raw: unknown): Clip | null {
  const id = line(at(raw, 'id'));
  const author = authorOf(raw);
  const hasContent = at(raw, 'desc') !== undefined || at(raw, 'video') !== undefined;
  if (id === null || !/^\d{5,25}$/.test(id) || !hasContent) return null;
  const video = at(raw, 'video');
  const stat = (name: string): number | null => natural(at(raw, 'statsV2', name)) ?? natural(at(raw, 'stats', name));
  const extras = [
    ...list(at(raw, 'textExtra')),
    ...list(at(raw, 'contents')).flatMap((one) => list(at(one, 'textExtra'))),
  ];
  const tags = [
    ...extras.map((one) => at(one, 'hashtagName')),
    ...list(at(raw, 'challenges')).map((one) => at(one, 'title')),
  ];
  const images = list(at(raw, 'imagePost', 'images')).flatMap(
    (one) => mediaUrl(at(one, 'imageURL', 'urlList', 0), CLIP_HOME) ?? [],
  );
  return {
    id,
    url: `${CLIP_HOME}/@${author.username ?? ''}/${images.length > 0 ? 'photo' : 'video'}/${id}`,
    type: images.length > 0 ? 'photos' : 'video',
    description: text(at(raw, 'desc')),
    author,
    created_at: momentOf(at(raw, 'createTime')),
    duration_ms: images.length > 0 ? null : seconds(at(video, 'duration')),
    width: positive(at(video, 'width')),
    height: positive(at(video, 'height')),
    cover_url: mediaUrl(at(video, 'originCover') ?? at(video, 'cover'), CLIP_HOME),
    video_url: mediaUrl(line(at(video, 'playAddr')), CLIP_HOME),
    images,
    music: musicOf(at(raw, 'music')),
    view_count: stat('playCount'),
    like_count: stat('diggCount'),
    comment_count: stat('commentCount'),
    share_count: stat('shareCount'),
    save_count: stat('collectCount'),
    repost_count: stat('repostCount'),
    hashtags: unique(tags),
    mentions: unique(extras.map((one) => at(one, 'userUniqueId'))),
    subtitles: subtitlesOf(video),
    language: languageOf(at(raw, 'textLanguage')),
    country: line(at(raw, 'locationCreated')),
    is_ad: boolean(at(raw, 'isAd')),
  };
}

/** The author is an object, or in older lists a name with members beside it. */
function authorOf(raw: unknown): ClipAuthor {
  const author = at(raw, 'author');
  const flat = typeof author === 'string';
  return {
    id: line(flat ? at(raw, 'authorId') : at(author, 'id')),
    username: line(flat ? author : at(author, 'uniqueId')),
    name: line(flat ? at(raw, 'nickname') : at(author, 'nickname')),
    verified: flat ? null : boolean(at(author, 'verified')),
    avatar_url: mediaUrl(
      flat ? at(raw, 'avatarThumb') : (at(author, 'avatarLarger') ?? at(author, 'avatarThumb')),
      CLIP_HOME,
    ),
  };
}

function musicOf(raw: unknown): Clip['music'] {
  const [id, title] = [line(at(raw, 'id')), line(at(raw, 'title'))];
  if (id === null && title === null) return null;
  return {
    id,
    title,
    author: line(at(raw, 'authorName')),
    duration_ms: seconds(at(raw, 'duration')),
    is_original: boolean(at(raw, 'original')),
  };
}

function subtitlesOf(video: unknown): Clip['subtitles'] {
  const given = at(video, 'subtitleInfos');
  if (!Array.isArray(given)) return null;
  return list(given).flatMap((one) => {
    const language = line(at(one, 'LanguageCodeName'));
    const address = mediaUrl(at(one, 'Url'), CLIP_HOME);
    return language === null || address === null ? [] : [{ language, format: line(at(one, 'Format')), url: address }];
  });
}

/** A comment as the list of comments has it. */
export function readClipComment(raw: unknown): ClipComment | null {
  const id = line(at(raw, 'cid'));
  if (id === null) return null;
  const user = at(raw, 'user');
  return {
    id,
    video_id: line(at(raw, 'aweme_id')),
    text: text(at(raw, 'text')),
    author: {
      id: line(at(user, 'uid')),
      username: line(at(user, 'unique_id')),
      name: line(at(user, 'nickname')),
      verified: null,
      avatar_url: mediaUrl(at(user, 'avatar_thumb', 'url_list', 0), CLIP_HOME),
    },
    created_at: momentOf(at(raw, 'create_time')),
    language: languageOf(at(raw, 'comment_language')),
    like_count: natural(at(raw, 'digg_count')),
    reply_count: natural(at(raw, 'reply_comment_total')),
    is_pinned: boolean(at(raw, 'author_pin')),
  };
}

/** Seconds since 1970, 0 where nobody knows. */
function momentOf(raw: unknown): string | null {
  const given = integer(raw);
  return given === null || given === 0 ? null : moment(given);
}

function positive(raw: unknown): number | null {
  const value = integer(raw);
  return value === null || value <= 0 ? null : value;
}

function languageOf(raw: unknown): string | null {
  const code = line(raw);
  return code === 'un' ? null : code;
}

function unique(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.flatMap((value) => line(value) ?? []))];
}
