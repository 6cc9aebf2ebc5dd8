import type { ServiceError } from '#kernel/errors.ts';
import {
  buildFailure,
  buildNameNotFound,
  buildUnreachable,
  buildUnreachableFor,
  DNS_TIMEOUT,
} from '#access/failure.ts';

type Facts = Parameters<typeof buildFailure>[2];

/** The reasons of socket errors, by their codes in Node, undici and Chromium. */
const CONNECTION_ERRORS: readonly (readonly [code: RegExp, reason: string, says: string])[] = [
  [/^(?:ERR_CONNECTION_REFUSED|ECONNREFUSED)$/, 'connection_refused', 'the connection was refused'],
  [/^(?:ERR_CONNECTION_RESET|ECONNRESET|EPIPE)$/, 'connection_reset', 'the connection was reset'],
  [
    /^(?:ERR_CONNECTION_(?:CLOSED|ABORTED)|ERR_EMPTY_RESPONSE|UND_ERR_SOCKET)$/,
    'connection_closed',
    'the connection was closed before an answer',
  ],
  [/^(?:ERR_ADDRESS_UNREACHABLE|EHOSTUNREACH|ENETUNREACH)$/, 'no_route', 'there is no route to it'],
];

/** Messages for certificate errors, by the codes of OpenSSL and Chromium. */
const CERTIFICATE_ERRORS: readonly (readonly [code: RegExp, says: string])[] = [
  [/CERT_HAS_EXPIRED/, 'its TLS certificate has expired'],
  [/CERT_NOT_YET_VALID/, 'its TLS certificate is not valid yet'],
  [/CERT_DATE_INVALID/, 'its TLS certificate has expired or is not valid yet'],
  [/SELF_SIGNED/, 'its TLS certificate is self-signed'],
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH|CERT_COMMON_NAME/, 'its TLS certificate is for another name'],
  [/REVOKED/, 'its TLS certificate was revoked'],
  [/AUTHORITY_INVALID|ISSUER|LEAF_SIGNATURE|UNTRUSTED/, 'its TLS certificate is signed by nobody who is trusted'],
  [/CERT|INVALID_(?:CA|PURPOSE)/, 'its TLS certificate was refused'],
];

/** The code of an error of Node or undici; empty if it has none. */
export function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The error for a connection that failed or broke before a response, by the code of its cause. */
export function toConnectionFailure(code: string, facts: NonNullable<Facts>): ServiceError {
  const [, reason, says] = CONNECTION_ERRORS.find(([pattern]) => pattern.test(code)) ?? [];
  return reason === undefined || says === undefined
    ? buildUnreachable(facts.cause)
    : buildUnreachableFor(reason, says, facts);
}

/** Codes of TLS handshakes that failed in transit or inside the target; all others fail every time. */
const TRANSIENT_TLS_CODES = /INTERNAL_ERROR|BAD_RECORD_MAC|DECRYPT|DECODE_ERROR|UNEXPECTED_EOF/;

/** The error for a failed TLS handshake; its code is the reason in the attempt log. */
export function toTlsFailure(code: string, facts: NonNullable<Facts>): ServiceError {
  const says = CERTIFICATE_ERRORS.find(([pattern]) => pattern.test(code))?.[1];
  const message = `the target could not be reached: ${says ?? 'the TLS handshake with it failed'}`;
  const reason = code.toLowerCase();
  return buildFailure('tls_error', message, { ...facts, reason, isPermanent: !TRANSIENT_TLS_CODES.test(code) });
}

/** The error for a failed DNS lookup, by the resolver's code. */
export function toDnsFailure(host: string, code: string, cause: unknown): ServiceError {
  if (NAME_NOT_FOUND_CODES.test(code) || INVALID_ZONE.test(host)) return buildNameNotFound(host, cause);
  if (DNS_TIMEOUT_CODES.test(code)) {
    const message = `the name ${host.slice(0, 100)} was not resolved in time`;
    return buildFailure('timeout', message, { reason: DNS_TIMEOUT, cause });
  }
  const says = `the name servers gave no answer for ${host.slice(0, 100)}`;
  return buildUnreachableFor('dns_failed', says, { cause });
}

/** Codes of `node:dns`: the name does not exist or has no address; timeout. All other errors are temporary. */
const NAME_NOT_FOUND_CODES = /^(?:ENOTFOUND|ENODATA|EBADNAME)?$/;
const DNS_TIMEOUT_CODES = /^(?:ETIMEOUT|ETIMEDOUT)$/;
/** The zone of names that never exist (RFC 6761), even if a name server returns an address. */
const INVALID_ZONE = /(?:^|\.)invalid\.?$/;
