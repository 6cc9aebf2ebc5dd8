import { z } from 'zod';
import {
  findPathKind,
  type PathKinds,
  refuseLinkKind,
  refuseParameter,
  refuseReference,
} from '#sites/framework/site.ts';
import { blocked, notFound, notInSource, type SiteAnswer } from '#sites/framework/answers.ts';
import type { SiteContext } from '#sites/framework/request.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { getPath, toLine, toArray } from '#extract/values/raw.ts';

export const VideoInput = z.object({
  video_id: z.string().min(1).max(2000).describe('Id of eleven characters, or the address of the video'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a code of two letters')
    .default('US')
    .describe('Country of the viewer, ISO 3166-1 code'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, 'must be a language such as en or pt-BR')
    .default('en-US')
    .describe('Language of texts, BCP 47'),
});

export type VideoInput = z.output<typeof VideoInput>;

const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/;
const PATH_KINDS: PathKinds = [
  [/^\/(?:@|(?:channel|c|user)\/)/, 'a channel'],
  [/^\/(?:playlist\b|watch\?(?:.*&)?list=)/, 'a playlist'],
  [/^\/clip\//, 'a clip'],
  [/^\/post\//, 'a post'],
  [/^\/(?:results|hashtag)\b/, 'a search'],
];
const VIDEO_PATH = /^\/(?:shorts|embed|live|v|e)\/([A-Za-z0-9_-]{11})(?:[/?]|$)/;

/** Finds the id of the requested video. Throws `not_found`, and `invalid_request` for another address. */
export function findVideoId(
  { video_id: reference }: Pick<VideoInput, 'video_id'>,
  site: Pick<SiteContext, 'locate'>,
): string {
  const id = reference.trim();
  if (VIDEO_ID.test(id)) return id;
  const place = site.locate(id);
  const link = place === null ? null : new URL(place.path, 'http://site');
  const named =
    place?.origin === 'short'
      ? link?.pathname.slice(1)
      : link?.pathname === '/watch'
        ? link.searchParams.get('v')
        : VIDEO_PATH.exec(place?.path ?? '')?.[1];
  if (named !== null && named !== undefined && VIDEO_ID.test(named)) return named;
  if (!id.includes('://')) return refuseReference('video_id', 'is neither an id nor a url of a video of this site');
  const kind = place?.origin === 'web' ? findPathKind(PATH_KINDS, place.path) : null;
  return kind === null
    ? refuseParameter('video_id', 'is not the url of a video of this site')
    : refuseLinkKind({ parameter: 'video_id', kind, wanted: 'a video' });
}

/** Builds the client context that the site's pages send with each API request. */
export function buildContext(
  { country, language }: Pick<VideoInput, 'country' | 'language'>,
  { constants }: Pick<SiteContext, 'constants'>,
) {
  return {
    client: {
      clientName: 'WEB',
      clientVersion: constants['client_version'] ?? '',
      hl: language,
      gl: country.toUpperCase(),
      utcOffsetMinutes: 0,
    },
  };
}

/**
 * Finds the reason why a player's answer has no video; null if it has one. The status alone does not distinguish a private
 * video from a visitor taken for a robot, but the texts do. They are in the requested language.
 */
export function findRefusal(player: unknown): SiteAnswer | null {
  if (getPath(player, 'videoDetails') !== undefined) {
    return getPath(player, 'videoDetails', 'isPrivate') === true ? notFound('this video is private') : null;
  }
  const status = getPath(player, 'playabilityStatus', 'status');
  const reason = readReason(player);
  if (status === 'ERROR') return notFound(reason ?? 'this video is unavailable');
  if (status === 'UNPLAYABLE') return notFound(reason ?? 'this video cannot be played');
  if (status === 'LOGIN_REQUIRED') {
    if (/\bprivate\b/i.test(reason ?? '')) return notFound('this video is private');
    if (/\bage\b|inappropriate/i.test(reason ?? '')) return notFound('this video is only for adults who are signed in');
    return blocked('login_required');
  }
  if (status !== undefined) return notFound(reason ?? 'this video is unavailable');
  // The API answers an unknown id with an empty object.
  return isJsonObject(player) && Object.keys(player).length === 0 ? notInSource('the site has no such video') : null;
}

/** Reads the message that the player shows instead of the video. */
export function readReason(player: unknown): string | null {
  const status = getPath(player, 'playabilityStatus');
  const shown = getPath(status, 'errorScreen', 'playerErrorMessageRenderer');
  const texts = [
    toLine(getPath(status, 'reason')) ?? readText(getPath(shown, 'reason')),
    readText(getPath(shown, 'subreason')),
    toLine(getPath(status, 'messages', 0)),
  ];
  const message = [...new Set(texts.filter((one) => one !== null))].join(': ');
  return message === '' ? null : message.slice(0, 200);
}

/** Reads a text of the site: a simple text, runs, or content. */
export function readText(raw: unknown): string | null {
  const runs = toArray(getPath(raw, 'runs')).map((run) => getPath(run, 'text'));
  const joined = runs.filter((run) => typeof run === 'string').join('');
  return toLine(getPath(raw, 'simpleText')) ?? toLine(joined) ?? toLine(getPath(raw, 'content'));
}
