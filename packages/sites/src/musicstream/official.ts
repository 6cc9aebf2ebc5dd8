import { at, boolean, integer, line, list, mediaUrl, text } from '#extract/values/raw.ts';
import { idIn, identityOf, partialIdentity } from './entity.ts';
import { albumTypeOf, streamImages, releaseOf } from './music-records.ts';
import type { AlbumRef, ArtistRef, Release, StreamTrack } from './music-records.ts';
import { STREAM_HOME } from './site.ts';

/** Artists of the documented interface; null where there is no list. */
export function officialArtists(raw: unknown): readonly ArtistRef[] | null {
  if (!Array.isArray(raw)) return null;
  return raw.flatMap((one: unknown) => {
    const name = line(at(one, 'name'));
    return name === null ? [] : [{ ...partialIdentity('artist', idIn(at(one, 'uri'), 'artist')), name }];
  });
}

export function officialAlbumRef(raw: unknown): AlbumRef | null {
  const id = idIn(at(raw, 'uri'), 'album');
  const name = line(at(raw, 'name'));
  if (id === null || name === null) return null;
  return {
    ...identityOf('album', id),
    name,
    type: albumTypeOf(at(raw, 'album_type')),
    release_date: officialRelease(raw).date,
    image_url: streamImages(at(raw, 'images'))?.[0]?.url ?? null,
    total_tracks: integer(at(raw, 'total_tracks')),
  };
}

export function officialRelease(raw: unknown): Release {
  return releaseOf(at(raw, 'release_date'));
}

/** A track of the documented interface; null for what is none. */
export function officialTrack(raw: unknown): StreamTrack | null {
  const id = idIn(at(raw, 'uri'), 'track');
  const name = line(at(raw, 'name'));
  if (id === null || name === null) return null;
  const album = at(raw, 'album');
  return {
    ...identityOf('track', id),
    name,
    artists: officialArtists(at(raw, 'artists')),
    album: officialAlbumRef(album),
    duration_ms: integer(at(raw, 'duration_ms')),
    explicit: boolean(at(raw, 'explicit')),
    playable: boolean(at(raw, 'is_playable')),
    preview_url: mediaUrl(at(raw, 'preview_url'), STREAM_HOME),
    track_number: integer(at(raw, 'track_number')),
    disc_number: integer(at(raw, 'disc_number')),
    play_count: null,
    release_date: officialRelease(album).date,
    isrc: text(at(raw, 'external_ids', 'isrc')),
    images: streamImages(at(album, 'images')),
  };
}

/** Where a list of the documented interface goes on, null at its end. */
export function officialNext(raw: unknown): string | null {
  const offset = integer(at(raw, 'offset'));
  const limit = list(at(raw, 'items')).length;
  return line(at(raw, 'next')) === null || offset === null || limit === 0 ? null : String(offset + limit);
}
