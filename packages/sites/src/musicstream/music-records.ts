import { z } from 'zod';
import { readRich } from '#extract/dom/elements.ts';
import { at, integer, line, list, mediaUrl, text } from '#extract/values/raw.ts';
import { STREAM_HOME } from './site.ts';

export const Text = z.string().nullable();
export const Whole = z.int().min(0).nullable();
export const Flag = z.boolean().nullable();

const Image = z.object({ url: z.string(), width: Whole, height: Whole });

export const Images = z.array(Image).readonly().nullable().describe('The widest first');

export type Images = z.output<typeof Images>;

export const ArtistRef = z.object({ id: Text, uri: Text, name: z.string(), url: Text });

export type ArtistRef = z.output<typeof ArtistRef>;

const Artists = z.array(ArtistRef).readonly().nullable();

const ALBUM_TYPES = ['album', 'single', 'compilation', 'ep'] as const;

export const AlbumType = z.enum(ALBUM_TYPES).nullable();

/** An album as lists and tracks show it. */
export const AlbumRef = z.object({
  id: Text,
  uri: Text,
  name: Text,
  url: Text,
  type: AlbumType,
  release_date: Text.describe('A day, a month or a year, as far as it is known'),
  image_url: Text,
  total_tracks: Whole,
});

export type AlbumRef = z.output<typeof AlbumRef>;

export const StreamTrack = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  artists: Artists,
  album: AlbumRef.nullable(),
  duration_ms: Whole,
  explicit: Flag,
  playable: Flag.describe('Where the request came from'),
  preview_url: Text,
  track_number: Whole,
  disc_number: Whole,
  play_count: Whole,
  release_date: Text,
  isrc: Text.describe('Only from the documented interface, with the operator’s application'),
  images: Images,
});

export type StreamTrack = z.output<typeof StreamTrack>;

/** What is not known of a track that only a list shows. */
export const NO_TRACK_FACTS = {
  artists: null,
  album: null,
  duration_ms: null,
  explicit: null,
  playable: null,
  preview_url: null,
  track_number: null,
  disc_number: null,
  play_count: null,
  release_date: null,
  isrc: null,
  images: null,
} as const;

export function albumTypeOf(raw: unknown): AlbumRef['type'] {
  const word = line(raw)?.toLowerCase();
  return ALBUM_TYPES.find((one) => one === word) ?? null;
}

/** A list of pictures with their sizes, the widest first; null where there is no list. */
export function streamImages(raw: unknown): Images {
  if (!Array.isArray(raw)) return null;
  const found = list(raw).flatMap((one) => {
    const url = mediaUrl(at(one, 'url'), STREAM_HOME);
    const width = integer(at(one, 'width')) ?? integer(at(one, 'maxWidth'));
    const height = integer(at(one, 'height')) ?? integer(at(one, 'maxHeight'));
    return url === null ? [] : [{ url, width: sizeOf(width), height: sizeOf(height) }];
  });
  return found.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0));
}

function sizeOf(value: number | null): number | null {
  return value === null || value <= 0 ? null : value;
}

/** A picture as a list of one. */
export function onlyImage(raw: unknown): Images {
  const url = mediaUrl(raw, STREAM_HOME);
  return url === null ? null : [{ url, width: null, height: null }];
}

export type Release = { readonly date: string | null; readonly precision: 'day' | 'month' | 'year' | null };

/** When something came out, as far as the source knows it: from parts, or an instant with its precision. */
export function releaseOf(raw: unknown): Release {
  const instant = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?/.exec(text(raw) ?? text(at(raw, 'isoString')) ?? '') ?? [];
  const [year, month, day] = [integer(at(raw, 'year')), integer(at(raw, 'month')), integer(at(raw, 'day'))];
  const parts = year === null ? instant.slice(1) : [year, month, day].map((one) => one?.toString().padStart(2, '0'));
  const [y, m, d] = parts;
  if (y === undefined || !/^\d{4}$/.test(y)) return { date: null, precision: null };
  const said = line(at(raw, 'precision'))?.toLowerCase();
  if (m === undefined || m === '00' || said === 'year') return { date: y, precision: 'year' };
  if (d === undefined || d === '00' || said === 'month') return { date: `${y}-${m}`, precision: 'month' };
  return { date: `${y}-${m}-${d}`, precision: 'day' };
}

/** A count that the site does not round; null when it is none. */
export function plainCount(raw: unknown): number | null {
  const value = integer(raw);
  return value === null || value < 0 ? null : value;
}

/** A text that may carry links and entities of HTML. */
export function plain(raw: unknown): string | null {
  const given = text(raw);
  if (given === null || !/[<&]/.test(given)) return given;
  return text(readRich(given, STREAM_HOME)?.text);
}
