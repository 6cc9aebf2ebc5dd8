import { z } from 'zod';
import { findObjects } from '#extract/json/search.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, countOf, duration, line, list, url } from '#extract/values/raw.ts';
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
  const found = new Map<string, SearchResult>();
  for (const section of sections)
    for (const content of list(at(section, 'itemSectionRenderer', 'contents')))
      for (const holder of findHolders(content))
        for (const [name, read] of Object.entries(READERS)) {
          const result = Object.hasOwn(holder, name) ? read(holder[name], locale) : null;
          if (result !== null && !found.has(result.id)) found.set(result.id, result);
        }
  return [...found.values()];
}

/** Finds the object of a result, or the objects of a shelf of shorts. */
function findHolders(content: unknown): readonly JsonObject[] {
  const shelf = at(content, 'gridShelfViewModel') ?? at(content, 'reelShelfRenderer');
  const names =
    shelf === undefined ? ['videoRenderer', 'channelRenderer', 'lockupViewModel'] : ['shortsLockupViewModel'];
  const place = shelf ?? { content: pickMembers(content, names) };
  return findObjects(place, (object) => names.some((name) => Object.hasOwn(object, name)));
}

function pickMembers(content: unknown, names: readonly string[]): unknown {
  return Object.fromEntries(
    names.flatMap((name) => (at(content, name) === undefined ? [] : [[name, at(content, name)]])),
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
  const id = line(at(raw, 'videoId'));
  const title = readText(at(raw, 'title'));
  if (id === null || title === null) return null;
  const length = readText(at(raw, 'lengthText'));
  const seen = readText(at(raw, 'viewCountText'));
  const views = countOf(seen, locale);
  const styles = list(at(raw, 'thumbnailOverlays')).map((one) =>
    line(at(one, 'thumbnailOverlayTimeStatusRenderer', 'style')),
  );
  const badges = list(at(raw, 'badges')).map((one) => at(one, 'metadataBadgeRenderer'));
  const isUpcoming = at(raw, 'upcomingEventData') !== undefined || styles.includes('UPCOMING');
  return {
    ...EMPTY_RESULT,
    type: styles.includes('SHORTS') ? 'short' : 'video',
    id,
    url: `${HOME}/watch?v=${id}`,
    title,
    description:
      readText(at(raw, 'detailedMetadataSnippets', 0, 'snippetText')) ?? readText(at(raw, 'descriptionSnippet')),
    thumbnails: readThumbnails(at(raw, 'thumbnail'), HOME),
    channel: readOwner(at(raw, 'ownerText', 'runs', 0) ?? at(raw, 'longBylineText', 'runs', 0), at(raw, 'ownerBadges')),
    duration_ms: duration(length),
    duration_text: length,
    view_count: views?.value ?? null,
    view_count_text: seen,
    published_text: readText(at(raw, 'publishedTimeText')),
    is_live: styles.includes('LIVE') || badges.some((one) => line(at(one, 'style'))?.includes('LIVE') === true),
    is_upcoming: isUpcoming,
    badges: badges.flatMap((one) => line(at(one, 'label')) ?? []),
    counts_approximate: views?.approximate === true,
  };
}

/** Reads a text run that links to a channel. */
function readOwner(run: unknown, ownerBadges: unknown): SearchResult['channel'] {
  const home = at(run, 'navigationEndpoint', 'browseEndpoint');
  const name = line(at(run, 'text'));
  if (name === null) return null;
  const styles = list(ownerBadges).map((one) => line(at(one, 'metadataBadgeRenderer', 'style')) ?? '');
  return {
    ...readHome(home),
    name,
    verified: styles.some((style) => style.includes('VERIFIED')),
  };
}

function readHome(home: unknown) {
  const path = line(at(home, 'canonicalBaseUrl'));
  const id = line(at(home, 'browseId'));
  return {
    id: id?.startsWith('UC') === true ? id : null,
    handle: /^\/(@[^/]+)$/.exec(path ?? '')?.[1] ?? null,
    url: url(path ?? (id === null ? undefined : `/channel/${id}`), HOME),
  };
}

function readChannel(raw: unknown, locale: string): SearchResult | null {
  const id = line(at(raw, 'channelId'));
  const title = readText(at(raw, 'title'));
  if (id === null || title === null) return null;
  // If a channel has a handle, it takes the place of the subscriber count, which takes the place of the video count.
  const shown = readText(at(raw, 'subscriberCountText'));
  const handle = shown?.startsWith('@') === true ? shown : null;
  const subscribers = countOf(handle === null ? shown : readText(at(raw, 'videoCountText')), locale);
  const videos = handle === null ? countOf(readText(at(raw, 'videoCountText')), locale) : null;
  const channel = readOwner({ text: title, navigationEndpoint: at(raw, 'navigationEndpoint') }, at(raw, 'ownerBadges'));
  return {
    ...EMPTY_RESULT,
    type: 'channel',
    id,
    url: channel?.url ?? `${HOME}/channel/${id}`,
    title,
    description: readText(at(raw, 'descriptionSnippet')),
    thumbnails: readThumbnails(at(raw, 'thumbnail'), HOME),
    channel: channel === null ? null : { ...channel, id, handle: handle ?? channel.handle },
    subscriber_count: subscribers?.value ?? null,
    video_count: videos?.value ?? null,
    counts_approximate: subscribers?.approximate === true,
  };
}

function readPlaylist(raw: unknown, locale: string): SearchResult | null {
  const id = line(at(raw, 'contentId'));
  const shown = at(raw, 'metadata', 'lockupMetadataViewModel');
  const title = readText(at(shown, 'title'));
  const kind = line(at(raw, 'contentType')) ?? '';
  if (id === null || title === null || !/_(?:PLAYLIST|PODCAST|ALBUM)$/.test(kind)) return null;
  const picture = at(raw, 'contentImage', 'collectionThumbnailViewModel', 'primaryThumbnail', 'thumbnailViewModel');
  const [owner] = list(at(shown, 'metadata', 'contentMetadataViewModel', 'metadataRows', 0, 'metadataParts'));
  const home = at(owner, 'text', 'commandRuns', 0, 'onTap', 'innertubeCommand', 'browseEndpoint');
  const name = readText(at(owner, 'text'));
  const [badge] = findObjects(at(picture, 'overlays'), (object) => Object.hasOwn(object, 'badgeStyle'));
  return {
    ...EMPTY_RESULT,
    type: 'playlist',
    id,
    url: `${HOME}/playlist?list=${id}`,
    title,
    thumbnails: readThumbnails({ thumbnails: at(picture, 'image', 'sources') }, HOME),
    channel: name === null || home === undefined ? null : { ...readHome(home), name, verified: null },
    video_count: countOf(line(badge?.['text']), locale)?.value ?? null,
  };
}

function readShort(raw: unknown, locale: string): SearchResult | null {
  const watch = at(raw, 'onTap', 'innertubeCommand', 'reelWatchEndpoint');
  const id = line(at(watch, 'videoId'));
  const title = readText(at(raw, 'overlayMetadata', 'primaryText'));
  if (id === null || title === null) return null;
  const seen = readText(at(raw, 'overlayMetadata', 'secondaryText'));
  const views = countOf(seen, locale);
  return {
    ...EMPTY_RESULT,
    type: 'short',
    id,
    url: `${HOME}/shorts/${id}`,
    title,
    thumbnails: readThumbnails(at(watch, 'thumbnail'), HOME),
    view_count: views?.value ?? null,
    view_count_text: seen,
    is_live: false,
    is_upcoming: false,
    counts_approximate: views?.approximate === true,
  };
}
