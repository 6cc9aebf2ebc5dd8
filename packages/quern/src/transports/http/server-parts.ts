import type { Logger } from 'pino';
import type { Caller } from '#engine/identity/caller.ts';
import type { ConsoleSessions } from '#engine/identity/console-sessions.ts';
import type { FindCaller } from '#engine/identity/keys.ts';
import type { Operation } from '#engine/call/operation.ts';
import type { FileLinks } from '#engine/results/file-links.ts';
import type { PerformOperation } from '#engine/call/ask.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Rates } from '#engine/identity/rates.ts';
import type { Metric } from '#kernel/metric.ts';

/** Time limits of a connection in ms; Node checks them every `check` ms. */
export type Timeouts = {
  readonly headers: number;
  readonly request: number;
  readonly keepAlive: number;
  /** How long the reader of a stream may stall. */
  readonly stalled: number;
  readonly check: number;
};

/** The default time limits. */
export const TIMEOUTS: Timeouts = {
  headers: 15_000,
  request: 60_000,
  keepAlive: 30_000,
  stalled: 30_000,
  check: 2_000,
};

/** What the console needs: sessions, and the folder of its browser code. */
export type ConsoleParts = { readonly sessions: ConsoleSessions; readonly folder: string };

/** Callers without a key act as one tenant if their address is in one of the networks (addresses or CIDRs). */
export type KeylessCallers = { readonly tenant: string; readonly networks: readonly string[] };

/** What the interfaces of other services need beside operations. */
export type CompatServices = {
  readonly fileLinks: FileLinks;
  /** Returns the secret of a tenant's webhooks that have none of their own. */
  readonly deriveWebhookSecret: (tenant: string) => string;
  /** The URL at which clients reach the service; null if it is that of each request. */
  readonly publicUrl: string | null;
  /** Returns a caller of a tenant that has proved its right without a key. Throws `not_found`. */
  readonly findTenant: (tenant: string) => Promise<Caller>;
  /** Who may call without a key; null if the settings name nobody. */
  readonly keyless: KeylessCallers | null;
};

/** The dependencies of the HTTP server. */
export type ServerParts = {
  /** Version of the service for MCP clients. */
  readonly version: string;
  readonly operations: readonly Operation[];
  /** Operations that only jobs and monitors run. */
  readonly unrouted: readonly Operation[];
  readonly perform: PerformOperation;
  readonly findCaller: FindCaller;
  /** Null if the settings disable the console. */
  readonly consoleParts: ConsoleParts | null;
  /** What the interfaces of other services need; null if the settings disable them. */
  readonly compat: CompatServices | null;
  /** Request counters, shared by all services on a store. */
  readonly rates: Rates;
  /** Returns the remaining credits of a caller, for error responses; null if unlimited. */
  readonly remaining: (caller: Caller) => Promise<number | null>;
  readonly log: Logger;
  readonly newRequestId: () => string;
  /** Returns the reasons why the service is not ready; empty if it is. */
  readonly findObstacles: () => Promise<readonly string[]>;
  /** Aborted when the service starts to drain: new requests are rejected, running ones continue. */
  readonly draining: AbortSignal;
  /** The header that marks the service's own fetches. Requests with it are rejected, so that the service cannot call itself. */
  readonly depthHeader: string;
  /** Metrics in addition to those of the server, read on request. */
  readonly readings: readonly Metric[];
  /** The bearer token that permits `/metrics` to other clients than loopback; null for none. */
  readonly metricsToken: string | null;
  /** Origins whose pages may call the API (CORS). */
  readonly corsOrigins: readonly string[];
  /** CIDRs of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  readonly timeouts: Timeouts;
  readonly clock: Clock;
};
