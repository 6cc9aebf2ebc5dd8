import { workerData } from 'node:worker_threads';
import { openDesk } from '#engine/desk.ts';
import type { Refusal, Task } from '#engine/parsing.ts';
import type { Verdict } from '#engine/sites/answers.ts';
import type { ReadOrder } from '#engine/sites/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import { readSource } from './reading.ts';

const desk = openDesk(workerData instanceof SharedArrayBuffer ? workerData : undefined);

export function parsePage({ id, request }: Task<{ readonly request: ReadOrder }>): Verdict | Refusal {
  desk.lay(id);
  try {
    return readSource(request);
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.message };
    throw error;
  } finally {
    desk.lay(0);
  }
}
