import { answerEmpty, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SourcePage } from '#sites/framework/request.ts';
import { parseRichText } from '#extract/dom/elements.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import {
  getPath,
  toBoolean,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toNatural,
  secondsToMs,
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

/** The number of posts to request in one answer. */
export const MASTODON_PAGE_SIZE = 40;

export function buildLookup(input: AccountInput, site: Parameters<typeof findAccount>[1]): SiteRequest {
  return { origin: 'mastodon', path: '/api/v1/accounts/lookup', query: { acct: findAccount(input, site).name } };
}

type PostPage = { readonly posts: readonly Post[]; readonly next: string | null };

export function readPostPage(page: SourcePage, owner: string | null): PostPage | SiteAnswer {
  const answer = parseJsonValue(page.body);
  if (!Array.isArray(answer)) return unusable('no list of posts');
  if (answer.length === 0) return answerEmpty();
  if (owner !== null && !answer.every((one) => toLine(getPath(one, 'account', 'id')) === owner))
    return unusable('no posts of the requested account');
  const posts = toArray(answer).flatMap((one) => toMastodonPost(one) ?? []);
  const href = /<([^<>]{1,2000})>;\s*rel="next"/.exec(page.headers['link'] ?? '')?.[1];
  const next = URL.parse(href ?? '', page.url)?.searchParams.get('max_id') ?? null;
  return posts.length === 0 ? unusable('no readable posts') : { posts, next };
}

const HOME = NETWORK_HOMES.mastodon;

export function toMastodonProfile(raw: unknown): Profile | null {
  const author = toAuthor(raw);
  const own = toCleanUrl(getPath(raw, 'url'), HOME);
  if (author === null || author.id === null || own === null) return null;
  const fields = toArray(getPath(raw, 'fields')).flatMap(
    (one) => /href="(https?:[^"]{1,2000})"/.exec(toText(getPath(one, 'value')) ?? '')?.[1] ?? [],
  );
  return {
    ...author,
    id: author.id,
    url: own,
    network: 'mastodon',
    description: readText(getPath(raw, 'note'), own),
    location: null,
    website: toCleanUrl(fields[0], own),
    followers: toNatural(getPath(raw, 'followers_count')),
    following: toNatural(getPath(raw, 'following_count')),
    post_count: toNatural(getPath(raw, 'statuses_count')),
    created_at: toTimestamp(getPath(raw, 'created_at')),
    banner_url: toMediaUrl(getPath(raw, 'header'), HOME),
    is_protected: toBoolean(getPath(raw, 'locked')),
  };
}

/** Builds the name with its server, which a server omits for its own accounts. */
export function buildServerName({ username, url: own }: { readonly username: string; readonly url: string }): string {
  return (username.includes('@') ? username : `${username}@${new URL(own).host}`).toLowerCase();
}

function toAuthor(raw: unknown): Author | null {
  const username = toLine(getPath(raw, 'acct'));
  if (username === null) return null;
  return {
    id: toLine(getPath(raw, 'id')),
    username,
    name: toLine(getPath(raw, 'display_name')),
    verified: null,
    avatar_url: toMediaUrl(getPath(raw, 'avatar'), HOME),
  };
}

export function toMastodonPost(raw: unknown, depth = 0): Post | null {
  const shared = getPath(raw, 'reblog');
  if (shared !== undefined) {
    const original = depth === 0 ? toMastodonPost(shared, 1) : null;
    return original === null ? null : { ...original, is_repost: true };
  }
  const id = toLine(getPath(raw, 'id'));
  const author = toAuthor(getPath(raw, 'account'));
  const own = toCleanUrl(getPath(raw, 'url') ?? getPath(raw, 'uri'), HOME);
  if (id === null || author === null || own === null) return null;
  const card = toCleanUrl(getPath(raw, 'card', 'url'), HOME);
  const parent = toLine(getPath(raw, 'in_reply_to_id'));
  const answered = toLine(getPath(raw, 'in_reply_to_account_id'));
  const mentions = toArray(getPath(raw, 'mentions'));
  const quoted = getPath(raw, 'quote', 'quoted_status');
  return {
    id,
    url: own,
    text: readText(getPath(raw, 'content'), own),
    author,
    created_at: toTimestamp(getPath(raw, 'created_at')),
    language: toLine(getPath(raw, 'language')),
    reply_count: toNatural(getPath(raw, 'replies_count')),
    repost_count: toNatural(getPath(raw, 'reblogs_count')),
    quote_count: toNatural(getPath(raw, 'quotes_count')),
    like_count: toNatural(getPath(raw, 'favourites_count')),
    view_count: null,
    bookmark_count: null,
    media: toArray(getPath(raw, 'media_attachments')).flatMap((one) => toMedia(one)),
    links: card === null ? [] : [card],
    hashtags: listUnique(toArray(getPath(raw, 'tags')).flatMap((one) => toLine(getPath(one, 'name')) ?? [])),
    mentions: listUnique(mentions.flatMap((one) => toLine(getPath(one, 'acct')) ?? [])),
    quoted_post: quoted === undefined || depth > 0 ? null : toQuoted(toMastodonPost(quoted, 1)),
    in_reply_to:
      parent === null
        ? null
        : {
            id: parent,
            username: toLine(
              getPath(
                mentions.find((one) => toLine(getPath(one, 'id')) === answered),
                'acct',
              ),
            ),
          },
    is_repost: false,
  };
}

function readText(raw: unknown, base: string): string | null {
  const markup = toText(raw);
  return markup === null ? null : toText(parseRichText(markup, base)?.text);
}

const MEDIA_TYPES: Readonly<Record<string, Media['type']>> = {
  image: 'image',
  video: 'video',
  gifv: 'gif',
  audio: 'audio',
};

function toMedia(raw: unknown): readonly Media[] {
  const type = MEDIA_TYPES[toLine(getPath(raw, 'type')) ?? ''];
  const file = toMediaUrl(getPath(raw, 'url'), HOME);
  if (type === undefined || file === null) return [];
  const original = getPath(raw, 'meta', 'original');
  return [
    {
      type,
      url: file,
      thumbnail_url: toMediaUrl(getPath(raw, 'preview_url'), HOME),
      width: toNatural(getPath(original, 'width')),
      height: toNatural(getPath(original, 'height')),
      duration_ms: secondsToMs(getPath(original, 'duration')),
      description: toText(getPath(raw, 'description')),
    },
  ];
}
