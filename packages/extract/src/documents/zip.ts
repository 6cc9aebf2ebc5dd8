import { inflateRaw } from '#extract/platform/node.ts';
import { ReadError } from '#extract/warnings.ts';

/** An opened archive and the names of its parts. */
export type Archive = {
  readonly names: readonly string[];
  /** The text of a part without its byte order mark: `''` if it is damaged, null if there is no such part. */
  readonly read: (name: string) => string | null;
};

const MAX_PARTS = 10_000;
/** The most bytes of all parts that are read: an archive of 1 MB can decompress to 1 GB. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const END_BYTES = 22;
const MAX_COMMENT_LENGTH = 65_535;
const HEAD_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

type ZipEntry = { readonly method: number; readonly packed: number; readonly at: number };

/**
 * Opens a zip archive (APPNOTE.TXT 6.3.10, without zip64 and encryption); null if the bytes are not one or are cut off.
 * Parts are decompressed when read, at most 64 MiB in all, whatever sizes the archive declares; above that, reading
 * throws `content_too_large`.
 */
export function openZip(body: Uint8Array): Archive | null {
  const bytes = new ZipBytes(body);
  const parts = listParts(bytes);
  if (parts === null) return null;
  let left = MAX_UNPACKED_BYTES;
  return {
    names: [...parts.keys()],
    read(name) {
      const part = parts.get(name);
      if (part === undefined) return null;
      const unpacked = unpack(bytes, part, left);
      left -= unpacked.byteLength;
      return new TextDecoder(isUtf16(unpacked) ? 'utf-16le' : 'utf-8').decode(unpacked);
    },
  };
}

function listParts(bytes: ZipBytes): ReadonlyMap<string, ZipEntry> | null {
  const end = findEnd(bytes);
  if (end < 0) return null;
  const count = Math.min(bytes.readUint16(end + 10), MAX_PARTS);
  const parts = new Map<string, ZipEntry>();
  let at = bytes.readUint32(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + HEAD_BYTES > bytes.length || bytes.readUint32(at) !== 0x02014b50) break;
    const nameEnd = at + HEAD_BYTES + bytes.readUint16(at + 28);
    const name = new TextDecoder().decode(bytes.slice(at + HEAD_BYTES, nameEnd)).replaceAll('\\', '/');
    const isEncrypted = (bytes.readUint16(at + 8) & 1) === 1;
    if (!isEncrypted && !parts.has(name)) {
      parts.set(name, {
        method: bytes.readUint16(at + 10),
        packed: bytes.readUint32(at + 20),
        at: bytes.readUint32(at + 42),
      });
    }
    at = nameEnd + bytes.readUint16(at + 30) + bytes.readUint16(at + 32);
  }
  return parts;
}

/** The position of the end-of-central-directory record, which only a comment may follow; -1 if there is none. */
function findEnd(bytes: ZipBytes): number {
  const first = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_LENGTH);
  for (let at = bytes.length - END_BYTES; at >= first; at--) {
    if (bytes.readUint32(at) === 0x06054b50) return at;
  }
  return -1;
}

function unpack(bytes: ZipBytes, { method, packed, at }: ZipEntry, most: number): Uint8Array {
  const nothing = new Uint8Array(0);
  if (at + LOCAL_BYTES > bytes.length || bytes.readUint32(at) !== 0x04034b50) return nothing;
  const start = at + LOCAL_BYTES + bytes.readUint16(at + 26) + bytes.readUint16(at + 28);
  const part = bytes.slice(start, start + packed);
  if (method === STORED && part.length <= most) return part;
  if (method === STORED) throw toTooLargeError();
  if (method !== DEFLATED || most <= 0) return nothing;
  try {
    return inflateRaw(part, most);
  } catch (error) {
    if (error instanceof RangeError) throw toTooLargeError(error);
    return nothing;
  }
}

function toTooLargeError(cause?: unknown): ReadError {
  return new ReadError('content_too_large', `the document unpacks to more than ${MAX_UNPACKED_BYTES / 2 ** 20} MiB`, {
    cause,
  });
}

function isUtf16(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe;
}

/** The bytes of an archive with its little-endian numbers. Reading beyond the end throws `RangeError`. */
class ZipBytes {
  readonly length: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.length = bytes.length;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  readUint16(at: number): number {
    return this.#view.getUint16(at, true);
  }

  readUint32(at: number): number {
    return this.#view.getUint32(at, true);
  }

  slice(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(from, to);
  }
}
