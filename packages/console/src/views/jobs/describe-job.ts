import { getRecord, getText } from '#console/app/json.ts';

const MAX_LENGTH = 200;

/** Describes what a job works on; see `describeInput`. */
export function describeJob(job: unknown): string {
  return describeInput(getRecord(job, 'input'));
}

/** Describes an input by its URL, search words or prompt, else by the start of its JSON; empty for an input without members. */
export function describeInput(input: Readonly<Record<string, unknown>>): string {
  const named =
    getText(input, 'url') || getText(input, 'search') || getText(input, 'query') || getText(input, 'prompt');
  if (named !== '' || Object.keys(input).length === 0) return named;
  return JSON.stringify(input).slice(0, MAX_LENGTH);
}

/** Whether a job is in a final state. */
export function isJobEnded(job: unknown): boolean {
  return ['completed', 'failed', 'cancelled', 'expired'].includes(getText(job, 'status'));
}
