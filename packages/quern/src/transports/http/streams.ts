import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Stream } from '#engine/call/operation.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Clock, Timer } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import { type Credential, type FindByCredential, readCredential } from './credentials.ts';
import type { Exchanges } from './exchange.ts';
import type { ServerParts } from './parts.ts';

/** A revoked key keeps its open streams no longer than this. */
const KEY_EVERY_MS = 2000;
/** A reader that takes nothing may hold the drain, or the place that its tenant needs, this long, and once more. */
const HURRIED_STALL_MS = 1000;
/** The last words of an event stream that made room for another; browsers wait this long before they resume it. */
const DISPLACED = ': ended early: your tenant has too many open streams, and the oldest ends\nretry: 15000\n\n';

type StreamParts = Pick<ServerParts, 'draining' | 'timeouts' | 'log' | 'clock'> & {
  readonly find: FindByCredential;
  readonly exchanges: Exchanges;
};

/** Answers a request with a stream; throws where its tenant has too many. */
export type SendStream = (request: FastifyRequest, reply: FastifyReply, stream: Stream) => FastifyReply;

/**
 * Streams are written at their reader's pace, so nothing piles up here. They end when their key is revoked or the
 * service stops, and are cut off when the reader takes nothing for `timeouts.stalled`, or twice that. A tenant has a
 * bounded number of them: beyond it its oldest event stream ends, whose reader can resume it.
 */
export function buildStreams({ find, draining, timeouts, log, clock, exchanges }: StreamParts): SendStream {
  const hold = watchKeys(find, clock, (error) =>
    log.error({ err: error }, 'the keys of open streams could not be read'),
  );

  const places = openStreamPlaces();

  return function send(request, reply, { type, pieces }) {
    const { raw } = reply;
    if (request.method === 'HEAD') return reply.type(type).send();
    const { gone, caller } = exchanges.of(request);
    const hurry = (): void => void raw.setTimeout(HURRIED_STALL_MS);
    const hasEvents = type === 'text/event-stream';
    const displaced = new AbortController();
    const displace = (): void => {
      displaced.abort();
      gone.abort();
      hurry();
    };
    const text = Readable.from(hasEvents ? endWithNote(pieces, displaced.signal) : pieces);
    const leave = takePlace(caller, { displace: hasEvents ? displace : null }, text);
    // A stream may end during a drain, and a connection kept alive after it would delay the end of the drain.
    reply.type(type).header('connection', 'close');
    const letGo = hold(readCredential(request), gone);
    // An event stream marks its own end; an incomplete result must not look complete.
    if (!hasEvents) gone.signal.addEventListener('abort', () => raw.destroy(), { once: true });
    // The socket times out only while the reader takes no byte; without a listener the timeout destroys it.
    raw.setTimeout(timeouts.stalled);
    draining.addEventListener('abort', hurry);
    untilSent(reply, () => {
      leave?.();
      letGo();
      draining.removeEventListener('abort', hurry);
    });
    return reply.send(text);
  };

  /** Frees what the stream reads from where there is no place for it. */
  function takePlace(caller: Caller | null, stream: OpenStream, text: Readable): (() => void) | null {
    try {
      return caller === null ? null : places.take(caller, stream);
    } catch (error) {
      text.destroy();
      throw error;
    }
  }
}

/** Says at its end why an event stream ended early. */
async function* endWithNote(
  pieces: Stream['pieces'],
  displaced: AbortSignal,
): AsyncGenerator<string | Uint8Array, void> {
  yield* pieces;
  if (displaced.aborted) yield DISPLACED;
}

/** Calls back when an answer is sent or its connection is closed. */
export function untilSent({ raw }: FastifyReply, leave: () => void): void {
  if (raw.closed) leave();
  else raw.once('close', leave);
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

/** Streams that a tenant may have open at one process for each request that its plan allows at once, and by any plan. */
const STREAMS_PER_REQUEST = 4;
const MIN_STREAMS = 20;
/** The same for a plan without a limit of requests at once. */
const MAX_STREAMS = 1000;

/** An open stream, and how it is ended early; null where its reader could not resume it, as that of a file. */
type OpenStream = { readonly displace: (() => void) | null };

type StreamPlaces = {
  /**
   * Adds a stream of a tenant; the oldest event stream ends where there are too many. Throws
   * `concurrency_limit_exceeded` where all are downloads. Answers how to free the place.
   */
  readonly take: (caller: Caller, stream: OpenStream) => () => void;
};

/** The open streams of each tenant. */
function openStreamPlaces(): StreamPlaces {
  const tenants = new Map<string, Set<OpenStream>>();
  return {
    take({ tenant, plan }, stream) {
      const open = tenants.get(tenant) ?? new Set();
      const most = mostOf(plan.concurrent_requests);
      if (open.size >= most) {
        const oldest = [...open].find(({ displace }) => displace !== null);
        if (oldest === undefined) throw tooManyDownloads(plan.name, most);
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

function mostOf(requests: number | null): number {
  return requests === null ? MAX_STREAMS : Math.max(MIN_STREAMS, requests * STREAMS_PER_REQUEST);
}

function tooManyDownloads(plan: string, most: number): ServiceError {
  return new ServiceError(
    'concurrency_limit_exceeded',
    `plan ${plan} allows ${most} open streams: wait for a download to end, or take a higher plan`,
    { retryAfterSeconds: 5 },
  );
}
