import { orNull } from '#sites/job-record.ts';
import { at, line, list } from '#extract/values/raw.ts';

const JOB_KEY = /^[A-Za-z0-9_-]{20,200}$/;

/** Parses the key of a job. Null if it is not one. */
export function parseJobKey(raw: unknown): string | null {
  const key = line(raw);
  return key !== null && JOB_KEY.test(key) ? key : null;
}

/** Finds the key of a job in the path of its page. */
export function parseJobPath(path: string): string | null {
  return parseJobKey(/^\/job\/([^/?#]+)/.exec(path)?.[1] ?? null);
}

/** Parses a list of texts. Null if it is empty. */
export function parseLabels(raw: unknown): readonly string[] | null {
  return orNull(list(raw).flatMap((one) => line(at(one, 'label') ?? one) ?? []));
}
