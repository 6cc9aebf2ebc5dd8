import { z } from 'zod';
import { openGraph } from '#extract/dom/described.ts';
import { attributeAt, lineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { at, integer, line, list } from '#extract/values/raw.ts';
import { toList } from '#extract/values/json.ts';
import { embeddedArtists, embeddedImages, toEmbeddedTrack } from './embed.ts';
import { idIn, identityOf, partialIdentity } from './entity.ts';
import type { AskedEntity, UnionCall } from './entity-sources.ts';
import { artistsOf, picturesOf, toTrack } from './graph-fields.ts';
import {
  AlbumRef,
  albumTypeOf,
  Whole,
  streamImages,
  Images,
  onlyImage,
  releaseOf,
  Text,
  StreamTrack,
} from './music-records.ts';
import type { StreamTrack as FullTrack } from './music-records.ts';
import { officialArtists, officialRelease, officialTrack } from './official.ts';
import { idAt, nameIn, rowsOf } from './page-fields.ts';

const AlbumTrack = StreamTrack.omit({ album: true });

export const StreamAlbumRecord = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  type: AlbumRef.shape.type,
  artists: StreamTrack.shape.artists,
  release_date: Text.describe('A day, a month or a year'),
  release_date_precision: z.enum(['day', 'month', 'year']).nullable(),
  label: Text,
  copyrights: z
    .array(z.object({ type: Text.describe('C of the work, P of the recording'), text: z.string() }))
    .readonly()
    .nullable(),
  total_tracks: Whole,
  discs: Whole,
  images: Images,
  tracks: z.array(AlbumTrack).readonly().nullable(),
  tracks_truncated: z.boolean().nullable().describe('Whether the album has more tracks than are listed'),
});

export type StreamAlbumRecord = z.output<typeof StreamAlbumRecord>;

/** What is not known of an album by its link alone. */
export const NO_ALBUM_FACTS = {
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

/** An album of the site's queries, with the tracks that it lists. */
export function albumFromGraph(raw: unknown, { id, previews }: UnionCall): StreamAlbumRecord | null {
  const name = line(at(raw, 'name'));
  if (name === null || idIn(at(raw, 'uri'), 'album') !== id) return null;
  const total = integer(at(raw, 'tracksV2', 'totalCount')) ?? integer(at(raw, 'tracks', 'totalCount'));
  const items = at(raw, 'tracksV2', 'items') ?? at(raw, 'tracks', 'items');
  const tracks = list(items).flatMap((one) => toTrack(at(one, 'track'), previews) ?? []);
  return {
    ...identityOf('album', id),
    name,
    type: albumTypeOf(at(raw, 'type')),
    artists: artistsOf(at(raw, 'artists')),
    ...released(releaseOf(at(raw, 'date'))),
    label: line(at(raw, 'label')),
    copyrights: copyrightsOf(at(raw, 'copyright', 'items')),
    discs: integer(at(raw, 'discs', 'totalCount')) ?? discsOf(tracks),
    images: picturesOf(at(raw, 'coverArt')),
    ...listed(tracks, total),
  };
}

/** The album of an embedded player. */
export function albumFromEmbed(entity: unknown, { id }: AskedEntity): StreamAlbumRecord | null {
  const name = line(at(entity, 'name')) ?? line(at(entity, 'title'));
  if (name === null || idIn(at(entity, 'uri'), 'album') !== id) return null;
  const tracks = list(at(entity, 'trackList')).flatMap((one) => toEmbeddedTrack(one) ?? []);
  return {
    ...identityOf('album', id),
    ...NO_ALBUM_FACTS,
    name,
    artists: embeddedArtists(entity),
    ...released(releaseOf(at(entity, 'releaseDate'))),
    images: embeddedImages(entity),
    ...listed(tracks, null),
  };
}

/** The album of the documented interface. */
export function officialAlbum(raw: unknown, { id }: AskedEntity): StreamAlbumRecord | null {
  const name = line(at(raw, 'name'));
  if (name === null || idIn(at(raw, 'uri'), 'album') !== id) return null;
  const tracks = list(at(raw, 'tracks', 'items')).flatMap((one) => officialTrack(one) ?? []);
  return {
    ...identityOf('album', id),
    name,
    type: albumTypeOf(at(raw, 'album_type')),
    artists: officialArtists(at(raw, 'artists')),
    ...released(officialRelease(raw)),
    label: line(at(raw, 'label')),
    copyrights: copyrightsOf(at(raw, 'copyrights')),
    discs: discsOf(tracks),
    images: streamImages(at(raw, 'images')),
    ...listed(tracks, integer(at(raw, 'tracks', 'total')) ?? integer(at(raw, 'total_tracks'))),
  };
}

/** The album by its page's description, with the rows that a browser has drawn. */
export function albumFromPage(page: ParsedPage, { id }: AskedEntity): StreamAlbumRecord | null {
  const name = nameIn(page);
  if (name === null) return null;
  const songs = toList(page.structured().opengraph['music:song']);
  const discs = toList(page.structured().opengraph['music:song:disc']).flatMap((one) => integer(one) ?? []);
  const rows = rowsOf(page);
  const [, kind, year, count] = PARTS.exec(openGraph(page, 'og:description') ?? '') ?? [];
  const artist = lineAt(page, CREATOR);
  const release = releaseOf(openGraph(page, 'music:release_date') ?? year);
  return {
    ...identityOf('album', id),
    ...NO_ALBUM_FACTS,
    name,
    type: albumTypeOf(kind),
    artists: artist === null ? null : [{ ...partialIdentity('artist', idAt(page, CREATOR, 'artist')), name: artist }],
    ...released(release),
    discs: discs.length === 0 ? null : Math.max(...discs),
    images: onlyImage(openGraph(page, 'og:image') ?? attributeAt(page, 'main img', 'src')),
    ...(rows === null
      ? { total_tracks: integer(count) ?? (songs.length || null) }
      : listed(rows, integer(count) ?? songs.length)),
  };
}

/** `Justice · Album · 2012 · 14 songs` and `Josement · single · 2020 · 1 songs`. */
const PARTS = / · (\w+) · (\d{4}) · (\d{1,4}) \p{L}+/u;
const CREATOR = 'a[data-testid=creator-link]';

function released({ date, precision }: ReturnType<typeof releaseOf>) {
  return { release_date: date, release_date_precision: precision };
}

function listed(tracks: readonly FullTrack[], total: number | null) {
  const own = tracks.map(({ album: _album, ...track }) => track);
  const isKnown = total !== null;
  return {
    total_tracks: total,
    tracks: own.length === 0 && total !== 0 ? null : own,
    tracks_truncated: isKnown ? own.length < total : null,
  };
}

function copyrightsOf(raw: unknown): StreamAlbumRecord['copyrights'] {
  if (!Array.isArray(raw)) return null;
  return raw.flatMap((one: unknown) => {
    const text = line(at(one, 'text'));
    return text === null ? [] : [{ type: line(at(one, 'type')), text }];
  });
}

function discsOf(tracks: readonly FullTrack[]): number | null {
  const numbers = tracks.flatMap(({ disc_number: disc }) => disc ?? []);
  return numbers.length === 0 ? null : Math.max(...numbers);
}
