import { decodeHTML } from 'entities';
import { z } from 'zod';
import { findPathKind, type PathKinds, refuseLinkKind } from '#sites/framework/site.ts';
import { selectAll, readAttributeAt, readLineAt, selectFirst } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { toCount, toNumber, toDurationMs, toLine, toMediaUrl, toTimestamp, toCleanUrl } from '#extract/values/raw.ts';
import { HOME } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

/** The channel or person that a video belongs to. */
export const Owner = z.object({
  slug: z.string(),
  name: Text,
  url: z.string(),
  verified: z.boolean().nullable(),
});

export type Owner = z.output<typeof Owner>;

/** A video in a list. */
export const VideoSummary = z.object({
  type: z.enum(['video', 'short']),
  id: z.string().describe('The part of its address before the title'),
  url: z.string(),
  title: z.string(),
  channel: Owner.nullable(),
  thumbnail_url: Text,
  duration_ms: Count,
  duration_text: Text,
  view_count: Count,
  like_count: Count,
  dislike_count: Count,
  comment_count: Count,
  published_at: Text,
  published_text: Text,
  is_live: z.boolean().nullable(),
  earned_amount: z.number().min(0).nullable(),
  counts_approximate: z.boolean().describe('Whether one of the counts is rounded'),
});

export type VideoSummary = z.output<typeof VideoSummary>;

/** The site writes numbers in English. */
export const LOCALE = 'en-US';

/** Reads the videos of a page without duplicates, from both forms of lists; `shown` counts all elements. */
export function readSummaries(page: ParsedPage, owner: Owner | null) {
  const videos = new Map<string, VideoSummary>();
  const entries = selectAll(page, '.video-listing-entry');
  const cards = selectAll(page, '.videostream').filter(
    (node) => getAttribute(page.tree, node, 'data-video-id') !== null,
  );
  const add = (href: string | null, read: (href: string) => VideoSummary | null): void => {
    // The featured video of a channel is also in its list.
    const id = href === null ? null : (parseVideoPath(parsePath(href) ?? '')?.id ?? null);
    const video = href === null || id === null || videos.has(id) ? null : read(href);
    if (video !== null) videos.set(video.id, video);
  };
  for (const node of entries)
    add(readAttributeAt(page, 'a.video-item--a', 'href', node), (href) => readEntry(page, node, href));
  for (const node of cards)
    add(readAttributeAt(page, 'a.videostream__link', 'href', node), (href) => readCard(page, node, { href, owner }));
  return { shown: entries.length + cards.length, videos: [...videos.values()] };
}

/** Finds the number of the next page; null without a link to it. */
export function findNextPage(page: ParsedPage, cursor: string | null): string | null {
  const next = Number(cursor ?? 1) + 1;
  const links = selectAll(page, '.paginator--link').map((node) => getAttribute(page.tree, node, 'href') ?? '');
  const isThere = links.some((href) => URL.parse(href, page.url)?.searchParams.get('page') === String(next));
  return isThere ? String(next) : null;
}

/** Parses the texts of likes and dislikes. The site rounds counts above a thousand. */
export function parseVotes(title: string | null): readonly [likes: string | null, dislikes: string | null] {
  const [, likes = null, dislikes = null] = /^(\S+) Likes? \| (\S+) Dislikes?/.exec(title ?? '') ?? [];
  return [likes, dislikes];
}

/** Reads an entry of search results. */
function readEntry(page: ParsedPage, node: number, href: string): VideoSummary | null {
  const owner = toChannel(readAttributeAt(page, 'a.video-item--by-a', 'href', node), {
    name: readLineAt(page, 'a.video-item--by-a', node),
    verified: selectFirst(page, '.video-item--by-verified', node) !== 0,
  });
  const length = readAttributeAt(page, '.video-item--duration', 'data-value', node);
  const [likes, dislikes] = parseVotes(readAttributeAt(page, '.rating-bar', 'title', node));
  return toSummary({
    href,
    title: readLineAt(page, '.video-item--title', node),
    channel: owner,
    picture: readAttributeAt(page, 'img.video-item--img', 'src', node),
    length,
    views:
      readAttributeAt(page, '.video-item--views', 'data-value', node) ?? readLineAt(page, '.video-item--views', node),
    likes,
    dislikes,
    comments: readLineAt(page, '.video-item--comments', node),
    time: readAttributeAt(page, 'time', 'datetime', node),
    timeText: readLineAt(page, 'time', node),
    isLive:
      selectFirst(page, '.video-item--live', node) !== 0 ||
      selectFirst(page, '.video-item--img-wrapper--live', node) !== 0,
    earned: readAttributeAt(page, '.video-item--earned', 'data-value', node),
  });
}

/** Reads a card of a channel page. */
function readCard(
  page: ParsedPage,
  node: number,
  { href, owner }: { readonly href: string; readonly owner: Owner | null },
): VideoSummary | null {
  const named = toChannel(readAttributeAt(page, 'a[rel=author], .channel__link', 'href', node), {
    name: readLineAt(page, '.channel__name', node),
    verified: selectFirst(page, '.verification-badge-icon', node) !== 0,
  });
  return toSummary({
    href,
    title: readAttributeAt(page, '.thumbnail__title', 'title', node) ?? readLineAt(page, '.thumbnail__title', node),
    channel: named ?? owner,
    picture: readAttributeAt(page, 'img.thumbnail__image', 'src', node),
    length: readLineAt(page, '.videostream__status--duration', node),
    views: readAttributeAt(page, '.videostream__views', 'data-views', node),
    likes: null,
    dislikes: null,
    comments: readAttributeAt(page, '[class*=comments]', 'title', node),
    time: readAttributeAt(page, 'time', 'datetime', node),
    timeText: readLineAt(page, 'time', node),
    isLive: selectFirst(page, '.videostream__status--live', node) !== 0,
    earned: null,
  });
}

type VideoCard = {
  readonly [
    Name in
      | 'href'
      | 'title'
      | 'picture'
      | 'length'
      | 'views'
      | 'likes'
      | 'dislikes'
      | 'comments'
      | 'time'
      | 'timeText'
      | 'earned'
  ]: string | null;
} & { readonly channel: Owner | null; readonly isLive: boolean };

function toSummary({ href, title, channel, isLive, ...shown }: VideoCard): VideoSummary | null {
  const address = parseVideoPath(parsePath(href) ?? '');
  const found = buildAddress(href);
  const plain = decodeLine(title);
  if (address === null || address.kind === 'embed' || found === null || plain === null) return null;
  const counts = {
    view_count: toCount(shown.views, LOCALE),
    like_count: toCount(shown.likes, LOCALE),
    dislike_count: toCount(shown.dislikes, LOCALE),
    comment_count: toCount(shown.comments, LOCALE),
  };
  return {
    type: address.kind,
    id: address.id,
    url: found,
    title: plain,
    channel,
    thumbnail_url: toMediaUrl(shown.picture, found),
    duration_ms: toDurationMs(shown.length),
    duration_text: shown.length,
    view_count: counts.view_count?.value ?? null,
    like_count: counts.like_count?.value ?? null,
    dislike_count: counts.dislike_count?.value ?? null,
    comment_count: counts.comment_count?.value ?? null,
    published_at: toTimestamp(shown.time),
    published_text: shown.timeText,
    is_live: isLive,
    earned_amount: toNumber(shown.earned),
    counts_approximate: Object.values(counts).some((count) => count?.approximate === true),
  };
}

const VIDEO_PATH = /^\/(shorts\/)?(v[0-9a-z]+)(?:-[^/?#]*)?(?:\.html)?\/?(?:[?#]|$)/;
const EMBED_PATH = /^\/embed\/(?:[0-9a-z]+\.)?(v[0-9a-z]+)\/?(?:[?#]|$)/;
const OWNER_PATH = /^\/(c|user)\/([\w.-]{1,100})(?:[/?#]|$)/;

/** The target of a path: a video, a short, or the player of a video, which has its own id. */
export type VideoAddress = { readonly kind: 'video' | 'short' | 'embed'; readonly id: string };

/** Parses the path of a video; null for any other path. */
export function parseVideoPath(path: string): VideoAddress | null {
  const embed = EMBED_PATH.exec(path)?.[1];
  if (embed !== undefined) return { kind: 'embed', id: embed };
  const [, short, id] = VIDEO_PATH.exec(path) ?? [];
  // Some reserved words look like ids.
  if (id === undefined || (short === undefined && RESERVED.has(id))) return null;
  return { kind: short === undefined ? 'video' : 'short', id };
}

const RESERVED: ReadonlySet<string> = new Set(['videos']);

/** Parses the path of a channel or a person. */
export function parseOwnerPath(path: string): { readonly kind: 'c' | 'user'; readonly slug: string } | null {
  const [, kind, slug] = OWNER_PATH.exec(path) ?? [];
  if (slug === undefined) return null;
  return { kind: kind === 'c' ? 'c' : 'user', slug };
}

const PATH_KINDS: PathKinds = [
  [/^\/(?:c|user)\//, 'a channel'],
  [/^\/shorts\/v/, 'a short'],
  [/^\/embed\/v/, 'an embedded player'],
  [/^\/playlists\//, 'a playlist'],
  [/^\/search\b/, 'a search'],
  [/^\/(?:videos|browse|category|editor-picks)\b/, 'a list of videos'],
];

/** Refuses an address of another kind and names that kind. Throws `invalid_request`. */
export function refuseAddress(parameter: string, path: string, wanted: string): never {
  const kind = findPathKind(PATH_KINDS, path) ?? (parseVideoPath(path) === null ? null : 'a video');
  return refuseLinkKind({ parameter, kind, wanted });
}

/** Converts a link of a page to the channel that it leads to; null for any other link. */
export function toChannel(href: string | null, { name, verified }: Pick<Owner, 'name' | 'verified'>): Owner | null {
  const path = parsePath(href);
  const owner = path === null ? null : parseOwnerPath(path);
  if (owner === null) return null;
  const { kind, slug } = owner;
  return { slug, name, url: `${HOME}/${kind}/${slug}`, verified };
}

/** Parses the path of a link, from whichever host the page was fetched. */
export function parsePath(href: string | null): string | null {
  return URL.parse(href ?? '', HOME)?.pathname ?? null;
}

/** Reads a name or title of the API, which escapes characters as HTML does. */
export function decodeLine(raw: unknown): string | null {
  const text = toLine(raw);
  return text === null || !text.includes('&') ? text : toLine(decodeHTML(text));
}

/** Builds the canonical address of a link. */
export function buildAddress(href: string | null): string | null {
  const path = parsePath(href);
  return path === null ? null : toCleanUrl(path, HOME);
}
