import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '#kernel/clock.ts';

/** Bounds on reading what a client still sends after its answer: it is read on while each such time brings so many bytes. */
const LINGER_MS = 2_000;
const PACE_BYTES = 1024 * 1024;
const LINGER_BYTES = 32 * 1024 * 1024;
const LOOK_MS = 20;

/**
 * Closes the connection of a request whose body was not read to its end in two steps: a client that writes everything before
 * it reads would otherwise get a reset instead of the answer.
 */
export function lingerAfter(request: IncomingMessage, clock: Clock): void {
  const { socket } = request;
  if (request.complete) return;
  const closeAtOnce = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete) return closeAtOnce();
    socket.end();
    request.once('end', () => socket.destroy());
    lingerOn(socket, clock);
    request.resume();
  };
}

/** Closes a connection whose answer is written: when the client has ended, sends too slowly, or has sent too much. */
export function lingerOn(socket: Duplex, clock: Clock): void {
  const begun = bytesOf(socket);
  let seen = begun;
  const late = clock.every(LINGER_MS, () => {
    if (bytesOf(socket) - seen < PACE_BYTES) socket.destroy();
    seen = bytesOf(socket);
  });
  // A paused request emits no events for bytes that it drops, so the socket is polled.
  const looking = clock.every(LOOK_MS, () => {
    if (bytesOf(socket) - begun > LINGER_BYTES) socket.destroy();
  });
  socket.once('end', () => socket.destroy());
  socket.once('close', () => {
    late.close();
    looking.close();
  });
}

function bytesOf(socket: Duplex): number {
  return socket instanceof Socket ? socket.bytesRead : 0;
}
