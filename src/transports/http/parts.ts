import type { Logger } from 'pino';
import type { Caller } from '#engine/caller.ts';
import type { FindCaller } from '#engine/keys.ts';
import type { Operation } from '#engine/operation.ts';
import type { Perform } from '#engine/ask.ts';
import type { Rates } from '#engine/rates.ts';
import type { Reading } from './metrics.ts';

/** How long a connection may take, ms; Node looks for late ones every `check`. */
export type Timeouts = {
  readonly headers: number;
  readonly request: number;
  readonly keepAlive: number;
  /** How long the reader of a stream may take nothing of it. */
  readonly stalled: number;
  readonly check: number;
};

export const TIMEOUTS: Timeouts = {
  headers: 15_000,
  request: 60_000,
  keepAlive: 30_000,
  stalled: 30_000,
  check: 2_000,
};

/** What the HTTP server is made of. */
export type ServerParts = {
  /** Of the service, as MCP clients see it. */
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly perform: Perform;
  readonly findCaller: FindCaller;
  /** Counts requests; shared with the other services on a store. */
  readonly rates: Rates;
  /** Credits that a caller has left, for answers that failed; null when unlimited. */
  readonly remaining: (caller: Caller) => Promise<number | null>;
  readonly log: Logger;
  readonly newRequestId: () => string;
  /** What keeps the service from being ready, empty when nothing does. */
  readonly findObstacles: () => Promise<readonly string[]>;
  /** Aborted when the service begins to drain: new requests are refused, running ones go on. */
  readonly draining: AbortSignal;
  /** The header by which the service's own fetches are known; its requests are refused. */
  readonly depthHeader: string;
  /** Figures beside those of the server itself, read when they are asked for. */
  readonly readings: readonly Reading[];
  /** The bearer that opens `/metrics` to peers beyond loopback, null for none. */
  readonly metricsToken: string | null;
  /** Origins whose pages may call the API. */
  readonly corsOrigins: readonly string[];
  /** CIDRs of proxies whose `X-Forwarded-For` is believed. */
  readonly trustProxy: readonly string[];
  readonly timeouts: Timeouts;
};
