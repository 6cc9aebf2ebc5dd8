import { decodeHTML } from 'entities';
import { notFound } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { readLineAt } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
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
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import {
  type AccountInput,
  type Author,
  findAccount,
  listUnique,
  type Media,
  type Post,
  type Profile,
  toQuoted,
} from './shared.ts';
import { NETWORK_HOMES } from './site.ts';

export const X_HOME = NETWORK_HOMES.x;
const MAX_DEPTH = 2;
/** The number of short links in a post that are replaced by their targets. */
const MAX_LINKS = 100;

/** Converts an account in any form of the site: in parts, in one `legacy` object, or flat. */
export function toXProfile(raw: unknown): Profile | null {
  const old = getPath(raw, 'legacy') ?? raw;
  const author = toXAuthor(raw);
  if (author === null || author.id === null) return null;
  const site = getPath(raw, 'profile_bio', 'entities', 'url', 'urls', 0) ?? getPath(old, 'entities', 'url', 'urls', 0);
  return {
    ...author,
    id: author.id,
    url: `${X_HOME}/${author.username}`,
    network: 'x',
    description: decodeText(getPath(raw, 'profile_bio', 'description') ?? getPath(old, 'description')),
    location: toLine(getPath(raw, 'location', 'location') ?? getPath(old, 'location')),
    website: toCleanUrl(getPath(site, 'expanded_url'), X_HOME),
    followers: toNatural(getPath(raw, 'relationship_counts', 'followers') ?? getPath(old, 'followers_count')),
    following: toNatural(getPath(raw, 'relationship_counts', 'following') ?? getPath(old, 'friends_count')),
    post_count: toNatural(getPath(raw, 'tweet_counts', 'tweets') ?? getPath(old, 'statuses_count')),
    created_at: parseDate(getPath(raw, 'core', 'created_at') ?? getPath(old, 'created_at')),
    banner_url: toMediaUrl(getPath(raw, 'banner', 'image_url') ?? getPath(old, 'profile_banner_url'), X_HOME),
    is_protected: toBoolean(getPath(raw, 'privacy', 'protected') ?? getPath(old, 'protected')),
  };
}

function toXAuthor(raw: unknown): Author | null {
  const old = getPath(raw, 'legacy') ?? raw;
  const username = toLine(getPath(raw, 'core', 'screen_name') ?? getPath(old, 'screen_name'));
  if (username === null) return null;
  const marks = [getPath(raw, 'is_blue_verified'), getPath(raw, 'verification', 'verified'), getPath(old, 'verified')];
  const known = marks.map(toBoolean).filter((mark) => mark !== null);
  return {
    id: toLine(getPath(raw, 'rest_id') ?? getPath(raw, 'id_str')),
    username,
    name: decodeText(getPath(raw, 'core', 'name') ?? getPath(old, 'name')),
    verified: known.length === 0 ? null : known.includes(true),
    avatar_url: toMediaUrl(getPath(raw, 'avatar', 'image_url') ?? getPath(old, 'profile_image_url_https'), X_HOME),
  };
}

/** Converts a post in any form of the site; null if it is not visible. */
export function toXPost(given: unknown, depth = 0): Post | null {
  const raw = getPath(given, 'tweet') ?? given;
  const old = getPath(raw, 'legacy') ?? raw;
  const shared = getPath(old, 'retweeted_status_result', 'result') ?? getPath(raw, 'retweeted_status');
  if (shared !== undefined) {
    const original = depth < MAX_DEPTH ? toXPost(shared, depth + 1) : null;
    return original === null ? null : { ...original, is_repost: true };
  }
  const id = toLine(getPath(raw, 'rest_id') ?? getPath(old, 'id_str'));
  const author = toXAuthor(getPath(raw, 'core', 'user_results', 'result') ?? getPath(raw, 'user'));
  if (id === null || author === null || old === undefined) return null;
  const note = getPath(raw, 'note_tweet', 'note_tweet_results', 'result');
  const entities = getPath(note, 'entity_set') ?? getPath(old, 'entities');
  const media = toArray(
    getPath(old, 'extended_entities', 'media') ?? getPath(raw, 'mediaDetails') ?? getPath(old, 'entities', 'media'),
  );
  const quoted =
    getPath(raw, 'quoted_status_result', 'result') ?? getPath(raw, 'quoted_tweet') ?? getPath(raw, 'quoted_status');
  const repliesTo = toLine(getPath(old, 'in_reply_to_status_id_str'));
  const articleTitle = decodeText(getPath(raw, 'article', 'article_results', 'result', 'title'));
  return {
    id,
    url: `${X_HOME}/${author.username}/status/${id}`,
    text:
      articleTitle ??
      readText(getPath(note, 'text') ?? getPath(old, 'full_text') ?? getPath(old, 'text'), { entities, media }),
    author,
    created_at: parseDate(getPath(old, 'created_at')),
    language: readLanguage(getPath(old, 'lang')),
    reply_count: toNatural(getPath(old, 'reply_count') ?? getPath(raw, 'conversation_count')),
    repost_count: toNatural(getPath(old, 'retweet_count')),
    quote_count: toNatural(getPath(old, 'quote_count')),
    like_count: toNatural(getPath(old, 'favorite_count')),
    view_count: toNatural(getPath(raw, 'views', 'count')),
    bookmark_count: toNatural(getPath(old, 'bookmark_count')),
    media: media.flatMap((one) => toMedia(one) ?? []),
    links: listUnique(
      toArray(getPath(entities, 'urls')).flatMap((one) => toCleanUrl(getPath(one, 'expanded_url'), X_HOME) ?? []),
    ),
    hashtags: listUnique(toArray(getPath(entities, 'hashtags')).flatMap((one) => toLine(getPath(one, 'text')) ?? [])),
    mentions: listUnique(
      toArray(getPath(entities, 'user_mentions')).flatMap((one) => toLine(getPath(one, 'screen_name')) ?? []),
    ),
    quoted_post: quoted === undefined || depth >= MAX_DEPTH ? null : toQuoted(toXPost(quoted, depth + 1)),
    in_reply_to:
      repliesTo === null ? null : { id: repliesTo, username: toLine(getPath(old, 'in_reply_to_screen_name')) },
    is_repost: false,
  };
}

/** Reads the text of a post. Short links are replaced by their targets; links to the post's own media are removed. */
function readText(
  raw: unknown,
  { entities, media }: { readonly entities: unknown; readonly media: readonly unknown[] },
): string | null {
  let words = toText(raw) ?? '';
  for (const link of toArray(getPath(entities, 'urls')).slice(0, MAX_LINKS)) {
    const short = toLine(getPath(link, 'url'));
    const full = toCleanUrl(getPath(link, 'expanded_url'), X_HOME);
    if (short !== null && full !== null) words = words.replaceAll(short, full);
  }
  for (const item of media.slice(0, MAX_LINKS)) {
    const short = toLine(getPath(item, 'url'));
    if (short?.startsWith('https://t.co/') === true) words = words.replaceAll(short, '');
  }
  return decodeText(words);
}

function toMedia(raw: unknown): Media | null {
  const kind = toLine(getPath(raw, 'type'));
  const picture = toMediaUrl(getPath(raw, 'media_url_https'), X_HOME);
  const files = toArray(getPath(raw, 'video_info', 'variants'))
    .filter((one) => toLine(getPath(one, 'content_type')) === 'video/mp4')
    .toSorted((one, other) => (toInteger(getPath(other, 'bitrate')) ?? 0) - (toInteger(getPath(one, 'bitrate')) ?? 0));
  const file = toMediaUrl(getPath(files[0], 'url'), X_HOME) ?? picture;
  if (file === null) return null;
  return {
    type: kind === 'video' ? 'video' : kind === 'animated_gif' ? 'gif' : 'image',
    url: file,
    thumbnail_url: picture,
    width: toNatural(getPath(raw, 'original_info', 'width')),
    height: toNatural(getPath(raw, 'original_info', 'height')),
    duration_ms: toNatural(getPath(raw, 'video_info', 'duration_millis')),
    description: toText(getPath(raw, 'ext_alt_text')),
  };
}

function decodeText(raw: unknown): string | null {
  const words = toText(raw);
  return words === null ? null : toText(decodeHTML(words));
}

/** Reads a language code. Codes that begin with `q`, `und` and `zxx` mean that there is no language. */
function readLanguage(raw: unknown): string | null {
  const code = toLine(raw);
  return code === null || /^(?:q..|und|zxx)$/.test(code) ? null : code;
}

/** Parses a date in ISO 8601, or as `Sat Dec 14 04:35:55 +0000 2013`. */
function parseDate(raw: unknown): string | null {
  const text = toLine(raw);
  const [, month, day, time, zone, year] =
    /^\w{3} (\w{3}) (\d\d) ([\d:]{8}) ([+-]\d{4}) (\d{4})$/.exec(text ?? '') ?? [];
  return toTimestamp(year === undefined ? text : `${day} ${month} ${year} ${time} ${zone}`);
}

/** Reads the posts of API answers in order and without duplicates; null if no answer has a timeline. */
export function readXTimeline(answers: readonly unknown[]): readonly Post[] | null {
  const timelines = answers.flatMap((answer) => findObjectsWith(answer, 'instructions'));
  if (timelines.length === 0) return null;
  const posts = new Map<string, Post>();
  for (const timeline of timelines)
    for (const instruction of toArray(timeline['instructions']))
      for (const entry of [...readSingleEntry(instruction), ...toArray(getPath(instruction, 'entries'))])
        for (const raw of listTweets(entry)) {
          const post = toXPost(raw);
          if (post !== null && !posts.has(post.id)) posts.set(post.id, post);
        }
  return [...posts.values()];
}

/** Reads the entry of a pinned post, which is not part of the list. */
function readSingleEntry(instruction: unknown): readonly unknown[] {
  const entry = getPath(instruction, 'entry');
  return entry === undefined ? [] : [entry];
}

/** Lists the posts of an entry, without promoted posts and lists of people. */
function listTweets(entry: unknown): readonly unknown[] {
  if (toLine(getPath(entry, 'entryId'))?.startsWith('promoted') === true) return [];
  const content = getPath(entry, 'content');
  const holders = [content, ...toArray(getPath(content, 'items')).map((one) => getPath(one, 'item'))];
  return holders
    .map((holder) => getPath(holder, 'itemContent'))
    .filter((item) => isJsonObject(item) && getPath(item, 'promotedMetadata') === undefined)
    .flatMap((item) => getPath(item, 'tweet_results', 'result') ?? []);
}

/** Parses the answers that a page loads in a browser. */
export function parseCaptures({ captures }: SourcePage): readonly unknown[] {
  return captures.map((capture) => parseJsonValue(capture.text));
}

/** Builds the request of the timeline for other pages to embed. */
export function buildTimelineRequest(input: AccountInput, site: Parameters<typeof findAccount>[1]) {
  return {
    origin: 'timeline',
    path: `/srv/timeline-profile/screen-name/${findAccount(input, site).name}`,
  } as const;
}

export function readEmbeddedTimeline(source: SourcePage) {
  const props = getPath(
    findJsonScript(parsePage(source.body, source.url), { id: '__NEXT_DATA__' }),
    'props',
    'pageProps',
  );
  const entries = toArray(getPath(props, 'timeline', 'entries')).map((entry) => getPath(entry, 'content', 'tweet'));
  const owner = toLine(getPath(props, 'headerProps', 'screenName'))?.toLowerCase() ?? null;
  return { entries, owner, hasResults: toBoolean(getPath(props, 'contextProvider', 'hasResults')) };
}

export function findRemoval(page: ParsedPage) {
  const message =
    readLineAt(page, '[data-testid=empty_state_header_text]') ?? readLineAt(page, '[data-testid=error-detail]') ?? '';
  return /doesn.t exist|suspended|deleted|unavailable|limits who can/i.test(message)
    ? notFound(message.slice(0, 200))
    : null;
}
