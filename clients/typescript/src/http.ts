import { QuernConnectionError, QuernError } from './errors.ts';
import type { Failure } from './generated/types.ts';

/** Where an operation is served. */
export type Route = {
  /** The id of the operation, which is the kind of its jobs. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{name}` for each member that is in the path. */
  readonly path: string;
  readonly query: readonly string[];
  /** The member of the answer that is its long list. */
  readonly list: string | null;
};

/** What every call may be given. */
export type CallOptions = {
  /** Ends the call; the job of a run goes on. */
  readonly signal?: AbortSignal;
  /** One of your own instead of a random one: a repeat with it gets the first answer again. */
  readonly idempotencyKey?: string;
  /** Tries after the first; 5 unless given. */
  readonly maxRetries?: number;
  /** Time for each try in ms; 330 s unless given. */
  readonly timeoutMs?: number;
};

/** What a client is made of. */
export type ClientOptions = {
  /** `http://127.0.0.1:7700` unless given. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxRetries?: number;
  readonly timeoutMs?: number;
  /** A failure that asks for a longer wait than this is thrown at once; 60 s unless given. */
  readonly longestWaitMs?: number;
};

/** Members of an input by name. */
type Members = Readonly<Record<string, unknown>>;

const BASE_URL = 'http://127.0.0.1:7700';
const TRIES = 5;
const TIMEOUT_MS = 330_000;
const MAX_WAIT_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;

/** Answers of proxies before the service, which say nothing of the call. */
const GATEWAY = new Set([502, 503, 504]);

/** Makes the calls of a client, and repeats those that may succeed later and do nothing twice. */
export class Http {
  readonly #options: ClientOptions;
  readonly #base: string;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = (options.baseUrl ?? BASE_URL).replace(/\/+$/, '');
  }

  /** The JSON of an answer; null where it has no body. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the type of what it reads
  async json<T>(
    route: Route,
    input: object,
    options: CallOptions = {},
  ): Promise<{ readonly status: number; readonly body: T }> {
    return this.#repeat(route, input, options, async (response) => {
      const text = await response.text();
      return { status: response.status, body: parse<T>(text === '' ? 'null' : text) };
    });
  }

  /** An answer whose body is still to be read. */
  async stream(route: Route, input: object, options: CallOptions = {}, headers: Members = {}): Promise<Response> {
    return this.#repeat(route, input, options, async (response) => response, headers);
  }

  async #repeat<T>(
    route: Route,
    input: object,
    options: CallOptions,
    read: (response: Response) => Promise<T>,
    headers: Members = {},
  ): Promise<T> {
    const { signal } = options;
    const request = this.#toRequest(route, input, { options, headers });
    const most = options.maxRetries ?? this.#options.maxRetries ?? TRIES;
    for (let tries = 0; ; tries += 1) {
      signal?.throwIfAborted();
      const failure = await this.#attempt(request, options, read);
      if ('value' in failure) return failure.value;
      signal?.throwIfAborted();
      const pause = tries < most ? this.#pauseAfter(failure.error, route, tries) : null;
      if (pause === null) throw failure.error;
      await sleep(pause, signal);
    }
  }

  async #attempt<T>(
    { url, init }: { readonly url: string; readonly init: RequestInit },
    { signal, timeoutMs }: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<{ readonly value: T } | { readonly error: unknown }> {
    const late = new AbortController();
    const limit = timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    const timer = setTimeout(() => late.abort(), limit);
    const signals = signal === undefined ? [late.signal] : [late.signal, signal];
    try {
      const call = this.#options.fetch ?? fetch;
      const response = await call(url, { ...init, signal: AbortSignal.any(signals) });
      if (!response.ok) return { error: toError(response, await response.text()) };
      return { value: await read(response) };
    } catch (error) {
      const what = late.signal.aborted ? `no answer within ${limit} ms` : 'the service did not answer';
      return { error: new QuernConnectionError(`${what}: ${init.method} ${url}`, error) };
    } finally {
      clearTimeout(timer);
    }
  }

  #toRequest(
    route: Route,
    input: object,
    { options, headers }: { readonly options: CallOptions; readonly headers: Members },
  ): { readonly url: string; readonly init: RequestInit } {
    const { method } = route;
    const { apiKey, headers: own } = this.#options;
    const { path, query, rest } = place(route, input);
    const hasBody = method === 'POST' || method === 'PATCH';
    const sent: Record<string, string> = { accept: 'application/json', ...own };
    for (const [name, value] of Object.entries(headers)) sent[name] = String(value);
    if (apiKey !== undefined) sent['authorization'] = `Bearer ${apiKey}`;
    if (hasBody) sent['content-type'] = 'application/json';
    if (method === 'POST') sent['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
    const url = `${this.#base}${path}${query === '' ? '' : `?${query}`}`;
    return { url, init: { method, headers: sent, ...(hasBody ? { body: JSON.stringify(rest) } : {}) } };
  }

  /** How long to wait before the next try, null where another is of no use or might do the work twice. */
  #pauseAfter(error: unknown, { method, operation }: Route, tries: number): number | null {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** tries, MAX_PAUSE_MS) * (0.75 + Math.random() / 2);
    if (error instanceof QuernConnectionError) {
      // A DELETE that was heard may mean another thing the second time, and work by GET would be charged again.
      const isSafe = method === 'POST' || method === 'PATCH' || (method === 'GET' && isControl(operation));
      return isSafe ? pause : null;
    }
    if (!(error instanceof QuernError) || !error.retryable) return null;
    if (error.retryAfter === null) return pause;
    const asked = error.retryAfter * 1000;
    return asked > (this.#options.longestWaitMs ?? MAX_WAIT_MS) ? null : asked;
  }
}

/** Whether an operation only reads or changes records of the service: it costs nothing, however often it is called. */
function isControl(operation: string): boolean {
  return /^(?:jobs|monitors|deliveries|usage|requests|capabilities|artifact)\b/.test(operation);
}

/** Puts the members of an input into path, query and body. */
function place({ path, query }: Route, input: object) {
  const members = new Map<string, unknown>(Object.entries(input));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = members.get(name);
    members.delete(name);
    return encodeURIComponent(String(value));
  });
  const pairs = new URLSearchParams();
  for (const name of query) {
    const value = members.get(name);
    members.delete(name);
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null)
        pairs.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
  }
  return { path: filled, query: String(pairs), rest: Object.fromEntries(members) };
}

function toError(response: Response, text: string): QuernError {
  const { status, headers } = response;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const body = readFailure(text);
  const retryAfter = Number.isFinite(seconds) ? seconds : null;
  return new QuernError(body?.error.message ?? `the service answered ${status}`, {
    status,
    code: body?.error.code ?? `http_${status}`,
    requestId: body?.request_id ?? headers.get('x-request-id'),
    retryable: body?.diagnostics?.retryable ?? (GATEWAY.has(status) || retryAfter !== null),
    blocked: body?.diagnostics?.blocked ?? false,
    timedOut: body?.diagnostics?.timed_out ?? false,
    retryAfter,
    jobId: null,
  });
}

function readFailure(text: string): Failure | null {
  try {
    const body = parse<Failure | null>(text);
    return typeof body?.error?.code === 'string' ? body : null;
  } catch {
    return null;
  }
}

/** The value of a JSON text, which has the type that the document declares. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the type of what it reads
export function parse<T>(text: string): T {
  return JSON.parse(text);
}

/** Resolves after this time; rejects with the reason of the signal when that comes first. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
