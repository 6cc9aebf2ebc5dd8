import { at, integer, line, list, mediaUrl, moment, natural, text, url } from '#extract/values/raw.ts';
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
    description: text(at(raw, 'description')),
    location: null,
    website: url(at(raw, 'website'), BLUESKY_HOME),
    followers: natural(at(raw, 'followersCount')),
    following: natural(at(raw, 'followsCount')),
    post_count: natural(at(raw, 'postsCount')),
    created_at: moment(at(raw, 'createdAt')),
    banner_url: mediaUrl(at(raw, 'banner'), BLUESKY_HOME),
    is_protected: false,
  };
}

function toAuthor(raw: unknown): Author | null {
  const username = line(at(raw, 'handle'));
  if (username === null) return null;
  const status = line(at(raw, 'verification', 'verifiedStatus'));
  return {
    id: line(at(raw, 'did')),
    username,
    name: line(at(raw, 'displayName')),
    verified: status === null ? null : status === 'valid',
    avatar_url: mediaUrl(at(raw, 'avatar'), BLUESKY_HOME),
  };
}

/** Converts a post view or a quoted post of Bluesky. */
export function toBlueskyPost(raw: unknown, depth = 0): Post | null {
  const uri = line(at(raw, 'uri'));
  const author = toAuthor(at(raw, 'author'));
  const record = at(raw, 'record') ?? at(raw, 'value');
  if (uri?.startsWith('at://') !== true || author === null || record === undefined) return null;
  const embeds = listEmbeds(at(raw, 'embed') ?? at(raw, 'embeds', 0));
  const features = list(at(record, 'facets')).flatMap((facet) => list(at(facet, 'features')));
  const featured = (kind: string, name: string): readonly string[] =>
    features.flatMap((one) =>
      line(at(one, '$type'))?.endsWith(`#${kind}`) === true ? (line(at(one, name)) ?? []) : [],
    );
  const cards = embeds.flatMap((embed) => line(at(embed, 'external', 'uri')) ?? []);
  const quoted = embeds
    .map((embed) => at(embed, 'record', 'record') ?? at(embed, 'record'))
    .find((one) => at(one, 'uri') !== undefined);
  const parent = line(at(record, 'reply', 'parent', 'uri'));
  return {
    id: uri,
    url: `${BLUESKY_HOME}/profile/${author.username}/post/${uri.split('/').at(-1)}`,
    text: text(at(record, 'text')),
    author,
    created_at: moment(at(record, 'createdAt')),
    language: line(at(record, 'langs', 0)),
    reply_count: natural(at(raw, 'replyCount')),
    repost_count: natural(at(raw, 'repostCount')),
    quote_count: natural(at(raw, 'quoteCount')),
    like_count: natural(at(raw, 'likeCount')),
    view_count: null,
    bookmark_count: natural(at(raw, 'bookmarkCount')),
    media: embeds.flatMap(readMedia),
    links: listUnique([...featured('link', 'uri'), ...cards].flatMap((one) => url(one, BLUESKY_HOME) ?? [])),
    hashtags: listUnique(featured('tag', 'tag')),
    mentions: findMentions(record),
    quoted_post: quoted === undefined || depth > 0 ? null : toQuoted(toBlueskyPost(quoted, depth + 1)),
    in_reply_to: parent === null ? null : { id: parent, username: null },
    is_repost: false,
  };
}

/** Lists the embeds of a post: none, one, or a quoted post and its media. */
function listEmbeds(embed: unknown): readonly unknown[] {
  const media = at(embed, 'media');
  return embed === undefined ? [] : media === undefined ? [embed] : [embed, media];
}

function readMedia(embed: unknown): readonly Media[] {
  const images = list(at(embed, 'images')).flatMap((one): readonly Media[] => {
    const full = mediaUrl(at(one, 'fullsize'), BLUESKY_HOME);
    if (full === null) return [];
    return [{ ...readFrame(one), type: 'image', url: full, thumbnail_url: mediaUrl(at(one, 'thumb'), BLUESKY_HOME) }];
  });
  const playlist = mediaUrl(at(embed, 'playlist'), BLUESKY_HOME);
  if (playlist === null) return images;
  return [
    ...images,
    {
      ...readFrame(embed),
      type: 'video',
      url: playlist,
      thumbnail_url: mediaUrl(at(embed, 'thumbnail'), BLUESKY_HOME),
    },
  ];
}

function readFrame(raw: unknown) {
  const [width, height] = [natural(at(raw, 'aspectRatio', 'width')), natural(at(raw, 'aspectRatio', 'height'))];
  return { width, height, duration_ms: null, description: text(at(raw, 'alt')) };
}

/** Finds the mentions of a post. Their positions are byte offsets in the UTF-8 text. */
function findMentions(record: unknown): readonly string[] {
  const given = at(record, 'text');
  const bytes = Buffer.from(typeof given === 'string' ? given : '', 'utf8');
  const found = list(at(record, 'facets')).flatMap((facet) => {
    const isMention = list(at(facet, 'features')).some((one) => line(at(one, '$type'))?.endsWith('#mention') === true);
    const [start, end] = [integer(at(facet, 'index', 'byteStart')), integer(at(facet, 'index', 'byteEnd'))];
    if (!isMention || start === null || end === null || start < 0 || end > bytes.length) return [];
    return line(bytes.subarray(start, end).toString('utf8'))?.replace(/^@/, '') ?? [];
  });
  return listUnique(found);
}
