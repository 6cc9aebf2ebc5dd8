import { z } from 'zod';
import { JobRecord } from '#engine/jobs/job-record.ts';
import type { Terminal } from './cli.ts';
import { printTable } from './table.ts';

const List = z.object({ data: z.array(JobRecord), next_cursor: z.string().nullable() });

/** From the largest; the name of a unit and its ms. */
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** Prints a page of the list of jobs for people; `now` is in ms. */
export function printJobs(
  body: unknown,
  { terminal, now }: { readonly terminal: Terminal; readonly now: number },
): void {
  const { data, next_cursor: cursor } = List.parse(body);
  if (data.length === 0) terminal.note('quern: no jobs');
  else
    printTable(
      data.map((job) => toRow(job, now)),
      { terminal, json: false },
    );
  if (cursor !== null) terminal.note(`quern: there are more: --cursor ${cursor}`);
}

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
