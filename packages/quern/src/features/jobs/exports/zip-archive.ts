import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

/** A file of an archive: its path with slashes, and its whole content. */
export type ZipFile = { readonly path: string; readonly content: Uint8Array; readonly at: Date };

const compress = promisify(deflateRaw);

/** Small files are sent together. */
const PIECE_BYTES = 64 * 1024;

/** The largest values of fields with 16 and 32 bits; a field that has it refers to a larger one of ZIP64. */
const MAX_16 = 0xffff;
const MAX_32 = 0xffff_ffff;

const VERSION = 20;
const ZIP64_VERSION = 45;
/** The names are UTF-8. */
const FLAGS = 0x0800;
const DEFLATE = 8;
/** Made on Unix, so that the attributes are those of its files. */
const MADE_BY = (3 << 8) | ZIP64_VERSION;
/** A regular file that its owner may write and everyone may read. */
const ATTRIBUTES = 0o100644 * 0x1_0000;

/** What the directory says of a file; numbers, since a hundred thousand small buffers would take a gigabyte. */
type Entry = {
  readonly path: string;
  readonly time: number;
  readonly date: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
};

/**
 * Writes a ZIP archive (PKWARE APPNOTE 6.3.10) of files below 4 GiB. Any number of files and any size of the whole is
 * possible: an archive that needs them has the records of ZIP64. One file and the directory are in memory at a time.
 */
export async function* writeZipArchive(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array, void> {
  const entries: Entry[] = [];
  let offset = 0;
  let size = 0;
  let pieces: Uint8Array[] = [];
  let pending = 0;

  function* send(most: number, ...more: readonly Uint8Array[]): Generator<Uint8Array, void> {
    pieces.push(...more);
    for (const { length } of more) pending += length;
    if (pending <= most) return;
    yield Buffer.concat(pieces);
    [pieces, pending] = [[], 0];
  }

  for await (const { path, content, at } of files) {
    const data = await compress(content);
    const facts = {
      path,
      ...toDosTime(at),
      crc: crc32(content),
      packedBytes: data.length,
      bytes: content.length,
      offset,
    };
    const header = buildHeader(facts);
    entries.push(facts);
    offset += header.length + data.length;
    yield* send(PIECE_BYTES, header, data);
  }
  for (const one of entries) {
    const entry = buildEntry(one);
    size += entry.length;
    yield* send(PIECE_BYTES, entry);
  }
  yield* send(0, buildEnd({ count: entries.length, size, offset }));
}

/** The time and date of MS-DOS: two seconds are its smallest step, and 1980 is its first year. */
function toDosTime(at: Date): Pick<Entry, 'time' | 'date'> {
  const year = Math.min(Math.max(at.getUTCFullYear() - 1980, 0), 127);
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

function buildHeader(entry: Entry): Buffer {
  const name = Buffer.from(entry.path);
  return Buffer.concat([fields([4, 0x0403_4b50], [2, VERSION], ...listFacts(entry, name), [2, 0]), name]);
}

function buildEntry(entry: Entry): Buffer {
  const name = Buffer.from(entry.path);
  const { offset } = entry;
  const isFar = offset >= MAX_32;
  const extra = isFar ? fields([2, 1], [2, 8], [8, offset]) : Buffer.alloc(0);
  const head = fields(
    [4, 0x0201_4b50],
    [2, MADE_BY],
    [2, isFar ? ZIP64_VERSION : VERSION],
    ...listFacts(entry, name),
    [2, extra.length],
    // No comment, the first disk, no internal attributes.
    [2, 0],
    [2, 0],
    [2, 0],
    [4, ATTRIBUTES],
    [4, Math.min(offset, MAX_32)],
  );
  return Buffer.concat([head, name, extra]);
}

/** Lists the fields that the header of a file and its entry in the directory share. */
function listFacts({ time, date, crc, packedBytes, bytes }: Entry, name: Uint8Array): readonly Field[] {
  return [
    [2, FLAGS],
    [2, DEFLATE],
    [2, time],
    [2, date],
    [4, crc],
    [4, packedBytes],
    [4, bytes],
    [2, name.length],
  ];
}

type Directory = { readonly count: number; readonly size: number; readonly offset: number };

function buildEnd({ count, size, offset }: Directory): Buffer {
  const isLarge = count >= MAX_16 || size >= MAX_32 || offset >= MAX_32;
  const large: readonly Field[] = [
    [4, 0x0606_4b50],
    [8, 44],
    [2, MADE_BY],
    [2, ZIP64_VERSION],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, offset],
    // Where this record is, for readers that begin at the end.
    [4, 0x0706_4b50],
    [4, 0],
    [8, offset + size],
    [4, 1],
  ];
  const entries = Math.min(count, MAX_16);
  return fields(
    ...(isLarge ? large : []),
    [4, 0x0605_4b50],
    [2, 0],
    [2, 0],
    [2, entries],
    [2, entries],
    [4, Math.min(size, MAX_32)],
    [4, Math.min(offset, MAX_32)],
    [2, 0],
  );
}

type Field = readonly [bytes: 2 | 4 | 8, value: number];

/** Writes numbers as little-endian fields of the given bytes. */
function fields(...given: readonly Field[]): Buffer {
  const out = Buffer.alloc(given.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of given) {
    if (bytes === 8) out.writeBigUInt64LE(BigInt(value), at);
    else out.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return out;
}
