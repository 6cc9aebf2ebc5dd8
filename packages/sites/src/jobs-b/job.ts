import { z } from 'zod';
import { notFound, unusable } from '#sites/framework/answers.ts';
import type { SiteView } from '#sites/framework/request.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { jobPostingsIn } from '#extract/dom/job-posting.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { describedJob, JobAnswer } from '#sites/job-record.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { jobNumberIn } from './fields.ts';
import { extrasOf } from './job-extras.ts';
import { JOBS_B_HOME, JOBS_B_PLACES, jobsB } from './site.ts';

const JobBInput = z.object({ url: z.url().max(2000).describe('The page of the job, as a search gives it') });

const GONE =
  /\bjob (?:posting )?(?:is no longer available|has been removed|was removed|is closed)\b|\bno longer accepting\b/i;

function pathOf({ url }: z.output<typeof JobBInput>, site: SiteView): string {
  const place = site.locate(url);
  const path = place?.path.replace(/[?#].*$/s, '').replace(/\/$/, '') ?? '';
  if (jobNumberIn(path) !== null) return path;
  return refusePlace({ parameter: 'url', place, kinds: JOBS_B_PLACES, wanted: 'a job' });
}

export const jobsBJob = jobsB({
  path: '/job',
  summary: 'One job by its url',
  input: JobBInput,
  aliases: { url: ['job_url'] },
  record: JobAnswer,
  expected: ['job.description_text', 'job.company', 'job.location_text', 'job.posted_at', 'job.industries'],
  canary: { url: 'https://builtin.com/job/senior-software-engineer/3000001' },
  request: (input, site) => ({ origin: 'web', path: pathOf(input, site) }),
  parse(source, input, site) {
    const id = jobNumberIn(pathOf(input, site));
    const page = parsePage(source.body, source.url);
    if (jobNumberIn(new URL(source.url).pathname) === null) return notFound('the board leads away from the job');
    const address = URL.parse(canonicalOf(page) ?? '', JOBS_B_HOME);
    if (id === null || jobNumberIn(address?.pathname ?? '') !== id) return unusable('the job asked for');
    const isGone = GONE.test(lineAt(page, 'main') ?? '');
    const posting = jobPostingsIn(page).find(({ title }) => title !== null);
    if (posting?.title === null || posting === undefined) {
      return isGone ? notFound('the job is no longer available') : unusable('a job');
    }
    const url = `${JOBS_B_HOME}${address?.pathname ?? ''}`;
    const job = describedJob(posting, { id, job_id: null, url, title: posting.title });
    return { job: { ...job, ...extrasOf(page, job, id), is_expired: isGone } };
  },
});
