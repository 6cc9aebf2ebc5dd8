import { z } from 'zod';
import type { Loop, RunningLoop } from '#engine/call/feature.ts';
import type { HelpWithJob } from '#engine/call/steps/run.ts';
import { LeaseLost, JobStopped } from '#engine/jobs/lease.ts';
import { type JobInput, JobRow } from '#engine/jobs/job-record.ts';
import { type Clock, sleepUnlessAborted } from '#kernel/clock.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db } from '#store/db.ts';
import { readRows } from '#store/rows.ts';

/** Crawls of other workers with unclaimed pages, those with the most pages first. */
const FIND_OPEN_CRAWLS = `select jobs.*, waiting.queued as queued from jobs
  join crawls on crawls.job_id = jobs.id
  join (select crawl, sum(queued) as queued from crawl_hosts group by crawl) as waiting on waiting.crawl = crawls.crawl
  where jobs.status = 'running' and jobs.cancel_requested = 0 and jobs.stop_reason is null
    and jobs.worker_id <> $1 and waiting.queued >= $2
  order by waiting.queued desc limit $3`;

/** With fewer waiting pages, the owner finishes before a helper has started. */
const MIN_WAITING_PAGES = 20;
const POLL_MS = 2000;

const OpenCrawlRow = JobRow.extend({ queued: z.number() });

export type HelperParts = {
  readonly db: Db;
  /** Maximum number of crawls to help with at once. */
  readonly maxCrawls: number;
  readonly clock: Clock;
  readonly open: (row: JobRow) => JobInput | null;
  readonly help: HelpWithJob;
  readonly findPlan: (tenant: string) => Promise<Plan>;
  /** Called with errors; the loop continues. */
  readonly report: (error: unknown) => void;
};

/** The loop that looks for crawls of other processes and helps with them. */
export function buildHelperLoop(parts: HelperParts): Loop {
  return { beside: 'jobs', start: ({ id, isAlone }) => (isAlone ? IDLE_LOOP : startHelping(parts, id)) };
}

/** A process that has the database to itself has no one to help. */
const IDLE_LOOP: RunningLoop = { metrics: [], close: async () => undefined };

/** `id` is this worker, whose own jobs need no help. */
function startHelping(parts: HelperParts, id: string): RunningLoop {
  const { db, maxCrawls, clock, open, help: assist, findPlan, report } = parts;
  const closing = new AbortController();
  const helping = new Map<string, Promise<void>>();

  async function help(row: JobRow): Promise<void> {
    const input = open(row);
    if (input === null) return;
    const plan = await findPlan(row.tenant_id);
    await assist({
      kind: row.kind,
      input,
      caller: { tenant: row.tenant_id, keyId: id, plan },
      jobId: row.id,
      maxCredits: row.max_credits,
      signal: closing.signal,
    });
  }

  async function look(): Promise<void> {
    if (helping.size >= maxCrawls) return;
    for (const row of readRows(OpenCrawlRow, await db.query(FIND_OPEN_CRAWLS, [id, MIN_WAITING_PAGES, maxCrawls]))) {
      if (helping.size >= maxCrawls || helping.has(row.id)) continue;
      const done = help(row)
        .catch((error: unknown) => {
          // The crawl has ended, or its owner will report the error.
          const isOver = error instanceof LeaseLost || error instanceof JobStopped || error instanceof ServiceError;
          if (!isOver && !closing.signal.aborted) report(error);
        })
        .finally(() => helping.delete(row.id));
      helping.set(row.id, done);
    }
  }

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      await look().catch(report);
      await sleepUnlessAborted(clock, POLL_MS, closing.signal);
    }
  }

  const looping = loop();
  return {
    metrics: [],
    async close() {
      closing.abort(new JobStopped('drained'));
      await looping;
      await Promise.all(helping.values());
    },
  };
}
