import { readRich } from '#extract/dom/elements.ts';
import { at, boolean, line, list, mediaUrl, moment, natural, seconds, text, url } from '#extract/values/raw.ts';
import { toQuoted } from './records.ts';
import type { MicroAuthor, MicroMedia, MicroPost, MicroProfile } from './records.ts';
import { NETWORK_HOMES } from './site.ts';
import { unique } from './tweet.ts';

const HOME = NETWORK_HOMES.mastodon;

export function toTootProfile(raw: unknown): MicroProfile | null {
  const author = toAuthor(raw);
  const own = url(at(raw, 'url'), HOME);
  if (author === null || author.id === null || own === null) return null;
  const fields = list(at(raw, 'fields')).flatMap(
    (one) => /href="(https?:[^"]{1,2000})"/.exec(text(at(one, 'value')) ?? '')?.[1] ?? [],
  );
  return {
    ...author,
    id: author.id,
    url: own,
    network: 'mastodon',
    description: wordsOf(at(raw, 'note'), own),
    location: null,
    website: url(fields[0], own),
    followers: natural(at(raw, 'followers_count')),
    following: natural(at(raw, 'following_count')),
    post_count: natural(at(raw, 'statuses_count')),
    created_at: moment(at(raw, 'created_at')),
    banner_url: mediaUrl(at(raw, 'header'), HOME),
    is_protected: boolean(at(raw, 'locked')),
  };
}

/** The name with its server, which a server leaves out of the names of its own. */
export function nameAtServer({ username, url: own }: { readonly username: string; readonly url: string }): string {
  return (username.includes('@') ? username : `${username}@${new URL(own).host}`).toLowerCase();
}

function toAuthor(raw: unknown): MicroAuthor | null {
  const username = line(at(raw, 'acct'));
  if (username === null) return null;
  return {
    id: line(at(raw, 'id')),
    username,
    name: line(at(raw, 'display_name')),
    verified: null,
    avatar_url: mediaUrl(at(raw, 'avatar'), HOME),
  };
}

export function toToot(raw: unknown, depth = 0): MicroPost | null {
  const shared = at(raw, 'reblog');
  if (shared !== undefined) {
    const original = depth === 0 ? toToot(shared, 1) : null;
    return original === null ? null : { ...original, is_repost: true };
  }
  const id = line(at(raw, 'id'));
  const author = toAuthor(at(raw, 'account'));
  const own = url(at(raw, 'url') ?? at(raw, 'uri'), HOME);
  if (id === null || author === null || own === null) return null;
  const card = url(at(raw, 'card', 'url'), HOME);
  const parent = line(at(raw, 'in_reply_to_id'));
  const answered = line(at(raw, 'in_reply_to_account_id'));
  const mentions = list(at(raw, 'mentions'));
  const quoted = at(raw, 'quote', 'quoted_status');
  return {
    id,
    url: own,
    text: wordsOf(at(raw, 'content'), own),
    author,
    created_at: moment(at(raw, 'created_at')),
    language: line(at(raw, 'language')),
    reply_count: natural(at(raw, 'replies_count')),
    repost_count: natural(at(raw, 'reblogs_count')),
    quote_count: natural(at(raw, 'quotes_count')),
    like_count: natural(at(raw, 'favourites_count')),
    view_count: null,
    bookmark_count: null,
    media: list(at(raw, 'media_attachments')).flatMap((one) => toMedia(one)),
    links: card === null ? [] : [card],
    hashtags: unique(list(at(raw, 'tags')).flatMap((one) => line(at(one, 'name')) ?? [])),
    mentions: unique(mentions.flatMap((one) => line(at(one, 'acct')) ?? [])),
    quoted_post: quoted === undefined || depth > 0 ? null : toQuoted(toToot(quoted, 1)),
    in_reply_to:
      parent === null
        ? null
        : {
            id: parent,
            username: line(
              at(
                mentions.find((one) => line(at(one, 'id')) === answered),
                'acct',
              ),
            ),
          },
    is_repost: false,
  };
}

function wordsOf(raw: unknown, base: string): string | null {
  const markup = text(raw);
  return markup === null ? null : text(readRich(markup, base)?.text);
}

const KINDS: Readonly<Record<string, MicroMedia['type']>> = {
  image: 'image',
  video: 'video',
  gifv: 'gif',
  audio: 'audio',
};

function toMedia(raw: unknown): readonly MicroMedia[] {
  const type = KINDS[line(at(raw, 'type')) ?? ''];
  const file = mediaUrl(at(raw, 'url'), HOME);
  if (type === undefined || file === null) return [];
  const original = at(raw, 'meta', 'original');
  return [
    {
      type,
      url: file,
      thumbnail_url: mediaUrl(at(raw, 'preview_url'), HOME),
      width: natural(at(original, 'width')),
      height: natural(at(original, 'height')),
      duration_ms: seconds(at(original, 'duration')),
      description: text(at(raw, 'description')),
    },
  ];
}
