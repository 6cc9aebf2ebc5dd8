import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { freeBuffer } from '#kernel/memory.ts';
import type { Objects } from '#store/objects.ts';

/** The lines of a segment are at most so long together, unless one alone is longer: what a reader holds at once. */
const SEGMENT_BYTES = 1024 * 1024;
/** A packed segment above this is an object of its own: rows stay small, and large ones need no transaction. */
export const OBJECT_BYTES = 64 * 1024;

/** A text below this stays as it is: a packer costs more than it saves. */
const SMALL_BYTES = 1024;

/** A fifth cheaper than zstd's own level, and one part in 25 larger. */
const LEVEL = { [constants.ZSTD_c_compressionLevel]: 2 };
/** What pages mostly come to: with so much room there is no second piece, and no second trip to the thread that packs. */
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

/** Where the large pieces of a job go, null for the rows. */
type Place = { readonly objects: Objects | null; readonly folder: string };

/** Where the objects of a job are: below the space of this service, in a folder of the job's own. */
export function folderOf(space: string, jobId: string): string {
  // The time in the id, in steps of nine hours: no folder gets too many others, and an old one empties for good.
  return `${space}/${jobId.slice(4, 9)}/${jobId}`;
}

/** The job whose folder a key is in, null for a key that is none of ours. */
export function jobOf(key: string): string | null {
  return /^[\w-]+\/\w{5}\/(job_\w{26})\/[\w-]+\.(?:zst|warc\.gz)$/.exec(key)?.[1] ?? null;
}

/** A line of JSON Lines in pieces, UTF-8. */
export type Line = readonly Uint8Array[];

/** Things in portions, each small enough to be held as a whole; `lengthOf` is of one in bytes. */
export function* toPortions<T>(things: readonly T[], lengthOf: (thing: T) => number): Generator<readonly T[]> {
  let portion: T[] = [];
  let bytes = 0;
  for (const thing of things) {
    const length = lengthOf(thing);
    if (portion.length > 0 && bytes + length > SEGMENT_BYTES) {
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
export function lengthOfLine(line: Line): number {
  return line.reduce((sum, piece) => sum + piece.byteLength, 0);
}

/** Packs one portion of lines; what is large is an object in `folder` before this resolves. */
export async function packPortion(lines: readonly Line[], place: Place): Promise<Segment> {
  const raw = Buffer.concat(lines.flat());
  const bytes = raw.length;
  const isSmall = bytes < SMALL_BYTES;
  const room = { params: LEVEL, chunkSize: Math.ceil(bytes * PACKED_SHARE) };
  const packed = isSmall ? raw : await compress(raw, room);
  if (!isSmall) freeBuffer(raw);
  const facts = { items: lines.length, bytes, packed_bytes: packed.length };
  return { ...facts, ...(await put(packed, place, { mostInRow: OBJECT_BYTES, suffix: 'zst' })) };
}

/** A piece of an archive as it is; one of more than `mostInRow` bytes is an object in `folder` before this resolves. */
export async function keepPiece({ items, bytes, mostInRow }: ArchivePiece, place: Place): Promise<Segment> {
  const facts = { items, bytes: bytes.length, packed_bytes: bytes.length };
  return { ...facts, ...(await put(bytes, place, { mostInRow, suffix: 'warc.gz' })) };
}

/** Bytes for a row, or where they are more than `mostInRow` as an object that the row names. */
async function put(
  packed: NonNullable<Segment['packed']>,
  { objects, folder }: Place,
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
    const raw = bytes < SMALL_BYTES ? Buffer.from(packed) : await decompress(packed, { maxOutputLength: bytes });
    return raw.length === bytes ? raw.toString('utf8') : null;
  } catch {
    return null;
  }
}
