import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { isTerminal, JobRecord } from '#engine/job-record.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { CliParts } from '#transports/cli/cli.ts';
import { findOperation } from '#transports/cli/job.ts';
import type { Sink } from './sinks.ts';

const WAIT_MS = 1000;
/** Where following a job uses up the request rate of the plan, it asks less often. */
const PATIENT_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;
/** A service that restarts is waited for; about a minute in all. */
const RETRY_PAUSES_S = [1, 2, 4, 8, 15, 30];
const MOST_ELEMENTS = 1000;

const Part = z.looseObject({ next_cursor: z.string().nullable() });
const Elements = z.array(z.unknown());

/** How a job ended, and the body of its result but for the list. */
export type Followed = { readonly record: JobRecord; readonly body: z.output<typeof Part> };

/** Nobody reads standard output any more. */
export class Unread extends Error {}

export type Following = {
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
export async function follow(id: string, { sink, list, grows, show }: Following, parts: CliParts): Promise<Followed> {
  const ask = patientAsking(parts);

  async function readPart(limit: number): Promise<Followed['body']> {
    const cursor = sink.cursor();
    const page = { id, partial: true, limit, ...(cursor === null ? {} : { cursor }) };
    return Part.parse(await ask('jobs.result', page));
  }

  /** Writes what there is beyond the cursor. The job may end meanwhile, and its list with it. */
  async function drain(record: JobRecord): Promise<void> {
    while (!sink.isWhole()) {
      const part = await readPart(MOST_ELEMENTS);
      const elements = Elements.parse(part[list]);
      if (elements.length > 0 || part.next_cursor === null) await sink.write(elements, part.next_cursor);
      if (!parts.terminal.isRead()) throw new Unread();
      if (elements.length === 0) return;
      show(record);
    }
  }

  for (;;) {
    const record = JobRecord.parse(await ask('jobs.show', { id, wait_ms: ask.waitMs() }));
    const isOver = isTerminal(record.status);
    if (isOver || (grows && record.progress.completed > sink.count())) await drain(record);
    show(record);
    if (isOver) return { record, body: await readPart(1) };
  }
}

/** Asks an operation by its id, again and again while the service is busy or away. */
function patientAsking(parts: CliParts) {
  const { interrupted, terminal } = parts;
  let waitMs = WAIT_MS;

  async function ask(id: string, raw: unknown): Promise<unknown> {
    for (let away = 0; ;) {
      try {
        interrupted().throwIfAborted();
        return (await parts.ask(findOperation(parts, id), raw)).body;
      } catch (error) {
        if (interrupted().aborted || !(error instanceof ServiceError)) throw error;
        if (error.code !== 'rate_limited' && error.code !== 'backend_unavailable') throw error;
        if (error.code === 'rate_limited') waitMs = PATIENT_WAIT_MS;
        const pause = error.code === 'rate_limited' ? RETRY_AFTER_SECONDS : RETRY_PAUSES_S[away];
        if (pause === undefined) throw error;
        if (error.code === 'backend_unavailable') {
          if (away === 0) terminal.note(`quern: ${error.message}; trying again for a minute`);
          away += 1;
        }
        // Cut short by an interruption, which the next round finds.
        await wait((error.retryAfterSeconds ?? pause) * 1000, null, { signal: interrupted() }).catch(noMore);
      }
    }
  }

  return Object.assign(ask, { waitMs: () => waitMs });
}

function noMore(): void {}
