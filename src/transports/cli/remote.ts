import { request } from 'undici';
import { ARTIFACT_TYPES } from '#engine/artifacts.ts';
import type { Operation } from '#engine/operation.ts';
import type { Remote } from '#kernel/config.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import { isSchema } from '#transports/schema.ts';
import type { Said } from './cli.ts';

/** What comes as it is, and not as the body of an answer. */
const STREAMS: readonly unknown[] = ['application/x-ndjson', 'application/warc', ...ARTIFACT_TYPES];

/** Beyond the longest inline timeout of any plan. */
const TIMEOUT_MS = 310_000;

/** Asks a running server what the embedded store would otherwise answer; throws `ServiceError` as the gate does. */
export async function askRemote(
  { url, apiKey }: Remote,
  operation: Operation,
  raw: unknown,
  signal: AbortSignal,
): Promise<Said> {
  if (apiKey === null) throw new ServiceError('missing_api_key', 'QUERN_URL is set: set QUERN_API_KEY too');
  const { route } = operation;
  if (route === null) throw new ServiceError('invalid_request', `${operation.id} is work for jobs and monitors alone`);
  const [method = 'POST', path = '/'] = route.split(' ');
  const input = new Map(Object.entries(isSchema(raw) ? raw : {}));
  const target = new URL(url + fillPath(path, input));
  const hasBody = method === 'POST' || method === 'PATCH';
  if (!hasBody) for (const [name, value] of input) appendQuery(target, name, value);
  try {
    const answer = await request(target, {
      method: hasBody || method === 'DELETE' ? method : 'GET',
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      },
      ...(hasBody ? { body: JSON.stringify(Object.fromEntries(input)) } : {}),
      signal,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    if (STREAMS.includes(answer.headers['content-type'])) return { body: {}, stream: toPieces(answer.body) };
    const body: unknown = answer.statusCode === 204 ? {} : await answer.body.json();
    const retryAfter = answer.headers['retry-after'];
    return { body: readAnswer(answer.statusCode, { body, retryAfter }), stream: null };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const what = error instanceof SyntaxError ? 'answers, and not as Quern does' : `does not answer: ${String(error)}`;
    throw new ServiceError('backend_unavailable', `QUERN_URL ${url} ${what}`, { cause: error });
  }
}

/** Throws where the stream ends before its time. */
async function* toPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
  for (const one of Array.isArray(value) ? value : [value]) {
    target.searchParams.append(name, typeof one === 'string' ? one : JSON.stringify(one));
  }
}

type Read = { readonly body: unknown; readonly retryAfter: unknown };

function readAnswer(status: number, { body, retryAfter }: Read): Readonly<Record<string, unknown>> {
  if (status < 300 && isSchema(body)) return body;
  const error = isSchema(body) && isSchema(body['error']) ? body['error'] : {};
  const { code, message } = error;
  if (typeof code === 'string' && isErrorCode(code)) {
    const seconds = typeof retryAfter === 'string' && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null;
    throw new ServiceError(code, String(message), seconds === null ? {} : { retryAfterSeconds: seconds });
  }
  throw new ServiceError('backend_unavailable', `QUERN_URL answers ${status}, and not as Quern does`);
}
