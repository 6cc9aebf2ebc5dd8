import { z } from 'zod';
import { findObjects } from '#extract/json/search.ts';
import type { Count } from '#extract/values/counts.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import {
  at,
  boolean,
  countOf,
  integer,
  line,
  list,
  mediaUrl,
  moment,
  natural,
  seconds,
  text,
  url,
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
  data_source: z.string().describe('What of the site it was read from'),
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
  const details = at(player, 'videoDetails');
  const facts = at(player, 'microformat', 'playerMicroformatRenderer');
  const shown = at(details, 'videoId') ?? at(facts, 'externalVideoId');
  // The title of the microformat can be in another language than the requested one.
  const title = line(at(details, 'title')) ?? readText(at(facts, 'title'));
  if (shown !== id || title === null) return null;
  const isLive = boolean(at(details, 'isLive')) ?? boolean(at(facts, 'liveBroadcastDetails', 'isLiveNow'));
  const owner = url(at(facts, 'ownerProfileUrl'), base)?.replace(/^http:/, 'https:') ?? null;
  const length = seconds(at(details, 'lengthSeconds') ?? at(facts, 'lengthSeconds'));
  const canonical = line(at(facts, 'canonicalUrl'));
  return {
    title,
    description: text(at(details, 'shortDescription')) ?? text(at(facts, 'description', 'simpleText')),
    channel: {
      id: line(at(details, 'channelId')) ?? line(at(facts, 'externalChannelId')),
      name: line(at(details, 'author')) ?? line(at(facts, 'ownerChannelName')),
      handle: /\/(@[^/?#]+)$/.exec(owner ?? '')?.[1] ?? null,
      url: owner,
    },
    published_at: moment(at(facts, 'publishDate')),
    uploaded_at: moment(at(facts, 'uploadDate')),
    // A running broadcast has the length 0.
    duration_ms: length === 0 ? null : length,
    view_count: natural(at(details, 'viewCount') ?? at(facts, 'viewCount')),
    like_count: natural(at(facts, 'likeCount')),
    category: line(at(facts, 'category')),
    tags: details === undefined ? null : list(at(details, 'keywords')).flatMap((word) => line(word) ?? []),
    thumbnails: readThumbnails(at(details, 'thumbnail') ?? at(facts, 'thumbnail'), base),
    // A finished or ordinary video lacks the member.
    is_live: isLive ?? (details === undefined ? null : false),
    is_live_content: boolean(at(details, 'isLiveContent')),
    live: readLive(player),
    is_unlisted: boolean(at(facts, 'isUnlisted')),
    is_family_safe: boolean(at(facts, 'isFamilySafe')),
    is_short: canonical === null ? null : canonical.includes('/shorts/'),
    available_countries: readCountries(facts),
    subtitles: listSubtitles(player),
    embeddable: boolean(at(player, 'playabilityStatus', 'playableInEmbed')),
    availability: findAvailability(player, country),
  };
}

function readCountries(facts: unknown): readonly string[] | null {
  const found = at(facts, 'availableCountries');
  return Array.isArray(found) ? found.flatMap((one) => line(one) ?? []) : null;
}

function readLive(player: unknown): VideoRecord['live'] {
  const facts = at(player, 'microformat', 'playerMicroformatRenderer', 'liveBroadcastDetails');
  const slate = at(player, 'playabilityStatus', 'liveStreamability', 'liveStreamabilityRenderer', 'offlineSlate');
  const planned = moment(at(slate, 'liveStreamOfflineSlateRenderer', 'scheduledStartTime'));
  if (facts === undefined && planned === null) return null;
  const start = moment(at(facts, 'startTimestamp'));
  return planned === null
    ? { started_at: start, ended_at: moment(at(facts, 'endTimestamp')), scheduled_at: null }
    : { started_at: null, ended_at: null, scheduled_at: planned };
}

function listSubtitles(player: unknown): VideoRecord['subtitles'] {
  // A player that cannot play the video does not list its subtitles.
  if (at(player, 'playabilityStatus', 'status') !== 'OK') return null;
  const tracks = list(at(player, 'captions', 'playerCaptionsTracklistRenderer', 'captionTracks'));
  return tracks.flatMap((track) => {
    const code = line(at(track, 'languageCode'));
    if (code === null) return [];
    const origin = at(track, 'kind') === 'asr' ? ('auto_generated' as const) : ('uploader_provided' as const);
    return [{ language_code: code, name: readText(at(track, 'name')), origin }];
  });
}

/** Reads the thumbnails of a video or a channel. */
export function readThumbnails(raw: unknown, base: string): NonNullable<VideoRecord['thumbnails']> {
  return list(at(raw, 'thumbnails')).flatMap((one) => {
    const address = mediaUrl(at(one, 'url'), base);
    return address === null
      ? []
      : [{ url: address, width: integer(at(one, 'width')), height: integer(at(one, 'height')) }];
  });
}

type VideoAvailability = (typeof VIDEO_AVAILABILITIES)[number];

/** Finds the availability of a video from a player response. */
function findAvailability(player: unknown, country: string): VideoAvailability | null {
  const status = at(player, 'playabilityStatus', 'status');
  const reason = readReason(player) ?? '';
  const microformat = at(player, 'microformat', 'playerMicroformatRenderer');
  const countries = list(at(microformat, 'availableCountries'));
  if (status === 'LIVE_STREAM_OFFLINE') return 'upcoming';
  if (status === 'LOGIN_REQUIRED') return /\bbot\b/i.test(reason) ? null : 'age_restricted';
  if (status === 'UNPLAYABLE' || status === 'ERROR') {
    if (/members/i.test(reason)) return 'members_only';
    if (/payment|purchase|\brent|premium/i.test(reason)) return 'paid';
    const isElsewhere = countries.length > 0 && !countries.includes(country.toUpperCase());
    return isElsewhere || /country|region|location/i.test(reason) ? 'region_locked' : null;
  }
  const isUnlisted = at(microformat, 'isUnlisted');
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
  if (at(data, 'currentVideoEndpoint', 'watchEndpoint', 'videoId') !== id) return null;
  const parts = collectParts(data);
  const primary = parts.videoPrimaryInfoRenderer[0];
  const secondary = parts.videoSecondaryInfoRenderer[0];
  const title = readText(at(primary, 'title'));
  if (title === null) return null;
  const views = countOf(readText(at(primary, 'viewCount', 'videoViewCountRenderer', 'viewCount')), locale);
  const owner = at(secondary, 'owner', 'videoOwnerRenderer');
  const subscribers = countOf(readText(at(owner, 'subscriberCountText')), locale);
  const likes = readLikes(parts, locale);
  const comments = readCommentCount(parts, locale);
  return {
    title,
    description: readText(at(secondary, 'attributedDescription')) ?? readText(at(secondary, 'description')),
    channel: readChannel(owner, { subscribers, base }),
    published_at: moment(readText(at(primary, 'dateText')), locale),
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
  const home = at(owner, 'navigationEndpoint', 'browseEndpoint');
  const path = line(at(home, 'canonicalBaseUrl'));
  const badges = list(at(owner, 'badges')).map((badge) => line(at(badge, 'metadataBadgeRenderer', 'style')) ?? '');
  const id = line(at(home, 'browseId'));
  return {
    id: id?.startsWith('UC') === true ? id : null,
    name: readText(at(owner, 'title')),
    handle: /^\/(@[^/]+)$/.exec(path ?? '')?.[1] ?? null,
    url: url(path ?? undefined, base),
    avatar_url: readThumbnails(at(owner, 'thumbnail'), base).at(-1)?.url ?? null,
    subscriber_count: subscribers?.value ?? null,
    subscriber_count_text: readText(at(owner, 'subscriberCountText')),
    verified: owner === undefined ? null : badges.some((style) => style.includes('VERIFIED')),
  };
}

/** Reads the likes. The accessibility label of the button has the exact number. */
function readLikes(
  { likeButtonViewModel: buttons, toggleButtonRenderer: older }: WatchParts,
  locale: string,
): Count | null {
  const models = findObjects(buttons[0], (object) => object['iconName'] === 'LIKE').slice(0, 1);
  const toggles = older.filter(isJsonObject).filter((one) => at(one, 'defaultIcon', 'iconType') === 'LIKE');
  for (const one of [...models, ...toggles.map((toggle) => readLabel(toggle))]) {
    const exact = countOf(line(one['accessibilityText']), locale);
    const shown = countOf(line(one['title']), locale);
    // Without likes the label contains no count of likes.
    if (exact !== null && (shown === null || exact.value >= shown.value / 2)) return exact;
    if (shown !== null) return shown;
  }
  return null;
}

function readLabel(toggle: JsonObject): JsonObject {
  const label = toggle['defaultText'];
  return { title: readText(label), accessibilityText: at(label, 'accessibility', 'accessibilityData', 'label') };
}

function readCommentCount(parts: WatchParts, locale: string): Count | null {
  const [entry] = parts.commentsEntryPointHeaderRenderer;
  const panel = parts.engagementPanelTitleHeaderRenderer.find((one) => at(one, 'contextualInfo') !== undefined);
  return countOf(readText(at(entry, 'commentCount')) ?? readText(at(panel, 'contextualInfo')), locale);
}

/** Reads the row that links to the licence. */
function readLicense(rows: readonly unknown[]): string | null {
  for (const row of rows)
    for (const content of list(at(row, 'contents'))) {
      const links = list(at(content, 'runs')).map((run) => at(run, 'navigationEndpoint', 'urlEndpoint', 'url'));
      if (links.some((link) => (line(link) ?? '').endsWith('/t/creative_commons'))) return readText(content);
    }
  return null;
}

/** Reads the chapters, which the page contains twice. */
function readChapters(items: readonly unknown[], id: string): VideoRecord['chapters'] {
  const found = new Map<number, string>();
  for (const item of items) {
    const start = seconds(at(item, 'onTap', 'watchEndpoint', 'startTimeSeconds'));
    const title = readText(at(item, 'title'));
    if (start === null || title === null || at(item, 'onTap', 'watchEndpoint', 'videoId') !== id) continue;
    if (!found.has(start)) found.set(start, title);
  }
  return [...found].toSorted(([one], [other]) => one - other).map(([start_ms, title]) => ({ title, start_ms }));
}
