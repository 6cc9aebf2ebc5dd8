import { decodeHTML } from 'entities';
import { at, boolean, integer, line, list, mediaUrl, moment, natural, text, url } from '#extract/values/raw.ts';
import { toQuoted } from './records.ts';
import type { MicroAuthor, MicroMedia, MicroPost, MicroProfile } from './records.ts';
import { NETWORK_HOMES } from './site.ts';

const HOME = NETWORK_HOMES.x;
const DEEPEST = 2;
/** Links of one post that are put in the place of short ones. */
const MOST_LINKS = 100;

/** The account in any of the shapes that the site has had: split into parts, in one `legacy` object, or flat. */
export function toXProfile(raw: unknown): MicroProfile | null {
  const old = at(raw, 'legacy') ?? raw;
  const author = toXAuthor(raw);
  if (author === null || author.id === null) return null;
  const site = at(raw, 'profile_bio', 'entities', 'url', 'urls', 0) ?? at(old, 'entities', 'url', 'urls', 0);
  return {
    ...author,
    id: author.id,
    url: `${HOME}/${author.username}`,
    network: 'x',
    description: plain(at(raw, 'profile_bio', 'description') ?? at(old, 'description')),
    location: line(at(raw, 'location', 'location') ?? at(old, 'location')),
    website: url(at(site, 'expanded_url'), HOME),
    followers: natural(at(raw, 'relationship_counts', 'followers') ?? at(old, 'followers_count')),
    following: natural(at(raw, 'relationship_counts', 'following') ?? at(old, 'friends_count')),
    post_count: natural(at(raw, 'tweet_counts', 'tweets') ?? at(old, 'statuses_count')),
    created_at: dateOf(at(raw, 'core', 'created_at') ?? at(old, 'created_at')),
    banner_url: mediaUrl(at(raw, 'banner', 'image_url') ?? at(old, 'profile_banner_url'), HOME),
    is_protected: boolean(at(raw, 'privacy', 'protected') ?? at(old, 'protected')),
  };
}

function toXAuthor(raw: unknown): MicroAuthor | null {
  const old = at(raw, 'legacy') ?? raw;
  const username = line(at(raw, 'core', 'screen_name') ?? at(old, 'screen_name'));
  if (username === null) return null;
  const marks = [at(raw, 'is_blue_verified'), at(raw, 'verification', 'verified'), at(old, 'verified')];
  const known = marks.map(boolean).filter((mark) => mark !== null);
  return {
    id: line(at(raw, 'rest_id') ?? at(raw, 'id_str')),
    username,
    name: plain(at(raw, 'core', 'name') ?? at(old, 'name')),
    verified: known.length === 0 ? null : known.includes(true),
    avatar_url: mediaUrl(at(raw, 'avatar', 'image_url') ?? at(old, 'profile_image_url_https'), HOME),
  };
}

/** A post in any of the shapes that the site has had; null for one that may not be seen. */
export function toXPost(given: unknown, depth = 0): MicroPost | null {
  const raw = at(given, 'tweet') ?? given;
  const old = at(raw, 'legacy') ?? raw;
  const shared = at(old, 'retweeted_status_result', 'result') ?? at(raw, 'retweeted_status');
  if (shared !== undefined) {
    const original = depth < DEEPEST ? toXPost(shared, depth + 1) : null;
    return original === null ? null : { ...original, is_repost: true };
  }
  const id = line(at(raw, 'rest_id') ?? at(old, 'id_str'));
  const author = toXAuthor(at(raw, 'core', 'user_results', 'result') ?? at(raw, 'user'));
  if (id === null || author === null || old === undefined) return null;
  const note = at(raw, 'note_tweet', 'note_tweet_results', 'result');
  const entities = at(note, 'entity_set') ?? at(old, 'entities');
  const media = list(at(old, 'extended_entities', 'media') ?? at(raw, 'mediaDetails') ?? at(old, 'entities', 'media'));
  const quoted = at(raw, 'quoted_status_result', 'result') ?? at(raw, 'quoted_tweet') ?? at(raw, 'quoted_status');
  const repliesTo = line(at(old, 'in_reply_to_status_id_str'));
  const articleTitle = plain(at(raw, 'article', 'article_results', 'result', 'title'));
  return {
    id,
    url: `${HOME}/${author.username}/status/${id}`,
    text: articleTitle ?? wordsOf(at(note, 'text') ?? at(old, 'full_text') ?? at(old, 'text'), { entities, media }),
    author,
    created_at: dateOf(at(old, 'created_at')),
    language: languageOf(at(old, 'lang')),
    reply_count: natural(at(old, 'reply_count') ?? at(raw, 'conversation_count')),
    repost_count: natural(at(old, 'retweet_count')),
    quote_count: natural(at(old, 'quote_count')),
    like_count: natural(at(old, 'favorite_count')),
    view_count: natural(at(raw, 'views', 'count')),
    bookmark_count: natural(at(old, 'bookmark_count')),
    media: media.flatMap((one) => toMedia(one) ?? []),
    links: unique(list(at(entities, 'urls')).flatMap((one) => url(at(one, 'expanded_url'), HOME) ?? [])),
    hashtags: unique(list(at(entities, 'hashtags')).flatMap((one) => line(at(one, 'text')) ?? [])),
    mentions: unique(list(at(entities, 'user_mentions')).flatMap((one) => line(at(one, 'screen_name')) ?? [])),
    quoted_post: quoted === undefined || depth >= DEEPEST ? null : toQuoted(toXPost(quoted, depth + 1)),
    in_reply_to: repliesTo === null ? null : { id: repliesTo, username: line(at(old, 'in_reply_to_screen_name')) },
    is_repost: false,
  };
}

/** The words as they are read: short links are those that they lead to, and links to the post's own media are none. */
function wordsOf(
  raw: unknown,
  { entities, media }: { readonly entities: unknown; readonly media: readonly unknown[] },
): string | null {
  let words = text(raw) ?? '';
  for (const one of list(at(entities, 'urls')).slice(0, MOST_LINKS)) {
    const short = line(at(one, 'url'));
    const full = url(at(one, 'expanded_url'), HOME);
    if (short !== null && full !== null) words = words.replaceAll(short, full);
  }
  for (const one of media.slice(0, MOST_LINKS)) {
    const short = line(at(one, 'url'));
    if (short?.startsWith('https://t.co/') === true) words = words.replaceAll(short, '');
  }
  return plain(words);
}

function toMedia(raw: unknown): MicroMedia | null {
  const kind = line(at(raw, 'type'));
  const picture = mediaUrl(at(raw, 'media_url_https'), HOME);
  const files = list(at(raw, 'video_info', 'variants'))
    .filter((one) => line(at(one, 'content_type')) === 'video/mp4')
    .toSorted((one, other) => (integer(at(other, 'bitrate')) ?? 0) - (integer(at(one, 'bitrate')) ?? 0));
  const file = mediaUrl(at(files[0], 'url'), HOME) ?? picture;
  if (file === null) return null;
  return {
    type: kind === 'video' ? 'video' : kind === 'animated_gif' ? 'gif' : 'image',
    url: file,
    thumbnail_url: picture,
    width: natural(at(raw, 'original_info', 'width')),
    height: natural(at(raw, 'original_info', 'height')),
    duration_ms: natural(at(raw, 'video_info', 'duration_millis')),
    description: text(at(raw, 'ext_alt_text')),
  };
}

function plain(raw: unknown): string | null {
  const words = text(raw);
  return words === null ? null : text(decodeHTML(words));
}

/** Codes that begin with a q, and `und`, say that there is no language. */
function languageOf(raw: unknown): string | null {
  const code = line(raw);
  return code === null || /^(?:q..|und|zxx)$/.test(code) ? null : code;
}

/** ISO 8601, or `Sat Dec 14 04:35:55 +0000 2013`. */
function dateOf(raw: unknown): string | null {
  const given = line(raw);
  const [, month, day, time, zone, year] =
    /^\w{3} (\w{3}) (\d\d) ([\d:]{8}) ([+-]\d{4}) (\d{4})$/.exec(given ?? '') ?? [];
  return moment(year === undefined ? given : `${day} ${month} ${year} ${time} ${zone}`);
}

export function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
