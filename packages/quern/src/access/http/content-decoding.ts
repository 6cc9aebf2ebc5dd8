import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Transform } from 'node:stream';
import { buildFailure } from '#access/failure.ts';
import type { VisitLimits } from '#access/limits.ts';

type Bytes = Uint8Array<ArrayBuffer>;

type BufferSizes = { readonly maxOutputLength: number; readonly chunkSize: number };

/** A content coding: synchronous for small bodies, in the thread pool for others, and as stream for damaged ones. */
type Coding = {
  readonly decodeSync: (input: Bytes, options: BufferSizes) => Buffer;
  readonly decodeAsync: (input: Bytes, options: BufferSizes) => Promise<Buffer>;
  readonly createStream: () => Transform;
  /** Whether the first bytes match this coding. */
  readonly matches: (input: Bytes) => boolean;
};

/** Below this size, a round trip to the thread pool costs more than decoding. */
const MAX_SYNC_BYTES = 32_768;
const MAX_CODINGS = 4;
/** Buffer sizes: the minimum of zlib, its default, and the maximum growth of a body that states its size. */
const MIN_BUFFER_BYTES = 64;
const DEFAULT_BUFFER_BYTES = 16_384;
const MAX_GROWTH_FACTOR = 32;
/** The trailer of gzip (RFC 1952); zlib's is shorter. */
const CHECKSUM_BYTES = 8;
const GZIP_HEADER_BYTES = 10;
/** The flag of a header with the name of a file. */
const GZIP_NAMED = 8;
/** RFC 8878 section 3.1.1.1.2: decoders may reject windows beyond 8 MiB; malicious bodies may request 128 MiB. */
const ZSTD_OPTIONS = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

const gunzip = promisify<Bytes, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<Bytes, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Bytes, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotli = promisify<Bytes, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);
const zstd = promisify<Bytes, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress);

const GZIP: Coding = {
  decodeSync: zlib.gunzipSync,
  decodeAsync: gunzip,
  createStream: () => zlib.createGunzip(),
  matches: (input) => input[0] === 0x1f && input[1] === 0x8b,
};
const ZLIB: Coding = {
  decodeSync: zlib.inflateSync,
  decodeAsync: inflate,
  createStream: () => zlib.createInflate(),
  matches: (input) => ((input[0] ?? 0) & 0x0f) === 8 && (((input[0] ?? 0) << 8) | (input[1] ?? 0)) % 31 === 0,
};
const RAW_DEFLATE: Coding = {
  decodeSync: zlib.inflateRawSync,
  decodeAsync: inflateRaw,
  createStream: () => zlib.createInflateRaw(),
  matches: () => true,
};
const BROTLI: Coding = {
  decodeSync: zlib.brotliDecompressSync,
  decodeAsync: brotli,
  createStream: () => zlib.createBrotliDecompress(),
  matches: () => true,
};
const ZSTANDARD: Coding = {
  decodeSync: (input, options) => zlib.zstdDecompressSync(input, { ...ZSTD_OPTIONS, ...options }),
  decodeAsync: (input, options) => zstd(input, { ...ZSTD_OPTIONS, ...options }),
  createStream: () => zlib.createZstdDecompress(ZSTD_OPTIONS),
  matches: (input) => input[0] === 0x28 && input[1] === 0xb5 && input[2] === 0x2f && input[3] === 0xfd,
};

export type DecodedBody = { readonly body: Bytes; readonly truncated: boolean };

/**
 * Decodes the content codings of a header value, the last applied one first. Of a truncated or damaged body, it returns the
 * readable part. A wrong coding label is ignored if the bytes are text. Throws `content_too_large` for decompression bombs.
 */
export async function decodeContent(wire: Bytes, contentEncoding: string, limits: VisitLimits): Promise<DecodedBody> {
  const labels = contentEncoding
    .toLowerCase()
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '' && label !== 'identity');
  if (labels.length > MAX_CODINGS) throw buildDamagedError();
  const most = computeMaxDecodedBytes(wire, limits);
  let body = wire;
  let truncated = false;
  for (const label of labels.toReversed()) {
    if (body.byteLength === 0) break;
    const step = await decodeOne(body, label, most);
    body = step.body;
    truncated ||= step.truncated;
  }
  return { body, truncated };
}

/** Maximum decoded size of a body, bytes. */
export function computeMaxDecodedBytes(wire: Bytes, { decodedBytes, ratioFromBytes, ratio }: VisitLimits): number {
  return Math.min(decodedBytes, Math.max(ratioFromBytes, ratio * wire.byteLength));
}

async function decodeOne(input: Bytes, label: string, maxOutputLength: number): Promise<DecodedBody> {
  const coding = findCoding(label, input);
  if (coding === null || !coding.matches(input)) return acceptPlainText(input);
  try {
    const sizes = { maxOutputLength, chunkSize: computeBufferSize(input, coding) };
    const output =
      input.byteLength < MAX_SYNC_BYTES ? coding.decodeSync(input, sizes) : await coding.decodeAsync(input, sizes);
    return { body: toOwnBytes(output), truncated: false };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw buildBombError(error);
    const whole = coding === GZIP ? await decodeBeforeGarbage(input, maxOutputLength) : null;
    if (whole !== null) return { body: whole, truncated: false };
    const partial = await decodePartial(input, coding, maxOutputLength);
    return partial.byteLength === 0 ? acceptPlainText(input) : { body: partial, truncated: true };
  }
}

/** `deflate` means the zlib format, but some servers send the bare stream (RFC 9110 section 8.4.1.2). */
function findCoding(label: string, input: Bytes): Coding | null {
  if (label === 'gzip' || label === 'x-gzip') return GZIP;
  if (label === 'deflate') return ZLIB.matches(input) ? ZLIB : RAW_DEFLATE;
  if (label === 'br') return BROTLI;
  return label === 'zstd' ? ZSTANDARD : null;
}

/** The size of the first buffer; if it is large enough, the output needs no second buffer and no copy. */
function computeBufferSize(input: Bytes, coding: Coding): number {
  const most = MAX_GROWTH_FACTOR * input.byteLength + MIN_BUFFER_BYTES;
  if (coding !== GZIP || input.byteLength < CHECKSUM_BYTES) return Math.min(most, DEFAULT_BUFFER_BYTES);
  // The original size is at the end (RFC 1952 section 2.3.1); with one more byte the decoder notices the end.
  const stated = new DataView(input.buffer, input.byteOffset).getUint32(input.byteLength - 4, true);
  return Math.min(most, Math.max(MIN_BUFFER_BYTES, stated + 1));
}

/**
 * Decodes a gzip body that is followed by other bytes, which some scripts append and browsers ignore; null if the body itself is
 * damaged. Zlib takes the bytes for another member (RFC 1952 section 2.2) and fails.
 */
async function decodeBeforeGarbage(input: Bytes, maxOutputLength: number): Promise<Bytes | null> {
  const start = findGzipHeaderEnd(input);
  if (start === null) return null;
  const stream = zlib.createInflateRaw();
  const output = await collectOutput(stream, [input.subarray(start)], maxOutputLength);
  const end = start + stream.bytesWritten;
  const behind = input.subarray(end + CHECKSUM_BYTES);
  if (behind.byteLength === 0 || GZIP.matches(behind)) return null;
  const checksum = new DataView(input.buffer, input.byteOffset).getUint32(end, true);
  return checksum === zlib.crc32(output) ? output : null;
}

/** Where the compressed bytes start (RFC 1952 section 2.3); null for an incomplete header, or one with rare flags. */
function findGzipHeaderEnd(input: Bytes): number | null {
  const flags = input[3] ?? 0;
  if ((flags & ~GZIP_NAMED) !== 0) return null;
  const end = flags === 0 ? GZIP_HEADER_BYTES : input.indexOf(0, GZIP_HEADER_BYTES) + 1;
  return end === 0 || end >= input.byteLength ? null : end;
}

/** The output of a damaged stream before the damage. */
async function decodePartial(input: Bytes, coding: Coding, maxOutputLength: number): Promise<Bytes> {
  return collectOutput(coding.createStream(), splitInput(input), maxOutputLength);
}

async function collectOutput(stream: Transform, pieces: readonly Bytes[], maxOutputLength: number): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const ended = Promise.withResolvers<void>();
  stream.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > maxOutputLength) stream.destroy();
  });
  stream.on('error', () => ended.resolve());
  stream.once('close', () => ended.resolve());
  for (const piece of pieces) stream.write(piece);
  stream.end();
  await ended.promise;
  if (bytes > maxOutputLength) throw buildBombError();
  return concatBytes(chunks, bytes);
}

/**
 * Splits the input: decoders drop the output of the piece in which they fail, so pieces are small and the checksum is
 * separate.
 */
function splitInput(input: Bytes): readonly Bytes[] {
  const size = Math.max(1_024, Math.ceil(input.byteLength / 256));
  const end = Math.max(0, input.byteLength - CHECKSUM_BYTES);
  const starts = Array.from({ length: Math.ceil(end / size) }, (_, n) => n * size);
  return [...starts.map((at) => input.subarray(at, Math.min(at + size, end))), input.subarray(end)];
}

/** Returns the bytes unchanged if they are text, else throws. */
function acceptPlainText(input: Bytes): DecodedBody {
  const isText = input
    .subarray(0, 512)
    .every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b);
  if (!isText) throw buildDamagedError();
  return { body: input, truncated: false };
}

/** Joins chunks into an array that owns its buffer, so that it can be transferred to a thread. */
export function concatBytes(chunks: readonly Uint8Array[], bytes: number): Bytes {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** Copies small results, which are views of a shared buffer in Node; keeps views of nearly a whole buffer. */
function toOwnBytes(output: Buffer): Bytes {
  const { buffer, byteOffset, byteLength } = output;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength - byteLength <= MIN_BUFFER_BYTES;
  return isOwn ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(output);
}

function buildDamagedError(): Error {
  return buildFailure('unusable', 'the target sent a body that does not match its content encoding', {
    reason: 'encoding',
  });
}

function buildBombError(cause?: unknown): Error {
  return buildFailure('too_large', 'the page grows beyond the limit when decompressed', {
    reason: 'decoded_bytes',
    cause,
  });
}
