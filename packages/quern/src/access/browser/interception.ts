import { z } from 'zod';
import { buildFailure } from '#access/failure.ts';
import { concatBytes } from '#access/http/content-decoding.ts';
import { addHeader } from '#access/http/response-head.ts';
import type { EgressAccess } from './context.ts';
import { CommandRefused } from './devtools.ts';
import type { Tab } from './tab.ts';

/** The head of a response. */
export type ResponseHead = {
  readonly url: string;
  readonly status: number;
  /** Lower-case names; repeated headers are joined by `, `, except Location, of which the first is kept. */
  readonly headers: Readonly<Record<string, string>>;
};

/** A response with its decoded body. */
export type FullResponse = ResponseHead & { readonly body: Uint8Array<ArrayBuffer> };

export type RequestHead = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** The decision on a request: send it (with `headers`, if given), stop it, or respond to it with `answer`. */
export type RequestDecision =
  | { readonly kind: 'go'; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'stop' }
  | { readonly kind: 'answer'; readonly answer: FullResponse };

export type InterceptionOptions = {
  readonly egress: EgressAccess;
  /** Resource types that are not loaded. */
  readonly blockedTypes: readonly string[];
  readonly mostBytes: number;
  /** Whether the main document is not loaded from the network, so that another request is the first to reach the proxy. */
  readonly hasInitialPage: boolean;
  /** Called before each request for the main document, including redirects. */
  readonly onRequest: (asking: RequestHead) => Promise<RequestDecision>;
  /** Called for each response to such a request; `read` reads the body, which the browser then does not get. */
  readonly onAnswer: (head: ResponseHead, read: () => Promise<FullResponse['body']>) => Promise<'go' | 'stop'>;
};

const Fields = z.array(z.object({ name: z.string(), value: z.string() }));
const PausedRequest = z.object({
  requestId: z.string(),
  /** Absent for a download. */
  networkId: z.string().optional(),
  frameId: z.string(),
  resourceType: z.string(),
  request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
  responseErrorReason: z.string().optional(),
  responseStatusCode: z.number().optional(),
  responseHeaders: Fields.optional(),
});
const AuthRequired = z.object({ requestId: z.string(), authChallenge: z.object({ source: z.string().optional() }) });
const BodyStream = z.object({ stream: z.string() });

type PausedRequest = z.output<typeof PausedRequest>;

/** Intercepts requests of the main document, sends credentials to the proxy, and blocks unwanted resources. */
export async function interceptRequests(tab: Tab, options: InterceptionOptions): Promise<void> {
  const { egress, blockedTypes, mostBytes } = options;
  let isWide = options.hasInitialPage && !tab.proxy.isMet;

  async function onRequest({ requestId, networkId, frameId, resourceType, request }: PausedRequest): Promise<void> {
    const isDocument = resourceType === 'Document' && networkId !== undefined;
    const isUnwanted = blockedTypes.includes(resourceType) || (resourceType === 'Document' && !isDocument);
    const ordinary: RequestDecision = { kind: isUnwanted ? 'stop' : 'go' };
    const decision = isDocument && frameId === tab.id ? await options.onRequest(request) : ordinary;
    if (decision.kind === 'stop') await failRequest(tab, requestId, isDocument ? 'Aborted' : 'BlockedByClient');
    else if (decision.kind === 'answer')
      await tab.send('Fetch.fulfillRequest', toFulfilment(requestId, decision.answer));
    else await tab.send('Fetch.continueRequest', { requestId, ...toHeaderOverrides(decision.headers) });
  }

  async function onAnswer(paused: PausedRequest): Promise<void> {
    const { requestId, frameId, request, responseStatusCode: status = 0, responseHeaders = [] } = paused;
    const head = { url: request.url, status, headers: toHeaders(responseHeaders) };
    const isMain = frameId === tab.id && status > 0;
    const read = async (): Promise<FullResponse['body']> => readBody(tab, requestId, mostBytes);
    if (isMain && (await options.onAnswer(head, read)) === 'stop') await failRequest(tab, requestId, 'Aborted');
    else await tab.send('Fetch.continueRequest', { requestId });
  }

  async function onChallenge(params: unknown): Promise<void> {
    const { isOurs, answer } = buildAuthResponse(egress, params);
    await tab.send('Fetch.continueWithAuth', answer);
    if (!isOurs) return;
    tab.proxy.isMet = true;
    if (isWide) await enable(false);
  }

  async function enable(wide: boolean): Promise<void> {
    isWide = wide;
    await tab.setOnce('Fetch.enable', {
      handleAuthRequests: true,
      patterns: [
        { resourceType: 'Document', requestStage: 'Response' },
        // Chromium reports proxy authentication only for requests that are also intercepted before they are sent.
        ...(wide ? [undefined] : ['Document', ...blockedTypes]).map((resourceType) => ({
          requestStage: 'Request',
          resourceType,
        })),
      ],
    });
  }

  async function reply(method: string, params: unknown): Promise<void> {
    if (method === 'Fetch.authRequired') return onChallenge(params);
    const paused = PausedRequest.parse(params);
    const isAnswer = paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined;
    return isAnswer ? onAnswer(paused) : onRequest(paused);
  }

  tab.listen(({ method, params }) => {
    if (method !== 'Fetch.requestPaused' && method !== 'Fetch.authRequired') return;
    // Ignore requests that are already gone; any other error ends the visit.
    reply(method, params).catch((error: unknown) => {
      if (!(error instanceof CommandRefused)) tab.fail(toError(error));
    });
  });
  await enable(isWide);
}

/** Parameters of `Fetch.continueWithAuth`: credentials are sent to the egress proxy only, not to sites. */
export function buildAuthResponse(
  { username, password }: Pick<EgressAccess, 'username' | 'password'>,
  params: unknown,
) {
  const { requestId, authChallenge } = AuthRequired.parse(params);
  const isOurs = authChallenge.source === 'Proxy';
  const response = isOurs ? { response: 'ProvideCredentials', username, password } : { response: 'CancelAuth' };
  return { isOurs, answer: { requestId, authChallengeResponse: response } };
}

/** Fails a request: `Aborted` keeps the current page, `BlockedByClient` shows an error page of the browser. */
async function failRequest(tab: Tab, requestId: string, errorReason: 'Aborted' | 'BlockedByClient'): Promise<void> {
  await tab.send('Fetch.failRequest', { requestId, errorReason });
}

function toHeaderOverrides(headers: RequestHead['headers'] | undefined) {
  return headers === undefined ? {} : { headers: toHeaderFields(headers) };
}

/** Headers about the bytes on the wire, which do not apply to a decoded body. */
const WIRE_HEADERS: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

function toFulfilment(requestId: string, { status, headers, body }: FullResponse) {
  const fields = toHeaderFields(headers).filter(({ name }) => !WIRE_HEADERS.has(name));
  return {
    requestId,
    responseCode: status,
    responseHeaders: fields,
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
  };
}

function toHeaderFields(headers: Readonly<Record<string, string>>): z.output<typeof Fields> {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function toHeaders(fields: z.output<typeof Fields>): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const { name, value } of fields) {
    for (const one of value.split('\n')) addHeader(headers, name, one);
  }
  return headers;
}

/** Reads a body in chunks, so that an endless one is detected. */
async function readBody(tab: Tab, requestId: string, mostBytes: number): Promise<FullResponse['body']> {
  const { stream } = BodyStream.parse(await tab.send('Fetch.takeResponseBodyAsStream', { requestId }));
  return readStream(tab, stream, { mostBytes, what: 'the page' });
}

/** Converts a thrown value to an error. */
export function toError(error: unknown): Error {
  return error instanceof Error ? error : buildFailure('render_failed', String(error));
}

const CHUNK_BYTES = 1024 * 1024;

const Chunk = z.object({ data: z.string(), eof: z.boolean(), base64Encoded: z.boolean().optional() });

/** Reads a stream of the browser; throws `content_too_large` beyond `mostBytes`, with `what` in the message. */
export async function readStream(
  tab: Tab,
  handle: string,
  { mostBytes, what }: { readonly mostBytes: number; readonly what: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { data, eof, base64Encoded } = Chunk.parse(await tab.send('IO.read', { handle, size: CHUNK_BYTES }));
    const chunk = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > mostBytes) {
      const message = `${what} is larger than ${mostBytes / 2 ** 20} MiB`;
      throw buildFailure('too_large', message, { reason: 'decoded_bytes', bytes });
    }
    if (eof) break;
  }
  await tab.send('IO.close', { handle });
  return concatBytes(chunks, bytes);
}
