import type { ErrorCode, ServiceError } from '#kernel/errors.ts';
import type { CompatReply } from './interface.ts';

/** The codes of Firecrawl for errors that mean the same; others are Quern's in capitals. */
const CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_request: 'BAD_REQUEST',
  timeout: 'SCRAPE_TIMEOUT',
  unsupported_content: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
  target_unreachable: 'SCRAPE_SITE_ERROR',
  internal_error: 'UNKNOWN_ERROR',
};

/** Statuses of Quern that its clients do not know, with the nearest one that they do. */
const STATUSES: ReadonlyMap<number, number> = new Map([
  [410, 404],
  [422, 500],
  [504, 408],
]);

/** Writes an error as `{success: false, error, code, details}`, with a status that the clients understand. */
export function describeFirecrawlFailure(error: ServiceError): CompatReply {
  const { code, message, status, details } = error;
  return {
    status: STATUSES.get(status) ?? status,
    json: {
      success: false,
      error: message,
      code: CODES[code] ?? code.toUpperCase(),
      ...(details.length === 0 ? {} : { details }),
    },
  };
}

/** The reply to a call of something that Quern does not have. */
export function refuseUnknown(what: string): CompatReply {
  return { status: 501, json: { success: false, error: `${what} is not served by Quern`, code: 'NOT_IMPLEMENTED' } };
}
