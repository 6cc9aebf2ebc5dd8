import { z } from 'zod';
import { notFound, markPartial, unusable } from '#sites/framework/answers.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference, refuseLink } from '#sites/framework/site.ts';
import {
  buildJobFromPosting,
  parseEmploymentTypes,
  type Job,
  JobAnswer,
  toListOrNull,
  buildSalary,
  parseWorkplace,
} from '#sites/framework/jobs.ts';
import {
  findCanonicalUrl,
  selectAll,
  readLineAt,
  readSingleLine,
  selectFirst,
  readRichText,
} from '#extract/dom/elements.ts';
import { parseDescription, listJobPostings, toJobPosting } from '#extract/dom/job-posting.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { parsePay } from '#extract/values/pay.ts';
import {
  getPath,
  toBoolean,
  toNumber,
  toLine,
  toMediaUrl,
  toTimestamp,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { parseJobKey, parseJobPath, parseLabels, HOME, PATH_KINDS, simplyHired } from './site.ts';

const JobInput = z.object({
  job_id: z.string().min(1).max(500).optional().describe('The job_id of a search result'),
  url: z.url().max(2000).optional().describe('Address of the job'),
});

export const simplyHiredJob = simplyHired({
  path: '/job',
  summary: 'One job of jobs-s by its job_id or url',
  input: JobInput,
  anyOf: ['job_id', 'url'],
  aliases: { job_id: ['id'] },
  record: JobAnswer,
  expected: ['job.description_text', 'job.company', 'job.location_text', 'job.posted_at', 'job.employment_types'],
  canary: { job_id: 'aVw3Uq0tT9m2Kx7Zr4Yp1Bc6Dn8Ef5Gh' },
  request: (input, site) => ({ origin: 'web', path: `/job/${readJobKey(input, site)}` }),
  parse: (source, input, site) => readJobPage(source, readJobKey(input, site)),
});

function readJobKey({ job_id: reference, url: address }: z.output<typeof JobInput>, site: SiteContext): string {
  const isAddress = reference === undefined || reference.includes('://');
  if (!isAddress) return parseJobKey(reference) ?? refuseReference('job_id', 'is not a job of this board');
  const place = site.locate(reference ?? address ?? '');
  const parameter = reference === undefined ? 'url' : 'job_id';
  return parseJobPath(place?.path ?? '') ?? refuseLink({ parameter, place, kinds: PATH_KINDS, wanted: 'a job' });
}

/** Reads the page of a job: its embedded data, else its schema.org data and visible fields. */
function readJobPage(source: SourcePage, key: string) {
  const page = parsePage(source.body, source.url);
  const data = getPath(findJsonScript(page, { id: '__NEXT_DATA__' }), 'props', 'pageProps');
  if (getPath(data, 'jobFound') === false) return notFound('there is no such job');
  const own =
    parseJobKey(getPath(data, 'jobKey')) ?? parseJobPath(URL.parse(findCanonicalUrl(page) ?? '', HOME)?.pathname ?? '');
  if (own !== key) return unusable('the requested job is missing');
  const [posting = toJobPosting({}, page.url)] = listJobPostings(page);
  const title = toLine(getPath(data, 'jobTitle')) ?? posting.title ?? readLineAt(page, '[data-testid="viewJobTitle"]');
  if (title === null) return unusable('the title of the job is missing');
  const job = buildJobFromPosting(posting, { id: key, job_id: key, url: `${HOME}/job/${key}`, title });
  if (getPath(data, 'jobTitle') !== undefined) return { job: addData(job, data) };
  return markPartial({ job: addShownFields(job, page) }, 'the data of the page, which has more than the visible text');
}

function addData(job: Job, data: unknown): Job {
  const description = parseDescription(getPath(data, 'jobDescriptionHtml'), HOME);
  const name = toLine(getPath(data, 'employerName'));
  const settings = parseLabels(getPath(data, 'workSettings'))?.join(' ') ?? null;
  return {
    ...job,
    company:
      name === null
        ? job.company
        : {
            name,
            url: toCleanUrl(getPath(data, 'companyPageUrl'), HOME) ?? job.company?.url ?? null,
            logo_url: toMediaUrl(getPath(data, 'employerSquareLogoUrl'), HOME) ?? job.company?.logo_url ?? null,
          },
    location_text: toLine(getPath(data, 'formattedLocation')) ?? job.location_text,
    locations: parsePlaces(data) ?? job.locations,
    workplace: parseWorkplace(settings) ?? job.workplace,
    employment_types: parseEmploymentTypes(parseLabels(getPath(data, 'jobTypes'))) ?? job.employment_types,
    salary: parseSalary(data) ?? job.salary,
    posted_at:
      toTimestamp(getPath(data, 'datePublished')) ?? toTimestamp(getPath(data, 'dateOnIndeed')) ?? job.posted_at,
    summary: toText(getPath(data, 'snippet')),
    easy_apply: toBoolean(getPath(data, 'indeedApply')) ?? toBoolean(getPath(data, 'isIndeedApply')),
    sponsored: toBoolean(getPath(data, 'sponsored')),
    description_html: description?.html ?? job.description_html,
    description_text: description?.text ?? job.description_text,
    benefits: parseLabels(getPath(data, 'benefits')) ?? job.benefits,
    qualifications: parseLabels(getPath(data, 'qualifications')) ?? job.qualifications,
    apply_url: toCleanUrl(getPath(data, 'applyUrl'), HOME),
    is_expired: toBoolean(getPath(data, 'expired')),
  };
}

/** Parses the salary from the member that contains an amount. Either member may be empty. */
function parseSalary(data: unknown): Job['salary'] {
  const wordings = ['compensation', 'salaryInfo'].flatMap((name) => toLine(getPath(data, name)) ?? []);
  const wording = wordings.find((each) => parsePay(each) !== null) ?? wordings[0] ?? null;
  return wording === null ? null : buildSalary(null, wording, toBoolean(getPath(data, 'isSalaryEstimate')));
}

function parsePlaces(data: unknown): Job['locations'] {
  const city = toLine(getPath(data, 'city'));
  if (city === null) return null;
  return [
    {
      city,
      region: toLine(getPath(data, 'state')),
      country: toLine(getPath(data, 'country')),
      postal_code: toLine(getPath(data, 'postalCode')),
      latitude: toNumber(getPath(data, 'latitude')),
      longitude: toNumber(getPath(data, 'longitude')),
    },
  ];
}

function addShownFields(job: Job, page: ParsedPage): Job {
  const shown = (name: string): string | null => readLineAt(page, `[data-testid="viewJob${name}"]`);
  const listed = (name: string) =>
    toListOrNull(selectAll(page, `[data-testid="viewJob${name}"]`).flatMap((node) => readSingleLine(page, node) ?? []));
  const apply = shown('HeaderFooterApplyButton');
  const rich = readRichText(page, selectFirst(page, '[data-testid="viewJobBodyJobFullDescriptionContent"]'));
  const name = shown('CompanyName');
  return {
    ...job,
    company: name === null ? job.company : { ...(job.company ?? { url: null, logo_url: null }), name },
    location_text: shown('CompanyLocation') ?? job.location_text,
    employment_types: job.employment_types ?? parseEmploymentTypes(shown('BodyJobDetailsJobType')),
    salary: job.salary ?? buildSalary(null, shown('BodyJobCompensation')),
    benefits: job.benefits ?? listed('BenefitItem'),
    qualifications: job.qualifications ?? listed('QualificationItem'),
    easy_apply: apply === null ? null : /\bquick apply\b|\beasy apply\b/i.test(apply),
    posted_text: shown('BodyJobPostingTimestamp'),
    description_html: job.description_html ?? rich?.html ?? null,
    description_text: job.description_text ?? rich?.text ?? null,
    is_expired: null,
  };
}
