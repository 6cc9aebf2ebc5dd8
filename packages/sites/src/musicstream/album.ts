import { z } from 'zod';
import { partly, unusable } from '#sites/framework/answers.ts';
import {
  albumFromEmbed,
  albumFromGraph,
  albumFromPage,
  StreamAlbumRecord,
  NO_ALBUM_FACTS,
  officialAlbum,
} from './album-record.ts';
import { EntityInput, identityOf } from './entity.ts';
import { entitySources } from './entity-sources.ts';
import { musicstream } from './site.ts';

const AlbumAnswer = z.object({ album: StreamAlbumRecord });

/** Tracks that one answer to a query lists; few albums have more. */
const MOST = 300;

export const streamAlbum = musicstream({
  path: '/album',
  summary: 'Album of musicstream with its tracklist, by id or url',
  input: EntityInput,
  record: AlbumAnswer,
  anyOf: ['id', 'url'],
  aliases: { language: ['locale'] },
  sources: entitySources({
    kind: 'album',
    answer: AlbumAnswer,
    question: ({ uri, language }) => ({
      query: 'getAlbum',
      variables: { uri, locale: '', offset: 0, limit: MOST },
      language,
    }),
    member: 'albumUnion',
    union: (raw, asked) => whole(albumFromGraph(raw, asked)),
    embedded: (entity, asked) => only(albumFromEmbed(entity, asked)),
    described: (page, asked) => only(albumFromPage(page, asked)),
    official: {
      request: ({ id }) => ({ path: `/v1/albums/${id}` }),
      read: (raw, asked) => whole(officialAlbum(raw, asked)),
      lacks: 'the documented interface gives no play counts, and at most 50 tracks',
    },
    titled: (name, images, { id }) => ({ album: { ...identityOf('album', id), ...NO_ALBUM_FACTS, name, images } }),
  }),
  expected: ['album.artists', 'album.release_date', 'album.images', 'album.tracks.duration_ms'],
  canary: { id: '6N9PS4QXF1D0OWPk0Sxtb4' },
});

function only(found: StreamAlbumRecord | null) {
  return found === null ? null : { album: found };
}

/** Of a source that lists tracks, an album that has some must list some. */
function whole(found: StreamAlbumRecord | null) {
  if (found === null) return null;
  if (found.tracks === null) return unusable('the tracks of the album');
  return found.tracks_truncated === true
    ? partly({ album: found }, `the first ${found.tracks.length} of ${found.total_tracks ?? 'all'} tracks are listed`)
    : { album: found };
}
