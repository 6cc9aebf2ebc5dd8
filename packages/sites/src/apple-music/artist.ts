import { z } from 'zod';
import { findCanonicalUrl, findOpenGraph, listEntities, parseRichText } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { toList, parseJsonValue } from '#extract/values/json.ts';
import { getPath, toDurationMs, toLine, toArray, toMediaUrl, toText, toCleanUrl } from '#extract/values/raw.ts';
import { requestMore, notFound, notInSource, markPartial, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import {
  AlbumSummary,
  buildLookupRequest,
  CatalogInput,
  CatalogSong,
  cleanUrl,
  findEntity,
  hasNoSubject,
  isAlbum,
  isSong,
  parseArtworkUrl,
  parseLookupAlbum,
  parseLookupSong,
  parseEntityUrl,
  readEntity,
} from './shared.ts';
import { appleMusic } from './site.ts';

const Text = z.string().nullable();

const CatalogArtist = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  genres: z.array(z.string()).readonly().nullable(),
  image_url: Text.describe('Only from the page of the artist'),
  biography: Text.describe('Only from the page of the artist'),
  albums: z.array(AlbumSummary).readonly().nullable().describe('The newest first'),
  top_songs: z.array(CatalogSong).readonly().nullable(),
});

type CatalogArtist = z.output<typeof CatalogArtist>;

const ArtistAnswer = z.object({ artist: CatalogArtist });

type ArtistSource = EndpointSource<typeof CatalogInput, typeof ArtistAnswer>;

/** The API's lookup, first of the artist with albums and then of songs. */
const lookupSource: ArtistSource = {
  name: 'lookup',
  request(input, site) {
    const { id, country } = readEntity('artist', input, site);
    return buildLookupRequest(id, country, 'album');
  },
  parse: parseLookupAnswer,
};

/** The artist's page: its structured data and the biography. */
const pageSource: ArtistSource = {
  name: 'page',
  lacks: 'the page does not list the albums of the artist in full',
  request(input, site) {
    const { id, country, other } = readEntity('artist', input, site);
    return { origin: 'web', path: `/${other ?? country}/artist/${id}` };
  },
  parse: parseArtistPage,
};

export const appleMusicArtist = appleMusic({
  path: '/artist',
  summary: 'Artist detail, albums and top songs by id or url',
  input: CatalogInput,
  record: ArtistAnswer,
  anyOf: ['id', 'url'],
  aliases: { country: ['geo'] },
  sources: [lookupSource, pageSource],
  // Only the page has picture and biography.
  fill: true,
  expected: ['artist.genres', 'artist.albums.name', 'artist.top_songs.name', 'artist.image_url'],
  canary: { id: '136975' },
});

function parseLookupAnswer(
  page: SourcePage,
  input: CatalogInput,
  site: SiteContext,
): ReturnType<ArtistSource['parse']> {
  const thing = readEntity('artist', input, site);
  const known = CatalogArtist.safeParse(getPath(page.carry, 'artist'));
  if (known.success) return { artist: { ...known.data, top_songs: parseSongs(page, thing.id) } };
  const isWanted = (raw: unknown): boolean =>
    getPath(raw, 'wrapperType') === 'artist' && toText(getPath(raw, 'artistId')) === thing.id;
  const result = findEntity(page, { kind: 'artist', thing, entity: 'album', isWanted });
  if ('answer' in result) return result.answer;
  const artist = parseLookupArtist(result.found, result.results, { id: thing.id, base: page.url });
  if (artist === null) return unusable('the name of the artist is missing');
  const country = toText(getPath(page.carry, 'country')) ?? thing.country;
  const alone = markPartial({ artist }, 'the songs of the artist are missing');
  return requestMore(buildLookupRequest(thing.id, country, 'song', MAX_SONGS), { artist }, alone);
}

function parseArtistPage(
  source: SourcePage,
  input: CatalogInput,
  site: SiteContext,
): ReturnType<ArtistSource['parse']> {
  const { id } = readEntity('artist', input, site);
  const page = parsePage(source.body, source.url);
  const reached = parseEntityUrl('artist', source.url);
  if (reached !== id) return notFound(`the site redirects to another ${reached === null ? 'page' : 'artist'}`);
  if (hasNoSubject(page)) return notInSource('the site shows no artist of that number');
  const address = findCanonicalUrl(page);
  if (address === null || parseEntityUrl('artist', address) !== id) return unusable('the requested artist is missing');
  const artist = parseDescribedArtist(page, { id, address });
  return artist === null ? unusable('the name of the artist is missing') : { artist };
}

const MAX_SONGS = 50;

function parseLookupArtist(
  raw: unknown,
  results: readonly unknown[],
  { id, base }: { readonly id: string; readonly base: string },
): CatalogArtist | null {
  const name = toLine(getPath(raw, 'artistName'));
  if (name === null) return null;
  const genre = toLine(getPath(raw, 'primaryGenreName'));
  const albums = results.filter(isAlbum).flatMap((one) => parseLookupAlbum(one, base) ?? []);
  return {
    id,
    name,
    url: cleanUrl(getPath(raw, 'artistLinkUrl') ?? getPath(raw, 'artistViewUrl'), base) ?? base,
    genres: genre === null ? null : [genre],
    image_url: null,
    biography: null,
    albums: albums.toSorted((one, other) => (other.release_date ?? '').localeCompare(one.release_date ?? '')),
    top_songs: null,
  };
}

/** Parses the songs of the artist, including those to which the artist only contributed. */
function parseSongs(page: SourcePage, id: string): CatalogArtist['top_songs'] {
  const results = getPath(parseJsonValue(page.body), 'results');
  if (!toArray(results).some((one) => toText(getPath(one, 'artistId')) === id)) return null;
  return toArray(results)
    .filter(isSong)
    .flatMap((one) => parseLookupSong(one, page.url) ?? []);
}

function parseDescribedArtist(
  page: ParsedPage,
  { id, address }: { readonly id: string; readonly address: string },
): CatalogArtist | null {
  const [group] = listEntities(page, 'MusicGroup').filter(({ members }) => belongsToArtist(members['url'], id));
  const members = group?.members ?? {};
  const name = toLine(members['name']) ?? findOpenGraph(page, 'og:title')?.replace(/ on Apple.Music$/, '') ?? null;
  if (name === null) return null;
  const genres = toList(members['genre']).flatMap((one) => toLine(one) ?? []);
  const songs = toList(members['tracks'] ?? members['track']).flatMap(
    (one) => parseDescribedSong(one, name, page.url) ?? [],
  );
  const image = parseArtworkUrl(members['image'] ?? findOpenGraph(page, 'og:image'), page.url)?.url ?? null;
  return {
    id,
    name,
    url: toCleanUrl(address, page.url) ?? page.url,
    genres: genres.length === 0 ? null : genres,
    // The site shows its own picture if the artist has none.
    image_url: image?.includes('/assets/') === true ? null : image,
    biography: parseBiography(page, id),
    albums: null,
    top_songs: songs.length === 0 ? null : songs,
  };
}

/** Structured data without a URL belong to the page itself. */
function belongsToArtist(address: unknown, id: string): boolean {
  const text = toLine(address);
  return text === null || parseEntityUrl('artist', text) === id;
}

function parseBiography(page: ParsedPage, id: string): string | null {
  const shown = findObjectsWith(
    findJsonScript(page, { id: 'serialized-server-data' }),
    'modalPresentationDescriptor',
  ).find((one) => one['id'] === `artist-bio - ${id}`);
  const text = toText(getPath(shown, 'modalPresentationDescriptor', 'paragraphText'));
  return text === null ? null : (parseRichText(text, page.url)?.text ?? null);
}

function parseDescribedSong(raw: unknown, artist: string, base: string): CatalogSong | null {
  const name = toLine(getPath(raw, 'name'));
  const address = toCleanUrl(getPath(raw, 'url'), base);
  const id = parseEntityUrl('song', address ?? '');
  if (name === null || id === null) return null;
  return {
    id,
    name,
    url: address,
    track_number: null,
    disc_number: null,
    duration_ms: toDurationMs(getPath(raw, 'duration')),
    explicit: null,
    isrc: null,
    composer: null,
    preview_url: toMediaUrl(getPath(raw, 'audio', 'contentUrl'), base),
    artist_name: toLine(getPath(raw, 'byArtist', 'name')) ?? artist,
    price: null,
    streamable: null,
    album: null,
    genres: null,
    release_date: null,
    currency: null,
    artwork: parseArtworkUrl(getPath(raw, 'audio', 'thumbnailUrl'), base),
  };
}
