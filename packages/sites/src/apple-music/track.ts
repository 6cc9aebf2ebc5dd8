import { z } from 'zod';
import { findOpenGraph, listEntities } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { getPath, toDurationMs, toLine, toArray, toMediaUrl, toText, toCleanUrl } from '#extract/values/raw.ts';
import { notFound, notInSource, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import {
  buildLookupRequest,
  CatalogInput,
  CatalogSong,
  findEntity,
  hasNoSubject,
  isSong,
  parseArtworkUrl,
  parseDay,
  parseLookupSong,
  parseEntityUrl,
  readEntity,
} from './shared.ts';
import { appleMusic } from './site.ts';

const TrackAnswer = z.object({ track: CatalogSong });

type TrackSource = EndpointSource<typeof CatalogInput, typeof TrackAnswer>;

const lookupSource: TrackSource = {
  name: 'lookup',
  request(input, site) {
    const { id, country } = readEntity('song', input, site);
    return buildLookupRequest(id, country, null);
  },
  parse: parseLookupAnswer,
};

/** The structured data of the song's page. */
const pageSource: TrackSource = {
  name: 'page',
  lacks: 'the page does not show the price of the song and its position on the album',
  request(input, site) {
    const { id, country, other } = readEntity('song', input, site);
    return { origin: 'web', path: `/${other ?? country}/song/${id}` };
  },
  parse: parseTrackPage,
};

export const appleMusicTrack = appleMusic({
  path: '/track',
  summary: 'Song detail by id or url',
  input: CatalogInput,
  record: TrackAnswer,
  anyOf: ['id', 'url'],
  aliases: { country: ['geo'] },
  sources: [lookupSource, pageSource],
  expected: ['track.artist_name', 'track.album.id', 'track.duration_ms', 'track.artwork', 'track.preview_url'],
  canary: { id: '1440857915' },
});

function parseLookupAnswer(page: SourcePage, input: CatalogInput, site: SiteContext): ReturnType<TrackSource['parse']> {
  const thing = readEntity('song', input, site);
  const isWanted = (raw: unknown): boolean => isSong(raw) && toText(getPath(raw, 'trackId')) === thing.id;
  const result = findEntity(page, { kind: 'song', thing, entity: null, isWanted });
  if ('answer' in result) return result.answer;
  const track = parseLookupSong(result.found, page.url);
  return track === null ? unusable('the name of the song is missing') : { track };
}

function parseTrackPage(source: SourcePage, input: CatalogInput, site: SiteContext): ReturnType<TrackSource['parse']> {
  const { id } = readEntity('song', input, site);
  const reached = parseEntityUrl('song', source.url);
  if (reached !== id) return notFound(`the site redirects to another ${reached === null ? 'page' : 'song'}`);
  const page = parsePage(source.body, source.url);
  if (hasNoSubject(page)) return notInSource('the site shows no song of that number');
  const track = parseDescribedSong(page, id);
  return track === null ? unusable('the requested song is missing') : { track };
}

/** Parses the song from a composition with its recording, or from a recording. Its URL must be that of the song. */
function parseDescribedSong(page: ParsedPage, id: string): CatalogSong | null {
  const song = listEntities(page, 'MusicComposition', 'MusicRecording').find(
    ({ members }) => parseEntityUrl('song', toLine(members['url']) ?? '') === id,
  )?.members;
  const name = toLine(song?.['name']);
  if (song === undefined || name === null) return null;
  const audio = toList(song['audio'])[0];
  const recording = getPath(audio, 'byArtist') === undefined && song['byArtist'] !== undefined ? song : audio;
  const artists = toList(getPath(recording, 'byArtist')).flatMap((one) => toLine(getPath(one, 'name')) ?? []);
  const album = toList(getPath(recording, 'inAlbum'))[0];
  const title = toLine(getPath(album, 'name'));
  const address = toCleanUrl(getPath(album, 'url'), page.url);
  const genres = toArray(getPath(recording, 'genre') ?? song['genre']).flatMap((one) => toLine(one) ?? []);
  return {
    id,
    name,
    url: toCleanUrl(song['url'], page.url) ?? page.url,
    track_number: null,
    disc_number: null,
    duration_ms: toDurationMs(getPath(recording, 'duration') ?? song['timeRequired']),
    explicit: null,
    isrc: null,
    composer: null,
    preview_url: toMediaUrl(getPath(recording, 'audio', 'contentUrl') ?? getPath(audio, 'contentUrl'), page.url),
    artist_name: artists.join(', ') || null,
    price: null,
    streamable: null,
    album: title === null ? null : { id: parseEntityUrl('album', address ?? ''), name: title, url: address },
    genres: genres.length === 0 ? null : genres,
    release_date: parseDay(song['datePublished']) ?? parseDay(getPath(recording, 'datePublished')),
    currency: null,
    artwork: parseArtworkUrl(song['image'] ?? getPath(recording, 'image') ?? findOpenGraph(page, 'og:image'), page.url),
  };
}
