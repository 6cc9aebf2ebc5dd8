import { notFound, notHere, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { openGraph, things } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { at, duration, line, list, mediaUrl, url } from '#extract/values/raw.ts';
import { artworkOf, dayOf } from './album-record.ts';
import type { CatalogSong } from './album-record.ts';
import { thingIn, thingOf } from './catalog-input.ts';
import type { CatalogInput } from './catalog-input.ts';
import { isWithoutSubject } from './page-described.ts';

/** The song's page, by what it says to search engines. */
export const trackPage = {
  name: 'page',
  lacks: 'the page does not say what the song costs, and not its place on the album',
  request(input: CatalogInput, site: SiteView): SiteRequest {
    const { id, country, other } = thingOf('song', input, site);
    return { origin: 'web', path: `/${other ?? country}/song/${id}` };
  },
  parse(source: SourcePage, input: CatalogInput, site: SiteView) {
    const { id } = thingOf('song', input, site);
    const ended = thingIn('song', source.url);
    if (ended !== id) return notFound(`the site leads ${ended === null ? 'elsewhere' : 'to another song'}`);
    const page = parsePage(source.body, source.url);
    if (isWithoutSubject(page)) return notHere('the site shows no song of that number');
    const track = songFromDescribed(page, id);
    return track === null ? unusable('the song asked for') : { track };
  },
};

/** The song as a composition with its recording, or as the recording alone; its own address must be that of the song. */
function songFromDescribed(page: ParsedPage, id: string): CatalogSong | null {
  const song = things(page, 'MusicComposition', 'MusicRecording').find(
    ({ members }) => thingIn('song', line(members['url']) ?? '') === id,
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
    album: title === null ? null : { id: thingIn('album', address ?? ''), name: title, url: address },
    genres: genres.length === 0 ? null : genres,
    release_date: dayOf(song['datePublished']) ?? dayOf(at(recording, 'datePublished')),
    currency: null,
    artwork: artworkOf(song['image'] ?? at(recording, 'image') ?? openGraph(page, 'og:image'), page.url),
  };
}
