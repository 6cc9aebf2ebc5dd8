import { at, boolean, countOf, integer, line, list, mediaUrl } from '#extract/values/raw.ts';
import { idIn, identityOf, partialIdentity } from './entity.ts';
import { albumTypeOf, streamImages, releaseOf } from './music-records.ts';
import type { AlbumRef, ArtistRef, Images, StreamTrack } from './music-records.ts';
import { STREAM_HOME } from './site.ts';

/** Artists as the site's queries name them; null where there is no list. */
export function artistsOf(raw: unknown): readonly ArtistRef[] | null {
  const items = at(raw, 'items');
  return Array.isArray(items) ? items.flatMap((one: unknown) => toArtistRef(one) ?? []) : null;
}

export function toArtistRef(raw: unknown): ArtistRef | null {
  const name = line(at(raw, 'profile', 'name')) ?? line(at(raw, 'name'));
  return name === null ? null : { ...partialIdentity('artist', idIn(at(raw, 'uri'), 'artist')), name };
}

/** Covers and portraits alike: a list of sources in one or two wrappings. */
export function picturesOf(raw: unknown): Images {
  return streamImages(
    at(raw, 'sources') ?? at(raw, 'data', 'sources') ?? at(raw, 'items', 0, 'sources') ?? at(raw, 'image'),
  );
}

export function toAlbumRef(raw: unknown): AlbumRef | null {
  const id = idIn(at(raw, 'uri'), 'album');
  const name = line(at(raw, 'name'));
  if (id === null && name === null) return null;
  return {
    ...partialIdentity('album', id),
    name,
    type: albumTypeOf(at(raw, 'type')),
    release_date: releaseOf(at(raw, 'date')).date,
    image_url: picturesOf(at(raw, 'coverArt'))?.[0]?.url ?? null,
    total_tracks: integer(at(raw, 'tracks', 'totalCount')) ?? integer(at(raw, 'tracksV2', 'totalCount')),
  };
}

/** A track of any of the site's queries, with previews that are known besides; null for what is none. */
export function toTrack(raw: unknown, heard: unknown = null): StreamTrack | null {
  const id = idIn(at(raw, 'uri'), 'track');
  const name = line(at(raw, 'name'));
  if (id === null || name === null) return null;
  const album = at(raw, 'albumOfTrack');
  const first = artistsOf(at(raw, 'firstArtist'));
  const others = artistsOf(at(raw, 'otherArtists'));
  const previews = at(raw, 'previews', 'audioPreviews') ?? at(raw, 'previews', 'audioPreviewsV2');
  return {
    ...identityOf('track', id),
    name,
    artists: artistsOf(at(raw, 'artists')) ?? (first === null ? null : [...first, ...(others ?? [])]),
    album: toAlbumRef(album),
    duration_ms:
      integer(at(raw, 'duration', 'totalMilliseconds')) ?? integer(at(raw, 'trackDuration', 'totalMilliseconds')),
    explicit: explicitOf(raw),
    playable: playableOf(raw),
    preview_url: mediaUrl(at(previews, 'items', 0, 'url') ?? at(heard, id), STREAM_HOME),
    track_number: integer(at(raw, 'trackNumber')),
    disc_number: integer(at(raw, 'discNumber')),
    play_count: countOf(at(raw, 'playcount'), null)?.value ?? null,
    release_date: releaseOf(at(album, 'date')).date,
    isrc: null,
    images: picturesOf(at(album, 'coverArt')),
  };
}

export function explicitOf(raw: unknown): boolean | null {
  const labels = at(raw, 'contentRatingV2', 'labels');
  if (Array.isArray(labels)) return labels.includes('EXPLICIT');
  const label = line(at(raw, 'contentRating', 'label'));
  return label === null ? null : label === 'EXPLICIT';
}

export function playableOf(raw: unknown): boolean | null {
  const reason = line(at(raw, 'playability', 'reason'));
  return boolean(at(raw, 'playability', 'playable')) ?? (reason === null ? null : reason === 'PLAYABLE');
}

/** The offset of what follows a page of a list of the site's queries, null at its end. */
export function nextOffsetOf(raw: unknown, total: number | null): string | null {
  const paging = at(raw, 'pagingInfo');
  const said = integer(at(paging, 'nextOffset'));
  if (said !== null) return String(said);
  const offset = integer(at(paging, 'offset'));
  const count = list(at(raw, 'items')).length;
  if (offset === null || total === null || count === 0) return null;
  return offset + count < total ? String(offset + count) : null;
}
