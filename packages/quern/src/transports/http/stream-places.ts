import type { Caller } from '#engine/identity/caller.ts';
import { ServiceError } from '#kernel/errors.ts';

/** Streams that a tenant may have open at one process for each request that its plan allows at once, and by any plan. */
const STREAMS_PER_REQUEST = 4;
const MIN_STREAMS = 20;
/** The same for a plan without a limit of requests at once. */
const MAX_STREAMS = 1000;

/** An open stream, and how it is ended early; null where its reader could not resume it, as that of a file. */
export type OpenStream = { readonly displace: (() => void) | null };

export type StreamPlaces = {
  /**
   * Adds a stream of a tenant; the oldest event stream ends where there are too many. Throws
   * `concurrency_limit_exceeded` where all are downloads. Answers how to free the place.
   */
  readonly take: (caller: Caller, stream: OpenStream) => () => void;
};

/** The open streams of each tenant. */
export function openStreamPlaces(): StreamPlaces {
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
