import { more, partly, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, list, text } from '#extract/values/raw.ts';
import { CatalogArtist } from './artist-record.ts';
import { thingOf } from './catalog-input.ts';
import type { CatalogInput } from './catalog-input.ts';
import { isAlbum, isSong, lookFor, lookupAlbum, lookupRequest, lookupSong, plainUrl } from './lookup-fields.ts';

const MOST_SONGS = 50;

/** The documented lookup, asked for the artist with albums and then for songs. */
export const artistLookup = {
  name: 'lookup',
  request(input: CatalogInput, site: SiteView): SiteRequest {
    const { id, country } = thingOf('artist', input, site);
    return lookupRequest(id, country, 'album');
  },
  parse(page: SourcePage, input: CatalogInput, site: SiteView) {
    const thing = thingOf('artist', input, site);
    const known = CatalogArtist.safeParse(at(page.carry, 'artist'));
    if (known.success) return { artist: { ...known.data, top_songs: songsOf(page, thing.id) } };
    const isWanted = (raw: unknown): boolean =>
      at(raw, 'wrapperType') === 'artist' && text(at(raw, 'artistId')) === thing.id;
    const looked = lookFor(page, { kind: 'artist', thing, entity: 'album', isWanted });
    if ('answer' in looked) return looked.answer;
    const artist = toArtist(looked.found, looked.results, { id: thing.id, base: page.url });
    if (artist === null) return unusable('the name of the artist');
    const country = text(at(page.carry, 'country')) ?? thing.country;
    const alone = partly({ artist }, 'the songs of the artist are missing');
    return more(lookupRequest(thing.id, country, 'song', MOST_SONGS), { artist }, alone);
  },
};

function toArtist(
  raw: unknown,
  results: readonly unknown[],
  { id, base }: { readonly id: string; readonly base: string },
): CatalogArtist | null {
  const name = line(at(raw, 'artistName'));
  if (name === null) return null;
  const genre = line(at(raw, 'primaryGenreName'));
  const albums = results.filter(isAlbum).flatMap((one) => lookupAlbum(one, base) ?? []);
  return {
    id,
    name,
    url: plainUrl(at(raw, 'artistLinkUrl') ?? at(raw, 'artistViewUrl'), base) ?? base,
    genres: genre === null ? null : [genre],
    image_url: null,
    biography: null,
    albums: albums.toSorted((one, other) => (other.release_date ?? '').localeCompare(one.release_date ?? '')),
    top_songs: null,
  };
}

/** Songs of the artist, and those that the artist only has a part in. */
function songsOf(page: SourcePage, id: string): CatalogArtist['top_songs'] {
  const results = at(tryParse(page.body), 'results');
  if (!list(results).some((one) => text(at(one, 'artistId')) === id)) return null;
  return list(results)
    .filter(isSong)
    .flatMap((one) => lookupSong(one, page.url) ?? []);
}
