import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Stream } from '#engine/call/operation.ts';
import type { Clock, Timer } from '#kernel/clock.ts';
import { StoreUnavailable } from '#store/db.ts';
import { readCredential } from './credentials.ts';
import type { Credential, FindByCredential } from './credentials.ts';
import type { Exchanges } from './exchange.ts';
import type { ServerParts } from './parts.ts';

/** A revoked key keeps its open streams no longer than this. */
const KEY_EVERY_MS = 2000;
/** A reader that takes nothing may hold the drain this long, and once more. */
const DRAIN_STALL_MS = 1000;

type StreamParts = Pick<ServerParts, 'draining' | 'timeouts' | 'log' | 'clock'> & {
  readonly find: FindByCredential;
  readonly exchanges: Exchanges;
};

/** Answers a request with a stream. */
export type SendStream = (request: FastifyRequest, reply: FastifyReply, stream: Stream) => FastifyReply;

/**
 * Streams are written at their reader's pace, so nothing piles up here. They end when their key is revoked or the
 * service stops, and are cut off when the reader takes nothing for `timeouts.stalled`, or twice that.
 */
export function buildStreams({ find, draining, timeouts, log, clock, exchanges }: StreamParts): SendStream {
  const hold = watchKeys(find, clock, (error) =>
    log.error({ err: error }, 'the keys of open streams could not be read'),
  );

  return function send(request, reply, { type, pieces }) {
    const { raw } = reply;
    // A stream may end during a drain, and a connection kept alive after it would delay the end of the drain.
    reply.type(type).header('connection', 'close');
    if (request.method === 'HEAD') return reply.send();
    const { gone } = exchanges.of(request);
    const letGo = hold(readCredential(request), gone);
    // An event stream marks its own end; an incomplete result must not look complete.
    if (type !== 'text/event-stream') gone.signal.addEventListener('abort', () => raw.destroy(), { once: true });
    const hurry = (): void => void raw.setTimeout(DRAIN_STALL_MS);
    // The socket times out only while the reader takes no byte; without a listener the timeout destroys it.
    raw.setTimeout(timeouts.stalled);
    draining.addEventListener('abort', hurry);
    raw.once('close', () => {
      letGo();
      draining.removeEventListener('abort', hurry);
    });
    return reply.send(Readable.from(pieces));
  };
}

type Held = { readonly credential: Credential; readonly open: Set<AbortController> };

/**
 * Checks each key and session in use periodically, once for all of its streams, and aborts the streams of one that has
 * ended.
 */
function watchKeys(find: FindByCredential, clock: Clock, report: (error: unknown) => void) {
  const streams = new Map<string, Held>();
  let timer: Timer | null = null;
  let last: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    for (const { credential, open } of streams.values()) {
      if ((await find(credential)) === null) for (const gone of open) gone.abort();
    }
  }

  function lookOnce(): void {
    last = last.then(look).catch((error: unknown) => {
      // An unavailable store does not mean that the key is revoked.
      if (!(error instanceof StoreUnavailable)) report(error);
    });
  }

  return function hold(credential: Credential, gone: AbortController): () => void {
    const name = JSON.stringify(credential);
    const held = streams.get(name) ?? { credential, open: new Set() };
    streams.set(name, held);
    held.open.add(gone);
    timer ??= clock.every(KEY_EVERY_MS, lookOnce);
    return () => {
      held.open.delete(gone);
      if (held.open.size === 0 && streams.get(name) === held) streams.delete(name);
      if (streams.size > 0 || timer === null) return;
      timer.close();
      timer = null;
    };
  };
}
