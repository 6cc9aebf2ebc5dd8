import type { Answer } from '#engine/call/ask.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ServiceError } from '#kernel/errors.ts';

/** Runs one of Quern's operations for the caller of a request. Throws `ServiceError`. */
export type RunOperation = (id: string, input: unknown, idempotencyKey?: string | null) => Promise<Answer>;

/** A request to an interface of another service. Its key has been checked. */
export type CompatRequest = {
  /** The values of `{name}` in the path of the route. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The query as it was sent, with its question mark; empty if there is none. */
  readonly search: string;
  /** The headers with a single value, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; the bytes for other content types; undefined for an empty body. */
  readonly body: unknown;
  /** The URL of the interface as the client reaches it, without a slash at its end: `https://host/firecrawl`. */
  readonly base: string;
  readonly caller: Caller;
  readonly clock: Clock;
  readonly run: RunOperation;
  /** Builds an absolute URL of a file that works without a key for a day. */
  readonly toFileUrl: (artifactId: string) => string;
  /** Signs the events of webhooks of the caller that have no secret of their own. */
  readonly webhookSecret: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
};

/** The reply of an interface: a value to send as JSON, or text or bytes with their content type. */
export type CompatReply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
} & ({ readonly json: unknown } | { readonly type: string; readonly body: string | Uint8Array });

/**
 * A route below the address of an interface, such as `POST /v2/scrape`, and the function that answers it. `ANY` stands for
 * every method.
 */
export type CompatRoute = {
  readonly route: `${'GET' | 'POST' | 'PATCH' | 'DELETE' | 'ANY'} /${string}`;
  readonly answer: (request: CompatRequest) => Promise<CompatReply>;
};

/** Sends one message of a WebSocket as JSON; resolves when the connection has taken it. */
export type SendMessage = (message: unknown) => Promise<void>;

/** A path that is watched over a WebSocket. The connection is closed when the function ends. */
export type CompatWatch = {
  readonly route: `GET /${string}`;
  readonly watch: (request: CompatRequest, send: SendMessage) => Promise<void>;
};

/** The interface of another service, translated to Quern's operations. */
export type CompatInterface = {
  readonly routes: readonly CompatRoute[];
  /** Absent if it has none. */
  readonly watches?: readonly CompatWatch[];
  /** Writes an error in the form that the clients of the interface understand. `headers` are those of the request. */
  readonly describeFailure: (error: ServiceError, headers: CompatRequest['headers']) => CompatReply;
};

/** Replies with JSON and status 200, or another status. */
export function replyJson(json: unknown, status = 200): CompatReply {
  return { status, json };
}
