import { z } from 'zod';
import { at, boolean, integer, line, list } from '#extract/values/raw.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { idIn, identityOf } from './entity.ts';
import { artistsOf, picturesOf, toAlbumRef, toTrack } from './graph-fields.ts';
import { AlbumRef, ArtistRef, Whole, Flag, streamImages, Images, Text, StreamTrack } from './music-records.ts';
import { officialAlbumRef, officialArtists, officialTrack } from './official.ts';
import { officialPlaylist, playlistFromGraph, PlaylistRecord } from './playlist-record.ts';
import {
  Episode,
  officialEpisode,
  officialPodcast,
  podcastFromGraph,
  PodcastRecord,
  toEpisode,
} from './podcast-record.ts';
import type { SearchType } from './search-input.ts';

const FoundAlbum = AlbumRef.extend({ artists: z.array(ArtistRef).readonly().nullable() });
const FoundArtist = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  verified: Flag,
  images: Images,
});
const FoundEpisode = Episode.extend({
  podcast: z.object({ id: Text, uri: Text, name: Text, url: Text }).nullable(),
});

const listOf = <T extends z.ZodType>(one: T) => z.array(one).readonly().nullable();

/** The results of each type that was asked for; null of the others. */
export const SearchResults = z.object({
  tracks: listOf(StreamTrack),
  artists: listOf(FoundArtist),
  albums: listOf(FoundAlbum),
  playlists: listOf(PlaylistRecord),
  podcasts: listOf(PodcastRecord),
  episodes: listOf(FoundEpisode),
});

export type SearchResults = z.output<typeof SearchResults>;

export const SearchTotals = z.object({
  tracks: Whole,
  artists: Whole,
  albums: Whole,
  playlists: Whole,
  podcasts: Whole,
  episodes: Whole,
});

/** The lists by what they hold. */
export const LISTS = {
  track: 'tracks',
  artist: 'artists',
  album: 'albums',
  playlist: 'playlists',
  podcast: 'podcasts',
  episode: 'episodes',
} as const satisfies Readonly<Record<SearchType, keyof SearchResults>>;

type ResultReader<K extends keyof SearchResults> = (raw: unknown) => NonNullable<SearchResults[K]>[number] | null;
export type Readers = { readonly [K in keyof SearchResults]: ResultReader<K> };

const asked = (raw: unknown, kind: 'playlist' | 'show') => {
  const id = idIn(at(raw, 'uri'), kind) ?? '';
  return { id, uri: '', language: '', cursor: null, limit: null };
};

/** Results of the site's own search. */
export const GRAPH: Readers = {
  tracks: (raw) => toTrack(at(raw, 'item', 'data')),
  artists: (raw) => toFoundArtist(at(raw, 'data')),
  albums: (raw) => withArtists(toAlbumRef(at(raw, 'data')), artistsOf(at(raw, 'data', 'artists'))),
  playlists: (raw) => playlistFromGraph(at(raw, 'data'), asked(at(raw, 'data'), 'playlist')),
  podcasts: (raw) => podcastFromGraph(at(raw, 'data'), asked(at(raw, 'data'), 'show')),
  episodes(raw) {
    const show = at(raw, 'data', 'podcastV2', 'data');
    const id = idIn(at(show, 'uri'), 'show');
    const found = toEpisode(at(raw, 'data'));
    if (found === null) return null;
    return { ...found, podcast: id === null ? null : { ...identityOf('show', id), name: line(at(show, 'name')) } };
  },
};

/** Results of the documented interface. */
export const OFFICIAL: Readers = {
  tracks: officialTrack,
  artists(raw) {
    const id = idIn(at(raw, 'uri'), 'artist');
    const name = line(at(raw, 'name'));
    if (id === null || name === null) return null;
    return { ...identityOf('artist', id), name, verified: null, images: streamImages(at(raw, 'images')) };
  },
  albums: (raw) => withArtists(officialAlbumRef(raw), officialArtists(at(raw, 'artists'))),
  playlists: (raw) => officialPlaylist(raw, asked(raw, 'playlist')),
  podcasts: (raw) => officialPodcast(raw, asked(raw, 'show')),
  episodes(raw) {
    const found = officialEpisode(raw);
    return found === null ? null : { ...found, podcast: null };
  },
};

function toFoundArtist(raw: unknown): z.output<typeof FoundArtist> | null {
  const id = idIn(at(raw, 'uri'), 'artist');
  const name = line(at(raw, 'profile', 'name'));
  if (id === null || name === null) return null;
  const verified =
    boolean(at(raw, 'profile', 'verified')) ??
    boolean(at(raw, 'onPlatformReputationTrait', 'verification', 'isVerified'));
  return { ...identityOf('artist', id), name, verified, images: picturesOf(at(raw, 'visuals', 'avatarImage')) };
}

function withArtists(album: AlbumRef | null, artists: z.output<typeof FoundAlbum>['artists']) {
  return album === null ? null : { ...album, artists };
}

/** The lists of one answer, as their source names them. */
export type RawLists = Readonly<Record<keyof SearchResults, unknown>>;

type Found = { readonly results: SearchResults; readonly totals: z.output<typeof SearchTotals> };

/** The results that were asked for; a text where a list is missing, or none of what it has can be read. */
export function readLists(lists: RawLists, readers: Readers, types: readonly SearchType[]): Found | string {
  const wanted = types.map((type) => LISTS[type]);
  const missing = wanted.find((name) => !Array.isArray(at(lists[name], 'items')));
  if (missing !== undefined) return `no list of ${missing}`;
  function of<T>(name: keyof SearchResults, read: (raw: unknown) => T | null): readonly T[] | null {
    return wanted.includes(name) ? list(at(lists[name], 'items')).flatMap((one) => read(one) ?? []) : null;
  }
  const results = {
    tracks: of('tracks', readers.tracks),
    artists: of('artists', readers.artists),
    albums: of('albums', readers.albums),
    playlists: of('playlists', readers.playlists),
    podcasts: of('podcasts', readers.podcasts),
    episodes: of('episodes', readers.episodes),
  };
  // The documented interface has empty places in its lists of playlists.
  const blind = wanted.find((name) => results[name]?.length === 0 && list(at(lists[name], 'items')).some(isJsonObject));
  if (blind !== undefined) return `${blind} that can be read`;
  const total = (name: keyof SearchResults) => (wanted.includes(name) ? countOf(lists[name]) : null);
  const totals = {
    tracks: total('tracks'),
    artists: total('artists'),
    albums: total('albums'),
    playlists: total('playlists'),
    podcasts: total('podcasts'),
    episodes: total('episodes'),
  };
  return { results, totals };
}

function countOf(raw: unknown): number | null {
  return integer(at(raw, 'totalCount')) ?? integer(at(raw, 'total'));
}
