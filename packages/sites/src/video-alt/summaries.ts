import { all, attributeAt, lineAt, one } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { countOf, decimal, duration, mediaUrl, moment } from '#extract/values/raw.ts';
import { addressOf, channelOf, linkedPath, plainLine, videoAddressOf } from './address.ts';
import type { AltChannel, VideoSummary } from './summary-record.ts';

/** The numbers of a site in English. */
const LOCALE = 'en-US';

/** The videos of a page, each once, in either of the two forms in which lists show them; and how many there were. */
export function readSummaries(page: ParsedPage, owner: AltChannel | null) {
  const videos = new Map<string, VideoSummary>();
  const entries = all(page, '.video-listing-entry');
  const cards = all(page, '.videostream').filter((node) => attributeOf(page.tree, node, 'data-video-id') !== null);
  const add = (href: string | null, read: (href: string) => VideoSummary | null): void => {
    // The video that a channel puts first stands in its list once more.
    const id = href === null ? null : (videoAddressOf(linkedPath(href) ?? '')?.id ?? null);
    const video = href === null || id === null || videos.has(id) ? null : read(href);
    if (video !== null) videos.set(video.id, video);
  };
  for (const node of entries)
    add(attributeAt(page, 'a.video-item--a', 'href', node), (href) => entryAt(page, node, href));
  for (const node of cards)
    add(attributeAt(page, 'a.videostream__link', 'href', node), (href) => cardAt(page, node, { href, owner }));
  return { shown: entries.length + cards.length, videos: [...videos.values()] };
}

/** The number of the next page; null where no link leads there. */
export function nextPage(page: ParsedPage, cursor: string | null): string | null {
  const next = Number(cursor ?? 1) + 1;
  const links = all(page, '.paginator--link').map((node) => attributeOf(page.tree, node, 'href') ?? '');
  const isThere = links.some((href) => URL.parse(href, page.url)?.searchParams.get('page') === String(next));
  return isThere ? String(next) : null;
}

/** Votes for and against in words; from a thousand on the site shortens them. */
export function votesOf(title: string | null): readonly [likes: string | null, dislikes: string | null] {
  const [, likes = null, dislikes = null] = /^(\S+) Likes? \| (\S+) Dislikes?/.exec(title ?? '') ?? [];
  return [likes, dislikes];
}

/** An entry of the results of a search. */
function entryAt(page: ParsedPage, node: number, href: string): VideoSummary | null {
  const owner = channelOf(attributeAt(page, 'a.video-item--by-a', 'href', node), {
    name: lineAt(page, 'a.video-item--by-a', node),
    verified: one(page, '.video-item--by-verified', node) !== 0,
  });
  const length = attributeAt(page, '.video-item--duration', 'data-value', node);
  const [likes, dislikes] = votesOf(attributeAt(page, '.rating-bar', 'title', node));
  return toSummary({
    href,
    title: lineAt(page, '.video-item--title', node),
    channel: owner,
    picture: attributeAt(page, 'img.video-item--img', 'src', node),
    length,
    views: attributeAt(page, '.video-item--views', 'data-value', node) ?? lineAt(page, '.video-item--views', node),
    likes,
    dislikes,
    comments: lineAt(page, '.video-item--comments', node),
    time: attributeAt(page, 'time', 'datetime', node),
    timeText: lineAt(page, 'time', node),
    isLive: one(page, '.video-item--live', node) !== 0 || one(page, '.video-item--img-wrapper--live', node) !== 0,
    earned: attributeAt(page, '.video-item--earned', 'data-value', node),
  });
}

/** A card of a channel. */
function cardAt(
  page: ParsedPage,
  node: number,
  { href, owner }: { readonly href: string; readonly owner: AltChannel | null },
): VideoSummary | null {
  const named = channelOf(attributeAt(page, 'a[rel=author], .channel__link', 'href', node), {
    name: lineAt(page, '.channel__name', node),
    verified: one(page, '.verification-badge-icon', node) !== 0,
  });
  return toSummary({
    href,
    title: attributeAt(page, '.thumbnail__title', 'title', node) ?? lineAt(page, '.thumbnail__title', node),
    channel: named ?? owner,
    picture: attributeAt(page, 'img.thumbnail__image', 'src', node),
    length: lineAt(page, '.videostream__status--duration', node),
    views: attributeAt(page, '.videostream__views', 'data-views', node),
    likes: null,
    dislikes: null,
    comments: attributeAt(page, '[class*=comments]', 'title', node),
    time: attributeAt(page, 'time', 'datetime', node),
    timeText: lineAt(page, 'time', node),
    isLive: one(page, '.videostream__status--live', node) !== 0,
    earned: null,
  });
}

type Shown = {
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
} & { readonly channel: AltChannel | null; readonly isLive: boolean };

function toSummary({ href, title, channel, isLive, ...shown }: Shown): VideoSummary | null {
  const address = videoAddressOf(linkedPath(href) ?? '');
  const found = addressOf(href);
  const plain = plainLine(title);
  if (address === null || address.kind === 'embed' || found === null || plain === null) return null;
  const counts = {
    view_count: countOf(shown.views, LOCALE),
    like_count: countOf(shown.likes, LOCALE),
    dislike_count: countOf(shown.dislikes, LOCALE),
    comment_count: countOf(shown.comments, LOCALE),
  };
  return {
    type: address.kind,
    id: address.id,
    url: found,
    title: plain,
    channel,
    thumbnail_url: mediaUrl(shown.picture, found),
    duration_ms: duration(shown.length),
    duration_text: shown.length,
    view_count: counts.view_count?.value ?? null,
    like_count: counts.like_count?.value ?? null,
    dislike_count: counts.dislike_count?.value ?? null,
    comment_count: counts.comment_count?.value ?? null,
    published_at: moment(shown.time),
    published_text: shown.timeText,
    is_live: isLive,
    earned_amount: decimal(shown.earned),
    counts_approximate: Object.values(counts).some((count) => count?.approximate === true),
  };
}
