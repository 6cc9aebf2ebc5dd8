import { z } from 'zod';
import type { CapturedResponse, CaptureRule } from '#sites/framework/request.ts';
import { CommandRefused, type DevToolsEvent } from './devtools.ts';
import { toError } from './interception.ts';
import type { Tab } from './tab.ts';

/** Maximum number of captured responses of a page, and their maximum total size. */
const MAX_CAPTURES = 100;
const MAX_CAPTURED_BYTES = 20_000_000;

/** Maximum number of running requests whose operations are stored. */
const MAX_TRACKED_REQUESTS = 1_000;
/** Operations of larger request bodies are not read. */
const MAX_POST_DATA_BYTES = 64 * 1024;

/** Parameters of `Network.enable` that make the browser buffer responses, so that they can be read. */
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
  /** Number of captured responses that are complete. */
  readonly count: () => number;
  /** The responses captured so far, in order of their start. */
  readonly listCaptured: () => Promise<readonly CapturedResponse[]>;
};

/**
 * Captures responses to scripts of a page that match a rule. Omits responses to workers, and those that do not end, fail or
 * are too large. Needs `CAPTURE_BUFFER`.
 */
export function captureResponses(tab: Tab, rules: readonly CaptureRule[] = []): ResponseCaptures {
  const book = new CaptureList(rules);
  const requestedUrls = new Map<string, readonly string[]>();
  let ended = 0;
  let reading = Promise.resolve();

  async function keep(requestId: string, answer: PendingCapture): Promise<void> {
    try {
      const { body, base64Encoded } = ResponseBody.parse(await tab.send('Network.getResponseBody', { requestId }));
      answer.text = base64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
    } catch (error) {
      // Responses of a closed document are omitted; any other error ends the visit, even before it requests the captures.
      if (!(error instanceof CommandRefused)) tab.fail(toError(error));
    }
  }

  function onEvent({ method, params }: DevToolsEvent): void {
    if (method === 'Network.requestWillBeSent') {
      const { requestId, request } = RequestSent.parse(params);
      const operations = listOperations(request);
      // Redirected requests keep the operations of the first request.
      if (operations.length > 0 && requestedUrls.size < MAX_TRACKED_REQUESTS) requestedUrls.set(requestId, operations);
    } else if (method === 'Network.responseReceived') {
      const { requestId, type, response } = ResponseReceived.parse(params);
      if (type !== 'XHR' && type !== 'Fetch') return;
      const { url, status, mimeType: contentType } = response;
      book.begin(requestId, { url, status, contentType }, requestedUrls.get(requestId) ?? []);
    } else if (method === 'Network.dataReceived') {
      const { requestId, dataLength } = DataReceived.parse(params);
      book.addBytes(requestId, dataLength);
    } else if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') {
      const { requestId } = LoadingEnded.parse(params);
      requestedUrls.delete(requestId);
      if (method === 'Network.loadingFailed') return book.drop(requestId);
      const answer = book.end(requestId);
      if (answer === null) return;
      ended += 1;
      // One after the other, so that only one body is in transfer at a time.
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

/** How much of its limits a rule has used. */
type CaptureUsage = { readonly rule: CaptureRule; begun: number; bytes: number; isFull: boolean };

/** A response that matches a rule; `text` is null until it is read. */
type PendingCapture = Omit<CapturedResponse, 'text'> & {
  readonly share: CaptureUsage;
  bytes: number;
  text: string | null;
};

/**
 * The responses that match the rules, within the limits of each rule and of the page. Once a byte limit is exceeded, nothing
 * more is captured for it, so that the captured responses have no gap.
 */
class CaptureList {
  readonly #shares: readonly CaptureUsage[];
  readonly #all: CaptureUsage = { rule: { name: '', path: '' }, begun: 0, bytes: 0, isFull: false };
  readonly #answers = new Map<string, PendingCapture>();

  constructor(rules: readonly CaptureRule[]) {
    this.#shares = rules.map((rule) => ({ rule, begun: 0, bytes: 0, isFull: false }));
  }

  /** Records the start of a response if it matches a rule whose limits are not reached. */
  begin(requestId: string, head: ResponseInfo, operations: readonly string[]): void {
    const share = this.#shares.find(({ rule }) => matchesRule(rule, head, operations));
    if (share === undefined || this.#answers.has(requestId) || !hasRoom(share) || !hasRoom(this.#all)) return;
    for (const one of [share, this.#all]) one.begun += 1;
    const { url, status } = head;
    this.#answers.set(requestId, { name: share.rule.name, url, status, share, bytes: 0, text: null });
  }

  addBytes(requestId: string, bytes: number): void {
    const answer = this.#answers.get(requestId);
    if (answer !== undefined) answer.bytes += bytes;
  }

  /** Ends a response; returns it, or null and drops it if it exceeds a limit. */
  end(requestId: string): PendingCapture | null {
    const answer = this.#answers.get(requestId);
    if (answer === undefined) return null;
    const both = [answer.share, this.#all];
    for (const one of both) one.isFull ||= one.bytes + answer.bytes > (one.rule.maxBytes ?? MAX_CAPTURED_BYTES);
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

  /** The responses that were read, in order of their start. */
  read(): readonly CapturedResponse[] {
    return [...this.#answers.values()].flatMap(({ name, url, status, text }) =>
      text === null ? [] : [{ name, url, status, text }],
    );
  }
}

function hasRoom({ rule, begun, isFull }: CaptureUsage): boolean {
  return !isFull && begun < (rule.max ?? MAX_CAPTURES);
}

/** The parts of a request that identify its GraphQL operation. */
type RequestInfo = { readonly url: string; readonly postData?: string | undefined };

/** The head of a response to a script of a page. */
type ResponseInfo = { readonly url: string; readonly status: number; readonly contentType: string };

/** Whether a response matches a rule; `operations` are the GraphQL operation names of its request. */
export function matchesRule(
  rule: CaptureRule,
  { url, contentType }: ResponseInfo,
  operations: readonly string[],
): boolean {
  const { path, contentType: type, operation } = rule;
  const own = URL.parse(url)?.pathname;
  if (own === undefined || !matchesText(path, own)) return false;
  if (type !== undefined && !type.test(contentType)) return false;
  return operation === undefined || operations.some((name) => matchesText(operation, name));
}

function matchesText(wanted: string | RegExp, text: string): boolean {
  return typeof wanted === 'string' ? wanted === text : wanted.test(text);
}

/** Where GraphQL clients put the operation name: fields of a JSON body, a form or a query string. */
const OPERATION_FIELDS = ['operationName', 'fb_api_req_friendly_name'] as const;
/** Maximum operations of a batch to read. */
const MAX_OPERATIONS = 50;

/** Lists the GraphQL operation names of a request; a batch has several. */
export function listOperations({ url, postData = '' }: RequestInfo): readonly string[] {
  const query = URL.parse(url)?.searchParams ?? new URLSearchParams();
  const bodyOperations = /^\s*[[{]/.test(postData)
    ? listJsonOperations(postData)
    : listFormOperations(new URLSearchParams(postData));
  return [...listFormOperations(query), ...bodyOperations];
}

function listFormOperations(fields: URLSearchParams): readonly string[] {
  return OPERATION_FIELDS.flatMap((name) => fields.get(name) ?? []);
}

function listJsonOperations(body: string): readonly string[] {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return [];
  }
  const batch: readonly unknown[] = Array.isArray(read) ? read.slice(0, MAX_OPERATIONS) : [read];
  return batch.flatMap((capture) => {
    const members = new Map<string, unknown>(
      typeof capture === 'object' && capture !== null ? Object.entries(capture) : [],
    );
    return OPERATION_FIELDS.flatMap((name) => {
      const value = members.get(name);
      return typeof value === 'string' ? [value] : [];
    });
  });
}
