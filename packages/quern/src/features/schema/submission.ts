import { z } from 'zod';
import { type SendOnce, SUBMIT_METHODS, type Submission } from '#access/page.ts';
import type { ReportProgress } from '#engine/call/operation.ts';
import { LeaseLost, SpentFailure } from '#engine/jobs/lease.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import { toBackendUnavailable } from '#store/store-failure.ts';

/** Largest encoded body of a request. */
const MAX_BODY_BYTES = 2 ** 20;

const METHODS = ['GET', ...SUBMIT_METHODS] as const;

const Body = z.strictObject({
  json: z
    .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .optional()
    .describe('Object or list, sent as JSON'),
  form: z.record(z.string(), z.string()).optional().describe('Form fields by name, sent URL-encoded'),
  text: z.string().optional().describe('Text, sent as it is with content_type'),
  content_type: z
    .string()
    .regex(
      /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:[ \t]*;[\t\x20-\x7e]{0,300})?$/,
      'must be a media type, such as text/xml',
    )
    .optional()
    .describe(
      'Media type of the body; required with text, by default application/json or application/x-www-form-urlencoded',
    ),
});

type Body = z.output<typeof Body>;

/** Parameters for requests with other methods than GET. */
export const SUBMISSION_FIELDS = {
  method: z
    .enum(METHODS)
    .default('GET')
    .describe(
      'Request method; any but GET is sent without a browser, and at most once unless headers has Idempotency-Key',
    ),
  body: Body.optional().describe('Request body, one of json, form and text, up to 1 MiB; not with method GET'),
} as const;

type SubmissionInput = z.output<z.ZodObject<typeof SUBMISSION_FIELDS>> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly max_age_ms: number;
};

/** Reports parameters that do not fit the method. */
export function checkSubmission(input: SubmissionInput, context: z.RefinementCtx): void {
  const { method, body, headers, max_age_ms: maxAgeMs } = input;
  const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
  if (method === 'GET' && body !== undefined) refuse('body', 'cannot be sent with GET; set method to POST');
  if (method !== 'GET' && maxAgeMs > 0)
    refuse('max_age_ms', `cannot be used with method ${method}, which is never cached`);
  if (body === undefined) return;
  const kinds = [body.json, body.form, body.text].filter((one) => one !== undefined);
  if (kinds.length !== 1) refuse('body', 'must have exactly one of json, form and text');
  if (body.text !== undefined && body.content_type === undefined) refuse('body', 'text needs content_type');
  if (headers['content-type'] !== undefined) refuse('headers', 'use body.content_type to set Content-Type');
  if (Buffer.byteLength(encodeBody(body)) > MAX_BODY_BYTES) refuse('body', 'is larger than 1 MiB');
}

/**
 * Builds the request of a call; null for a GET. The target gets it at most once, unless the caller sends an
 * Idempotency-Key to it. `reportProgress` prevents that a job runs again; null for a call that is not a job.
 */
export function buildSubmission(input: SubmissionInput, reportProgress: ReportProgress | null): Submission | null {
  const { method, body, headers } = input;
  if (method === 'GET') return null;
  return {
    method,
    body: body === undefined ? null : encodeBody(body),
    contentType: body === undefined ? null : (body.content_type ?? chooseContentType(body)),
    once: headers['idempotency-key'] === undefined ? createSendOnce(reportProgress) : null,
  };
}

/**
 * Converts an error after which a request must not be sent again to one that says so; `signal` is that of the call. The
 * error of a lost lease is returned unchanged.
 */
export function toSpentError(error: unknown, method: Submission['method'], signal: AbortSignal): unknown {
  if (error instanceof LeaseLost) return error;
  const { code, message } = toKnownError(error, signal);
  return new ServiceError(code, `${message}; the target may have got the ${method}, which is not sent again`, {
    cause: new SpentFailure(message, { cause: error }),
    retryable: false,
  });
}

function toKnownError(error: unknown, signal: AbortSignal): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreUnavailable) return toBackendUnavailable(error);
  if (signal.aborted) return new ServiceError('timeout', 'the call ended before the response was ready');
  return new ServiceError('internal_error', 'unexpected error; report the request id to the operator');
}

function createSendOnce(reportProgress: ReportProgress | null): SendOnce {
  let isSent = false;
  return {
    isSent: () => isSent,
    async beforeSend() {
      // A redirect may repeat the request at another URL.
      if (isSent) return;
      isSent = true;
      await reportProgress?.([], { begun: 1, completed: 0, failed: 0 });
    },
  };
}

function encodeBody({ json, form, text = '' }: Body): string {
  if (json !== undefined) return JSON.stringify(json);
  return form === undefined ? text : new URLSearchParams(form).toString();
}

function chooseContentType({ json }: Body): string {
  return json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
}
