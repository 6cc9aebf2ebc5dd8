import { canonicalOf, openGraph, things } from '#extract/dom/described.ts';
import { lineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { at, duration, integer, line, list, mediaUrl, url } from '#extract/values/raw.ts';
import { thingIn } from './catalog-input.ts';
import { artworkOf, dayOf, discsOf, typeOf } from './album-record.ts';
import type { AlbumRecord, Track } from './album-record.ts';

/** The album as the page describes it to search engines; its own address must be that of the album. */
export function albumFromDescribed(page: ParsedPage, id: string): AlbumRecord | null {
  // Other albums that the page recommends are described beside it.
  const album = things(page, 'MusicAlbum').find(
    ({ members }) => thingIn('album', line(members['url']) ?? '') === id,
  )?.members;
  const name = line(album?.['name']);
  if (album === undefined || name === null) return null;
  const artists = toList(album['byArtist']).flatMap((one) => toArtist(one, page.url) ?? []);
  const places = { discs: numbersOf(page, 'music:song:disc'), tracks: numbersOf(page, 'music:song:track') };
  const rows = toList(album['tracks'] ?? album['track']);
  const tracks = rows.flatMap((one, row) => toTrack(one, { row, places, base: page.url }) ?? []);
  return {
    id,
    name,
    url: url(album['url'], page.url) ?? page.url,
    type: typeOf(name, false),
    artists: artists.length === 0 ? null : artists,
    artist_name: artists.map((one) => one.name).join(', ') || null,
    release_date: dayOf(album['datePublished']) ?? dayOf(openGraph(page, 'music:release_date')),
    genres: list(album['genre']).flatMap((one) => line(one) ?? []),
    label: null,
    upc: null,
    copyright: null,
    explicit: null,
    track_count: integer(openGraph(page, 'music:song_count')) ?? rows.length,
    disc_count: discsOf(places.discs),
    price: null,
    currency: null,
    artwork: artworkOf(album['image'] ?? openGraph(page, 'og:image'), page.url),
    tracks,
  };
}

/**
 * Whether the page came whole and is about nothing: the site answers 200 to an unknown number, with a page that has no
 * title and describes only the service itself, at its end.
 */
export function isWithoutSubject(page: ParsedPage): boolean {
  const hasTitle = lineAt(page, 'title') !== null || openGraph(page, 'og:title') !== null;
  return !hasTitle && canonicalOf(page) === null && things(page, 'Organization').length > 0;
}

function toArtist(raw: unknown, base: string) {
  const name = line(at(raw, 'name'));
  const address = url(at(raw, 'url'), base);
  return name === null ? null : { id: /\/(\d{1,15})$/.exec(address ?? '')?.[1] ?? null, name, url: address };
}

type TrackNumbers = { readonly discs: readonly number[]; readonly tracks: readonly number[] };

function toTrack(
  raw: unknown,
  { row, places, base }: { readonly row: number; readonly places: TrackNumbers; readonly base: string },
): Track | null {
  const name = line(at(raw, 'name'));
  if (name === null) return null;
  const address = url(at(raw, 'url'), base);
  return {
    id:
      /[?&]i=(\d{1,15})/.exec(address ?? '')?.[1] ?? /\/song\/(?:[^/]+\/)?(\d{1,15})/.exec(address ?? '')?.[1] ?? null,
    name,
    url: address,
    track_number: places.tracks[row] ?? null,
    disc_number: places.discs[row] ?? null,
    duration_ms: duration(at(raw, 'duration')),
    explicit: null,
    isrc: null,
    composer: null,
    preview_url: mediaUrl(at(raw, 'audio', 'contentUrl'), base),
    artist_name: line(at(raw, 'byArtist', 'name')),
    price: null,
    streamable: null,
  };
}

/** A property of each song in order, or of all at once; nothing where one is left out. */
function numbersOf(page: ParsedPage, property: string): readonly number[] {
  const songs = toList(page.structured().opengraph['music:song']).length;
  const found = toList(page.structured().opengraph[property]).flatMap((one) => integer(one) ?? []);
  const [only] = found;
  if (found.length === 1 && only !== undefined) return Array.from({ length: songs }, () => only);
  return found.length === songs ? found : [];
}
