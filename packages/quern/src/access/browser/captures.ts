import { z } from 'zod';
import type { CapturedResponse, CaptureRule } from '#sites/framework/captures.ts';
import { type BookedAnswer, CaptureBook, MAX_CAPTURED_BYTES } from './capture-book.ts';
import { operationsOf } from './capture-rules.ts';
import { CommandRefused, type DevToolsEvent } from './devtools.ts';
import { toError } from './interception.ts';
import type { Tab } from './tab.ts';

/** Requests under way whose operations are known. */
const MAX_ASKED = 1_000;
/** Of a longer request nobody reads the operation. */
const MAX_ASKED_BYTES = 64 * 1024;

/** The parameters of `Network.enable` under which answers can be asked for. */
export const CAPTURE_BUFFER = {
  maxTotalBufferSize: 2 * MAX_CAPTURED_BYTES,
  maxResourceBufferSize: MAX_CAPTURED_BYTES,
  maxPostDataSize: MAX_ASKED_BYTES,
};

const Sent = z.object({
  requestId: z.string(),
  request: z.object({ url: z.string(), postData: z.string().optional() }),
});
const Received = z.object({
  requestId: z.string(),
  type: z.string(),
  response: z.object({ url: z.string(), status: z.number(), mimeType: z.string() }),
});
const Data = z.object({ requestId: z.string(), dataLength: z.number() });
const Ended = z.object({ requestId: z.string() });
const Given = z.object({ body: z.string(), base64Encoded: z.boolean() });

export type Captures = {
  /** How many answers that are kept have ended so far. */
  readonly count: () => number;
  /** The answers that were captured so far, in the order in which they began. */
  readonly taken: () => Promise<readonly CapturedResponse[]>;
};

/**
 * Keeps the answers that scripts of a page get and a rule names; none without rules. Those to workers, and those that do
 * not end, fail or are too large, are left out. Needs the buffer above.
 */
export function watchCaptures(tab: Tab, rules: readonly CaptureRule[] = []): Captures {
  const book = new CaptureBook(rules);
  const asked = new Map<string, readonly string[]>();
  let ended = 0;
  let reading = Promise.resolve();

  async function keep(requestId: string, answer: BookedAnswer): Promise<void> {
    try {
      const { body, base64Encoded } = Given.parse(await tab.send('Network.getResponseBody', { requestId }));
      answer.text = base64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
    } catch (error) {
      // An answer whose document is gone is left out; any other error ends the visit, which may have ended before it asks
      // for the captures.
      if (!(error instanceof CommandRefused)) tab.fail(toError(error));
    }
  }

  function onEvent({ method, params }: DevToolsEvent): void {
    if (method === 'Network.requestWillBeSent') {
      const { requestId, request } = Sent.parse(params);
      const operations = operationsOf(request);
      // A redirect asks for the same, whether its request says so once more or not.
      if (operations.length > 0 && asked.size < MAX_ASKED) asked.set(requestId, operations);
    } else if (method === 'Network.responseReceived') {
      const { requestId, type, response } = Received.parse(params);
      if (type !== 'XHR' && type !== 'Fetch') return;
      const { url, status, mimeType: contentType } = response;
      book.begin(requestId, { url, status, contentType }, asked.get(requestId) ?? []);
    } else if (method === 'Network.dataReceived') {
      const { requestId, dataLength } = Data.parse(params);
      book.addBytes(requestId, dataLength);
    } else if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') {
      const { requestId } = Ended.parse(params);
      asked.delete(requestId);
      if (method === 'Network.loadingFailed') return book.drop(requestId);
      const answer = book.end(requestId);
      if (answer === null) return;
      ended += 1;
      // One after the other, so that never more than one of them is on its way to us.
      reading = reading.then(async () => keep(requestId, answer));
    }
  }

  if (rules.length > 0) tab.listen(onEvent);
  return {
    count: () => ended,
    async taken() {
      await reading;
      tab.signal.throwIfAborted();
      return book.read();
    },
  };
}
