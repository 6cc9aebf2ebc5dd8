import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseParameter, refuseReference } from '#sites/framework/site.ts';
import { placeKindAt, refuseKind } from '#sites/place-kinds.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';

export const VideoInput = z.object({
  video_id: z.string().min(1).max(2000).describe('Eleven characters, or the address of the video'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a code of two letters')
    .default('US')
    .describe('Where the viewer is, ISO 3166-1'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, 'must be a language such as en or pt-BR')
    .default('en-US')
    .describe('Language of texts, BCP 47'),
});

export type VideoInput = z.output<typeof VideoInput>;

const ID = /^[A-Za-z0-9_-]{11}$/;
const PLACES: PlaceKinds = [
  [/^\/(?:@|(?:channel|c|user)\/)/, 'a channel'],
  [/^\/(?:playlist\b|watch\?(?:.*&)?list=)/, 'a playlist'],
  [/^\/clip\//, 'a clip'],
  [/^\/post\//, 'a post'],
  [/^\/(?:results|hashtag)\b/, 'a search'],
];
const IN_PATH = /^\/(?:shorts|embed|live|v|e)\/([A-Za-z0-9_-]{11})(?:[/?]|$)/;

/** The id of the video that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function idOf({ video_id: given }: Pick<VideoInput, 'video_id'>, site: Pick<SiteView, 'locate'>): string {
  const id = given.trim();
  if (ID.test(id)) return id;
  const place = site.locate(id);
  const found = place === null ? null : new URL(place.path, 'http://site');
  const named =
    place?.origin === 'short'
      ? found?.pathname.slice(1)
      : found?.pathname === '/watch'
        ? found.searchParams.get('v')
        : IN_PATH.exec(place?.path ?? '')?.[1];
  if (named !== null && named !== undefined && ID.test(named)) return named;
  if (!id.includes('://')) return refuseReference('video_id', 'is neither an id nor a url of a video of this site');
  const kind = place?.origin === 'web' ? placeKindAt(PLACES, place.path) : null;
  return kind === null
    ? refuseParameter('video_id', 'is no url of a video of this site')
    : refuseKind({ parameter: 'video_id', kind, wanted: 'a video' });
}

/** The client context that the site's own pages send with each API request. */
export function contextOf(
  { country, language }: Pick<VideoInput, 'country' | 'language'>,
  { constants }: Pick<SiteView, 'constants'>,
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
