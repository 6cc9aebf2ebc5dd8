import { z } from 'zod';
import { readEmploymentTypes, type JobPosting } from '#extract/dom/job-posting.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { type Pay, PAY_PERIODS, parsePay } from '#extract/values/pay.ts';
import { collapseSpace } from '#extract/values/space.ts';

const Text = z.string().nullable();
const Flag = z.boolean().nullable();
const Amount = z.number().positive().nullable();
const Texts = z.array(z.string()).readonly().nullable();

const Salary = z.object({
  min: Amount,
  max: Amount,
  currency: Text,
  period: z.enum(PAY_PERIODS).nullable(),
  text: Text,
  is_estimate: Flag.describe('Whether the site estimated it'),
});

type Salary = z.output<typeof Salary>;

const WORKPLACES = ['remote', 'hybrid', 'onsite'] as const;

/** Where the work is done. */
export type Workplace = (typeof WORKPLACES)[number];

/** A job as it appears in search results. */
export const JobSummary = z.object({
  id: z.string(),
  job_id: Text.describe('The id to request the job with; null if the site has only URLs'),
  url: z.string(),
  title: z.string(),
  company: z.object({ name: Text, url: Text, logo_url: Text }).nullable(),
  location_text: Text,
  locations: z
    .array(
      z.object({
        city: Text,
        region: Text,
        country: Text,
        postal_code: Text,
        latitude: z.number().nullable(),
        longitude: z.number().nullable(),
      }),
    )
    .readonly()
    .nullable(),
  workplace: z.enum(WORKPLACES).nullable(),
  employment_types: Texts.describe('full_time, part_time, contract, third_party, temporary, internship and others'),
  salary: Salary.nullable(),
  posted_at: Text,
  posted_text: Text,
  summary: Text,
  easy_apply: Flag,
  sponsored: Flag,
});

export type JobSummary = z.output<typeof JobSummary>;

/** A job with its description. */
export const Job = JobSummary.extend({
  description_html: Text,
  description_text: Text,
  benefits: Texts,
  skills: Texts,
  qualifications: Texts,
  experience_months: z.int().min(0).nullable(),
  education: Text,
  industries: Texts,
  valid_through: Text,
  apply_url: Text,
  direct_apply: Flag,
  is_expired: Flag,
});

export type Job = z.output<typeof Job>;

/** One page of a search for jobs. */
export const JobSearchAnswer = z.object({ jobs: z.array(JobSummary).readonly(), total: z.int().min(0).nullable() });

export const JobAnswer = z.object({ job: Job });

type JobIdentity = Pick<JobSummary, 'id' | 'job_id' | 'url' | 'title'>;

/** Builds a job that has only its id, address and title. */
export function buildEmptyJob(named: JobIdentity): JobSummary {
  return {
    ...named,
    company: null,
    location_text: null,
    locations: null,
    workplace: null,
    employment_types: null,
    salary: null,
    posted_at: null,
    posted_text: null,
    summary: null,
    easy_apply: null,
    sponsored: null,
  };
}

/** Builds a job from the JobPosting of a page. Fields that the schema does not have are null. */
export function buildJobFromPosting(posting: JobPosting, named: JobIdentity): Job {
  const { places, company, isRemote, description } = posting;
  const shown = places.map(({ city, region, country }) => [city, region ?? country].filter(Boolean).join(', '));
  return {
    ...buildEmptyJob(named),
    company: company.name === null ? null : company,
    location_text: shown.filter((one) => one !== '').join('; ') || null,
    locations: places.length === 0 ? null : places,
    workplace: isRemote ? 'remote' : null,
    employment_types: toListOrNull(posting.employmentTypes),
    salary: buildSalary(posting.pay, null),
    posted_at: posting.postedAt,
    description_html: description?.html ?? null,
    description_text: description?.text ?? null,
    benefits: toListOrNull(posting.benefits),
    skills: toListOrNull(posting.skills),
    qualifications: toListOrNull(posting.qualifications),
    experience_months: posting.experienceMonths,
    education: posting.education,
    industries: toListOrNull(posting.industries),
    valid_through: posting.validThrough,
    apply_url: null,
    direct_apply: posting.isDirectApply,
    is_expired: false,
  };
}

/** Replaces an empty list with null. */
export function toListOrNull<T>(words: readonly T[]): readonly T[] | null {
  return words.length === 0 ? null : words;
}

/** Parses employment types; null if there are none. */
export function parseEmploymentTypes(raw: unknown): readonly string[] | null {
  return toListOrNull(readEmploymentTypes(raw));
}

/** Builds a salary from the parsed data, or else from the site's text. Null if there is neither. */
export function buildSalary(pay: Pay | null, wording: string | null, isEstimate: boolean | null = null): Salary | null {
  const known = pay ?? (wording === null ? null : parsePay(wording));
  if (known === null && wording === null) return null;
  const { min = null, max = null, currency = null, period = null } = known ?? {};
  return { min, max, currency, period, text: wording, is_estimate: isEstimate };
}

/** Parses the workplace from the site's text. If there are several, remote wins over on-site. */
export function parseWorkplace(wording: string | null): Workplace | null {
  if (wording === null) return null;
  const isHybrid = /\bhybrid\b/i.test(wording);
  // Text about hybrid work often contains "remote" as well, unless the site offers both.
  if (isHybrid && !/\bremote or hybrid\b|\bhybrid or remote\b/i.test(wording)) return 'hybrid';
  if (/\bremote\b/i.test(wording)) return 'remote';
  return /\bon-?\s?site\b|\bin[- ]office\b|\bin[- ]person\b/i.test(wording) ? 'onsite' : null;
}

/** The parameters that the searches of all job boards have. */
export const JOB_KEYWORDS = {
  keywords: z.string().trim().min(1).max(500).describe('Words to search for'),
};

/** Alternative names of those parameters. */
export const JOB_ALIASES = { keywords: ['search', 'query', 'q', 'keyword'], limit: ['per_page'] };

export const JOB_LOCATION = z.string().trim().min(1).max(200).optional().describe('A city, region or country');

export const JOB_RADIUS = wholeNumber(1, 200).optional().describe('Radius around `location` in miles');

export const JOB_AGE = wholeNumber(1, 365).optional();

/** Parses the page number from a cursor; 1 if there is none. */
export function parsePageNumber(cursor: string | null): number {
  return cursor !== null && /^\d{1,5}$/.test(cursor) ? Number(cursor) : 1;
}

/** Whether the search words that a page shows are those of the request, regardless of case and spaces. */
export function isSameSearch(shown: string, requested: string): boolean {
  const [one, other] = [shown, requested].map((words) => collapseSpace(words.normalize('NFKC')).trim().toLowerCase());
  return one === other;
}
