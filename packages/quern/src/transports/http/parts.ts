import type { Logger } from 'pino';
import type { Caller } from '#engine/identity/caller.ts';
import type { ConsoleSessions } from '#engine/identity/console-sessions.ts';
import type { FindCaller } from '#engine/identity/keys.ts';
import type { Operation } from '#engine/call/operation.ts';
import type { Perform } from '#engine/call/ask.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Rates } from '#engine/identity/rates.ts';
import type { Metric } from '#kernel/metric.ts';

/** Time limits of a connection, ms; Node checks them every `check`. */
export type Timeouts = {
  readonly headers: number;
  readonly request: number;
  readonly keepAlive: number;
  /** Longest time that the reader of a stream may read nothing. */
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

/** The console: its sessions, and the folder of its browser code. */
export type ConsoleParts = { readonly sessions: ConsoleSessions; readonly folder: string };

/** The dependencies of the HTTP server. */
export type ServerParts = {
  /** Of the service, as MCP clients see it. */
  readonly version: string;
  readonly operations: readonly Operation[];
  /** Operations that only jobs and monitors run. */
  readonly unrouted: readonly Operation[];
  readonly perform: Perform;
  readonly findCaller: FindCaller;
  /** Null where the settings leave the console out. */
  readonly consoleParts: ConsoleParts | null;
  /** Counts requests; shared with the other services on a store. */
  readonly rates: Rates;
  /** Credits that a caller has left, for answers that failed; null when unlimited. */
  readonly remaining: (caller: Caller) => Promise<number | null>;
  readonly log: Logger;
  readonly newRequestId: () => string;
  /** Reasons why the service is not ready, empty when it is. */
  readonly findObstacles: () => Promise<readonly string[]>;
  /** Aborted when the service begins to drain: new requests are refused, running ones go on. */
  readonly draining: AbortSignal;
  /** The header by which the service's own fetches are known; its requests are refused. */
  readonly depthHeader: string;
  /** Metrics in addition to those of the server, read on request. */
  readonly readings: readonly Metric[];
  /** The bearer that opens `/metrics` to peers beyond loopback, null for none. */
  readonly metricsToken: string | null;
  /** Origins whose pages may call the API. */
  readonly corsOrigins: readonly string[];
  /** CIDRs of proxies whose `X-Forwarded-For` is believed. */
  readonly trustProxy: readonly string[];
  readonly timeouts: Timeouts;
  readonly clock: Clock;
};
