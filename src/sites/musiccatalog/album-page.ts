import { notFound, unusable } from '#engine/sites/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#engine/sites/request.ts';
import { canonicalOf } from '#extract/page/described.ts';
import { parsePage } from '#extract/page/parsed-page.ts';
import { albumIn, albumOf } from './album-input.ts';
import type { AlbumInput } from './album-input.ts';
import { fromCatalog } from './page-catalog.ts';
import { fromLockups } from './page-lockups.ts';
import { fromDescribed } from './page-described.ts';

/** The album's page, in any of the three forms that it has had: a catalogue answer, lockups, and what it says to search engines. */
export const albumPage = {
  name: 'page',
  lacks: 'the page does not say in which currency the album and its tracks are sold',
  request(input: AlbumInput, site: SiteView): SiteRequest {
    const { id, country, other } = albumOf(input, site);
    return { origin: 'web', path: `/${other ?? country}/album/${id}` };
  },
  parse(source: SourcePage, input: AlbumInput, site: SiteView) {
    const { id } = albumOf(input, site);
    const page = parsePage(source.body, source.url);
    const ended = albumIn(source.url);
    if (ended !== id) return notFound(`the site leads ${ended === null ? 'elsewhere' : 'to another album'}`);
    const shown = albumIn(canonicalOf(page) ?? '');
    const album = fromCatalog(page, id) ?? fromLockups(page, id) ?? (shown === id ? fromDescribed(page, id) : null);
    if (album === null) return unusable(shown === null ? 'no album in the page' : 'the album asked for');
    if (album.tracks.length === 0 && album.track_count !== 0) return unusable('the tracks of the album');
    return { album };
  },
};
