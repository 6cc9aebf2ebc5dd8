/** The facts of a refusal or failure that the service answered. */
export type FailureFacts = {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Whether the site refused the visit. */
  readonly blocked: boolean;
  readonly timedOut: boolean;
  /** Seconds that the service asks to wait, null where it says nothing. */
  readonly retryAfter: number | null;
  /** The job that failed, null for a call without one. */
  readonly jobId: string | null;
};

/** A refusal or failure that the service answered, or with which a job ended. */
export class QuernError extends Error implements FailureFacts {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly retryable: boolean;
  readonly blocked: boolean;
  readonly timedOut: boolean;
  readonly retryAfter: number | null;
  readonly jobId: string | null;

  constructor(message: string, facts: FailureFacts) {
    super(`${facts.code}: ${message}`);
    this.name = 'QuernError';
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.retryable = facts.retryable;
    this.blocked = facts.blocked;
    this.timedOut = facts.timedOut;
    this.retryAfter = facts.retryAfter;
    this.jobId = facts.jobId;
  }
}

/** A call that got no answer, or not all of one: the service cannot be reached, or was too slow. */
export class QuernConnectionError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'QuernConnectionError';
  }
}

/** A delivery that is not signed with the secret, or is too old. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookError';
  }
}
