import { z } from 'zod';
import { findOpenGraph, readLineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { getPath, toInteger, toLine, toArray, toMediaUrl, toTimestamp } from '#extract/values/raw.ts';
import { buildPage, markPartial, unusable } from '#sites/framework/answers.ts';
import {
  buildIdentity,
  Count,
  EntityInput,
  findNextApiOffset,
  findNextOffset,
  Images,
  NO_TRACK_FACTS,
  parseApiTrack,
  parseExactCount,
  parseExplicit,
  parseGraphImages,
  parseId,
  parseImages,
  parseName,
  parsePlainText,
  parsePlayable,
  parseRelease,
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

const Owner = z.object({ id: Text, name: Text, url: Text });

export const PlaylistRecord = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  description: Text,
  owner: Owner.nullable(),
  followers: Count,
  images: Images,
  total_tracks: Count,
});

export type PlaylistRecord = z.output<typeof PlaylistRecord>;

/** One item of a playlist. Local files have neither id nor URL. */
const PlaylistItem = Track.extend({
  id: Text,
  url: Text,
  type: z.enum(['track', 'episode', 'local']),
  added_at: Text,
});

type PlaylistItem = z.output<typeof PlaylistItem>;

const PlaylistPage = z.object({
  playlist: PlaylistRecord.nullable().describe('Null on later pages if they do not have it'),
  tracks: z.array(PlaylistItem).readonly().nullable(),
});

const DEFAULT_LIMIT = 50;

export const spotifyPlaylist = spotify({
  path: '/playlist',
  summary: 'Playlist detail and its tracks, one page per request',
  input: EntityInput,
  record: PlaylistPage,
  anyOf: ['id', 'url'],
  aliases: { language: ['locale'], limit: ['per_page'] },
  list: 'tracks',
  limit: { default: DEFAULT_LIMIT, max: 100 },
  sources: buildEntitySources({
    kind: 'playlist',
    answer: PlaylistPage,
    buildQuery: ({ uri, language, cursor, limit }) => ({
      query: 'fetchPlaylist',
      variables: { uri, offset: Number(cursor ?? 0), limit: limit ?? DEFAULT_LIMIT, enableWatchFeedEntrypoint: false },
      language,
    }),
    member: 'playlistV2',
    parseAnswer: parseGraphPage,
    parseEmbed: (entity, wanted) => wrapPlaylist(parseEmbedPlaylist(entity, wanted), parseEmbedItems(entity)),
    parsePage: (page, wanted) => wrapPlaylist(parsePagePlaylist(page, wanted), parseRenderedItems(page)),
    api: {
      request: ({ id, cursor, limit }) =>
        cursor === null
          ? { path: `/v1/playlists/${id}` }
          : { path: `/v1/playlists/${id}/tracks`, query: { offset: cursor, limit: limit ?? DEFAULT_LIMIT } },
      read(raw, wanted) {
        const playlist = parseApiPlaylist(raw, wanted);
        if (playlist === null && wanted.cursor === null) return null;
        const lines = playlist === null ? raw : getPath(raw, 'tracks');
        if (!Array.isArray(getPath(lines, 'items'))) return unusable('the tracks of the playlist are missing');
        const tracks = toArray(getPath(lines, 'items')).flatMap(parseApiItem);
        return buildPage({ playlist, tracks }, findNextApiOffset(lines));
      },
      lacks: 'the documented interface has no play counts',
    },
    buildFromLink: (name, images, { id }) => ({
      playlist: { ...buildIdentity('playlist', id), ...NO_PLAYLIST_FACTS, name, images },
      tracks: null,
    }),
  }),
  expected: ['playlist.owner', 'playlist.images', 'playlist.followers', 'tracks.artists', 'tracks.duration_ms'],
  canary: { id: '37i9dQZF1DXcBWIGoYBM5M' },
});

/** The members of a playlist that a source lacks. */
const NO_PLAYLIST_FACTS = {
  description: null,
  owner: null,
  followers: null,
  images: null,
  total_tracks: null,
} as const;

export function parseGraphPlaylist(raw: unknown, { id }: EntityRequest): PlaylistRecord | null {
  const name = toLine(getPath(raw, 'name'));
  if (name === null || parseId(getPath(raw, 'uri'), 'playlist') !== id) return null;
  return {
    ...buildIdentity('playlist', id),
    name,
    description: parsePlainText(getPath(raw, 'description')),
    owner: parseOwner(getPath(raw, 'ownerV2', 'data')),
    followers: parseExactCount(getPath(raw, 'followers')),
    images: parseGraphImages(getPath(raw, 'images')),
    total_tracks: parseExactCount(getPath(raw, 'content', 'totalCount')),
  };
}

/** Parses an item of the site's query. Null if it is no longer available. */
function parseGraphItem(raw: unknown, { previews }: QueryContext): PlaylistItem | null {
  const data = getPath(raw, 'itemV2', 'data');
  const added = toTimestamp(getPath(raw, 'addedAt', 'isoString'));
  const track = parseTrack(data, previews);
  if (track === null) return parseOtherItem(data, added);
  const released = parseRelease(getPath(raw, 'itemV3', 'data', ...PUBLISHED_PATH)).date;
  return { ...track, release_date: track.release_date ?? released, type: 'track', added_at: added };
}

/** Path of the album's release date in the second form of an item. */
const PUBLISHED_PATH = [
  'identityTrait',
  'contentHierarchyParent',
  'publishingMetadataTrait',
  'firstPublishedAt',
] as const;

function parseOtherItem(data: unknown, added: string | null): PlaylistItem | null {
  const name = toLine(getPath(data, 'name'));
  const uri = toLine(getPath(data, 'uri'));
  if (name === null || uri === null) return null;
  const episode = parseId(uri, 'episode');
  const isLocal = uri.startsWith('spotify:local:');
  if (episode === null && !isLocal) return null;
  return {
    ...NO_TRACK_FACTS,
    ...(episode === null ? { id: null, uri, url: null } : buildIdentity('episode', episode)),
    name,
    type: episode === null ? 'local' : 'episode',
    added_at: added,
    duration_ms:
      toInteger(getPath(data, 'duration', 'totalMilliseconds')) ??
      toInteger(getPath(data, 'localTrackDuration', 'totalMilliseconds')),
    explicit: parseExplicit(data),
    playable: parsePlayable(data),
    images: parseGraphImages(getPath(data, 'coverArt')),
  };
}

/** Parses the playlist of an embedded player. Its subtitle is the owner's name. */
function parseEmbedPlaylist(entity: unknown, { id }: EntityRequest): PlaylistRecord | null {
  const name = toLine(getPath(entity, 'name')) ?? toLine(getPath(entity, 'title'));
  if (name === null || parseId(getPath(entity, 'uri'), 'playlist') !== id) return null;
  const owner = toLine(getPath(entity, 'subtitle'));
  return {
    ...buildIdentity('playlist', id),
    ...NO_PLAYLIST_FACTS,
    name,
    owner: owner === null ? null : { id: null, name: owner, url: null },
    images: parseEmbedImages(entity),
  };
}

function parseEmbedItems(entity: unknown): readonly PlaylistItem[] {
  return toArray(getPath(entity, 'trackList')).flatMap((row) => buildItem(parseEmbedTrack(row)));
}

export function parseApiPlaylist(raw: unknown, { id }: EntityRequest): PlaylistRecord | null {
  const name = toLine(getPath(raw, 'name'));
  if (name === null || parseId(getPath(raw, 'uri'), 'playlist') !== id) return null;
  const owner = getPath(raw, 'owner');
  return {
    ...buildIdentity('playlist', id),
    name,
    description: parsePlainText(getPath(raw, 'description')),
    owner: parseOwner({ uri: getPath(owner, 'uri'), name: getPath(owner, 'display_name') }),
    followers: parseExactCount(getPath(raw, 'followers', 'total')),
    images: parseImages(getPath(raw, 'images')),
    total_tracks: parseExactCount(getPath(raw, 'tracks', 'total')),
  };
}

/** Parses an item of the API. Episodes are in the same member as tracks. */
function parseApiItem(raw: unknown): readonly PlaylistItem[] {
  const data = getPath(raw, 'track');
  const added = toTimestamp(getPath(raw, 'added_at'));
  const track = parseApiTrack(data);
  if (track !== null) return [{ ...track, type: 'track', added_at: added }];
  const other = parseOtherItem(data, added);
  if (other === null) return [];
  const preview = toMediaUrl(getPath(data, 'audio_preview_url'), HOME);
  return [
    {
      ...other,
      duration_ms: toInteger(getPath(data, 'duration_ms')),
      preview_url: preview,
      images: parseImages(getPath(data, 'images')),
    },
  ];
}

/** Parses the playlist's page metadata. */
function parsePagePlaylist(page: ParsedPage, { id }: EntityRequest): PlaylistRecord | null {
  const name = parseName(page);
  if (name === null) return null;
  const total = / · (\d{1,6}) \p{L}+/u.exec(findOpenGraph(page, 'og:description') ?? '')?.[1];
  const owner = readLineAt(page, 'a[data-testid=creator-link]');
  return {
    ...buildIdentity('playlist', id),
    ...NO_PLAYLIST_FACTS,
    name,
    owner: owner === null ? null : { id: null, name: owner, url: null },
    images: parseSingleImage(findOpenGraph(page, 'og:image')),
    total_tracks: toInteger(findOpenGraph(page, 'music:song_count')) ?? toInteger(total),
  };
}

function parseRenderedItems(page: ParsedPage): readonly PlaylistItem[] {
  return (parseTrackRows(page) ?? []).flatMap(buildItem);
}

function buildItem(track: Track | null): readonly PlaylistItem[] {
  return track === null ? [] : [{ ...track, type: 'track', added_at: null }];
}

function parseOwner(raw: unknown): PlaylistRecord['owner'] {
  const id = /^spotify:user:([^:]{1,200})$/.exec(toLine(getPath(raw, 'uri')) ?? '')?.[1] ?? null;
  const name = toLine(getPath(raw, 'name'));
  if (id === null && name === null) return null;
  return { id, name, url: id === null ? null : `${HOME}/user/${id}` };
}

/** Parses one page of a playlist of the site's query. */
function parseGraphPage(raw: unknown, context: QueryContext) {
  const playlist = parseGraphPlaylist(raw, context);
  if (playlist === null) return null;
  const content = getPath(raw, 'content');
  const lines = toArray(getPath(content, 'items'));
  const tracks = lines.flatMap((one) => parseGraphItem(one, context) ?? []);
  const isBeyond = Number(context.cursor ?? 0) >= (toInteger(getPath(content, 'totalCount')) ?? 1);
  if (tracks.length === 0 && !isBeyond) return unusable('the tracks of the playlist are missing');
  const page = buildPage({ playlist, tracks }, findNextOffset(content, playlist.total_tracks));
  const gone = lines.length - tracks.length;
  return gone === 0 ? page : markPartial(page, `${gone} of the playlist’s lines are no longer available`);
}

function wrapPlaylist(playlist: PlaylistRecord | null, tracks: readonly PlaylistItem[]) {
  return playlist === null ? null : { playlist, tracks: tracks.length === 0 ? null : tracks };
}
