import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import type { VisitLimits } from './limits.ts';
import type { Outcome, Page } from './page.ts';

/** The outcomes of attempts that bring no page, with the code that the caller gets. */
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

/** The reason of a timeout by the caller's own selector. */
export const SELECTOR_UNMATCHED = 'wait_for_selector';

/** The reason of an answer that is not as its protocol wants it, which browsers mostly forgive. */
export const PROTOCOL_ERROR = 'protocol';

/** The reason of a page whose own framework says that it failed, or left its root empty. */
export const FRAMEWORK_FAILED = 'framework';

/** The reason of a document in whose place the browser shows a page of its own. */
export const BROWSER_ERROR_PAGE = 'error_page';

/** The reason of proxies that one tenant may not use for a while, by what its own calls met. */
export const HELD_FOR_TENANT = 'held_for_tenant';

/** The reason of a name that the name servers did not answer for in time: no other tier knows more of it. */
export const DNS_TIMEOUT = 'dns_timeout';

type FailureFacts = {
  readonly reason?: string;
  readonly status?: number | undefined;
  readonly bytes?: number;
  readonly cause?: unknown;
  /** The page as far as it came before it broke off. */
  readonly partial?: Page;
  /** Whether it lasts longer than minutes, so that trying again is useless. */
  readonly isPermanent?: boolean;
};

/** The facts of an attempt without a page, for the ladder; travels as the `cause` of the caller's error. */
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

/** The error of an attempt without a page: the caller's sentence, and the facts for the attempt log. */
export function failed(outcome: keyof typeof ERROR_CODES, message: string, facts: FailureFacts = {}): ServiceError {
  const retries = facts.isPermanent === true ? { retryable: false } : {};
  return new ServiceError(ERROR_CODES[outcome], message, { cause: new AttemptFailure(outcome, facts), ...retries });
}

/** Why a tier cannot serve a request at all, whatever the target does; travels as the `cause` of the caller's error. */
export class TierUnsupported extends Error {}

/** The failure of an attempt, where an error has one. */
export function attemptFailureOf(error: unknown): AttemptFailure | null {
  return error instanceof ServiceError && error.cause instanceof AttemptFailure ? error.cause : null;
}

/** The same failure with more facts, which do not replace its own. */
export function addFailureFacts(error: unknown, facts: FailureFacts): unknown {
  if (!(error instanceof ServiceError) || !(error.cause instanceof AttemptFailure)) return error;
  const { outcome, facts: known } = error.cause;
  return failed(outcome, error.message, { ...facts, ...known });
}

const UNREACHED_MESSAGE = 'the target could not be reached';

/** A target that cannot be reached for an unknown reason. */
export function buildUnreachable(cause?: unknown): ServiceError {
  return failed('unreachable', UNREACHED_MESSAGE, { cause });
}

/** A target that cannot be reached for a known reason: its word for the attempt log, and the clause for the caller. */
export function buildUnreachableFor(reason: string, says: string, facts: FailureFacts = {}): ServiceError {
  return failed('unreachable', `${UNREACHED_MESSAGE}: ${says}`, { ...facts, reason });
}

/** One answer for a name that does not exist and for one whose addresses are refused, which so look alike. */
export function nameNotFound(host: string, cause?: unknown): ServiceError {
  const says = `the name ${host.slice(0, 100)} was not found, or has no public address`;
  return buildUnreachableFor('name_not_found', says, { cause, isPermanent: true });
}

/** A target that leads to an address that is refused by its form alone. */
export function refusedTarget(host: string, isOpenable: boolean): ServiceError {
  const hint = isOpenable ? '; QUERN_ALLOW_TARGETS would allow it' : '';
  const says = `it leads to ${host.slice(0, 100)}, which this service does not visit${hint}`;
  return buildUnreachableFor('refused_target', says, { isPermanent: true });
}

/** A page of more bytes than `most`. */
export function buildPageTooLarge(most: number, facts: FailureFacts): ServiceError {
  return failed('too_large', `the page is larger than ${most / 2 ** 20} MiB`, facts);
}

/** A target that sends its visitors where no page is. */
export function buildInvalidRedirect(facts: FailureFacts = { reason: 'redirect' }): ServiceError {
  const message = 'the target redirects to an address that cannot be followed';
  return failed('unusable', message, { ...facts, isPermanent: true });
}

/** A page that goes where no page is. */
export function buildInvalidNavigation(): ServiceError {
  const message = 'the page leads to an address that cannot be followed';
  return failed('unusable', message, { reason: 'redirect', isPermanent: true });
}

/** A target whose redirects do not come to an end. */
export function buildTooManyRedirects({ redirects }: Pick<VisitLimits, 'redirects'>): ServiceError {
  const message = `the target redirects more than ${redirects} times`;
  return failed('unusable', message, { reason: 'redirects', isPermanent: true });
}
