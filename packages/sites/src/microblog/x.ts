import { decodeHTML } from 'entities';
import { notFound } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { findWith } from '#extract/json/search.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, integer, line, list, mediaUrl, moment, natural, text, url } from '#extract/values/raw.ts';
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
  const old = at(raw, 'legacy') ?? raw;
  const author = toXAuthor(raw);
  if (author === null || author.id === null) return null;
  const site = at(raw, 'profile_bio', 'entities', 'url', 'urls', 0) ?? at(old, 'entities', 'url', 'urls', 0);
  return {
    ...author,
    id: author.id,
    url: `${X_HOME}/${author.username}`,
    network: 'x',
    description: decodeText(at(raw, 'profile_bio', 'description') ?? at(old, 'description')),
    location: line(at(raw, 'location', 'location') ?? at(old, 'location')),
    website: url(at(site, 'expanded_url'), X_HOME),
    followers: natural(at(raw, 'relationship_counts', 'followers') ?? at(old, 'followers_count')),
    following: natural(at(raw, 'relationship_counts', 'following') ?? at(old, 'friends_count')),
    post_count: natural(at(raw, 'tweet_counts', 'tweets') ?? at(old, 'statuses_count')),
    created_at: parseDate(at(raw, 'core', 'created_at') ?? at(old, 'created_at')),
    banner_url: mediaUrl(at(raw, 'banner', 'image_url') ?? at(old, 'profile_banner_url'), X_HOME),
    is_protected: boolean(at(raw, 'privacy', 'protected') ?? at(old, 'protected')),
  };
}

function toXAuthor(raw: unknown): Author | null {
  const old = at(raw, 'legacy') ?? raw;
  const username = line(at(raw, 'core', 'screen_name') ?? at(old, 'screen_name'));
  if (username === null) return null;
  const marks = [at(raw, 'is_blue_verified'), at(raw, 'verification', 'verified'), at(old, 'verified')];
  const known = marks.map(boolean).filter((mark) => mark !== null);
  return {
    id: line(at(raw, 'rest_id') ?? at(raw, 'id_str')),
    username,
    name: decodeText(at(raw, 'core', 'name') ?? at(old, 'name')),
    verified: known.length === 0 ? null : known.includes(true),
    avatar_url: mediaUrl(at(raw, 'avatar', 'image_url') ?? at(old, 'profile_image_url_https'), X_HOME),
  };
}

/** Converts a post in any form of the site; null if it is not visible. */
export function toXPost(given: unknown, depth = 0): Post | null {
  const raw = at(given, 'tweet') ?? given;
  const old = at(raw, 'legacy') ?? raw;
  const shared = at(old, 'retweeted_status_result', 'result') ?? at(raw, 'retweeted_status');
  if (shared !== undefined) {
    const original = depth < MAX_DEPTH ? toXPost(shared, depth + 1) : null;
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
  const articleTitle = decodeText(at(raw, 'article', 'article_results', 'result', 'title'));
  return {
    id,
    url: `${X_HOME}/${author.username}/status/${id}`,
    text: articleTitle ?? readText(at(note, 'text') ?? at(old, 'full_text') ?? at(old, 'text'), { entities, media }),
    author,
    created_at: parseDate(at(old, 'created_at')),
    language: readLanguage(at(old, 'lang')),
    reply_count: natural(at(old, 'reply_count') ?? at(raw, 'conversation_count')),
    repost_count: natural(at(old, 'retweet_count')),
    quote_count: natural(at(old, 'quote_count')),
    like_count: natural(at(old, 'favorite_count')),
    view_count: natural(at(raw, 'views', 'count')),
    bookmark_count: natural(at(old, 'bookmark_count')),
    media: media.flatMap((one) => toMedia(one) ?? []),
    links: listUnique(list(at(entities, 'urls')).flatMap((one) => url(at(one, 'expanded_url'), X_HOME) ?? [])),
    hashtags: listUnique(list(at(entities, 'hashtags')).flatMap((one) => line(at(one, 'text')) ?? [])),
    mentions: listUnique(list(at(entities, 'user_mentions')).flatMap((one) => line(at(one, 'screen_name')) ?? [])),
    quoted_post: quoted === undefined || depth >= MAX_DEPTH ? null : toQuoted(toXPost(quoted, depth + 1)),
    in_reply_to: repliesTo === null ? null : { id: repliesTo, username: line(at(old, 'in_reply_to_screen_name')) },
    is_repost: false,
  };
}

/** Reads the text of a post. Short links are replaced by their targets; links to the post's own media are removed. */
function readText(
  raw: unknown,
  { entities, media }: { readonly entities: unknown; readonly media: readonly unknown[] },
): string | null {
  let words = text(raw) ?? '';
  for (const one of list(at(entities, 'urls')).slice(0, MAX_LINKS)) {
    const short = line(at(one, 'url'));
    const full = url(at(one, 'expanded_url'), X_HOME);
    if (short !== null && full !== null) words = words.replaceAll(short, full);
  }
  for (const one of media.slice(0, MAX_LINKS)) {
    const short = line(at(one, 'url'));
    if (short?.startsWith('https://t.co/') === true) words = words.replaceAll(short, '');
  }
  return decodeText(words);
}

function toMedia(raw: unknown): Media | null {
  const kind = line(at(raw, 'type'));
  const picture = mediaUrl(at(raw, 'media_url_https'), X_HOME);
  const files = list(at(raw, 'video_info', 'variants'))
    .filter((one) => line(at(one, 'content_type')) === 'video/mp4')
    .toSorted((one, other) => (integer(at(other, 'bitrate')) ?? 0) - (integer(at(one, 'bitrate')) ?? 0));
  const file = mediaUrl(at(files[0], 'url'), X_HOME) ?? picture;
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

function decodeText(raw: unknown): string | null {
  const words = text(raw);
  return words === null ? null : text(decodeHTML(words));
}

/** Reads a language code. Codes that begin with `q`, `und` and `zxx` mean that there is no language. */
function readLanguage(raw: unknown): string | null {
  const code = line(raw);
  return code === null || /^(?:q..|und|zxx)$/.test(code) ? null : code;
}

/** Parses a date in ISO 8601, or as `Sat Dec 14 04:35:55 +0000 2013`. */
function parseDate(raw: unknown): string | null {
  const given = line(raw);
  const [, month, day, time, zone, year] =
    /^\w{3} (\w{3}) (\d\d) ([\d:]{8}) ([+-]\d{4}) (\d{4})$/.exec(given ?? '') ?? [];
  return moment(year === undefined ? given : `${day} ${month} ${year} ${time} ${zone}`);
}

/** Reads the posts of API answers in order and without duplicates; null if no answer has a timeline. */
export function readXTimeline(answers: readonly unknown[]): readonly Post[] | null {
  const timelines = answers.flatMap((answer) => findWith(answer, 'instructions'));
  if (timelines.length === 0) return null;
  const posts = new Map<string, Post>();
  for (const timeline of timelines)
    for (const instruction of list(timeline['instructions']))
      for (const entry of [...readSingleEntry(instruction), ...list(at(instruction, 'entries'))])
        for (const raw of listTweets(entry)) {
          const post = toXPost(raw);
          if (post !== null && !posts.has(post.id)) posts.set(post.id, post);
        }
  return [...posts.values()];
}

/** Reads the entry of a pinned post, which is not part of the list. */
function readSingleEntry(instruction: unknown): readonly unknown[] {
  const entry = at(instruction, 'entry');
  return entry === undefined ? [] : [entry];
}

/** Lists the posts of an entry, without promoted posts and lists of people. */
function listTweets(entry: unknown): readonly unknown[] {
  if (line(at(entry, 'entryId'))?.startsWith('promoted') === true) return [];
  const content = at(entry, 'content');
  const holders = [content, ...list(at(content, 'items')).map((one) => at(one, 'item'))];
  return holders
    .map((holder) => at(holder, 'itemContent'))
    .filter((item) => isJsonObject(item) && at(item, 'promotedMetadata') === undefined)
    .flatMap((item) => at(item, 'tweet_results', 'result') ?? []);
}

/** Parses the answers that a page loads in a browser. */
export function parseCaptures({ captures }: SourcePage): readonly unknown[] {
  return captures.map((capture) => tryParse(capture.text));
}

/** Builds the request of the timeline for other pages to embed. */
export function buildTimelineRequest(input: AccountInput, site: Parameters<typeof findAccount>[1]) {
  return {
    origin: 'timeline',
    path: `/srv/timeline-profile/screen-name/${findAccount(input, site).name}`,
  } as const;
}

export function readEmbeddedTimeline(source: SourcePage) {
  const props = at(jsonScript(parsePage(source.body, source.url), { id: '__NEXT_DATA__' }), 'props', 'pageProps');
  const entries = list(at(props, 'timeline', 'entries')).map((entry) => at(entry, 'content', 'tweet'));
  const owner = line(at(props, 'headerProps', 'screenName'))?.toLowerCase() ?? null;
  return { entries, owner, hasResults: boolean(at(props, 'contextProvider', 'hasResults')) };
}

export function findRemoval(page: ParsedPage) {
  const message =
    lineAt(page, '[data-testid=empty_state_header_text]') ?? lineAt(page, '[data-testid=error-detail]') ?? '';
  return /doesn.t exist|suspended|deleted|unavailable|limits who can/i.test(message)
    ? notFound(message.slice(0, 200))
    : null;
}
