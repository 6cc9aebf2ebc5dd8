import type { FastifyRequest } from 'fastify';
import type { Caller } from '#engine/caller.ts';
import type { Usage } from '#engine/prices.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { Rate } from './limits.ts';

/** What is known of one request while it is answered; its headers, log line and metrics are made from it. */
export type Exchange = {
  readonly operation: string | null;
  readonly caller: Caller | null;
  readonly rate: Rate | null;
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

export type Exchanges = {
  readonly open: (request: FastifyRequest) => Exchange;
  readonly of: (request: FastifyRequest) => Exchange;
  readonly note: (request: FastifyRequest, news: Partial<Exchange>) => void;
};

/** The exchanges under way, each as long as its request lives. */
export function buildExchanges(): Exchanges {
  const exchanges = new WeakMap<FastifyRequest, Exchange>();

  function open(request: FastifyRequest): Exchange {
    const exchange: Exchange = {
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

  function of(request: FastifyRequest): Exchange {
    return exchanges.get(request) ?? open(request);
  }

  return {
    open,
    of,
    note: (request, news) => exchanges.set(request, { ...of(request), ...news }),
  };
}
