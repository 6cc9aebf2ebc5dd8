import { workerData } from 'node:worker_threads';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { openWatchdogCell } from '#engine/reading/watchdog-cell.ts';
import { buildTimedTask } from '#engine/reading/timed-task.ts';
import type { ParserRefusal, ParserTask } from '#engine/reading/parser-queue.ts';
import type { SiteVerdict } from '#features/sites/answers.ts';
import type { ReadOrder } from '#features/sites/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import { readSource } from './reading.ts';

const cell = openWatchdogCell(SYSTEM_CLOCK, workerData instanceof SharedArrayBuffer ? workerData : undefined);

export const runTask = buildTimedTask(
  ({ id, request }: ParserTask<{ readonly request: ReadOrder }>): SiteVerdict | ParserRefusal => {
    cell.mark(id);
    try {
      return readSource(request);
    } catch (error) {
      if (error instanceof ServiceError) return { code: error.code, message: error.message };
      throw error;
    } finally {
      cell.mark(0);
    }
  },
);
