import { z } from 'zod';
import { collapseSpace } from '#extract/values/space.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';

/** The parameters that searches of all job boards have. */
export const JOB_KEYWORDS = {
  keywords: z.string().trim().min(1).max(500).describe('Words to search for'),
};

/** Other names of those parameters. */
export const JOB_ALIASES = { keywords: ['search', 'query', 'q', 'keyword'], limit: ['per_page'] };

export const JOB_LOCATION = z.string().trim().min(1).max(200).optional().describe('A place in words');

export const JOB_RADIUS = wholeNumber(1, 200).optional().describe('Miles around location');

export const JOB_AGE = wholeNumber(1, 365).optional();

/** The number of a page that a token stands for, 1 without one. */
export function jobPageOf(cursor: string | null): number {
  return cursor !== null && /^\d{1,5}$/.test(cursor) ? Number(cursor) : 1;
}

/** Whether a page that shows the words of its search is that of the search asked for. */
export function isSameSearch(shown: string, asked: string): boolean {
  const [one, other] = [shown, asked].map((words) => collapseSpace(words.normalize('NFKC')).trim().toLowerCase());
  return one === other;
}
