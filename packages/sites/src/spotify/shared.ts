import { z } from 'zod';
import {
  findOpenGraph,
  listEntities,
  selectAll,
  readAttributeAt,
  readLineAt,
  parseRichText,
} from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import {
  getPath,
  toBoolean,
  toCount,
  toDurationMs,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toText,
} from '#extract/values/raw.ts';
import type { SiteContext } from '#sites/framework/request.ts';
import { refuseReference, type PathKinds, refuseLink } from '#sites/framework/site.ts';
import { HOME } from './site.ts';

export const Text = z.string().nullable();
export const Count = z.int().min(0).nullable();
export const Flag = z.boolean().nullable();

const Image = z.object({ url: z.string(), width: Count, height: Count });

export const Images = z.array(Image).readonly().nullable().describe('The widest first');

export type Images = z.output<typeof Images>;

export const ArtistRef = z.object({ id: Text, uri: Text, name: z.string(), url: Text });

export type ArtistRef = z.output<typeof ArtistRef>;

const Artists = z.array(ArtistRef).readonly().nullable();

const ALBUM_TYPES = ['album', 'single', 'compilation', 'ep'] as const;

const AlbumType = z.enum(ALBUM_TYPES).nullable();

/** An album as lists and tracks show it. */
export const AlbumRef = z.object({
  id: Text,
  uri: Text,
  name: Text,
  url: Text,
  type: AlbumType,
  release_date: Text.describe('A day, a month or a year, depending on what is known'),
  image_url: Text,
  total_tracks: Count,
});

export type AlbumRef = z.output<typeof AlbumRef>;

export const Track = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  artists: Artists,
  album: AlbumRef.nullable(),
  duration_ms: Count,
  explicit: Flag,
  playable: Flag.describe('Whether it is playable in the country of the request'),
  preview_url: Text,
  track_number: Count,
  disc_number: Count,
  play_count: Count,
  release_date: Text,
  isrc: Text.describe("Only from the documented interface, with the operator's credentials"),
  images: Images,
});

export type Track = z.output<typeof Track>;

export const EntityInput = z.object({
  id: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('Id of 22 letters and digits, a URI or an address; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the page'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, 'must be a language such as en or pt-BR')
    .default('en-US')
    .describe('Language of names and texts, BCP 47'),
});

export type EntityInput = z.output<typeof EntityInput>;

/** The members of a track that a source lacks. */
export const NO_TRACK_FACTS = {
  artists: null,
  album: null,
  duration_ms: null,
  explicit: null,
  playable: null,
  preview_url: null,
  track_number: null,
  disc_number: null,
  play_count: null,
  release_date: null,
  isrc: null,
  images: null,
} as const;

export function parseAlbumType(raw: unknown): AlbumRef['type'] {
  const word = toLine(raw)?.toLowerCase();
  return ALBUM_TYPES.find((one) => one === word) ?? null;
}

/** Parses pictures with their sizes, the widest first. Null if there is no list. */
export function parseImages(raw: unknown): Images {
  if (!Array.isArray(raw)) return null;
  const found = toArray(raw).flatMap((one) => {
    const url = toMediaUrl(getPath(one, 'url'), HOME);
    const width = toInteger(getPath(one, 'width')) ?? toInteger(getPath(one, 'maxWidth'));
    const height = toInteger(getPath(one, 'height')) ?? toInteger(getPath(one, 'maxHeight'));
    return url === null ? [] : [{ url, width: parseSize(width), height: parseSize(height) }];
  });
  return found.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0));
}

function parseSize(value: number | null): number | null {
  return value === null || value <= 0 ? null : value;
}

export function parseSingleImage(raw: unknown): Images {
  const url = toMediaUrl(raw, HOME);
  return url === null ? null : [{ url, width: null, height: null }];
}

type Release = { readonly date: string | null; readonly precision: 'day' | 'month' | 'year' | null };

/** Parses a release date from year, month and day, or from a timestamp with its precision. */
export function parseRelease(raw: unknown): Release {
  const instant =
    /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?/.exec(toText(raw) ?? toText(getPath(raw, 'isoString')) ?? '') ?? [];
  const [year, month, day] = [
    toInteger(getPath(raw, 'year')),
    toInteger(getPath(raw, 'month')),
    toInteger(getPath(raw, 'day')),
  ];
  const parts = year === null ? instant.slice(1) : [year, month, day].map((one) => one?.toString().padStart(2, '0'));
  const [y, m, d] = parts;
  if (y === undefined || !/^\d{4}$/.test(y)) return { date: null, precision: null };
  const precision = toLine(getPath(raw, 'precision'))?.toLowerCase();
  if (m === undefined || m === '00' || precision === 'year') return { date: y, precision: 'year' };
  if (d === undefined || d === '00' || precision === 'month') return { date: `${y}-${m}`, precision: 'month' };
  return { date: `${y}-${m}-${d}`, precision: 'day' };
}

/** Parses a count that the site does not round. Null if it is missing or negative. */
export function parseExactCount(raw: unknown): number | null {
  const value = toInteger(raw);
  return value === null || value < 0 ? null : value;
}

/** Parses a text that may contain HTML links and entities. */
export function parsePlainText(raw: unknown): string | null {
  const text = toText(raw);
  if (text === null || !/[<&]/.test(text)) return text;
  return toText(parseRichText(text, HOME)?.text);
}

/** The kinds of entities, in the site's own words. */
export type EntityKind = 'track' | 'album' | 'artist' | 'playlist' | 'show' | 'episode';

const KIND_PHRASES: Readonly<Record<EntityKind, string>> = {
  track: 'a track',
  album: 'an album',
  artist: 'an artist',
  playlist: 'a playlist',
  show: 'a podcast',
  episode: 'an episode',
};
/** The kinds of the site's paths, in any language and in the embedded player. */
const PATH_KINDS: PathKinds = [
  ...Object.entries(KIND_PHRASES).map(
    ([step, words]) => [new RegExp(`^/(?:[^?]{1,300}/)?${step}/[0-9A-Za-z]{22}(?:[/?#]|$)`), words] as const,
  ),
  [/^\/user\//, 'a person'],
  [/^\/search(?:[/?]|$)/, 'a search'],
];

const ID = /^[0-9A-Za-z]{22}$/;
const URI = /^spotify:(?:user:[^:]{1,200}:)?([a-z]+):([0-9A-Za-z]{22})$/;
const IN_PATH =
  /^\/(?:intl-[a-z]{2}(?:-[a-z]{2})?\/)?(?:embed\/)?(?:user\/[^/]{1,200}\/)?([a-z]+)\/([0-9A-Za-z]{22})\/?(?:[?#]|$)/i;

/** Reads the id of an entity from the input. Throws `not_found`, or `invalid_request` for another address. */
export function readEntityId(
  { id, url }: Pick<EntityInput, 'id' | 'url'>,
  kind: EntityKind,
  site: Pick<SiteContext, 'locate'>,
): string {
  const reference = (id ?? url ?? '').trim();
  if (id !== undefined && ID.test(reference)) return reference;
  const place = site.locate(reference);
  const [, foundKind, named] = (place === null ? URI.exec(reference) : IN_PATH.exec(place.path)) ?? [];
  const isWeb = place === null || place.origin === 'web';
  if (foundKind === kind && named !== undefined && isWeb) return named;
  const parameter = id === undefined ? 'url' : 'id';
  if (place === null) return refuseReference(parameter, `is not ${KIND_PHRASES[kind]} of this site`);
  return refuseLink({ parameter, place, kinds: PATH_KINDS, wanted: KIND_PHRASES[kind] });
}

/** Parses the id in a URI or a URL of that kind. Null for any other. */
export function parseId(raw: unknown, kind: EntityKind): string | null {
  const uriOrUrl = toLine(raw) ?? '';
  const path = URL.parse(uriOrUrl)?.pathname ?? '';
  const [, foundKind, id] = URI.exec(uriOrUrl) ?? IN_PATH.exec(path) ?? [];
  return foundKind === kind && id !== undefined ? id : null;
}

/** Builds the id, URI and URL of an entity. */
export function buildIdentity(kind: EntityKind, id: string) {
  return { id, uri: `spotify:${kind}:${id}`, url: `${HOME}/${kind}/${id}` };
}

/** Builds the identity of an entity whose id may be unknown. */
export function buildPartialIdentity(kind: EntityKind, id: string | null) {
  return id === null ? { id, uri: null, url: null } : buildIdentity(kind, id);
}

/** Parses the artists of a query's answer. Null if there is no list. */
export function parseArtists(raw: unknown): readonly ArtistRef[] | null {
  const items = getPath(raw, 'items');
  return Array.isArray(items) ? items.flatMap((one: unknown) => parseArtistRef(one) ?? []) : null;
}

export function parseArtistRef(raw: unknown): ArtistRef | null {
  const name = toLine(getPath(raw, 'profile', 'name')) ?? toLine(getPath(raw, 'name'));
  return name === null ? null : { ...buildPartialIdentity('artist', parseId(getPath(raw, 'uri'), 'artist')), name };
}

/** Parses covers and portraits, whose sources are nested one or two levels deep. */
export function parseGraphImages(raw: unknown): Images {
  return parseImages(
    getPath(raw, 'sources') ??
      getPath(raw, 'data', 'sources') ??
      getPath(raw, 'items', 0, 'sources') ??
      getPath(raw, 'image'),
  );
}

export function parseAlbumRef(raw: unknown): AlbumRef | null {
  const id = parseId(getPath(raw, 'uri'), 'album');
  const name = toLine(getPath(raw, 'name'));
  if (id === null && name === null) return null;
  return {
    ...buildPartialIdentity('album', id),
    name,
    type: parseAlbumType(getPath(raw, 'type')),
    release_date: parseRelease(getPath(raw, 'date')).date,
    image_url: parseGraphImages(getPath(raw, 'coverArt'))?.[0]?.url ?? null,
    total_tracks: toInteger(getPath(raw, 'tracks', 'totalCount')) ?? toInteger(getPath(raw, 'tracksV2', 'totalCount')),
  };
}

/** Parses a track of any query. `knownPreviews` has preview URLs by track id. Null if the value is not a track. */
export function parseTrack(raw: unknown, knownPreviews: unknown = null): Track | null {
  const id = parseId(getPath(raw, 'uri'), 'track');
  const name = toLine(getPath(raw, 'name'));
  if (id === null || name === null) return null;
  const album = getPath(raw, 'albumOfTrack');
  const first = parseArtists(getPath(raw, 'firstArtist'));
  const others = parseArtists(getPath(raw, 'otherArtists'));
  const previews = getPath(raw, 'previews', 'audioPreviews') ?? getPath(raw, 'previews', 'audioPreviewsV2');
  return {
    ...buildIdentity('track', id),
    name,
    artists: parseArtists(getPath(raw, 'artists')) ?? (first === null ? null : [...first, ...(others ?? [])]),
    album: parseAlbumRef(album),
    duration_ms:
      toInteger(getPath(raw, 'duration', 'totalMilliseconds')) ??
      toInteger(getPath(raw, 'trackDuration', 'totalMilliseconds')),
    explicit: parseExplicit(raw),
    playable: parsePlayable(raw),
    preview_url: toMediaUrl(getPath(previews, 'items', 0, 'url') ?? getPath(knownPreviews, id), HOME),
    track_number: toInteger(getPath(raw, 'trackNumber')),
    disc_number: toInteger(getPath(raw, 'discNumber')),
    play_count: toCount(getPath(raw, 'playcount'), null)?.value ?? null,
    release_date: parseRelease(getPath(album, 'date')).date,
    isrc: null,
    images: parseGraphImages(getPath(album, 'coverArt')),
  };
}

export function parseExplicit(raw: unknown): boolean | null {
  const labels = getPath(raw, 'contentRatingV2', 'labels');
  if (Array.isArray(labels)) return labels.includes('EXPLICIT');
  const label = toLine(getPath(raw, 'contentRating', 'label'));
  return label === null ? null : label === 'EXPLICIT';
}

export function parsePlayable(raw: unknown): boolean | null {
  const reason = toLine(getPath(raw, 'playability', 'reason'));
  return toBoolean(getPath(raw, 'playability', 'playable')) ?? (reason === null ? null : reason === 'PLAYABLE');
}

/** Finds the offset of a list's next page. Null at the end. */
export function findNextOffset(raw: unknown, total: number | null): string | null {
  const paging = getPath(raw, 'pagingInfo');
  const nextOffset = toInteger(getPath(paging, 'nextOffset'));
  if (nextOffset !== null) return String(nextOffset);
  const offset = toInteger(getPath(paging, 'offset'));
  const count = toArray(getPath(raw, 'items')).length;
  if (offset === null || total === null || count === 0) return null;
  return offset + count < total ? String(offset + count) : null;
}

/** Parses the artists of the API. Null if there is no list. */
export function parseApiArtists(raw: unknown): readonly ArtistRef[] | null {
  if (!Array.isArray(raw)) return null;
  return raw.flatMap((one: unknown) => {
    const name = toLine(getPath(one, 'name'));
    return name === null ? [] : [{ ...buildPartialIdentity('artist', parseId(getPath(one, 'uri'), 'artist')), name }];
  });
}

export function parseApiAlbumRef(raw: unknown): AlbumRef | null {
  const id = parseId(getPath(raw, 'uri'), 'album');
  const name = toLine(getPath(raw, 'name'));
  if (id === null || name === null) return null;
  return {
    ...buildIdentity('album', id),
    name,
    type: parseAlbumType(getPath(raw, 'album_type')),
    release_date: parseApiRelease(raw).date,
    image_url: parseImages(getPath(raw, 'images'))?.[0]?.url ?? null,
    total_tracks: toInteger(getPath(raw, 'total_tracks')),
  };
}

export function parseApiRelease(raw: unknown): Release {
  return parseRelease(getPath(raw, 'release_date'));
}

/** Parses a track of the API. Null if the value is not a track. */
export function parseApiTrack(raw: unknown): Track | null {
  const id = parseId(getPath(raw, 'uri'), 'track');
  const name = toLine(getPath(raw, 'name'));
  if (id === null || name === null) return null;
  const album = getPath(raw, 'album');
  return {
    ...buildIdentity('track', id),
    name,
    artists: parseApiArtists(getPath(raw, 'artists')),
    album: parseApiAlbumRef(album),
    duration_ms: toInteger(getPath(raw, 'duration_ms')),
    explicit: toBoolean(getPath(raw, 'explicit')),
    playable: toBoolean(getPath(raw, 'is_playable')),
    preview_url: toMediaUrl(getPath(raw, 'preview_url'), HOME),
    track_number: toInteger(getPath(raw, 'track_number')),
    disc_number: toInteger(getPath(raw, 'disc_number')),
    play_count: null,
    release_date: parseApiRelease(album).date,
    isrc: toText(getPath(raw, 'external_ids', 'isrc')),
    images: parseImages(getPath(album, 'images')),
  };
}

/** Finds the offset of the next page of an API list. Null at the end. */
export function findNextApiOffset(raw: unknown): string | null {
  const offset = toInteger(getPath(raw, 'offset'));
  const limit = toArray(getPath(raw, 'items')).length;
  return toLine(getPath(raw, 'next')) === null || offset === null || limit === 0 ? null : String(offset + limit);
}

const DESCRIBED_TYPES = ['MusicRecording', 'MusicAlbum', 'MusicGroup', 'MusicPlaylist', 'PodcastSeries'] as const;

/** Parses the entity's name from the structured data, because titles contain more than the name. */
export function parseName(page: ParsedPage): string | null {
  const [described] = listEntities(page, ...DESCRIBED_TYPES);
  return toLine(described?.members['name']) ?? findOpenGraph(page, 'og:title');
}

/** Parses the tracks of the rows that a browser rendered. Null if there are none. */
export function parseTrackRows(page: ParsedPage): readonly Track[] | null {
  const rows = selectAll(page, '[data-testid=tracklist-row]').flatMap((row) => parseTrackRow(page, row) ?? []);
  return rows.length === 0 ? null : rows;
}

const TRACK_LINK = 'a[data-testid=internal-track-link]';

function selectCell(column: number): string {
  return `[aria-colindex="${column}"]`;
}

function parseTrackRow(page: ParsedPage, row: number): Track | null {
  const id = parseLinkId(page, TRACK_LINK, 'track', row);
  const name = readLineAt(page, TRACK_LINK, row);
  if (id === null || name === null) return null;
  const artists = selectAll(page, 'a[href*="/artist/"]', row).flatMap((link) => parseArtistLink(page, link) ?? []);
  // The list of an artist has play counts before the duration. The list of an album has only the duration.
  const last = selectAll(page, '[role=gridcell]', row).length;
  const locale = readAttributeAt(page, 'html', 'lang');
  return {
    ...buildIdentity('track', id),
    ...NO_TRACK_FACTS,
    name,
    artists: artists.length === 0 ? null : artists,
    duration_ms: toDurationMs(readLineAt(page, `${selectCell(last)} [data-encore-id=text]`, row)),
    track_number: last === 3 ? (toCount(readLineAt(page, `${selectCell(1)} span`, row), locale)?.value ?? null) : null,
    play_count: last === 4 ? (toCount(readLineAt(page, selectCell(3), row), locale)?.value ?? null) : null,
  };
}

function parseArtistLink(page: ParsedPage, link: number): ArtistRef | null {
  const name = readLineAt(page, ':scope', link);
  return name === null
    ? null
    : { ...buildPartialIdentity('artist', parseLinkId(page, ':scope', 'artist', link)), name };
}

/** Parses the id in the URL of the first matching link. */
export function parseLinkId(
  page: ParsedPage,
  selector: string,
  kind: 'track' | 'artist' | 'episode',
  scope = 0,
): string | null {
  return parseId(URL.parse(readAttributeAt(page, selector, 'href', scope) ?? '', HOME)?.href, kind);
}
