import {
  getPath,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toNatural,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { type Author, listUnique, type Media, type Post, type Profile, toQuoted } from './shared.ts';
import { NETWORK_HOMES } from './site.ts';

/** The number of posts to request in one answer. */
export const BLUESKY_PAGE_SIZE = 50;

export const BLUESKY_HOME = NETWORK_HOMES.bluesky;

export function toBlueskyProfile(raw: unknown): Profile | null {
  const author = toAuthor(raw);
  if (author === null || author.id === null) return null;
  return {
    ...author,
    id: author.id,
    url: `${BLUESKY_HOME}/profile/${author.username}`,
    network: 'bluesky',
    description: toText(getPath(raw, 'description')),
    location: null,
    website: toCleanUrl(getPath(raw, 'website'), BLUESKY_HOME),
    followers: toNatural(getPath(raw, 'followersCount')),
    following: toNatural(getPath(raw, 'followsCount')),
    post_count: toNatural(getPath(raw, 'postsCount')),
    created_at: toTimestamp(getPath(raw, 'createdAt')),
    banner_url: toMediaUrl(getPath(raw, 'banner'), BLUESKY_HOME),
    is_protected: false,
  };
}

function toAuthor(raw: unknown): Author | null {
  const username = toLine(getPath(raw, 'handle'));
  if (username === null) return null;
  const status = toLine(getPath(raw, 'verification', 'verifiedStatus'));
  return {
    id: toLine(getPath(raw, 'did')),
    username,
    name: toLine(getPath(raw, 'displayName')),
    verified: status === null ? null : status === 'valid',
    avatar_url: toMediaUrl(getPath(raw, 'avatar'), BLUESKY_HOME),
  };
}

/** Converts a post view or a quoted post of Bluesky. */
export function toBlueskyPost(raw: unknown, depth = 0): Post | null {
  const uri = toLine(getPath(raw, 'uri'));
  const author = toAuthor(getPath(raw, 'author'));
  const record = getPath(raw, 'record') ?? getPath(raw, 'value');
  if (uri?.startsWith('at://') !== true || author === null || record === undefined) return null;
  const embeds = listEmbeds(getPath(raw, 'embed') ?? getPath(raw, 'embeds', 0));
  const features = toArray(getPath(record, 'facets')).flatMap((facet) => toArray(getPath(facet, 'features')));
  const featured = (kind: string, name: string): readonly string[] =>
    features.flatMap((one) =>
      toLine(getPath(one, '$type'))?.endsWith(`#${kind}`) === true ? (toLine(getPath(one, name)) ?? []) : [],
    );
  const cards = embeds.flatMap((embed) => toLine(getPath(embed, 'external', 'uri')) ?? []);
  const quoted = embeds
    .map((embed) => getPath(embed, 'record', 'record') ?? getPath(embed, 'record'))
    .find((one) => getPath(one, 'uri') !== undefined);
  const parent = toLine(getPath(record, 'reply', 'parent', 'uri'));
  return {
    id: uri,
    url: `${BLUESKY_HOME}/profile/${author.username}/post/${uri.split('/').at(-1)}`,
    text: toText(getPath(record, 'text')),
    author,
    created_at: toTimestamp(getPath(record, 'createdAt')),
    language: toLine(getPath(record, 'langs', 0)),
    reply_count: toNatural(getPath(raw, 'replyCount')),
    repost_count: toNatural(getPath(raw, 'repostCount')),
    quote_count: toNatural(getPath(raw, 'quoteCount')),
    like_count: toNatural(getPath(raw, 'likeCount')),
    view_count: null,
    bookmark_count: toNatural(getPath(raw, 'bookmarkCount')),
    media: embeds.flatMap(readMedia),
    links: listUnique([...featured('link', 'uri'), ...cards].flatMap((one) => toCleanUrl(one, BLUESKY_HOME) ?? [])),
    hashtags: listUnique(featured('tag', 'tag')),
    mentions: findMentions(record),
    quoted_post: quoted === undefined || depth > 0 ? null : toQuoted(toBlueskyPost(quoted, depth + 1)),
    in_reply_to: parent === null ? null : { id: parent, username: null },
    is_repost: false,
  };
}

/** Lists the embeds of a post: none, one, or a quoted post and its media. */
function listEmbeds(embed: unknown): readonly unknown[] {
  const media = getPath(embed, 'media');
  return embed === undefined ? [] : media === undefined ? [embed] : [embed, media];
}

function readMedia(embed: unknown): readonly Media[] {
  const images = toArray(getPath(embed, 'images')).flatMap((one): readonly Media[] => {
    const full = toMediaUrl(getPath(one, 'fullsize'), BLUESKY_HOME);
    if (full === null) return [];
    return [
      { ...readFrame(one), type: 'image', url: full, thumbnail_url: toMediaUrl(getPath(one, 'thumb'), BLUESKY_HOME) },
    ];
  });
  const playlist = toMediaUrl(getPath(embed, 'playlist'), BLUESKY_HOME);
  if (playlist === null) return images;
  return [
    ...images,
    {
      ...readFrame(embed),
      type: 'video',
      url: playlist,
      thumbnail_url: toMediaUrl(getPath(embed, 'thumbnail'), BLUESKY_HOME),
    },
  ];
}

function readFrame(raw: unknown) {
  const [width, height] = [
    toNatural(getPath(raw, 'aspectRatio', 'width')),
    toNatural(getPath(raw, 'aspectRatio', 'height')),
  ];
  return { width, height, duration_ms: null, description: toText(getPath(raw, 'alt')) };
}

/** Finds the mentions of a post. Their positions are byte offsets in the UTF-8 text. */
function findMentions(record: unknown): readonly string[] {
  const text = getPath(record, 'text');
  const bytes = Buffer.from(typeof text === 'string' ? text : '', 'utf8');
  const facets = toArray(getPath(record, 'facets')).flatMap((facet) => {
    const isMention = toArray(getPath(facet, 'features')).some(
      (one) => toLine(getPath(one, '$type'))?.endsWith('#mention') === true,
    );
    const [start, end] = [
      toInteger(getPath(facet, 'index', 'byteStart')),
      toInteger(getPath(facet, 'index', 'byteEnd')),
    ];
    if (!isMention || start === null || end === null || start < 0 || end > bytes.length) return [];
    return toLine(bytes.subarray(start, end).toString('utf8'))?.replace(/^@/, '') ?? [];
  });
  return listUnique(facets);
}
