import { z } from 'zod';
import { findObjects } from '#extract/json/find-objects.ts';
import type { Count } from '#extract/values/numbers.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import {
  getPath,
  toBoolean,
  toCount,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toNatural,
  secondsToMs,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { readReason, readText } from './shared.ts';

const Text = z.string().nullable();
const NullableCount = z.int().min(0).nullable();
const Flag = z.boolean().nullable();

const VIDEO_AVAILABILITIES = [
  'public',
  'unlisted',
  'members_only',
  'paid',
  'age_restricted',
  'region_locked',
  'upcoming',
] as const;

export const VideoRecord = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  description: Text,
  channel: z.object({
    id: Text,
    name: Text,
    handle: Text,
    url: Text,
    avatar_url: Text,
    subscriber_count: NullableCount,
    subscriber_count_text: Text,
    verified: Flag,
  }),
  published_at: Text,
  uploaded_at: Text,
  duration_ms: NullableCount,
  view_count: NullableCount,
  like_count: NullableCount,
  comment_count: NullableCount,
  category: Text,
  tags: z.array(z.string()).readonly().nullable(),
  thumbnails: z
    .array(z.object({ url: z.string(), width: NullableCount, height: NullableCount }))
    .readonly()
    .nullable(),
  is_live: Flag,
  is_live_content: Flag,
  live: z.object({ started_at: Text, ended_at: Text, scheduled_at: Text }).nullable(),
  is_unlisted: Flag,
  is_family_safe: Flag,
  is_short: Flag,
  available_countries: z.array(z.string()).readonly().nullable(),
  license: Text,
  chapters: z
    .array(z.object({ title: z.string(), start_ms: z.int() }))
    .readonly()
    .nullable(),
  subtitles: z
    .array(z.object({ language_code: z.string(), name: Text, origin: z.enum(['uploader_provided', 'auto_generated']) }))
    .readonly()
    .nullable(),
  embeddable: Flag,
  availability: z.enum(VIDEO_AVAILABILITIES).nullable(),
  counts_approximate: z.boolean(),
  data_source: z.string().describe('The part of the site from which it was read'),
});

export type VideoRecord = z.output<typeof VideoRecord>;

export const VideoAnswer = z.object({ video: VideoRecord });

/** A partial record of a video; members that are left out are unknown. */
export type VideoContext = Partial<Omit<VideoRecord, 'channel'>> & {
  readonly channel?: Partial<VideoRecord['channel']>;
  /** The names of counts that the page rounds. */
  readonly rounded?: readonly string[];
};

type PlayerContext = { readonly id: string; readonly country: string; readonly base: string };

/** Reads the video of a player response; null if there is none or it is another video. */
export function readPlayer(player: unknown, { id, country, base }: PlayerContext): VideoContext | null {
  const details = getPath(player, 'videoDetails');
  const facts = getPath(player, 'microformat', 'playerMicroformatRenderer');
  const shown = getPath(details, 'videoId') ?? getPath(facts, 'externalVideoId');
  // The title of the microformat can be in another language than the requested one.
  const title = toLine(getPath(details, 'title')) ?? readText(getPath(facts, 'title'));
  if (shown !== id || title === null) return null;
  const isLive =
    toBoolean(getPath(details, 'isLive')) ?? toBoolean(getPath(facts, 'liveBroadcastDetails', 'isLiveNow'));
  const owner = toCleanUrl(getPath(facts, 'ownerProfileUrl'), base)?.replace(/^http:/, 'https:') ?? null;
  const length = secondsToMs(getPath(details, 'lengthSeconds') ?? getPath(facts, 'lengthSeconds'));
  const canonical = toLine(getPath(facts, 'canonicalUrl'));
  return {
    title,
    description: toText(getPath(details, 'shortDescription')) ?? toText(getPath(facts, 'description', 'simpleText')),
    channel: {
      id: toLine(getPath(details, 'channelId')) ?? toLine(getPath(facts, 'externalChannelId')),
      name: toLine(getPath(details, 'author')) ?? toLine(getPath(facts, 'ownerChannelName')),
      handle: /\/(@[^/?#]+)$/.exec(owner ?? '')?.[1] ?? null,
      url: owner,
    },
    published_at: toTimestamp(getPath(facts, 'publishDate')),
    uploaded_at: toTimestamp(getPath(facts, 'uploadDate')),
    // A running broadcast has the length 0.
    duration_ms: length === 0 ? null : length,
    view_count: toNatural(getPath(details, 'viewCount') ?? getPath(facts, 'viewCount')),
    like_count: toNatural(getPath(facts, 'likeCount')),
    category: toLine(getPath(facts, 'category')),
    tags: details === undefined ? null : toArray(getPath(details, 'keywords')).flatMap((word) => toLine(word) ?? []),
    thumbnails: readThumbnails(getPath(details, 'thumbnail') ?? getPath(facts, 'thumbnail'), base),
    // A finished or ordinary video lacks the member.
    is_live: isLive ?? (details === undefined ? null : false),
    is_live_content: toBoolean(getPath(details, 'isLiveContent')),
    live: readLive(player),
    is_unlisted: toBoolean(getPath(facts, 'isUnlisted')),
    is_family_safe: toBoolean(getPath(facts, 'isFamilySafe')),
    is_short: canonical === null ? null : canonical.includes('/shorts/'),
    available_countries: readCountries(facts),
    subtitles: listSubtitles(player),
    embeddable: toBoolean(getPath(player, 'playabilityStatus', 'playableInEmbed')),
    availability: findAvailability(player, country),
  };
}

function readCountries(facts: unknown): readonly string[] | null {
  const countries = getPath(facts, 'availableCountries');
  return Array.isArray(countries) ? countries.flatMap((one) => toLine(one) ?? []) : null;
}

function readLive(player: unknown): VideoRecord['live'] {
  const facts = getPath(player, 'microformat', 'playerMicroformatRenderer', 'liveBroadcastDetails');
  const slate = getPath(player, 'playabilityStatus', 'liveStreamability', 'liveStreamabilityRenderer', 'offlineSlate');
  const planned = toTimestamp(getPath(slate, 'liveStreamOfflineSlateRenderer', 'scheduledStartTime'));
  if (facts === undefined && planned === null) return null;
  const start = toTimestamp(getPath(facts, 'startTimestamp'));
  return planned === null
    ? { started_at: start, ended_at: toTimestamp(getPath(facts, 'endTimestamp')), scheduled_at: null }
    : { started_at: null, ended_at: null, scheduled_at: planned };
}

function listSubtitles(player: unknown): VideoRecord['subtitles'] {
  // A player that cannot play the video does not list its subtitles.
  if (getPath(player, 'playabilityStatus', 'status') !== 'OK') return null;
  const tracks = toArray(getPath(player, 'captions', 'playerCaptionsTracklistRenderer', 'captionTracks'));
  return tracks.flatMap((track) => {
    const code = toLine(getPath(track, 'languageCode'));
    if (code === null) return [];
    const origin = getPath(track, 'kind') === 'asr' ? ('auto_generated' as const) : ('uploader_provided' as const);
    return [{ language_code: code, name: readText(getPath(track, 'name')), origin }];
  });
}

/** Reads the thumbnails of a video or a channel. */
export function readThumbnails(raw: unknown, base: string): NonNullable<VideoRecord['thumbnails']> {
  return toArray(getPath(raw, 'thumbnails')).flatMap((one) => {
    const address = toMediaUrl(getPath(one, 'url'), base);
    return address === null
      ? []
      : [{ url: address, width: toInteger(getPath(one, 'width')), height: toInteger(getPath(one, 'height')) }];
  });
}

type VideoAvailability = (typeof VIDEO_AVAILABILITIES)[number];

/** Finds the availability of a video from a player response. */
function findAvailability(player: unknown, country: string): VideoAvailability | null {
  const status = getPath(player, 'playabilityStatus', 'status');
  const reason = readReason(player) ?? '';
  const microformat = getPath(player, 'microformat', 'playerMicroformatRenderer');
  const countries = toArray(getPath(microformat, 'availableCountries'));
  if (status === 'LIVE_STREAM_OFFLINE') return 'upcoming';
  if (status === 'LOGIN_REQUIRED') return /\bbot\b/i.test(reason) ? null : 'age_restricted';
  if (status === 'UNPLAYABLE' || status === 'ERROR') {
    if (/members/i.test(reason)) return 'members_only';
    if (/payment|purchase|\brent|premium/i.test(reason)) return 'paid';
    const isElsewhere = countries.length > 0 && !countries.includes(country.toUpperCase());
    return isElsewhere || /country|region|location/i.test(reason) ? 'region_locked' : null;
  }
  const isUnlisted = getPath(microformat, 'isUnlisted');
  if (typeof isUnlisted !== 'boolean') return null;
  return isUnlisted ? 'unlisted' : status === 'OK' ? 'public' : null;
}

/** The renderers of a watch page, by name. */
const PARTS = [
  'videoPrimaryInfoRenderer',
  'videoSecondaryInfoRenderer',
  'macroMarkersListItemRenderer',
  'metadataRowRenderer',
  'likeButtonViewModel',
  'toggleButtonRenderer',
  'commentsEntryPointHeaderRenderer',
  'engagementPanelTitleHeaderRenderer',
] as const;

type WatchParts = Readonly<Record<(typeof PARTS)[number], readonly unknown[]>>;

type WatchContext = { readonly id: string; readonly locale: string; readonly base: string };

/** Reads the video from the data of the page around the player; null if there is none or it is another video. */
export function readWatchData(data: unknown, { id, locale, base }: WatchContext): VideoContext | null {
  if (getPath(data, 'currentVideoEndpoint', 'watchEndpoint', 'videoId') !== id) return null;
  const parts = collectParts(data);
  const primary = parts.videoPrimaryInfoRenderer[0];
  const secondary = parts.videoSecondaryInfoRenderer[0];
  const title = readText(getPath(primary, 'title'));
  if (title === null) return null;
  const views = toCount(readText(getPath(primary, 'viewCount', 'videoViewCountRenderer', 'viewCount')), locale);
  const owner = getPath(secondary, 'owner', 'videoOwnerRenderer');
  const subscribers = toCount(readText(getPath(owner, 'subscriberCountText')), locale);
  const likes = readLikes(parts, locale);
  const comments = readCommentCount(parts, locale);
  return {
    title,
    description: readText(getPath(secondary, 'attributedDescription')) ?? readText(getPath(secondary, 'description')),
    channel: readChannel(owner, { subscribers, base }),
    published_at: toTimestamp(readText(getPath(primary, 'dateText')), locale),
    view_count: views?.value ?? null,
    like_count: likes?.value ?? null,
    comment_count: comments?.value ?? null,
    license: readLicense(parts.metadataRowRenderer),
    chapters: readChapters(parts.macroMarkersListItemRenderer, id),
    rounded: Object.entries({
      view_count: views,
      like_count: likes,
      comment_count: comments,
      subscriber_count: subscribers,
    })
      .filter(([, one]) => one?.approximate === true)
      .map(([name]) => name),
  };
}

/** Collects all renderers in one walk, because the data has a hundred thousand values. */
function collectParts(data: unknown): WatchParts {
  const found: Record<(typeof PARTS)[number], unknown[]> = {
    videoPrimaryInfoRenderer: [],
    videoSecondaryInfoRenderer: [],
    macroMarkersListItemRenderer: [],
    metadataRowRenderer: [],
    likeButtonViewModel: [],
    toggleButtonRenderer: [],
    commentsEntryPointHeaderRenderer: [],
    engagementPanelTitleHeaderRenderer: [],
  };
  const holders = findObjects(data, (object) => PARTS.some((name) => Object.hasOwn(object, name)));
  for (const holder of holders)
    for (const name of PARTS) if (Object.hasOwn(holder, name)) found[name].push(holder[name]);
  return found;
}

function readChannel(
  owner: unknown,
  { subscribers, base }: { readonly subscribers: Count | null; readonly base: string },
): Partial<VideoRecord['channel']> {
  const home = getPath(owner, 'navigationEndpoint', 'browseEndpoint');
  const path = toLine(getPath(home, 'canonicalBaseUrl'));
  const badges = toArray(getPath(owner, 'badges')).map(
    (badge) => toLine(getPath(badge, 'metadataBadgeRenderer', 'style')) ?? '',
  );
  const id = toLine(getPath(home, 'browseId'));
  return {
    id: id?.startsWith('UC') === true ? id : null,
    name: readText(getPath(owner, 'title')),
    handle: /^\/(@[^/]+)$/.exec(path ?? '')?.[1] ?? null,
    url: toCleanUrl(path ?? undefined, base),
    avatar_url: readThumbnails(getPath(owner, 'thumbnail'), base).at(-1)?.url ?? null,
    subscriber_count: subscribers?.value ?? null,
    subscriber_count_text: readText(getPath(owner, 'subscriberCountText')),
    verified: owner === undefined ? null : badges.some((style) => style.includes('VERIFIED')),
  };
}

/** Reads the likes. The accessibility label of the button has the exact number. */
function readLikes(
  { likeButtonViewModel: buttons, toggleButtonRenderer: older }: WatchParts,
  locale: string,
): Count | null {
  const models = findObjects(buttons[0], (object) => object['iconName'] === 'LIKE').slice(0, 1);
  const toggles = older.filter(isJsonObject).filter((one) => getPath(one, 'defaultIcon', 'iconType') === 'LIKE');
  for (const one of [...models, ...toggles.map((toggle) => readLabel(toggle))]) {
    const exact = toCount(toLine(one['accessibilityText']), locale);
    const shown = toCount(toLine(one['title']), locale);
    // Without likes the label contains no count of likes.
    if (exact !== null && (shown === null || exact.value >= shown.value / 2)) return exact;
    if (shown !== null) return shown;
  }
  return null;
}

function readLabel(toggle: JsonObject): JsonObject {
  const label = toggle['defaultText'];
  return { title: readText(label), accessibilityText: getPath(label, 'accessibility', 'accessibilityData', 'label') };
}

function readCommentCount(parts: WatchParts, locale: string): Count | null {
  const [entry] = parts.commentsEntryPointHeaderRenderer;
  const panel = parts.engagementPanelTitleHeaderRenderer.find((one) => getPath(one, 'contextualInfo') !== undefined);
  return toCount(readText(getPath(entry, 'commentCount')) ?? readText(getPath(panel, 'contextualInfo')), locale);
}

/** Reads the row that links to the licence. */
function readLicense(rows: readonly unknown[]): string | null {
  for (const row of rows)
    for (const content of toArray(getPath(row, 'contents'))) {
      const links = toArray(getPath(content, 'runs')).map((run) =>
        getPath(run, 'navigationEndpoint', 'urlEndpoint', 'url'),
      );
      if (links.some((link) => (toLine(link) ?? '').endsWith('/t/creative_commons'))) return readText(content);
    }
  return null;
}

/** Reads the chapters, which the page contains twice. */
function readChapters(items: readonly unknown[], id: string): VideoRecord['chapters'] {
  const chapters = new Map<number, string>();
  for (const item of items) {
    const start = secondsToMs(getPath(item, 'onTap', 'watchEndpoint', 'startTimeSeconds'));
    const title = readText(getPath(item, 'title'));
    if (start === null || title === null || getPath(item, 'onTap', 'watchEndpoint', 'videoId') !== id) continue;
    if (!chapters.has(start)) chapters.set(start, title);
  }
  return [...chapters].toSorted(([one], [other]) => one - other).map(([start_ms, title]) => ({ title, start_ms }));
}
