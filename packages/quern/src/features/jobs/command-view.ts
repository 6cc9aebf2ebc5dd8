import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';
import { JobRecord } from '#engine/jobs/job-record.ts';

const List = z.object({ data: z.array(JobRecord) });
const Waiting = z.looseObject({ status: z.literal('queued') });

/** From the largest; the name of a unit and its ms. */
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** `quern jobs list`: a table. */
export const JOBS_VIEW: CommandView = {
  table: { noun: 'jobs', toRows: (body, now) => List.parse(body).data.map((job) => toRow(job, now)) },
  showsQueued: ({ data }) => Array.isArray(data) && data.some((job) => Waiting.safeParse(job).success),
};

/** `quern jobs show`. */
export const JOB_VIEW: CommandView = { showsQueued: (body) => Waiting.safeParse(body).success };

function toRow({ id, kind, status, progress, created_at: at }: JobRecord, now: number) {
  const of = progress.total === undefined ? '' : ` of ${progress.total}`;
  const failed = progress.failed === 0 ? '' : `, ${progress.failed} failed`;
  return { id, kind, status, progress: `${progress.completed}${of}${failed}`, age: toAge(now - Date.parse(at)) };
}

/** A span of time in its largest unit; one that has not begun yet, because clocks differ, is `0s`. */
function toAge(ms: number): string {
  const [name, size] = UNITS.find(([, unit]) => ms >= unit) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(ms / size))}${name}`;
}
