import { z } from 'zod';
import {
  artistFromEmbed,
  artistFromGraph,
  artistFromPage,
  ArtistRecord,
  NO_ARTIST_FACTS,
  officialArtist,
} from './artist-record.ts';
import { EntityInput, identityOf } from './entity.ts';
import { entitySources } from './entity-sources.ts';
import { musicstream } from './site.ts';

const ArtistAnswer = z.object({ artist: ArtistRecord });

export const streamArtist = musicstream({
  path: '/artist',
  summary: 'Artist overview by id or url',
  input: EntityInput,
  record: ArtistAnswer,
  anyOf: ['id', 'url'],
  aliases: { language: ['locale'] },
  sources: entitySources({
    kind: 'artist',
    answer: ArtistAnswer,
    question: ({ uri, language }) => ({
      query: 'queryArtistOverview',
      variables: { uri, locale: '', includePrerelease: false },
      language,
    }),
    member: 'artistUnion',
    union: (raw, call) => only(artistFromGraph(raw, call)),
    embedded: (entity, asked) => only(artistFromEmbed(entity, asked)),
    described: (page, asked) => only(artistFromPage(page, asked)),
    official: {
      request: ({ id }) => ({ path: `/v1/artists/${id}` }),
      read: (raw, asked) => only(officialArtist(raw, asked)),
      lacks: 'the documented interface gives only name, followers and pictures',
    },
    titled: (name, images, { id }) => ({ artist: { ...identityOf('artist', id), ...NO_ARTIST_FACTS, name, images } }),
  }),
  expected: ['artist.monthly_listeners', 'artist.followers', 'artist.images', 'artist.top_tracks.name'],
  canary: { id: '0gxyHStUsqpMadRV0Di1Qt' },
});

function only(found: ArtistRecord | null) {
  return found === null ? null : { artist: found };
}
