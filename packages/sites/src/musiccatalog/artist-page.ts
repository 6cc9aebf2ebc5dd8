import { notFound, notHere, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { canonicalOf, openGraph, things } from '#extract/dom/described.ts';
import { readRich } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { findWith } from '#extract/json/search.ts';
import { toList } from '#extract/values/json.ts';
import { at, duration, line, mediaUrl, text, url } from '#extract/values/raw.ts';
import { artworkOf } from './album-record.ts';
import type { CatalogSong } from './album-record.ts';
import type { CatalogArtist } from './artist-record.ts';
import { thingIn, thingOf } from './catalog-input.ts';
import type { CatalogInput } from './catalog-input.ts';
import { isWithoutSubject } from './page-described.ts';

/** The artist's page: what it says to search engines, and the biography that opens in it. */
export const artistPage = {
  name: 'page',
  lacks: 'the page does not list the albums of the artist in full',
  request(input: CatalogInput, site: SiteView): SiteRequest {
    const { id, country, other } = thingOf('artist', input, site);
    return { origin: 'web', path: `/${other ?? country}/artist/${id}` };
  },
  parse(source: SourcePage, input: CatalogInput, site: SiteView) {
    const { id } = thingOf('artist', input, site);
    const page = parsePage(source.body, source.url);
    const ended = thingIn('artist', source.url);
    if (ended !== id) return notFound(`the site leads ${ended === null ? 'elsewhere' : 'to another artist'}`);
    if (isWithoutSubject(page)) return notHere('the site shows no artist of that number');
    const address = canonicalOf(page);
    if (address === null || thingIn('artist', address) !== id) return unusable('the artist asked for');
    const artist = artistFromDescribed(page, { id, address });
    return artist === null ? unusable('the name of the artist') : { artist };
  },
};

function artistFromDescribed(
  page: ParsedPage,
  { id, address }: { readonly id: string; readonly address: string },
): CatalogArtist | null {
  const [group] = things(page, 'MusicGroup').filter(({ members }) => isOf(members['url'], id));
  const members = group?.members ?? {};
  const name = line(members['name']) ?? openGraph(page, 'og:title')?.replace(/ on Apple.Music$/, '') ?? null;
  if (name === null) return null;
  const genres = toList(members['genre']).flatMap((one) => line(one) ?? []);
  const songs = toList(members['tracks'] ?? members['track']).flatMap((one) => toSong(one, name, page.url) ?? []);
  const image = artworkOf(members['image'] ?? openGraph(page, 'og:image'), page.url)?.url ?? null;
  return {
    id,
    name,
    url: url(address, page.url) ?? page.url,
    genres: genres.length === 0 ? null : genres,
    // Where there is no picture the site shows its own.
    image_url: image?.includes('/assets/') === true ? null : image,
    biography: biographyOf(page, id),
    albums: null,
    top_songs: songs.length === 0 ? null : songs,
  };
}

/** A description without an address is that of the page itself. */
function isOf(address: unknown, id: string): boolean {
  const given = line(address);
  return given === null || thingIn('artist', given) === id;
}

function biographyOf(page: ParsedPage, id: string): string | null {
  const shown = findWith(jsonScript(page, { id: 'serialized-server-data' }), 'modalPresentationDescriptor').find(
    (one) => one['id'] === `artist-bio - ${id}`,
  );
  const given = text(at(shown, 'modalPresentationDescriptor', 'paragraphText'));
  return given === null ? null : (readRich(given, page.url)?.text ?? null);
}

function toSong(raw: unknown, artist: string, base: string): CatalogSong | null {
  const name = line(at(raw, 'name'));
  const address = url(at(raw, 'url'), base);
  const id = thingIn('song', address ?? '');
  if (name === null || id === null) return null;
  return {
    id,
    name,
    url: address,
    track_number: null,
    disc_number: null,
    duration_ms: duration(at(raw, 'duration')),
    explicit: null,
    isrc: null,
    composer: null,
    preview_url: mediaUrl(at(raw, 'audio', 'contentUrl'), base),
    artist_name: line(at(raw, 'byArtist', 'name')) ?? artist,
    price: null,
    streamable: null,
    album: null,
    genres: null,
    release_date: null,
    currency: null,
    artwork: artworkOf(at(raw, 'audio', 'thumbnailUrl'), base),
  };
}
