import { z } from 'zod';
import { findCanonicalUrl, findOpenGraph, listEntities } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { toList, parseJsonValue } from '#extract/values/json.ts';
import {
  getPath,
  toBoolean,
  toNumber,
  toDurationMs,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { notFound, notInSource, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import {
  AlbumRecord,
  buildLookupRequest,
  CatalogInput,
  countDiscs,
  findEntity,
  hasNoSubject,
  isAlbum,
  parseAlbumType,
  parseArtworkTemplate,
  parseArtworkUrl,
  parseDay,
  parseLookupAlbum,
  parseLookupTrack,
  parseEntityUrl,
  readEntity,
  type Track,
} from './shared.ts';
import { appleMusic } from './site.ts';

const AlbumAnswer = z.object({ album: AlbumRecord });

type AlbumSource = EndpointSource<typeof CatalogInput, typeof AlbumAnswer>;

/** The API's lookup. It lists no tracks of releases that can only be streamed. */
const lookupSource: AlbumSource = {
  name: 'lookup',
  request(input, site) {
    const { id, country } = readEntity('album', input, site);
    return buildLookupRequest(id, country, 'song');
  },
  parse: parseLookupAnswer,
};

/** The album's page in any of its three forms: an embedded catalogue answer, lockups, and structured data. */
const pageSource: AlbumSource = {
  name: 'page',
  lacks: 'the page does not show the currency of the prices',
  request(input, site) {
    const { id, country, other } = readEntity('album', input, site);
    return { origin: 'web', path: `/${other ?? country}/album/${id}` };
  },
  parse: parseAlbumPage,
};

export const appleMusicAlbum = appleMusic({
  path: '/album',
  summary: 'Album of musiccatalog with its tracklist, by id or url',
  input: CatalogInput,
  record: AlbumAnswer,
  anyOf: ['id', 'url'],
  aliases: { country: ['geo'] },
  sources: [lookupSource, pageSource],
  expected: ['album.artist_name', 'album.release_date', 'album.artwork', 'album.tracks.duration_ms'],
  canary: { id: '1440857781' },
});

function parseLookupAnswer(page: SourcePage, input: CatalogInput, site: SiteContext): ReturnType<AlbumSource['parse']> {
  const thing = readEntity('album', input, site);
  const belongsToAlbum = (raw: unknown): boolean => toText(getPath(raw, 'collectionId')) === thing.id;
  const isWanted = (raw: unknown): boolean => isAlbum(raw) && belongsToAlbum(raw);
  const result = findEntity(page, { kind: 'album', thing, entity: 'song', isWanted });
  if ('answer' in result) return result.answer;
  const album = parseLookupAlbum(result.found, page.url);
  if (album === null) return unusable('the name of the album is missing');
  const songs = result.results.filter((one) => getPath(one, 'wrapperType') === 'track' && belongsToAlbum(one));
  const tracks = songs.flatMap((one) => parseLookupTrack(one, page.url) ?? []);
  if (tracks.length === 0 && album.track_count !== 0) return unusable('the tracks of the album are missing');
  const discs = songs.flatMap((one) => toInteger(getPath(one, 'discCount')) ?? []);
  return { album: { ...album, label: null, upc: null, disc_count: countDiscs(discs), tracks } };
}

function parseAlbumPage(source: SourcePage, input: CatalogInput, site: SiteContext): ReturnType<AlbumSource['parse']> {
  const { id } = readEntity('album', input, site);
  const page = parsePage(source.body, source.url);
  const reached = parseEntityUrl('album', source.url);
  if (reached !== id) return notFound(`the site redirects to another ${reached === null ? 'page' : 'album'}`);
  if (hasNoSubject(page)) return notInSource('the site shows no album of that number');
  const shown = parseEntityUrl('album', findCanonicalUrl(page) ?? '');
  const album =
    findCatalogAlbum(page, id) ?? parseLockupAlbum(page, id) ?? (shown === id ? parseDescribedAlbum(page, id) : null);
  if (album === null) return unusable(shown === null ? 'no album in the page' : 'the requested album is missing');
  if (album.tracks.length === 0 && album.track_count !== 0) return unusable('the tracks of the album are missing');
  return { album };
}

/** Finds the album in the catalogue answers of older pages, which are JSON strings within a JSON object. */
function findCatalogAlbum(page: ParsedPage, id: string): AlbumRecord | null {
  const box = findJsonScript(page, { id: 'shoebox-media-api-cache-amp-music' });
  if (!isJsonObject(box)) return null;
  for (const [key, answer] of Object.entries(box)) {
    if (typeof answer !== 'string' || !key.includes(id)) continue;
    const entry = toArray(getPath(parseJsonValue(answer), 'd')).find(
      (one) => getPath(one, 'type') === 'albums' && getPath(one, 'id') === id,
    );
    const album = entry === undefined ? null : parseCatalogAlbum(entry, { id, base: page.url });
    if (album !== null) return album;
  }
  return null;
}

function parseCatalogAlbum(
  raw: unknown,
  { id, base }: { readonly id: string; readonly base: string },
): AlbumRecord | null {
  const facts = getPath(raw, 'attributes');
  const name = toLine(getPath(facts, 'name'));
  if (name === null) return null;
  const songs = toArray(getPath(raw, 'relationships', 'tracks', 'data'));
  const discs = songs.flatMap((one) => toInteger(getPath(one, 'attributes', 'discNumber')) ?? []);
  const kind = parseAlbumType(name, toBoolean(getPath(facts, 'isCompilation')) === true);
  return {
    id,
    name,
    url: toCleanUrl(getPath(facts, 'url'), base) ?? base,
    type: toBoolean(getPath(facts, 'isSingle')) === true && kind === 'album' ? 'single' : kind,
    artists: parseCatalogArtists(raw, base),
    artist_name: toLine(getPath(facts, 'artistName')),
    release_date: parseDay(getPath(facts, 'releaseDate')),
    genres: toArray(getPath(facts, 'genreNames')).flatMap((one) => toLine(one) ?? []),
    label: toLine(getPath(facts, 'recordLabel')),
    upc: toText(getPath(facts, 'upc')),
    copyright: toLine(getPath(facts, 'copyright')),
    explicit: isExplicit(facts),
    track_count: toInteger(getPath(facts, 'trackCount')),
    disc_count: countDiscs(discs),
    price: parseSalePrice(facts),
    currency: null,
    artwork: parseArtworkTemplate(getPath(facts, 'artwork')),
    tracks: songs.flatMap((one) => parseCatalogTrack(one, base) ?? []),
  };
}

function parseCatalogArtists(raw: unknown, base: string): AlbumRecord['artists'] {
  const artists = toArray(getPath(raw, 'relationships', 'artists', 'data')).flatMap((artist) => {
    const name = toLine(getPath(artist, 'attributes', 'name'));
    return name === null
      ? []
      : [{ id: toText(getPath(artist, 'id')), name, url: toCleanUrl(getPath(artist, 'attributes', 'url'), base) }];
  });
  return artists.length === 0 ? null : artists;
}

function parseCatalogTrack(raw: unknown, base: string): Track | null {
  const facts = getPath(raw, 'attributes');
  const name = toLine(getPath(facts, 'name'));
  if (name === null) return null;
  return {
    id: toText(getPath(raw, 'id')),
    name,
    url: toCleanUrl(getPath(facts, 'url'), base),
    track_number: toInteger(getPath(facts, 'trackNumber')),
    disc_number: toInteger(getPath(facts, 'discNumber')),
    duration_ms: toInteger(getPath(facts, 'durationInMillis')),
    explicit: isExplicit(facts),
    isrc: toLine(getPath(facts, 'isrc')),
    composer: toLine(getPath(facts, 'composerName')),
    preview_url: toMediaUrl(getPath(facts, 'previews', 0, 'url'), base),
    artist_name: toLine(getPath(facts, 'artistName')),
    price: parseSalePrice(facts),
    streamable: getPath(facts, 'playParams') === undefined ? null : true,
  };
}

/** Content for every age has no rating. */
function isExplicit(facts: unknown): boolean {
  return getPath(facts, 'contentRating') === 'explicit';
}

/** Parses the price of buying. The price of a subscription offer is 0. */
function parseSalePrice(facts: unknown): number | null {
  const offer = toArray(getPath(facts, 'offers')).find((one) => getPath(one, 'type') === 'buy');
  const price = toNumber(getPath(offer, 'price'));
  return price === null || price < 0 ? null : price;
}

/** Parses the album from the page sections of newer pages. */
function parseLockupAlbum(page: ParsedPage, id: string): AlbumRecord | null {
  const sections = findObjectsWith(findJsonScript(page, { id: 'serialized-server-data' }), 'itemKind', 'items');
  const listItems = (kind: string): readonly unknown[] =>
    sections.filter((one) => one['itemKind'] === kind).flatMap((one) => toArray(one['items']));
  const header = listItems('containerDetailHeaderLockup').find(
    (one) => parseDescriptorId(getPath(one, 'contentDescriptor')) === id,
  );
  const name = toLine(getPath(header, 'title'));
  if (name === null) return null;
  const links = toArray(getPath(header, 'subtitleLinks'));
  const [genre, year] = (toLine(getPath(header, 'quaternaryTitle')) ?? '').split(' · ');
  const foot = toText(getPath(listItems('containerDetailTracklistFooterLockup')[0], 'description'));
  const tracks = listItems('trackLockup').flatMap((one) => parseLockupTrack(one, { id, base: page.url }) ?? []);
  const discs = tracks.flatMap(({ disc_number: disc }) => disc ?? []);
  const artwork = getPath(header, 'artwork', 'dictionary');
  return {
    id,
    name,
    url: toCleanUrl(getPath(header, 'contentDescriptor', 'url'), page.url) ?? page.url,
    type: parseAlbumType(name, false),
    artists: links.flatMap((link) => parseLockupArtist(link, page.url) ?? []),
    artist_name: links.flatMap((link) => toLine(getPath(link, 'title')) ?? []).join(', ') || null,
    release_date: parseDay(findOpenGraph(page, 'music:release_date')),
    genres: genre === undefined || genre === '' || year === undefined ? null : [genre],
    label: null,
    upc: null,
    copyright: foot === null ? null : (/[℗©][^\n]{1,300}/u.exec(foot)?.[0] ?? null),
    explicit: toBoolean(getPath(header, 'showExplicitBadge')),
    track_count: toInteger(getPath(header, 'trackCount')) ?? toInteger(findOpenGraph(page, 'music:song_count')),
    disc_count: countDiscs(discs),
    price: null,
    currency: null,
    artwork:
      artwork === undefined
        ? parseArtworkUrl(findOpenGraph(page, 'og:image'), page.url)
        : parseArtworkTemplate(artwork),
    tracks,
  };
}

function parseDescriptorId(descriptor: unknown): string | null {
  return (
    toText(getPath(descriptor, 'identifiers', 'storeAdamID')) ??
    parseEntityUrl('album', toLine(getPath(descriptor, 'url')) ?? '')
  );
}

function parseLockupArtist(link: unknown, base: string) {
  const name = toLine(getPath(link, 'title'));
  const target = getPath(link, 'segue', 'destination', 'contentDescriptor');
  return name === null ? null : { id: parseDescriptorId(target), name, url: toCleanUrl(getPath(target, 'url'), base) };
}

/** Parses a row of the album. Null if the row belongs to another album. */
function parseLockupTrack(raw: unknown, { id, base }: { readonly id: string; readonly base: string }): Track | null {
  const name = toLine(getPath(raw, 'title'));
  const address = toLine(getPath(raw, 'contentDescriptor', 'url'));
  const owner = address === null ? null : parseEntityUrl('album', address);
  if (name === null || (owner !== null && owner !== id)) return null;
  return {
    id: toText(getPath(raw, 'contentDescriptor', 'identifiers', 'storeAdamID')),
    name,
    url: toCleanUrl(address ?? undefined, base),
    track_number: toInteger(getPath(raw, 'trackNumber')),
    disc_number: toInteger(getPath(raw, 'discNumber')),
    duration_ms: toInteger(getPath(raw, 'duration')),
    explicit: toBoolean(getPath(raw, 'showExplicitBadge')),
    isrc: null,
    composer: toLine(getPath(raw, 'composer')),
    preview_url: null,
    artist_name: toLine(getPath(raw, 'artistName')) ?? toLine(getPath(raw, 'subtitleLinks', 0, 'title')),
    price: null,
    streamable: null,
  };
}

/** Parses the structured data of the album. Its URL must be that of the album. */
function parseDescribedAlbum(page: ParsedPage, id: string): AlbumRecord | null {
  // The structured data also describe albums that the page recommends.
  const album = listEntities(page, 'MusicAlbum').find(
    ({ members }) => parseEntityUrl('album', toLine(members['url']) ?? '') === id,
  )?.members;
  const name = toLine(album?.['name']);
  if (album === undefined || name === null) return null;
  const artists = toList(album['byArtist']).flatMap((one) => parseDescribedArtist(one, page.url) ?? []);
  const places = { discs: listNumbers(page, 'music:song:disc'), tracks: listNumbers(page, 'music:song:track') };
  const rows = toList(album['tracks'] ?? album['track']);
  const tracks = rows.flatMap((one, row) => parseDescribedTrack(one, { row, places, base: page.url }) ?? []);
  return {
    id,
    name,
    url: toCleanUrl(album['url'], page.url) ?? page.url,
    type: parseAlbumType(name, false),
    artists: artists.length === 0 ? null : artists,
    artist_name: artists.map((one) => one.name).join(', ') || null,
    release_date: parseDay(album['datePublished']) ?? parseDay(findOpenGraph(page, 'music:release_date')),
    genres: toArray(album['genre']).flatMap((one) => toLine(one) ?? []),
    label: null,
    upc: null,
    copyright: null,
    explicit: null,
    track_count: toInteger(findOpenGraph(page, 'music:song_count')) ?? rows.length,
    disc_count: countDiscs(places.discs),
    price: null,
    currency: null,
    artwork: parseArtworkUrl(album['image'] ?? findOpenGraph(page, 'og:image'), page.url),
    tracks,
  };
}

function parseDescribedArtist(raw: unknown, base: string) {
  const name = toLine(getPath(raw, 'name'));
  const address = toCleanUrl(getPath(raw, 'url'), base);
  return name === null ? null : { id: /\/(\d{1,15})$/.exec(address ?? '')?.[1] ?? null, name, url: address };
}

type TrackNumbers = { readonly discs: readonly number[]; readonly tracks: readonly number[] };

function parseDescribedTrack(
  raw: unknown,
  { row, places, base }: { readonly row: number; readonly places: TrackNumbers; readonly base: string },
): Track | null {
  const name = toLine(getPath(raw, 'name'));
  if (name === null) return null;
  const address = toCleanUrl(getPath(raw, 'url'), base);
  return {
    id:
      /[?&]i=(\d{1,15})/.exec(address ?? '')?.[1] ?? /\/song\/(?:[^/]+\/)?(\d{1,15})/.exec(address ?? '')?.[1] ?? null,
    name,
    url: address,
    track_number: places.tracks[row] ?? null,
    disc_number: places.discs[row] ?? null,
    duration_ms: toDurationMs(getPath(raw, 'duration')),
    explicit: null,
    isrc: null,
    composer: null,
    preview_url: toMediaUrl(getPath(raw, 'audio', 'contentUrl'), base),
    artist_name: toLine(getPath(raw, 'byArtist', 'name')),
    price: null,
    streamable: null,
  };
}

/** Lists a property of each song. A single value applies to all songs. Empty if some songs lack it. */
function listNumbers(page: ParsedPage, property: string): readonly number[] {
  const songs = toList(page.structured().opengraph['music:song']).length;
  const numbers = toList(page.structured().opengraph[property]).flatMap((one) => toInteger(one) ?? []);
  const [only] = numbers;
  if (numbers.length === 1 && only !== undefined) return Array.from({ length: songs }, () => only);
  return numbers.length === songs ? numbers : [];
}
