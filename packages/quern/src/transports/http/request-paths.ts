import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Characters of a request line that are kept: more than the longest path of an operation without parameters. */
const MAX_CHARS = 128;
const REQUEST_LINE = /^[A-Z]+ (\/[^ ?#\r\n]*)[ ?#\r\n]/;
const LETTER_A = 0x41;
const LETTER_Z = 0x5a;

/**
 * Remembers the path of the request that each connection sends at the moment. Node's parser does not report the path of a
 * head that it refuses. Returns null where the request line was not seen.
 */
export function rememberRequestPaths(server: Server): (socket: Duplex) => string | null {
  const starts = new WeakMap<Duplex, string>();
  server.on('connection', (socket) => {
    socket.prependListener('data', (chunk: Buffer) => {
      const first = chunk[0] ?? 0;
      if (first >= LETTER_A && first <= LETTER_Z) starts.set(socket, chunk.toString('latin1', 0, MAX_CHARS));
    });
  });
  return (socket) => REQUEST_LINE.exec(starts.get(socket) ?? '')?.[1] ?? null;
}
