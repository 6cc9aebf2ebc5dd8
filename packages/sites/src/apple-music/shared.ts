import { z } from 'zod';
import { findCanonicalUrl, findOpenGraph, listEntities, readLineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import {
  getPath,
  toBoolean,
  toNumber,
  toInteger,
  toLine,
  toMediaUrl,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { requestMore, notFound, notInSource, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference, type PathKinds, refuseLink } from '#sites/framework/site.ts';

const Text = z.string().nullable();
const Whole = z.int().min(0).nullable();
const Flag = z.boolean().nullable();

export const Track = z.object({
  id: Text,
  name: z.string(),
  url: Text,
  track_number: Whole,
  disc_number: Whole,
  duration_ms: Whole,
  explicit: Flag,
  isrc: Text,
  composer: Text,
  preview_url: Text,
  artist_name: Text,
  price: z.number().nullable(),
  streamable: Flag,
});

export type Track = z.output<typeof Track>;

export const AlbumRecord = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  type: z.enum(['album', 'single', 'ep', 'compilation']),
  artists: z
    .array(z.object({ id: Text, name: z.string(), url: Text }))
    .readonly()
    .nullable(),
  artist_name: Text,
  release_date: Text.describe('The day'),
  genres: z.array(z.string()).readonly().nullable(),
  label: Text,
  upc: Text,
  copyright: Text,
  explicit: Flag,
  track_count: Whole.describe("The site's own count, which may exceed the number of listed tracks"),
  disc_count: Whole,
  price: z.number().nullable(),
  currency: Text.describe('ISO 4217, of the prices of album and tracks'),
  artwork: z.object({ url: z.string(), width: Whole, height: Whole }).nullable(),
  tracks: z.array(Track).readonly(),
});

export type AlbumRecord = z.output<typeof AlbumRecord>;

export type AlbumSummary = z.output<typeof AlbumSummary>;

/** An album as lists show it. */
export const AlbumSummary = AlbumRecord.omit({ label: true, upc: true, disc_count: true, tracks: true });

/** A song by itself, with the album that it is on. */
export const CatalogSong = Track.extend({
  id: z.string(),
  album: z.object({ id: Text, name: z.string(), url: Text }).nullable(),
  genres: z.array(z.string()).readonly().nullable(),
  release_date: Text.describe('The day'),
  currency: Text.describe('ISO 4217'),
  artwork: AlbumRecord.shape.artwork,
});

export type CatalogSong = z.output<typeof CatalogSong>;

export const Storefront = z.string().regex(/^[A-Za-z]{2}$/, 'must be a code of two letters');

export const CatalogInput = z.object({
  id: z.string().min(1).max(2000).optional().describe('The number or the address; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the page'),
  country: Storefront.optional().describe('Storefront, ISO 3166-1 code; by default that of the address, or US'),
});

export type CatalogInput = z.output<typeof CatalogInput>;

const ARTWORK_SIZE_PX = 1200;
const SIZE_IN_NAME = /\/\d{2,5}x\d{2,5}[a-z]{2}(?:-\d{1,3})?(?=\.\w{3,4}$)/;

/** Parses the type of an album. The names of singles and EPs end with it. */
export function parseAlbumType(name: string, isCompilation: boolean): AlbumRecord['type'] {
  if (name.endsWith(' - Single')) return 'single';
  if (name.endsWith(' - EP')) return 'ep';
  return isCompilation ? 'compilation' : 'album';
}

/** Parses the URL of a picture, and replaces the size in it, such as `…/100x100bb.jpg`, with a large one. */
export function parseArtworkUrl(raw: unknown, base: string): AlbumRecord['artwork'] {
  const mediaUrl = toMediaUrl(raw, base);
  if (mediaUrl === null) return null;
  if (!SIZE_IN_NAME.test(mediaUrl)) return { url: mediaUrl, width: null, height: null };
  return {
    url: mediaUrl.replace(SIZE_IN_NAME, `/${ARTWORK_SIZE_PX}x${ARTWORK_SIZE_PX}bb`),
    width: ARTWORK_SIZE_PX,
    height: ARTWORK_SIZE_PX,
  };
}

/** Fills the URL template of a picture, `…/{w}x{h}{c}.{f}`, with its original size. */
export function parseArtworkTemplate(artwork: unknown): AlbumRecord['artwork'] {
  const pattern = toLine(getPath(artwork, 'url'));
  const [width, height] = [toInteger(getPath(artwork, 'width')), toInteger(getPath(artwork, 'height'))];
  if (pattern === null || width === null || height === null)
    return parseArtworkUrl(pattern, 'https://artwork.invalid/');
  const filled = pattern
    .replace('{w}', String(width))
    .replace('{h}', String(height))
    .replace('{c}', 'bb')
    .replace('{f}', 'jpg');
  const address = toMediaUrl(filled, 'https://artwork.invalid/');
  return address === null ? null : { url: address, width, height };
}

/** Counts the discs from the disc numbers of the tracks. Null if there are none. */
export function countDiscs(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : Math.max(...numbers);
}

/** Parses the day of a date or timestamp. */
export function parseDay(raw: unknown): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(toLine(raw) ?? '')?.[0] ?? null;
}

/** The kinds of things that have an id. */
type CatalogKind = 'album' | 'song' | 'artist';

/** A thing and its storefronts: first `country`, then that of its URL, `other`, if it differs. */
type CatalogEntity = { readonly id: string; readonly country: string; readonly other: string | null };

const KIND_PHRASES = { album: 'an album', song: 'a song', artist: 'an artist' } as const;
/** The kinds of the catalogue's paths. */
const PATH_KINDS: PathKinds = [
  [/^\/(?:[a-z]{2}\/)?album\/.*[?&]i=\d/, 'a song'],
  [/^\/(?:[a-z]{2}\/)?album\//, 'an album'],
  [/^\/(?:[a-z]{2}\/)?song\//, 'a song'],
  [/^\/(?:[a-z]{2}\/)?artist\//, 'an artist'],
  [/^\/(?:[a-z]{2}\/)?playlist\//, 'a playlist'],
  [/^\/(?:[a-z]{2}\/)?music-video\//, 'a music video'],
  [/^\/(?:[a-z]{2}\/)?station\//, 'a station'],
  [/^\/(?:[a-z]{2}\/)?curator\//, 'a curator'],
  [/^\/(?:[a-z]{2}\/)?podcast\//, 'a podcast'],
  [/^\/(?:[a-z]{2}\/)?search(?:[/?]|$)/, 'a search'],
];

const NUMBER = /^(?:id)?(\d{1,15})$/;
const IN_PATH = /^\/(?:([a-z]{2})\/)?(album|song|artist)\/(?:[^/?]{1,500}\/)?(?:id)?(\d{1,15})\/?(?:\?|$)/;
/** A song may have the URL of its album with its own id as a parameter. */
const IN_ALBUM = /[?&]i=(\d{1,15})(?:&|$)/;

/** Reads the thing from the input. Throws `not_found`, or `invalid_request` for another address. */
export function readEntity(
  kind: CatalogKind,
  { id, url: link, country }: CatalogInput,
  site: SiteContext,
): CatalogEntity {
  const storefront = country?.toLowerCase() ?? null;
  const number = NUMBER.exec(id?.trim() ?? '')?.[1];
  if (number !== undefined) return { id: number, country: storefront ?? 'us', other: null };
  const place = site.locate((id ?? link ?? '').trim());
  const path = place?.path ?? '';
  const named = parseNumber(kind, path);
  if (named === null && place === null && id !== undefined)
    return refuseReference('id', `is not ${KIND_PHRASES[kind]} of this site`);
  if (named === null)
    return refuseLink({
      parameter: id === undefined ? 'url' : 'id',
      place,
      kinds: PATH_KINDS,
      wanted: KIND_PHRASES[kind],
    });
  const own = IN_PATH.exec(path)?.[1] ?? null;
  return {
    id: named,
    country: storefront ?? own ?? 'us',
    other: storefront === null || storefront === own ? null : own,
  };
}

/** Parses the id in a URL of that kind, on any host. Null for other URLs. */
export function parseEntityUrl(kind: CatalogKind, address: string): string | null {
  const link = URL.parse(address);
  return link === null ? null : parseNumber(kind, `${link.pathname}${link.search}`);
}

function parseNumber(kind: CatalogKind, path: string): string | null {
  const [, , foundKind, number = null] = IN_PATH.exec(path) ?? [];
  if (kind === 'song' && foundKind === 'album') return IN_ALBUM.exec(path)?.[1] ?? null;
  return foundKind === kind ? number : null;
}

type Lookup = {
  readonly kind: CatalogKind;
  readonly thing: CatalogEntity;
  /** What the answer lists next to the thing itself. */
  readonly entity: 'song' | 'album' | null;
  readonly isWanted: (raw: unknown) => boolean;
};

/** The thing and everything that the lookup listed, or the answer if the thing is missing. */
type LookupResult = { readonly found: unknown; readonly results: readonly unknown[] } | { readonly answer: SiteAnswer };

const OTHER_KINDS: Readonly<Record<CatalogKind, string>> = {
  album: 'a song or an artist, not of an album',
  song: 'an album or an artist, not of a song',
  artist: 'an album or a song, not of an artist',
};

const OTHER_IDS: Readonly<Record<CatalogKind, readonly string[]>> = {
  album: ['trackId', 'artistId'],
  song: ['collectionId', 'artistId'],
  artist: ['trackId', 'collectionId'],
};

export function buildLookupRequest(id: string, country: string, entity: Lookup['entity'], limit = 200): SiteRequest {
  const listed = entity === null ? {} : { entity, limit };
  return { origin: 'api', path: '/lookup', query: { ...listed, id, country } };
}

/** Finds a thing in an answer of the lookup. */
export function findEntity(page: SourcePage, { kind, thing, entity, isWanted }: Lookup): LookupResult {
  const { id, other } = thing;
  const results = getPath(parseJsonValue(page.body), 'results');
  if (!Array.isArray(results)) return { answer: unusable('no results of the lookup') };
  const result: unknown = results.find(isWanted);
  if (result !== undefined) return { found: result, results };
  if (results.some((one) => OTHER_IDS[kind].some((name) => toText(getPath(one, name)) === id)))
    return { answer: notFound(`this is the number of ${OTHER_KINDS[kind]}`) };
  if (results.length > 0) return { answer: unusable(`the requested ${kind} is missing`) };
  // It may exist only in the storefront of its URL.
  if (other !== null && page.carry === undefined)
    return { answer: requestMore(buildLookupRequest(id, other, entity), { country: other }) };
  return { answer: notInSource(`no ${kind} of that number in this storefront`) };
}

export function isSong(raw: unknown): boolean {
  return getPath(raw, 'wrapperType') === 'track' && getPath(raw, 'kind') === 'song';
}

export function isAlbum(raw: unknown): boolean {
  return getPath(raw, 'wrapperType') === 'collection';
}

export function parseLookupAlbum(raw: unknown, base: string): AlbumSummary | null {
  const id = toText(getPath(raw, 'collectionId'));
  const name = toLine(getPath(raw, 'collectionName'));
  if (id === null || name === null) return null;
  const artist = toLine(getPath(raw, 'artistName'));
  const genre = toLine(getPath(raw, 'primaryGenreName'));
  return {
    id,
    name,
    url: cleanUrl(getPath(raw, 'collectionViewUrl'), base) ?? base,
    type: parseAlbumType(name, getPath(raw, 'collectionType') === 'Compilation'),
    artists:
      artist === null
        ? null
        : [{ id: toText(getPath(raw, 'artistId')), name: artist, url: cleanUrl(getPath(raw, 'artistViewUrl'), base) }],
    artist_name: artist,
    release_date: parseDay(getPath(raw, 'releaseDate')),
    genres: genre === null ? null : [genre],
    copyright: toLine(getPath(raw, 'copyright')),
    explicit: parseExplicit(getPath(raw, 'collectionExplicitness')),
    track_count: toInteger(getPath(raw, 'trackCount')),
    price: parsePrice(getPath(raw, 'collectionPrice')),
    currency: toLine(getPath(raw, 'currency')),
    artwork: parseArtworkUrl(getPath(raw, 'artworkUrl100') ?? getPath(raw, 'artworkUrl60'), base),
  };
}

export function parseLookupTrack(raw: unknown, base: string): Track | null {
  const name = toLine(getPath(raw, 'trackName'));
  if (name === null) return null;
  return {
    id: toText(getPath(raw, 'trackId')),
    name,
    url: cleanUrl(getPath(raw, 'trackViewUrl'), base),
    track_number: toInteger(getPath(raw, 'trackNumber')),
    disc_number: toInteger(getPath(raw, 'discNumber')),
    duration_ms: toInteger(getPath(raw, 'trackTimeMillis')),
    explicit: parseExplicit(getPath(raw, 'trackExplicitness')),
    isrc: null,
    composer: null,
    preview_url: toMediaUrl(getPath(raw, 'previewUrl'), base),
    artist_name: toLine(getPath(raw, 'artistName')),
    price: parsePrice(getPath(raw, 'trackPrice')),
    streamable: toBoolean(getPath(raw, 'isStreamable')),
  };
}

/** A song by itself, with the album that it is on. */
export function parseLookupSong(raw: unknown, base: string): CatalogSong | null {
  const track = parseLookupTrack(raw, base);
  const id = track?.id ?? null;
  if (track === null || id === null) return null;
  const album = toLine(getPath(raw, 'collectionName'));
  const genre = toLine(getPath(raw, 'primaryGenreName'));
  return {
    ...track,
    id,
    album:
      album === null
        ? null
        : {
            id: toText(getPath(raw, 'collectionId')),
            name: album,
            url: cleanUrl(getPath(raw, 'collectionViewUrl'), base, 'i'),
          },
    genres: genre === null ? null : [genre],
    release_date: parseDay(getPath(raw, 'releaseDate')),
    currency: toLine(getPath(raw, 'currency')),
    artwork: parseArtworkUrl(getPath(raw, 'artworkUrl100') ?? getPath(raw, 'artworkUrl60'), base),
  };
}

/** Removes the affiliate parameter from a URL, and other parameters such as `i`, the song in the URL of an album. */
export function cleanUrl(raw: unknown, base: string, ...without: readonly string[]): string | null {
  const location = URL.parse(toCleanUrl(raw, base) ?? '');
  for (const name of ['uo', ...without]) location?.searchParams.delete(name);
  return location?.href ?? null;
}

/** A negative price means that the item is not for sale. */
function parsePrice(raw: unknown): number | null {
  const price = toNumber(raw);
  return price === null || price < 0 ? null : price;
}

function parseExplicit(raw: unknown): boolean | null {
  return raw === 'explicit' ? true : raw === 'notExplicit' || raw === 'cleaned' ? false : null;
}

/**
 * Whether the page is complete but has no subject. The site answers an unknown id with 200 and a page that has no title
 * and describes only the service itself, at its end.
 */
export function hasNoSubject(page: ParsedPage): boolean {
  const hasTitle = readLineAt(page, 'title') !== null || findOpenGraph(page, 'og:title') !== null;
  return !hasTitle && findCanonicalUrl(page) === null && listEntities(page, 'Organization').length > 0;
}
