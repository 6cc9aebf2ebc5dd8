import { z } from 'zod';
import { openGraph } from '#extract/dom/described.ts';
import { lineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { at, integer, line, list, mediaUrl, moment } from '#extract/values/raw.ts';
import { embeddedImages, toEmbeddedTrack } from './embed.ts';
import { idIn, identityOf } from './entity.ts';
import type { AskedEntity, UnionCall } from './entity-sources.ts';
import { explicitOf, picturesOf, playableOf, toTrack } from './graph-fields.ts';
import {
  Whole,
  streamImages,
  Images,
  NO_TRACK_FACTS,
  onlyImage,
  releaseOf,
  Text,
  StreamTrack,
  plainCount,
  plain,
} from './music-records.ts';
import { officialTrack } from './official.ts';
import { nameIn, rowsOf } from './page-fields.ts';
import { STREAM_HOME } from './site.ts';

const Owner = z.object({ id: Text, name: Text, url: Text });

export const PlaylistRecord = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  description: Text,
  owner: Owner.nullable(),
  followers: Whole,
  images: Images,
  total_tracks: Whole,
});

export type PlaylistRecord = z.output<typeof PlaylistRecord>;

/** One line of a playlist; what is no track of the site has no id of one. */
export const PlaylistItem = StreamTrack.extend({
  id: Text,
  url: Text,
  type: z.enum(['track', 'episode', 'local']),
  added_at: Text,
});

export type PlaylistItem = z.output<typeof PlaylistItem>;

/** What is not known of a playlist by its link alone. */
export const NO_PLAYLIST_FACTS = {
  description: null,
  owner: null,
  followers: null,
  images: null,
  total_tracks: null,
} as const;

export function playlistFromGraph(raw: unknown, { id }: AskedEntity): PlaylistRecord | null {
  const name = line(at(raw, 'name'));
  if (name === null || idIn(at(raw, 'uri'), 'playlist') !== id) return null;
  return {
    ...identityOf('playlist', id),
    name,
    description: plain(at(raw, 'description')),
    owner: ownerOf(at(raw, 'ownerV2', 'data')),
    followers: plainCount(at(raw, 'followers')),
    images: picturesOf(at(raw, 'images')),
    total_tracks: plainCount(at(raw, 'content', 'totalCount')),
  };
}

/** One line of the site's query; null for what is no more to be had. */
export function toPlaylistItem(raw: unknown, { previews }: UnionCall): PlaylistItem | null {
  const data = at(raw, 'itemV2', 'data');
  const added = moment(at(raw, 'addedAt', 'isoString'));
  const track = toTrack(data, previews);
  if (track === null) return toOtherItem(data, added);
  const released = releaseOf(at(raw, 'itemV3', 'data', ...PUBLISHED)).date;
  return { ...track, release_date: track.release_date ?? released, type: 'track', added_at: added };
}

/** Where the second form of a line says when its album came out. */
const PUBLISHED = ['identityTrait', 'contentHierarchyParent', 'publishingMetadataTrait', 'firstPublishedAt'] as const;

function toOtherItem(data: unknown, added: string | null): PlaylistItem | null {
  const name = line(at(data, 'name'));
  const uri = line(at(data, 'uri'));
  if (name === null || uri === null) return null;
  const episode = idIn(uri, 'episode');
  const isLocal = uri.startsWith('spotify:local:');
  if (episode === null && !isLocal) return null;
  return {
    ...NO_TRACK_FACTS,
    ...(episode === null ? { id: null, uri, url: null } : identityOf('episode', episode)),
    name,
    type: episode === null ? 'local' : 'episode',
    added_at: added,
    duration_ms:
      integer(at(data, 'duration', 'totalMilliseconds')) ??
      integer(at(data, 'localTrackDuration', 'totalMilliseconds')),
    explicit: explicitOf(data),
    playable: playableOf(data),
    images: picturesOf(at(data, 'coverArt')),
  };
}

/** The playlist of an embedded player; its line under the title names who made it. */
export function playlistFromEmbed(entity: unknown, { id }: AskedEntity): PlaylistRecord | null {
  const name = line(at(entity, 'name')) ?? line(at(entity, 'title'));
  if (name === null || idIn(at(entity, 'uri'), 'playlist') !== id) return null;
  const owner = line(at(entity, 'subtitle'));
  return {
    ...identityOf('playlist', id),
    ...NO_PLAYLIST_FACTS,
    name,
    owner: owner === null ? null : { id: null, name: owner, url: null },
    images: embeddedImages(entity),
  };
}

export function embeddedItems(entity: unknown): readonly PlaylistItem[] {
  return list(at(entity, 'trackList')).flatMap((row) => toItem(toEmbeddedTrack(row)));
}

/** The playlist of the documented interface. */
export function officialPlaylist(raw: unknown, { id }: AskedEntity): PlaylistRecord | null {
  const name = line(at(raw, 'name'));
  if (name === null || idIn(at(raw, 'uri'), 'playlist') !== id) return null;
  const owner = at(raw, 'owner');
  return {
    ...identityOf('playlist', id),
    name,
    description: plain(at(raw, 'description')),
    owner: ownerOf({ uri: at(owner, 'uri'), name: at(owner, 'display_name') }),
    followers: plainCount(at(raw, 'followers', 'total')),
    images: streamImages(at(raw, 'images')),
    total_tracks: plainCount(at(raw, 'tracks', 'total')),
  };
}

/** One line of the documented interface; an episode stands in the place of a track. */
export function officialItem(raw: unknown): readonly PlaylistItem[] {
  const data = at(raw, 'track');
  const added = moment(at(raw, 'added_at'));
  const track = officialTrack(data);
  if (track !== null) return [{ ...track, type: 'track', added_at: added }];
  const other = toOtherItem(data, added);
  if (other === null) return [];
  const preview = mediaUrl(at(data, 'audio_preview_url'), STREAM_HOME);
  return [
    {
      ...other,
      duration_ms: integer(at(data, 'duration_ms')),
      preview_url: preview,
      images: streamImages(at(data, 'images')),
    },
  ];
}

/** The playlist by the page's description, with the rows that a browser has drawn. */
export function playlistFromPage(page: ParsedPage, { id }: AskedEntity): PlaylistRecord | null {
  const name = nameIn(page);
  if (name === null) return null;
  const total = / · (\d{1,6}) \p{L}+/u.exec(openGraph(page, 'og:description') ?? '')?.[1];
  const owner = lineAt(page, 'a[data-testid=creator-link]');
  return {
    ...identityOf('playlist', id),
    ...NO_PLAYLIST_FACTS,
    name,
    owner: owner === null ? null : { id: null, name: owner, url: null },
    images: onlyImage(openGraph(page, 'og:image')),
    total_tracks: integer(openGraph(page, 'music:song_count')) ?? integer(total),
  };
}

export function drawnItems(page: ParsedPage): readonly PlaylistItem[] {
  return (rowsOf(page) ?? []).flatMap(toItem);
}

function toItem(track: StreamTrack | null): readonly PlaylistItem[] {
  return track === null ? [] : [{ ...track, type: 'track', added_at: null }];
}

function ownerOf(raw: unknown): PlaylistRecord['owner'] {
  const id = /^spotify:user:([^:]{1,200})$/.exec(line(at(raw, 'uri')) ?? '')?.[1] ?? null;
  const name = line(at(raw, 'name'));
  if (id === null && name === null) return null;
  return { id, name, url: id === null ? null : `${STREAM_HOME}/user/${id}` };
}
