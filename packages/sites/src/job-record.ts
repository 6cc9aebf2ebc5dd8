import { z } from 'zod';
import { employmentTypesOf, type JobPosting } from '#extract/dom/job-posting.ts';
import { type Pay, PAY_PERIODS, readPay } from '#extract/values/pay.ts';

const Text = z.string().nullable();
const Flag = z.boolean().nullable();
const Amount = z.number().positive().nullable();
const Words = z.array(z.string()).readonly().nullable();

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

/** A job as lists of the job boards have it. */
export const JobSummary = z.object({
  id: z.string(),
  job_id: Text.describe('What job is asked for by; null where that is the url'),
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
  employment_types: Words.describe('full_time, part_time, contract, third_party, temporary, internship and others'),
  salary: Salary.nullable(),
  posted_at: Text,
  posted_text: Text,
  summary: Text,
  easy_apply: Flag,
  sponsored: Flag,
});

export type JobSummary = z.output<typeof JobSummary>;

/** A job in full. */
export const Job = JobSummary.extend({
  description_html: Text,
  description_text: Text,
  benefits: Words,
  skills: Words,
  qualifications: Words,
  experience_months: z.int().min(0).nullable(),
  education: Text,
  industries: Words,
  valid_through: Text,
  apply_url: Text,
  direct_apply: Flag,
  is_expired: Flag,
});

export type Job = z.output<typeof Job>;

/** One page of a search for jobs. */
export const JobBoardPage = z.object({ jobs: z.array(JobSummary).readonly(), total: z.int().min(0).nullable() });

export const JobAnswer = z.object({ job: Job });

type NamedJob = Pick<JobSummary, 'id' | 'job_id' | 'url' | 'title'>;

/** A job of which no more is known than its name. */
export function bareJob(named: NamedJob): JobSummary {
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

/** The record of a job that a page describes, without what only its site says. */
export function describedJob(posting: JobPosting, named: NamedJob): Job {
  const { places, company, isRemote, description } = posting;
  const shown = places.map(({ city, region, country }) => [city, region ?? country].filter(Boolean).join(', '));
  return {
    ...bareJob(named),
    company: company.name === null ? null : company,
    location_text: shown.filter((one) => one !== '').join('; ') || null,
    locations: places.length === 0 ? null : places,
    workplace: isRemote ? 'remote' : null,
    employment_types: orNull(posting.employmentTypes),
    salary: toSalary(posting.pay, null),
    posted_at: posting.postedAt,
    description_html: description?.html ?? null,
    description_text: description?.text ?? null,
    benefits: orNull(posting.benefits),
    skills: orNull(posting.skills),
    qualifications: orNull(posting.qualifications),
    experience_months: posting.experienceMonths,
    education: posting.education,
    industries: orNull(posting.industries),
    valid_through: posting.validThrough,
    apply_url: null,
    direct_apply: posting.isDirectApply,
    is_expired: false,
  };
}

/** A list of words; null where a site has none. */
export function orNull<T>(words: readonly T[]): readonly T[] | null {
  return words.length === 0 ? null : words;
}

/** Kinds of employment, null where a site tells none. */
export function employmentOf(raw: unknown): readonly string[] | null {
  return orNull(employmentTypesOf(raw));
}

/** What a job pays: by its data, else by the site's wording. */
export function toSalary(pay: Pay | null, wording: string | null, isEstimate: boolean | null = null): Salary | null {
  const known = pay ?? (wording === null ? null : readPay(wording));
  if (known === null && wording === null) return null;
  const { min = null, max = null, currency = null, period = null } = known ?? {};
  return { min, max, currency, period, text: wording, is_estimate: isEstimate };
}

/** Where the work is done, by a site's words for it; the freest of several. */
export function workplaceOf(wording: string | null): Workplace | null {
  if (wording === null) return null;
  const isHybrid = /\bhybrid\b/i.test(wording);
  // Hybrid work is done from afar in part, unless the site offers either.
  if (isHybrid && !/\bremote or hybrid\b|\bhybrid or remote\b/i.test(wording)) return 'hybrid';
  if (/\bremote\b/i.test(wording)) return 'remote';
  return /\bon-?\s?site\b|\bin[- ]office\b|\bin[- ]person\b/i.test(wording) ? 'onsite' : null;
}
