import { signal } from '@preact/signals';
import { getConsoleHeader, takeEarlyResponse } from './early-requests.ts';
import { isRecord, getList, parseJson, getText } from './json.ts';
import { updateServiceClock, getLocalTime, createTimeoutSignal } from './service-clock.ts';

/** Why a call failed. `status` is 0 if the service did not respond. */
export type ApiFailure = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly string[];
  readonly retryAfterSeconds: number | null;
  readonly requestId: string | null;
  /** The whole response body, for views that show more than the message. */
  readonly body: unknown;
};

/** The response of the service, or the reason why the call failed. */
export type ApiResult =
  | { readonly ok: true; readonly status: number; readonly body: unknown; readonly headers: Headers }
  | { readonly ok: false; readonly failure: ApiFailure };

/** A query parameter. Null, undefined and empty values are left out. */
export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

/** The options of a call. */
export type ApiRequest = {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Set for calls whose 401 concerns their input, such as signing in, and does not end the session. */
  readonly ignoresUnauthorized?: true;
  /** Set for calls whose 503 concerns one dependency, such as a model, and not the whole service. */
  readonly ignoresUnavailable?: true;
};

const TIMEOUT_MS = 30_000;

/** Counts the 401 responses that end the session. */
export const unauthorizedCount = signal(0);

/** Counts the responses that report a suspended tenant. */
export const suspendedCount = signal(0);

/** Local time in ms since when the service or its store has been unavailable; null while both respond. */
export const unavailableSince = signal<number | null>(null);

/** Calls the API. It never throws: a failure is returned as a value. A call that its caller aborted has the code `aborted`. */
export async function callApi(method: string, path: string, request: ApiRequest = {}): Promise<ApiResult> {
  const sent = await sendRequest(method, path, request);
  if (!(sent instanceof Response)) return { ok: false, failure: sent };
  const body = await readBody(sent).catch(() => undefined);
  if (sent.ok) return { ok: true, status: sent.status, body, headers: sent.headers };
  return { ok: false, failure: toApiFailure(sent, body) };
}

/** Sends a request and returns the response itself, for streams and files, or a failure if there is no response. */
export async function sendRequest(
  method: string,
  path: string,
  { query = {}, body, signal: given, timeoutMs = TIMEOUT_MS, ignoresUnauthorized, ignoresUnavailable }: ApiRequest = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response | ApiFailure> {
  const limit = timeoutMs === Infinity ? [] : [createTimeoutSignal(timeoutMs)];
  try {
    const target = path + toQueryString(query);
    const early = method === 'GET' ? await takeEarlyResponse(target) : null;
    const response =
      early ??
      (await fetch(target, {
        method,
        credentials: 'same-origin',
        redirect: 'error',
        headers: {
          ...getConsoleHeader(),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.any([...limit, ...(given === undefined ? [] : [given])]),
      }));
    updateServiceClock(response.headers.get('date'));
    if (response.status !== 503 || ignoresUnavailable !== true) updateAvailability(response.status);
    if (response.status === 401 && ignoresUnauthorized !== true) unauthorizedCount.value += 1;
    return response;
  } catch (error) {
    return toNetworkFailure(error, given);
  }
}

function updateAvailability(status: number): void {
  if (status !== 503) unavailableSince.value = null;
  else unavailableSince.value ??= getLocalTime();
}

function toNetworkFailure(error: unknown, given: AbortSignal | undefined): ApiFailure {
  const nothing = { status: 0, details: [], retryAfterSeconds: null, requestId: null, body: undefined };
  if (given?.aborted === true) return { ...nothing, code: 'aborted', message: 'The call was cancelled.' };
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { ...nothing, code: 'no_answer', message: 'The service did not respond in time.' };
  unavailableSince.value ??= getLocalTime();
  return { ...nothing, code: 'no_answer', message: 'The service cannot be reached.' };
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  return (response.headers.get('content-type') ?? '').includes('json') ? parseJson(text) : text;
}

/** Converts an unsuccessful response to a failure. Counts it if the tenant is suspended. */
export function toApiFailure(response: Response, body: unknown): ApiFailure {
  const wait = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  if (getText(body, 'error', 'code') === 'tenant_suspended') suspendedCount.value += 1;
  return {
    status: response.status,
    code: getText(body, 'error', 'code') || 'unknown',
    message: getText(body, 'error', 'message') || `The service responded with status ${response.status}.`,
    details: getList(body, 'error', 'details').filter((line) => typeof line === 'string'),
    retryAfterSeconds: Number.isNaN(wait) ? null : wait,
    requestId: isRecord(body) ? getText(body, 'request_id') || null : null,
    body,
  };
}

/** Whether the same call may succeed if it is repeated later. */
export function isTemporary({ status, code }: ApiFailure): boolean {
  return code === 'no_answer' || [429, 502, 503, 504].includes(status);
}

/** Formats a query string with its question mark. Lists become repeated names; empty values are left out. */
export function toQueryString(query: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null && one !== '')
      .map((one) => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
