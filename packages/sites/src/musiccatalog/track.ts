import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { at, text } from '#extract/values/raw.ts';
import { CatalogSong } from './album-record.ts';
import { CatalogInput, thingOf } from './catalog-input.ts';
import { isSong, lookFor, lookupRequest, lookupSong } from './lookup-fields.ts';
import { musiccatalog } from './site.ts';
import { trackPage } from './track-page.ts';

const TrackAnswer = z.object({ track: CatalogSong });

const lookup: EndpointSource<typeof CatalogInput, typeof TrackAnswer> = {
  name: 'lookup',
  request(input, site) {
    const { id, country } = thingOf('song', input, site);
    return lookupRequest(id, country, null);
  },
  parse(page, input, site) {
    const thing = thingOf('song', input, site);
    const isWanted = (raw: unknown): boolean => isSong(raw) && text(at(raw, 'trackId')) === thing.id;
    const looked = lookFor(page, { kind: 'song', thing, entity: null, isWanted });
    if ('answer' in looked) return looked.answer;
    const track = lookupSong(looked.found, page.url);
    return track === null ? unusable('the name of the song') : { track };
  },
};

export const catalogTrack = musiccatalog({
  path: '/track',
  summary: 'Song detail by id or url',
  input: CatalogInput,
  record: TrackAnswer,
  anyOf: ['id', 'url'],
  aliases: { country: ['geo'] },
  sources: [lookup, trackPage],
  expected: ['track.artist_name', 'track.album.id', 'track.duration_ms', 'track.artwork', 'track.preview_url'],
  canary: { id: '1440857915' },
});
