import { request } from 'undici';
import { type Operation, STREAM_TYPES } from '#engine/call/operation.ts';
import { type Remote, formatRemoteSource } from '#kernel/login.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { readRoute } from '#transports/http/route.ts';
import type { OperationAnswer } from './context.ts';

/** Longer than the longest synchronous timeout of any plan. */
const TIMEOUT_MS = 310_000;

/** Calls an operation of a server. Throws `ServiceError`, as a local call does. */
export async function callServer(
  remote: Remote,
  operation: Operation,
  raw: unknown,
  signal: AbortSignal,
): Promise<OperationAnswer> {
  const { url, apiKey } = remote;
  if (apiKey === null) throw new ServiceError('missing_api_key', 'QUERN_URL is set: set QUERN_API_KEY too');
  if (operation.route === null)
    throw new ServiceError('invalid_request', `${operation.id} can only run in jobs and monitors`);
  const { method, path, hasBody } = readRoute(operation);
  const input = new Map(Object.entries(isJsonObject(raw) ? raw : {}));
  const target = new URL(url + fillPath(path, input));
  if (!hasBody) for (const [name, value] of input) appendQuery(target, name, value);
  try {
    const answer = await request(target, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      body: hasBody ? JSON.stringify(Object.fromEntries(input)) : null,
      signal,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const type = answer.headers['content-type'];
    if (STREAM_TYPES.some((one) => one === type)) return { body: {}, stream: readStream(answer.body) };
    const body: unknown = answer.statusCode === 204 ? {} : await answer.body.json();
    const retryAfter = answer.headers['retry-after'];
    return { body: parseAnswer(answer.statusCode, { body, retryAfter }), stream: null };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const what =
      error instanceof SyntaxError ? 'answered, but is not a Quern server' : `does not answer: ${String(error)}`;
    throw new ServiceError('backend_unavailable', `${formatRemoteSource(remote)} ${url} ${what}`, { cause: error });
  }
}

/** Yields the chunks of a stream; throws `backend_unavailable` if it breaks. */
async function* readStream(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw new ServiceError('backend_unavailable', `the stream broke off: ${String(error)}`, { cause: error });
  }
}

function fillPath(path: string, input: Map<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.get(name);
    input.delete(name);
    return encodeURIComponent(typeof value === 'string' ? value : '');
  });
}

function appendQuery(target: URL, name: string, value: unknown): void {
  for (const item of Array.isArray(value) ? value : [value]) {
    target.searchParams.append(name, typeof item === 'string' ? item : JSON.stringify(item));
  }
}

type ReceivedAnswer = { readonly body: unknown; readonly retryAfter: unknown };

function parseAnswer(status: number, { body, retryAfter }: ReceivedAnswer): Readonly<Record<string, unknown>> {
  if (status < 300 && isJsonObject(body)) return body;
  const error = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : {};
  const { code, message } = error;
  if (typeof code === 'string' && isErrorCode(code)) {
    const seconds = typeof retryAfter === 'string' && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null;
    throw new ServiceError(code, String(message), seconds === null ? {} : { retryAfterSeconds: seconds });
  }
  throw new ServiceError('backend_unavailable', `the server answered ${status}, but is not a Quern server`);
}
