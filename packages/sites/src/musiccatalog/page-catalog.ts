import { jsonScript } from '#extract/dom/scripts.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, integer, line, list, mediaUrl, decimal, text, url } from '#extract/values/raw.ts';
import { artworkFrom, dayOf, discsOf, typeOf } from './album-record.ts';
import type { AlbumRecord, Track } from './album-record.ts';

/** The album from the answers of the catalogue that older pages carry: JSON texts inside a JSON object. */
export function fromCatalog(page: ParsedPage, id: string): AlbumRecord | null {
  const box = jsonScript(page, { id: 'shoebox-media-api-cache-amp-music' });
  if (!isJsonObject(box)) return null;
  for (const [key, answer] of Object.entries(box)) {
    if (typeof answer !== 'string' || !key.includes(id)) continue;
    const found = list(at(tryParse(answer), 'd')).find((one) => at(one, 'type') === 'albums' && at(one, 'id') === id);
    const album = found === undefined ? null : toAlbum(found, { id, base: page.url });
    if (album !== null) return album;
  }
  return null;
}

function toAlbum(raw: unknown, { id, base }: { readonly id: string; readonly base: string }): AlbumRecord | null {
  const facts = at(raw, 'attributes');
  const name = line(at(facts, 'name'));
  if (name === null) return null;
  const songs = list(at(raw, 'relationships', 'tracks', 'data'));
  const discs = songs.flatMap((one) => integer(at(one, 'attributes', 'discNumber')) ?? []);
  const kind = typeOf(name, boolean(at(facts, 'isCompilation')) === true);
  return {
    id,
    name,
    url: url(at(facts, 'url'), base) ?? base,
    type: boolean(at(facts, 'isSingle')) === true && kind === 'album' ? 'single' : kind,
    artists: artistsOf(raw, base),
    artist_name: line(at(facts, 'artistName')),
    release_date: dayOf(at(facts, 'releaseDate')),
    genres: list(at(facts, 'genreNames')).flatMap((one) => line(one) ?? []),
    label: line(at(facts, 'recordLabel')),
    upc: text(at(facts, 'upc')),
    copyright: line(at(facts, 'copyright')),
    explicit: explicitOf(facts),
    track_count: integer(at(facts, 'trackCount')),
    disc_count: discsOf(discs),
    price: saleOf(facts),
    currency: null,
    artwork: artworkFrom(at(facts, 'artwork')),
    tracks: songs.flatMap((one) => toTrack(one, base) ?? []),
  };
}

function artistsOf(raw: unknown, base: string): AlbumRecord['artists'] {
  const found = list(at(raw, 'relationships', 'artists', 'data')).flatMap((one) => {
    const name = line(at(one, 'attributes', 'name'));
    return name === null ? [] : [{ id: text(at(one, 'id')), name, url: url(at(one, 'attributes', 'url'), base) }];
  });
  return found.length === 0 ? null : found;
}

function toTrack(raw: unknown, base: string): Track | null {
  const facts = at(raw, 'attributes');
  const name = line(at(facts, 'name'));
  if (name === null) return null;
  return {
    id: text(at(raw, 'id')),
    name,
    url: url(at(facts, 'url'), base),
    track_number: integer(at(facts, 'trackNumber')),
    disc_number: integer(at(facts, 'discNumber')),
    duration_ms: integer(at(facts, 'durationInMillis')),
    explicit: explicitOf(facts),
    isrc: line(at(facts, 'isrc')),
    composer: line(at(facts, 'composerName')),
    preview_url: mediaUrl(at(facts, 'previews', 0, 'url'), base),
    artist_name: line(at(facts, 'artistName')),
    price: saleOf(facts),
    streamable: at(facts, 'playParams') === undefined ? null : true,
  };
}

/** Content for every age carries no rating. */
function explicitOf(facts: unknown): boolean {
  return at(facts, 'contentRating') === 'explicit';
}

/** The price of buying; that of a subscription is 0. */
function saleOf(facts: unknown): number | null {
  const offer = list(at(facts, 'offers')).find((one) => at(one, 'type') === 'buy');
  const price = decimal(at(offer, 'price'));
  return price === null || price < 0 ? null : price;
}
