import { unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { at, integer, text } from '#extract/values/raw.ts';
import { discsOf } from './album-record.ts';
import { thingOf } from './catalog-input.ts';
import type { CatalogInput } from './catalog-input.ts';
import { isAlbum, lookFor, lookupAlbum, lookupRequest, lookupTrack } from './lookup-fields.ts';

/** The documented lookup; it lists no tracks of releases that can only be streamed. */
export const lookup = {
  name: 'lookup',
  request(input: CatalogInput, site: SiteView): SiteRequest {
    const { id, country } = thingOf('album', input, site);
    return lookupRequest(id, country, 'song');
  },
  parse(page: SourcePage, input: CatalogInput, site: SiteView) {
    const thing = thingOf('album', input, site);
    const isOf = (raw: unknown): boolean => text(at(raw, 'collectionId')) === thing.id;
    const isWanted = (raw: unknown): boolean => isAlbum(raw) && isOf(raw);
    const looked = lookFor(page, { kind: 'album', thing, entity: 'song', isWanted });
    if ('answer' in looked) return looked.answer;
    const album = lookupAlbum(looked.found, page.url);
    if (album === null) return unusable('the name of the album');
    const songs = looked.results.filter((one) => at(one, 'wrapperType') === 'track' && isOf(one));
    const tracks = songs.flatMap((one) => lookupTrack(one, page.url) ?? []);
    if (tracks.length === 0 && album.track_count !== 0) return unusable('the tracks of the album');
    const discs = songs.flatMap((one) => integer(at(one, 'discCount')) ?? []);
    return { album: { ...album, label: null, upc: null, disc_count: discsOf(discs), tracks } };
  },
};
