import { z } from 'zod';
import { notFound, unusable } from '#sites/framework/answers.ts';
import type { SiteContext } from '#sites/framework/request.ts';
import { refuseReference, refuseLink } from '#sites/framework/site.ts';
import {
  buildJobFromPosting,
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
  listLabelsUnder,
} from '#extract/dom/elements.ts';
import { listJobPostings } from '#extract/dom/job-posting.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { parsePay } from '#extract/values/pay.ts';
import { HOME, PATH_KINDS, dice } from './site.ts';

const JobInput = z.object({
  job_id: z.string().min(1).max(300).optional().describe('The job_id of a search result'),
  url: z.url().max(2000).optional().describe('Address of the job'),
});

type JobInput = z.output<typeof JobInput>;

export const diceJob = dice({
  path: '/job',
  summary: 'One job of jobs-d by its job_id or url',
  input: JobInput,
  anyOf: ['job_id', 'url'],
  aliases: { job_id: ['id'] },
  record: JobAnswer,
  expected: ['job.description_text', 'job.company', 'job.location_text', 'job.posted_at', 'job.employment_types'],
  canary: { job_id: '8c1f5a5e-52f4-4c5e-9d3b-6f0a5d6f2a11' },
  request: (input, site) => ({ origin: 'web', path: `/job-detail/${readJobGuid(input, site)}` }),
  parse(source, input, site) {
    const id = readJobGuid(input, site);
    if (!new URL(source.url).pathname.startsWith('/job-detail/'))
      return notFound('the board redirects to another page');
    const page = parsePage(source.body, source.url);
    const canonical = parseJobGuid(findCanonicalUrl(page) ?? '');
    const posting = listJobPostings(page).find(
      ({ names }) => canonical === id || names.some((name) => parseJobGuid(name) === id),
    );
    const isGone = GONE_TEXT.test(readLineAt(page, 'main') ?? readLineAt(page, 'body') ?? '');
    if (posting === undefined || posting.title === null) {
      return isGone ? notFound('the job is no longer available') : unusable('the requested job is missing');
    }
    const job = buildJobFromPosting(posting, { id, job_id: id, url: `${HOME}/job-detail/${id}`, title: posting.title });
    return { job: { ...job, ...readShown(page, job), is_expired: isGone } };
  },
});

const GUID = /(?:^|\/)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=[/?#]|$)/i;

/** Finds the GUID of a job in an address, or alone. Null if there is none. */
export function parseJobGuid(text: string): string | null {
  return GUID.exec(text.trim())?.[1]?.toLowerCase() ?? null;
}

/** Reads the GUID of the wanted job. Throws `not_found`, and `invalid_request` for an address of another kind. */
function readJobGuid({ job_id: reference, url }: JobInput, site: SiteContext): string {
  const isAddress = reference === undefined || reference.includes('://');
  const place = isAddress ? site.locate(reference ?? url ?? '') : null;
  const name = isAddress ? (/^\/job-detail\/([^/?#]+)/.exec(place?.path ?? '')?.[1] ?? '') : reference;
  const id = parseJobGuid(name);
  if (id !== null) return id;
  if (!isAddress) return refuseReference('job_id', 'is not a job of this board');
  const parameter = reference === undefined ? 'url' : 'job_id';
  return refuseLink({ parameter, place, kinds: PATH_KINDS, wanted: 'a job' });
}

const GONE_TEXT =
  /\bjob (?:posting )?is no longer available\b|\bno longer accepting applications\b|\bjob has expired\b/i;

/** Matches `Midvale, UT, US • Posted 14 hours ago • Updated 2 hours ago`. */
const PLACE_AND_TIME = /^[^•]{1,200}• Posted [^•]{1,100}(?:•|$)/;

/** Reads the fields that the page shows in addition to its schema.org data. Cards of similar jobs follow the job. */
function readShown(page: ParsedPage, job: Job): Partial<Job> {
  const end = selectFirst(page, '[data-testid="job-card"]') || page.tree.count;
  const own = (selector: string) => selectAll(page, selector).filter((node) => node < end);
  const lines = (selector: string) => own(selector).flatMap((node) => readSingleLine(page, node) ?? []);
  const header = selectFirst(page, '[data-testid="job-detail-header-card"]');
  const facts =
    header === 0 ? [] : selectAll(page, 'span, div', header).flatMap((node) => readSingleLine(page, node) ?? []);
  const badges =
    header === 0 ? [] : selectAll(page, '.SeuiInfoBadge', header).flatMap((node) => readSingleLine(page, node) ?? []);
  const [place, posted] = facts.findLast((fact) => PLACE_AND_TIME.test(fact))?.split(/\s*•\s*/) ?? [];
  const badge = lines('[data-testid="locationTypeBadge"]')[0] ?? null;
  const oldPlace = lines('[data-testid="locationDetails"], [data-cy="locationDetails"]')[0] ?? null;
  const pay = [...lines('[id="salary-label"]'), ...badges].find((label) => parsePay(label) !== null) ?? null;
  const apply = lines('[data-testid="apply-button"]')[0];
  const skills = [
    ...listLabelsUnder(page, /^skills$/i, end),
    ...lines('[data-testid="skillsList"] span, [data-testid="skillsList"] li'),
  ];
  return {
    location_text: place ?? job.location_text,
    workplace: job.workplace ?? parseWorkplace(badge) ?? parseWorkplace(oldPlace ?? place ?? null),
    salary: job.salary ?? buildSalary(null, pay),
    posted_text: posted ?? null,
    easy_apply: apply === undefined ? null : /\beasy apply\b/i.test(apply),
    skills: toListOrNull([...new Set(skills)]) ?? job.skills,
  };
}
