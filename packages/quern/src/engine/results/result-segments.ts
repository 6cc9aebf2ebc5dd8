import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { freeBuffer } from '#kernel/memory-budget.ts';
import type { ObjectStore } from '#store/objects.ts';

/** The most bytes of a segment, unless a single line is longer. Readers hold one segment in memory. */
const MAX_SEGMENT_BYTES = 1024 * 1024;
/** Larger compressed segments are stored as objects, to keep rows and transactions small. */
export const MAX_ROW_BYTES = 64 * 1024;

/** Shorter texts are not compressed, because it costs more than it saves. */
const MIN_PACKED_BYTES = 1024;

/** 20 % faster than the default level of zstd, with 4 % larger output. */
const COMPRESSION_LEVEL = { [constants.ZSTD_c_compressionLevel]: 2 };
/** Usual ratio of compressed to raw bytes. With an output buffer of this size one pass usually suffices. */
const PACKED_SHARE = 1 / 4;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** JSON Lines, compressed with zstd unless they are short, in the row or in an object. */
export const Segment = z.object({
  items: z.number(),
  /** Bytes of the text. */
  bytes: z.number(),
  packed_bytes: z.number(),
  packed: z.instanceof(Uint8Array).nullable(),
  object: z.string().nullable(),
});

export type Segment = z.output<typeof Segment>;

/** Complete records of an archive. */
export type ArchivePiece = {
  readonly items: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly maxRowBytes: number;
};

/** The object store and folder of a job; `objects` is null if everything is stored in rows. */
type SegmentPlace = { readonly objects: ObjectStore | null; readonly folder: string };

/** Builds the folder of the objects of a job, below the prefix of this service. */
export function buildFolder(space: string, jobId: string): string {
  // The time part of the id in steps of nine hours, so that no folder gets too many subfolders.
  return `${space}/${jobId.slice(4, 9)}/${jobId}`;
}

/** Parses the job id from an object key; null for a key of something else. */
export function parseJobId(key: string): string | null {
  return /^[\w-]+\/\w{5}\/(job_\w{26})\/[\w-]+\.(?:zst|warc\.gz)$/.exec(key)?.[1] ?? null;
}

/** A line of JSON Lines as UTF-8 pieces. */
export type LinePieces = readonly Uint8Array[];

/** Groups items into portions of at most `MAX_SEGMENT_BYTES`. `lengthOf` returns the bytes of an item. */
export function* groupIntoPortions<T>(things: readonly T[], lengthOf: (thing: T) => number): Generator<readonly T[]> {
  let portion: T[] = [];
  let bytes = 0;
  for (const thing of things) {
    const length = lengthOf(thing);
    if (portion.length > 0 && bytes + length > MAX_SEGMENT_BYTES) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(thing);
    bytes += length;
  }
  if (portion.length > 0) yield portion;
}

/** Counts the bytes of a line. */
export function countLineBytes(line: LinePieces): number {
  return line.reduce((sum, piece) => sum + piece.byteLength, 0);
}

/** Compresses one portion of lines. A large one is written as an object before this resolves. */
export async function packPortion(lines: readonly LinePieces[], place: SegmentPlace): Promise<Segment> {
  const raw = Buffer.concat(lines.flat());
  const bytes = raw.length;
  const isSmall = bytes < MIN_PACKED_BYTES;
  const room = { params: COMPRESSION_LEVEL, chunkSize: Math.ceil(bytes * PACKED_SHARE) };
  const packed = isSmall ? raw : await compress(raw, room);
  if (!isSmall) freeBuffer(raw);
  const facts = { items: lines.length, bytes, packed_bytes: packed.length };
  return { ...facts, ...(await storeBytes(packed, place, { mostInRow: MAX_ROW_BYTES, suffix: 'zst' })) };
}

/**
 * Stores a piece of an archive. If it has more than `maxRowBytes` bytes, it is written as an object before this resolves.
 */
export async function storePiece({ items, bytes, maxRowBytes }: ArchivePiece, place: SegmentPlace): Promise<Segment> {
  const facts = { items, bytes: bytes.length, packed_bytes: bytes.length };
  return { ...facts, ...(await storeBytes(bytes, place, { mostInRow: maxRowBytes, suffix: 'warc.gz' })) };
}

/** Returns bytes for a row, or writes them as an object if they are more than `maxRowBytes`. */
async function storeBytes(
  packed: NonNullable<Segment['packed']>,
  { objects, folder }: SegmentPlace,
  { mostInRow, suffix }: { readonly mostInRow: number; readonly suffix: 'zst' | 'warc.gz' },
): Promise<Pick<Segment, 'packed' | 'object'>> {
  if (objects === null || packed.length <= mostInRow) return { packed, object: null };
  const object = `${folder}/${randomUUID()}.${suffix}`;
  await objects.put(object, packed);
  return { packed: null, object };
}

/** Reads a piece of an archive; null if its object is missing. */
export async function readPiece(segment: Segment, objects: ObjectStore | null): Promise<Uint8Array | null> {
  if (segment.object === null) return segment.packed;
  return (await objects?.read(segment.object, segment.packed_bytes)) ?? null;
}

/** Reads the text of a segment; null if its object is missing or damaged. */
export async function readText(segment: Segment, objects: ObjectStore | null): Promise<string | null> {
  const { bytes } = segment;
  const packed = await readPiece(segment, objects);
  if (packed === null) return null;
  try {
    const raw = bytes < MIN_PACKED_BYTES ? Buffer.from(packed) : await decompress(packed, { maxOutputLength: bytes });
    return raw.length === bytes ? raw.toString('utf8') : null;
  } catch {
    return null;
  }
}
