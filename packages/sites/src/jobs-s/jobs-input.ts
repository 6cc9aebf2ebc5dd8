import { z } from 'zod';
import { refuseParameter } from '#sites/framework/site.ts';
import { JOB_AGE, JOB_KEYWORDS, JOB_LOCATION, JOB_RADIUS } from '#sites/job-search.ts';

export const JobsSInput = z.object({
  ...JOB_KEYWORDS,
  location: JOB_LOCATION,
  radius: JOB_RADIUS,
  posted_within_days: JOB_AGE.describe('Days since it was posted'),
  sort: z.enum(['relevance', 'date']).default('relevance').describe('The order of the jobs'),
});

export type JobsSInput = z.output<typeof JobsSInput>;

/** The site's token of a page, with the number of that page. */
type PageToken = { readonly page: number; readonly token: string | null };

/** What follows which page: the site's tokens do not say their number. */
export function pageTokenIn(cursor: string | null): PageToken {
  const [, page, token] = /^(\d{1,4}):(.{1,3000})$/s.exec(cursor ?? '') ?? [];
  return page === undefined || token === undefined ? { page: 1, token: null } : { page: Number(page), token };
}

/** A search as the board is asked for it. Throws `invalid_request`. */
export function searchQueryOf({ keywords, location, radius, posted_within_days: days, sort }: JobsSInput) {
  if (radius !== undefined && location === undefined) refuseParameter('radius', 'needs location');
  return { q: keywords, l: location ?? '', mi: radius, fdb: days, sb: sort === 'date' ? 'dd' : null };
}
