import { z } from 'zod';
import { CatalogInput, thingIn, thingOf } from './catalog-input.ts';
import { lookup } from './album-lookup.ts';
import { AlbumRecord } from './album-record.ts';
import { musiccatalog } from './site.ts';
import { notFound, notHere, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { fromCatalog } from './page-catalog.ts';
import { fromLockups } from './page-lockups.ts';
import { albumFromDescribed, isWithoutSubject } from './page-described.ts';

/** The album's page, in any of the three forms that it has had: a catalogue answer, lockups, and what it says to search engines. */
const albumPage = {
  name: 'page',
  lacks: 'the page does not say in which currency the album and its tracks are sold',
  request(input: CatalogInput, site: SiteView): SiteRequest {
    const { id, country, other } = thingOf('album', input, site);
    return { origin: 'web', path: `/${other ?? country}/album/${id}` };
  },
  parse(source: SourcePage, input: CatalogInput, site: SiteView) {
    const { id } = thingOf('album', input, site);
    const page = parsePage(source.body, source.url);
    const ended = thingIn('album', source.url);
    if (ended !== id) return notFound(`the site leads ${ended === null ? 'elsewhere' : 'to another album'}`);
    if (isWithoutSubject(page)) return notHere('the site shows no album of that number');
    const shown = thingIn('album', canonicalOf(page) ?? '');
    const album =
      fromCatalog(page, id) ?? fromLockups(page, id) ?? (shown === id ? albumFromDescribed(page, id) : null);
    if (album === null) return unusable(shown === null ? 'no album in the page' : 'the album asked for');
    if (album.tracks.length === 0 && album.track_count !== 0) return unusable('the tracks of the album');
    return { album };
  },
};

export const album = musiccatalog({
  path: '/album',
  summary: 'Album of musiccatalog with its tracklist, by id or url',
  input: CatalogInput,
  record: z.object({ album: AlbumRecord }),
  anyOf: ['id', 'url'],
  aliases: { country: ['geo'] },
  sources: [lookup, albumPage],
  expected: ['album.artist_name', 'album.release_date', 'album.artwork', 'album.tracks.duration_ms'],
  canary: { id: '1440857781' },
});
