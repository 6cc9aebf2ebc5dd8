import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { ServiceError } from '#kernel/errors.ts';
import { portOf } from '#access/guard/ports.ts';
import type { ExitLease } from '#access/proxy/proxy-pool.ts';

/**
 * Says in an answer of the proxy's own what became of the connection: `unreachable`, `timeout`, `proxy_error` or `full`.
 * Targets' own are dropped.
 */
export const EGRESS_HEADER = 'quern-egress';

/** The bounds of what goes through one pass, and of each step: times in ms. */
export type EgressLimits = {
  /** For the head of a request. */
  readonly headMs: number;
  /** For the name and the connection, a proxy's answer included. */
  readonly connectMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** Connections at once. */
  readonly sockets: number;
  /** In both directions together. */
  readonly bytes: number;
  /** Connections that did not come about; each may be a line in the operator's log. */
  readonly failures: number;
};

export const EGRESS_LIMITS: EgressLimits = {
  headMs: 10_000,
  connectMs: 10_000,
  idleMs: 60_000,
  sockets: 128,
  bytes: 256 * 1024 * 1024,
  failures: 1_000,
};

/** Who may use the proxy: one browser, or one context of it. */
export type EgressCredentials = {
  readonly username: string;
  readonly password: string;
  /** Bytes in both directions so far. */
  readonly bytes: () => number;
  /** Why the last connection to the host of a URL did not come about, null if it did or none was asked for. */
  readonly failureOf: (url: URL) => ServiceError | null;
  /** Ends all connections of the pass, and lets it open no other. */
  readonly revoke: () => void;
};

/** What the proxy itself does with a pass. */
export type EgressGrant = {
  readonly lease: ExitLease | null;
  /** Whether the pass is good for a host. */
  readonly allows: (hostname: string) => boolean;
  /** Fires when the pass is revoked. */
  readonly signal: AbortSignal;
  /** Counts a connection until it closes; false, and nothing, when there are too many. */
  readonly enter: (socket: Duplex) => boolean;
  /** Counts bytes; past the bound the pass is revoked. */
  readonly count: (bytes: number) => void;
  /** Notes how a connection to a host and port went, null for well; after too many failures the pass is revoked. */
  readonly note: (authority: string, failure: ServiceError | null) => void;
};

const NOTED_HOSTS = 256;
const SECRET_BYTES = 24;

/** Builds the register of passes. */
export function buildCredentials({ sockets: mostSockets, bytes: mostBytes, failures: mostFailures }: EgressLimits) {
  const passes = new Map<
    string,
    { readonly password: Buffer; readonly admitted: EgressGrant; readonly pass: EgressCredentials }
  >();

  function admit(lease: ExitLease | null, allows: EgressGrant['allows'] = everywhere): EgressCredentials {
    const username = newSecret();
    const password = newSecret();
    const revoked = new AbortController();
    const sockets = new Set<Duplex>();
    const failures = new Map<string, ServiceError>();
    let bytes = 0;
    let failed = 0;

    function revoke(): void {
      passes.delete(username);
      revoked.abort();
      for (const socket of sockets) socket.destroy();
    }
    const pass: EgressCredentials = {
      username,
      password,
      bytes: () => bytes,
      failureOf: (url) => failures.get(authorityOf(url)) ?? null,
      revoke,
    };
    const admitted: EgressGrant = {
      lease,
      allows,
      signal: revoked.signal,
      enter(socket) {
        if (sockets.has(socket)) return true;
        if (sockets.size >= mostSockets || revoked.signal.aborted) return false;
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        return true;
      },
      count(more) {
        bytes += more;
        if (bytes > mostBytes) revoke();
      },
      note(authority, failure) {
        failures.delete(authority);
        if (failure === null) return;
        failed += 1;
        if (failed > mostFailures) return revoke();
        failures.set(authority, failure);
        const [oldest] = failures.keys();
        if (failures.size > NOTED_HOSTS && oldest !== undefined) failures.delete(oldest);
      },
    };
    passes.set(username, { password: Buffer.from(password), admitted, pass });
    return pass;
  }

  return {
    admit,
    /** The pass that a `Proxy-Authorization` header shows, or null. */
    find(header: string | undefined): EgressGrant | null {
      const [, encoded = ''] = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(header ?? '') ?? [];
      const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
      const known = passes.get(username);
      const given = Buffer.from(password, 'latin1');
      if (known === undefined || known.password.byteLength !== given.byteLength) return null;
      return timingSafeEqual(known.password, given) ? known.admitted : null;
    },
    revokeAll(): void {
      for (const { pass } of passes.values()) pass.revoke();
    },
  };
}

/** Host and port, the usual port of https written out: CONNECT does not tell the scheme. */
export function authorityOf(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

function everywhere(): true {
  return true;
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
