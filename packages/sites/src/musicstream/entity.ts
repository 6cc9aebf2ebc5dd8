import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { line } from '#extract/values/raw.ts';
import { STREAM_HOME } from './site.ts';

/** The kinds of things that have an id, in the site's own words. */
export type Kind = 'track' | 'album' | 'artist' | 'playlist' | 'show' | 'episode';

export const EntityInput = z.object({
  id: z.string().min(1).max(2000).optional().describe('22 letters and digits, a URI or an address; wins over url'),
  url: z.url().max(2000).optional().describe('Its address'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, 'must be a language such as en or pt-BR')
    .default('en-US')
    .describe('Language of names and texts, BCP 47'),
});

export type EntityInput = z.output<typeof EntityInput>;

const KINDS: Readonly<Record<Kind, string>> = {
  track: 'a track',
  album: 'an album',
  artist: 'an artist',
  playlist: 'a playlist',
  show: 'a podcast',
  episode: 'an episode',
};
/** What the paths of the service lead to, in any language and in the embedded player. */
const PLACES: PlaceKinds = [
  ...Object.entries(KINDS).map(
    ([step, words]) => [new RegExp(`^/(?:[^?]{1,300}/)?${step}/[0-9A-Za-z]{22}(?:[/?#]|$)`), words] as const,
  ),
  [/^\/user\//, 'a person'],
  [/^\/search(?:[/?]|$)/, 'a search'],
];

const ID = /^[0-9A-Za-z]{22}$/;
const URI = /^spotify:(?:user:[^:]{1,200}:)?([a-z]+):([0-9A-Za-z]{22})$/;
const IN_PATH =
  /^\/(?:intl-[a-z]{2}(?:-[a-z]{2})?\/)?(?:embed\/)?(?:user\/[^/]{1,200}\/)?([a-z]+)\/([0-9A-Za-z]{22})\/?(?:[?#]|$)/i;

/** The id of the thing of that kind that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function entityIdOf(
  { id, url }: Pick<EntityInput, 'id' | 'url'>,
  kind: Kind,
  site: Pick<SiteView, 'locate'>,
): string {
  const given = (id ?? url ?? '').trim();
  if (id !== undefined && ID.test(given)) return given;
  const place = site.locate(given);
  const [, found, named] = (place === null ? URI.exec(given) : IN_PATH.exec(place.path)) ?? [];
  const isWeb = place === null || place.origin === 'web';
  if (found === kind && named !== undefined && isWeb) return named;
  const parameter = id === undefined ? 'url' : 'id';
  if (place === null) return refuseReference(parameter, `is no ${kind} of this site`);
  return refusePlace({ parameter, place, kinds: PLACES, wanted: KINDS[kind] });
}

/** The id in a URI or an address of that kind, wherever it was found; null for any other. */
export function idIn(raw: unknown, kind: Kind): string | null {
  const text = line(raw) ?? '';
  const path = URL.parse(text)?.pathname ?? '';
  const [, found, id] = URI.exec(text) ?? IN_PATH.exec(path) ?? [];
  return found === kind && id !== undefined ? id : null;
}

/** How a thing is named in every form. */
export function identityOf(kind: Kind, id: string) {
  return { id, uri: `spotify:${kind}:${id}`, url: `${STREAM_HOME}/${kind}/${id}` };
}

/** The same of a thing that may have come without its id. */
export function partialIdentity(kind: Kind, id: string | null) {
  return id === null ? { id, uri: null, url: null } : identityOf(kind, id);
}
