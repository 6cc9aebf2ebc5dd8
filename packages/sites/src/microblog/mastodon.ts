import { empty, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SourcePage } from '#sites/framework/request.ts';
import { readRich } from '#extract/dom/elements.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, line, list, mediaUrl, moment, natural, seconds, text, url } from '#extract/values/raw.ts';
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

/** The number of posts to request in one answer. */
export const MASTODON_PAGE_SIZE = 40;

export function buildLookup(input: AccountInput, site: Parameters<typeof findAccount>[1]): SiteRequest {
  return { origin: 'mastodon', path: '/api/v1/accounts/lookup', query: { acct: findAccount(input, site).name } };
}

type PostPage = { readonly posts: readonly Post[]; readonly next: string | null };

export function readPostPage(page: SourcePage, owner: string | null): PostPage | SiteAnswer {
  const answer = tryParse(page.body);
  if (!Array.isArray(answer)) return unusable('a list of posts');
  if (answer.length === 0) return empty();
  if (owner !== null && !answer.every((one) => line(at(one, 'account', 'id')) === owner))
    return unusable('posts of the requested account');
  const posts = list(answer).flatMap((one) => toMastodonPost(one) ?? []);
  const href = /<([^<>]{1,2000})>;\s*rel="next"/.exec(page.headers['link'] ?? '')?.[1];
  const next = URL.parse(href ?? '', page.url)?.searchParams.get('max_id') ?? null;
  return posts.length === 0 ? unusable('posts that can be read') : { posts, next };
}

const HOME = NETWORK_HOMES.mastodon;

export function toMastodonProfile(raw: unknown): Profile | null {
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
    description: readText(at(raw, 'note'), own),
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

/** Builds the name with its server, which a server omits for its own accounts. */
export function buildServerName({ username, url: own }: { readonly username: string; readonly url: string }): string {
  return (username.includes('@') ? username : `${username}@${new URL(own).host}`).toLowerCase();
}

function toAuthor(raw: unknown): Author | null {
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

export function toMastodonPost(raw: unknown, depth = 0): Post | null {
  const shared = at(raw, 'reblog');
  if (shared !== undefined) {
    const original = depth === 0 ? toMastodonPost(shared, 1) : null;
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
    text: readText(at(raw, 'content'), own),
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
    hashtags: listUnique(list(at(raw, 'tags')).flatMap((one) => line(at(one, 'name')) ?? [])),
    mentions: listUnique(mentions.flatMap((one) => line(at(one, 'acct')) ?? [])),
    quoted_post: quoted === undefined || depth > 0 ? null : toQuoted(toMastodonPost(quoted, 1)),
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

function readText(raw: unknown, base: string): string | null {
  const markup = text(raw);
  return markup === null ? null : text(readRich(markup, base)?.text);
}

const MEDIA_TYPES: Readonly<Record<string, Media['type']>> = {
  image: 'image',
  video: 'video',
  gifv: 'gif',
  audio: 'audio',
};

function toMedia(raw: unknown): readonly Media[] {
  const type = MEDIA_TYPES[line(at(raw, 'type')) ?? ''];
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
