import { errors } from 'undici';
import { errorCodeOf, toTlsFailure, toUnreached } from '#access/error-causes.ts';
import { attemptFailureOf, failed, PROTOCOL } from '#access/failure.ts';
import { ServiceError } from '#kernel/errors.ts';
import { MALFORMED } from '#access/answer-reader.ts';

export const SLOW = 'the target did not answer in time';

/** The part of an answer that came before the failure. */
export type PartialResponse = { readonly begun: boolean; readonly status: number | undefined; readonly bytes: number };

/** The error for the caller, by the error of undici. */
export function toHttpFailure(error: Error, { begun, status, bytes }: PartialResponse): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = errorCodeOf(error);
  const facts = { status, bytes, cause: error };
  if (error instanceof errors.ConnectTimeoutError) return failed('timeout', SLOW, { ...facts, reason: 'connect' });
  if (error instanceof errors.InvalidArgumentError) {
    return new ServiceError('invalid_request', `headers: ${error.message}`, { cause: error });
  }
  if (TLS_CODES.test(code)) return toTlsFailure(code, facts);
  if (error instanceof errors.HeadersOverflowError) return tooManyHeaders();
  if (begun || MALFORMED_CODES.test(code)) return failed('unusable', MALFORMED, { ...facts, reason: PROTOCOL });
  return toUnreached(code, facts);
}

const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_|EPROTO$)/;
const MALFORMED_CODES = /^(HPE_|ERR_HTTP2_)/;

/** Whether a connection broke: a kept-alive one may close just as it is used again, and a request that changes nothing is safe to repeat. */
export function isBrokenSocket(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'target_unreachable') return false;
  const { cause } = error;
  const socketError = cause instanceof Error ? cause.cause : null;
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(errorCodeOf(socketError));
}

/** The error of an answer whose header fields are too large. */
export function tooManyHeaders(): ServiceError {
  return failed('unusable', MALFORMED, { reason: 'header_bytes', isPermanent: true });
}

/** Whether undici's parser refused the form of an answer, which a more tolerant reader may understand. */
export function isRefusedForm(error: unknown): boolean {
  const { facts } = attemptFailureOf(error) ?? {};
  const cause = facts?.cause;
  if (!(cause instanceof Error)) return false;
  // With a length known, undici calls each error of its parser a length that does not match; 100 is no answer to it.
  return (
    cause instanceof errors.HTTPParserError ||
    cause instanceof errors.ResponseContentLengthMismatchError ||
    (cause instanceof errors.SocketError && cause.message === 'bad response')
  );
}
