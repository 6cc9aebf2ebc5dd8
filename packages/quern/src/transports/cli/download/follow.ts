import { z } from 'zod';
import { isTerminal, JobRecord } from '#engine/jobs/job-record.ts';
import type { CommandContext } from '#transports/cli/context.ts';
import { RetryingCaller } from '#transports/cli/job.ts';
import type { Sink } from './sinks.ts';

/** Pauses between retries while the service restarts; about a minute in total. */
const RETRY_PAUSES_S = [1, 2, 4, 8, 15, 30];
const MAX_ELEMENTS = 1000;

const ResultPage = z.looseObject({ next_cursor: z.string().nullable() });
const Elements = z.array(z.unknown());

/** The final record of a job, and its result body without the list. */
export type FinishedJob = { readonly record: JobRecord; readonly body: z.output<typeof ResultPage> };

/** Standard output was closed by its reader. */
export class ReaderGoneError extends Error {}

/** How to follow a job. */
export type FollowOptions = {
  readonly sink: Sink;
  /** The name of the list in the result. */
  readonly list: string;
  /** Whether the list grows while the job runs. */
  readonly grows: boolean;
  readonly show: (record: JobRecord) => void;
};

/**
 * Follows a job to its end, and passes new list elements to the sink as they arrive. Retries while the request rate is
 * exceeded or the service restarts. Throws `ReaderGoneError` if standard output is closed.
 */
export async function followJobList(
  id: string,
  { sink, list, grows, show }: FollowOptions,
  parts: CommandContext,
): Promise<FinishedJob> {
  const asker = new RetryingCaller(parts, RETRY_PAUSES_S);

  async function readPart(limit: number): Promise<FinishedJob['body']> {
    const cursor = sink.cursor();
    const page = { id, partial: true, limit, ...(cursor === null ? {} : { cursor }) };
    return ResultPage.parse(await asker.ask(parts.jobs.result, page));
  }

  /** Writes all elements after the cursor. The job may end meanwhile. */
  async function drain(record: JobRecord): Promise<void> {
    while (!sink.isComplete()) {
      const part = await readPart(MAX_ELEMENTS);
      const elements = Elements.parse(part[list]);
      if (elements.length > 0 || part.next_cursor === null) await sink.write(elements, part.next_cursor);
      if (!parts.terminal.isRead()) throw new ReaderGoneError();
      if (elements.length === 0) return;
      show(record);
    }
  }

  for (;;) {
    const record = JobRecord.parse(await asker.ask(parts.jobs.show, { id, wait_ms: asker.waitMs }));
    const isOver = isTerminal(record.status);
    if (isOver || (grows && record.progress.completed > sink.count())) await drain(record);
    show(record);
    if (isOver) return { record, body: await readPart(1) };
  }
}
