import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#engine/identity/caller.ts';
import type { Usage } from '#engine/credits/prices.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { RequestRate } from './limits.ts';

/** The state of one request; its headers, log line and metrics are made from it. */
export type HttpExchange = {
  readonly operation: string | null;
  readonly caller: Caller | null;
  readonly rate: RequestRate | null;
  readonly usage: Usage | null;
  readonly remaining: number | null;
  readonly deprecated: readonly string[];
  readonly code: ErrorCode | null;
  readonly retryAfterSeconds: number | null;
  /** Headers of the answer's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fires when the client is gone before its answer. */
  readonly gone: AbortController;
};

/** A request and its reply. */
export type RequestAndReply = { readonly request: FastifyRequest; readonly reply: FastifyReply };

export type Exchanges = {
  readonly open: (request: FastifyRequest) => HttpExchange;
  readonly of: (request: FastifyRequest) => HttpExchange;
  readonly note: (request: FastifyRequest, news: Partial<HttpExchange>) => void;
};

/** The exchanges under way, each as long as its request lives. */
export function buildExchanges(): Exchanges {
  const exchanges = new WeakMap<FastifyRequest, HttpExchange>();

  function open(request: FastifyRequest): HttpExchange {
    const exchange: HttpExchange = {
      operation: null,
      caller: null,
      rate: null,
      usage: null,
      remaining: null,
      deprecated: [],
      code: null,
      retryAfterSeconds: null,
      headers: {},
      gone: new AbortController(),
    };
    exchanges.set(request, exchange);
    return exchange;
  }

  function of(request: FastifyRequest): HttpExchange {
    return exchanges.get(request) ?? open(request);
  }

  return {
    open,
    of,
    note: (request, news) => exchanges.set(request, { ...of(request), ...news }),
  };
}
