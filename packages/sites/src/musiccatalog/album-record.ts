import { z } from 'zod';
import { at, integer, line, mediaUrl } from '#extract/values/raw.ts';

const Text = z.string().nullable();
const Whole = z.int().min(0).nullable();
const Flag = z.boolean().nullable();

export const Track = z.object({
  id: Text,
  name: z.string(),
  url: Text,
  track_number: Whole,
  disc_number: Whole,
  duration_ms: Whole,
  explicit: Flag,
  isrc: Text,
  composer: Text,
  preview_url: Text,
  artist_name: Text,
  price: z.number().nullable(),
  streamable: Flag,
});

export type Track = z.output<typeof Track>;

export const AlbumRecord = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  type: z.enum(['album', 'single', 'ep', 'compilation']),
  artists: z
    .array(z.object({ id: Text, name: z.string(), url: Text }))
    .readonly()
    .nullable(),
  artist_name: Text,
  release_date: Text.describe('The day'),
  genres: z.array(z.string()).readonly().nullable(),
  label: Text,
  upc: Text,
  copyright: Text,
  explicit: Flag,
  track_count: Whole.describe('As the site says; it may hold more than tracks lists'),
  disc_count: Whole,
  price: z.number().nullable(),
  currency: Text.describe('ISO 4217, of the prices of album and tracks'),
  artwork: z.object({ url: z.string(), width: Whole, height: Whole }).nullable(),
  tracks: z.array(Track).readonly(),
});

export type AlbumRecord = z.output<typeof AlbumRecord>;

/** An album as lists show it. */
export const AlbumSummary = AlbumRecord.omit({ label: true, upc: true, disc_count: true, tracks: true });

export type AlbumSummary = z.output<typeof AlbumSummary>;

/** A song by itself, with the album that it is on. */
export const CatalogSong = Track.extend({
  id: z.string(),
  album: z.object({ id: Text, name: z.string(), url: Text }).nullable(),
  genres: z.array(z.string()).readonly().nullable(),
  release_date: Text.describe('The day'),
  currency: Text.describe('ISO 4217'),
  artwork: AlbumRecord.shape.artwork,
});

export type CatalogSong = z.output<typeof CatalogSong>;

const WIDEST = 1200;
const SIZED = /\/\d{2,5}x\d{2,5}[a-z]{2}(?:-\d{1,3})?(?=\.\w{3,4}$)/;

/** The kind of an album; singles and EPs carry it in their name. */
export function typeOf(name: string, isCompilation: boolean): AlbumRecord['type'] {
  if (name.endsWith(' - Single')) return 'single';
  if (name.endsWith(' - EP')) return 'ep';
  return isCompilation ? 'compilation' : 'album';
}

/** A picture whose address says its size, such as `…/100x100bb.jpg`, as large as it is usually asked for. */
export function artworkOf(raw: unknown, base: string): AlbumRecord['artwork'] {
  const found = mediaUrl(raw, base);
  if (found === null) return null;
  if (!SIZED.test(found)) return { url: found, width: null, height: null };
  return { url: found.replace(SIZED, `/${WIDEST}x${WIDEST}bb`), width: WIDEST, height: WIDEST };
}

/** A picture with its template `…/{w}x{h}{c}.{f}`, in its own size. */
export function artworkFrom(artwork: unknown): AlbumRecord['artwork'] {
  const pattern = line(at(artwork, 'url'));
  const [width, height] = [integer(at(artwork, 'width')), integer(at(artwork, 'height'))];
  if (pattern === null || width === null || height === null) return artworkOf(pattern, 'https://artwork.invalid/');
  const filled = pattern
    .replace('{w}', String(width))
    .replace('{h}', String(height))
    .replace('{c}', 'bb')
    .replace('{f}', 'jpg');
  const url = mediaUrl(filled, 'https://artwork.invalid/');
  return url === null ? null : { url, width, height };
}

/** How many discs there are by what the tracks say; null when none does. */
export function discsOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : Math.max(...numbers);
}

/** The day of a release, of a day or an instant. */
export function dayOf(raw: unknown): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(line(raw) ?? '')?.[0] ?? null;
}
