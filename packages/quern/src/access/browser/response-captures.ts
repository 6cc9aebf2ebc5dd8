import { z } from 'zod';
import type { CapturedResponse, CaptureRule } from '#sites/framework/captures.ts';
import { type ResponseInfo, fits, listOperations } from './capture-rules.ts';
import { CommandRefused, type DevToolsEvent } from './devtools.ts';
import { toError } from './interception.ts';
import type { Tab } from './tab.ts';

/** The most answers of one page that are kept, and the most bytes of them all. */
const MAX_CAPTURES = 100;
const MAX_CAPTURED_BYTES = 20_000_000;

/** Requests under way whose operations are known. */
const MAX_TRACKED_REQUESTS = 1_000;
/** Of a longer request nobody reads the operation. */
const MAX_POST_DATA_BYTES = 64 * 1024;

/** The parameters of `Network.enable` under which answers can be asked for. */
export const CAPTURE_BUFFER = {
  maxTotalBufferSize: 2 * MAX_CAPTURED_BYTES,
  maxResourceBufferSize: MAX_CAPTURED_BYTES,
  maxPostDataSize: MAX_POST_DATA_BYTES,
};

const RequestSent = z.object({
  requestId: z.string(),
  request: z.object({ url: z.string(), postData: z.string().optional() }),
});
const ResponseReceived = z.object({
  requestId: z.string(),
  type: z.string(),
  response: z.object({ url: z.string(), status: z.number(), mimeType: z.string() }),
});
const DataReceived = z.object({ requestId: z.string(), dataLength: z.number() });
const LoadingEnded = z.object({ requestId: z.string() });
const ResponseBody = z.object({ body: z.string(), base64Encoded: z.boolean() });

export type ResponseCaptures = {
  /** How many answers that are kept have ended so far. */
  readonly count: () => number;
  /** The answers that were captured so far, in the order in which they began. */
  readonly listCaptured: () => Promise<readonly CapturedResponse[]>;
};

/**
 * Keeps the answers that scripts of a page get and a rule names; none without rules. Those to workers, and those that do
 * not end, fail or are too large, are left out. Needs the buffer above.
 */
export function captureResponses(tab: Tab, rules: readonly CaptureRule[] = []): ResponseCaptures {
  const book = new CaptureList(rules);
  const asked = new Map<string, readonly string[]>();
  let ended = 0;
  let reading = Promise.resolve();

  async function keep(requestId: string, answer: PendingCapture): Promise<void> {
    try {
      const { body, base64Encoded } = ResponseBody.parse(await tab.send('Network.getResponseBody', { requestId }));
      answer.text = base64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
    } catch (error) {
      // An answer whose document is gone is left out; any other error ends the visit, which may have ended before it asks
      // for the captures.
      if (!(error instanceof CommandRefused)) tab.fail(toError(error));
    }
  }

  function onEvent({ method, params }: DevToolsEvent): void {
    if (method === 'Network.requestWillBeSent') {
      const { requestId, request } = RequestSent.parse(params);
      const operations = listOperations(request);
      // A redirect asks for the same, whether its request says so once more or not.
      if (operations.length > 0 && asked.size < MAX_TRACKED_REQUESTS) asked.set(requestId, operations);
    } else if (method === 'Network.responseReceived') {
      const { requestId, type, response } = ResponseReceived.parse(params);
      if (type !== 'XHR' && type !== 'Fetch') return;
      const { url, status, mimeType: contentType } = response;
      book.begin(requestId, { url, status, contentType }, asked.get(requestId) ?? []);
    } else if (method === 'Network.dataReceived') {
      const { requestId, dataLength } = DataReceived.parse(params);
      book.addBytes(requestId, dataLength);
    } else if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') {
      const { requestId } = LoadingEnded.parse(params);
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
    async listCaptured() {
      await reading;
      tab.signal.throwIfAborted();
      return book.read();
    },
  };
}

/** What a rule has taken of its bounds. */
type CaptureUsage = { readonly rule: CaptureRule; begun: number; bytes: number; isFull: boolean };

/** An answer of a rule; `text` is null until it is read. */
type PendingCapture = Omit<CapturedResponse, 'text'> & {
  readonly share: CaptureUsage;
  bytes: number;
  text: string | null;
};

/**
 * The answers that rules name, from their heads on, within the bounds of each rule and of the page. Where a bound of bytes is
 * met nothing more is kept, so that what is kept has no gap.
 */
class CaptureList {
  readonly #shares: readonly CaptureUsage[];
  readonly #all: CaptureUsage = { rule: { name: '', path: '' }, begun: 0, bytes: 0, isFull: false };
  readonly #answers = new Map<string, PendingCapture>();

  constructor(rules: readonly CaptureRule[]) {
    this.#shares = rules.map((rule) => ({ rule, begun: 0, bytes: 0, isFull: false }));
  }

  /** Notes an answer that begins, where a rule wants it and takes more. */
  begin(requestId: string, head: ResponseInfo, operations: readonly string[]): void {
    const share = this.#shares.find(({ rule }) => fits(rule, head, operations));
    if (share === undefined || this.#answers.has(requestId) || !hasRoom(share) || !hasRoom(this.#all)) return;
    for (const one of [share, this.#all]) one.begun += 1;
    const { url, status } = head;
    this.#answers.set(requestId, { name: share.rule.name, url, status, share, bytes: 0, text: null });
  }

  addBytes(requestId: string, bytes: number): void {
    const one = this.#answers.get(requestId);
    if (one !== undefined) one.bytes += bytes;
  }

  /** The answer that has ended, when there is room for it; else it is dropped. */
  end(requestId: string): PendingCapture | null {
    const answer = this.#answers.get(requestId);
    if (answer === undefined) return null;
    const both = [answer.share, this.#all];
    for (const one of both) one.isFull ||= one.bytes + answer.bytes > (one.rule.mostBytes ?? MAX_CAPTURED_BYTES);
    if (both.some(({ isFull }) => isFull)) {
      this.drop(requestId);
      return null;
    }
    for (const one of both) one.bytes += answer.bytes;
    return answer;
  }

  drop(requestId: string): void {
    const answer = this.#answers.get(requestId);
    if (answer === undefined) return;
    this.#answers.delete(requestId);
    for (const one of [answer.share, this.#all]) one.begun -= 1;
  }

  /** Those that were read, in the order in which they began. */
  read(): readonly CapturedResponse[] {
    return [...this.#answers.values()].flatMap(({ name, url, status, text }) =>
      text === null ? [] : [{ name, url, status, text }],
    );
  }
}

function hasRoom({ rule, begun, isFull }: CaptureUsage): boolean {
  return !isFull && begun < (rule.most ?? MAX_CAPTURES);
}
