import { notFound, unusable } from '#features/sites/answers.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { all, lineAt, lineOf } from '#extract/dom/elements.ts';
import { jobPostingsIn } from '#extract/dom/job-posting.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { describedJob, JobAnswer, orNull, toSalary, workplaceOf } from '#sites/job-record.ts';
import { JobDInput, jobGuidIn, wantedGuid } from './job-input.ts';
import { JOBS_D_HOME, jobsD } from './site.ts';

const GONE = /\bjob (?:posting )?is no longer available\b|\bno longer accepting applications\b|\bjob has expired\b/i;

export const jobsDJob = jobsD({
  path: '/job',
  summary: 'One job of jobs-d by its job_id or url',
  input: JobDInput,
  anyOf: ['job_id', 'url'],
  aliases: { job_id: ['id'] },
  record: JobAnswer,
  expected: ['job.description_text', 'job.company', 'job.location_text', 'job.posted_at', 'job.employment_types'],
  canary: { job_id: '8c1f5a5e-52f4-4c5e-9d3b-6f0a5d6f2a11' },
  request: (input, site) => ({ origin: 'web', path: `/job-detail/${wantedGuid(input, site)}` }),
  parse(source, input, site) {
    const id = wantedGuid(input, site);
    if (!new URL(source.url).pathname.startsWith('/job-detail/')) return notFound('the board leads away from the job');
    const page = parsePage(source.body, source.url);
    const canonical = jobGuidIn(canonicalOf(page) ?? '');
    const posting = jobPostingsIn(page).find(
      ({ names }) => canonical === id || names.some((name) => jobGuidIn(name) === id),
    );
    const isGone = GONE.test(lineAt(page, 'main') ?? lineAt(page, 'body') ?? '');
    if (posting === undefined || posting.title === null) {
      return isGone ? notFound('the job is no longer available') : unusable('the job asked for');
    }
    const skills = all(page, '[data-testid="skillsList"] span, [data-testid="skillsList"] li');
    const job = describedJob(posting, { id, job_id: id, url: `${JOBS_D_HOME}/job-detail/${id}`, title: posting.title });
    const place = lineAt(page, '[data-testid="locationDetails"]') ?? lineAt(page, '[data-cy="locationDetails"]');
    return {
      job: {
        ...job,
        workplace: job.workplace ?? workplaceOf(place),
        salary: job.salary ?? toSalary(null, lineAt(page, '[id="salary-label"]')),
        skills: orNull([...new Set(skills.flatMap((node) => lineOf(page, node) ?? []))]) ?? job.skills,
        is_expired: isGone,
      },
    };
  },
});
