import { z } from 'zod';
import { concat } from '#access/http/content-decoding.ts';
import { failed } from '#access/failure.ts';
import type { Tab } from './tab.ts';

const CHUNK_BYTES = 1024 * 1024;

const Chunk = z.object({ data: z.string(), eof: z.boolean(), base64Encoded: z.boolean().optional() });

/** Reads a stream of the browser to its end; `content_too_large` beyond `mostBytes`, naming `what` is too large. */
export async function readStream(
  tab: Tab,
  handle: string,
  { mostBytes, what }: { readonly mostBytes: number; readonly what: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { data, eof, base64Encoded } = Chunk.parse(await tab.send('IO.read', { handle, size: CHUNK_BYTES }));
    const chunk = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > mostBytes) {
      const message = `${what} is larger than ${mostBytes / 2 ** 20} MiB`;
      throw failed('too_large', message, { reason: 'decoded_bytes', bytes });
    }
    if (eof) break;
  }
  await tab.send('IO.close', { handle });
  return concat(chunks, bytes);
}
