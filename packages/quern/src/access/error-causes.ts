import type { ServiceError } from '#kernel/errors.ts';
import { failed, nameNotFound, unreachable, unreachableFor, UNRESOLVED } from '#access/failure.ts';

type Facts = Parameters<typeof failed>[2];

/** The reasons of socket errors, by their codes in Node, undici and Chromium. */
const CONNECTIONS: readonly (readonly [code: RegExp, reason: string, says: string])[] = [
  [/^(?:ERR_CONNECTION_REFUSED|ECONNREFUSED)$/, 'connection_refused', 'the connection was refused'],
  [/^(?:ERR_CONNECTION_RESET|ECONNRESET|EPIPE)$/, 'connection_reset', 'the connection was reset'],
  [
    /^(?:ERR_CONNECTION_(?:CLOSED|ABORTED)|ERR_EMPTY_RESPONSE|UND_ERR_SOCKET)$/,
    'connection_closed',
    'the connection was closed before an answer',
  ],
  [/^(?:ERR_ADDRESS_UNREACHABLE|EHOSTUNREACH|ENETUNREACH)$/, 'no_route', 'there is no route to it'],
];

/** The faults of certificates, by the codes of OpenSSL and Chromium. */
const CERTIFICATES: readonly (readonly [code: RegExp, says: string])[] = [
  [/CERT_HAS_EXPIRED/, 'its TLS certificate has expired'],
  [/CERT_NOT_YET_VALID/, 'its TLS certificate is not valid yet'],
  [/CERT_DATE_INVALID/, 'its TLS certificate has expired or is not valid yet'],
  [/SELF_SIGNED/, 'its TLS certificate is self-signed'],
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH|CERT_COMMON_NAME/, 'its TLS certificate is for another name'],
  [/REVOKED/, 'its TLS certificate was revoked'],
  [/AUTHORITY_INVALID|ISSUER|LEAF_SIGNATURE|UNTRUSTED/, 'its TLS certificate is signed by nobody who is trusted'],
  [/CERT|INVALID_(?:CA|PURPOSE)/, 'its TLS certificate was refused'],
];

/** The code of an error of Node or undici, empty for none. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The error of a connection that failed or broke before an answer, by the code of its cause. */
export function toUnreached(code: string, facts: NonNullable<Facts>): ServiceError {
  const [, reason, says] = CONNECTIONS.find(([pattern]) => pattern.test(code)) ?? [];
  return reason === undefined || says === undefined ? unreachable(facts.cause) : unreachableFor(reason, says, facts);
}

/** Handshakes that were disturbed on the way or failed within the target; all others fail the same way every time. */
const DISTURBED = /INTERNAL_ERROR|BAD_RECORD_MAC|DECRYPT|DECODE_ERROR|UNEXPECTED_EOF/;

/** The error of a TLS handshake that failed; its code is the reason for the attempt log. */
export function toTlsFailure(code: string, facts: NonNullable<Facts>): ServiceError {
  const says = CERTIFICATES.find(([pattern]) => pattern.test(code))?.[1];
  const message = `the target could not be reached: ${says ?? 'the TLS handshake with it failed'}`;
  const reason = code.toLowerCase();
  return failed('tls_error', message, { ...facts, reason, isPermanent: !DISTURBED.test(code) });
}

/** The error of a name without an answer, by the resolver's code. */
export function toUnresolved(host: string, code: string, cause: unknown): ServiceError {
  if (NOT_FOUND.test(code) || NEVER_FOUND.test(host)) return nameNotFound(host, cause);
  if (TIMED_OUT.test(code)) {
    const message = `the name ${host.slice(0, 100)} was not resolved in time`;
    return failed('timeout', message, { reason: UNRESOLVED, cause });
  }
  const says = `the name servers gave no answer for ${host.slice(0, 100)}`;
  return unreachableFor('dns_failed', says, { cause });
}

/** Codes of `node:dns`: there is no such name, or it has no address; no answer in time. All others may pass. */
const NOT_FOUND = /^(?:ENOTFOUND|ENODATA|EBADNAME)?$/;
const TIMED_OUT = /^(?:ETIMEOUT|ETIMEDOUT)$/;
/** The zone of names that never exist (RFC 6761), whatever name servers say. */
const NEVER_FOUND = /(?:^|\.)invalid\.?$/;
