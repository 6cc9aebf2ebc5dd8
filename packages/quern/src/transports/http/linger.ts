import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '#kernel/clock.ts';

/** Limits for reading the rest of a request after its response: reading stops if an interval brings too few bytes. */
const LINGER_INTERVAL_MS = 2_000;
const MIN_BYTES_PER_INTERVAL = 1024 * 1024;
const MAX_LINGER_BYTES = 32 * 1024 * 1024;
const POLL_INTERVAL_MS = 20;

/**
 * Closes the connection of a request whose body was not read completely in two steps. Otherwise a client that writes its
 * whole request before it reads would get a connection reset instead of the response.
 */
export function lingerAfterAnswer(request: IncomingMessage, clock: Clock): void {
  const { socket } = request;
  if (request.complete) return;
  const closeAtOnce = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete) return closeAtOnce();
    socket.end();
    request.once('end', () => socket.destroy());
    lingerOnSocket(socket, clock);
    request.resume();
  };
}

/** Closes a connection after its response is written: when the client ends it, sends too slowly, or has sent too much. */
export function lingerOnSocket(socket: Duplex, clock: Clock): void {
  const bytesAtStart = countBytesRead(socket);
  let bytesSeen = bytesAtStart;
  const intervalTimer = clock.every(LINGER_INTERVAL_MS, () => {
    if (countBytesRead(socket) - bytesSeen < MIN_BYTES_PER_INTERVAL) socket.destroy();
    bytesSeen = countBytesRead(socket);
  });
  // A paused request emits no events for dropped bytes, so the socket is polled.
  const pollTimer = clock.every(POLL_INTERVAL_MS, () => {
    if (countBytesRead(socket) - bytesAtStart > MAX_LINGER_BYTES) socket.destroy();
  });
  socket.once('end', () => socket.destroy());
  socket.once('close', () => {
    intervalTimer.close();
    pollTimer.close();
  });
}

function countBytesRead(socket: Duplex): number {
  return socket instanceof Socket ? socket.bytesRead : 0;
}
