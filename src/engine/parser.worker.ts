import { readPage } from '#extract/read-page.ts';
import type { ReadRequest, Reading } from '#extract/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ErrorCode } from '#kernel/errors.ts';

/** A reading, or the refusal that must cross the thread as plain data. */
export type ParserReply = Reading | { readonly code: ErrorCode; readonly message: string };

export function parsePage(request: ReadRequest): ParserReply {
  try {
    return readPage(request);
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.message };
    throw error;
  }
}
