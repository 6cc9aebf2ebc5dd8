import { z } from 'zod';
import { isTerminal, JobRecord } from '#engine/jobs/job-record.ts';
import type { CliParts } from '#transports/cli/parts.ts';
import { PatientAsker } from '#transports/cli/job.ts';
import type { Sink } from './sinks.ts';

/** A service that restarts is waited for; about a minute in all. */
const RETRY_PAUSES_S = [1, 2, 4, 8, 15, 30];
const MAX_ELEMENTS = 1000;

const Part = z.looseObject({ next_cursor: z.string().nullable() });
const Elements = z.array(z.unknown());

/** The final record of a job, and the body of its result without the list. */
export type Followed = { readonly record: JobRecord; readonly body: z.output<typeof Part> };

/** The reader of standard output is gone. */
export class ReaderGone extends Error {}

export type FollowOptions = {
  readonly sink: Sink;
  /** The member of the result that is the long list. */
  readonly list: string;
  /** Whether the list grows while the job runs. */
  readonly grows: boolean;
  readonly show: (record: JobRecord) => void;
};

/**
 * Follows a job to its end and hands what its list gets to the sink, as it comes. Outlasts the request rate of the plan
 * and a service that restarts; throws `Unread`, and whatever else stands in the way.
 */
export async function follow(
  id: string,
  { sink, list, grows, show }: FollowOptions,
  parts: CliParts,
): Promise<Followed> {
  const asker = new PatientAsker(parts, RETRY_PAUSES_S);

  async function readPart(limit: number): Promise<Followed['body']> {
    const cursor = sink.cursor();
    const page = { id, partial: true, limit, ...(cursor === null ? {} : { cursor }) };
    return Part.parse(await asker.ask(parts.jobs.result, page));
  }

  /** Writes what there is beyond the cursor. The job may end meanwhile, and its list with it. */
  async function drain(record: JobRecord): Promise<void> {
    while (!sink.isWhole()) {
      const part = await readPart(MAX_ELEMENTS);
      const elements = Elements.parse(part[list]);
      if (elements.length > 0 || part.next_cursor === null) await sink.write(elements, part.next_cursor);
      if (!parts.terminal.isRead()) throw new ReaderGone();
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
