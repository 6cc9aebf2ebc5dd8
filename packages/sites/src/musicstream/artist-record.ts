import { z } from 'zod';
import { openGraph } from '#extract/dom/described.ts';
import { attributeAt, lineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { at, boolean, countOf, line, list, url } from '#extract/values/raw.ts';
import { embeddedImages, toEmbeddedTrack } from './embed.ts';
import { idIn, identityOf } from './entity.ts';
import type { AskedEntity, UnionCall } from './entity-sources.ts';
import { picturesOf, toAlbumRef, toArtistRef, toTrack } from './graph-fields.ts';
import {
  AlbumRef,
  ArtistRef,
  Whole,
  Flag,
  streamImages,
  Images,
  onlyImage,
  Text,
  StreamTrack,
  plainCount,
  plain,
} from './music-records.ts';
import { nameIn, rowsOf } from './page-fields.ts';
import { STREAM_HOME } from './site.ts';

const ExternalLink = z.object({ name: Text, url: z.string() });
const City = z.object({ city: z.string(), country: Text, listeners: Whole });

export const ArtistRecord = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  verified: Flag,
  biography: Text,
  followers: Whole,
  monthly_listeners: Whole,
  world_rank: Whole.describe('Null for those who are not among the first'),
  images: Images,
  header_image_url: Text,
  external_links: z.array(ExternalLink).readonly().nullable(),
  top_cities: z.array(City).readonly().nullable(),
  top_tracks: z.array(StreamTrack).readonly().nullable(),
  popular_releases: z.array(AlbumRef).readonly().nullable(),
  albums_total: Whole,
  singles_total: Whole,
  related_artists: z.array(ArtistRef).readonly().nullable(),
  counts_approximate: z.boolean(),
});

export type ArtistRecord = z.output<typeof ArtistRecord>;

/** What is not known of an artist by a link alone. */
export const NO_ARTIST_FACTS = {
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

/** An artist of the site's queries. */
export function artistFromGraph(raw: unknown, { id, previews }: UnionCall): ArtistRecord | null {
  const name = line(at(raw, 'profile', 'name'));
  if (name === null || idIn(at(raw, 'uri'), 'artist') !== id) return null;
  const stats = at(raw, 'stats');
  const releases = at(raw, 'discography');
  const popular = at(releases, 'popularReleasesAlbums') ?? at(releases, 'popularReleases');
  const albums = itemsOf(popular, (one) => toAlbumRef(at(one, 'releases', 'items', 0) ?? one));
  return {
    ...identityOf('artist', id),
    name,
    verified:
      boolean(at(raw, 'profile', 'verified')) ??
      boolean(at(raw, 'onPlatformReputationTrait', 'verification', 'isVerified')),
    biography: plain(at(raw, 'profile', 'biography', 'text')),
    followers: plainCount(at(stats, 'followers')),
    monthly_listeners: plainCount(at(stats, 'monthlyListeners')),
    world_rank: plainCount(at(stats, 'worldRank')) || null,
    images: picturesOf(at(raw, 'visuals', 'avatarImage')),
    header_image_url:
      (picturesOf(at(raw, 'headerImage')) ?? picturesOf(at(raw, 'visuals', 'headerImage')))?.[0]?.url ?? null,
    external_links: itemsOf(at(raw, 'profile', 'externalLinks'), toLink),
    top_cities: itemsOf(at(stats, 'topCities'), toCity),
    top_tracks: itemsOf(at(releases, 'topTracks'), (one) =>
      withAlbum(toTrack(at(one, 'track'), previews), albums ?? []),
    ),
    popular_releases: albums,
    albums_total: plainCount(at(releases, 'albums', 'totalCount')),
    singles_total: plainCount(at(releases, 'singles', 'totalCount')),
    related_artists: itemsOf(at(raw, 'relatedContent', 'relatedArtists'), toArtistRef),
    counts_approximate: false,
  };
}

/** A track of an artist tells only where its album is; what the album is stands among the releases. */
function withAlbum(track: StreamTrack | null, albums: readonly AlbumRef[]): StreamTrack | null {
  const album = albums.find(({ id }) => id !== null && id === track?.album?.id);
  if (track === null || album === undefined) return track;
  return { ...track, album, release_date: track.release_date ?? album.release_date };
}

/** The artist of an embedded player, with the tracks that it plays. */
export function artistFromEmbed(entity: unknown, { id }: AskedEntity): ArtistRecord | null {
  const name = line(at(entity, 'name')) ?? line(at(entity, 'title'));
  if (name === null || idIn(at(entity, 'uri'), 'artist') !== id) return null;
  const tracks = list(at(entity, 'trackList')).flatMap((row) => toEmbeddedTrack(row) ?? []);
  const images = embeddedImages(entity);
  return {
    ...identityOf('artist', id),
    ...NO_ARTIST_FACTS,
    name,
    images,
    top_tracks: tracks.length === 0 ? null : tracks,
  };
}

/** The artist of the documented interface. */
export function officialArtist(raw: unknown, { id }: AskedEntity): ArtistRecord | null {
  const name = line(at(raw, 'name'));
  if (name === null || idIn(at(raw, 'uri'), 'artist') !== id) return null;
  return {
    ...identityOf('artist', id),
    ...NO_ARTIST_FACTS,
    name,
    followers: plainCount(at(raw, 'followers', 'total')),
    images: streamImages(at(raw, 'images')),
  };
}

/** The artist by the page's description, with what a browser has drawn. */
export function artistFromPage(page: ParsedPage, { id }: AskedEntity): ArtistRecord | null {
  const name = nameIn(page);
  if (name === null) return null;
  const shown = LISTENERS.exec(lineAt(page, '[data-testid=artist-page]')?.slice(0, 500) ?? '')?.[1];
  const said = / · (\S+(?: \p{L}{1,4}\.)?) \p{L}/u.exec(openGraph(page, 'og:description') ?? '')?.[1];
  const listeners = countOf(shown ?? said, attributeAt(page, 'html', 'lang'));
  return {
    ...identityOf('artist', id),
    ...NO_ARTIST_FACTS,
    name,
    monthly_listeners: listeners?.value ?? null,
    images: onlyImage(openGraph(page, 'og:image')),
    top_tracks: rowsOf(page),
    counts_approximate: listeners?.approximate === true,
  };
}

const LISTENERS = /([\d,.]+[KMB]?) monthly listeners/;

function itemsOf<T>(raw: unknown, read: (one: unknown) => T | null): readonly T[] | null {
  const items = at(raw, 'items');
  return Array.isArray(items) ? items.flatMap((one: unknown) => read(one) ?? []) : null;
}

function toLink(raw: unknown): z.output<typeof ExternalLink> | null {
  const target = url(at(raw, 'url'), STREAM_HOME);
  return target === null ? null : { name: line(at(raw, 'name'))?.toLowerCase() ?? null, url: target };
}

function toCity(raw: unknown): z.output<typeof City> | null {
  const city = line(at(raw, 'city'));
  if (city === null) return null;
  return { city, country: line(at(raw, 'country')), listeners: plainCount(at(raw, 'numberOfListeners')) };
}
