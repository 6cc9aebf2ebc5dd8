import { once } from 'node:events';
import { pipeline, Readable } from 'node:stream';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { createSitemapReader, type SitemapEntry, type SitemapOptions } from './sitemap-reader.ts';

/** The limits of a sitemap file (sitemaps.org): entries, and bytes when decompressed. */
export const MAX_SITEMAP_ENTRIES = 50_000;
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;

/** An XML declaration ends within this many bytes. */
const MAX_DECLARATION_BYTES = 256;
/** The number of bytes decoded at once. */
const PIECE_BYTES = 65_536;
/** The compressed bytes that contain the root element of a compressed sitemap. */
const MAX_GZIP_START_BYTES = 16_384;
/** What may come before the root element of an XML document. */
const PROLOG = /\s+|<\?[^>]*>|<!--[^]*?-->|<!doctype[^>]*>/iy;
const SITEMAP_ROOT = /<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s/>]/iy;

/** The result of reading one file. */
export type SitemapSummary = {
  readonly entries: number;
  /** The number of rejected URLs: malformed, another scheme, or not admitted. */
  readonly refused: number;
  /** Whether a limit was exceeded or a compressed file is incomplete; the entries before that were returned. */
  readonly truncated: boolean;
};

/** How to read and decode a sitemap file. */
export type SitemapSource = SitemapOptions & {
  /** The charset of the `Content-Type` header; omitted if it has none. */
  readonly charset?: string | null;
  /** Aborts the reading. */
  readonly signal: AbortSignal;
};

/**
 * Reads a sitemap from a stream of bytes and yields its entries in batches; returns a summary. Gzip is detected by
 * content, whatever the file's name. Memory stays bounded by one batch. Throws the reason of the signal when aborted.
 */
export async function* readSitemap(
  chunks: Chunks,
  source: SitemapSource,
): AsyncGenerator<readonly SitemapEntry[], SitemapSummary> {
  const reader = createSitemapReader(source);
  let entries = 0;
  const unpacked = readTextPieces(chunks, source);
  try {
    for (;;) {
      const step = await unpacked.next();
      const found = step.done === true ? reader.end() : reader.push(step.value);
      const portion = found.slice(0, MAX_SITEMAP_ENTRIES - entries);
      const full = portion.length < found.length;
      entries += portion.length;
      if (portion.length > 0) yield portion;
      if (step.done === true) return { entries, refused: reader.refused(), truncated: full || step.value.truncated };
      if (full) return { entries, refused: reader.refused(), truncated: true };
    }
  } finally {
    await unpacked.return({ truncated: true });
  }
}

/** Whether the bytes are a sitemap, compressed or not, judged by the root element `urlset` or `sitemapindex`. */
export function isSitemap(body: Uint8Array): boolean {
  const start = isGzip(body) ? unzipStart(body) : body.subarray(0, PIECE_BYTES);
  const text = chooseDecoder(start, null).decode(start);
  let at = 0;
  PROLOG.lastIndex = 0;
  while (PROLOG.test(text)) at = PROLOG.lastIndex;
  SITEMAP_ROOT.lastIndex = at;
  return SITEMAP_ROOT.test(text);
}

/** Decompresses the start of a gzip file; empty if it is damaged. */
function unzipStart(body: Uint8Array): Uint8Array {
  try {
    return gunzipSync(body.subarray(0, MAX_GZIP_START_BYTES), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return new Uint8Array();
  }
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
type TextPieces = AsyncGenerator<string, { readonly truncated: boolean }>;

/** The decoded text of the file in pieces, up to the byte limit. */
async function* readTextPieces(chunks: Chunks, { signal, charset = null }: SitemapSource): TextPieces {
  signal.throwIfAborted();
  const source = Readable.from(chunks, { signal });
  let bytes: Readable = source;
  let decoder: TextDecoder | null = null;
  let length = 0;
  try {
    // Errors of either stream surface in the loop below.
    if (await isGzipStream(source, signal)) bytes = pipeline(source, createGunzip(), () => {});
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      if (!(chunk instanceof Uint8Array)) continue;
      decoder ??= chooseDecoder(chunk, charset);
      const end = Math.min(chunk.length, MAX_SITEMAP_BYTES - length);
      for (let at = 0; at < end; at += PIECE_BYTES) {
        yield decoder.decode(chunk.subarray(at, Math.min(at + PIECE_BYTES, end)), { stream: true });
      }
      length += chunk.length;
      if (length > MAX_SITEMAP_BYTES) return { truncated: true };
    }
  } catch (error) {
    signal.throwIfAborted();
    if (bytes === source) throw error;
    return { truncated: true };
  } finally {
    source.destroy();
    bytes.destroy();
  }
  return { truncated: false };
}

/** Whether the stream starts with a gzip header; the bytes remain in the stream. */
async function isGzipStream(source: Readable, signal: AbortSignal): Promise<boolean> {
  await once(source, 'readable', { signal });
  const first: unknown = source.read();
  if (!(first instanceof Uint8Array)) return false;
  source.unshift(first);
  return isGzip(first);
}

/**
 * Chooses the encoding: by byte order mark, else the charset of the response, else the XML declaration, else UTF-8
 * (sitemaps.org). Unknown names are ignored.
 */
function chooseDecoder(bytes: Uint8Array, charset: string | null): TextDecoder {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xef && second === 0xbb) return new TextDecoder('utf-8');
  const head = Buffer.from(bytes.subarray(0, MAX_DECLARATION_BYTES)).toString('latin1');
  const declared = /^\s*<\?xml\s[^>]*encoding\s*=\s*["']([^"']*)/i.exec(head)?.[1];
  for (const label of [charset, declared]) {
    const decoder = label === null || label === undefined ? null : toDecoder(label);
    // A declaration that is readable as single bytes cannot be UTF-16.
    if (decoder !== null && !decoder.encoding.startsWith('utf-16')) return decoder;
  }
  return new TextDecoder('utf-8');
}

function toDecoder(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}
