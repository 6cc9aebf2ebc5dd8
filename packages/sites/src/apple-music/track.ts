import { z } from 'zod';
import { openGraph, things } from '#extract/dom/described.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { at, duration, line, list, mediaUrl, text, url } from '#extract/values/raw.ts';
import { notFound, notHere, unusable } from '#sites/framework/answers.ts';
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
  const isWanted = (raw: unknown): boolean => isSong(raw) && text(at(raw, 'trackId')) === thing.id;
  const result = findEntity(page, { kind: 'song', thing, entity: null, isWanted });
  if ('answer' in result) return result.answer;
  const track = parseLookupSong(result.found, page.url);
  return track === null ? unusable('the name of the song') : { track };
}

function parseTrackPage(source: SourcePage, input: CatalogInput, site: SiteContext): ReturnType<TrackSource['parse']> {
  const { id } = readEntity('song', input, site);
  const reached = parseEntityUrl('song', source.url);
  if (reached !== id) return notFound(`the site redirects to another ${reached === null ? 'page' : 'song'}`);
  const page = parsePage(source.body, source.url);
  if (hasNoSubject(page)) return notHere('the site shows no song of that number');
  const track = parseDescribedSong(page, id);
  return track === null ? unusable('the requested song') : { track };
}

/** Parses the song from a composition with its recording, or from a recording. Its URL must be that of the song. */
function parseDescribedSong(page: ParsedPage, id: string): CatalogSong | null {
  const song = things(page, 'MusicComposition', 'MusicRecording').find(
    ({ members }) => parseEntityUrl('song', line(members['url']) ?? '') === id,
  )?.members;
  const name = line(song?.['name']);
  if (song === undefined || name === null) return null;
  const audio = toList(song['audio'])[0];
  const recording = at(audio, 'byArtist') === undefined && song['byArtist'] !== undefined ? song : audio;
  const artists = toList(at(recording, 'byArtist')).flatMap((one) => line(at(one, 'name')) ?? []);
  const album = toList(at(recording, 'inAlbum'))[0];
  const title = line(at(album, 'name'));
  const address = url(at(album, 'url'), page.url);
  const genres = list(at(recording, 'genre') ?? song['genre']).flatMap((one) => line(one) ?? []);
  return {
    id,
    name,
    url: url(song['url'], page.url) ?? page.url,
    track_number: null,
    disc_number: null,
    duration_ms: duration(at(recording, 'duration') ?? song['timeRequired']),
    explicit: null,
    isrc: null,
    composer: null,
    preview_url: mediaUrl(at(recording, 'audio', 'contentUrl') ?? at(audio, 'contentUrl'), page.url),
    artist_name: artists.join(', ') || null,
    price: null,
    streamable: null,
    album: title === null ? null : { id: parseEntityUrl('album', address ?? ''), name: title, url: address },
    genres: genres.length === 0 ? null : genres,
    release_date: parseDay(song['datePublished']) ?? parseDay(at(recording, 'datePublished')),
    currency: null,
    artwork: parseArtworkUrl(song['image'] ?? at(recording, 'image') ?? openGraph(page, 'og:image'), page.url),
  };
}
