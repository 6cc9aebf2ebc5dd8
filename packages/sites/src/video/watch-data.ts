import { findObjects } from '#extract/json/search.ts';
import type { Count } from '#extract/values/counts.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, countOf, line, list, moment, seconds, url } from '#extract/values/raw.ts';
import { thumbnailsOf } from './player.ts';
import type { KnownVideo } from './player.ts';
import { wording } from './playability.ts';
import type { VideoRecord } from './video-record.ts';

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

/** The video as the page around the player describes it; null when it is another video, or none. */
export function fromWatchData(data: unknown, { id, locale, base }: WatchContext): KnownVideo | null {
  if (at(data, 'currentVideoEndpoint', 'watchEndpoint', 'videoId') !== id) return null;
  const parts = partsOf(data);
  const primary = parts.videoPrimaryInfoRenderer[0];
  const secondary = parts.videoSecondaryInfoRenderer[0];
  const title = wording(at(primary, 'title'));
  if (title === null) return null;
  const views = countOf(wording(at(primary, 'viewCount', 'videoViewCountRenderer', 'viewCount')), locale);
  const owner = at(secondary, 'owner', 'videoOwnerRenderer');
  const subscribers = countOf(wording(at(owner, 'subscriberCountText')), locale);
  const likes = likesOf(parts, locale);
  const comments = commentsOf(parts, locale);
  return {
    title,
    description: wording(at(secondary, 'attributedDescription')) ?? wording(at(secondary, 'description')),
    channel: channelOf(owner, { subscribers, base }),
    published_at: moment(wording(at(primary, 'dateText')), locale),
    view_count: views?.value ?? null,
    like_count: likes?.value ?? null,
    comment_count: comments?.value ?? null,
    license: licenseOf(parts.metadataRowRenderer),
    chapters: chaptersOf(parts.macroMarkersListItemRenderer, id),
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

/** All of them in one walk, because what is drawn has a hundred thousand values. */
function partsOf(data: unknown): WatchParts {
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

function channelOf(
  owner: unknown,
  { subscribers, base }: { readonly subscribers: Count | null; readonly base: string },
): Partial<VideoRecord['channel']> {
  const home = at(owner, 'navigationEndpoint', 'browseEndpoint');
  const path = line(at(home, 'canonicalBaseUrl'));
  const badges = list(at(owner, 'badges')).map((badge) => line(at(badge, 'metadataBadgeRenderer', 'style')) ?? '');
  const id = line(at(home, 'browseId'));
  return {
    id: id?.startsWith('UC') === true ? id : null,
    name: wording(at(owner, 'title')),
    handle: /^\/(@[^/]+)$/.exec(path ?? '')?.[1] ?? null,
    url: url(path ?? undefined, base),
    avatar_url: thumbnailsOf(at(owner, 'thumbnail'), base).at(-1)?.url ?? null,
    subscriber_count: subscribers?.value ?? null,
    subscriber_count_text: wording(at(owner, 'subscriberCountText')),
    verified: owner === undefined ? null : badges.some((style) => style.includes('VERIFIED')),
  };
}

/** The label of the button for those who cannot see it has the exact number. */
function likesOf(
  { likeButtonViewModel: buttons, toggleButtonRenderer: older }: WatchParts,
  locale: string,
): Count | null {
  const models = findObjects(buttons[0], (object) => object['iconName'] === 'LIKE').slice(0, 1);
  const toggles = older.filter(isJsonObject).filter((one) => at(one, 'defaultIcon', 'iconType') === 'LIKE');
  for (const one of [...models, ...toggles.map((toggle) => labelOf(toggle))]) {
    const exact = countOf(line(one['accessibilityText']), locale);
    const shown = countOf(line(one['title']), locale);
    // Without likes the label is a bare invitation.
    if (exact !== null && (shown === null || exact.value >= shown.value / 2)) return exact;
    if (shown !== null) return shown;
  }
  return null;
}

function labelOf(toggle: JsonObject): JsonObject {
  const text = toggle['defaultText'];
  return { title: wording(text), accessibilityText: at(text, 'accessibility', 'accessibilityData', 'label') };
}

function commentsOf(parts: WatchParts, locale: string): Count | null {
  const [entry] = parts.commentsEntryPointHeaderRenderer;
  const panel = parts.engagementPanelTitleHeaderRenderer.find((one) => at(one, 'contextualInfo') !== undefined);
  return countOf(wording(at(entry, 'commentCount')) ?? wording(at(panel, 'contextualInfo')), locale);
}

/** The one row that links to what the licence allows. */
function licenseOf(rows: readonly unknown[]): string | null {
  for (const row of rows)
    for (const content of list(at(row, 'contents'))) {
      const links = list(at(content, 'runs')).map((run) => at(run, 'navigationEndpoint', 'urlEndpoint', 'url'));
      if (links.some((link) => (line(link) ?? '').endsWith('/t/creative_commons'))) return wording(content);
    }
  return null;
}

/** Chapters stand twice in the page. */
function chaptersOf(items: readonly unknown[], id: string): VideoRecord['chapters'] {
  const found = new Map<number, string>();
  for (const item of items) {
    const start = seconds(at(item, 'onTap', 'watchEndpoint', 'startTimeSeconds'));
    const title = wording(at(item, 'title'));
    if (start === null || title === null || at(item, 'onTap', 'watchEndpoint', 'videoId') !== id) continue;
    if (!found.has(start)) found.set(start, title);
  }
  return [...found].toSorted(([one], [other]) => one - other).map(([start_ms, title]) => ({ title, start_ms }));
}
