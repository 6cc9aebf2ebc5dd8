import { z } from 'zod';
import { refuseParameter } from '#sites/framework/site.ts';
import { JOB_AGE, JOB_KEYWORDS, JOB_LOCATION, JOB_RADIUS } from '#sites/job-search.ts';

/** Kinds of employment in the board's own words. */
const EMPLOYMENT_TYPES = {
  full_time: 'FULLTIME',
  part_time: 'PARTTIME',
  contract: 'CONTRACTS',
  third_party: 'THIRD_PARTY',
} as const;

/** Days since a job was posted, in the board's own words. */
const AGES: ReadonlyMap<number, string> = new Map([
  [1, 'ONE'],
  [3, 'THREE'],
  [7, 'SEVEN'],
]);

export const JobsDInput = z.object({
  ...JOB_KEYWORDS,
  location: JOB_LOCATION,
  radius: JOB_RADIUS,
  remote: z.boolean().default(false).describe('Only jobs that can be done from anywhere'),
  employment_type: z
    .enum(['full_time', 'part_time', 'contract', 'third_party'])
    .optional()
    .describe('Only jobs of this form of employment'),
  posted_within_days: JOB_AGE.describe('1, 3 or 7'),
});

export type JobsDInput = z.output<typeof JobsDInput>;

/** Jobs on one page of the board. */
export const JOBS_D_SIZE = 20;

/** A search as the page of the board is asked for it. Throws `invalid_request`. */
export function pageQueryOf(input: JobsDInput, page: number) {
  const { keywords, location, radius, remote, employment_type: kind } = checkPlace(input);
  return {
    q: keywords,
    location,
    countryCode: location === undefined ? null : 'US',
    radius,
    radiusUnit: radius === undefined ? null : 'mi',
    page,
    pageSize: JOBS_D_SIZE,
    'filters.postedDate': ageOf(input) ?? null,
    'filters.employmentType': kind === undefined ? null : EMPLOYMENT_TYPES[kind],
    'filters.workplaceTypes': remote ? 'Remote' : null,
    language: 'en',
  };
}

/** A search as the board's interface for agents is asked for it. Throws `invalid_request`. */
export function toolArgumentsOf(input: JobsDInput, page: number) {
  const { keywords, location, radius, remote, employment_type: kind } = checkPlace(input);
  return {
    keyword: keywords,
    location,
    radius,
    radius_unit: radius === undefined ? undefined : 'mi',
    page_number: page,
    jobs_per_page: JOBS_D_SIZE,
    posted_date: ageOf(input),
    employment_types: kind === undefined ? undefined : [EMPLOYMENT_TYPES[kind]],
    workplace_types: remote ? ['Remote'] : undefined,
  };
}

function checkPlace(input: JobsDInput): JobsDInput {
  return input.radius !== undefined && input.location === undefined
    ? refuseParameter('radius', 'needs location')
    : input;
}

function ageOf({ posted_within_days: days }: JobsDInput): string | undefined {
  if (days === undefined) return undefined;
  return AGES.get(days) ?? refuseParameter('posted_within_days', 'is 1, 3 or 7 on this board');
}
