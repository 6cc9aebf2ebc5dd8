import { z } from 'zod';
import { findOpenGraph } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { getPath, toInteger, toArray, secondsToMs } from '#extract/values/raw.ts';
import {
  buildIdentity,
  buildPartialIdentity,
  EntityInput,
  NO_TRACK_FACTS,
  parseApiTrack,
  parseId,
  parseName,
  parseRelease,
  parseSingleImage,
  parseTrack,
  Track,
} from './shared.ts';
import { spotify } from './site.ts';
import { buildEntitySources, type EntityRequest, parseEmbedImages, parseEmbedTrack } from './sources.ts';

const TrackAnswer = z.object({ track: Track });

export const spotifyTrack = spotify({
  path: '/track',
  summary: 'Track detail by id or url',
  input: EntityInput,
  record: TrackAnswer,
  anyOf: ['id', 'url'],
  aliases: { language: ['locale'] },
  sources: buildEntitySources({
    kind: 'track',
    answer: TrackAnswer,
    buildQuery: ({ uri, language }) => ({ query: 'getTrack', variables: { uri }, language }),
    member: 'trackUnion',
    parseAnswer: (raw, { id, previews }) => wrapTrack(parseTrack(raw, previews), id),
    parseEmbed: (entity, { id }) => {
      const track = parseEmbedTrack(entity);
      return wrapTrack(track === null ? null : { ...track, images: parseEmbedImages(entity) }, id);
    },
    parsePage: (page, wanted) => wrapTrack(parsePageTrack(page, wanted), wanted.id),
    api: {
      request: ({ id }) => ({ path: `/v1/tracks/${id}` }),
      // If several ids are requested, the API answers with a list.
      read: (raw, { id }) =>
        wrapTrack(
          [raw, ...toArray(getPath(raw, 'tracks'))].map(parseApiTrack).find((one) => one?.id === id) ?? null,
          id,
        ),
      lacks: 'the documented interface has no play counts',
    },
    buildFromLink: (name, images, { id }) => ({
      track: { ...buildIdentity('track', id), ...NO_TRACK_FACTS, name, images },
    }),
  }),
  expected: ['track.artists', 'track.duration_ms', 'track.release_date', 'track.images'],
  canary: { id: '4uLU6hMCjMI75M1A2tKUQC' },
});

function wrapTrack(track: Track | null, id: string): z.output<typeof TrackAnswer> | null {
  return track?.id === id ? { track } : null;
}

/** Parses the track's page metadata. It has the ids of the artists but not their names. */
function parsePageTrack(page: ParsedPage, { id }: EntityRequest): Track | null {
  const name = parseName(page);
  if (name === null) return null;
  const album = parseId(findOpenGraph(page, 'music:album'), 'album');
  const unknown = { name: null, type: null, release_date: null, image_url: null, total_tracks: null };
  return {
    ...buildIdentity('track', id),
    ...NO_TRACK_FACTS,
    name,
    album: album === null ? null : { ...buildPartialIdentity('album', album), ...unknown },
    duration_ms: secondsToMs(findOpenGraph(page, 'music:duration')),
    track_number: toInteger(findOpenGraph(page, 'music:album:track')),
    disc_number: toInteger(findOpenGraph(page, 'music:album:disc')),
    release_date: parseRelease(findOpenGraph(page, 'music:release_date')).date,
    images: parseSingleImage(findOpenGraph(page, 'og:image')),
  };
}
