import { at, integer, line, list, mediaUrl, moment, natural, text, url } from '#extract/values/raw.ts';
import { toQuoted } from './records.ts';
import type { MicroAuthor, MicroMedia, MicroPost, MicroProfile } from './records.ts';
import { NETWORK_HOMES } from './site.ts';
import { unique } from './tweet.ts';

const HOME = NETWORK_HOMES.bluesky;

export function toSkyProfile(raw: unknown): MicroProfile | null {
  const author = toAuthor(raw);
  if (author === null || author.id === null) return null;
  return {
    ...author,
    id: author.id,
    url: `${HOME}/profile/${author.username}`,
    network: 'bluesky',
    description: text(at(raw, 'description')),
    location: null,
    website: url(at(raw, 'website'), HOME),
    followers: natural(at(raw, 'followersCount')),
    following: natural(at(raw, 'followsCount')),
    post_count: natural(at(raw, 'postsCount')),
    created_at: moment(at(raw, 'createdAt')),
    banner_url: mediaUrl(at(raw, 'banner'), HOME),
    is_protected: false,
  };
}

function toAuthor(raw: unknown): MicroAuthor | null {
  const username = line(at(raw, 'handle'));
  if (username === null) return null;
  const status = line(at(raw, 'verification', 'verifiedStatus'));
  return {
    id: line(at(raw, 'did')),
    username,
    name: line(at(raw, 'displayName')),
    verified: status === null ? null : status === 'valid',
    avatar_url: mediaUrl(at(raw, 'avatar'), HOME),
  };
}

/** A post as the network's own view of it is; also one that another quotes. */
export function toSkyPost(raw: unknown, depth = 0): MicroPost | null {
  const uri = line(at(raw, 'uri'));
  const author = toAuthor(at(raw, 'author'));
  const record = at(raw, 'record') ?? at(raw, 'value');
  if (uri?.startsWith('at://') !== true || author === null || record === undefined) return null;
  const embeds = embedsOf(at(raw, 'embed') ?? at(raw, 'embeds', 0));
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
    url: `${HOME}/profile/${author.username}/post/${uri.split('/').at(-1)}`,
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
    media: embeds.flatMap(mediaOf),
    links: unique([...featured('link', 'uri'), ...cards].flatMap((one) => url(one, HOME) ?? [])),
    hashtags: unique(featured('tag', 'tag')),
    mentions: mentionsIn(record),
    quoted_post: quoted === undefined || depth > 0 ? null : toQuoted(toSkyPost(quoted, depth + 1)),
    in_reply_to: parent === null ? null : { id: parent, username: null },
    is_repost: false,
  };
}

/** What is attached to a post: one thing, or a quoted post with media beside it. */
function embedsOf(embed: unknown): readonly unknown[] {
  const media = at(embed, 'media');
  return embed === undefined ? [] : media === undefined ? [embed] : [embed, media];
}

function mediaOf(embed: unknown): readonly MicroMedia[] {
  const images = list(at(embed, 'images')).flatMap((one): readonly MicroMedia[] => {
    const full = mediaUrl(at(one, 'fullsize'), HOME);
    if (full === null) return [];
    return [{ ...frameOf(one), type: 'image', url: full, thumbnail_url: mediaUrl(at(one, 'thumb'), HOME) }];
  });
  const playlist = mediaUrl(at(embed, 'playlist'), HOME);
  if (playlist === null) return images;
  return [
    ...images,
    { ...frameOf(embed), type: 'video', url: playlist, thumbnail_url: mediaUrl(at(embed, 'thumbnail'), HOME) },
  ];
}

function frameOf(raw: unknown) {
  const [width, height] = [natural(at(raw, 'aspectRatio', 'width')), natural(at(raw, 'aspectRatio', 'height'))];
  return { width, height, duration_ms: null, description: text(at(raw, 'alt')) };
}

/** Mentions are stretches of the text, counted in bytes. */
function mentionsIn(record: unknown): readonly string[] {
  const given = at(record, 'text');
  const bytes = Buffer.from(typeof given === 'string' ? given : '', 'utf8');
  const found = list(at(record, 'facets')).flatMap((facet) => {
    const isMention = list(at(facet, 'features')).some((one) => line(at(one, '$type'))?.endsWith('#mention') === true);
    const [start, end] = [integer(at(facet, 'index', 'byteStart')), integer(at(facet, 'index', 'byteEnd'))];
    if (!isMention || start === null || end === null || start < 0 || end > bytes.length) return [];
    return line(bytes.subarray(start, end).toString('utf8'))?.replace(/^@/, '') ?? [];
  });
  return unique(found);
}
