import { z } from 'zod';
import { findOpenGraph, readAttributeAt, readLineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { getPath, toBoolean, toCount, toLine, toArray, toCleanUrl } from '#extract/values/raw.ts';
import {
  AlbumRef,
  ArtistRef,
  buildIdentity,
  Count,
  EntityInput,
  Flag,
  Images,
  parseAlbumRef,
  parseArtistRef,
  parseExactCount,
  parseGraphImages,
  parseId,
  parseImages,
  parseName,
  parsePlainText,
  parseSingleImage,
  parseTrack,
  parseTrackRows,
  Text,
  Track,
} from './shared.ts';
import { spotify, HOME } from './site.ts';
import {
  buildEntitySources,
  type EntityRequest,
  parseEmbedImages,
  parseEmbedTrack,
  type QueryContext,
} from './sources.ts';

const ExternalLink = z.object({ name: Text, url: z.string() });
const City = z.object({ city: z.string(), country: Text, listeners: Count });

const ArtistRecord = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  verified: Flag,
  biography: Text,
  followers: Count,
  monthly_listeners: Count,
  world_rank: Count.describe('Null for artists without a rank'),
  images: Images,
  header_image_url: Text,
  external_links: z.array(ExternalLink).readonly().nullable(),
  top_cities: z.array(City).readonly().nullable(),
  top_tracks: z.array(Track).readonly().nullable(),
  popular_releases: z.array(AlbumRef).readonly().nullable(),
  albums_total: Count,
  singles_total: Count,
  related_artists: z.array(ArtistRef).readonly().nullable(),
  counts_approximate: z.boolean(),
});

type ArtistRecord = z.output<typeof ArtistRecord>;

const ArtistAnswer = z.object({ artist: ArtistRecord });

export const spotifyArtist = spotify({
  path: '/artist',
  summary: 'Artist overview by id or url',
  input: EntityInput,
  record: ArtistAnswer,
  anyOf: ['id', 'url'],
  aliases: { language: ['locale'] },
  sources: buildEntitySources({
    kind: 'artist',
    answer: ArtistAnswer,
    buildQuery: ({ uri, language }) => ({
      query: 'queryArtistOverview',
      variables: { uri, locale: '', includePrerelease: false },
      language,
    }),
    member: 'artistUnion',
    parseAnswer: (raw, wanted) => wrapArtist(parseGraphArtist(raw, wanted)),
    parseEmbed: (entity, wanted) => wrapArtist(parseEmbedArtist(entity, wanted)),
    parsePage: (page, wanted) => wrapArtist(parsePageArtist(page, wanted)),
    api: {
      request: ({ id }) => ({ path: `/v1/artists/${id}` }),
      read: (raw, wanted) => wrapArtist(parseApiArtist(raw, wanted)),
      lacks: 'the documented interface has only name, followers and pictures',
    },
    buildFromLink: (name, images, { id }) => ({
      artist: { ...buildIdentity('artist', id), ...NO_ARTIST_FACTS, name, images },
    }),
  }),
  expected: ['artist.monthly_listeners', 'artist.followers', 'artist.images', 'artist.top_tracks.name'],
  canary: { id: '0gxyHStUsqpMadRV0Di1Qt' },
});

/** The members of an artist that a source lacks. */
const NO_ARTIST_FACTS = {
  verified: null,
  biography: null,
  followers: null,
  monthly_listeners: null,
  world_rank: null,
  images: null,
  header_image_url: null,
  external_links: null,
  top_cities: null,
  top_tracks: null,
  popular_releases: null,
  albums_total: null,
  singles_total: null,
  related_artists: null,
  counts_approximate: false,
} as const;

function parseGraphArtist(raw: unknown, { id, previews }: QueryContext): ArtistRecord | null {
  const name = toLine(getPath(raw, 'profile', 'name'));
  if (name === null || parseId(getPath(raw, 'uri'), 'artist') !== id) return null;
  const stats = getPath(raw, 'stats');
  const releases = getPath(raw, 'discography');
  const popular = getPath(releases, 'popularReleasesAlbums') ?? getPath(releases, 'popularReleases');
  const albums = parseItems(popular, (one) => parseAlbumRef(getPath(one, 'releases', 'items', 0) ?? one));
  return {
    ...buildIdentity('artist', id),
    name,
    verified:
      toBoolean(getPath(raw, 'profile', 'verified')) ??
      toBoolean(getPath(raw, 'onPlatformReputationTrait', 'verification', 'isVerified')),
    biography: parsePlainText(getPath(raw, 'profile', 'biography', 'text')),
    followers: parseExactCount(getPath(stats, 'followers')),
    monthly_listeners: parseExactCount(getPath(stats, 'monthlyListeners')),
    world_rank: parseExactCount(getPath(stats, 'worldRank')) || null,
    images: parseGraphImages(getPath(raw, 'visuals', 'avatarImage')),
    header_image_url:
      (parseGraphImages(getPath(raw, 'headerImage')) ?? parseGraphImages(getPath(raw, 'visuals', 'headerImage')))?.[0]
        ?.url ?? null,
    external_links: parseItems(getPath(raw, 'profile', 'externalLinks'), parseLink),
    top_cities: parseItems(getPath(stats, 'topCities'), parseCity),
    top_tracks: parseItems(getPath(releases, 'topTracks'), (one) =>
      addAlbum(parseTrack(getPath(one, 'track'), previews), albums ?? []),
    ),
    popular_releases: albums,
    albums_total: parseExactCount(getPath(releases, 'albums', 'totalCount')),
    singles_total: parseExactCount(getPath(releases, 'singles', 'totalCount')),
    related_artists: parseItems(getPath(raw, 'relatedContent', 'relatedArtists'), parseArtistRef),
    counts_approximate: false,
  };
}

/** Adds the album of a track from the releases, because the tracks of an artist have only its id. */
function addAlbum(track: Track | null, albums: readonly AlbumRef[]): Track | null {
  const album = albums.find(({ id }) => id !== null && id === track?.album?.id);
  if (track === null || album === undefined) return track;
  return { ...track, album, release_date: track.release_date ?? album.release_date };
}

function parseEmbedArtist(entity: unknown, { id }: EntityRequest): ArtistRecord | null {
  const name = toLine(getPath(entity, 'name')) ?? toLine(getPath(entity, 'title'));
  if (name === null || parseId(getPath(entity, 'uri'), 'artist') !== id) return null;
  const tracks = toArray(getPath(entity, 'trackList')).flatMap((row) => parseEmbedTrack(row) ?? []);
  const images = parseEmbedImages(entity);
  return {
    ...buildIdentity('artist', id),
    ...NO_ARTIST_FACTS,
    name,
    images,
    top_tracks: tracks.length === 0 ? null : tracks,
  };
}

function parseApiArtist(raw: unknown, { id }: EntityRequest): ArtistRecord | null {
  const name = toLine(getPath(raw, 'name'));
  if (name === null || parseId(getPath(raw, 'uri'), 'artist') !== id) return null;
  return {
    ...buildIdentity('artist', id),
    ...NO_ARTIST_FACTS,
    name,
    followers: parseExactCount(getPath(raw, 'followers', 'total')),
    images: parseImages(getPath(raw, 'images')),
  };
}

/** Parses the artist's page metadata, with the elements that a browser rendered. */
function parsePageArtist(page: ParsedPage, { id }: EntityRequest): ArtistRecord | null {
  const name = parseName(page);
  if (name === null) return null;
  const shown = LISTENERS.exec(readLineAt(page, '[data-testid=artist-page]')?.slice(0, 500) ?? '')?.[1];
  const described = / · (\S+(?: \p{L}{1,4}\.)?) \p{L}/u.exec(findOpenGraph(page, 'og:description') ?? '')?.[1];
  const listeners = toCount(shown ?? described, readAttributeAt(page, 'html', 'lang'));
  return {
    ...buildIdentity('artist', id),
    ...NO_ARTIST_FACTS,
    name,
    monthly_listeners: listeners?.value ?? null,
    images: parseSingleImage(findOpenGraph(page, 'og:image')),
    top_tracks: parseTrackRows(page),
    counts_approximate: listeners?.approximate === true,
  };
}

const LISTENERS = /([\d,.]+[KMB]?) monthly listeners/;

function parseItems<T>(raw: unknown, read: (one: unknown) => T | null): readonly T[] | null {
  const items = getPath(raw, 'items');
  return Array.isArray(items) ? items.flatMap((one: unknown) => read(one) ?? []) : null;
}

function parseLink(raw: unknown): z.output<typeof ExternalLink> | null {
  const target = toCleanUrl(getPath(raw, 'url'), HOME);
  return target === null ? null : { name: toLine(getPath(raw, 'name'))?.toLowerCase() ?? null, url: target };
}

function parseCity(raw: unknown): z.output<typeof City> | null {
  const city = toLine(getPath(raw, 'city'));
  if (city === null) return null;
  return {
    city,
    country: toLine(getPath(raw, 'country')),
    listeners: parseExactCount(getPath(raw, 'numberOfListeners')),
  };
}

function wrapArtist(artist: ArtistRecord | null) {
  return artist === null ? null : { artist };
}
