import { more, notFound, notHere, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { SiteRequest, SourcePage } from '#sites/framework/request.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, decimal, integer, line, mediaUrl, text, url } from '#extract/values/raw.ts';
import { artworkOf, dayOf, typeOf } from './album-record.ts';
import type { AlbumSummary, CatalogSong, Track } from './album-record.ts';
import type { CatalogKind, CatalogThing } from './catalog-input.ts';

type Lookup = {
  readonly kind: CatalogKind;
  readonly thing: CatalogThing;
  /** What is listed beside the thing itself. */
  readonly entity: 'song' | 'album' | null;
  readonly isWanted: (raw: unknown) => boolean;
};

/** What the lookup has of a thing, with everything that it listed; or the answer where it has none. */
type LookedUp = { readonly found: unknown; readonly results: readonly unknown[] } | { readonly answer: SiteAnswer };

const OTHERS: Readonly<Record<CatalogKind, string>> = {
  album: 'a song or an artist, not of an album',
  song: 'an album or an artist, not of a song',
  artist: 'an album or a song, not of an artist',
};

const IDS: Readonly<Record<CatalogKind, readonly string[]>> = {
  album: ['trackId', 'artistId'],
  song: ['collectionId', 'artistId'],
  artist: ['trackId', 'collectionId'],
};

/** The request of the documented lookup. */
export function lookupRequest(id: string, country: string, entity: Lookup['entity'], most = 200): SiteRequest {
  const listed = entity === null ? {} : { entity, limit: most };
  return { origin: 'api', path: '/lookup', query: { ...listed, id, country } };
}

/** Finds a thing by its number in an answer of the lookup. */
export function lookFor(page: SourcePage, { kind, thing, entity, isWanted }: Lookup): LookedUp {
  const { id, other } = thing;
  const results = at(tryParse(page.body), 'results');
  if (!Array.isArray(results)) return { answer: unusable('results of the lookup') };
  const found: unknown = results.find(isWanted);
  if (found !== undefined) return { found, results };
  if (results.some((one) => IDS[kind].some((name) => text(at(one, name)) === id)))
    return { answer: notFound(`this is the number of ${OTHERS[kind]}`) };
  if (results.length > 0) return { answer: unusable(`the ${kind} asked for`) };
  // It may exist only in the storefront that its address names.
  if (other !== null && page.carry === undefined)
    return { answer: more(lookupRequest(id, other, entity), { country: other }) };
  return { answer: notHere(`no ${kind} of that number in this storefront`) };
}

export function isSong(raw: unknown): boolean {
  return at(raw, 'wrapperType') === 'track' && at(raw, 'kind') === 'song';
}

export function isAlbum(raw: unknown): boolean {
  return at(raw, 'wrapperType') === 'collection';
}

export function lookupAlbum(raw: unknown, base: string): AlbumSummary | null {
  const id = text(at(raw, 'collectionId'));
  const name = line(at(raw, 'collectionName'));
  if (id === null || name === null) return null;
  const artist = line(at(raw, 'artistName'));
  const genre = line(at(raw, 'primaryGenreName'));
  return {
    id,
    name,
    url: plainUrl(at(raw, 'collectionViewUrl'), base) ?? base,
    type: typeOf(name, at(raw, 'collectionType') === 'Compilation'),
    artists:
      artist === null
        ? null
        : [{ id: text(at(raw, 'artistId')), name: artist, url: plainUrl(at(raw, 'artistViewUrl'), base) }],
    artist_name: artist,
    release_date: dayOf(at(raw, 'releaseDate')),
    genres: genre === null ? null : [genre],
    copyright: line(at(raw, 'copyright')),
    explicit: explicitOf(at(raw, 'collectionExplicitness')),
    track_count: integer(at(raw, 'trackCount')),
    price: saleOf(at(raw, 'collectionPrice')),
    currency: line(at(raw, 'currency')),
    artwork: artworkOf(at(raw, 'artworkUrl100') ?? at(raw, 'artworkUrl60'), base),
  };
}

export function lookupTrack(raw: unknown, base: string): Track | null {
  const name = line(at(raw, 'trackName'));
  if (name === null) return null;
  return {
    id: text(at(raw, 'trackId')),
    name,
    url: plainUrl(at(raw, 'trackViewUrl'), base),
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

/** A song by itself, with the album that it is on. */
export function lookupSong(raw: unknown, base: string): CatalogSong | null {
  const track = lookupTrack(raw, base);
  const id = track?.id ?? null;
  if (track === null || id === null) return null;
  const album = line(at(raw, 'collectionName'));
  const genre = line(at(raw, 'primaryGenreName'));
  return {
    ...track,
    id,
    album:
      album === null
        ? null
        : { id: text(at(raw, 'collectionId')), name: album, url: plainUrl(at(raw, 'collectionViewUrl'), base, 'i') },
    genres: genre === null ? null : [genre],
    release_date: dayOf(at(raw, 'releaseDate')),
    currency: line(at(raw, 'currency')),
    artwork: artworkOf(at(raw, 'artworkUrl100') ?? at(raw, 'artworkUrl60'), base),
  };
}

/** Addresses carry the name of the affiliate programme that led there; those of an album a song of it as `i`. */
export function plainUrl(raw: unknown, base: string, ...without: readonly string[]): string | null {
  const found = URL.parse(url(raw, base) ?? '');
  for (const name of ['uo', ...without]) found?.searchParams.delete(name);
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
