import { z } from 'zod';
import { pageOf, partly, unusable } from '#sites/framework/answers.ts';
import { at, integer, list } from '#extract/values/raw.ts';
import { EntityInput, identityOf } from './entity.ts';
import { entitySources } from './entity-sources.ts';
import type { UnionCall } from './entity-sources.ts';
import { nextOffsetOf } from './graph-fields.ts';
import { officialNext } from './official.ts';
import { drawnItems, embeddedItems, NO_PLAYLIST_FACTS, officialItem, officialPlaylist } from './playlist-record.ts';
import { playlistFromEmbed, playlistFromGraph, playlistFromPage, toPlaylistItem } from './playlist-record.ts';
import { PlaylistItem, PlaylistRecord } from './playlist-record.ts';
import { musicstream } from './site.ts';

const PlaylistPage = z.object({
  playlist: PlaylistRecord.nullable().describe('Null where a page after the first does not tell it'),
  tracks: z.array(PlaylistItem).readonly().nullable(),
});

const USUAL = 50;

export const playlist = musicstream({
  path: '/playlist',
  summary: 'Playlist detail and its tracks, one page a request',
  input: EntityInput,
  record: PlaylistPage,
  anyOf: ['id', 'url'],
  aliases: { language: ['locale'], limit: ['per_page'] },
  list: 'tracks',
  limit: { default: USUAL, most: 100 },
  sources: entitySources({
    kind: 'playlist',
    answer: PlaylistPage,
    question: ({ uri, language, cursor, limit }) => ({
      query: 'fetchPlaylist',
      variables: { uri, offset: Number(cursor ?? 0), limit: limit ?? USUAL, enableWatchFeedEntrypoint: false },
      language,
    }),
    member: 'playlistV2',
    union: readPage,
    embedded: (entity, asked) => only(playlistFromEmbed(entity, asked), embeddedItems(entity)),
    described: (page, asked) => only(playlistFromPage(page, asked), drawnItems(page)),
    official: {
      request: ({ id, cursor, limit }) =>
        cursor === null
          ? { path: `/v1/playlists/${id}` }
          : { path: `/v1/playlists/${id}/tracks`, query: { offset: cursor, limit: limit ?? USUAL } },
      read(raw, asked) {
        const found = officialPlaylist(raw, asked);
        if (found === null && asked.cursor === null) return null;
        const lines = found === null ? raw : at(raw, 'tracks');
        if (!Array.isArray(at(lines, 'items'))) return unusable('the tracks of the playlist');
        const tracks = list(at(lines, 'items')).flatMap(officialItem);
        return pageOf({ playlist: found, tracks }, officialNext(lines));
      },
      lacks: 'the documented interface gives no play counts',
    },
    titled: (name, images, { id }) => ({
      playlist: { ...identityOf('playlist', id), ...NO_PLAYLIST_FACTS, name, images },
      tracks: null,
    }),
  }),
  expected: ['playlist.owner', 'playlist.images', 'playlist.followers', 'tracks.artists', 'tracks.duration_ms'],
  canary: { id: '37i9dQZF1DXcBWIGoYBM5M' },
});

/** One page of a playlist of the site's query: the whole of it where it says that it is empty. */
function readPage(raw: unknown, call: UnionCall) {
  const found = playlistFromGraph(raw, call);
  if (found === null) return null;
  const content = at(raw, 'content');
  const lines = list(at(content, 'items'));
  const tracks = lines.flatMap((one) => toPlaylistItem(one, call) ?? []);
  const isBeyond = Number(call.cursor ?? 0) >= (integer(at(content, 'totalCount')) ?? 1);
  if (tracks.length === 0 && !isBeyond) return unusable('the tracks of the playlist');
  const page = pageOf({ playlist: found, tracks }, nextOffsetOf(content, found.total_tracks));
  const gone = lines.length - tracks.length;
  return gone === 0 ? page : partly(page, `${gone} of the playlist’s lines are no longer to be had`);
}

function only(found: PlaylistRecord | null, tracks: readonly z.output<typeof PlaylistItem>[]) {
  return found === null ? null : { playlist: found, tracks: tracks.length === 0 ? null : tracks };
}
