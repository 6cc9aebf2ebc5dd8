import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { freeBuffer } from '#kernel/memory.ts';
import type { Objects } from '#store/objects.ts';

/** The most bytes of the lines of a segment, unless one line alone is longer: a reader holds one segment. */
const MAX_SEGMENT_BYTES = 1024 * 1024;
/** A larger packed segment is stored as an object: rows stay small, and large segments need no transaction. */
export const OBJECT_BYTES = 64 * 1024;

/** Shorter texts are not packed: packing them costs more than it saves. */
const MIN_PACKED_BYTES = 1024;

/** A fifth cheaper than the default level of zstd, and 4 % larger. */
const COMPRESSION_LEVEL = { [constants.ZSTD_c_compressionLevel]: 2 };
/** Usual ratio of packed to raw bytes: an output buffer of this size makes a second round of the packing thread rare. */
const PACKED_SHARE = 1 / 4;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** JSON Lines, packed with zstd unless it is small: in the row, or in an object that the row names. */
export const Segment = z.object({
  items: z.number(),
  /** Of the text, and of the text packed. */
  bytes: z.number(),
  packed_bytes: z.number(),
  packed: z.instanceof(Uint8Array).nullable(),
  object: z.string().nullable(),
});

export type Segment = z.output<typeof Segment>;

/** Whole records of an archive. */
export type ArchivePiece = {
  readonly items: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mostInRow: number;
};

/** The store and folder of the large pieces of a job; the store is null where rows hold them. */
type SegmentPlace = { readonly objects: Objects | null; readonly folder: string };

/** The folder of the objects of a job, below the prefix of this service. */
export function buildFolder(space: string, jobId: string): string {
  // The time in the id, in steps of nine hours: no folder gets too many subfolders, and an old one stays empty.
  return `${space}/${jobId.slice(4, 9)}/${jobId}`;
}

/** The job whose folder holds a key, null for a foreign key. */
export function parseJobId(key: string): string | null {
  return /^[\w-]+\/\w{5}\/(job_\w{26})\/[\w-]+\.(?:zst|warc\.gz)$/.exec(key)?.[1] ?? null;
}

/** A line of JSON Lines in pieces, UTF-8. */
export type LinePieces = readonly Uint8Array[];

/** Groups items into portions, each small enough to be held as a whole; `lengthOf` gives the bytes of one. */
export function* toPortions<T>(things: readonly T[], lengthOf: (thing: T) => number): Generator<readonly T[]> {
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

/** The bytes of a line. */
export function countLineBytes(line: LinePieces): number {
  return line.reduce((sum, piece) => sum + piece.byteLength, 0);
}

/** Packs one portion of lines; a large one is written as an object to `folder` before this resolves. */
export async function packPortion(lines: readonly LinePieces[], place: SegmentPlace): Promise<Segment> {
  const raw = Buffer.concat(lines.flat());
  const bytes = raw.length;
  const isSmall = bytes < MIN_PACKED_BYTES;
  const room = { params: COMPRESSION_LEVEL, chunkSize: Math.ceil(bytes * PACKED_SHARE) };
  const packed = isSmall ? raw : await compress(raw, room);
  if (!isSmall) freeBuffer(raw);
  const facts = { items: lines.length, bytes, packed_bytes: packed.length };
  return { ...facts, ...(await storeBytes(packed, place, { mostInRow: OBJECT_BYTES, suffix: 'zst' })) };
}

/** Stores a piece of an archive; one of more than `mostInRow` bytes is written as an object to `folder` before this resolves. */
export async function storePiece({ items, bytes, mostInRow }: ArchivePiece, place: SegmentPlace): Promise<Segment> {
  const facts = { items, bytes: bytes.length, packed_bytes: bytes.length };
  return { ...facts, ...(await storeBytes(bytes, place, { mostInRow, suffix: 'warc.gz' })) };
}

/** Bytes for a row; more than `mostInRow` are written as an object that the row names. */
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

/** The bytes of a piece of an archive; null when its object is gone. */
export async function readPiece(segment: Segment, objects: Objects | null): Promise<Uint8Array | null> {
  if (segment.object === null) return segment.packed;
  return (await objects?.read(segment.object, segment.packed_bytes)) ?? null;
}

/** The text of a segment; null when its object is gone or damaged. */
export async function readText(segment: Segment, objects: Objects | null): Promise<string | null> {
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
