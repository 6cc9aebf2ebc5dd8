import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReplyStream } from '#engine/call/operation.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Clock, Timer } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import { type Credential, type FindByCredential, readCredential } from './credentials.ts';
import type { Exchanges } from './exchange.ts';
import type { ServerParts } from './server-parts.ts';

/** How often the keys of open streams are checked. */
const KEY_CHECK_INTERVAL_MS = 2000;
/** Stall limit while the service drains or another stream needs the slot; the reader is cut off after at most twice this time. */
const DRAIN_STALL_MS = 1000;
/** The last lines of an event stream that was ended for another one, with the delay before browsers reconnect. */
const DISPLACED_NOTE =
  ': ended early: your tenant has too many open streams, so the oldest was closed\nretry: 15000\n\n';

type StreamParts = Pick<ServerParts, 'draining' | 'timeouts' | 'log' | 'clock'> & {
  readonly find: FindByCredential;
  readonly exchanges: Exchanges;
};

/** Sends a stream as the response; throws if the tenant has too many open streams. */
export type SendStream = (request: FastifyRequest, reply: FastifyReply, stream: ReplyStream) => FastifyReply;

/**
 * Creates the function that sends streams. They are written at the pace of their reader, so nothing is buffered. They end
 * when their key is revoked or the service stops, and are cut off if the reader stalls for `timeouts.stalled` to twice
 * that time. If a tenant has too many streams, its oldest event stream ends, which its reader can resume.
 */
export function createStreamSender({ find, draining, timeouts, log, clock, exchanges }: StreamParts): SendStream {
  const hold = createKeyWatch(find, clock, (error) =>
    log.error({ err: error }, 'the keys of open streams could not be read'),
  );

  const places = createStreamSlots();

  return function send(request, reply, { type, pieces }) {
    const { raw } = reply;
    if (request.method === 'HEAD') return reply.type(type).send();
    const { gone, caller } = exchanges.get(request);
    const hurry = (): void => void raw.setTimeout(DRAIN_STALL_MS);
    const hasEvents = type === 'text/event-stream';
    const displaced = new AbortController();
    const displace = (): void => {
      displaced.abort();
      gone.abort();
      hurry();
    };
    const text = Readable.from(hasEvents ? endWithNote(pieces, displaced.signal) : pieces);
    const freeSlot = takePlace(caller, { displace: hasEvents ? displace : null }, text);
    // If a stream ended during a drain, a kept-alive connection would delay the end of the drain.
    reply.type(type).header('connection', 'close');
    const releaseKey = hold(readCredential(request), gone);
    // Unlike an event stream, an incomplete result has no end mark, so the connection is broken to show that.
    if (!hasEvents) gone.signal.addEventListener('abort', () => raw.destroy(), { once: true });
    // The socket times out only while the reader reads nothing; without a listener, the timeout destroys the socket.
    raw.setTimeout(timeouts.stalled);
    draining.addEventListener('abort', hurry);
    onSent(reply, () => {
      freeSlot?.();
      releaseKey();
      draining.removeEventListener('abort', hurry);
    });
    return reply.send(text);
  };

  /** Takes a slot for the stream; destroys the stream if there is none. */
  function takePlace(caller: Caller | null, stream: OpenStream, text: Readable): (() => void) | null {
    try {
      return caller === null ? null : places.take(caller, stream);
    } catch (error) {
      text.destroy();
      throw error;
    }
  }
}

/** Appends a note to an event stream that was ended early. */
async function* endWithNote(
  pieces: ReplyStream['pieces'],
  displaced: AbortSignal,
): AsyncGenerator<string | Uint8Array, void> {
  yield* pieces;
  if (displaced.aborted) yield DISPLACED_NOTE;
}

/** Calls back when a response is sent or its connection is closed. */
export function onSent({ raw }: FastifyReply, callback: () => void): void {
  if (raw.closed) callback();
  else raw.once('close', callback);
}

type WatchedKey = { readonly credential: Credential; readonly open: Set<AbortController> };

/**
 * Checks the key or session of open streams periodically, once for all streams of the same one, and aborts the streams of
 * a revoked or ended one.
 */
function createKeyWatch(find: FindByCredential, clock: Clock, report: (error: unknown) => void) {
  const streams = new Map<string, WatchedKey>();
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
    const watched = streams.get(name) ?? { credential, open: new Set() };
    streams.set(name, watched);
    watched.open.add(gone);
    timer ??= clock.every(KEY_CHECK_INTERVAL_MS, lookOnce);
    return () => {
      watched.open.delete(gone);
      if (watched.open.size === 0 && streams.get(name) === watched) streams.delete(name);
      if (streams.size > 0 || timer === null) return;
      timer.close();
      timer = null;
    };
  };
}

/** Open streams of a tenant per process: this many for each concurrent request of its plan, and a minimum for any plan. */
const STREAMS_PER_REQUEST = 4;
const MIN_STREAMS = 20;
/** The limit for a plan without a limit of concurrent requests. */
const MAX_STREAMS = 1000;

/** An open stream, and a function that ends it early; null if its reader could not resume it, such as a file. */
type OpenStream = { readonly displace: (() => void) | null };

type StreamSlots = {
  /**
   * Adds a stream of a tenant. If there are too many, the oldest event stream ends; throws `concurrency_limit_exceeded` if
   * all are downloads. Returns a function that frees the slot.
   */
  readonly take: (caller: Caller, stream: OpenStream) => () => void;
};

/** Creates the slots for the open streams of each tenant. */
function createStreamSlots(): StreamSlots {
  const tenants = new Map<string, Set<OpenStream>>();
  return {
    take({ tenant, plan }, stream) {
      const open = tenants.get(tenant) ?? new Set();
      const maxStreams = computeMaxStreams(plan.concurrent_requests);
      if (open.size >= maxStreams) {
        const oldest = [...open].find(({ displace }) => displace !== null);
        if (oldest === undefined) throw createTooManyStreamsError(plan.name, maxStreams);
        open.delete(oldest);
        oldest.displace?.();
      }
      open.add(stream);
      tenants.set(tenant, open);
      return () => {
        open.delete(stream);
        if (open.size === 0 && tenants.get(tenant) === open) tenants.delete(tenant);
      };
    },
  };
}

function computeMaxStreams(requests: number | null): number {
  return requests === null ? MAX_STREAMS : Math.max(MIN_STREAMS, requests * STREAMS_PER_REQUEST);
}

function createTooManyStreamsError(plan: string, maxStreams: number): ServiceError {
  return new ServiceError(
    'concurrency_limit_exceeded',
    `plan ${plan} allows ${maxStreams} open streams: wait for a download to end, or use a higher plan`,
    { retryAfterSeconds: 5 },
  );
}
