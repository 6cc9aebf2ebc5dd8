import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { ServiceError } from '#kernel/errors.ts';
import { getPort } from '#access/guard/ports.ts';
import type { ExitLease } from '#access/proxy/proxy-pool.ts';

/**
 * Response header of the egress proxy's own error responses: `unreachable`, `timeout`, `proxy_error` or `full`. It is removed
 * from responses of targets.
 */
export const EGRESS_HEADER = 'quern-egress';

/** Limits for one set of credentials and for each step; times in ms. */
export type EgressLimits = {
  /** For the head of a request. */
  readonly headMs: number;
  /** For DNS and the connection, including a proxy's response. */
  readonly connectMs: number;
  /** Without traffic in either direction. */
  readonly idleMs: number;
  /** Concurrent connections. */
  readonly sockets: number;
  /** Total of both directions. */
  readonly bytes: number;
  /** Failed connections; limited, because each may cause a log line. */
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

/** Proxy credentials for one browser or one browser context. */
export type EgressCredentials = {
  readonly username: string;
  readonly password: string;
  /** Bytes in both directions so far. */
  readonly bytes: () => number;
  /** The error of the last connection to the host of a URL; null if it succeeded or there was none. */
  readonly failureOf: (url: URL) => ServiceError | null;
  /** Closes all its connections and rejects new ones. */
  readonly revoke: () => void;
};

/** The egress proxy's side of issued credentials. */
export type EgressGrant = {
  readonly lease: ExitLease | null;
  /** Whether the credentials allow a host. */
  readonly allows: (hostname: string) => boolean;
  /** Fires when they are revoked. */
  readonly signal: AbortSignal;
  /** Counts a connection until it closes; returns false if there are too many. */
  readonly enter: (socket: Duplex) => boolean;
  /** Counts bytes; revokes the credentials above the limit. */
  readonly count: (bytes: number) => void;
  /** Records the result of a connection (null: success); revokes the credentials after too many failures. */
  readonly note: (authority: string, failure: ServiceError | null) => void;
};

const MAX_NOTED_HOSTS = 256;
const SECRET_BYTES = 24;

/** Creates the registry of issued credentials. */
export function createCredentialsRegistry(limits: EgressLimits) {
  const issued = new Map<
    string,
    { readonly password: Buffer; readonly grant: EgressGrant; readonly credentials: EgressCredentials }
  >();

  function admit(lease: ExitLease | null, allows: EgressGrant['allows'] = allowAll): EgressCredentials {
    const username = createSecret();
    const password = createSecret();
    const revoked = new AbortController();
    const sockets = new Set<Duplex>();
    const failures = new Map<string, ServiceError>();
    let bytes = 0;
    let failed = 0;

    function revoke(): void {
      issued.delete(username);
      revoked.abort();
      for (const socket of sockets) socket.destroy();
    }
    const credentials: EgressCredentials = {
      username,
      password,
      bytes: () => bytes,
      failureOf: (url) => failures.get(formatAuthority(url)) ?? null,
      revoke,
    };
    const grant: EgressGrant = {
      lease,
      allows,
      signal: revoked.signal,
      enter(socket) {
        if (sockets.has(socket)) return true;
        if (sockets.size >= limits.sockets || revoked.signal.aborted) return false;
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        return true;
      },
      count(more) {
        bytes += more;
        if (bytes > limits.bytes) revoke();
      },
      note(authority, failure) {
        failures.delete(authority);
        if (failure === null) return;
        failed += 1;
        if (failed > limits.failures) return revoke();
        failures.set(authority, failure);
        const [oldest] = failures.keys();
        if (failures.size > MAX_NOTED_HOSTS && oldest !== undefined) failures.delete(oldest);
      },
    };
    issued.set(username, { password: Buffer.from(password), grant, credentials });
    return credentials;
  }

  return {
    admit,
    /** The grant for the credentials of a `Proxy-Authorization` header, or null. */
    find(header: string | undefined): EgressGrant | null {
      const [, encoded = ''] = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(header ?? '') ?? [];
      const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
      const known = issued.get(username);
      const sent = Buffer.from(password, 'latin1');
      if (known === undefined || known.password.byteLength !== sent.byteLength) return null;
      return timingSafeEqual(known.password, sent) ? known.grant : null;
    },
    revokeAll(): void {
      for (const { credentials } of issued.values()) credentials.revoke();
    },
  };
}

/** Host and port of a URL; the default port is included, because CONNECT has no scheme. */
export function formatAuthority(url: URL): string {
  return `${url.hostname}:${getPort(url)}`;
}

function allowAll(): true {
  return true;
}

function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
