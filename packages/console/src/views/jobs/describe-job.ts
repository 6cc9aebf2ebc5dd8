import { recordAt, textAt } from '#console/app/json.ts';

const MAX_LENGTH = 200;

/** What a job is about. */
export function targetOfJob(job: unknown): string {
  return describeInput(recordAt(job, 'input'));
}

/** What an input is about: its URL, its words, or whatever it begins with; empty for an input without members. */
export function describeInput(input: Readonly<Record<string, unknown>>): string {
  const named = textAt(input, 'url') || textAt(input, 'search') || textAt(input, 'query') || textAt(input, 'prompt');
  if (named !== '' || Object.keys(input).length === 0) return named;
  return JSON.stringify(input).slice(0, MAX_LENGTH);
}

/** Whether nothing more happens to a job. */
export function isEndedJob(job: unknown): boolean {
  return ['completed', 'failed', 'cancelled', 'expired'].includes(textAt(job, 'status'));
}
