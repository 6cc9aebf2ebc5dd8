import { once } from 'node:events';
import { pipeline, Readable } from 'node:stream';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { createSitemapReader, type SitemapEntry, type SitemapOptions } from './sitemap-reader.ts';

/** Bounds of one sitemap file (sitemaps.org): entries, and bytes when unpacked. */
export const MAX_SITEMAP_ENTRIES = 50_000;
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;

/** Bytes in which an XML declaration ends. */
const MAX_DECLARATION_BYTES = 256;
/** Bytes that are read at one go. */
const PIECE_BYTES = 65_536;
/** Packed bytes in which the root of a packed sitemap begins. */
const MAX_GZIP_START_BYTES = 16_384;
/** What may stand before the root of an XML document. */
const PROLOG = /\s+|<\?[^>]*>|<!--[^]*?-->|<!doctype[^>]*>/iy;
const SITEMAP_ROOT = /<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s/>]/iy;

/** How the reading of one file ended. */
export type SitemapSummary = {
  readonly entries: number;
  /** Addresses left out: malformed, of another scheme, or not admitted. */
  readonly refused: number;
  /** Beyond one of the bounds, or a packed file that breaks off; what came before was given. */
  readonly truncated: boolean;
};

export type SitemapSource = SitemapOptions & {
  /** That the answer names in its `Content-Type`; left out for none. */
  readonly charset?: string | null;
  /** Ends the reading by its reason. */
  readonly signal: AbortSignal;
};

/**
 * Reads a sitemap out of bytes as they come, and gives its entries in portions; returns how it ended. Packed files are
 * known by their content, whatever they are called. Never more than a portion is held. Throws the reason of the signal.
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

/** Whether the bytes are a sitemap by their root, `urlset` or `sitemapindex`, packed or not, whatever they are called. */
export function isSitemap(body: Uint8Array): boolean {
  const start = isGzip(body) ? unzipStart(body) : body.subarray(0, PIECE_BYTES);
  const text = chooseDecoder(start, null).decode(start);
  let at = 0;
  PROLOG.lastIndex = 0;
  while (PROLOG.test(text)) at = PROLOG.lastIndex;
  SITEMAP_ROOT.lastIndex = at;
  return SITEMAP_ROOT.test(text);
}

/** The bytes at the start of what is packed; none where it is damaged. */
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

/** The text of the file, piece by piece, up to the bound of bytes. */
async function* readTextPieces(chunks: Chunks, { signal, charset = null }: SitemapSource): TextPieces {
  signal.throwIfAborted();
  const source = Readable.from(chunks, { signal });
  let bytes: Readable = source;
  let decoder: TextDecoder | null = null;
  let length = 0;
  try {
    // A failure of either stream comes out of the loop below.
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

/** Whether the first bytes are those of gzip; they stay to be read. */
async function isGzipStream(source: Readable, signal: AbortSignal): Promise<boolean> {
  await once(source, 'readable', { signal });
  const first: unknown = source.read();
  if (!(first instanceof Uint8Array)) return false;
  source.unshift(first);
  return isGzip(first);
}

/**
 * The mark at the start decides, then the charset of the answer, then the XML declaration; without any a sitemap is UTF-8
 * (sitemaps.org). Unknown names are passed over.
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
    // What declares itself in bytes of one each is not UTF-16.
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
