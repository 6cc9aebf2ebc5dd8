import { z } from 'zod';
import { InvariantError } from '#extract/invariant-error.ts';
import { requestMore, notFound, markPartial, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import {
  findCanonicalUrl,
  listEntities,
  selectAll,
  readAttributeAt,
  readLineAt,
  readSingleLine,
  selectFirst,
  readRichText,
} from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { getMember, toList, parseJsonValue } from '#extract/values/json.ts';
import {
  getPath,
  toCount,
  toDurationMs,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toNatural,
  secondsToMs,
  toText,
} from '#extract/values/raw.ts';
import {
  buildAddress,
  decodeLine,
  LOCALE,
  parsePath,
  parseVideoPath,
  parseVotes,
  refuseAddress,
  toChannel,
  type VideoAddress,
  VideoSummary,
} from './shared.ts';
import { HOME, rumble } from './site.ts';

const VideoInput = z.object({
  url: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .describe('Address of a video, a short or an embedded player, or the id of a video'),
});

type VideoInput = z.output<typeof VideoInput>;

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

const Video = VideoSummary.extend({
  embed_id: Text,
  embed_url: Text,
  video_numeric_id: Text,
  description_html: Text,
  description_text: Text,
  category: Text,
  tags: z.array(z.string()).readonly().nullable(),
  uploaded_at: Text,
  width: Count,
  height: Count,
  quality_text: Text,
  license: Text,
  subtitles: z
    .array(z.object({ language_code: z.string(), name: Text, url: z.string() }))
    .readonly()
    .nullable(),
  live: z.object({ status: z.enum(['live', 'upcoming', 'ended']), viewers: Count, scheduled_at: Text }).nullable(),
  streams_available: z.boolean().nullable().describe('Whether the player has streams'),
});

type Video = z.output<typeof Video>;

const VideoAnswer = z.object({ video: Video });

type VideoSource = EndpointSource<typeof VideoInput, typeof VideoAnswer>;

/** The page of a video, then the data of its player; in reverse order for the address of an embedded player. */
const pageSource: VideoSource = {
  name: 'page',
  request(input, site) {
    const wanted = findVideo(input, site);
    return wanted.kind === 'embed' ? buildEmbedRequest(wanted.id) : buildPageRequest(wanted);
  },
  parse(page, input, site) {
    const wanted = findVideo(input, site);
    if (page.carry !== undefined) return readFurther(page, VideoState.parse(page.carry));
    return wanted.kind === 'embed' ? readEmbedFirst(page, wanted.id) : readPageFirst(page, wanted.id);
  },
};

/** The oEmbed answer. */
const oembedSource: VideoSource = {
  name: 'oembed',
  lacks: 'the embed has only title, channel, picture and size',
  request(input, site) {
    const { kind, id } = findVideo(input, site);
    const path = { video: `/${id}.html`, short: `/shorts/${id}`, embed: `/embed/${id}/` }[kind];
    return { origin: 'web', path: '/api/Media/oembed.json', query: { url: `${HOME}${path}` } };
  },
  parse(page, input, site) {
    const { kind, id } = findVideo(input, site);
    const raw = parseJsonValue(page.body);
    const title = decodeLine(getPath(raw, 'title'));
    const frame = /\bsrc="([^"]+)"/.exec(toLine(getPath(raw, 'html')) ?? '')?.[1];
    const player = parseVideoPath(parsePath(frame ?? null) ?? '');
    const home = parseVideoPath(parsePath(toLine(getPath(raw, 'url'))) ?? '');
    if (title === null || (kind === 'embed' ? player?.id : home?.id) !== id)
      return unusable('the requested video is missing');
    const known: PartialVideo = {
      id,
      url: kind === 'embed' ? `${HOME}/embed/${id}/` : `${HOME}${kind === 'short' ? '/shorts' : ''}/${id}`,
      title,
      channel: toChannel(parsePath(toLine(getPath(raw, 'author_url'))), {
        name: decodeLine(getPath(raw, 'author_name')),
        verified: null,
      }),
      thumbnail_url: toMediaUrl(getPath(raw, 'thumbnail_url'), page.url),
      embed_id: player?.id ?? null,
      width: toInteger(getPath(raw, 'width')),
      height: toInteger(getPath(raw, 'height')),
    };
    return buildAnswer([known]);
  },
};

/** One video, from its page and the data of its player. */
export const rumbleVideo = rumble({
  path: '/video',
  summary: 'One video or short by its url',
  input: VideoInput,
  record: VideoAnswer,
  aliases: { url: ['id'] },
  sources: [pageSource, oembedSource],
  expected: ['video.channel', 'video.published_at', 'video.view_count', 'video.embed_id', 'video.thumbnail_url'],
  canary: {
    url: 'https://rumble.com/v54v7p6-governor-desantis-announces-infrastructure-and-workforce-training-grants-in.html',
  },
});

/** A partial record of a video; missing members are unknown. */
type PartialVideo = Partial<Video>;

/** Merges partial records, the first value of each member wins; null without an address, id or title. */
function mergeVideos(known: readonly PartialVideo[]): Video | null {
  const first = <Name extends keyof Video>(name: Name): Video[Name] | null =>
    known.find((record) => record[name] !== null && record[name] !== undefined)?.[name] ?? null;
  const url = first('url');
  const title = first('title');
  const address = parseVideoPath(URL.parse(url ?? '')?.pathname ?? '');
  const embedId = first('embed_id');
  const [type, id] =
    address === null || address.kind === 'embed' ? [first('type'), first('id')] : [address.kind, address.id];
  if (url === null || title === null || id === null) return null;
  const length = first('duration_ms');
  return {
    type: type ?? 'video',
    id,
    url,
    title,
    channel: first('channel'),
    thumbnail_url: first('thumbnail_url'),
    // A running broadcast has the length 0.
    duration_ms: length === 0 ? null : length,
    duration_text: first('duration_text'),
    view_count: first('view_count'),
    like_count: first('like_count'),
    dislike_count: first('dislike_count'),
    comment_count: first('comment_count'),
    published_at: first('published_at'),
    published_text: first('published_text'),
    is_live: first('is_live'),
    earned_amount: first('earned_amount'),
    counts_approximate: first('counts_approximate') ?? false,
    embed_id: embedId,
    embed_url: first('embed_url') ?? (embedId === null ? null : `${HOME}/embed/${embedId}/`),
    video_numeric_id: first('video_numeric_id'),
    description_html: first('description_html'),
    description_text: first('description_text'),
    category: first('category'),
    tags: first('tags'),
    uploaded_at: first('uploaded_at'),
    width: first('width'),
    height: first('height'),
    quality_text: first('quality_text'),
    license: first('license'),
    subtitles: first('subtitles'),
    live: first('live'),
    streams_available: first('streams_available'),
  };
}

/** Finds the requested video. Throws `not_found`, and `invalid_request` for another address. */
function findVideo({ url }: VideoInput, { locate }: Pick<SiteContext, 'locate'>): VideoAddress {
  const path = /^v[0-9a-z]+$/.test(url) ? `/${url}` : (locate(url)?.path ?? '');
  return parseVideoPath(path) ?? refuseAddress('url', path, 'a video');
}

/** The records so far, stored while a further page is requested. */
const VideoState = z.object({
  /** The kind of the further page. */
  step: z.enum(['embed', 'page', 'counter']),
  known: z.array(Video.partial()),
  broadcast: z.boolean(),
});

type VideoState = z.output<typeof VideoState>;

function buildPageRequest({ kind, id }: VideoAddress): SiteRequest {
  return { origin: 'web', path: kind === 'short' ? `/shorts/${id}` : `/${id}` };
}

function buildEmbedRequest(embedId: string): SiteRequest {
  return { origin: 'web', path: '/embedJS/u3/', query: { request: 'video', ver: 2, v: embedId } };
}

function readPageFirst(source: SourcePage, id: string): ReturnType<VideoSource['parse']> {
  if (new URL(source.url).pathname === '/') return notFound('the site redirects to its front page');
  const page = parsePage(source.body, source.url);
  const known = readVideoPage(page);
  if (known === null) return unusable('no video in the page');
  if (parsePageId(known) !== id) return unusable('the requested video is missing');
  const embedId = known.embed_id ?? null;
  const broadcast = isBroadcast(page);
  if (embedId === null) return requestCounter({ step: 'counter', known: [known], broadcast });
  const carried: VideoState = { step: 'embed', known: [known], broadcast };
  return requestMore(
    buildEmbedRequest(embedId),
    carried,
    markPartial(buildAnswer([known]), 'size, subtitles and streams, which only the player has'),
  );
}

function readEmbedFirst({ body }: SourcePage, embedId: string): ReturnType<VideoSource['parse']> {
  const raw = parseJsonValue(body);
  const refusal = raw === false ? 'there is no such video' : toLine(getPath(raw, 'sys', 'msg'));
  if (refusal !== null) return notFound(refusal.slice(0, 200));
  const known = readEmbed(raw, embedId);
  if (known === null) return unusable('the requested video is missing');
  const address = parseVideoPath(parsePath(known.url ?? null) ?? '');
  if (address === null || address.kind === 'embed') return buildAnswer([known]);
  const carried: VideoState = { step: 'page', known: [known], broadcast: known.live?.status === 'live' };
  return requestMore(
    buildPageRequest(address),
    carried,
    markPartial(buildAnswer([known]), 'counts, description and tags, which only the page has'),
  );
}

function readFurther(source: SourcePage, carried: VideoState): ReturnType<VideoSource['parse']> {
  const { step, known, broadcast } = carried;
  const [first = {}] = known;
  if (step === 'counter') {
    const counted = readCounter(parseJsonValue(source.body), first.video_numeric_id ?? null);
    return counted === null ? unusable('the viewers of the broadcast are missing') : buildAnswer([counted, ...known]);
  }
  if (step === 'embed') {
    const embedded = readEmbed(parseJsonValue(source.body), first.embed_id ?? '');
    return embedded === null
      ? unusable('no data of the player')
      : requestCounter({ ...carried, known: [...known, embedded] });
  }
  const page = parsePage(source.body, source.url);
  const shown = readVideoPage(page);
  if (shown === null || parsePageId(shown) !== parsePageId(first))
    return unusable('the page of the requested video is missing');
  return requestCounter({ step: 'counter', known: [shown, ...known], broadcast: broadcast || isBroadcast(page) });
}

/** Requests the viewer counter of a broadcast; returns the record for any other video. */
function requestCounter({ known, broadcast }: VideoState): ReturnType<VideoSource['parse']> {
  const answer = buildAnswer(known);
  const id = known.find(
    (record) => record.video_numeric_id !== null && record.video_numeric_id !== undefined,
  )?.video_numeric_id;
  if (!broadcast || id === undefined || id === null) return answer;
  const request = { origin: 'live', path: '/service.php', query: { video_id: id, name: 'video.watching-now' } };
  const carried: VideoState = { step: 'counter', known, broadcast };
  return requestMore(request, carried, markPartial(answer, 'the number of viewers of the broadcast'));
}

function buildAnswer(known: readonly PartialVideo[]): { video: Video } {
  const video = mergeVideos(known);
  if (video === null) throw new InvariantError('the records of a video have neither address nor title');
  return { video };
}

/** Reads the video of its page; null for any other page. */
function readVideoPage(page: ParsedPage): PartialVideo | null {
  const described = readStructuredData(page);
  const home = buildAddress(parsePath(findCanonicalUrl(page))) ?? described.url;
  const title = readLineAt(page, 'h1.h1') ?? described.title;
  if (home === null || home === undefined || title === null || title === undefined) return null;
  const [likes, dislikes] = parseVotes(readAttributeAt(page, '.rating-bar', 'title'));
  const liked = toCount(likes ?? readLineAt(page, '[data-js=rumbles_up_votes]'), LOCALE);
  const disliked = toCount(dislikes ?? readLineAt(page, '[data-js=rumbles_down_votes]'), LOCALE);
  const aired = '.streamed-on time, .media-description-info-tag time, .media-published time';
  const about = readDescription(page);
  return {
    ...described,
    url: home,
    title,
    channel: toChannel(readAttributeAt(page, 'a.media-by--a', 'href'), {
      name: readLineAt(page, 'a.media-by--a .media-heading-name'),
      verified: selectFirst(page, 'a.media-by--a .verification-badge-icon') !== 0,
    }),
    like_count: liked?.value ?? null,
    dislike_count: disliked?.value ?? null,
    comment_count: toCount(readLineAt(page, '.comments-header, .video-comments-count'), LOCALE)?.value ?? null,
    published_at: toTimestamp(readAttributeAt(page, aired, 'datetime')) ?? described.uploaded_at ?? null,
    published_text: readLineAt(page, aired),
    counts_approximate: liked?.approximate === true || disliked?.approximate === true,
    video_numeric_id: readAttributeAt(page, '.rumbles-vote-pill, .rumbles-vote', 'data-id'),
    description_html: about?.html ?? null,
    description_text: about?.text ?? described.description_text ?? null,
    category: readLineAt(page, '.video-category-tag-primary'),
    tags: listTags(page),
    license: readLineAt(page, '.media-license'),
  };
}

/** Checks whether the page is of a broadcast that is running, planned or just over. */
function isBroadcast(page: ParsedPage): boolean {
  return selectFirst(page, '.live-video-status') !== 0;
}

/** Parses the id from the address that a page gives for itself, to compare it with the requested one. */
function parsePageId({ url }: PartialVideo): string | null {
  return parseVideoPath(URL.parse(url ?? '')?.pathname ?? '')?.id ?? null;
}

function readStructuredData(page: ParsedPage): PartialVideo {
  const [entity] = listEntities(page, 'VideoObject');
  const read = (name: string): unknown => toList(entity?.members[name])[0];
  const embed = toLine(read('embedUrl'));
  const player = parseVideoPath(parsePath(embed) ?? '');
  const length = toDurationMs(read('duration'));
  return {
    url: buildAddress(parsePath(toLine(read('url')))) ?? undefined,
    title: decodeLine(read('name')) ?? undefined,
    description_text: toText(read('description')),
    thumbnail_url: toMediaUrl(read('thumbnailUrl'), page.url),
    uploaded_at: toTimestamp(read('uploadDate')),
    duration_ms: length,
    duration_text: null,
    view_count: toNatural(getMember(read('interactionStatistic'), 'userInteractionCount')),
    embed_id: player?.kind === 'embed' ? player.id : null,
    width: toInteger(read('width')),
    height: toInteger(read('height')),
  };
}

/** Lists the tags. The same container has the links to categories. */
function listTags(page: ParsedPage): readonly string[] {
  const links = selectAll(page, '.media-description-tags-container a');
  const tags = links.filter((node) => getAttribute(page.tree, node, 'href')?.startsWith('/category/') !== true);
  return tags.flatMap((node) => readSingleLine(page, node) ?? []);
}

/** Reads the whole description, without the buttons that show and hide it. */
function readDescription(page: ParsedPage) {
  const whole =
    selectFirst(page, '[data-js=media_long_description_container]') || selectFirst(page, 'div.media-description');
  return readRichText(page, whole);
}

/** The live states by their numbers. */
const LIVE_STATES = ['ended', 'upcoming', 'live'] as const;

/** Reads the data of the player; null if there is no video or it is another one. */
function readEmbed(raw: unknown, embedId: string): PartialVideo | null {
  const title = decodeLine(getPath(raw, 'title'));
  // The address that counts views contains the id of the video.
  const counted = toLine(getPath(raw, 'evt', 'v'));
  if (title === null || (counted !== null && !counted.includes(`.${embedId.slice(1)}.`))) return null;
  const height = toInteger(getPath(raw, 'h'));
  const streams = [...Object.keys(readObject(raw, 'u')), ...Object.keys(readObject(raw, 'ua'))];
  const state = toInteger(getPath(raw, 'live'));
  const hasBeenLive = getPath(raw, 'livestream_has_dvr') !== null && getPath(raw, 'livestream_has_dvr') !== undefined;
  return {
    url: buildAddress(toLine(getPath(raw, 'l'))) ?? `${HOME}/embed/${embedId}/`,
    title,
    channel: toChannel(parsePath(toLine(getPath(raw, 'author', 'url'))), {
      name: decodeLine(getPath(raw, 'author', 'name')),
      verified: null,
    }),
    thumbnail_url: toMediaUrl(getPath(raw, 'i') ?? getPath(raw, 't', 0, 'i'), HOME),
    duration_ms: secondsToMs(getPath(raw, 'duration')),
    published_at: toTimestamp(getPath(raw, 'pubDate')),
    is_live: state === null ? null : state === 2,
    embed_id: embedId,
    video_numeric_id: toInteger(getPath(raw, 'vid')) === null ? null : toLine(getPath(raw, 'vid')),
    width: toInteger(getPath(raw, 'w')),
    height,
    quality_text: height === null || height === 0 ? null : `${height}p`,
    subtitles: listSubtitles(getPath(raw, 'cc')),
    live: state === null || (state === 0 && !hasBeenLive) ? null : toLive(state, null, null),
    streams_available: streams.length > 0,
  };
}

/** Reads the viewer counter of a broadcast; null if it is of another video. */
function readCounter(raw: unknown, numericId: string | null): PartialVideo | null {
  const data = getPath(raw, 'data');
  const state = toInteger(getPath(data, 'livestream_status'));
  if (state === null || toLine(getPath(data, 'video_id')) !== numericId) return null;
  const viewers = toInteger(getPath(data, 'num_watching_now')) ?? toInteger(getPath(data, 'viewer_count'));
  const live = toLive(state, viewers, toTimestamp(getPath(data, 'scheduled_on_ts')));
  return live === null ? null : { live, is_live: live.status === 'live' };
}

function toLive(state: number, viewers: number | null, scheduled: string | null): Video['live'] {
  const status = LIVE_STATES[state];
  return status === undefined ? null : { status, viewers, scheduled_at: scheduled };
}

/** Lists the subtitles. They are an object by language, but an empty list if there are none. */
function listSubtitles(raw: unknown): PartialVideo['subtitles'] {
  if (Array.isArray(raw)) return toArray(raw).length === 0 ? [] : null;
  if (!isJsonObject(raw)) return null;
  return Object.entries(raw).flatMap(([code, track]) => {
    const trackUrl = toMediaUrl(getPath(track, 'path'), HOME);
    return trackUrl === null ? [] : [{ language_code: code, name: toLine(getPath(track, 'language')), url: trackUrl }];
  });
}

function readObject(raw: unknown, name: string): object {
  const value = getPath(raw, name);
  return isJsonObject(value) ? value : {};
}
