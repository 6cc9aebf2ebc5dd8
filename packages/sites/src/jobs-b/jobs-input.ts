import { z } from 'zod';
import { refuseParameter } from '#sites/framework/site.ts';
import { JOB_AGE, JOB_KEYWORDS } from '#sites/job-search.ts';

export const JobsBInput = z.object({
  ...JOB_KEYWORDS,
  remote: z.boolean().default(false).describe('Only jobs that can be done from anywhere'),
  posted_within_days: JOB_AGE.describe('1, 3, 7 or 30'),
});

export type JobsBInput = z.output<typeof JobsBInput>;

const AGES: ReadonlySet<number> = new Set([1, 3, 7, 30]);

/** A search as the board is asked for it. Throws `invalid_request`. */
export function boardRequestOf({ keywords, remote, posted_within_days: days }: JobsBInput, page: number) {
  if (days !== undefined && !AGES.has(days)) refuseParameter('posted_within_days', 'is 1, 3, 7 or 30 on this board');
  return {
    origin: 'web',
    path: remote ? '/jobs/remote' : '/jobs',
    query: { search: keywords, daysSinceUpdated: days, allLocations: true, page: page === 1 ? null : page },
  };
}
