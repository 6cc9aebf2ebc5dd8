import { workerData } from 'node:worker_threads';
import { readPage } from '#extract/read-page.ts';
import type { ReadRequest, Reading } from '#extract/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import { openDesk } from './desk.ts';

/** One page to read, by a number that is its own among those in the thread. */
export type ParserTask = { readonly id: number; readonly request: ReadRequest };

/** A reading, or the refusal that must cross the thread as plain data. */
export type ParserReply = Reading | { readonly code: ErrorCode; readonly message: string };

const desk = openDesk(workerData instanceof SharedArrayBuffer ? workerData : undefined);

export function parsePage({ id, request }: ParserTask): ParserReply {
  desk.lay(id);
  try {
    return readPage(request);
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.message };
    throw error;
  } finally {
    desk.lay(0);
  }
}
