import { workerData } from 'node:worker_threads';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { openWatchdogCell, type ParserTask, buildTimedTask } from '#engine/reading/parser-thread.ts';

import type { SiteVerdict } from '#sites/framework/answers.ts';
import type { SourceReadRequest } from '#sites/framework/source-reader.ts';
import { readSource } from '#sites/read-source.ts';

const cell = openWatchdogCell(SYSTEM_CLOCK, workerData instanceof SharedArrayBuffer ? workerData : undefined);

/** Parses a page for a site endpoint. */
export const runTask = buildTimedTask(
  ({ id, request }: ParserTask<{ readonly request: SourceReadRequest }>): SiteVerdict => {
    cell.mark(id);
    try {
      return readSource(request);
    } finally {
      cell.mark(0);
    }
  },
);
