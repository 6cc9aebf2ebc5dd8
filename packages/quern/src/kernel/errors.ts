/** Every error code of the API: its HTTP status, and whether the same call may succeed later. */
const ERRORS = {
  invalid_request: { status: 400, retryable: false },
  missing_api_key: { status: 401, retryable: false },
  invalid_api_key: { status: 401, retryable: false },
  plan_upgrade_required: { status: 402, retryable: false },
  credits_exhausted: { status: 402, retryable: false },
  free_plan_proxy_required: { status: 402, retryable: false },
  operator_key_required: { status: 403, retryable: false },
  tenant_suspended: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  idempotency_conflict: { status: 409, retryable: false },
  job_not_finished: { status: 409, retryable: true },
  job_failed: { status: 409, retryable: false },
  job_cancelled: { status: 409, retryable: false },
  archive_not_kept: { status: 409, retryable: false },
  result_expired: { status: 410, retryable: false },
  payload_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  extraction_failed: { status: 422, retryable: true },
  daily_credit_cap_exceeded: { status: 429, retryable: true },
  rate_limited: { status: 429, retryable: true },
  concurrency_limit_exceeded: { status: 429, retryable: true },
  queue_full: { status: 429, retryable: true },
  target_rate_limited: { status: 429, retryable: true },
  internal_error: { status: 500, retryable: true },
  target_blocked: { status: 502, retryable: false },
  proxy_required: { status: 502, retryable: false },
  target_unreachable: { status: 502, retryable: true },
  unusable_response: { status: 502, retryable: true },
  content_too_large: { status: 502, retryable: false },
  unsupported_content: { status: 502, retryable: false },
  backend_unavailable: { status: 503, retryable: true },
  timeout: { status: 504, retryable: true },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** The codes for a target that refused the request. */
const BLOCKED_CODES: ReadonlySet<ErrorCode> = new Set(['target_blocked', 'proxy_required', 'free_plan_proxy_required']);

export type ServiceErrorOptions = {
  readonly cause?: unknown;
  /** Overrides the table, for codes such as `target_blocked` where it depends on the case. */
  readonly retryable?: boolean;
  /** Seconds for the `Retry-After` header of a 429 or 503. */
  readonly retryAfterSeconds?: number;
  /** The single faults, if the message joins several. */
  readonly details?: readonly string[];
};

/** An error for the caller: a code of the table, and a message that says what to change. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  readonly details: readonly string[];

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.retryable = options.retryable ?? ERRORS[code].retryable;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.details = options.details ?? [];
  }
}

/** An error that the operator can fix; the message names the setting or file, and what to do. */
export class OperatorError extends Error {}

/** The body of every failed call; `diagnostics` is present for 429, 502, 503, 504 and if the target blocked. */
export type ErrorBody = {
  readonly request_id: string;
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly string[] };
  readonly diagnostics?: {
    readonly outcome: 'failed';
    readonly retryable: boolean;
    readonly blocked?: true;
    readonly timed_out?: true;
  };
};

/** Builds the error body; with `listsFaults` it also lists the single faults of the input. */
export function toErrorBody(error: ServiceError, requestId: string, listsFaults = false): ErrorBody {
  const { code, message } = error;
  const body = {
    request_id: requestId,
    error: { code, message, ...(listsFaults ? { details: listErrorDetails(error) } : {}) },
  };
  const blocked = BLOCKED_CODES.has(error.code);
  if (!blocked && ![429, 502, 503, 504].includes(error.status)) return body;
  return {
    ...body,
    diagnostics: {
      outcome: 'failed',
      retryable: error.retryable,
      ...(blocked ? { blocked: true as const } : {}),
      ...(error.code === 'timeout' ? { timed_out: true as const } : {}),
    },
  };
}

function listErrorDetails({ code, message, details }: ServiceError): readonly string[] {
  return code === 'invalid_request' && details.length === 0 ? [message] : details;
}

/** The HTTP status of a code. */
export function getErrorStatus(code: ErrorCode): number {
  return ERRORS[code].status;
}

/** Whether a text is one of the codes. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}
