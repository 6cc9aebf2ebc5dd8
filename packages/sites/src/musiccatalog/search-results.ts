import { parsePage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { findWith } from '#extract/json/search.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, list, text, url } from '#extract/values/raw.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { artworkFrom } from './album-record.ts';
import { lookupAlbum, lookupSong, plainUrl } from './lookup-fields.ts';
import type { CatalogResult, CatalogType } from './search-record.ts';

/** One answer about one type; null for none that can be read. */
export type TypeResults = { readonly results: readonly CatalogResult[]; readonly count: number };

/** Results of the documented search. */
export function fromSearch(page: SourcePage, type: Exclude<CatalogType, 'playlist'>): TypeResults | null {
  const found = at(tryParse(page.body), 'results');
  if (!Array.isArray(found)) return null;
  const results = found.flatMap((one: unknown) => toResult(one, type, page.url) ?? []);
  return results.length === 0 && found.length > 0 ? null : { results, count: found.length };
}

/** What the interface says of each kind of thing; apps and films have the same members as songs. */
const WRAPPERS = { song: 'track', album: 'collection', artist: 'artist' } as const;

function toResult(raw: unknown, type: Exclude<CatalogType, 'playlist'>, base: string): CatalogResult | null {
  if ((line(at(raw, 'wrapperType')) ?? WRAPPERS[type]) !== WRAPPERS[type]) return null;
  if (type === 'song') {
    const song = lookupSong(raw, base);
    return song === null ? null : { ...song, type };
  }
  if (type === 'album') {
    const album = lookupAlbum(raw, base);
    return album === null ? null : { ...album, type, album_type: album.type };
  }
  const id = text(at(raw, 'artistId'));
  const name = line(at(raw, 'artistName'));
  const address = plainUrl(at(raw, 'artistLinkUrl') ?? at(raw, 'artistViewUrl'), base);
  const genre = line(at(raw, 'primaryGenreName'));
  if (id === null || name === null || address === null) return null;
  return { type, id, name, url: address, genres: genre === null ? null : [genre] };
}

const PLAYLIST = /\/playlist\/(?:[^/?]{1,500}\/)?(pl\.[\w.-]{1,100})/;

/** The playlists among the results of the page of a search; null where it shows no results at all. */
export function fromSearchPage(source: SourcePage): TypeResults | null {
  const page = parsePage(source.body, source.url);
  const shown = findWith(jsonScript(page, { id: 'serialized-server-data' }), 'contentDescriptor');
  if (shown.length === 0) return null;
  const found = new Map<string, CatalogResult>();
  for (const one of shown) {
    const address = url(at(one, 'contentDescriptor', 'url'), page.url);
    const id = PLAYLIST.exec(address ?? '')?.[1];
    const name = line(one['title']) ?? line(at(one['titleLinks'], 0, 'title'));
    if (address === null || id === undefined || name === null || found.has(id)) continue;
    found.set(id, {
      type: 'playlist',
      id,
      name,
      url: address,
      curator: curatorOf(one),
      artwork_url: artworkFrom(at(one, 'artwork', 'dictionary') ?? at(one, 'artwork'))?.url ?? null,
      track_count: null,
    });
  }
  return { results: [...found.values()], count: 0 };
}

/** `Playlist · Apple Music Pop` among the first results, the name alone further down. */
function curatorOf(raw: unknown): string | null {
  const [linked] = list(at(raw, 'subtitleLinks')).flatMap((one) => line(at(one, 'title')) ?? []);
  const said = linked ?? line(at(raw, 'subtitle'));
  return said?.split(' · ').at(-1) ?? null;
}
