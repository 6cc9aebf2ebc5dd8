import { jsonScript } from '#extract/dom/scripts.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { openGraph } from '#extract/dom/described.ts';
import { findWith } from '#extract/json/search.ts';
import { at, boolean, integer, line, list, text, url } from '#extract/values/raw.ts';
import { thingIn } from './catalog-input.ts';
import { artworkFrom, artworkOf, dayOf, discsOf, typeOf } from './album-record.ts';
import type { AlbumRecord, Track } from './album-record.ts';

/** The album from the sections that newer pages are drawn from. */
export function fromLockups(page: ParsedPage, id: string): AlbumRecord | null {
  const sections = findWith(jsonScript(page, { id: 'serialized-server-data' }), 'itemKind', 'items');
  const itemsOf = (kind: string): readonly unknown[] =>
    sections.filter((one) => one['itemKind'] === kind).flatMap((one) => list(one['items']));
  const header = itemsOf('containerDetailHeaderLockup').find((one) => idOf(at(one, 'contentDescriptor')) === id);
  const name = line(at(header, 'title'));
  if (name === null) return null;
  const links = list(at(header, 'subtitleLinks'));
  const [genre, year] = (line(at(header, 'quaternaryTitle')) ?? '').split(' · ');
  const foot = text(at(itemsOf('containerDetailTracklistFooterLockup')[0], 'description'));
  const tracks = itemsOf('trackLockup').flatMap((one) => toTrack(one, { id, base: page.url }) ?? []);
  const discs = tracks.flatMap(({ disc_number: disc }) => disc ?? []);
  const artwork = at(header, 'artwork', 'dictionary');
  return {
    id,
    name,
    url: url(at(header, 'contentDescriptor', 'url'), page.url) ?? page.url,
    type: typeOf(name, false),
    artists: links.flatMap((link) => toArtist(link, page.url) ?? []),
    artist_name: links.flatMap((link) => line(at(link, 'title')) ?? []).join(', ') || null,
    release_date: dayOf(openGraph(page, 'music:release_date')),
    genres: genre === undefined || genre === '' || year === undefined ? null : [genre],
    label: null,
    upc: null,
    copyright: foot === null ? null : (/[℗©][^\n]{1,300}/u.exec(foot)?.[0] ?? null),
    explicit: boolean(at(header, 'showExplicitBadge')),
    track_count: integer(at(header, 'trackCount')) ?? integer(openGraph(page, 'music:song_count')),
    disc_count: discsOf(discs),
    price: null,
    currency: null,
    artwork: artwork === undefined ? artworkOf(openGraph(page, 'og:image'), page.url) : artworkFrom(artwork),
    tracks,
  };
}

/** The number of what a descriptor names. */
function idOf(descriptor: unknown): string | null {
  return text(at(descriptor, 'identifiers', 'storeAdamID')) ?? thingIn('album', line(at(descriptor, 'url')) ?? '');
}

function toArtist(link: unknown, base: string) {
  const name = line(at(link, 'title'));
  const target = at(link, 'segue', 'destination', 'contentDescriptor');
  return name === null ? null : { id: idOf(target), name, url: url(at(target, 'url'), base) };
}

/** A row of the album; rows that say that they belong to another are none. */
function toTrack(raw: unknown, { id, base }: { readonly id: string; readonly base: string }): Track | null {
  const name = line(at(raw, 'title'));
  const address = line(at(raw, 'contentDescriptor', 'url'));
  const owner = address === null ? null : thingIn('album', address);
  if (name === null || (owner !== null && owner !== id)) return null;
  return {
    id: text(at(raw, 'contentDescriptor', 'identifiers', 'storeAdamID')),
    name,
    url: url(address ?? undefined, base),
    track_number: integer(at(raw, 'trackNumber')),
    disc_number: integer(at(raw, 'discNumber')),
    duration_ms: integer(at(raw, 'duration')),
    explicit: boolean(at(raw, 'showExplicitBadge')),
    isrc: null,
    composer: line(at(raw, 'composer')),
    preview_url: null,
    artist_name: line(at(raw, 'artistName')) ?? line(at(raw, 'subtitleLinks', 0, 'title')),
    price: null,
    streamable: null,
  };
}
