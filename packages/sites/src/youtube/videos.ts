import { requestMore, notFound, markPartial, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest, SiteContext } from '#sites/framework/request.ts';
import { listEntities, readAttributeAt } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findVariable } from '#extract/dom/scripts.ts';
import { toList, parseJsonValue } from '#extract/values/json.ts';
import { getPath, toDurationMs, toLine, toMediaUrl, toTimestamp, toNatural, toCleanUrl } from '#extract/values/raw.ts';
import { buildContext, findRefusal, findVideoId, VideoInput } from './shared.ts';
import { HOME, youtube } from './site.ts';
import { type VideoContext, readPlayer, readWatchData, VideoAnswer, type VideoRecord } from './video-data.ts';

/** The watch page with the player response, the data of the page around it, and structured data. */
const watchSource: EndpointSource<typeof VideoInput, typeof VideoAnswer> = {
  name: 'watch',
  request: (input, site) => ({
    origin: 'web',
    path: '/watch',
    query: { v: findVideoId(input, site), hl: input.language, gl: input.country.toUpperCase() },
    language: input.language,
  }),
  parse(page, input, site) {
    const id = findVideoId(input, site);
    const html = parsePage(page.body, page.url);
    const player = findVariable(html, 'ytInitialPlayerResponse');
    const refusal = player === undefined ? null : findRefusal(player);
    if (refusal !== null) return refusal;
    const locale = readAttributeAt(html, 'html', 'lang') ?? input.language;
    const records = [
      readPlayer(player, { id, country: input.country, base: page.url }),
      readWatchData(findVariable(html, 'ytInitialData'), { id, locale, base: page.url }),
      readStructuredData(html, id),
    ].filter((one) => one !== null);
    if (records.length > 0) return { video: toVideo({ id, base: page.url, source: 'watch_page' }, records) };
    const shown = toLine(getPath(player, 'videoDetails', 'videoId'));
    if (shown === null && new URL(page.url).pathname === '/') return notFound('the site redirects to its front page');
    return unusable(shown === null ? 'no video in the page' : 'the requested video is missing');
  },
};

type VideoSource = EndpointSource<typeof VideoInput, typeof VideoAnswer>;

/** The API of the site's player, then the API of the page around it. */
const playerSource: VideoSource = {
  name: 'player',
  request: (input, site) => buildApiRequest('player', input, site),
  parse(page, input, site) {
    const id = findVideoId(input, site);
    const base = page.url;
    if (page.carry === undefined) {
      const answer = parseJsonValue(page.body);
      if (answer === undefined) return unusable('no answer of the player');
      const player = getPath(answer, 'playerResponse') ?? answer;
      const refusal = findRefusal(player);
      if (refusal !== null) return refusal;
      const known = readPlayer(player, { id, country: input.country, base });
      if (known === null) return unusable('the requested video is missing');
      const alone = { video: toVideo({ id, base, source: 'player' }, [known]) };
      return requestMore(buildApiRequest('next', input, site), player, markPartial(alone, WATCH_GAP));
    }
    const known = readPlayer(page.carry, { id, country: input.country, base });
    const around = readWatchData(parseJsonValue(page.body), { id, locale: input.language, base });
    if (known === null) return unusable('the requested video is missing');
    return { video: toVideo({ id, base, source: 'player' }, around === null ? [known] : [known, around]) };
  },
};

/** The API of the page around the player. It works for visitors whom the player refuses. */
const nextSource: VideoSource = {
  name: 'next',
  lacks:
    'the page outside the player does not contain the length, exact time, tags, subtitles and visibility of the video',
  request: (input, site) => buildApiRequest('next', input, site),
  parse(page, input, site) {
    const id = findVideoId(input, site);
    const known = readWatchData(parseJsonValue(page.body), { id, locale: input.language, base: page.url });
    if (known === null) return unusable('the requested video is missing');
    return { video: toVideo({ id, base: page.url, source: 'next' }, [known]) };
  },
};

/** The oEmbed answer for a video. */
const oembedSource: EndpointSource<typeof VideoInput, typeof VideoAnswer> = {
  name: 'oembed',
  lacks: 'the embed has only title, channel and picture',
  request: (input, site) => ({
    origin: 'web',
    path: '/oembed',
    query: { url: `${HOME}/watch?v=${findVideoId(input, site)}`, format: 'json' },
  }),
  parse(page, input, site) {
    const id = findVideoId(input, site);
    const raw = parseJsonValue(page.body);
    const title = toLine(getPath(raw, 'title'));
    const picture = toMediaUrl(getPath(raw, 'thumbnail_url'), page.url);
    // Only the address of the thumbnail has the id of the video.
    if (title === null || picture?.includes(`/${id}/`) !== true) return unusable('the requested video is missing');
    const home = toCleanUrl(getPath(raw, 'author_url'), page.url);
    const handle = /\/(@[^/?#]+)$/.exec(home ?? '')?.[1] ?? null;
    const channel = { name: toLine(getPath(raw, 'author_name')), url: home, handle };
    const thumbnails = [{ url: picture, width: null, height: null }];
    return { video: toVideo({ id, base: page.url, source: 'oembed' }, [{ title, channel, thumbnails }]) };
  },
};

export const youtubeVideos = youtube({
  path: '/videos/{video_id}',
  summary: 'Metadata of one video',
  input: VideoInput,
  record: VideoAnswer,
  aliases: { country: ['geo'], language: ['locale'] },
  sources: [watchSource, playerSource, nextSource, oembedSource],
  expected: ['video.channel.id', 'video.published_at', 'video.view_count', 'video.duration_ms', 'video.thumbnails'],
  canary: { video_id: 'jNQXAC9IVRw' },
});

/** Reads the structured data of a watch page; null if it is missing or of another video. */
function readStructuredData(page: ParsedPage, id: string): VideoContext | null {
  const entities = listEntities(page, 'VideoObject').filter(({ members }) =>
    ['identifier', 'videoId', 'url', '@id'].some((name) => readLine(members[name])?.endsWith(id) === true),
  );
  const read = (name: string): string | null =>
    entities.map((one) => readLine(one.members[name])).find((one) => one !== null) ?? null;
  const title = read('name');
  if (title === null) return null;
  return {
    title,
    description: read('description'),
    channel: { id: read('channelId') },
    published_at: toTimestamp(read('datePublished')),
    uploaded_at: toTimestamp(read('uploadDate')),
    duration_ms: toDurationMs(read('duration')),
    view_count: toNatural(read('interactionCount')),
    category: read('genre'),
    is_unlisted: parseFlag(read('unlisted')),
    is_family_safe: parseFlag(read('isFamilyFriendly')),
    available_countries: read('regionsAllowed')?.split(',') ?? null,
  };
}

function readLine(value: unknown): string | null {
  return toLine(toList(value)[0]);
}

function parseFlag(word: string | null): boolean | null {
  return word === null ? null : /^true$/i.test(word);
}

const FIELDS =
  'playabilityStatus,videoDetails,microformat,captions.playerCaptionsTracklistRenderer.captionTracks(languageCode,name,kind)';

const WATCH_GAP = 'the player has no chapters, likes and comments';

function buildApiRequest(what: 'player' | 'next', input: VideoInput, site: SiteContext): SiteRequest {
  return {
    origin: 'web',
    path: `/youtubei/v1/${what}`,
    query: { prettyPrint: false, ...(what === 'player' ? { $fields: FIELDS } : {}) },
    post: {
      json: {
        context: buildContext(input, site),
        videoId: findVideoId(input, site),
        contentCheckOk: true,
        racyCheckOk: true,
      },
    },
    language: input.language,
  };
}

/** Merges partial records, the most exact first; later ones fill members that earlier ones do not have. */
function toVideo(
  { id, base, source }: { readonly id: string; readonly base: string; readonly source: string },
  known: readonly VideoContext[],
): VideoRecord {
  function pick<K extends keyof VideoContext>(name: K): NonNullable<VideoContext[K]> | null {
    for (const one of known) {
      const value = one[name];
      if (value !== null && value !== undefined) return value;
    }
    return null;
  }

  function ofChannel<K extends keyof VideoRecord['channel']>(name: K): NonNullable<VideoRecord['channel'][K]> | null {
    for (const { channel } of known) {
      const value = channel?.[name];
      if (value !== null && value !== undefined) return value;
    }
    return null;
  }

  const channelId = ofChannel('id');
  const address = new URL('/watch', base);
  address.searchParams.set('v', id);
  return {
    id,
    url: address.href,
    title: pick('title') ?? '',
    description: pick('description'),
    channel: {
      id: channelId,
      name: ofChannel('name'),
      handle: ofChannel('handle'),
      url: ofChannel('url') ?? (channelId === null ? null : new URL(`/channel/${channelId}`, base).href),
      avatar_url: ofChannel('avatar_url'),
      subscriber_count: ofChannel('subscriber_count'),
      subscriber_count_text: ofChannel('subscriber_count_text'),
      verified: ofChannel('verified'),
    },
    published_at: pick('published_at'),
    uploaded_at: pick('uploaded_at'),
    duration_ms: pick('duration_ms'),
    view_count: pick('view_count'),
    like_count: pick('like_count'),
    comment_count: pick('comment_count'),
    category: pick('category'),
    tags: pick('tags'),
    thumbnails: pick('thumbnails'),
    is_live: pick('is_live'),
    is_live_content: pick('is_live_content'),
    live: pick('live'),
    is_unlisted: pick('is_unlisted'),
    is_family_safe: pick('is_family_safe'),
    is_short: pick('is_short'),
    available_countries: pick('available_countries'),
    license: pick('license'),
    chapters: pick('chapters'),
    subtitles: pick('subtitles'),
    embeddable: pick('embeddable'),
    availability: pick('availability'),
    counts_approximate: COUNTS.some((name) => isRounded(known, name)),
    data_source: source,
  };
}

const COUNTS = ['view_count', 'like_count', 'comment_count', 'subscriber_count'] as const;

/** Checks whether the partial record that has a count rounded it. */
function isRounded(known: readonly VideoContext[], name: (typeof COUNTS)[number]): boolean {
  const from = known.find((one) => typeof (name === 'subscriber_count' ? one.channel?.[name] : one[name]) === 'number');
  return from?.rounded?.includes(name) === true;
}
