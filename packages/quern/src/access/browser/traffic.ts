import { z } from 'zod';
import { failed } from '#access/failure.ts';
import type { Tab } from './tab.ts';

/** The traffic of a page. */
export type Traffic = {
  /** Requests under way whose answers may change the visible page. */
  readonly inFlight: () => number;
  /** Bytes received on the wire by requests that have ended. */
  readonly wireBytes: () => number;
};

/** Resource types that may change the text; an image does not, and a socket never ends. */
const SHOWING: ReadonlySet<string> = new Set(['Document', 'Stylesheet', 'Script', 'XHR', 'Fetch']);

const Sent = z.object({
  requestId: z.string(),
  loaderId: z.string(),
  type: z.string().optional(),
});
const Received = z.object({ dataLength: z.number() });
const Finished = z.object({ requestId: z.string(), encodedDataLength: z.number() });
const Failed = z.object({ requestId: z.string() });

/** Bytes of answers that the browser holds back, so that they can be asked for. */
type Buffered = { readonly maxTotalBufferSize: number; readonly maxResourceBufferSize: number };

const NO_BUFFER: Buffered = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };

/** Watches the traffic of a page, and ends the visit when it is more than `mostBytes`. */
export async function watchTraffic(tab: Tab, mostBytes: number, buffer: Buffered = NO_BUFFER): Promise<Traffic> {
  const open = new Set<string>();
  let wireBytes = 0;
  let bytes = 0;
  tab.listen(({ method, params }) => {
    if (method === 'Network.requestWillBeSent') {
      const { requestId, loaderId, type = '' } = Sent.parse(params);
      // The script of a worker has no document that loads it, and its end is an event of the worker's own session.
      if (SHOWING.has(type) && loaderId !== '') open.add(requestId);
    } else if (method === 'Network.dataReceived') {
      bytes += Received.parse(params).dataLength;
      if (bytes > mostBytes) tab.fail(tooLarge(mostBytes));
    } else if (method === 'Network.loadingFinished') {
      const { requestId, encodedDataLength } = Finished.parse(params);
      open.delete(requestId);
      wireBytes += Math.max(0, encodedDataLength);
    } else if (method === 'Network.loadingFailed') {
      open.delete(Failed.parse(params).requestId);
    }
  });
  await tab.set('Network.enable', buffer);
  return { inFlight: () => open.size, wireBytes: () => wireBytes };
}

function tooLarge(mostBytes: number): Error {
  const message = `the page loads more than ${mostBytes / 2 ** 20} MiB`;
  return failed('too_large', message, { reason: 'loaded_bytes', bytes: mostBytes });
}
