import { z } from 'zod';
import { findObjects } from '#extract/json/find-objects.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { getPath, toCount, toDurationMs, toLine, toArray, toCleanUrl } from '#extract/values/raw.ts';
import { readText } from './shared.ts';
import { HOME } from './site.ts';
import { readThumbnails } from './video-data.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Flag = z.boolean().nullable();

export const SearchResult = z.object({
  type: z.enum(['video', 'short', 'channel', 'playlist']),
  id: z.string(),
  url: z.string(),
  title: z.string(),
  description: Text,
  thumbnails: z.array(z.object({ url: z.string(), width: Count, height: Count })).readonly(),
  channel: z.object({ id: Text, name: Text, handle: Text, url: Text, verified: Flag }).nullable(),
  duration_ms: Count,
  duration_text: Text,
  view_count: Count,
  view_count_text: Text,
  published_text: Text,
  published_at: Text,
  is_live: Flag,
  is_upcoming: Flag,
  badges: z.array(z.string()).readonly(),
  subscriber_count: Count.describe('Only of a channel'),
  video_count: Count.describe('Only of a channel or a playlist'),
  counts_approximate: z.boolean(),
});

export type SearchResult = z.output<typeof SearchResult>;

/** The renderers of results, each with its reader. */
const READERS: Readonly<Record<string, (raw: unknown, locale: string) => SearchResult | null>> = {
  videoRenderer: readVideo,
  channelRenderer: readChannel,
  lockupViewModel: readPlaylist,
  shortsLockupViewModel: readShort,
};

/** Reads the results of one page in order, without duplicates, advertisements and suggestions for other searches. */
export function readSearchResults(sections: readonly unknown[], locale: string): readonly SearchResult[] {
  const resultsById = new Map<string, SearchResult>();
  for (const section of sections)
    for (const content of toArray(getPath(section, 'itemSectionRenderer', 'contents')))
      for (const holder of findHolders(content))
        for (const [name, read] of Object.entries(READERS)) {
          const result = Object.hasOwn(holder, name) ? read(holder[name], locale) : null;
          if (result !== null && !resultsById.has(result.id)) resultsById.set(result.id, result);
        }
  return [...resultsById.values()];
}

/** Finds the object of a result, or the objects of a shelf of shorts. */
function findHolders(content: unknown): readonly JsonObject[] {
  const shelf = getPath(content, 'gridShelfViewModel') ?? getPath(content, 'reelShelfRenderer');
  const names =
    shelf === undefined ? ['videoRenderer', 'channelRenderer', 'lockupViewModel'] : ['shortsLockupViewModel'];
  const place = shelf ?? { content: pickMembers(content, names) };
  return findObjects(place, (object) => names.some((name) => Object.hasOwn(object, name)));
}

function pickMembers(content: unknown, names: readonly string[]): unknown {
  return Object.fromEntries(
    names.flatMap((name) => (getPath(content, name) === undefined ? [] : [[name, getPath(content, name)]])),
  );
}

const EMPTY_RESULT = {
  description: null,
  channel: null,
  duration_ms: null,
  duration_text: null,
  view_count: null,
  view_count_text: null,
  published_text: null,
  published_at: null,
  is_live: null,
  is_upcoming: null,
  badges: [],
  subscriber_count: null,
  video_count: null,
  counts_approximate: false,
} as const;

function readVideo(raw: unknown, locale: string): SearchResult | null {
  const id = toLine(getPath(raw, 'videoId'));
  const title = readText(getPath(raw, 'title'));
  if (id === null || title === null) return null;
  const length = readText(getPath(raw, 'lengthText'));
  const seen = readText(getPath(raw, 'viewCountText'));
  const views = toCount(seen, locale);
  const styles = toArray(getPath(raw, 'thumbnailOverlays')).map((one) =>
    toLine(getPath(one, 'thumbnailOverlayTimeStatusRenderer', 'style')),
  );
  const badges = toArray(getPath(raw, 'badges')).map((one) => getPath(one, 'metadataBadgeRenderer'));
  const isUpcoming = getPath(raw, 'upcomingEventData') !== undefined || styles.includes('UPCOMING');
  return {
    ...EMPTY_RESULT,
    type: styles.includes('SHORTS') ? 'short' : 'video',
    id,
    url: `${HOME}/watch?v=${id}`,
    title,
    description:
      readText(getPath(raw, 'detailedMetadataSnippets', 0, 'snippetText')) ??
      readText(getPath(raw, 'descriptionSnippet')),
    thumbnails: readThumbnails(getPath(raw, 'thumbnail'), HOME),
    channel: readOwner(
      getPath(raw, 'ownerText', 'runs', 0) ?? getPath(raw, 'longBylineText', 'runs', 0),
      getPath(raw, 'ownerBadges'),
    ),
    duration_ms: toDurationMs(length),
    duration_text: length,
    view_count: views?.value ?? null,
    view_count_text: seen,
    published_text: readText(getPath(raw, 'publishedTimeText')),
    is_live: styles.includes('LIVE') || badges.some((one) => toLine(getPath(one, 'style'))?.includes('LIVE') === true),
    is_upcoming: isUpcoming,
    badges: badges.flatMap((one) => toLine(getPath(one, 'label')) ?? []),
    counts_approximate: views?.approximate === true,
  };
}

/** Reads a text run that links to a channel. */
function readOwner(run: unknown, ownerBadges: unknown): SearchResult['channel'] {
  const home = getPath(run, 'navigationEndpoint', 'browseEndpoint');
  const name = toLine(getPath(run, 'text'));
  if (name === null) return null;
  const styles = toArray(ownerBadges).map((one) => toLine(getPath(one, 'metadataBadgeRenderer', 'style')) ?? '');
  return {
    ...readHome(home),
    name,
    verified: styles.some((style) => style.includes('VERIFIED')),
  };
}

function readHome(home: unknown) {
  const path = toLine(getPath(home, 'canonicalBaseUrl'));
  const id = toLine(getPath(home, 'browseId'));
  return {
    id: id?.startsWith('UC') === true ? id : null,
    handle: /^\/(@[^/]+)$/.exec(path ?? '')?.[1] ?? null,
    url: toCleanUrl(path ?? (id === null ? undefined : `/channel/${id}`), HOME),
  };
}

function readChannel(raw: unknown, locale: string): SearchResult | null {
  const id = toLine(getPath(raw, 'channelId'));
  const title = readText(getPath(raw, 'title'));
  if (id === null || title === null) return null;
  // If a channel has a handle, it takes the place of the subscriber count, which takes the place of the video count.
  const shown = readText(getPath(raw, 'subscriberCountText'));
  const handle = shown?.startsWith('@') === true ? shown : null;
  const subscribers = toCount(handle === null ? shown : readText(getPath(raw, 'videoCountText')), locale);
  const videos = handle === null ? toCount(readText(getPath(raw, 'videoCountText')), locale) : null;
  const channel = readOwner(
    { text: title, navigationEndpoint: getPath(raw, 'navigationEndpoint') },
    getPath(raw, 'ownerBadges'),
  );
  return {
    ...EMPTY_RESULT,
    type: 'channel',
    id,
    url: channel?.url ?? `${HOME}/channel/${id}`,
    title,
    description: readText(getPath(raw, 'descriptionSnippet')),
    thumbnails: readThumbnails(getPath(raw, 'thumbnail'), HOME),
    channel: channel === null ? null : { ...channel, id, handle: handle ?? channel.handle },
    subscriber_count: subscribers?.value ?? null,
    video_count: videos?.value ?? null,
    counts_approximate: subscribers?.approximate === true,
  };
}

function readPlaylist(raw: unknown, locale: string): SearchResult | null {
  const id = toLine(getPath(raw, 'contentId'));
  const shown = getPath(raw, 'metadata', 'lockupMetadataViewModel');
  const title = readText(getPath(shown, 'title'));
  const kind = toLine(getPath(raw, 'contentType')) ?? '';
  if (id === null || title === null || !/_(?:PLAYLIST|PODCAST|ALBUM)$/.test(kind)) return null;
  const picture = getPath(
    raw,
    'contentImage',
    'collectionThumbnailViewModel',
    'primaryThumbnail',
    'thumbnailViewModel',
  );
  const [owner] = toArray(getPath(shown, 'metadata', 'contentMetadataViewModel', 'metadataRows', 0, 'metadataParts'));
  const home = getPath(owner, 'text', 'commandRuns', 0, 'onTap', 'innertubeCommand', 'browseEndpoint');
  const name = readText(getPath(owner, 'text'));
  const [badge] = findObjects(getPath(picture, 'overlays'), (object) => Object.hasOwn(object, 'badgeStyle'));
  return {
    ...EMPTY_RESULT,
    type: 'playlist',
    id,
    url: `${HOME}/playlist?list=${id}`,
    title,
    thumbnails: readThumbnails({ thumbnails: getPath(picture, 'image', 'sources') }, HOME),
    channel: name === null || home === undefined ? null : { ...readHome(home), name, verified: null },
    video_count: toCount(toLine(badge?.['text']), locale)?.value ?? null,
  };
}

function readShort(raw: unknown, locale: string): SearchResult | null {
  const watch = getPath(raw, 'onTap', 'innertubeCommand', 'reelWatchEndpoint');
  const id = toLine(getPath(watch, 'videoId'));
  const title = readText(getPath(raw, 'overlayMetadata', 'primaryText'));
  if (id === null || title === null) return null;
  const seen = readText(getPath(raw, 'overlayMetadata', 'secondaryText'));
  const views = toCount(seen, locale);
  return {
    ...EMPTY_RESULT,
    type: 'short',
    id,
    url: `${HOME}/shorts/${id}`,
    title,
    thumbnails: readThumbnails(getPath(watch, 'thumbnail'), HOME),
    view_count: views?.value ?? null,
    view_count_text: seen,
    is_live: false,
    is_upcoming: false,
    counts_approximate: views?.approximate === true,
  };
}
