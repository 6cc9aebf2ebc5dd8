import { signal } from '@preact/signals';
import { ownHeader, takeEarly } from './early-requests.ts';
import { isRecord, listAt, jsonIn, textAt } from './json.ts';
import { noteServiceDate, readerNow, timeLimit } from './service-clock.ts';

/** Why a call has no answer. `status` is 0 where the service did not answer at all. */
export type ApiFailure = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly string[];
  readonly retryAfterSeconds: number | null;
  readonly requestId: string | null;
  /** Everything that the service said, for what shows more than the message. */
  readonly body: unknown;
};

/** An answer of the service, or why there is none. */
export type ApiAnswer =
  | { readonly ok: true; readonly status: number; readonly body: unknown; readonly headers: Headers }
  | { readonly ok: false; readonly failure: ApiFailure };

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

export type ApiRequest = {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Set for calls whose 401 says something about their input, as that of signing in. */
  readonly keepsSession?: true;
  /** Set for calls whose 503 is about what they ask for, such as a model, and not about the service. */
  readonly keepsState?: true;
};

const TIMEOUT_MS = 30_000;

/** Counts the answers that say that the session is over. */
export const unauthorized = signal(0);

/** Counts the answers that say that the tenant is suspended. */
export const suspended = signal(0);

/** When the service was last unreachable or without its store; null while all is well. */
export const lostSince = signal<number | null>(null);

/** Asks the service. It never throws: what fails is a value, and a call that its caller gave up has the code `aborted`. */
export async function call(method: string, path: string, request: ApiRequest = {}): Promise<ApiAnswer> {
  const sent = await send(method, path, request);
  if (!(sent instanceof Response)) return { ok: false, failure: sent };
  const body = await readBody(sent).catch(() => undefined);
  if (sent.ok) return { ok: true, status: sent.status, body, headers: sent.headers };
  return { ok: false, failure: toApiFailure(sent, body) };
}

/** The response itself, for streams and files; a failure where none came. */
export async function send(
  method: string,
  path: string,
  { query = {}, body, signal: given, timeoutMs = TIMEOUT_MS, keepsSession, keepsState }: ApiRequest = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response | ApiFailure> {
  const limit = timeoutMs === Infinity ? [] : [timeLimit(timeoutMs)];
  try {
    const target = path + toQueryString(query);
    const early = method === 'GET' ? await takeEarly(target) : null;
    const response =
      early ??
      (await fetch(target, {
        method,
        credentials: 'same-origin',
        redirect: 'error',
        headers: { ...ownHeader(), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.any([...limit, ...(given === undefined ? [] : [given])]),
      }));
    noteServiceDate(response.headers.get('date'));
    if (response.status !== 503 || keepsState !== true) noteState(response.status);
    if (response.status === 401 && keepsSession !== true) unauthorized.value += 1;
    return response;
  } catch (error) {
    return toAbsence(error, given);
  }
}

function noteState(status: number): void {
  if (status !== 503) lostSince.value = null;
  else lostSince.value ??= readerNow();
}

function toAbsence(error: unknown, given: AbortSignal | undefined): ApiFailure {
  const nothing = { status: 0, details: [], retryAfterSeconds: null, requestId: null, body: undefined };
  if (given?.aborted === true) return { ...nothing, code: 'aborted', message: 'The call was cancelled.' };
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { ...nothing, code: 'no_answer', message: 'The service did not answer in time.' };
  lostSince.value ??= readerNow();
  return { ...nothing, code: 'no_answer', message: 'The service cannot be reached.' };
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  return (response.headers.get('content-type') ?? '').includes('json') ? jsonIn(text) : text;
}

/** What a response that is no success says; that of a suspended tenant is counted. */
export function toApiFailure(response: Response, body: unknown): ApiFailure {
  const wait = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  if (textAt(body, 'error', 'code') === 'tenant_suspended') suspended.value += 1;
  return {
    status: response.status,
    code: textAt(body, 'error', 'code') || 'unknown',
    message: textAt(body, 'error', 'message') || `The service answered ${response.status}.`,
    details: listAt(body, 'error', 'details').filter((line) => typeof line === 'string'),
    retryAfterSeconds: Number.isNaN(wait) ? null : wait,
    requestId: isRecord(body) ? textAt(body, 'request_id') || null : null,
    body,
  };
}

/** Whether the same call may succeed later without any change. */
export function isPassing({ status, code }: ApiFailure): boolean {
  return code === 'no_answer' || [429, 502, 503, 504].includes(status);
}

/** A query with its question mark; lists as repeated names, nothing for what is empty. */
export function toQueryString(query: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null && one !== '')
      .map((one) => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
