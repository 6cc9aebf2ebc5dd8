import { z } from 'zod';
import { openGraph } from '#extract/dom/described.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { at, integer, list, seconds } from '#extract/values/raw.ts';
import { embeddedImages, toEmbeddedTrack } from './embed.ts';
import { EntityInput, idIn, identityOf, partialIdentity } from './entity.ts';
import { entitySources } from './entity-sources.ts';
import type { AskedEntity } from './entity-sources.ts';
import { toTrack } from './graph-fields.ts';
import { NO_TRACK_FACTS, onlyImage, releaseOf, StreamTrack } from './music-records.ts';
import { officialTrack } from './official.ts';
import { nameIn } from './page-fields.ts';
import { musicstream } from './site.ts';

const TrackAnswer = z.object({ track: StreamTrack });

export const streamTrack = musicstream({
  path: '/track',
  summary: 'Track detail by id or url',
  input: EntityInput,
  record: TrackAnswer,
  anyOf: ['id', 'url'],
  aliases: { language: ['locale'] },
  sources: entitySources({
    kind: 'track',
    answer: TrackAnswer,
    question: ({ uri, language }) => ({ query: 'getTrack', variables: { uri }, language }),
    member: 'trackUnion',
    union: (raw, { id, previews }) => only(toTrack(raw, previews), id),
    embedded: (entity, { id }) => {
      const found = toEmbeddedTrack(entity);
      return only(found === null ? null : { ...found, images: embeddedImages(entity) }, id);
    },
    described: (page, asked) => only(trackFromPage(page, asked), asked.id),
    official: {
      request: ({ id }) => ({ path: `/v1/tracks/${id}` }),
      // AskedEntity for several ids at once, the interface answers with a list.
      read: (raw, { id }) =>
        only([raw, ...list(at(raw, 'tracks'))].map(officialTrack).find((one) => one?.id === id) ?? null, id),
      lacks: 'the documented interface gives no play counts',
    },
    titled: (name, images, { id }) => ({ track: { ...identityOf('track', id), ...NO_TRACK_FACTS, name, images } }),
  }),
  expected: ['track.artists', 'track.duration_ms', 'track.release_date', 'track.images'],
  canary: { id: '4uLU6hMCjMI75M1A2tKUQC' },
});

function only(found: StreamTrack | null, id: string): z.output<typeof TrackAnswer> | null {
  return found?.id === id ? { track: found } : null;
}

/** The track by its page's description; of its artists the page has ids without names, but for the one in its name. */
function trackFromPage(page: ParsedPage, { id }: AskedEntity): StreamTrack | null {
  const name = nameIn(page);
  if (name === null) return null;
  const album = idIn(openGraph(page, 'music:album'), 'album');
  const unknown = { name: null, type: null, release_date: null, image_url: null, total_tracks: null };
  return {
    ...identityOf('track', id),
    ...NO_TRACK_FACTS,
    name,
    album: album === null ? null : { ...partialIdentity('album', album), ...unknown },
    duration_ms: seconds(openGraph(page, 'music:duration')),
    track_number: integer(openGraph(page, 'music:album:track')),
    disc_number: integer(openGraph(page, 'music:album:disc')),
    release_date: releaseOf(openGraph(page, 'music:release_date')).date,
    images: onlyImage(openGraph(page, 'og:image')),
  };
}
