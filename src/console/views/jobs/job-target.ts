import { recordAt, textAt } from '#console/app/reading.ts';

const MOST_LENGTH = 200;

/** What a job is about: its URL, its words, or whatever its input begins with. */
export function targetOfJob(job: unknown): string {
  const input = recordAt(job, 'input');
  const named = textAt(input, 'url') || textAt(input, 'search') || textAt(input, 'query') || textAt(input, 'prompt');
  return named || JSON.stringify(input).slice(0, MOST_LENGTH);
}

/** Whether nothing more happens to a job. */
export function isEndedJob(job: unknown): boolean {
  return ['completed', 'failed', 'cancelled', 'expired'].includes(textAt(job, 'status'));
}
