import { more, notFound, notHere, unusable } from '#features/sites/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#features/sites/request.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, integer, line, list, mediaUrl, decimal, text, url } from '#extract/values/raw.ts';
import { albumOf } from './album-input.ts';
import type { AlbumInput } from './album-input.ts';
import { artworkOf, dayOf, discsOf, typeOf } from './album-record.ts';
import type { AlbumRecord, Track } from './album-record.ts';

/** The documented lookup; it lists no tracks of releases that can only be streamed. */
export const lookup = {
  name: 'lookup',
  request(input: AlbumInput, site: SiteView): SiteRequest {
    const { id, country } = albumOf(input, site);
    return requestFor(id, country);
  },
  parse(page: SourcePage, input: AlbumInput, site: SiteView) {
    const { id, other } = albumOf(input, site);
    const results = at(tryParse(page.body), 'results');
    if (!Array.isArray(results)) return unusable('results of the lookup');
    const album: unknown = results.find((one) => text(at(one, 'collectionId')) === id && !isTrack(one));
    if (album === undefined) {
      if (results.some((one) => [at(one, 'trackId'), at(one, 'artistId')].some((found) => text(found) === id)))
        return notFound('this is the number of a song or an artist, not of an album');
      if (results.length > 0) return unusable('the album asked for');
      // A release may exist only in the storefront that its address names.
      if (other !== null && page.carry === undefined) return more(requestFor(id, other), other);
      return notHere('no album of that number in this storefront');
    }
    const name = line(at(album, 'collectionName'));
    if (name === null) return unusable('the name of the album');
    const songs = list(results).filter((one) => isTrack(one) && text(at(one, 'collectionId')) === id);
    const tracks = songs.flatMap((one) => toTrack(one, page.url) ?? []);
    const counted = integer(at(album, 'trackCount'));
    if (tracks.length === 0 && counted !== 0) return unusable('the tracks of the album');
    const discs = songs.flatMap((one) => integer(at(one, 'discCount')) ?? []);
    return { album: { ...toAlbum(album, { id, name, base: page.url }), disc_count: discsOf(discs), tracks } };
  },
};

function requestFor(id: string, country: string): SiteRequest {
  return { origin: 'api', path: '/lookup', query: { entity: 'song', limit: 200, id, country } };
}

function isTrack(raw: unknown): boolean {
  return at(raw, 'wrapperType') === 'track';
}

function toAlbum(
  raw: unknown,
  { id, name, base }: { readonly id: string; readonly name: string; readonly base: string },
): Omit<AlbumRecord, 'tracks' | 'disc_count'> {
  const artist = line(at(raw, 'artistName'));
  const genre = line(at(raw, 'primaryGenreName'));
  const price = saleOf(at(raw, 'collectionPrice'));
  return {
    id,
    name,
    url: plain(at(raw, 'collectionViewUrl'), base) ?? base,
    type: typeOf(name, at(raw, 'collectionType') === 'Compilation'),
    artists:
      artist === null
        ? null
        : [{ id: text(at(raw, 'artistId')), name: artist, url: plain(at(raw, 'artistViewUrl'), base) }],
    artist_name: artist,
    release_date: dayOf(at(raw, 'releaseDate')),
    genres: genre === null ? null : [genre],
    label: null,
    upc: null,
    copyright: line(at(raw, 'copyright')),
    explicit: explicitOf(at(raw, 'collectionExplicitness')),
    track_count: integer(at(raw, 'trackCount')),
    price,
    currency: line(at(raw, 'currency')),
    artwork: artworkOf(at(raw, 'artworkUrl100') ?? at(raw, 'artworkUrl60'), base),
  };
}

function toTrack(raw: unknown, base: string): Track | null {
  const name = line(at(raw, 'trackName'));
  if (name === null) return null;
  return {
    id: text(at(raw, 'trackId')),
    name,
    url: plain(at(raw, 'trackViewUrl'), base),
    track_number: integer(at(raw, 'trackNumber')),
    disc_number: integer(at(raw, 'discNumber')),
    duration_ms: integer(at(raw, 'trackTimeMillis')),
    explicit: explicitOf(at(raw, 'trackExplicitness')),
    isrc: null,
    composer: null,
    preview_url: mediaUrl(at(raw, 'previewUrl'), base),
    artist_name: line(at(raw, 'artistName')),
    price: saleOf(at(raw, 'trackPrice')),
    streamable: boolean(at(raw, 'isStreamable')),
  };
}

/** Addresses carry the name of the affiliate programme that led there. */
function plain(raw: unknown, base: string): string | null {
  const found = URL.parse(url(raw, base) ?? '');
  found?.searchParams.delete('uo');
  return found?.href ?? null;
}

/** Below zero is what is not for sale. */
function saleOf(raw: unknown): number | null {
  const price = decimal(raw);
  return price === null || price < 0 ? null : price;
}

function explicitOf(raw: unknown): boolean | null {
  return raw === 'explicit' ? true : raw === 'notExplicit' || raw === 'cleaned' ? false : null;
}
