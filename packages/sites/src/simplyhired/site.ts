import { getPath, toLine, toArray } from '#extract/values/raw.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { PathKinds } from '#sites/framework/site.ts';
import { toListOrNull } from '#sites/framework/jobs.ts';

/** The canonical origin of the board's pages, wherever they are fetched. */
export const HOME = 'https://www.simplyhired.com';

/** The kinds of the board's addresses other than jobs. */
export const PATH_KINDS: PathKinds = [
  [/^\/search(?:[/?]|$)/, 'a search'],
  [/^\/(?:browse-jobs\/companies|company)\//, 'a company'],
  [/^\/salar/, 'a list of salaries'],
];

/** SimplyHired. Its pages are read. */
export const simplyHired = defineSite({
  name: 'jobs-s',
  about: 'job board: jobs of all kinds with salaries',
  origins: { web: HOME },
  hosts: { 'simplyhired.com': 'web' },
});

const JOB_KEY = /^[A-Za-z0-9_-]{20,200}$/;

/** Parses the key of a job. Null if it is not one. */
export function parseJobKey(raw: unknown): string | null {
  const key = toLine(raw);
  return key !== null && JOB_KEY.test(key) ? key : null;
}

/** Finds the key of a job in the path of its page. */
export function parseJobPath(path: string): string | null {
  return parseJobKey(/^\/job\/([^/?#]+)/.exec(path)?.[1] ?? null);
}

/** Parses a list of texts. Null if it is empty. */
export function parseLabels(raw: unknown): readonly string[] | null {
  return toListOrNull(toArray(raw).flatMap((one) => toLine(getPath(one, 'label') ?? one) ?? []));
}
