import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import type { VisitLimits } from './limits.ts';
import type { Outcome, Page } from './page.ts';

/** The outcomes of attempts without a page, and the error code for the caller. */
const ERROR_CODES = {
  unreachable: 'target_unreachable',
  tls_error: 'target_unreachable',
  timeout: 'timeout',
  proxy_error: 'backend_unavailable',
  render_failed: 'backend_unavailable',
  too_large: 'content_too_large',
  unusable: 'unusable_response',
  blocked: 'target_blocked',
} as const satisfies Partial<Record<Outcome, ErrorCode>>;

/** Reason: the caller's `wait_for_selector` did not match in time. */
export const SELECTOR_UNMATCHED = 'wait_for_selector';

/** Reason: the response violates HTTP; browsers tolerate most violations. */
export const PROTOCOL_ERROR = 'protocol';

/** Reason: the JavaScript framework of the page reports an error or rendered nothing. */
export const FRAMEWORK_FAILED = 'framework';

/** Reason: the browser shows its own error page instead of the document. */
export const BROWSER_ERROR_PAGE = 'error_page';

/** Reason: the proxies are disabled for this tenant after failures of its own calls. */
export const HELD_FOR_TENANT = 'held_for_tenant';

/** Reason: DNS timeout, which no other tier can fix. */
export const DNS_TIMEOUT = 'dns_timeout';

type FailureFacts = {
  readonly reason?: string;
  readonly status?: number | undefined;
  readonly bytes?: number;
  readonly cause?: unknown;
  /** The part of the page that was received before it broke off. */
  readonly partial?: Page;
  /** Whether the failure lasts longer than minutes, so that retrying is useless. */
  readonly isPermanent?: boolean;
};

/** The details of an attempt without a page, for the ladder; it is the `cause` of the caller's error. */
export class AttemptFailure extends Error {
  readonly outcome: keyof typeof ERROR_CODES;
  readonly facts: FailureFacts;

  constructor(outcome: keyof typeof ERROR_CODES, facts: FailureFacts) {
    super(facts.reason ?? outcome, { cause: facts.cause });
    this.name = 'AttemptFailure';
    this.outcome = outcome;
    this.facts = facts;
  }
}

/** Builds the error of an attempt without a page: the message for the caller, and the details for the attempt log. */
export function buildFailure(
  outcome: keyof typeof ERROR_CODES,
  message: string,
  facts: FailureFacts = {},
): ServiceError {
  const retries = facts.isPermanent === true ? { retryable: false } : {};
  return new ServiceError(ERROR_CODES[outcome], message, { cause: new AttemptFailure(outcome, facts), ...retries });
}

/** A tier cannot serve this kind of request, independent of the target; it is the `cause` of the caller's error. */
export class TierUnsupported extends Error {}

/** The attempt failure that caused an error; null if there is none. */
export function findAttemptFailure(error: unknown): AttemptFailure | null {
  return error instanceof ServiceError && error.cause instanceof AttemptFailure ? error.cause : null;
}

/** Adds details to an attempt failure without replacing existing ones; other errors are returned unchanged. */
export function addFailureFacts(error: unknown, facts: FailureFacts): unknown {
  if (!(error instanceof ServiceError) || !(error.cause instanceof AttemptFailure)) return error;
  const { outcome, facts: known } = error.cause;
  return buildFailure(outcome, error.message, { ...facts, ...known });
}

const UNREACHED_MESSAGE = 'the target could not be reached';

/** The error for a target that cannot be reached for an unknown reason. */
export function buildUnreachable(cause?: unknown): ServiceError {
  return buildFailure('unreachable', UNREACHED_MESSAGE, { cause });
}

/** The error for a target that cannot be reached: `reason` for the attempt log, `says` for the caller. */
export function buildUnreachableFor(reason: string, says: string, facts: FailureFacts = {}): ServiceError {
  return buildFailure('unreachable', `${UNREACHED_MESSAGE}: ${says}`, { ...facts, reason });
}

/** One error for names that do not exist and for names with refused addresses, so that callers cannot tell them apart. */
export function buildNameNotFound(host: string, cause?: unknown): ServiceError {
  const says = `the name ${host.slice(0, 100)} was not found, or has no public address`;
  return buildUnreachableFor('name_not_found', says, { cause, isPermanent: true });
}

/** The error for a target whose address the guard refuses. */
export function buildRefusedTarget(host: string, isOpenable: boolean): ServiceError {
  const hint = isOpenable ? '; to allow it, add it to QUERN_ALLOW_TARGETS' : '';
  const says = `this service does not connect to ${host.slice(0, 100)}${hint}`;
  return buildUnreachableFor('refused_target', says, { isPermanent: true });
}

/** The error for a page of more than `most` bytes. */
export function buildPageTooLarge(most: number, facts: FailureFacts): ServiceError {
  return buildFailure('too_large', `the page is larger than ${most / 2 ** 20} MiB`, facts);
}

/** The error for a redirect to an address that cannot be visited. */
export function buildInvalidRedirect(facts: FailureFacts = { reason: 'redirect' }): ServiceError {
  const message = 'the target redirects to an address that cannot be followed';
  return buildFailure('unusable', message, { ...facts, isPermanent: true });
}

/** The error for a page that navigates to an address that cannot be visited. */
export function buildInvalidNavigation(): ServiceError {
  const message = 'the page leads to an address that cannot be followed';
  return buildFailure('unusable', message, { reason: 'redirect', isPermanent: true });
}

/** The error for too many redirects. */
export function buildTooManyRedirects({ redirects }: Pick<VisitLimits, 'redirects'>): ServiceError {
  const message = `the target redirects more than ${redirects} times`;
  return buildFailure('unusable', message, { reason: 'redirects', isPermanent: true });
}

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
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH|CERT_COMMON_NAME/, 'its TLS certificate is for another host name'],
  [/REVOKED/, 'its TLS certificate was revoked'],
  [/AUTHORITY_INVALID|ISSUER|LEAF_SIGNATURE|UNTRUSTED/, 'its TLS certificate is not signed by a trusted authority'],
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
  const says = `the name servers did not answer for ${host.slice(0, 100)}`;
  return buildUnreachableFor('dns_failed', says, { cause });
}

/** Codes of `node:dns`: the name does not exist or has no address; timeout. All other errors are temporary. */
const NAME_NOT_FOUND_CODES = /^(?:ENOTFOUND|ENODATA|EBADNAME)?$/;
const DNS_TIMEOUT_CODES = /^(?:ETIMEOUT|ETIMEDOUT)$/;
/** The zone of names that never exist (RFC 6761), even if a name server returns an address. */
const INVALID_ZONE = /(?:^|\.)invalid\.?$/;
