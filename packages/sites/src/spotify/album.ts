import { z } from 'zod';
import { findOpenGraph, readAttributeAt, readLineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { getPath, toInteger, toLine, toArray } from '#extract/values/raw.ts';
import { markPartial, unusable } from '#sites/framework/answers.ts';
import {
  AlbumRef,
  buildIdentity,
  buildPartialIdentity,
  Count,
  EntityInput,
  Images,
  parseAlbumType,
  parseApiArtists,
  parseApiRelease,
  parseApiTrack,
  parseArtists,
  parseGraphImages,
  parseId,
  parseImages,
  parseLinkId,
  parseName,
  parseRelease,
  parseSingleImage,
  parseTrack,
  parseTrackRows,
  Text,
  Track,
} from './shared.ts';
import { spotify } from './site.ts';
import {
  buildEntitySources,
  type EntityRequest,
  parseEmbedArtists,
  parseEmbedImages,
  parseEmbedTrack,
  type QueryContext,
} from './sources.ts';

const AlbumTrack = Track.omit({ album: true });

const AlbumRecord = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  type: AlbumRef.shape.type,
  artists: Track.shape.artists,
  release_date: Text.describe('A day, a month or a year'),
  release_date_precision: z.enum(['day', 'month', 'year']).nullable(),
  label: Text,
  copyrights: z
    .array(z.object({ type: Text.describe('C of the work, P of the recording'), text: z.string() }))
    .readonly()
    .nullable(),
  total_tracks: Count,
  discs: Count,
  images: Images,
  tracks: z.array(AlbumTrack).readonly().nullable(),
  tracks_truncated: z.boolean().nullable().describe('Whether the album has more tracks than are listed'),
});

type AlbumRecord = z.output<typeof AlbumRecord>;

const AlbumAnswer = z.object({ album: AlbumRecord });

export const spotifyAlbum = spotify({
  path: '/album',
  summary: 'Album of musicstream with its tracklist, by id or url',
  input: EntityInput,
  record: AlbumAnswer,
  anyOf: ['id', 'url'],
  aliases: { language: ['locale'] },
  sources: buildEntitySources({
    kind: 'album',
    answer: AlbumAnswer,
    buildQuery: ({ uri, language }) => ({
      query: 'getAlbum',
      variables: { uri, locale: '', offset: 0, limit: MAX_TRACKS },
      language,
    }),
    member: 'albumUnion',
    parseAnswer: (raw, wanted) => requireTracks(parseGraphAlbum(raw, wanted)),
    parseEmbed: (entity, wanted) => wrapAlbum(parseEmbedAlbum(entity, wanted)),
    parsePage: (page, wanted) => wrapAlbum(parsePageAlbum(page, wanted)),
    api: {
      request: ({ id }) => ({ path: `/v1/albums/${id}` }),
      read: (raw, wanted) => requireTracks(parseApiAlbum(raw, wanted)),
      lacks: 'the documented interface has no play counts, and at most 50 tracks',
    },
    buildFromLink: (name, images, { id }) => ({
      album: { ...buildIdentity('album', id), ...NO_ALBUM_FACTS, name, images },
    }),
  }),
  expected: ['album.artists', 'album.release_date', 'album.images', 'album.tracks.duration_ms'],
  canary: { id: '6N9PS4QXF1D0OWPk0Sxtb4' },
});

/** The members of an album that a source lacks. */
const NO_ALBUM_FACTS = {
  type: null,
  artists: null,
  release_date: null,
  release_date_precision: null,
  label: null,
  copyrights: null,
  total_tracks: null,
  discs: null,
  images: null,
  tracks: null,
  tracks_truncated: null,
} as const;

/** Parses an album of the site's queries, with its tracks. */
function parseGraphAlbum(raw: unknown, { id, previews }: QueryContext): AlbumRecord | null {
  const name = toLine(getPath(raw, 'name'));
  if (name === null || parseId(getPath(raw, 'uri'), 'album') !== id) return null;
  const total = toInteger(getPath(raw, 'tracksV2', 'totalCount')) ?? toInteger(getPath(raw, 'tracks', 'totalCount'));
  const items = getPath(raw, 'tracksV2', 'items') ?? getPath(raw, 'tracks', 'items');
  const tracks = toArray(items).flatMap((one) => parseTrack(getPath(one, 'track'), previews) ?? []);
  return {
    ...buildIdentity('album', id),
    name,
    type: parseAlbumType(getPath(raw, 'type')),
    artists: parseArtists(getPath(raw, 'artists')),
    ...formatRelease(parseRelease(getPath(raw, 'date'))),
    label: toLine(getPath(raw, 'label')),
    copyrights: parseCopyrights(getPath(raw, 'copyright', 'items')),
    discs: toInteger(getPath(raw, 'discs', 'totalCount')) ?? countDiscs(tracks),
    images: parseGraphImages(getPath(raw, 'coverArt')),
    ...listTracks(tracks, total),
  };
}

function parseEmbedAlbum(entity: unknown, { id }: EntityRequest): AlbumRecord | null {
  const name = toLine(getPath(entity, 'name')) ?? toLine(getPath(entity, 'title'));
  if (name === null || parseId(getPath(entity, 'uri'), 'album') !== id) return null;
  const tracks = toArray(getPath(entity, 'trackList')).flatMap((one) => parseEmbedTrack(one) ?? []);
  return {
    ...buildIdentity('album', id),
    ...NO_ALBUM_FACTS,
    name,
    artists: parseEmbedArtists(entity),
    ...formatRelease(parseRelease(getPath(entity, 'releaseDate'))),
    images: parseEmbedImages(entity),
    ...listTracks(tracks, null),
  };
}

function parseApiAlbum(raw: unknown, { id }: EntityRequest): AlbumRecord | null {
  const name = toLine(getPath(raw, 'name'));
  if (name === null || parseId(getPath(raw, 'uri'), 'album') !== id) return null;
  const tracks = toArray(getPath(raw, 'tracks', 'items')).flatMap((one) => parseApiTrack(one) ?? []);
  return {
    ...buildIdentity('album', id),
    name,
    type: parseAlbumType(getPath(raw, 'album_type')),
    artists: parseApiArtists(getPath(raw, 'artists')),
    ...formatRelease(parseApiRelease(raw)),
    label: toLine(getPath(raw, 'label')),
    copyrights: parseCopyrights(getPath(raw, 'copyrights')),
    discs: countDiscs(tracks),
    images: parseImages(getPath(raw, 'images')),
    ...listTracks(tracks, toInteger(getPath(raw, 'tracks', 'total')) ?? toInteger(getPath(raw, 'total_tracks'))),
  };
}

/** Parses the album's page metadata, with the track rows that a browser rendered. */
function parsePageAlbum(page: ParsedPage, { id }: EntityRequest): AlbumRecord | null {
  const name = parseName(page);
  if (name === null) return null;
  const songs = toList(page.structured().opengraph['music:song']);
  const discs = toList(page.structured().opengraph['music:song:disc']).flatMap((one) => toInteger(one) ?? []);
  const rows = parseTrackRows(page);
  const [, kind, year, count] = DESCRIPTION_PARTS.exec(findOpenGraph(page, 'og:description') ?? '') ?? [];
  const artist = readLineAt(page, CREATOR);
  const release = parseRelease(findOpenGraph(page, 'music:release_date') ?? year);
  return {
    ...buildIdentity('album', id),
    ...NO_ALBUM_FACTS,
    name,
    type: parseAlbumType(kind),
    artists:
      artist === null
        ? null
        : [{ ...buildPartialIdentity('artist', parseLinkId(page, CREATOR, 'artist')), name: artist }],
    ...formatRelease(release),
    discs: discs.length === 0 ? null : Math.max(...discs),
    images: parseSingleImage(findOpenGraph(page, 'og:image') ?? readAttributeAt(page, 'main img', 'src')),
    ...(rows === null
      ? { total_tracks: toInteger(count) ?? (songs.length || null) }
      : listTracks(rows, toInteger(count) ?? songs.length)),
  };
}

/** `Justice · Album · 2012 · 14 songs` and `Josement · single · 2020 · 1 songs`. */
const DESCRIPTION_PARTS = / · (\w+) · (\d{4}) · (\d{1,4}) \p{L}+/u;
const CREATOR = 'a[data-testid=creator-link]';

function formatRelease({ date, precision }: ReturnType<typeof parseRelease>) {
  return { release_date: date, release_date_precision: precision };
}

function listTracks(tracks: readonly Track[], total: number | null) {
  const own = tracks.map(({ album: _album, ...track }) => track);
  const isKnown = total !== null;
  return {
    total_tracks: total,
    tracks: own.length === 0 && total !== 0 ? null : own,
    tracks_truncated: isKnown ? own.length < total : null,
  };
}

function parseCopyrights(raw: unknown): AlbumRecord['copyrights'] {
  if (!Array.isArray(raw)) return null;
  return raw.flatMap((one: unknown) => {
    const text = toLine(getPath(one, 'text'));
    return text === null ? [] : [{ type: toLine(getPath(one, 'type')), text }];
  });
}

function countDiscs(tracks: readonly Track[]): number | null {
  const numbers = tracks.flatMap(({ disc_number: disc }) => disc ?? []);
  return numbers.length === 0 ? null : Math.max(...numbers);
}

/** Tracks in one answer to a query. Few albums have more. */
const MAX_TRACKS = 300;

function wrapAlbum(album: AlbumRecord | null) {
  return album === null ? null : { album };
}

/** Wraps an album of a source that lists tracks. Such an album is unusable without them. */
function requireTracks(album: AlbumRecord | null) {
  if (album === null) return null;
  if (album.tracks === null) return unusable('the tracks of the album are missing');
  return album.tracks_truncated === true
    ? markPartial({ album }, `the first ${album.tracks.length} of ${album.total_tracks ?? 'all'} tracks are listed`)
    : { album };
}
